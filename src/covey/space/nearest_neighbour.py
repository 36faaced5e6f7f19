"""Nearest-neighbour microaggregation: components of near records, joined up to k and split above 2k-1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from covey._kernels import space as kernels
from covey.space.method import LabellingMethod, labels_of

if TYPE_CHECKING:
    from covey.space.method import Labels
    from covey.utils.typing import Points


@dataclass(frozen=True)
class NearestNeighbour(LabellingMethod):
    """Join records by short edges until every component holds k, then split the large ones.

    While a component holds fewer than k records, the first such component is joined to another by the shortest edge that
    leaves it; the edges make each component a tree. A component of more than max(2k-1, 3k-5) records is split at its
    longest edge that leaves k records on both sides; where there is none, around a record whose branches all hold
    fewer than k, whole branches are put together until they hold k. Ties go to the records that come first. The source lets groups overlap in that case; this
    is a disjoint reading of it. Groups hold at most max(2k-1, 3k-5) records. A heuristic with a proven factor in the
    source (for its overlapping form); O(n k log n) with a k-d tree where it prunes.

    Source: Domingo-Ferrer, Sebe & Solanas 2008, A polynomial-time approximation to optimal multivariate microaggregation.

    Examples
    --------
    >>> NearestNeighbour().partition([[0.0], [5.0], [1.0], [6.0]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "nearest-neighbour"

    def _group(self, points: Points, k: int) -> Labels:
        return labels_of(*kernels.components(points, k))
