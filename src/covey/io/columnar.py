"""Parquet, Arrow and JSON Lines."""

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.io.inference import Declared, Found, find_times
from covey.io.inputs import Inputs, guarded
from covey.io.loaded import Loaded
from covey.io.staging import written
from covey.io.together import FolderColumns, beside, common_schema, in_schema
from covey.utils.arrow import Column, Table, feather, pa, parquet
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from covey.io.inputs import InputFile


def read_parquet(inputs: Inputs, declared: Declared | None = None) -> Loaded:
    """Read Parquet files."""
    return _together(inputs, lambda file: parquet.ParquetFile(file.raw()).read(), declared)


def _together(inputs: Inputs, read: Callable[[InputFile], Table], declared: Declared | None) -> Loaded:
    """The tables of files as one, with the columns that the names of their folders hold."""
    tables = [_plain(guarded(file.name, lambda file=file: read(file), inputs.format)) for file in inputs.files]  # type: ignore[misc]
    schema = common_schema(inputs, [table.schema for table in tables])
    folders = FolderColumns.of(inputs, schema.names, declared)
    lengths = [table.num_rows for table in tables]
    whole = pa.concat_tables([folders.onto(in_schema(one, schema), number) for number, one in enumerate(tables)])
    texts = {name: folders.rows(values, lengths) for name, values in folders.texts.items()}
    return Loaded(whole, notes=folders.found.notes, mixed=folders.found.mixed, texts=texts)


def parquet_parts(inputs: Inputs) -> Iterator[Table]:
    """Parquet files of one schema as tables, one after the other."""
    folders: FolderColumns | None = None
    for number, one in enumerate(inputs.files):
        with parquet.ParquetFile(one.raw()) as file:
            folders = folders or FolderColumns.of(inputs, file.schema_arrow.names)
            for batch in file.iter_batches():
                yield folders.onto(_plain(pa.Table.from_batches([batch])), number)


def write_parquet(table: Table, path: Path) -> list[Note]:
    """Write a Parquet file. Its statistics are those of the release."""
    parquet.write_table(_plain(table), str(path), compression="zstd")
    return []


def read_arrow(inputs: Inputs, declared: Declared | None = None) -> Loaded:
    """Read Arrow files (Feather version 2)."""
    return _together(inputs, lambda file: feather.read_table(file.raw(), memory_map=False), declared)


def write_arrow(table: Table, path: Path) -> list[Note]:
    """Write an Arrow file."""
    feather.write_feather(_plain(table), str(path), compression="zstd")
    return []


def read_json_lines(inputs: Inputs, declared: Declared | None = None) -> Loaded:
    """Read files with one JSON object a line. Text that holds dates or times is taken for that, numbers are numbers."""
    noticed = Found()
    columns: dict[str, Column] = {}
    objects, lengths = _objects(inputs, json.loads)
    for name, values in objects.items():
        try:
            array = pa.array(values)
        except OverflowError:
            noticed.mixed[name] = "some have more digits than an integer holds"
            array = pa.array([None if value is None else str(value) for value in values])
        except pa.ArrowException:
            msg = f"column {name!r} mixes types that cannot be one column; needed: one type; correct it first"
            raise InputError(msg) from None
        columns[name] = find_times(name, array, noticed) if pa.types.is_string(array.type) else array
    folders = FolderColumns.of(inputs, list(columns), declared)
    of_folders = {name: folders.rows(values, lengths) for name, values in folders.typed.items()}
    texts = noticed.texts | {name: folders.rows(values, lengths) for name, values in folders.texts.items()}
    noticed.notes += folders.found.notes
    noticed.mixed |= folders.found.mixed
    return Loaded(pa.table(columns | of_folders), notes=noticed.notes, mixed=noticed.mixed, texts=texts)


def read_json_text(inputs: Inputs) -> Table:
    """Read JSON Lines as a stranger would: every value as it is written."""
    objects, lengths = _objects(inputs, lambda line: json.loads(line, parse_float=str, parse_int=str))
    for key in beside(inputs, list(objects))[0]:
        objects[key] = [
            file.folders[key] for file, rows in zip(inputs.files, lengths, strict=True) for _ in range(rows)
        ]
    return pa.table(
        {name: pa.array([None if v is None else str(v) for v in values]) for name, values in objects.items()}
    )


def _objects(inputs: Inputs, parse: Callable[[str], Any]) -> tuple[dict[str, list[Any]], list[int]]:
    """The values of every name, a missing one None, and the rows of every file."""
    columns: dict[str, list[Any]] = {}
    ends = [0]
    for file in inputs.files:
        ends.append(guarded(file.name, partial(_add_objects, columns, file, parse, ends[-1]), inputs.format))
    return columns, [stop - start for start, stop in pairwise(ends)]


def json_objects(file: InputFile, parse: Callable[[str], Any]) -> Iterator[dict[str, Any]]:
    """The objects of a file, one a line, after the other; an error for a line that holds something else."""
    number = 0
    with file.text("utf-8-sig") as lines:
        for line in lines:
            if not line.strip():
                continue
            number += 1
            record = parse(line)
            if not isinstance(record, dict):
                raise InputError(f"line {number} of {file.name!r} is no JSON object; needed: one object a line")
            yield record


def _add_objects(columns: dict[str, list[Any]], file: InputFile, parse: Callable[[str], Any], rows: int) -> int:
    """Append the objects of a file to columns of so many rows, and say how many there are then."""
    for record in json_objects(file, parse):
        for name in record:
            if name not in columns:
                columns[name] = [None] * rows
        for name, values in columns.items():
            values.append(record.get(name))
        rows += 1
    return rows


def write_json_lines(table: Table, path: Path, compression: str | None = None) -> list[Note]:
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
    with written(path, compression) as file:
        for batch in plain.to_batches(max_chunksize=10_000):
            lines = [json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in batch.to_pylist()]
            file.write("".join(lines).encode())
    return notes


def _plain(table: Table) -> Table:
    """The table without metadata of any kind."""
    return pa.table(table.columns, schema=pa.schema([field.remove_metadata() for field in table.schema]))
