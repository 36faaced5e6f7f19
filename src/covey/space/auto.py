"""The default in space: MDAV, or a split where that would take too long, and then local search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from covey._kernels import space as kernels
from covey.space.mdav import Mdav
from covey.space.objective import CostedMethod
from covey.space.ordering import Split

if TYPE_CHECKING:
    from covey.space.method import LabellingMethod, Labels
    from covey.space.objective import Objective
    from covey.utils.arrays import Coordinates
    from covey.utils.typing import Points


@dataclass(frozen=True)
class Auto(CostedMethod):
    """Fast and good: the groups of `Mdav` (of `Split` for very large tables), improved by local search.

    The local search looks at every record beside the groups of its 25 nearest neighbours (2k, at most 100, for larger k):
    move it, exchange it, dissolve its group, found a new one, while the loss falls; then 6n/k steps of the neighbourhoods
    of `Search`, improvements only. For other values than means, or with weights, the same again by that cost, which so never
    exceeds that of groups for means. Deterministic. Heuristic; O(n k d) for each sweep of the local search, after the start.

    Parameters
    ----------
    cost
        "sse" (means), "sae" (medians), "maxdist" (midranges), "roundup" (maxima) or "rounddown" (minima), or one of them for every
        column. A bound is known for "sse" alone.

    Examples
    --------
    >>> Auto().partition([[0, 0], [5, 6], [1, 0], [6, 6], [0, 1], [5, 5]], k=3).labels.tolist()
    [0, 1, 0, 1, 0, 1]
    """

    name: ClassVar[str] = "auto"

    def _search(self, coordinates: Coordinates, k: int, objective: Objective) -> tuple[Labels, int | None]:
        return good_groups(coordinates.values, k, objective.kernel()), None


def good_groups(points: Points, k: int, objective: kernels.Objective | None = None) -> Labels:
    """The groups of `Auto`; 2 <= k and 2k <= n."""
    start: LabellingMethod = Split() if _takes_long(*points.shape) else Mdav()
    labels = improved(points, start._group(points, k), k)
    return labels if objective is None else improved(points, labels, k, objective)


def improved(points: Points, labels: Labels, k: int, objective: kernels.Objective | None = None) -> Labels:
    """The groups that local search makes of given ones, by squares or an objective."""
    neighbours = max(25, min(2 * k, 100))
    return kernels.local_search(points, labels, k, neighbours, 6 * len(points) // k, objective)


def _takes_long(n: int, d: int) -> bool:
    """Whether MDAV would take minutes: a tree prunes little in many dimensions, and its time is then quadratic."""
    return n > (2_000_000 if d <= 5 else 200_000)
