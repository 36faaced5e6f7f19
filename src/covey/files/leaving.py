"""Who leaves a table on disk because they cost most: two passes or more, and one for the survey of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.files.across import PIECE
from covey.files.spool import Spool
from covey.files.threads import ahead
from covey.parts.leaving.absence import Absence, refuse_torn_of, settled_choice
from covey.parts.leaving.named import KEY, Named, name_some, narrow, share_of
from covey.parts.leaving.others import Before
from covey.parts.pieces import Pieces, split_cells
from covey.protect.leave_out import budget_of
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.files.passes import Making
    from covey.files.spool import Ordered
    from covey.parts.plan import Plan
    from covey.utils.typing import Numbers


class LeavingOnDisk:
    """Chooses who leaves: what is needed of every record waits on disk in a file without a name, part by part."""

    def __init__(self, making: Making, plan: Plan, sample: Table) -> None:
        self.making, self.plan = making, plan
        pieces = split_cells(plan, sample, making.most_in_a_piece)
        expected = pieces.expected(plan.settled_cells.sizes())
        self.pieces: Pieces = pieces.packed(expected, making.most_in_a_part, str(plan.recipe.entropy))
        self.parts = int(self.pieces.part.max()) + 1
        self.spool = Spool(self.parts, making.folder)
        self.keys: list[Numbers] = []
        """The units of the table, once for each batch that has them."""
        self.small: list[Numbers] = []
        """The units with rows that are not published, in the same way."""

    def found(self) -> Before:
        """Who leaves."""
        try:
            for ordered in ahead(self._placed, self.making.numbered("looking for records that cost most")):
                self.spool.write(ordered)
            budget = budget_of(self.plan.recipe, self._number())
            named = Named.joined(ahead(lambda table: self._named(table, budget), self._tables()))
        finally:
            self.spool.close()
        chosen, absence = settled_choice(self.plan, named, budget, self._counted)
        if self.keys:
            torn = np.intersect1d(np.concatenate(self.small), np.concatenate(self.keys))
            refuse_torn_of(self.plan, torn, chosen)
        weight = self.plan.recipe.roles.weight
        kind = None if weight is None else self.making.source.schema.field(weight).type
        return Before(self.plan, chosen, absence, kind)

    def _placed(self, batch: tuple[int, Table, int]) -> Ordered:
        _, table, first = batch
        numbers = row_numbers(first, len(table))
        records, cell, points = narrow(self.plan, table, numbers)
        piece = self.pieces.place(cell, points, self.making.dealt(first + np.arange(len(table))))
        marked = records.append_column(PIECE, pa.array(piece))
        known = cell >= 0
        if self.plan.recipe.roles.unit is not None:
            keys = records.column(KEY).to_numpy()
            self.keys.append(np.unique(keys[known]))
            self.small.append(np.unique(keys[~known]))
        return self.spool.ordered(marked.filter(pa.array(known)), self.pieces.part[piece[known]])

    def _number(self) -> int:
        """How many records, or units, are to be published."""
        if self.plan.recipe.roles.unit is not None:
            return len(np.unique(np.concatenate(self.keys)))
        return int(self.plan.settled_cells.sizes().sum())

    def _tables(self) -> Iterator[Table]:
        """The records of every part that has some."""
        step = self.making.share("leaving records out")
        for part in range(self.parts):
            step(part / self.parts)
            table = self.spool.read(part)
            self.spool.free(part)
            if table is not None:
                yield table

    def _named(self, table: Table, budget: int) -> Named:
        pieces, plan = table.column(PIECE).to_numpy(), self.plan
        cells = plan.settled_cells.sizes()
        if len(table) == cells.sum() and not self.pieces.splits:
            return name_some(plan, table, pieces, budget, whole=True)
        return name_some(plan, table, pieces, share_of(plan, budget, len(table), int(cells.sum())), whole=False)

    def _counted(self, chosen: Numbers) -> Absence:
        plan = self.plan
        absence = Absence.of(plan)
        for _, table, first in self.making.numbered("counting who leaves"):
            absence.add(plan, table, row_numbers(first, len(table)), chosen)
        return absence


def row_numbers(first: int, rows: int) -> Numbers:
    """The numbers of so many rows, by which they are known again."""
    return (first + np.arange(rows)).astype(np.uint64)
