"""Parquet, Arrow and JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.extras import load
from covey.io.inference import infer, tidy

if TYPE_CHECKING:
    from pathlib import Path


def read_parquet(path: Path) -> dict[str, Any]:
    """Read a Parquet file."""
    with path.open("rb"):
        pass
    return {"table": _plain(load("pyarrow.parquet").ParquetFile(str(path)).read())}


def write_parquet(table: Any, path: Path) -> list[str]:
    """Write a Parquet file. Its statistics are those of the release."""
    load("pyarrow.parquet").write_table(_plain(table), str(path), compression="zstd")
    return []


def read_arrow(path: Path) -> dict[str, Any]:
    """Read an Arrow file (Feather version 2)."""
    with path.open("rb"):
        pass
    return {"table": _plain(load("pyarrow.feather").read_table(str(path), memory_map=False))}


def write_arrow(table: Any, path: Path) -> list[str]:
    """Write an Arrow file."""
    load("pyarrow.feather").write_feather(_plain(table), str(path), compression="zstd")
    return []


def read_json_lines(path: Path) -> dict[str, Any]:
    """Read a file with one JSON object a line. Strings stay strings, but for dates and times."""
    pa, json = load("pyarrow"), load("pyarrow.json")
    with path.open("rb"):
        pass
    table = json.read_json(str(path), read_options=json.ReadOptions(block_size=1 << 26))
    notes, columns = [], []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_timestamp(column.type):
            columns.append(tidy(column))
        elif pa.types.is_string(column.type):
            inferred, (typed,), _ = infer(pa.table({name: column.fill_null("")}), comma=False)
            dates = pa.types.is_temporal(typed.type)
            columns.append(typed if dates else column)
            notes += inferred.notes if dates else []
        else:
            columns.append(column)
    return {"table": pa.table(columns, names=table.column_names), "notes": notes}


def write_json_lines(table: Any, path: Path) -> list[str]:
    """Write one JSON object a line: numbers as numbers, dates and decimals as text, missing values as null."""
    import json

    pa = load("pyarrow")
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
                notes.append(f"column {name!r} is written as text: JSON has no decimals")
        columns.append(column)
    plain = pa.table(columns, names=table.column_names)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for batch in plain.to_batches(max_chunksize=10_000):
            file.writelines(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in batch.to_pylist())
    return notes


def _plain(table: Any) -> Any:
    """The table without metadata of any kind."""
    pa = load("pyarrow")
    return pa.table(table.columns, schema=pa.schema([field.remove_metadata() for field in table.schema]))
