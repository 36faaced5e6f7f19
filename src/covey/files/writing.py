"""Released parts as one file, written as they come."""

from __future__ import annotations

import os
import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.errors import OptionError
from covey.files.spool import Spool
from covey.io import delimited
from covey.io.columnar import parquet_parts
from covey.io.delimited import Cells
from covey.io.folder import FolderWriter
from covey.io.inputs import Inputs, opened
from covey.io.location import Location, Place
from covey.io.staging import writing, written
from covey.parts.survey import ROW
from covey.parts.tally import Tally
from covey.recount.duckdb import FILE, FILE_ROW, ROW_NUMBER, SPELLED, UNIT, UNITS_OF_ROWS
from covey.utils.arrow import Table, is_text, pa, parquet, pc
from covey.utils.hashing import mixed
from covey.utils.seal import Seal, rows_hash
from covey.utils.tempfiles import nameless_handle, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from covey.files.work import FileJob
    from covey.parts.part import Part
    from covey.utils.notes import Note
    from covey.utils.typing import Numbers


class ParquetWriter:
    """A Parquet file; its statistics are those of the release."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[Note] = []
        self._writer: parquet.ParquetWriter | None = None

    def add(self, table: Table) -> None:
        """Append rows."""
        if self._writer is None:
            self._writer = parquet.ParquetWriter(str(self.path), table.schema, compression="zstd")
        self._writer.write_table(table)

    def close(self) -> None:
        """Finish the file."""
        if self._writer is not None:
            self._writer.close()


class TextWriter:
    """A CSV or TSV file, compressed where that is asked for."""

    def __init__(self, path: Path, dialect: Mapping[str, str], formulas: str, compression: str | None = None) -> None:
        self.notes: list[Note] = []
        self.dialect, self.formulas = dialect, formulas
        self._stack = ExitStack()
        self._file = self._stack.enter_context(written(path, compression))
        self._first = True
        self.longest = 0
        """The length of the longest line, or more."""

    def add(self, table: Table) -> None:
        """Append rows."""
        notes = delimited.append(
            table,
            self._file,
            delimiter=self.dialect.get("delimiter", ","),
            decimal=self.dialect.get("decimal", "."),
            formulas=self.formulas,
            header=self._first,
        )
        self.notes += [note for note in notes if note not in self.notes]
        self.longest = max(self.longest, _longest_line(table))
        self._first = False

    def close(self) -> None:
        """Finish the file."""
        self._stack.close()


def _longest_line(table: Table) -> int:
    """At least the length of the longest line of a table, quotes included."""
    longest = 0
    for column in table.columns:
        plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        longest += 2 * int(pc.max(pc.binary_length(plain)).as_py() or 0) + 4 if is_text(plain.type) else 64
    return longest


def in_order(parts: Iterator[Part], rows: int, most: int, folder: Path | None) -> Iterator[Table]:
    """The tables of parts in the order of their row numbers: by buckets of rows on disk."""
    buckets = max(1, -(-rows // most))
    spool = Spool(buckets, folder)
    try:
        for part in parts:
            number = part.table.column(ROW).to_numpy()
            spool.add(part.table, number * buckets // rows)
        for bucket in range(buckets):
            table = spool.read(bucket)
            spool.free(bucket)
            if table is not None:
                order = np.argsort(table.column(ROW).to_numpy())
                yield table.take(pa.array(order)).drop_columns([ROW])
    finally:
        spool.close()


Writer = ParquetWriter | TextWriter | FolderWriter


def write_parts(tables: Iterator[Table], writer: Writer, place: Path) -> None:
    """Append all tables; what the operating system refuses is said in one line."""
    for table in tables:
        with writing(place):
            writer.add(table)
    with writing(place):
        writer.close()


class Written(NamedTuple):
    """A file that was written but has no name yet, and what was counted while that was done."""

    path: Path
    names: list[str]
    """Its columns."""
    units: Path | None
    """A file with the numbers of the rows' units, where k counts units."""
    longest: int
    """The length of its longest line, or more, where it is text."""
    tally: Tally
    notes: list[Note]


