"""Groups of at least k on the line in which colours are mixed: l different ones in each, or none with more than a share of 1/l."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, SupportsIndex, get_args

import numpy as np

from covey._kernels import diverse as kernels
from covey.core.method import Method
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.errors import InputError, OptionError, shown
from covey.line.diversity.colours import check_different, check_feasible
from covey.line.diversity.problem import as_problem
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from covey.utils.typing import Floats, Labels

Mixing = Literal["distinct", "share"]
"""What groups hold: l different colours, or no colour with more than 1/l of their records."""
_MOST_CELLS = 50_000_000
_MOST_STEPS = 20_000_000_000


@dataclass(frozen=True)
class Mixed(Method):
    """The recursion over how many records of each colour are grouped. Exact, for few colours: see `mixed`.

    >>> Mixed(2).solve([1.0, 2.0, 3.0, 9.0, 9.5], 2, ["flu", "flu", "cold", "flu", "gout"]).partition.labels.tolist()
    [0, 0, 0, 1, 1]
    """

    l: int  # noqa: E741
    rule: Mixing = "distinct"

    name: ClassVar[str] = "mixed"

    def __post_init__(self) -> None:
        as_count(self.l, "l")
        if self.rule not in get_args(Mixing):
            raise OptionError(f"there is no rule {shown(self.rule)}; known: {', '.join(get_args(Mixing))}")

    def solve(self, X: ArrayLike, k: SupportsIndex, colours: Sequence[Hashable] | ArrayLike | None = None) -> Solution:
        """Group the numbers X, at least k in a group; without colours every record has one of its own."""
        problem = as_problem(X, colours, self.l, "sse", check_feasible if self.rule == "share" else check_different)
        least = as_count(k, "k", at_most=len(problem.x))
        clusters = best_mixed(problem.x, problem.colours, least, self.l, self.rule, _MOST_CELLS, _MOST_STEPS)
        if clusters is None:
            raise InputError(
                f"{len(problem.x)} records of {problem.m} colours are too many for the recursion, whose table has a cell for every number "
                f"of records of each colour; needed: at most {_MOST_CELLS:.0e} cells; ask a release for the requirement instead"
            )
        labels = np.empty_like(clusters)
        labels[problem.order] = clusters
        loss = problem.to_input(problem.value(clusters))
        return Solution(Partition(labels), loss, bound=loss, status="optimal", method=self)


def mixed(
    x: ArrayLike,
    colours: Sequence[Hashable] | ArrayLike,
    k: SupportsIndex,
    l: SupportsIndex,  # noqa: E741
    rule: Mixing = "distinct",
) -> Solution:
    """Group numbers so that each group has at least k records and mixed colours, at the least sum of squares.

    Groups in the order of their means take the first records left of each colour, so that a table over how many records of each
    colour are grouped holds the least loss. Exact. For m colours with n_j records each, prod (n_j + 1) cells, and for each the last groups
    that cannot be parted: with l different colours O((2k)^m) groups below 2k and O(n^(l-1)) larger ones, with shares O((2k + l^2)^m).

    Parameters
    ----------
    x
        One number a record.
    colours
        The sensitive value of every record, none missing.
    k
        The least number of records in a group.
    l
        The least number of different colours in a group, or what a colour has at most one part of.
    rule
        "distinct": l different colours; "share": no colour has more than 1/l of a group.

    Returns
    -------
    Solution
        The groups and their `loss`, proven the least.

    Raises
    ------
    InfeasibleError
        There are fewer colours than l, or one is too frequent.

    Examples
    --------
    >>> mixed([1.0, 2.0, 3.0, 9.0, 9.5], ["flu", "flu", "cold", "flu", "gout"], k=2, l=2).loss
    2.125
    """
    return Mixed(as_count(l, "l"), rule).solve(x, k, colours)


def best_mixed(
    x: Floats,
    colours: Labels,
    k: int,
    l: int,  # noqa: E741
    rule: Mixing,
    most_cells: int,
    most_steps: int,
    *,
    whole: bool = False,
) -> Labels | None:
    """The groups of least squares of numbers that ascend, with colours from 0; None where the table would be too large.

    Squares are to means or, where only a whole number is published, to the nearest of these.
    """
    if math.prod(int(number) + 1 for number in np.bincount(colours)) > most_cells:
        return None
    clusters = kernels.mixed(x, colours, int(colours.max()) + 1, l, k, rule == "share", whole, most_steps)
    return clusters if len(clusters) else None
