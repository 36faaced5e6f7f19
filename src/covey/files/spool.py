"""Rows on disk by bucket, in files without a name: nothing of them is left when the process ends, however it ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.io.staging import writing
from covey.utils.arrow import Table, ipc, pa
from covey.utils.tempfiles import nameless_file

if TYPE_CHECKING:
    from covey.utils.typing import Codes

    Ordered = tuple[Table, Codes]

MOST_FILES = 128
"""Open files; where there are more buckets, neighbours share one."""


class Spool:
    """Buckets of rows in files; rows are appended to them, and read back bucket by bucket.

    >>> import pyarrow as pa
    >>> spool = Spool(2, None)
    >>> spool.add(pa.table({"x": [5, 6, 7]}), np.array([1, 0, 1]))
    >>> spool.read(1).column("x").to_pylist()
    [5, 7]
    >>> spool.close()
    """

    def __init__(self, buckets: int, folder: Path | None) -> None:
        self._folder, self._buckets = folder, buckets
        self._files: list[Any] = [None] * min(buckets, MOST_FILES)
        self._held: list[list[tuple[int, int]]] = [[] for _ in range(buckets)]

    def _file(self, bucket: int) -> int:
        """The file of a bucket: neighbours share one."""
        return bucket * len(self._files) // self._buckets

    def add(self, table: Table, buckets: Codes) -> None:
        """Append rows to their buckets, in their order."""
        self.write(self.ordered(table, buckets))

    def ordered(self, table: Table, buckets: Codes) -> Ordered:
        """Rows in the order of their buckets, and where each bucket ends: what can be done in another thread."""
        few = buckets.astype(np.uint16) if self._buckets < 2**16 else buckets
        order = np.argsort(few, kind="stable")
        stops = np.cumsum(np.bincount(few, minlength=self._buckets))
        return table.take(pa.array(order)).combine_chunks(), stops

    def write(self, ordered: Ordered) -> None:
        """Append rows that are in order."""
        (table, stops), start = ordered, 0
        for bucket, stop in enumerate(stops.tolist()):
            if stop > start:
                self._write(bucket, table.slice(start, stop - start))
            start = stop

    def _write(self, bucket: int, table: Table) -> None:
        sink = pa.BufferOutputStream()
        with ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        data = memoryview(sink.getvalue())
        number = self._file(bucket)
        with writing(self._place):
            if self._files[number] is None:
                self._files[number] = nameless_file(self._folder)
            file = self._files[number]
            self._held[bucket].append((file.seek(0, 2), len(data)))
            while data:
                data = data[file.write(data) :]

    @property
    def _place(self) -> Path:
        return Path("the temporary folder") if self._folder is None else self._folder / "temporary rows"

    def read(self, bucket: int) -> Any:
        """The rows of a bucket; None where there are none. They stay on disk until `free`."""
        file, tables = self._files[self._file(bucket)], []
        for place, size in self._held[bucket]:
            data = bytearray(size)
            file.seek(place)
            left = memoryview(data)
            while left:
                left = left[file.readinto(left) :]
            tables.append(ipc.open_stream(pa.py_buffer(data)).read_all())
        return pa.concat_tables(tables) if tables else None

    def free(self, bucket: int) -> None:
        """A bucket is not needed any more; the room of a file is given back when none of its buckets is."""
        self._held[bucket] = []
        number = self._file(bucket)
        first = -(-number * self._buckets // len(self._files))
        stop = -(-(number + 1) * self._buckets // len(self._files))
        if not any(self._held[first:stop]) and self._files[number] is not None:
            self._files[number].close()
            self._files[number] = None

    def close(self) -> None:
        """Forget all rows."""
        self._held = [[] for _ in range(self._buckets)]
        for number, file in enumerate(self._files):
            if file is not None:
                file.close()
                self._files[number] = None
