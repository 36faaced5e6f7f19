"""`Partition`: which records share a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from covey._kernels import line as kernels
from covey.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Partition:
    """A division of the records 0 .. n-1 into groups: a frozen value.

    Labels are canonical: groups are numbered by first appearance in the input, so two partitions are equal exactly
    when they put the same records together. Building one from other integer labels renumbers them, in O(n).

    Parameters
    ----------
    labels
        One integer a record.

    Examples
    --------
    >>> p = Partition([7, 7, 2, 7, 2])
    >>> p.labels.tolist(), p.sizes.tolist()
    ([0, 0, 1, 0, 1], [3, 2])
    >>> [group.tolist() for group in p.groups()]
    [[0, 1, 3], [2, 4]]
    >>> p == Partition([0, 0, 5, 0, 5])
    True
    """

    __slots__ = ("_labels", "_order", "_sizes")
    _labels: NDArray[np.int32]
    _sizes: NDArray[np.int64]
    _order: NDArray[np.uint32]

    def __init__(self, labels: ArrayLike) -> None:
        given = np.asarray(labels)
        if given.ndim != 1 or given.size == 0 or given.dtype.kind not in "iu":
            raise InputError(
                f"labels have shape {given.shape} and type {given.dtype}; needed: one integer per record, at least one "
                "record"
            )
        self._freeze(_canonical(given))

    @classmethod
    def _from_canonical(cls, labels: NDArray[np.int32]) -> Self:
        """Take over labels that are known to be canonical, without looking at them."""
        partition = cls.__new__(cls)
        partition._freeze(labels)
        return partition

    def _freeze(self, labels: NDArray[np.int32]) -> None:
        labels.flags.writeable = False
        self._labels = labels

    @property
    def labels(self) -> NDArray[np.int32]:
        """The group number of every record, in input order. Read-only."""
        return self._labels

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of records of every group. Read-only; counted at the first use."""
        try:
            return self._sizes
        except AttributeError:
            sizes = np.bincount(self._labels).astype(np.int64, copy=False)
            sizes.flags.writeable = False
            self._sizes = sizes
            return sizes

    @property
    def order(self) -> NDArray[np.uint32]:
        """The record positions, group after group, ascending within each. Read-only; a counting sort at the first use. O(n)."""
        try:
            return self._order
        except AttributeError:
            order = kernels.by_label(self._labels, len(self))
            order.flags.writeable = False
            self._order = order
            return order

    @property
    def smallest(self) -> int:
        """The size of the smallest group: the k that the partition attains."""
        return int(self.sizes.min())

    def groups(self) -> list[NDArray[np.intp]]:
        """The record positions of every group, ascending within the group, groups in order of their numbers."""
        return np.split(self.order.astype(np.intp), np.cumsum(self.sizes)[:-1])

    def __len__(self) -> int:
        """The number of groups."""
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Partition):
            return NotImplemented
        return np.array_equal(self._labels, other._labels)

    def __hash__(self) -> int:
        return hash(self._labels.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return (Partition, (np.array(self._labels),))

    def __repr__(self) -> str:
        low, high = self.smallest, int(self.sizes.max())
        sizes = f"of {low}" if low == high else f"of {low} to {high}"
        groups = "1 group" if len(self) == 1 else f"{len(self)} groups"
        return f"<Partition: {len(self._labels)} records in {groups} {sizes}>"


def _canonical(given: NDArray[Any]) -> NDArray[np.int32]:
    """The labels numbered in the order of their first records. O(n); O(n log n) where they are far apart."""
    low, width = given.min(), int(given.max()) - int(given.min()) + 1
    if width > 4 * len(given):
        distinct, places = np.unique(given, return_inverse=True)
        width = len(distinct)
    else:
        places = (given - low).view(f"u{given.itemsize}").astype(np.intp)  # a difference that overflows is right there
    first = np.full(width, len(given), dtype=np.intp)
    first[places[::-1]] = np.arange(len(given) - 1, -1, -1)
    used = np.flatnonzero(first < len(given))
    number = np.empty(len(first), dtype=np.int32)
    number[used[np.argsort(first[used])]] = np.arange(len(used), dtype=np.int32)
    return number[places]
