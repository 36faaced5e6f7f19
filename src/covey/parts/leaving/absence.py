"""What a choice of those that leave comes to, counted over all parts of a table; and the choice that tells of nobody alone."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.parts.leaving.named import chosen_of, keys_of, stand_alone
from covey.recount.absent import Absent, refuse_few, refuse_torn

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.parts.leaving.named import Named
    from covey.parts.plan import Plan
    from covey.utils.arrow import Table
    from covey.utils.typing import Codes, Flags, Floats, Integers, Numbers, Points

    Some = dict[int, set[int]]


@dataclass
class Absence:
    """What is counted of the rows of some parts, some of whom leave. Of units up to k are told apart, which is all that counts."""

    k: int
    strata: int
    leave: Some = field(default_factory=dict)
    """By cell: units that leave."""
    stay: Some = field(default_factory=dict)
    """By cell: units that stay."""
    gone: Some = field(default_factory=dict)
    """By stratum, -1 for those that are not published themselves: units with records that are absent, for whatever reason."""
    alone: set[int] = field(default_factory=set)
    """Who leaves, and stands for nobody else."""
    stands: int = 0
    """The records that stand for themselves alone."""
    records: int = 0
    """The records that leave."""
    sums: Floats = field(default_factory=lambda: np.zeros((2, 1)))
    """The sums of their coordinates and of the squares of these."""
    rows: Floats = field(init=False)
    """By published stratum: rows, rows that are absent; the weight of those, and of these."""

    def __post_init__(self) -> None:
        self.rows = np.zeros((4, self.strata))

    @classmethod
    def of(cls, plan: Plan) -> Absence:
        """Nobody counted yet."""
        return cls(plan.recipe.k, int(plan.settled_cells.stratum.max()) + 1)

    def add(self, plan: Plan, table: Table, numbers: Numbers, chosen: Numbers) -> None:
        """Count the rows of a part; `chosen`, ascending, leave."""
        ready, key = plan.read(table), keys_of(plan, table, numbers)
        combo, cell = plan.cells_of(ready, table.num_rows)
        leaves, published = np.isin(key, chosen), cell >= 0
        here = strata_of(plan)[combo]
        alone = stand_alone(plan, ready.weight, table.num_rows) & published
        self.alone.update(key[alone & leaves].tolist())
        self.stands += int(alone.sum())
        self._note(self.leave, cell, key, leaves & published)
        self._note(self.stay, cell, key, ~leaves & published)
        gone = ~published if plan.recipe.suppress_cells else leaves | ~published
        self._note(self.gone, here, key, gone)
        each = np.ones(len(key))
        weight = each if ready.weight is None else ready.weight
        for row, (values, some) in enumerate(itertools.product((each, weight), (here >= 0, (here >= 0) & gone))):
            self.rows[row] += np.bincount(here[some], weights=values[some], minlength=self.strata)
        points = plan.points(ready.columns)[leaves & published]
        self.records += len(points)
        self.sums = self.sums + sums_of(points)

    def _note(self, some: Some, places: Codes, key: Numbers, which: Flags) -> None:
        for place in np.unique(places[which]).tolist():
            held = some.setdefault(place, set())
            if len(held) < self.k:
                held.update(np.unique(key[which & (places == place)])[: self.k].tolist())

    def merge(self, other: Absence) -> None:
        """Add what was counted of other parts."""
        for mine, theirs in ((self.leave, other.leave), (self.stay, other.stay), (self.gone, other.gone)):
            for place, units in theirs.items():
                mine.setdefault(place, set()).update(units)
        self.alone |= other.alone
        self.stands, self.records = self.stands + other.stands, self.records + other.records
        self.rows = self.rows + other.rows
        self.sums = self.sums + other.sums

    @property
    def failing(self) -> Integers:
        """The cells that fewer than k units would leave, or of which fewer than k would stay."""
        few = [
            cell for cell, units in self.leave.items() if len(units) < self.k or len(self.stay.get(cell, ())) < self.k
        ]
        return np.array(sorted(few), dtype=np.int64)

    @property
    def absent(self) -> list[Absent]:
        """Of every published stratum who is absent."""
        rows, gone = self.rows[0].astype(np.int64).tolist(), self.rows[1].astype(np.int64).tolist()
        return [Absent(rows[one], gone[one], len(self.gone.get(one, ()))) for one in range(self.strata) if rows[one]]

    @property
    def everywhere(self) -> int:
        """How many units of the whole table are absent, of up to k."""
        return len(set().union(*self.gone.values()))

    @property
    def factors(self) -> Floats:
        """By what the weights of each stratum are multiplied, so that those that stay weigh what all of it did."""
        before, left = self.rows[2], self.rows[3]
        after = before - left
        return np.where((left > 0.0) & (after > 0.0), before / np.where(after > 0.0, after, 1.0), 1.0)


def sums_of(points: Points) -> Floats:
    """The sums of coordinates, and of the squares of these."""
    return np.array([points.sum(axis=0), (points**2).sum(axis=0)])


def strata_of(plan: Plan) -> Codes:
    """The published stratum of every combination, of those too that are not published themselves; -1 where none of its stratum is."""
    cells, strata = plan.settled_cells, len(plan.recipe.roles.strata)
    known = {key[:strata]: one for key, one in zip(cells.keys, cells.stratum.tolist(), strict=True) if one >= 0}
    return np.array([known.get(key[:strata], -1) for key in cells.keys], dtype=np.int64)


def refuse_torn_of(plan: Plan, torn: Numbers, chosen: Numbers) -> None:
    """An error where units of which some rows are published and others are in small cells do not leave with all of them."""
    refuse_torn(len(torn if plan.recipe.suppress_cells else np.setdiff1d(torn, chosen)))


def settled_choice(
    plan: Plan, named: Named, budget: int, count: Callable[[Numbers], Absence]
) -> tuple[Numbers, Absence]:
    """Who leaves, so that none or at least k units leave every cell and as many stay; and what was counted of that.

    `count` counts over all parts. Units have records in several cells and parts, so that only this tells.
    """
    closed, barred = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint64)
    while True:
        chosen = chosen_of(plan, named, budget, closed, barred)
        absence = count(chosen)
        if not len(absence.failing) and not absence.alone:
            refuse_few(absence.absent, absence.everywhere, plan.recipe.k)
            return chosen, absence
        closed = np.union1d(closed, absence.failing)
        stay = absence.alone.union(*(absence.leave[cell] for cell in absence.failing.tolist()))
        barred = np.union1d(barred, np.array(sorted(stay), dtype=np.uint64))
