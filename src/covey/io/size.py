"""How large a table in a file is, and whether it can be released in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.errors import CoveyError
from covey.io.location import Location, locate
from covey.utils.arrow import pa, parquet
from covey.utils.machine import available

if TYPE_CHECKING:
    from pathlib import Path

    from pyarrow.parquet import ParquetFile


IN_PARTS = ("parquet", "csv", "tsv")
"""Formats of files that can be released in parts, from file to file."""
TIMES = 12
"""About how many times its size a table takes while it is released in memory."""


def fits_memory(source: str | Path, format: str | None = None) -> bool:  # noqa: A002
    """Whether a table can be released in memory on this machine. What is no file that can be released in parts is taken to be so."""
    try:
        place = locate(source, format=format)
        if place.place != "file" or place.format not in IN_PARTS:
            return True
        return _size(place) * TIMES <= available()
    except (CoveyError, OSError, pa.ArrowException):
        return True  # what is wrong with it is said when it is read


def _size(place: Location) -> int:
    if place.format != "parquet":
        return place.path.stat().st_size
    with parquet.ParquetFile(str(place.path)) as file:
        return int(file.metadata.num_rows * parquet_row_bytes(file))


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
