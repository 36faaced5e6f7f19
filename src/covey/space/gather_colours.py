"""Groups of different colours in space, no wider than twice the least width: `diverse`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

import numpy as np

from covey.core.method import Method
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.errors import InfeasibleError, InputError
from covey.line.diversity.colours import as_colours, check_feasible
from covey.space.metric_diversity import gather_colours
from covey.utils.arrays import as_count, as_matrix

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from covey.utils.typing import Labels, Points

MOST_POINTS = 3000
"""All pairs of them are looked at."""


@dataclass(frozen=True)
class GatherColours(Method):
    """Centres of the same colour or far apart, to which all points are matched. Within twice the best; see `diverse`.

    >>> GatherColours().solve([[0.0], [1.0], [9.0], [9.5]], 2, ["flu", "cold", "flu", "gout"]).loss
    1.0
    """

    name: ClassVar[str] = "gather-colours"

    def solve(self, X: ArrayLike, k: SupportsIndex, colours: Sequence[Hashable] | ArrayLike | None = None) -> Solution:
        """Group the points X, at least k of different colours in a group; without colours every record has one of its own."""
        points = as_matrix(X)
        known = as_colours(range(len(points)) if colours is None else colours, len(points))
        least = as_count(k, "l")
        check_feasible(known, least)
        check_number(len(points))
        return gathered(euclidean(points), known.codes, least)


def diverse(
    X: ArrayLike,
    colours: Sequence[Hashable] | ArrayLike,
    l: SupportsIndex,  # noqa: E741
) -> Solution:
    """Group points so that each group has at least l records, all of different colours, and the widest group is at most twice as wide as need be.

    The least distance D is sought for which there are centres that all points can be matched to within D, with l different colours each; no
    solution has a widest group below it. Approximate, by a factor of 2 at most, both in the largest distance within a group and in the
    largest distance to a centre; to do better is NP-hard. O(log n) distances are tried, each by bipartite matchings and a flow over the pairs
    within it; up to 3000 records. Needs scipy (extra `exact`).

    Source: the problem and the factor are Li, Yi & Zhang 2010, *Clustering with diversity*; the centres and the proof are ours.

    Parameters
    ----------
    X
        One row a record, of any number of coordinates.
    colours
        The sensitive value of every record, none missing.
    l
        A solution exists iff the most frequent colour is that of at most n / l records.

    Returns
    -------
    Solution
        The groups; `loss` is the largest distance within one, `bound` what it is at least in any solution.

    Raises
    ------
    InfeasibleError
        A colour is too frequent for l.

    Examples
    --------
    >>> solution = diverse([[0, 0], [0, 1], [5, 5], [5, 7]], ["flu", "cold", "flu", "gout"], l=2)
    >>> solution.loss, solution.status
    (2.0, 'optimal')
    """
    return GatherColours().solve(X, l, colours)


def check_number(n: int) -> None:
    """Refuse more points than all pairs are looked at of."""
    if n > MOST_POINTS:
        raise InputError(
            f"there are {n} points; needed: at most {MOST_POINTS}, for all pairs are looked at; group parts of them"
        )


def gathered(distances: Points, codes: Labels, l: int) -> Solution:  # noqa: E741
    """The groups of points at these distances, and how wide the widest is; an error where those within reach of each other have none."""
    groups = gather_colours(distances, codes, l)
    if groups is None:
        raise InfeasibleError(
            f"some component has no clusters of {l} different colours; needed: a smaller l, or a network without that component"
        )
    labels, bound = groups.labels, groups.within
    loss = float(distances[labels[:, None] == labels].max())
    return Solution(
        Partition(labels), loss, bound=bound, status="optimal" if loss == bound else "feasible", method=GatherColours()
    )


def euclidean(points: Points) -> Points:
    """All distances, column by column, so that neither large values nor small differences are lost."""
    distances = np.zeros((len(points), len(points)))
    for column in points.T:
        distances = np.hypot(distances, column[:, None] - column)
    return distances
