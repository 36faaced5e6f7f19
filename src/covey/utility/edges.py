"""Round numbers and dates between which values are counted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core.ticks import round_above
from covey.utils.arrow import DataType, pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.columns.values import Values

_EXACT, _LARGEST, _SMALLEST = 2.0**50, 1e300, 1e-290
_CALENDAR = (
    ("D", 1),
    ("D", 7),
    ("M", 1),
    ("M", 3),
    ("M", 6),
    ("Y", 1),
    ("Y", 2),
    ("Y", 5),
    ("Y", 10),
    ("Y", 50),
    ("Y", 100),
)


def round_edges(column: Values, low: np.number[Any], high: np.number[Any], most: int) -> NDArray[Any]:
    """At most so many round values of a column between two ends, of the type of the ends."""
    if column.kind == "time":
        dates = _dates(column, int(low), int(high), most)
        return _evenly(int(low), int(high), most, low.dtype) if dates is None else dates
    if not isinstance(low, np.floating):
        first, last = int(low), int(high)
        width = max(1, math.ceil(round_above((last - first) / (most - 1)))) if last - first < _EXACT else 0
        return _evenly(first, last, most, low.dtype) if not width else _multiples(first, last, width, low.dtype)
    start, stop = float(low), float(high)
    size = max(abs(start), abs(stop))
    step = round_above((stop - start) / (most - 1)) if size < _LARGEST and stop - start > _SMALLEST else 0.0
    if not step or size > _EXACT * step:
        return np.asarray(np.linspace(start / 2, stop / 2, most) * 2)  # halves: nothing overflows
    places = range(math.ceil(start / step), math.floor(stop / step) + 1)
    return np.array([float(f"{place * step:.12g}") for place in places])


def _multiples(first: int, last: int, step: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    start = -(-first // step) * step
    return np.array(range(start, last + 1, step), dtype=dtype)


def _evenly(first: int, last: int, most: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    width = last - first
    return np.array([first + width * place // (most - 1) for place in range(most)], dtype=dtype)


def _dates(column: Values, low: int, high: int, most: int) -> NDArray[Any] | None:
    """First days of weeks, months or years between two moments; None where these are no dates."""
    unit = _unit(column.type)
    if unit is None:
        return None
    for name, step in _CALENDAR:
        first, last = (
            int(np.array(end, dtype=f"datetime64[{unit}]").astype(f"datetime64[{name}]").astype(np.int64))
            for end in (low, high)
        )
        if (last - first) // step > most:
            continue
        days = np.arange(first - first % step, last + 1, step).astype(f"datetime64[{name}]")
        moments = days.astype(f"datetime64[{unit}]").astype(np.int64)
        inside = moments[(moments >= low) & (moments <= high)]
        if 2 <= len(inside) <= most:
            return np.asarray(inside, dtype=np.int64)
    return None


def _unit(kind: DataType) -> str | None:
    """What a column of dates counts in."""
    if pa.types.is_date32(kind):
        return "D"
    if pa.types.is_date64(kind):
        return "ms"
    return str(kind.unit) if pa.types.is_timestamp(kind) else None
