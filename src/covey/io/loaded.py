"""A table that was read, and what there is to say of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from covey.io.inference import Declared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.columns.of_table import OfTable
    from covey.utils.arrow import Column, Table
    from covey.utils.notes import Note


@dataclass(frozen=True)
class Labels:
    """What files of statistics packages say of their columns."""

    columns: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    """Column to value to what the value stands for."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """Whether a column is a scale, ordinal or nominal, in the words of the format."""


@dataclass(frozen=True)
class Loaded:
    """A table as Arrow, and what was noticed while reading it.

    Attributes
    ----------
    table
        An Arrow table.
    notes
        What was noticed, for the report.
    mixed, nominal, texts
        Columns of mixed types, columns that are codes, and columns as they were written.
    labels
        Labels of variables and values, where the format has them.
    dialect
        Delimiter and decimal sign of a CSV file.
    origin
        Where it came from, for the internal certificate.
    declared
        The missing codes and the forms of dates that it was read with.
    tables
        The two tables that it was joined of, where it was.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from covey.io import Loaded
    >>> Loaded(pa.table({"age": [30]})).notes
    []
    """

    table: Table
    notes: list[Note] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)
    """Columns that hold numbers or dates and something else: read as text, which must be declared."""
    nominal: list[str] = field(default_factory=list)
    """Columns whose values are codes with labels."""
    texts: dict[str, Column] = field(default_factory=dict)
    """Columns as they were written, where their type tells less: for those that are published as they are."""
    labels: Labels = field(default_factory=Labels)
    dialect: Mapping[str, str] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)
    declared: Declared = field(default_factory=Declared)
    tables: tuple[OfTable, ...] = ()
    """Where it was joined of two tables, which rows stand for those of each."""
