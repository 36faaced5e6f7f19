"""How large a table in a file is, and whether it can be released in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.errors import CoveyError
from covey.io.inputs import Inputs, format_of, opened, plain_size
from covey.io.location import Location, locate
from covey.utils.arrow import pa, parquet
from covey.utils.machine import available

if TYPE_CHECKING:
    from pathlib import Path

    from pyarrow.parquet import ParquetFile


WRITTEN_IN_PARTS = ("parquet", "csv", "tsv")
"""Formats of files that can be written in parts, from file to file."""
IN_PARTS = (*WRITTEN_IN_PARTS, "jsonl", "arrow")
"""Formats of files that can be read in parts."""
LOOKED_INTO = 16
"""Files of a folder whose rows are looked at to see how large they are."""
TIMES = 12
"""About how many times its size a table takes while it is released in memory."""
FAR_PARQUET_TIMES = 4
"""About how many times its size a Parquet file is that is too far away to be looked into."""


def fits_memory(source: str | Path, format: str | None = None) -> bool:  # noqa: A002
    """Whether a table can be released in memory on this machine. What is no file that can be released in parts is taken to be so."""
    try:
        place = locate(source, format=format)
        if not place.is_input_file or place.place == "stream" or place.is_web:
            return True
        return format_of(place) not in IN_PARTS or _size(place) * TIMES <= available()
    except (CoveyError, OSError, pa.ArrowException):
        return True  # what is wrong with it is said when it is read


def _size(place: Location) -> float:
    if format_of(place) != "parquet":
        return plain_size(place)
    if place.place == "remote":
        return plain_size(place) * FAR_PARQUET_TIMES
    with opened(place) as inputs:
        rows, row_bytes = parquet_size(inputs)
    return sum(rows) * row_bytes


def parquet_size(inputs: Inputs) -> tuple[list[int], float]:
    """The rows of Parquet files, and about how many bytes one takes in memory, as in the widest of some."""
    rows, row_bytes = [], 8.0
    for number, one in enumerate(inputs.files):
        with parquet.ParquetFile(one.raw()) as file:
            rows.append(int(file.metadata.num_rows))
            if number < LOOKED_INTO:
                row_bytes = max(row_bytes, parquet_row_bytes(file))
    return rows, row_bytes


def parquet_row_bytes(file: ParquetFile) -> float:
    """About how many bytes a row takes in memory: fewer on disk where values repeat."""
    metadata, names = file.metadata, file.schema_arrow.names
    size = float(sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups)))
    rows = max(1, int(metadata.num_rows))
    return max(size / rows, 8.0 * len(names), _first_row_bytes(file))


def _first_row_bytes(file: ParquetFile) -> float:
    """The bytes of one of the first rows; 0 where they cannot be read, which is said when all are."""
    try:
        batch = next(file.iter_batches(10_000), None)
    except (OSError, pa.ArrowException):
        return 0.0
    return float(batch.nbytes / batch.num_rows) if batch is not None and batch.num_rows else 0.0
