"""`UnitVectors`: units of one composition as points, a member in each slot, and the best slots for their members."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import space as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.utils.typing import Codes, Flags, Floats, Points, Rows


@dataclass(frozen=True, eq=False)
class UnitVectors:
    """Units with the same number of rows of every kind: the coordinates of each, member by member.

    The columns with one value a unit stand once, times the square root of the number of rows: squared distances of such vectors add
    up those of all rows, so what a group of units loses is what its rows lose.
    """

    rows: NDArray[np.int64]
    """Of every unit (a row here) and slot (a column): the row of the table that takes it."""
    starts: NDArray[np.uint32]
    """Where the blocks of slots of one kind begin; the last is the number of slots."""
    of_unit: Points
    of_members: Points
    """A unit a row: the coordinates of its members, one after another."""
    weights: Floats | None = None

    @classmethod
    def of(
        cls, rows: Rows, unit: Codes, kinds: Codes, points: Points, is_common: Flags, weights: Floats | None = None
    ) -> UnitVectors:
        """The units of these rows, which have one composition; `is_common` says which coordinates have one value a unit.

        Members of a kind stand in the order of the coordinate in which they vary most, and units in that of their values, so that groups do
        not depend on the order of the table, which engines differ in.
        """
        own = points[rows][:, ~is_common]
        spread = np.argsort(own.var(axis=0), kind="stable")
        order = np.lexsort((*own[:, spread].T, kinds[rows], unit[rows]))
        number = len(np.unique(unit[rows]))
        slots = len(rows) // number
        table = rows[order].reshape(number, slots)
        first = np.flatnonzero(np.diff(kinds[table[0]], prepend=-1))
        common = points[table[:, 0]][:, is_common] * np.sqrt(slots)
        weight = None if weights is None else weights[table].mean(axis=1)
        starts = np.append(first, slots).astype(np.uint32)
        members = own[order].reshape(number, -1)
        by_value = np.lexsort(np.hstack([common, members]).T)
        weight = None if weight is None else weight[by_value]
        return cls(table[by_value], starts, common[by_value], members[by_value], weight)

    @property
    def slots(self) -> int:
        """The number of rows of every unit."""
        return int(self.rows.shape[1])

    @property
    def width(self) -> int:
        """The number of coordinates of a member."""
        return int(self.of_members.shape[1] // self.slots)

    @property
    def has_choice(self) -> bool:
        """Whether any member may take another's slot, and that matters."""
        return self.width > 0 and bool(np.any(np.diff(self.starts) > 1))

    @property
    def values(self) -> Points:
        """The units as points."""
        return np.hstack([self.of_unit, self.of_members])

    @property
    def flattened(self) -> Points:
        """The units as the means of their rows, times the root of their number."""
        means = self._members.mean(axis=1)
        return np.hstack([self.of_unit, means * np.sqrt(self.slots)])

    def loss(self, labels: Codes) -> float:
        """What groups of units lose: the squared distances of their rows to the means of their slots."""
        values = self.values
        return float(self._weighted((values - self._means(values, labels)[labels]) ** 2).sum())

    def aligned(self, labels: Codes) -> UnitVectors:
        """Every unit's members in the slots of its group that cost least, again and again while the loss falls."""
        if not self.has_choice:
            return self
        best, least = self, self.loss(labels)
        while True:
            means = np.ascontiguousarray(self._means(best.of_members, labels))
            group = labels.astype(np.uint32)
            taken = kernels.align(best.of_members, means, group, self.starts, self.width)
            moved = best._taken(taken.reshape(best.rows.shape).astype(np.int64))
            loss = moved.loss(labels)
            if loss >= least:
                return best
            best, least = moved, loss

    def turned(self, direction: Floats) -> UnitVectors:
        """Every unit's members, of each kind by itself, in the order of a direction of their coordinates: another start."""
        along = self._members @ direction
        return self._taken(np.lexsort((along, np.broadcast_to(self._kind, along.shape)), axis=1))

    @property
    def _kind(self) -> NDArray[np.int64]:
        """The kind of every slot."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def tidied(self, labels: Codes) -> UnitVectors:
        """The slots of every group, of each kind by itself, in the order of their means: nothing is lost, and groups resemble each other."""
        if not self.has_choice:
            return self
        means = self._means(self.of_members, labels).reshape(-1, self.slots, self.width)
        widest = int(np.argmax(self.of_members.reshape(-1, self.width).var(axis=0)))
        order = np.lexsort((means[:, :, widest], np.broadcast_to(self._kind, means.shape[:2])), axis=1)
        return self._taken(order[labels])

    def _taken(self, member: NDArray[np.int64]) -> UnitVectors:
        """The same, with another member in every slot."""
        members = self._members
        moved = np.take_along_axis(members, member[:, :, None], axis=1).reshape(self.of_members.shape)
        return replace(self, rows=np.take_along_axis(self.rows, member, axis=1), of_members=moved)

    @property
    def _members(self) -> Points:
        return self.of_members.reshape(len(self.rows), self.slots, self.width)

    def _weighted(self, values: Points) -> Points:
        return values if self.weights is None else values * self.weights[:, None]

    def _means(self, values: Points, labels: Codes) -> Points:
        """The means of groups, which are numbered from 0."""
        size = np.bincount(labels, weights=self.weights)
        weighted = self._weighted(values)
        total = [np.bincount(labels, weights=weighted[:, place]) for place in range(values.shape[1])]
        return np.column_stack([*total, size])[:, :-1] / size[:, None]
