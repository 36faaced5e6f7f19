"""Samples of a column by value: all rows of some of its values, so that it shows how many share one."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.extras import load
from covey.fingerprint import mixed, numbers_of

MOST_ROWS = 100_000


class Slice:
    """All rows whose value falls below a limit that sinks until few enough rows are left (distinct sampling, Gibbons 2001).

    A value that has more rows than fit is never in it; of such columns any rows show what is to be seen.
    """

    def __init__(self, name: str, salt: int) -> None:
        self.name, self.salt = name, salt
        self.limit = 1.0
        self.tables: list[Any] = []
        self.rows = 0

    def add(self, table: Any) -> None:
        """Look at a part of the table."""
        self._keep(table, self.limit)
        while self.rows > MOST_ROWS:
            self.limit /= 2
            tables, self.tables, self.rows = self.tables, [], 0
            for one in tables:
                self._keep(one, self.limit)

    def _keep(self, table: Any, limit: float) -> None:
        pa = load("pyarrow")
        place = mixed(numbers_of(table.column(self.name)), self.salt)
        kept = table.filter(pa.array(place < np.uint64(min(limit * 2.0**64, 2.0**64 - 2048))))
        if kept.num_rows:
            self.tables.append(kept)
            self.rows += kept.num_rows

    def merge(self, other: Slice) -> None:
        """Look at the rows of another part."""
        self.limit = min(self.limit, other.limit)
        tables, self.tables, self.rows = [*self.tables, *other.tables], [], 0
        for one in tables:
            self.add(one)

    @property
    def table(self) -> Any:
        """The rows; None where there are none."""
        return load("pyarrow").concat_tables(self.tables) if self.tables else None
