"""What there is to know of a column before its role is chosen: its type, how many values differ or are missing, their shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.recount.classes import codes_of, is_missing
from covey.utils.arrow import Array, DataType, Table, array_of, pa

if TYPE_CHECKING:
    from covey.columns.codes import Sign
    from covey.utils.arrow import Column as ArrowColumn
    from covey.utils.typing import Codes, Flags

BARS = 16
NUMBERS = ("whole numbers", "numbers")
TIMES = ("dates", "times")
NESTED = "nested"
"""Lists and structures: what they hold is not looked at, for they cannot be released."""


@dataclass(frozen=True)
class Column:
    """A column as the page shows it. `bars` are shares of the tallest: bins of numbers, else the commonest values."""

    name: str
    type: str
    rows: int
    distinct: int
    missing: int
    bars: tuple[float, ...]
    codes: tuple[Sign, ...] = ()
    """Why its whole numbers look like codes."""
    unclear: str = ""
    """Why its type is not clear."""
    forms: tuple[str, ...] = ()
    """The forms of dates that all of its values have, where it is not clear that they are dates, or which."""
    odd: tuple[str, ...] = ()
    """The few values that may stand for a missing one."""
    values: tuple[str, ...] = ()
    """Its values, where they are few: what an order can be given of."""

    @property
    def known(self) -> int:
        """How many values there are."""
        return self.rows - self.missing


def profile(table: Table) -> list[Column]:
    """Look at every column of an Arrow table. O(n log n) for each.

    >>> import pyarrow
    >>> [column] = profile(pyarrow.table({"age": [30, 31, 31, None]}))
    >>> column.type, column.distinct, column.missing
    ('whole numbers', 2, 1)
    """
    return [_look(name, table.column(name)) for name in table.column_names]


def _look(name: str, column: ArrowColumn) -> Column:
    array = array_of(column)
    kind = type_in_words(array.type)
    if kind == NESTED:
        return Column(name, kind, len(array), 0, array.null_count, ())
    missing = is_missing(array)
    codes = codes_of(array)[~missing]
    counts = np.unique(codes, return_counts=True)[1] if len(codes) else np.zeros(0, dtype=np.int64)
    heights = np.sort(counts)[::-1][:BARS]
    if kind in (*NUMBERS, *TIMES) and len(counts) > BARS:
        heights = _bins(array, missing)
    tallest = max(1, int(heights.max(initial=0)))
    return Column(name, kind, len(array), len(counts), int(missing.sum()), tuple((heights / tallest).round(3).tolist()))


def _bins(array: Array, missing: Flags) -> Codes:
    """Counts in bins of the same width; the outermost hundredth at either end goes to the outermost bin."""
    known = array.filter(pa.array(~missing))
    if pa.types.is_temporal(known.type):
        known = known.cast(pa.int32() if known.type.bit_width == 32 else pa.int64())
    values = known.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [0.01, 0.99]) if len(values) else (0.0, 0.0)
    if not low < high or not np.isfinite(high - low):
        return np.array([len(values)])
    return np.histogram(np.clip(values, low, high), bins=BARS, range=(low, high))[0]


def type_in_words(kind: DataType) -> str:
    """An Arrow type as a word.

    >>> type_in_words(pa.float32())
    'numbers'
    """
    types = pa.types
    for holds, word in (
        (types.is_boolean, "true or false"),
        (types.is_integer, "whole numbers"),
        (types.is_floating, "numbers"),
        (types.is_decimal, "numbers"),
        (types.is_date, "dates"),
        (types.is_temporal, "times"),
        (types.is_dictionary, "categories"),
        (types.is_nested, NESTED),
    ):
        if holds(kind):
            return word
    return "text"
