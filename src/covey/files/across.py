"""Two rounds on disk: groups that touch a border wait, whole, for those on its other side, and are improved together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.files.spool import Spool
from covey.files.threads import ahead
from covey.parts.borders import one_round
from covey.utils import randomness
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.files.passes import Making
    from covey.files.spool import Ordered
    from covey.parts.part import Part
    from covey.parts.pieces import Pieces
    from covey.parts.plan import Plan
    from covey.utils.typing import Codes

PIECE, GROUP = "\0piece", "\0group"
"""The names of the columns of pieces and groups."""


class _First(NamedTuple):
    """A part after the first round: what is released already, what waits, and what demands cost."""

    part: Part | None
    waiting: Ordered
    price: float


class Across:
    """Releases the parts of a table in two rounds: see `covey.parts.borders`. The rows that wait do so in a file without a name."""

    def __init__(self, making: Making, plan: Plan, pieces: Pieces, turned: Pieces) -> None:
        self.making, self.plan, self.pieces, self.turned = making, plan, pieces, turned
        self.spool = Spool(len(turned.into), making.folder)
        self.rows = np.zeros(len(turned.into), dtype=np.int64)
        """How many rows wait in every piece."""

    def parts(self, tables: Iterator[tuple[int, Table, Codes]], number: int) -> Iterator[Part]:
        """The released parts of tables with their numbers, which are below `number`, and the pieces of their rows."""
        price = 0.0
        try:
            for first in ahead(lambda one: self._first(*one, of=number), tables, self.making.workers):
                self.spool.write(first.waiting)
                self.rows += np.diff(first.waiting[1], prepend=0)
                price += first.price
                if first.part is not None:
                    yield first.part
            for part in ahead(lambda one: self._second(*one), self._waiting(number), self.making.workers):
                yield part._replace(tally=replace(part.tally, without=part.tally.without - price))
                price = 0.0  # it is of the whole
        finally:
            self.spool.close()

    def _first(self, number: int, table: Table, piece: Codes, *, of: int) -> _First:
        def step(what: str) -> None:
            self.making.step(f"{what} of part {number + 1} of {of}")

        groups = one_round(self.plan, self.pieces, self.turned, table, piece, step)
        part, touches = None, pa.array(groups.touches)
        marked = table.append_column(PIECE, pa.array(groups.place)).append_column(GROUP, pa.array(groups.group))
        waiting = self.spool.ordered(marked.filter(touches), groups.place[groups.touches])
        if not groups.touches.all():
            far = ~groups.touches
            part = self.making.released(self.plan, table.filter(pa.array(far)), number, labels=groups.group[far])
        return _First(part, waiting, groups.price)

    def _waiting(self, number: int) -> Iterator[tuple[Table, int]]:
        """The tables of the second round, whole pieces each, in an order that only the secret tells, and their numbers."""
        step, parts = self.making.share("improving across borders, and releasing"), self._packed()
        order = np.argsort(randomness.uniform(str(self.making.recipe.entropy), "parts across borders", len(parts)))
        for place, at in enumerate(order.tolist()):
            step(place / len(parts))
            tables = [self.spool.read(piece) for piece in parts[at]]
            for piece in parts[at]:
                self.spool.free(piece)
            yield pa.concat_tables(tables), number + place

    def _packed(self) -> list[list[int]]:
        """Neighbouring pieces of about as many rows together as are released at a time."""
        parts: list[list[int]] = []
        filled, most = 0, self.making.most_in_a_part
        for piece in np.flatnonzero(self.rows).tolist():
            if not parts or filled + self.rows[piece] > most:
                parts.append([])
                filled = 0
            parts[-1].append(piece)
            filled += int(self.rows[piece])
        return parts

    def _second(self, table: Table, number: int) -> Part:
        table = table.take(pa.array(np.argsort(table.column(GROUP).to_numpy(), kind="stable")))
        piece, group = table.column(PIECE).to_numpy(), table.column(GROUP).to_numpy()
        rows = table.drop_columns([PIECE, GROUP])
        waited = np.ones(len(group), dtype=bool)
        return self.making.released(self.plan, rows, number, pieces=piece, labels=group, across=waited)
