"""Samples of a column by value: all rows of some of its values, so that it shows how many share one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.utils.arrow import Table, is_text, pa
from covey.utils.hashing import mixed, numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ROWS = 100_000
UNIT = "\0unit"
"""The column with the number of a row's unit, where there are units."""
_PLACE = "\0place"


def without_texts(table: Table, names: Sequence[str]) -> Any:
    """The table with numbers for the texts of these columns: the same for the same text, and short."""
    for name in names:
        if is_text(table.schema.field(name).type):
            place = table.column_names.index(name)
            numbers = numbers_of(table.column(name)).view(np.int64)
            table = table.set_column(place, name, pa.array(numbers, mask=table.column(name).is_null().to_numpy()))
    return table


class Slice:
    """All rows whose value falls below a limit that sinks until few enough rows are left (distinct sampling, Gibbons 2001).

    A value that has more rows than fit is never in it; of such columns any rows show what is to be seen. Texts are numbers.
    """

    def __init__(self, name: str, salt: int, most: int = MOST_ROWS, texts: Sequence[str] | None = None) -> None:
        self.name, self.salt, self.most = name, salt, most
        self.texts = [name] if texts is None else texts
        self.limit = 1.0
        self.tables: list[Any] = []
        self.rows = 0

    def add(self, table: Table) -> None:
        """Look at a part of the table."""
        place = mixed(numbers_of(table.column(self.name)), self.salt)
        below = np.flatnonzero(place < _bound(self.limit))
        kept = without_texts(table.take(pa.array(below)), self.texts)
        self._keep(kept.append_column(_PLACE, pa.array(place[below])))

    def _keep(self, table: Table) -> None:
        if table.num_rows:
            self.tables.append(table)
            self.rows += table.num_rows
        while self.rows > self.most:
            self.limit /= 2
            self._filter()

    def _filter(self) -> None:
        tables = self.tables
        self.tables, self.rows = [], 0
        for one in tables:
            some = one.filter(pa.array(one.column(_PLACE).to_numpy() < _bound(self.limit)))
            self.tables += [some] if some.num_rows else []
            self.rows += some.num_rows

    def merge(self, other: Slice) -> None:
        """Look at the rows of another part."""
        self.limit = min(self.limit, other.limit)
        self._filter()
        for one in other.tables:
            self._keep(one.filter(pa.array(one.column(_PLACE).to_numpy() < _bound(self.limit))))

    @property
    def table(self) -> Any:
        """The rows; None where there are none."""
        return pa.concat_tables(self.tables).drop_columns([_PLACE]) if self.tables else None


def _bound(limit: float) -> np.uint64:
    return np.uint64(min(limit * 2.0**64, 2.0**64 - 2048))
