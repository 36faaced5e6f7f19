"""Kinds of linked units: those of one composition that no requirement tells apart, so that compositions are judged without their units.

As in memory, a composition is judged as one group: over all rows of its units, and in every slot, where the members of a unit stand
in the order of the coordinate in which they vary most. Kinds are added up from parts. O(n log n) a part; as large as their number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.parts.kinds import MOST_JUDGED
from covey.protect.linked import all_in_one
from covey.recipe.engines import MOST_KINDS
from covey.recount.readings import Units
from covey.utils.arrow import Table, pa
from covey.utils.hashing import mixed, rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.parts.plan import Plan
    from covey.utils.typing import Codes, Flags, Floats, Numbers, Points, Rows


class Moments(NamedTuple):
    """Of every composition the sums of the coordinates of its rows, and of their squares; those of parts add up."""

    rows: int
    sums: Floats
    squares: Floats

    def merged(self, other: Moments) -> Moments:
        """Those of both."""
        return Moments(self.rows + other.rows, self.sums + other.sums, self.squares + other.squares)

    def only(self, columns: Codes) -> Moments:
        """Those of some coordinates."""
        return Moments(self.rows, self.sums[columns], self.squares[columns])

    @property
    def spread(self) -> Codes:
        """The coordinates from the one that varies least."""
        variance = self.squares / self.rows - (self.sums / self.rows) ** 2
        return np.argsort(variance, kind="stable").astype(np.int64)


def moments_of(points: Points, composition: Numbers) -> dict[int, Moments]:
    """The moments of every composition among some rows."""
    different, place = np.unique(composition, return_inverse=True)
    place = place.reshape(-1)
    rows, shape = np.bincount(place), (len(different), points.shape[1])
    sums, squares = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, place, points)
    np.add.at(squares, place, points**2)
    several = zip(different.tolist(), rows.tolist(), sums, squares, strict=True)
    return {number: Moments(n, total, square) for number, n, total, square in several}


class UnitKinds(NamedTuple):
    """For every kind its composition, how many rows a unit has, how many units there are, and the rows of one, one kind after another."""

    kind: Numbers
    composition: Numbers
    rows: Codes
    times: Codes
    records: Table

    @property
    def starts(self) -> Codes:
        """Where the rows of each kind begin."""
        return np.cumsum(self.rows) - self.rows

    @classmethod
    def joined(cls, several: Sequence[UnitKinds]) -> UnitKinds:
        """One of each kind, and how many there were in all."""
        kind, composition, rows, times = (np.concatenate(arrays) for arrays in list(zip(*several, strict=True))[:4])
        records = pa.concat_tables([one.records for one in several])
        whole = cls(kind, composition, rows, times, records)
        _, first, place = np.unique(kind, return_index=True, return_inverse=True)
        kept = records.take(pa.array(_ranges(whole.starts[first], rows[first])))
        number = np.bincount(place.reshape(-1), weights=times).astype(np.int64)
        return cls(kind[first], composition[first], rows[first], number, kept)


@dataclass
class UnitKindCount:
    """The kinds of units of a table, added up from its parts; none where there are more than the plan has room for."""

    some: list[UnitKinds] = field(default_factory=list)
    lost: bool = False

    def merge(self, other: UnitKindCount) -> None:
        """Count the units that another count saw."""
        self.some, self.lost = [*self.some, *other.some], self.lost or other.lost
        if len(self.some) > 1 and not self.lost:
            self.some = [UnitKinds.joined(self.some)]
        if self.lost or sum(one.records.num_rows for one in self.some) > MOST_KINDS:
            self.some, self.lost = [], True

    def failing(self, plan: Plan, compositions: Numbers) -> Flags | None:
        """Which of these compositions do not hold what is required even as one group; None where there are too many kinds to say."""
        if self.lost:
            return None
        return np.array([any(_fails(plan, kinds, one) for kinds in self.some) for one in compositions])


def kinds_of_units(
    plan: Plan,
    table: Table,
    points: Points,
    row_kinds: Numbers,
    of_row: Codes,
    composition: Numbers,
    spread: Mapping[int, Codes],
) -> UnitKindCount:
    """The kinds of the units of a part that tears none; `spread` has the order of coordinates of every composition."""
    order = _by_slot(points, row_kinds, of_row, composition, spread)
    rows = np.bincount(of_row)
    slot = np.arange(len(order)) - np.repeat(np.cumsum(rows) - rows, rows)
    seen = mixed(_marks(plan, table)[order] ^ mixed(slot.astype(np.uint64)))
    kind = composition.copy()
    np.add.at(kind, of_row[order], seen)
    names = dict.fromkeys([plan.recipe.roles.weight, *(asked.column for asked in plan.asked)])
    records = table.select([name for name in names if name is not None]).take(pa.array(order))
    once = np.ones(len(rows), dtype=np.int64)
    count = UnitKindCount()
    count.merge(UnitKindCount([UnitKinds.joined([UnitKinds(mixed(kind), composition, rows, once, records)])]))
    return count


def _by_slot(
    points: Points, row_kinds: Numbers, of_row: Codes, composition: Numbers, spread: Mapping[int, Codes]
) -> Rows:
    """The rows, unit by unit, in their slots: by what they are in their unit, then by the coordinates that vary most."""
    different, place = np.unique(composition, return_inverse=True)
    widest = np.array([spread[number] for number in different.tolist()])[place.reshape(-1)[of_row]]
    values = np.take_along_axis(points, widest, axis=1)
    return np.lexsort((*values.T, row_kinds, of_row)).astype(np.int64)


def _marks(plan: Plan, table: Table) -> Numbers:
    """A number for what requirements see of every row."""
    columns = plan.asked_values(table)
    marks = [mark for one in columns for mark in (_physical(one.physical), one.valid.astype(np.uint64))]
    numbers = rows_of([*marks, *(_physical(amount) for _, amount in plan.amounts(table))])
    if numbers is None:
        raise ValueError(plan.asked)
    return numbers


def _physical(values: NDArray[Any]) -> Numbers:
    """The same in 64 bits, zeros with one sign."""
    wide = values.astype(np.float64) + 0.0 if values.dtype.kind == "f" else values.astype(np.int64)
    return np.asarray(np.ascontiguousarray(wide).view(np.uint64))


def _ranges(starts: Codes, lengths: Codes) -> Rows:
    """The numbers from each start on, so many of them."""
    ends = np.cumsum(lengths)
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(starts - (ends - lengths), lengths), dtype=np.int64)


def _fails(plan: Plan, kinds: UnitKinds, composition: int) -> bool:
    """Whether the units of a composition, all in one group, do not hold what is required; by shares of so many where they are more."""
    there = np.flatnonzero(kinds.composition == composition)
    if len(there) == 0:
        return False
    slots, times = int(kinds.rows[there[0]]), kinds.times[there]
    if times.sum() * slots > MOST_JUDGED:
        times = np.maximum(1, np.round(times * (MOST_JUDGED / (times.sum() * slots)))).astype(np.int64)
    rows = np.repeat(kinds.starts[there], times)[:, None] + np.arange(slots)
    table = kinds.records.take(pa.array(rows.ravel()))
    demands = plan.demands(table, Units(np.repeat(np.arange(len(rows)), slots), None))
    return demands is not None and not all_in_one(demands, np.arange(rows.size).reshape(rows.shape))
