"""Parquet, Arrow and JSON Lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.io.inference import Found, find_times
from covey.io.loaded import Loaded
from covey.utils.arrow import Column, Table, feather, pa, parquet
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def read_parquet(path: Path) -> Loaded:
    """Read a Parquet file."""
    return Loaded(_plain(parquet.ParquetFile(str(path)).read()))


def parquet_parts(path: Path) -> Iterator[Table]:
    """A Parquet file as tables, one after the other."""
    with parquet.ParquetFile(str(path)) as file:
        for batch in file.iter_batches():
            yield _plain(pa.Table.from_batches([batch]))


def write_parquet(table: Table, path: Path) -> list[Note]:
    """Write a Parquet file. Its statistics are those of the release."""
    parquet.write_table(_plain(table), str(path), compression="zstd")
    return []


def read_arrow(path: Path) -> Loaded:
    """Read an Arrow file (Feather version 2)."""
    return Loaded(_plain(feather.read_table(str(path), memory_map=False)))


def write_arrow(table: Table, path: Path) -> list[Note]:
    """Write an Arrow file."""
    feather.write_feather(_plain(table), str(path), compression="zstd")
    return []


def read_json_lines(path: Path) -> Loaded:
    """Read a file with one JSON object a line. Text that holds dates or times is taken for that, numbers are numbers."""
    noticed = Found()
    columns: dict[str, Column] = {}
    for name, values in _objects(path, json.loads).items():
        try:
            array = pa.array(values)
        except OverflowError:
            noticed.mixed[name] = "some have more digits than an integer holds"
            array = pa.array([None if value is None else str(value) for value in values])
        except pa.ArrowException:
            msg = f"column {name!r} mixes types that cannot be one column; needed: one type; correct it first"
            raise InputError(msg) from None
        columns[name] = find_times(name, array, noticed) if pa.types.is_string(array.type) else array
    return Loaded(pa.table(columns), notes=noticed.notes, mixed=noticed.mixed, texts=noticed.texts)


def read_json_text(path: Path) -> Table:
    """Read JSON Lines as a stranger would: every value as it is written."""
    columns = _objects(path, lambda line: json.loads(line, parse_float=str, parse_int=str))
    return pa.table(
        {name: pa.array([None if v is None else str(v) for v in values]) for name, values in columns.items()}
    )


def _objects(path: Path, parse: Callable[[str], Any]) -> dict[str, list[Any]]:
    """The values of every name, a missing one None."""
    columns: dict[str, list[Any]] = {}
    rows = 0
    with path.open(encoding="utf-8-sig") as file:
        for line in file:
            if not line.strip():
                continue
            record = parse(line)
            if not isinstance(record, dict):
                raise InputError(f"line {rows + 1} of {path.name!r} is no JSON object; needed: one object a line")
            for name in record:
                if name not in columns:
                    columns[name] = [None] * rows
            for name, values in columns.items():
                values.append(record.get(name))
            rows += 1
    return columns


def write_json_lines(table: Table, path: Path) -> list[Note]:
    """Write one JSON object a line: numbers as numbers, dates and decimals as text, missing values as null."""
    columns, notes = [], []
    for name, column in zip(table.column_names, table.columns, strict=True):
        kind = column.type
        simple = (
            pa.types.is_integer(kind)
            or pa.types.is_floating(kind)
            or pa.types.is_boolean(kind)
            or pa.types.is_null(kind)
        )
        if pa.types.is_duration(kind):
            column = column.cast(pa.int64())  # noqa: PLW2901
        elif not simple:
            column = column.cast(pa.string())  # noqa: PLW2901
            if pa.types.is_decimal(kind):
                text = f"column {name!r} is written as text: JSON has no decimals"
                notes.append(Note(NoteKind.WRITING, text, public=True))
        columns.append(column)
    plain = pa.table(columns, names=table.column_names)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for batch in plain.to_batches(max_chunksize=10_000):
            file.writelines(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in batch.to_pylist())
    return notes


def _plain(table: Table) -> Table:
    """The table without metadata of any kind."""
    return pa.table(table.columns, schema=pa.schema([field.remove_metadata() for field in table.schema]))
