"""The default in space: good groups to begin from, and local search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from covey._kernels import space as kernels
from covey.errors import OptionError, shown
from covey.space.objective import CostedMethod

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.space.method import Labels
    from covey.space.objective import Objective
    from covey.utils.arrays import Coordinates
    from covey.utils.typing import Points


@dataclass(frozen=True)
class Auto(CostedMethod):
    """Fast and good: groups of near records, improved by local search, on all cores.

    Equal records are one point: more copies of it than its neighbours can make use of are groups of their own. The others begin as
    the components of `NearestNeighbour`, read off lists of near records; up to 10 000 records those of `Mdav` are tried, too,
    and the better ones kept. The local search looks at every record beside the groups of the records near it: move it,
    exchange it, dissolve its group, found a new one, while the loss falls; then come 6n/k steps of the neighbourhoods of `Search`
    (9n/k in more than 6 dimensions), improvements only. Large tables are searched in blocks, three times, with borders that lie elsewhere.
    For other values than means, or with weights, the same again by that cost, which so never exceeds that of groups for
    means. The same groups on any number of cores. Heuristic; O(n log n) for given k and d.

    Parameters
    ----------
    cost
        "sse" (means), "sae" (medians), "maxdist" (midranges), "roundup" (maxima) or "rounddown" (minima), or one of them for every
        column. A bound is known for "sse" alone.
    progress
        Called now and then with the share that is done, 0 to 1.

    Examples
    --------
    >>> Auto().partition([[0, 0], [5, 6], [1, 0], [6, 6], [0, 1], [5, 5]], k=3).labels.tolist()
    [0, 1, 0, 1, 0, 1]
    """

    name: ClassVar[str] = "auto"

    progress: Callable[[float], object] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.progress is not None and not callable(self.progress):
            msg = f"progress is {shown(self.progress)}; needed: a function of the share that is done, or None"
            raise OptionError(msg)

    def _search(self, coordinates: Coordinates, k: int, objective: Objective) -> tuple[Labels, int | None]:
        return good_groups(coordinates.values, k, objective.kernel(), self.progress), None


def good_groups(
    points: Points,
    k: int,
    objective: kernels.Objective | None = None,
    progress: Callable[[float], object] | None = None,
) -> Labels:
    """The groups of `Auto`; 2 <= k and 2k <= n."""
    return kernels.good_groups(points, k, objective, progress)


def improved(points: Points, labels: Labels, k: int, objective: kernels.Objective | None = None) -> Labels:
    """The groups that the searches of `Auto` make of given ones, by squares or an objective."""
    return kernels.local_search(points, labels, k, objective)
