"""Sketches of tables: how much two of them have in common, from a few bits of each.

Every record is a number of 64 bits. Of those below a threshold (a level: each halves the threshold) a sketch keeps, for each of 1,024
hash functions under a key, one bit of the least hash (1-bit minwise hashing: Li & Koenig 2010). Two sketches agree in a share (1 + J) / 2 of
their bits on average, where J is what the two sets share over what they hold together. A record takes part in few bits, and a bit
tells little of it: whoever has the sketch and its key cannot tell whether a record is in a table of some size. The set of records below
the threshold is found in parts, in any order. O(n) and at most 4,096 numbers in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from covey.utils.arrow import Column, Table, array_of, is_number, is_text, pa, pc
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from covey.recipe.roles import Roles
    from covey.utils.typing import Codes, Floats, Numbers

BITS = 1024
MOST = 4096
"""Records that a sketch is made of: more halve the threshold."""
FEWEST = 30
"""A sketch of fewer would tell too much of each."""
LEVELS = 4
"""How many thresholds a table is sketched under, so that one of up to eight times its size shares one."""
TELLING = {0.97: 0.18, 0.9: 0.25, 0.6: 0.75}
"""From which share of different records on which part in common tells something: where many records are alike, unrelated tables share
some by chance (at most 0.03, 0.11 and 0.51 of both together, where all possible records are equally likely)."""
SPARSE = 16
"""Numbers from the least to the greatest for each id of a unit: where there are fewer, ids were counted up, and those of any two tables are alike."""
DAYS = 30.0
"""How wide the bins of days are."""
STEPS = 8.0
"""Into how many bins numbers from one to two fall, and from two to four, ..."""


class Sketch(NamedTuple):
    """The bits of a set of records under some thresholds: level to bits; how many records there are, and from which part in common on it tells."""

    levels: Mapping[int, bytes]
    records: int
    least: float

    def as_dict(self) -> dict[str, Any]:
        """For a file."""
        bits = {str(level): bits.hex() for level, bits in self.levels.items()}
        return {"records": self.records, "least": self.least, "bits": bits}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """From a file."""
        levels = {int(level): bytes.fromhex(bits) for level, bits in fields["bits"].items()}
        return cls(levels, int(fields["records"]), float(fields["least"]))

    def tells(self, other: Sketch) -> float | None:
        """The share of the smaller of two sets that is in the other; None where it may be chance."""
        shared = self.shared(other)
        return None if shared is None or shared[0] < max(self.least, other.least) else shared[1]

    def shared(self, other: Sketch) -> tuple[float, float] | None:
        """About which part of both together two sets have in common, and which of the smaller; None where nobody can tell."""
        level = min(set(self.levels) & set(other.levels), default=None)
        if level is None:
            return None
        mine, others = (np.frombuffer(sketch.levels[level], dtype=np.uint8) for sketch in (self, other))
        different = int(np.unpackbits(mine ^ others).sum())
        both = max(0.0, 1.0 - 2.0 * different / BITS)
        common = both / (1.0 + both) * (self.records + other.records)
        return both, min(1.0, common / max(1, min(self.records, other.records)))


class Gathered:
    """The numbers of records below the threshold; those of parts are those of the whole."""

    def __init__(self) -> None:
        self.rows, self.level = 0, 0
        self.kept = np.empty(0, dtype=np.uint64)

    def add(self, records: Numbers) -> None:
        """Look at records."""
        self.rows += len(records)
        self._keep(records)

    def merge(self, other: Gathered) -> None:
        """Take over what another part has."""
        self.rows += other.rows
        self.level = max(self.level, other.level)
        self._keep(other.kept)

    def _keep(self, numbers: Numbers) -> None:
        """The lowest level at which no more than `MOST` different numbers are left, and those: found from above, where few are."""
        all_of = np.concatenate([self.kept, numbers])
        level = self.level
        while np.count_nonzero(all_of <= _threshold(level)) > 2 * MOST:
            level += 1
        kept = np.unique(all_of[all_of <= _threshold(level)])
        while len(kept) > MOST:
            level += 1
            kept = kept[kept <= _threshold(level)]
        while level > self.level:
            more = np.unique(all_of[all_of <= _threshold(level - 1)])
            if len(more) > MOST:
                break
            level, kept = level - 1, more
        self.level, self.kept = level, kept

    def sketch(self, key: str) -> Sketch | None:
        """The sketch under a key; None where there are too few records, or too many are alike."""
        different = len(self.kept) << self.level
        least = next((part for share, part in TELLING.items() if different >= share * self.rows), None)
        if len(self.kept) < FEWEST or least is None:
            return None
        levels = {}
        for level in range(self.level, self.level + LEVELS):
            chosen = self.kept[self.kept <= _threshold(level)]
            if len(chosen) >= FEWEST:
                levels[level] = _bits(chosen, int(key[:16], 16))
        return Sketch(levels, different, least)


def _threshold(level: int) -> np.uint64:
    return np.uint64((2**64 - 1) >> level)


def _bits(numbers: Numbers, key: int) -> bytes:
    """The last bit of the least hash under each of the functions, which nobody knows without the key."""
    keyed = mixed(numbers ^ np.uint64(key))
    least = [int(mixed(keyed, salt).min()) & 1 for salt in range(1, BITS + 1)]
    return np.packbits(np.array(least, dtype=np.uint8)).tobytes()


class TableSketches:
    """What is gathered of a table: its records, those over the quasi-identifiers, both as they are and in bins, and its units.

    Columns may come in any order and under any names.
    """

    KINDS = ("records", "quasi", "binned", "units")

    def __init__(self) -> None:
        self.gathered = {kind: Gathered() for kind in self.KINDS}
        self.range = 2**63, 0
        """The least and the greatest number in the ids of units."""

    def add_table(self, table: Table, numbers: Mapping[str, Numbers], roles: Roles) -> None:
        """Look at a part of a table; `numbers` are those of its columns (`covey.utils.hashing.numbers_of`)."""
        names = dict.fromkeys((*roles.quasi, *roles.strata, *roles.sensitive, *roles.keep))
        self.add("records", (numbers[name] for name in names))
        self.add("quasi", (numbers[name] for name in roles.quasi))
        self.add("binned", (binned(table.column(name), numbers[name]) for name in names))
        if roles.unit is not None:
            self.add_units(table.column(roles.unit), numbers[roles.unit])

    def add_units(self, column: Column, numbers: Numbers) -> None:
        """Look at the ids of units, and their numbers."""
        self.gathered["units"].merge(_gathered(mixed(mixed(np.unique(numbers)))))
        ids = _digits(column)
        if len(ids):
            self.range = min(self.range[0], int(ids.min())), max(self.range[1], int(ids.max()))

    def add(self, kind: str, columns: Iterable[Numbers]) -> None:
        """Look at records of one kind, by the numbers of their columns."""
        total: Numbers | None = None
        for numbers in columns:
            hashed = mixed(numbers)
            total = hashed if total is None else total + hashed  # in any order of the columns
        if total is not None:
            self.gathered[kind].add(mixed(total))

    def merge(self, other: TableSketches) -> None:
        """Take over what was gathered of another part."""
        for kind, gathered in self.gathered.items():
            gathered.merge(other.gathered[kind])
        self.range = min(self.range[0], other.range[0]), max(self.range[1], other.range[1])

    def sketches(self, key: str) -> dict[str, Sketch]:
        """The sketches under a key: those that tell something."""
        sketches = {kind: gathered.sketch(key) for kind, gathered in self.gathered.items()}
        units = sketches["units"]
        if units is not None and self.range[1] - self.range[0] < SPARSE * units.records:
            sketches["units"] = None
        return {kind: sketch for kind, sketch in sketches.items() if sketch is not None}


def _gathered(numbers: Numbers) -> Gathered:
    """Of ids, which may well occur several times."""
    gathered = Gathered()
    gathered.add(numbers)
    gathered.rows = 0
    return gathered


def _digits(column: Column) -> Codes:
    """The numbers in ids, such as 7 of h-0007; of ids without any, or with many digits, one that is large."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_integer(kind) or is_text(kind)):
        return np.array([0, 2**62])
    ids = pc.unique(column.cast(kind)).drop_null().cast(pa.string())
    digits = pc.replace_substring_regex(ids, r"\D+", "")
    usual = pc.and_(pc.greater(pc.utf8_length(digits), 0), pc.less(pc.utf8_length(digits), 18))
    return np.asarray(pc.if_else(usual, digits, str(2**62)).cast(pa.int64()))


def binned(column: Column, numbers: Numbers) -> Numbers:
    """Numbers of bins, so that values that moved a little mostly stay: eight to a doubling of numbers, 30 days of times."""
    kind = column.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        array = array_of(column)
        moments = array.cast(pa.timestamp("us", getattr(kind, "tz", None)), safe=False).cast(pa.int64())
        days = moments.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy(zero_copy_only=False) / 86_400e6
        return _whole(np.floor(days / DAYS))
    if is_number(kind):
        values = numbers.view(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.sign(values) * (np.floor(STEPS * np.log2(np.abs(values))) + 16_384.0)  # never of another sign
        return _whole(np.where(values == 0.0, 0.0, steps))
    return numbers


def _whole(values: Floats) -> Numbers:
    return np.asarray(np.where(np.isnan(values), np.nan, values + 0.0)).view(np.uint64)
