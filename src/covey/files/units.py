"""Linked units of a table on disk: their rows wait together, so that none is torn, then go to their parts as wholes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.units import unit_numbers
from covey.files.across import PIECE
from covey.files.spool import Spool
from covey.files.threads import ahead
from covey.parts.linked import UnitsSeen, count_kinds, planned_units, unit_order
from covey.parts.unit_kinds import UnitKindCount
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.files.passes import Making
    from covey.files.spool import Ordered
    from covey.parts.linked import UnitPlan
    from covey.parts.part import Part
    from covey.parts.plan import Plan
    from covey.utils.typing import Numbers


class UnitsOnDisk:
    """The rows of a table in buckets, all of a unit in one, in a file without a name."""

    def __init__(self, making: Making) -> None:
        self.making, self.recipe = making, making.recipe
        self.buckets = max(1, -(-making.source.rows // making.budget.released_rows))
        self.spool = Spool(self.buckets, making.folder)
        self.whole: UnitPlan | None = None
        """Where units go, once all were looked at."""

    def close(self) -> None:
        """Forget all rows."""
        self.spool.close()

    def planned(self, plan: Plan) -> Plan | None:
        """The plan for units as wholes; None where all have one row, and are released as rows."""
        for ordered in ahead(self._ordered, self.making.numbered("bringing units together")):
            self.spool.write(ordered)
        planned = planned_units(plan, self, self.making.most_in_a_part)
        if planned is None:
            return None
        plan, self.whole = planned
        return plan

    def seen(self, plan: Plan) -> UnitsSeen:
        """What is seen of all units."""
        seen = UnitsSeen(self.recipe, self.making.sampled_share)
        for part in ahead(lambda table: self._seen(plan, table), self._tables("looking at units")):
            seen.merge(part)
        return seen

    def kinds(self, plan: Plan, seen: UnitsSeen) -> UnitKindCount:
        """The kinds of all units."""
        kinds = UnitKindCount()
        for part in ahead(lambda table: count_kinds(plan, seen, table), self._tables("looking at what is required")):
            kinds.merge(part)
        return kinds

    def first(self, plan: Plan, whole: UnitPlan) -> list[Numbers]:
        """From each bucket the units that may be the few of their composition that are left out."""
        return [whole.first_of(plan, table) for table in self._tables("looking for units to leave out")]

    def parts(self, plan: Plan) -> Iterator[Part]:
        """The released parts."""
        making, whole = self.making, self.whole
        if whole is None:
            raise ValueError(whole)
        number = int(whole.pieces.part.max()) + 1
        spool = Spool(number, making.folder)

        def placed(table: Table) -> Ordered:
            table, piece = whole.placed(plan, table)
            there = piece >= 0
            table = table.append_column(PIECE, pa.array(piece)).filter(pa.array(there))
            return spool.ordered(table, whole.pieces.part[piece[there]])

        try:
            for ordered in ahead(placed, self._tables("splitting", free=True)):
                spool.write(ordered)
            tables = making.buckets(spool, number, "grouping and releasing")
            yield from ahead(lambda one: making.released(plan, one[1], one[0], pieces=one[2]), tables, making.workers)
        finally:
            spool.close()

    def _ordered(self, batch: tuple[int, Table, int]) -> Ordered:
        """The rows of a batch by the buckets of their units."""
        table = batch[1]
        order = unit_order(self.recipe, unit_numbers(table.column(str(self.recipe.roles.unit))))
        return self.spool.ordered(table, (order % np.uint64(self.buckets)).astype(np.int64))

    def _tables(self, what: str, *, free: bool = False) -> Iterator[Table]:
        """The rows of every bucket, with all rows of their units."""
        step = self.making.share(what)
        for bucket in range(self.buckets):
            step(bucket / self.buckets)
            table = self.spool.read(bucket)
            if free:
                self.spool.free(bucket)
            if table is not None:
                yield table

    def _seen(self, plan: Plan, table: Table) -> UnitsSeen:
        seen = UnitsSeen(self.recipe, self.making.sampled_share)
        seen.add(plan, table)
        return seen