class UnitsFile:
    """The numbers of the units of released rows, in a file without a name, hashed under a key that is never written."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        handle = nameless_handle(folder)
        if handle is None:
            msg = "a unit is given, and the file system of the output has no files without a name, in which units are kept for the recount; write to another file system, or release in memory"
            raise OptionError(msg)
        stack.callback(os.close, handle)
        self.writer, self._key = ParquetWriter(Path(path_of(handle))), np.uint64(secrets.randbits(63))

    def add(self, units: tuple[Numbers, Numbers]) -> None:
        """Append the numbers of a part, as read and as written."""
        self.writer.add(self.hashed(units))

    def hashed(self, units: tuple[Numbers, Numbers]) -> Table:
        """The numbers of a part under the key."""
        read, spelled = (mixed(numbers ^ self._key) for numbers in units)
        return pa.table({UNIT: read, SPELLED: spelled})

    def of_file(self, path: Path, beside: Table) -> None:
        """Append the numbers of the rows of a file of a folder, with what the recount knows these rows by."""
        rows = len(beside)
        columns = {FILE: pa.repeat(str(path), rows), FILE_ROW: np.arange(rows)}
        self.writer.add(pa.table(columns | dict(zip((UNIT, SPELLED), beside.columns, strict=True))))


def _writer(job: FileJob, path: Path, units: UnitsFile | None, stack: ExitStack) -> Writer:
    """What writes a release to this path: a folder, or a file."""
    if job.output.place == "folder":
        columns, most = job.output.columns, job.budget.released_rows
        if units is None:
            return FolderWriter(path, columns, most)
        named = job.recipe.roles.named()
        taken = [name for name in named if name.lower() == ROW_NUMBER and "drop" not in named[name]]
        if taken:
            msg = f"column {taken[0]!r} has a name that Covey needs to count the units of a folder; needed: another name; rename it, or write one file"
            raise OptionError(msg)
        return FolderWriter(path, columns, most, UNITS_OF_ROWS, units.of_file)
    dialect = dict(job.source.dialect) | {"delimiter": job.delimiter}
    is_table = job.output.format == "parquet"
    writer = ParquetWriter(path) if is_table else TextWriter(path, dialect, job.formulas, job.output.compression)
    stack.callback(writer.close)
    return writer


def write_file(job: FileJob, parts: Iterator[Part], path: Path, stack: ExitStack) -> Written:
    """Write the parts of a release to a file or a folder at this path, as they come."""
    units = None if job.recipe.roles.unit is None else UnitsFile(job.folder, stack)
    writer = _writer(job, path, units, stack)
    tally, names = Tally(), list[str]()

    def counted() -> Iterator[Part]:
        for part in parts:
            names[:] = [name for name in part.table.column_names if name != ROW]
            tally.merge(part.tally)
            if units is None or part.units is None:
                yield part
            elif isinstance(writer, FolderWriter):
                yield _with_units(part, units.hashed(part.units))
            else:
                units.add(part.units)
                yield part

    tables = (
        (part.table for part in counted())
        if job.recipe.shuffle
        else in_order(counted(), job.source.rows, job.budget.released_rows, job.folder)
    )
    write_parts(tables, writer, job.output.path)
    if units is not None:
        units.writer.close()
    longest = writer.longest if isinstance(writer, TextWriter) else 0
    return Written(path, names, None if units is None else units.writer.path, longest, tally, writer.notes)


def _with_units(part: Part, hashed: Table) -> Part:
    """A part whose rows have the numbers of their units beside them, until they are written."""
    table = part.table
    for name, column in zip(UNITS_OF_ROWS, hashed.columns, strict=True):
        table = table.append_column(name, column)
    return part._replace(table=table)


def read_back(job: FileJob, path: Path) -> AbstractContextManager[Inputs]:
    """The files that were written at this path, as anyone opens them."""
    kind: Place = "folder" if job.output.place == "folder" else "file"
    return opened(Location(kind, job.output.format, path, compression=job.output.compression))


def seal_of(inputs: Inputs) -> Seal:
    """The seal of what was written: of the tables that a stranger reads in it, one after the other, and of its bytes."""
    if inputs.format == "parquet":
        return Seal(rows_hash(parquet_parts(inputs)), inputs.sha256())
    return Seal(rows_hash(Cells(inputs, "\t" if inputs.format == "tsv" else None, header=True)), inputs.sha256())
