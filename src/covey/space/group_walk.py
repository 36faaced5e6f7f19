"""The groups of another method one after the other, along a walk through all of them; then cut anew."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from covey._kernels import space as kernels
from covey.errors import OptionError, shown
from covey.space.method import labels_of
from covey.space.ordering import Ordering

if TYPE_CHECKING:
    from covey.space.method import Labels, Order
    from covey.utils.typing import Points

WALKS = ("centroids", "records")


@dataclass(frozen=True)
class GroupWalk(Ordering):
    """A walk through the groups of another method, cut optimally."""

    walk: str = "centroids"

    def __post_init__(self) -> None:
        if self.walk not in WALKS:
            msg = f"walk is {shown(self.walk)}; needed: one of {', '.join(WALKS)}"
            raise OptionError(msg)

    def _order(self, points: Points, k: int) -> Order:
        walk = kernels.walk_by_records if self.walk == "records" else kernels.walk_by_centroids
        return walk(points, self._start(points, k))

    @abstractmethod
    def _start(self, points: Points, k: int) -> Labels:
        """The groups that are walked through."""


@dataclass(frozen=True)
class MdavMhm(GroupWalk):
    """The groups of MDAV along a walk to the nearest group not seen yet, in each the records towards it; then cut anew.

    It starts in the group of the record farthest from the centroid of all. The next group is the one whose centroid is
    nearest to any record of this one, whose records come by falling distance from that centroid. O(n k log n) with k-d
    trees where they prune, beside `Mdav` and the cut. Heuristic.

    Source: Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz & Sebe 2006, Efficient multivariate data-oriented microaggregation.

    Parameters
    ----------
    walk
        "centroids": as above. "records": always to the nearest record of the same group, and from its last record to
        the nearest record of a group not seen yet.

    Examples
    --------
    >>> MdavMhm().partition([[0.0], [5.0], [1.0], [6.0]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "mdav-mhm"

    def _start(self, points: Points, k: int) -> Labels:
        return labels_of(*kernels.mdav(points, k))


@dataclass(frozen=True)
class CbfsMhm(GroupWalk):
    """The groups of CBFS along the walk of `MdavMhm`, then cut anew.

    As costly as `Cbfs` and the walk. Heuristic. Source: as `MdavMhm`.

    Parameters
    ----------
    walk
        As for `MdavMhm`.

    Examples
    --------
    >>> CbfsMhm().partition([[0.0], [5.0], [1.0], [6.0]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "cbfs-mhm"

    def _start(self, points: Points, k: int) -> Labels:
        return labels_of(*kernels.cbfs(points, k))
