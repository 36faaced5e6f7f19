"""How many rows fit the memory that may be taken."""

from __future__ import annotations

import re
from dataclasses import dataclass

from covey.errors import OptionError, shown

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
MOST_RELEASED = 2**19
"""Rows that are released at a time at most: more take longer to reach than to work on."""
LEAST_ROWS, MOST_SURVEYED, MOST_SLICED = 1000, 2**21, 100_000
LEAST = 256 * 2**20
"""What the libraries take by themselves, and a little."""


def as_bytes(given: object) -> int:
    """An amount of memory in bytes: a number, or text such as "2GiB".

    >>> as_bytes("1.5 GiB")
    1610612736
    """
    parsed = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?i?)b?\s*", str(given), re.IGNORECASE)
    whole = isinstance(given, int) and not isinstance(given, bool)
    if not (whole or isinstance(given, str)) or parsed is None or parsed[2].lower() not in _UNITS:
        raise OptionError(f"memory is {shown(given)}; needed: an amount such as 2GiB or 500MB")
    if float(parsed[1]) * _UNITS[parsed[2].lower()] > 2**50:
        raise OptionError(f"memory is {shown(given)}; needed: an amount that a machine has, such as 2GiB")
    amount = int(float(parsed[1]) * _UNITS[parsed[2].lower()])
    if amount < LEAST:
        raise OptionError(f"memory is {shown(given)}; needed: at least {LEAST // 2**20} MiB")
    return amount


@dataclass(frozen=True)
class Budget:
    """How many rows of a table are sorted, grouped and released at a time, for so much memory."""

    memory: int
    row_bytes: float
    columns: int

    @property
    def _room(self) -> float:
        return (self.memory - LEAST * 0.75) / 8.0

    @property
    def sorted_rows(self) -> int:
        """Rows of a bucket that is sorted: itself, a copy and their keys, twice."""
        return max(LEAST_ROWS, int(self._room / (2.0 * self.row_bytes + 32.0)))

    @property
    def sampled_rows(self) -> int:
        """Rows of the sample: of numbers, mostly, since texts that are kept are numbers there."""
        return max(LEAST_ROWS, int(self._room / (24.0 * (self.columns + 8))))

    @property
    def placed_rows(self) -> int:
        """Rows that are put into buckets at a time."""
        return max(LEAST_ROWS, min(MOST_SURVEYED, int(self._room / (4.0 * self.row_bytes))))

    @property
    def surveyed_rows(self) -> int:
        """Rows that are surveyed together, of which there are several at a time."""
        return max(LEAST_ROWS, min(MOST_SURVEYED, int(self._room / (4.0 * self.row_bytes))))

    @property
    def sliced_rows(self) -> int:
        """Rows of a column's slice."""
        return max(LEAST_ROWS, min(MOST_SLICED, int(self._room / (64.0 * max(1, self.columns)))))

    @property
    def released_rows(self) -> int:
        """Rows of a part that is grouped and released."""
        return max(LEAST_ROWS, min(MOST_RELEASED, int(self._room / (2.0 * self.row_bytes + 160.0 * self.columns))))

    @property
    def searched_rows(self) -> int:
        """Rows of a part whose groups are searched for on all cores, so that fewer parts are at work: larger ones have fewer borders."""
        return 2 * self.released_rows

    @property
    def counting(self) -> int:
        """Bytes for the recount."""
        return max(160 * 2**20, int((self.memory - LEAST * 0.75) * 0.6))
