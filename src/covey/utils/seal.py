"""Seals: by what a certificate knows its file.

The SHA-256 of the bytes knows the file itself; a hash of the rows in any order knows what a reader gets back from it. That one adds up
the SHA-512 of all rows in eight lanes of 64 bits, so that it can be found in parts: it tells apart files that were changed or swapped,
by accident or by hand. Whoever can choose millions of rows might find others of the same sum, which the SHA-256 of the bytes does not allow.
Both are plain: what they are of is public.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING

import numpy as np

from covey.utils.arrow import Array, Column, Table, decoded, pa
from covey.utils.hashing import text_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from covey.utils.typing import Numbers

TABLE = "table"
CHANGED = "these are not the bytes that were certified"
REWRITTEN = f"{CHANGED}; the rows are, so that they were put in another order, or the file was written anew"
OTHER_ROWS = "these are not the rows that were certified: values were changed, rows dropped or added, or the certificate is another file's"
NO_BYTES = "a table of a database has no bytes of its own; the rows alone are compared"
AT_A_TIME = 1 << 16
"""Rows whose hashes are in memory together."""
_TAGS = {"integer": 1, "number": 2, "truth": 3, "day": 4, "moment": 5, "time": 6, "duration": 7}


@dataclass(frozen=True)
class Seal:
    """What a published file is known by. A table of a database has no bytes of its own, and `sha256` is None."""

    rows_hash: str
    sha256: str | None = None
    part: str = TABLE

    def as_dict(self) -> dict[str, str | None]:
        """For a certificate."""
        return asdict(self)

    @classmethod
    def of_file(cls, path: Path, tables: Iterable[Table], part: str = TABLE) -> Seal:
        """The seal of a file that was read back as these tables, one after the other."""
        return cls(rows_hash(tables), file_hash(path), part)


@dataclass(frozen=True)
class Finding:
    """One claim of a certificate: whether it holds (None: nobody can tell from the file), and what there is to say."""

    claim: str
    holds: bool | None
    said: str = ""


def compared(seal: Seal, certified: Seal, name: str = "") -> list[Finding]:
    """Whether a file is the one that was certified: its bytes, then its rows in any order."""
    same_rows = seal.rows_hash == certified.rows_hash
    rows = Finding(f"the rows{name}", same_rows, "" if same_rows else OTHER_ROWS)
    if seal.sha256 is None or certified.sha256 is None:
        return [Finding(f"the bytes{name}", None, NO_BYTES), rows]
    same = seal.sha256 == certified.sha256
    return [Finding(f"the bytes{name}", same, "" if same else REWRITTEN if same_rows else CHANGED), rows]


def file_hash(path: Path) -> str:
    """The SHA-256 of the bytes of a file."""
    with path.open("rb") as file:
        return bytes_hash(file)


def bytes_hash(file: IO[bytes]) -> str:
    """The SHA-256 of all bytes of an open file."""
    hashed = hashlib.sha256()
    while piece := file.read(1 << 20):
        hashed.update(piece)
    return hashed.hexdigest()


def folder_hash(names_and_hashes: Iterable[tuple[str, str]]) -> str:
    """One SHA-256 for the files of a folder: of the lines that `sha256sum` writes of them, with names below the folder, in their order.

    A line is the SHA-256 of a file, two spaces, its name and a line break; names are in the order of their bytes.
    """
    lines = sorted(names_and_hashes, key=lambda pair: pair[0].encode())
    return hashlib.sha256("".join(f"{hashed}  {name}\n" for name, hashed in lines).encode()).hexdigest()


def files_hash(hashes: Iterable[str]) -> str:
    """One SHA-256 for several files, whatever their names and order."""
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()


def rows_hash(tables: Iterable[Table]) -> str:
    """The hash of the rows of Arrow tables in any order; that of the columns does not matter either.

    >>> import pyarrow as pa
    >>> table = pa.table({"a": [1, 2], "b": ["x", None]})
    >>> rows_hash([table]) == rows_hash([table.slice(1), table.slice(0, 1)]), rows_hash([table]) == rows_hash([table.slice(1)])
    (True, False)
    """
    sums = RowSums()
    for table in tables:
        sums.add(table)
    return sums.hash()


class RowSums:
    """The sums of the hashes of rows; those of parts add up to that of the whole."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.rows = 0
        self.total = np.zeros(8, dtype=np.uint64)

    def add(self, table: Table) -> None:
        """Count the rows of a table."""
        self.names = sorted(table.column_names)
        for start in range(0, table.num_rows, AT_A_TIME):
            batch = table.slice(start, AT_A_TIME)
            block = np.concatenate([_as_bits(batch.column(name)) for name in self.names], axis=1)
            rows, width = memoryview(np.ascontiguousarray(block, dtype="<u8").tobytes()), 16 * len(self.names)
            hashed = b"".join(
                [hashlib.sha512(rows[place : place + width]).digest() for place in range(0, len(rows), width)]
            )
            self.total += np.frombuffer(hashed, dtype="<u8").reshape(-1, 8).sum(axis=0, dtype=np.uint64)
            self.rows += batch.num_rows

    def merge(self, other: RowSums) -> None:
        """Count the rows of another part."""
        self.names = self.names or other.names
        self.rows += other.rows
        self.total += other.total

    def hash(self) -> str:
        """The hash of all rows."""
        names_and_rows = json.dumps([self.names, self.rows]).encode()
        return hashlib.sha256(names_and_rows + self.total.astype("<u8").tobytes()).hexdigest()


def _as_bits(column: Column) -> Numbers:
    """16 bytes for every value of an Arrow column: its type and itself, or a hash where it is longer."""
    array = decoded(column)
    kind, plain = _plain(array)
    if kind is None:
        return text_hashes(array, 2, str)
    known = array.is_valid().to_numpy(zero_copy_only=False)
    values = plain.fill_null(0).to_numpy(zero_copy_only=False)
    if kind == "number":
        values = np.where(np.isnan(values), np.nan, values)  # one not-a-number
    bits = values.view(np.uint64)
    return np.column_stack([np.where(known, np.uint64(_TAGS[kind]), np.uint64(0)), np.where(known, bits, np.uint64(0))])


def _plain(array: Array) -> tuple[str | None, Array]:
    """What kind of value has 64 bits, and the values as such; None for the others."""
    kind, whole = array.type, pa.int64()
    if pa.types.is_floating(kind):
        return "number", array.cast(pa.float32() if pa.types.is_float16(kind) else kind).cast(pa.float64())
    if pa.types.is_integer(kind):
        return "integer", array.cast(whole, safe=False)
    if pa.types.is_boolean(kind):
        return "truth", array.cast(pa.int8()).cast(whole)
    if pa.types.is_date(kind):
        return "day", array.cast(pa.date32()).cast(pa.int32()).cast(whole)
    if pa.types.is_timestamp(kind):
        return "moment", array.cast(pa.timestamp("us", kind.tz), safe=False).cast(whole)
    if pa.types.is_time(kind):
        return "time", array.cast(pa.time64("us"), safe=False).cast(whole)
    if pa.types.is_duration(kind):
        return "duration", array.cast(pa.duration("us"), safe=False).cast(whole)
    return None, array
