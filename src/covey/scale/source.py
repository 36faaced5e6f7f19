"""A table on disk, read piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from covey.errors import InputError
from covey.extras import load
from covey.io.reading import guarded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

BATCH = 2**17
"""Rows that are looked at at a time."""


class Source(Protocol):
    """A table that is read from the start as often as needed, in the same order."""

    name: str
    schema: Any
    rows: int
    row_bytes: float
    """About how many bytes a row takes in memory."""
    notes: list[str]
    mixed: dict[str, str]
    dialect: dict[str, str]

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """The rows in order, as tables of these columns."""


@dataclass
class ParquetSource:
    """A Parquet file, one row group after the other."""

    path: Path
    notes: list[str] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)
    dialect: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name = self.path.name
        self._file = guarded(self.name, lambda: load("pyarrow.parquet").ParquetFile(str(self.path)), "parquet")
        pa = load("pyarrow")
        self.schema = pa.schema([entry.remove_metadata() for entry in self._file.schema_arrow])
        metadata = self._file.metadata
        self.rows = metadata.num_rows
        groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
        size = sum(group.total_byte_size for group in groups)
        self.row_bytes = max(size / max(1, self.rows), 8.0 * len(self.schema))

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """The rows in order; an error that names the row group where one cannot be read."""
        pa = load("pyarrow")
        schema = pa.schema([self.schema.field(name) for name in columns])
        for group in range(self._file.metadata.num_row_groups):
            found = self._file.iter_batches(BATCH, row_groups=[group], columns=list(columns), use_threads=True)
            while True:
                batch = self._next(found, group)
                if batch is None:
                    break
                yield pa.Table.from_arrays([batch.column(name) for name in columns], schema=schema)

    def _next(self, batches: Iterator[Any], group: int) -> Any:
        try:
            return next(batches, None)
        except (OSError, load("pyarrow").ArrowException) as error:
            msg = (
                f"row group {group} of {self.name!r} cannot be read ({type(error).__name__}); needed: an intact file; "
                "make it again, or leave that row group out"
            )
            raise InputError(msg) from None
