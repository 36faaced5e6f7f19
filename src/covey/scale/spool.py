"""Rows on disk by bucket, in files without a name: nothing of them is left when the process ends, however it ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.extras import load
from covey.io.staging import writing
from covey.nameless import nameless_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]


class Ordered(NamedTuple):
    """Rows in the order of their buckets, and where each bucket ends."""

    table: Any
    stops: Codes


class Spool:
    """As many files as there are buckets; rows are appended to them, and read back bucket by bucket.

    >>> import pyarrow as pa
    >>> spool = Spool(2, None)
    >>> spool.add(pa.table({"x": [5, 6, 7]}), np.array([1, 0, 1]))
    >>> spool.read(1).column("x").to_pylist()
    [5, 7]
    >>> spool.close()
    """

    def __init__(self, buckets: int, folder: Path | None) -> None:
        self._folder = folder
        self._files: list[Any] = [None] * buckets
        self._writers: list[Any] = [None] * buckets

    def add(self, table: Any, buckets: Codes) -> None:
        """Append rows to their buckets, in their order."""
        self.write(self.ordered(table, buckets))

    def ordered(self, table: Any, buckets: Codes) -> Ordered:
        """Rows by bucket: what can be done in another thread."""
        pa = load("pyarrow")
        few = buckets.astype(np.uint16) if len(self._files) < 2**16 else buckets
        order = np.argsort(few, kind="stable")
        stops = np.cumsum(np.bincount(few, minlength=len(self._files)))
        return Ordered(table.take(pa.array(order)).combine_chunks(), stops)

    def write(self, ordered: Ordered) -> None:
        """Append rows that are in order."""
        start = 0
        for bucket, stop in enumerate(ordered.stops.tolist()):
            if stop > start:
                self._write(bucket, ordered.table.slice(start, stop - start))
            start = stop

    def _write(self, bucket: int, table: Any) -> None:
        pa, ipc = load("pyarrow"), load("pyarrow.ipc")
        with writing(self._place):
            if self._files[bucket] is None:
                self._files[bucket] = nameless_file(self._folder)
                self._writers[bucket] = ipc.new_stream(pa.PythonFile(self._files[bucket], mode="w"), table.schema)
            self._writers[bucket].write_table(table)

    @property
    def _place(self) -> Path:
        return Path("the temporary folder") if self._folder is None else self._folder / "temporary rows"

    def read(self, bucket: int) -> Any:
        """The rows of a bucket; None where there are none. They stay on disk until `free`."""
        pa, ipc = load("pyarrow"), load("pyarrow.ipc")
        if self._files[bucket] is None:
            return None
        if self._writers[bucket] is not None:
            with writing(self._place):
                self._writers[bucket].close()
            self._writers[bucket] = None
        self._files[bucket].seek(0)
        return ipc.open_stream(pa.PythonFile(self._files[bucket], mode="r")).read_all()

    def free(self, bucket: int) -> None:
        """Give the room of a bucket back."""
        if self._files[bucket] is not None:
            self._files[bucket].close()
            self._files[bucket] = None

    def close(self) -> None:
        """Forget all rows."""
        self._writers = [None] * len(self._writers)
        for bucket in range(len(self._files)):
            self.free(bucket)
