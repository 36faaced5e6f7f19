"""Fingerprints of tables: the same in any order of the rows, and added up from parts.

Every value becomes a number of 64 bits, every row a number mixed from its values; the sums of these numbers over all rows,
hashed under a key, recognise a table. Nothing can be read from them. O(n) a column.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from covey.utils import randomness
from covey.utils.arrow import Array, Column, decoded, is_number, is_text, pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from covey.utils.typing import Numbers

_GOLDEN = 0x9E3779B97F4A7C15
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
LANES = 2
"""Independent sums: 128 bits that differ by chance for no two tables."""


def mixed(numbers: Numbers, salt: int = 0) -> Numbers:
    """Numbers that look random, one for each (splitmix64)."""
    mixing = numbers + np.uint64(_GOLDEN * (2 * salt + 1) % 2**64)
    mixing = (mixing ^ (mixing >> np.uint64(30))) * _FIRST
    mixing = (mixing ^ (mixing >> np.uint64(27))) * _SECOND
    return np.asarray(mixing ^ (mixing >> np.uint64(31)))


def numbers_of(column: Column) -> Numbers:
    """A number for every value of an Arrow column: equal for equal values, whatever type or file they came in.

    >>> import pyarrow as pa
    >>> bool((numbers_of(pa.array([1, 2])) == numbers_of(pa.array([1.0, 2.0]))).all())
    True
    """
    array = decoded(column)
    kind = array.type
    if pa.types.is_temporal(kind) and not pa.types.is_duration(kind):
        moment = pa.types.is_timestamp(kind) or pa.types.is_date(kind)
        array = array.cast(pa.timestamp("us"), safe=False) if moment else array
        array = array.cast(pa.int32() if pa.types.is_time32(kind) else pa.int64())
    elif pa.types.is_boolean(kind):
        array = array.cast(pa.int8())
    elif pa.types.is_duration(kind):
        array = array.cast(pa.int64())
    kind = array.type
    if pa.types.is_float16(kind):
        array = array.cast(pa.float32())
    if is_number(kind):
        floats = array.cast(pa.float64(), safe=False).fill_null(float("nan")).to_numpy(zero_copy_only=False)
        plain = np.where(np.isnan(floats), np.nan, floats + 0.0)  # one zero, one not-a-number
        return np.asarray(plain.view(np.uint64))
    return text_hashes(array, 1, repr)[:, 0]


def text_hashes(array: Array, size: int, written: Callable[[object], str]) -> Numbers:
    """So many numbers for every text, one in each column, 0 for a missing one; what is no text is hashed as it is `written`."""
    if pa.types.is_null(array.type):
        return np.zeros((len(array), size), dtype=np.uint64)
    if not is_text(array.type):
        array = pa.array([None if value is None else written(value) for value in array.to_pylist()], pa.large_string())
    encoded = array.dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    hashes = [hashlib.blake2b(text.encode(), digest_size=8 * size).digest() for text in texts]
    known = np.frombuffer(b"".join([*hashes, bytes(8 * size)]), dtype="<u8").astype(np.uint64).reshape(-1, size)
    places = encoded.indices.cast(pa.int64()).fill_null(len(hashes)).to_numpy(zero_copy_only=False)
    return np.asarray(known[places])


def rows_of(columns: Iterable[Numbers]) -> Numbers | None:
    """A number for every row, from those of its values; None where there are no columns."""
    rows = None
    for place, column in enumerate(columns):
        numbers = mixed(column, place)
        rows = numbers if rows is None else mixed(rows ^ numbers, place)
    return rows


class Sums:
    """The sums of the numbers of rows; those of parts add up to that of the whole.

    >>> import pyarrow as pa
    >>> sums, other = Sums(), Sums()
    >>> sums.add([pa.array(["a", "b"]), pa.array([1, 2])])
    >>> other.add([pa.array(["b", "a"]), pa.array([2, 1])])
    >>> sums.hash("00" * 32) == other.hash("00" * 32)
    True
    """

    def __init__(self) -> None:
        self.rows = 0
        self.total = np.zeros(LANES, dtype=np.uint64)
        self.order = 0
        """A polynomial in the rows, which depends on their order: that of two parts is the one times a power, plus the other."""

    def add(self, columns: Iterable[Column]) -> None:
        """Count the rows of these columns."""
        self.add_numbers(numbers_of(column) for column in columns)

    def add_numbers(self, columns: Iterable[Numbers]) -> None:
        """Count rows whose values are numbers already."""
        rows = rows_of(columns)
        if rows is None:
            return
        self.rows += len(rows)
        self.total += np.array([mixed(rows, lane).sum() for lane in range(LANES)], dtype=np.uint64)
        powers = np.full(len(rows), _GOLDEN, dtype=np.uint64).cumprod()[::-1]
        self.order = (self.order * _power(len(rows)) + int((mixed(rows, LANES) * powers).sum())) % 2**64

    def merge(self, other: Sums) -> None:
        """Count the rows of another part."""
        self.rows += other.rows
        self.total += other.total
        self.order = (self.order * _power(other.rows) + other.order) % 2**64

    def hash(self, key: str) -> str:
        """What is recognised, by whoever has the key."""
        return randomness.keyed_hash(key, [str(self.rows).encode(), self.total.tobytes()])


def _power(rows: int) -> int:
    return pow(_GOLDEN, rows, 2**64)
