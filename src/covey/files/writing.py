"""Released parts as one file, written as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from covey.files.spool import Spool
from covey.io import delimited
from covey.io.staging import writing
from covey.parts.survey import ROW
from covey.utils.extras import load
from covey.utils.notes import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from covey.parts.part import Part


class Writer(Protocol):
    """A file that tables are appended to."""

    notes: list[Note]

    def add(self, table: Any) -> None:
        """Append rows."""

    def close(self) -> None:
        """Finish the file."""


class ParquetWriter:
    """A Parquet file; its statistics are those of the release."""

    def __init__(self, path: Path) -> None:
        self.path, self.notes = path, list[Note]()
        self._writer: Any = None

    def add(self, table: Any) -> None:
        """Append rows."""
        if self._writer is None:
            self._writer = load("pyarrow.parquet").ParquetWriter(str(self.path), table.schema, compression="zstd")
        self._writer.write_table(table)

    def close(self) -> None:
        """Finish the file."""
        if self._writer is not None:
            self._writer.close()


class TextWriter:
    """A CSV or TSV file."""

    def __init__(self, path: Path, dialect: Mapping[str, str], formulas: str) -> None:
        self.notes: list[Note] = []
        self.dialect, self.formulas = dialect, formulas
        self._file = path.open("wb")
        self._first = True
        self.longest = 0
        """The length of the longest line, or more."""

    def add(self, table: Any) -> None:
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
        self._file.close()


def _longest_line(table: Any) -> int:
    """At least the length of the longest line of a table, quotes included."""
    pa, pc = load("pyarrow"), load("pyarrow.compute")
    longest = 0
    for column in table.columns:
        plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        text = pa.types.is_string(plain.type) or pa.types.is_large_string(plain.type)
        longest += 2 * int(pc.max(pc.binary_length(plain)).as_py() or 0) + 4 if text else 64
    return longest


def in_order(
    parts: Iterator[Part], rows: int, most: int, folder: Path | None, tally: Callable[[Part], Any]
) -> Iterator[Any]:
    """The tables of parts in the order of their row numbers: by buckets of rows on disk."""
    pa = load("pyarrow")
    buckets = max(1, -(-rows // most))
    spool = Spool(buckets, folder)
    try:
        for part in parts:
            tally(part)
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


def write_parts(tables: Iterator[Any], writer: Writer, place: Path) -> None:
    """Append all tables; what the operating system refuses is said in one line."""
    for table in tables:
        with writing(place):
            writer.add(table)
    with writing(place):
        writer.close()
