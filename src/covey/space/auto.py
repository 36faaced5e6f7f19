"""The default in space: MDAV, or a split where that would take too long, and then local search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from covey._kernels import space as kernels
from covey.space.mdav import Mdav
from covey.space.method import LabellingMethod
from covey.space.ordering import Split

if TYPE_CHECKING:
    from covey.space.method import Labels
    from covey.utils.typing import Points


@dataclass(frozen=True)
class Auto(LabellingMethod):
    """Fast and good: the groups of `Mdav` (of `Split` for very large tables), improved by local search.

    The local search looks at every record beside the groups of its 25 nearest neighbours (2k, at most 100, for larger k):
    move it, exchange it, dissolve its group, found a new one, while the loss falls; then 6n/k steps of the neighbourhoods
    of `Search`, improvements only. Deterministic. Heuristic; O(n k d) for each sweep of the local search, after the start.

    Examples
    --------
    >>> Auto().partition([[0, 0], [5, 6], [1, 0], [6, 6], [0, 1], [5, 5]], k=3).labels.tolist()
    [0, 1, 0, 1, 0, 1]
    """

    name: ClassVar[str] = "auto"

    def _group(self, points: Points, k: int) -> Labels:
        start: LabellingMethod = Split() if _takes_long(*points.shape) else Mdav()
        return improved(points, start._group(points, k), k)


def improved(points: Points, labels: Labels, k: int) -> Labels:
    """The groups that local search makes of given ones."""
    neighbours = max(25, min(2 * k, 100))
    return kernels.local_search(points, labels, k, neighbours, 6 * len(points) // k)


def _takes_long(n: int, d: int) -> bool:
    """Whether MDAV would take minutes: a tree prunes little in many dimensions, and its time is then quadratic."""
    return n > (2_000_000 if d <= 5 else 200_000)
