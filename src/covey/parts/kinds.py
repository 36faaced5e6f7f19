"""Kinds of records: those that no requirement tells apart, with how many there are, so that cells are judged without their rows.

A requirement looks at sensitive values, units and amounts. Records of one combination that agree in all of them are one kind; tables
of kinds are added up from parts. O(n log n) a part; as large as the number of kinds, which has a limit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.columns.cells import combine, rows_of_cells, units_inside
from covey.columns.units import read_units, unit_numbers
from covey.core.requirement import CLOSENESS, SPREAD
from covey.recipe.engines import MOST_KINDS
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.parts.combos import Key
    from covey.parts.plan import Plan
    from covey.protect.demands import Demands
    from covey.utils.typing import Codes, Flags, Rows

MOST_JUDGED = 2**22
"""Larger cells are judged by shares of so many records."""


class Kinds(NamedTuple):
    """For every kind its combination, a record of it, and how many there are."""

    keys: Codes
    records: Table
    times: Codes


@dataclass
class KindCount:
    """The kinds of a table, added up from its parts; none where there are more than the plan has room for."""

    some: list[Kinds] = field(default_factory=list)
    lost: bool = False

    def add(self, plan: Plan, table: Table) -> None:
        """Count the records of a part."""
        if not self.lost:
            keys, place = plan.combos_of(plan.located(table), table.num_rows)
            names = dict.fromkeys([plan.recipe.roles.unit, plan.recipe.roles.weight, *(a.column for a in plan.asked)])
            records = table.select([name for name in names if name is not None])
            self._take(plan, [_joined(plan, np.array(keys)[place], records, np.ones(len(place), dtype=np.int64))])

    def merge(self, plan: Plan, other: KindCount) -> None:
        """Count the records that another count saw."""
        self.lost |= other.lost
        self._take(plan, other.some)

    def _take(self, plan: Plan, more: list[Kinds]) -> None:
        self.some = [] if self.lost else [*self.some, *more]
        if sum(len(kinds.times) for kinds in self.some) > 2 * MOST_KINDS:
            self.whole(plan)

    def whole(self, plan: Plan) -> Kinds | None:
        """The kinds of all records, or None where they are too many."""
        if not self.lost and len(self.some) > 1:
            keys, records, times = zip(*self.some, strict=True)
            self.some = [_joined(plan, np.concatenate(keys), pa.concat_tables(records), np.concatenate(times))]
        if self.lost or len(self.some[0].times) > MOST_KINDS:
            self.some, self.lost = [], True
            return None
        return self.some[0]


def _joined(plan: Plan, keys: Codes, records: Table, times: Codes) -> Kinds:
    """One of each kind, and how many there were."""
    combination = combine(list(keys.T), len(times))
    marks: list[NDArray[Any]] = [combination]
    for asked, column in zip(plan.recipe.requirements, plan.asked_values(records), strict=True):
        value = _ends(combination, column) if asked.kind == SPREAD else column.physical
        marks += [np.where(column.valid, value, 0), column.valid]
    marks += [amount for _, amount in plan.amounts(records)]
    unit = plan.recipe.roles.unit
    if unit is not None:
        marks.append(unit_numbers(records.column(unit), spelled=True))
    place = combine(marks, len(times))
    first = np.unique(place, return_index=True)[1]
    return Kinds(keys[first], records.take(pa.array(first)), np.bincount(place, weights=times).astype(np.int64))


def _ends(combination: Codes, column: Values) -> Codes:
    """Whether a value is the least of its combination, the greatest, or neither: a spread looks at no others."""
    end = np.zeros(len(column), dtype=np.int64)
    for rows in rows_of_cells(combination):
        values = column.physical[rows]
        known = values[column.valid[rows]]
        if len(known):
            end[rows] = np.where(values == known.min(), 1, np.where(values == known.max(), 2, 0))
    return end


class Judge(NamedTuple):
    """Says of cells made of combinations whether they satisfy what is required."""

    demands: Demands
    times: Codes
    keys: list[Key]
    """The combination of every kind."""
    place: Codes
    """Its place among those that are asked about; -1: it is not there."""

    @classmethod
    def of(cls, plan: Plan, kinds: Kinds) -> Judge:
        """By the kinds of a whole table."""
        unit = plan.recipe.roles.unit
        units = None if unit is None else read_units(kinds.records, unit)
        demands = plan.demands(kinds.records, units)
        if demands is None:
            raise ValueError(plan.asked)
        keys = [tuple(key) for key in kinds.keys.tolist()]
        return cls(demands, kinds.times, keys, np.full(len(keys), -1, dtype=np.int64))

    def among(self, keys: Sequence[Key]) -> Judge:
        """The judge of cells made of these combinations, where nothing else is published."""
        number = {key: place for place, key in enumerate(keys)}
        place = np.array([number.get(key, -1) for key in self.keys], dtype=np.int64)
        return self._replace(demands=self.demands.close_to(self._overall(place >= 0)), place=place)

    def _overall(self, there: Flags) -> dict[str, tuple[NDArray[Any], Codes]]:
        """For closeness: the values of a column, ascending, and how often each is there; missing ones last."""
        overall = {}
        for asked, column in self.demands.columns:
            if asked.kind == CLOSENESS:
                known = there & column.valid
                values, code = np.unique(column.physical[known], return_inverse=True)
                number = np.bincount(code, weights=self.times[known], minlength=len(values))
                gaps = self.times[there & ~column.valid].sum()
                overall[asked.column] = values, np.append(number, gaps).astype(np.int64)
        return overall

    def units_of(self, labels: Codes, number: int) -> list[set[int]]:
        """All units of every cell, by which the smallest is known: combinations themselves count no more than k."""
        there = np.flatnonzero(self.place >= 0)
        units = self.demands.units
        return [set()] * number if units is None else units_inside(labels[self.place[there]], units[there], number)

    def failing(self, labels: Codes) -> Flags:
        """Whether each cell fails, where every combination has the number of one."""
        there = np.flatnonzero(self.place >= 0)
        return np.array([not self._holds(there[some]) for some in rows_of_cells(labels[self.place[there]])])

    def holding(self, labels: Codes) -> Callable[[Codes, int], bool]:
        """Whether cells hold after mergers: those that became the one of a number, together."""

        def hold(into: Codes, target: int) -> bool:
            inside = into[labels] == target
            return self._holds(np.flatnonzero((self.place >= 0) & inside[self.place]))

        return hold

    def _holds(self, kinds: Rows) -> bool:
        times = self.times[kinds]
        if times.sum() > MOST_JUDGED:
            times = np.maximum(1, np.round(times * (MOST_JUDGED / times.sum()))).astype(np.int64)
        return self.demands.hold(np.repeat(kinds, times))
