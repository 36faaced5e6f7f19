"""A table on disk, read piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.dates import with_dates
from covey.columns.missing_codes import without_codes
from covey.errors import InputError
from covey.files.rewritten import REWRITTEN, rewritten
from covey.io.delimited import Cells
from covey.io.header import check_values
from covey.io.inference import Declared, Found, TextColumn, note_signs
from covey.io.inputs import guarded
from covey.io.reading import check_columns, check_text
from covey.io.size import parquet_size
from covey.io.together import FolderColumns, common_schema, in_schema
from covey.utils.arrow import Column, Schema, Table, pa, parquet, pc
from covey.utils.hashing import numbers_of
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyarrow.parquet import ParquetFile

    from covey.io.inputs import InputFile, Inputs
    from covey.utils.typing import Progress

MOST_DIFFERENT = 2**20
BATCH = 2**17
"""Rows that are looked at at a time."""


@dataclass
class ParquetSource:
    """Parquet files, one row group after the other. For what the attributes are, see `TextSource`."""

    inputs: Inputs
    declared: Declared = field(default_factory=Declared)
    notes: list[Note] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    dialect: dict[str, str] = field(default_factory=dict)
    times: dict[str, TextColumn] = field(default_factory=dict)
    """Columns of text that are read as the dates or times that they hold."""

    def __post_init__(self) -> None:
        self.name = self.inputs.name
        self._files = self.inputs.files
        self._schemas = [guarded(file.name, lambda file=file: _schema(file), "parquet") for file in self._files]  # type: ignore[misc]
        self._written = common_schema(self.inputs, self._schemas)
        self._folders = FolderColumns.of(self.inputs, self._written.names, self.declared)
        of_folders = [pa.field(name, values.type) for name, values in self._folders.typed.items()]
        kinds = {name: text.typed(pa.array([], pa.string())).type for name, text in self.times.items()}
        kinds |= dict.fromkeys(self.declared.dates, pa.date32())
        self.schema = pa.schema(
            [entry.with_type(kinds.get(entry.name, entry.type)) for entry in [*self._written, *of_folders]]
        )
        self.notes += [
            *self._folders.found.notes,
            *(
                Note(NoteKind.READING, f"column {name!r}: its declared codes are missing values")
                for name in self.declared.missing_codes
            ),
        ]
        self.mixed |= self._folders.found.mixed
        self.texts += [*self._folders.texts, *self.times]
        rows, self.row_bytes = parquet_size(self.inputs)
        self.rows = sum(rows)

    def read_as_text(self, names: Sequence[str]) -> None:
        """Read these columns, whose type tells less, as they are written from now on."""
        for name in set(names) & set(self.texts):
            if self.times.pop(name, None) is None:
                self._folders.typed[name] = self._folders.texts[name]
            self.schema = self.schema.set(self.schema.names.index(name), pa.field(name, pa.string()))

    def batches(self, columns: Sequence[str], rows: int | None = None) -> Iterator[Any]:
        """The rows in order; an error that names the file and the row group where one cannot be read."""
        found = self._by_group(columns, rows)
        return found if len(self._files) == 1 else evenly(found, rows or BATCH)

    def _by_group(self, columns: Sequence[str], rows: int | None) -> Iterator[Table]:
        schema = pa.schema([self._written.field(name) for name in columns if name in self._written.names])
        for number, source in enumerate(self._files):
            with parquet.ParquetFile(source.raw()) as file:
                if _plain(file.schema_arrow) != self._schemas[number]:
                    raise InputError(f"{source.name!r} changed while it was read; needed: a table that stays as it is")
                for group in range(file.metadata.num_row_groups):
                    for table in self._of_group(file, source.name, group, schema.names, rows or BATCH):
                        whole = self._folders.onto(self._timed(in_schema(table, schema)), number).select(list(columns))
                        whole = without_codes(whole, self.declared.missing_codes)[0]
                        yield with_dates(whole, self.declared.dates)[0]

    def _timed(self, table: Table) -> Table:
        """The table with the dates and times that its text holds."""
        for name in set(self.times) & set(table.column_names):
            text = table.column(name)
            table = table.set_column(table.column_names.index(name), name, self.times[name].typed(text))
        return table

    def _of_group(self, file: ParquetFile, name: str, group: int, names: Sequence[str], rows: int) -> Iterator[Table]:
        """The rows of a row group; a table without columns where all are told by the names of folders."""
        if not names:
            yield pa.table({"": pa.nulls(file.metadata.row_group(group).num_rows)}).select([])
            return
        found = file.iter_batches(rows, row_groups=[group], columns=list(names), use_threads=True)
        while (batch := self._next(found, name, group)) is not None:
            yield pa.Table.from_batches([batch]).cast(_plain(batch.schema))

    def _next(self, batches: Iterator[Any], name: str, group: int) -> Any:
        try:
            return next(batches, None)
        except (OSError, pa.ArrowException) as error:
            raise InputError(
                f"row group {group} of {name!r} cannot be read ({type(error).__name__}); needed: an intact file; "
                "make it again, or leave that row group out"
            ) from None


def _schema(file: InputFile) -> Schema:
    with parquet.ParquetFile(file.raw()) as opened:
        return _plain(opened.schema_arrow)


def _plain(schema: Schema) -> Schema:
    """A schema without metadata of any kind, and without views of texts, whose rows pyarrow cannot take."""
    views = pa.types.is_string_view
    plain = [entry.with_type(pa.string()) if views(entry.type) else entry for entry in schema]
    return pa.schema([entry.remove_metadata() for entry in plain])


class _Written:
    """Whether different texts of a column are the same value: 250.1 and 250.10.

    By the different values and texts so far; where there are too many, whether every text is what its value would be written as.
    """

    def __init__(self) -> None:
        self.values = np.zeros(0, dtype=np.uint64)
        self.texts = np.zeros(0, dtype=np.uint64)
        self.usual = True

    def look(self, column: TextColumn, part: Column) -> None:
        """Look at a part of the column."""
        attempt = column.likely
        if attempt is None:
            return
        known = column.known(part)
        typed = attempt.convert(known)
        if self.usual:
            same = pc.equal(typed.cast(known.type), known)
            self.usual = bool(pc.all(same).as_py() is not False)
        if max(len(self.values), len(self.texts)) <= MOST_DIFFERENT:
            self.values = np.union1d(self.values, numbers_of(typed))
            self.texts = np.union1d(self.texts, numbers_of(known))

    @property
    def tells_less(self) -> bool:
        """Whether the values tell less than the texts."""
        if max(len(self.values), len(self.texts)) > MOST_DIFFERENT:
            return not self.usual
        return len(self.values) < len(self.texts)


class TextSource:
    """CSV or TSV files: one pass finds the types that all values have, the others read them in these.

    `row_bytes` is about how many bytes a row takes in memory; `texts` are columns whose type tells less than what is written, and
    those that are published as they are stay text.
    """

    def __init__(
        self,
        inputs: Inputs,
        decimal: str | None,
        step: Progress,
        declared: Declared | None = None,
        *,
        header: bool | None = None,
    ) -> None:
        self.name, kind = inputs.name, inputs.format
        self._parts = guarded(self.name, lambda: Cells(inputs, "\t" if kind == "tsv" else None, header=header), kind)
        size, self._many = sum(file.plain_size for file in inputs.files), len(inputs.files) > 1
        dialect, names = self._parts.dialect, self._parts.names
        comma = dialect.delimiter != ","
        self._columns = [TextColumn(name, comma=comma, decimal=decimal, declared=declared) for name in names]
        self._written = [_Written() for _ in names]
        self._as_text: tuple[str, ...] = ()
        self.rows = guarded(self.name, lambda: self._look(step), kind)
        summary = Found()
        for column in self._columns:
            column.decide(summary)
        if header is None:
            check_values(self.name, summary, len(names))
        note_signs(self._columns, summary)
        self.notes, self.mixed = self._parts.notes + summary.notes, summary.mixed
        self.dialect = {"delimiter": dialect.delimiter, "decimal": decimal or summary.decimal}
        empty = pa.array([], pa.string())
        self.schema = pa.schema([(column.name, column.typed(empty).type) for column in self._columns])
        self.row_bytes = max(size / max(1, self.rows), 8.0 * len(names))
        self.texts = [
            column.name
            for column, written in zip(self._columns, self._written, strict=True)
            if column.attempt is not None and (written.tells_less or column.loses_form)
        ]

    def read_as_text(self, names: Sequence[str]) -> None:
        """Read these columns as they are written from now on."""
        self._as_text = tuple(names)
        for name in names:
            place = self.schema.names.index(name)
            self.schema = self.schema.set(place, pa.field(name, pa.string()))

    def _look(self, step: Progress) -> int:
        rows = 0
        for part in self._parts:
            for column, written in zip(self._columns, self._written, strict=True):
                column.look(part.column(column.name))
                written.look(column, part.column(column.name))
            rows += len(part)
            step(f"looking at the types of columns: {rows:,} rows".replace(",", " "))
        return rows

    def batches(self, columns: Sequence[str], rows: int | None = None) -> Iterator[Any]:
        """The rows in order, in their types."""
        found = self._by_part(columns, rows)
        return evenly(found, rows or BATCH) if self._many else found

    def _by_part(self, columns: Sequence[str], rows: int | None) -> Iterator[Table]:
        wanted = {column.name: column for column in self._columns if column.name in columns}
        for part in self._parts:
            typed = {
                name: wanted[name].plain(part.column(name))
                if name in self._as_text
                else wanted[name].typed(part.column(name))
                for name in columns
            }
            table = pa.table(typed)
            for start in range(0, len(table), rows or BATCH):
                yield table.slice(start, rows or BATCH)


def evenly(tables: Iterator[Table], rows: int) -> Iterator[Table]:
    """The rows of tables in batches of so many, but for the last: what is added up does not depend on how many files there are.

    >>> [len(one) for one in evenly(iter([pa.table({"x": range(n)}) for n in (1, 6, 2)]), 4)]
    [4, 4, 1]
    """
    waiting: list[Table] = []
    number = 0
    for table in tables:
        waiting.append(table)
        number += len(table)
        if number >= rows:
            whole = pa.concat_tables(waiting).unify_dictionaries()
            for start in range(0, number - number % rows, rows):
                yield whole.slice(start, rows)
            waiting = [whole.slice(number - number % rows)]
            number %= rows
    if number:
        yield pa.concat_tables(waiting).unify_dictionaries()


Source = ParquetSource | TextSource
"""A table that is read from the start as often as needed, in the same order."""


def open_source(
    inputs: Inputs,
    decimal: str | None,
    step: Progress,
    declared: Declared | None = None,
    *,
    header: bool | None = None,
    copy: Path | None = None,
) -> Source:
    """The table in files; what is no text and no Parquet is first rewritten in the file `copy`."""
    check_text(inputs.format, {"decimal": decimal, "header": header})
    if inputs.format == "parquet":
        source: Source = ParquetSource(inputs, declared or Declared())
    elif inputs.format in REWRITTEN and copy is not None:
        plain = rewritten(inputs, copy, step)
        notes, mixed = list(plain.noticed.notes), dict(plain.noticed.mixed)
        source = ParquetSource(plain.inputs, declared or Declared(), notes, mixed, times=plain.times)
    else:
        source = TextSource(inputs, decimal, step, declared, header=header)
    check_columns(source.schema.names)
    source.notes[:0] = inputs.notes
    return source
