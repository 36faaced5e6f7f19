"""MDAV and its relatives: groups around records far from the centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from covey._kernels import space as kernels
from covey.errors import OptionError, shown
from covey.space.method import LabellingMethod, check_number, labels_of

if TYPE_CHECKING:
    from covey.space.method import Labels
    from covey.utils.typing import Points

_INDEXES = {
    "auto": kernels.mdav,
    "tree": kernels.mdav_by_tree,
    "passes": kernels.mdav_by_passes,
    "scan": kernels.mdav_by_scan,
}


@dataclass(frozen=True)
class Mdav(LabellingMethod):
    """Maximum distance to average vector: two groups of k at the two ends of the data, again and again.

    While at least 3k records are left: r is the record farthest from their centroid; r and its k-1 nearest are a group;
    s is the record left that is farthest from r; s and its k-1 nearest are a group. With 2k to 3k-1 left, one more group
    around the farthest; the rest is a group. Ties go to the record that comes first. Heuristic; O(n^2 d / k) by looking
    at all records for each group, far less where a k-d tree can leave most of them out.

    Source: Domingo-Ferrer & Torra 2005, Ordinal, continuous and heterogeneous k-anonymity through microaggregation.

    Parameters
    ----------
    index
        How to find the nearest and farthest: "tree", "passes" (vectorised, all records, on all cores), "scan" (the
        definition, slow) or "auto": the tree, unless a sample shows that it would look at most records. All of them
        return the identical partition.

    Examples
    --------
    >>> Mdav().partition([[0, 0], [9, 9], [0, 1], [9, 8], [1, 0], [8, 9]], k=3).labels.tolist()
    [0, 1, 0, 1, 0, 1]
    """

    name: ClassVar[str] = "mdav"

    index: str = "auto"

    def __post_init__(self) -> None:
        if self.index not in _INDEXES:
            msg = f"index is {shown(self.index)}; needed: one of {', '.join(_INDEXES)}"
            raise OptionError(msg)

    def _group(self, points: Points, k: int) -> Labels:
        return labels_of(*_INDEXES[self.index](points, k))


@dataclass(frozen=True)
class VMdav(LabellingMethod):
    """Variable-size MDAV: groups of k that take in records which have no nearer company outside, up to 2k-1.

    A group starts as in `Mdav`, at the record left that is farthest from the centroid of all. Then e, the record left
    that is nearest to a member, joins as long as d(e, member) < gamma d(e, nearest record left). Fewer than k records
    that stay over go to the groups with the nearest centroid, which may then hold more than 2k-1. Heuristic;
    O(n k log n) with a k-d tree where it prunes.

    Source: Solanas & Martinez-Balleste 2006, V-MDAV: a multivariate microaggregation with variable group size.

    Parameters
    ----------
    gamma
        How willing a group is to grow: 0.2 suits scattered data, about 1.1 clustered data.

    Examples
    --------
    >>> VMdav(gamma=1.1).partition([[0.0], [0.1], [0.2], [9.0], [9.1]], k=2).sizes.tolist()
    [3, 2]
    """

    name: ClassVar[str] = "vmdav"

    gamma: float = 0.2

    def __post_init__(self) -> None:
        check_number("gamma", self.gamma, 0.0)

    def _group(self, points: Points, k: int) -> Labels:
        return labels_of(*kernels.vmdav(points, k, self.gamma))


@dataclass(frozen=True)
class Cbfs(LabellingMethod):
    """Centroid-based fixed size: groups of k around the record farthest from the centroid, one at a time.

    As `Mdav`, with the centroid of the records left taken anew for every group: while at least 2k records are left, the one
    farthest from their centroid and its k-1 nearest are a group; the rest is a group. Ties go to the record that comes
    first. Heuristic; O(n^2 d / k) at worst, far less where a k-d tree can leave most records out.

    Source: Laszlo & Mukherjee 2005, Minimum spanning tree partitioning algorithm for microaggregation.

    Examples
    --------
    >>> Cbfs().partition([[0.0], [1.0], [9.0], [10.0]], k=2).labels.tolist()
    [0, 0, 1, 1]
    """

    name: ClassVar[str] = "cbfs"

    def _group(self, points: Points, k: int) -> Labels:
        return labels_of(*kernels.cbfs(points, k))


@dataclass(frozen=True)
class CbfsGrowing(LabellingMethod):
    """A variant of `Cbfs`: a group grows by the record nearest to its own centroid.

    It starts with the record farthest from the centroid of those left, and is closed at k. Fewer than k records that stay
    over go to the groups with the nearest centroid, which may then hold more than 2k-1. Heuristic; O(n log n) with a k-d
    tree where it prunes, O(n^2 d) where not.

    Source: as `Cbfs`; that the centroid moves along with the group is done here.

    Examples
    --------
    >>> CbfsGrowing().partition([[0.0], [1.0], [9.0], [10.0]], k=2).labels.tolist()
    [0, 0, 1, 1]
    """

    name: ClassVar[str] = "cbfs-growing"

    def _group(self, points: Points, k: int) -> Labels:
        return labels_of(*kernels.cbfs_growing(points, k))
