"""The secret of a release: 256 bits of the operating system that decide the order of rows, random ids and the hash of the input.

Whoever has the public files and the seed of the method, but not the secret, cannot undo them: all come from SHAKE-256 and
BLAKE2 under the secret as key.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.utils.typing import Floats, Integers, Numbers


def draw() -> str:
    """A new secret, as 64 hexadecimal digits."""
    return os.urandom(32).hex()


def random_order(secret: str, n: int) -> Integers:
    """A random order of n rows: sorted by numbers of 128 bits."""
    high = _numbers(secret, "order", n)
    order = np.argsort(high)
    ordered = high[order]
    if (ordered[1:] == ordered[:-1]).any():  # rare: only then their other halves tell
        high, low = _numbers(secret, "order", 2 * n).reshape(2, n)
        order = np.lexsort((low, high))
    return order.astype(np.int64)


def part_order(secret: str, part: int, n: int) -> Integers:
    """A random order of the n rows of a part of a table: sorted by numbers of 32 bits, those of equal numbers in any."""
    stream = hashlib.shake_256(bytes.fromhex(secret) + f"order of part {part}".encode())
    return np.argsort(np.frombuffer(stream.digest(4 * n), dtype="<u4")).astype(np.int64)


def number(secret: str, purpose: str) -> int:
    """One random number of 64 bits."""
    return int(_numbers(secret, purpose, 1)[0])


def random_ids(secret: str, column: str, values: Iterable[object]) -> list[str]:
    """A random id of 32 hexadecimal digits for every value of a column: equal values have equal ids, in other columns others.

    With 128 bits, two of 10¹² different values share an id with a probability of less than 10⁻¹⁴.
    """
    key, person = bytes.fromhex(secret), hashlib.blake2b(column.encode(), digest_size=16).digest()
    return [
        hashlib.blake2b(repr(value).encode(), key=key, person=person, digest_size=16).hexdigest() for value in values
    ]


def uniform(secret: str, purpose: str, n: int) -> Floats:
    """As many random numbers from 0 to below 1; other purposes get others."""
    return (_numbers(secret, f"uniform/{purpose}", n) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def from_seed(seed: int) -> str:
    """The secret that a seed stands for: only as secret as the seed."""
    return f"{seed:064x}"


def keyed_hash(secret: str, data: Iterable[bytes]) -> str:
    """A hash that only who has the secret can compare with data."""
    return keyed_hashes([secret], data)[0]


def keyed_hashes(secrets: Sequence[str], data: Iterable[bytes]) -> list[str]:
    """Hashes under several secrets, in one pass."""
    hashes = [hashlib.blake2b(key=bytes.fromhex(key), digest_size=32, person=b"covey input") for key in secrets]
    for piece in data:
        for keyed in hashes:
            keyed.update(piece)
    return [keyed.hexdigest() for keyed in hashes]


def _numbers(secret: str, purpose: str, n: int) -> Numbers:
    stream = hashlib.shake_256(bytes.fromhex(secret) + purpose.encode())
    return np.frombuffer(stream.digest(8 * n), dtype="<u8").astype(np.uint64)
