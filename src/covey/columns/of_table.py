"""Which rows of a joined table stand for the rows of one of the tables that it was joined of, and what those rows hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.values import Values
    from covey.utils.typing import Codes, Flags


@dataclass(frozen=True, eq=False)
class OfTable:
    """One of two tables that were joined: its columns, and the rows of both together that stand for one row of it each."""

    columns: frozenset[str]
    rows: Flags

    def take(self, rows: Codes) -> OfTable:
        """The same where these rows of both are left."""
        return replace(self, rows=self.rows[rows])

    @property
    def numbers(self) -> Codes:
        """The numbers of its rows."""
        return np.flatnonzero(self.rows)


def own_values_of(column: Values, tables: Sequence[OfTable]) -> Values:
    """A column with the rows of its own table, each once; all of it where there is a single table."""
    return next((column.take(table.numbers) for table in tables if column.name in table.columns), column)


def own_rows_of(name: str, tables: Sequence[OfTable], rows: int) -> Codes:
    """The numbers of the rows that stand for one row each of the table that has a column."""
    return next((table.numbers for table in tables if name in table.columns), np.arange(rows))


def rows_of_figures(name: str, domain: str, tables: Sequence[OfTable], rows: int) -> Flags | None:
    """The rows that figures of a column in the domains of another one are taken of: those of its own table.

    None for a column of the first table in domains of the second: who has rows in several of these belongs to no single one.
    """
    if not tables:
        return np.ones(rows, dtype=bool)
    first, second = tables
    if name in first.columns and domain in second.columns:
        return None
    return first.rows if name in first.columns else second.rows
