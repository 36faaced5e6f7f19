"""Top and bottom coding: extreme values become the largest (smallest) that is told apart, before grouping.

An end that is given as a quantile is a round number near it, and no more than a twentieth of the usual spread away: a value that
occurs would be published as it is.
"""

from __future__ import annotations

import datetime as dt
import decimal
import zoneinfo
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.values import NUMBERS, Values, read_values, units_per_second
from covey.errors import OptionError, shown
from covey.utils.arrow import pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping


def code_ends(column: Values, *, top: Any = None, bottom: Any = None) -> tuple[Values, list[Note]]:
    """The column within its ends, and how many values were moved. An end is a value of the column, or a quantile: "99%"."""
    if top is None and bottom is None:
        return column, []
    column, moved = coded(column, limits(column, top=top, bottom=bottom))
    return column, coding_notes(column.name, moved)


def limits(column: Values, *, top: Any = None, bottom: Any = None) -> dict[str, Any]:
    """The ends of a column in its own units, by "top" and "bottom"."""
    if column.kind not in NUMBERS:
        msg = f"{'bottom' if top is None else 'top'} coding of {column.name!r}, which is {column.kind}; needed: numbers or dates"
        raise OptionError(msg)
    high = None if top is None else _limit(column, top, "top")
    low = None if bottom is None else _limit(column, bottom, "bottom")
    if high is not None and low is not None and low > high:
        raise OptionError(f"bottom coding of {column.name!r} lies above its top coding; needed: bottom below top")
    return {end: limit for end, limit in (("top", high), ("bottom", low)) if limit is not None}


def coded(column: Values, ends: Mapping[str, Any]) -> tuple[Values, dict[str, int]]:
    """The column within these ends, and how many values were moved to each. The grain of times is that of the column and the ends."""
    moved = {}
    for end, limit in ends.items():
        beyond = column.valid & (column.physical > limit if end == "top" else column.physical < limit)
        within = np.minimum(column.physical, limit) if end == "top" else np.maximum(column.physical, limit)
        column = column.replaced(within.astype(column.physical.dtype), column.valid)
        moved[end] = int(beyond.sum())
    return column.with_times(list(ends.values())), moved


def coding_notes(name: str, moved: Mapping[str, int]) -> list[Note]:
    """What to say of values that were moved."""
    return [
        Note(NoteKind.CODING, f"{end} coding of column {name!r}: {number} values moved")
        for end, number in moved.items()
    ]


def _limit(column: Values, given: Any, end: str) -> Any:
    if isinstance(given, str) and given.endswith("%"):
        return _quantile(column, given, end)
    try:
        limit = _time(column, given) if column.kind == "time" else _number(column, given, end)
    except (ValueError, TypeError, ArithmeticError, LookupError, pa.ArrowException):
        limit = None
    if limit is None or (isinstance(limit, float) and not np.isfinite(limit)) or abs(limit) >= 2**63:
        msg = f"{end} coding of {column.name!r} at {shown(given)}; needed: a value of type {column.type}, or a quantile such as '99%'"
        raise OptionError(msg)
    return limit


def _quantile(column: Values, given: str, end: str) -> Any:
    try:
        share = float(given[:-1]) / 100
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1 or not np.any(column.valid):
        raise OptionError(f"{end} coding of {column.name!r} at {given!r}; needed: a quantile from 0% to 100%")
    known = np.sort(column.physical[column.valid])
    at = share * (len(known) - 1)
    quantile = known[int(np.ceil(at)) if end == "bottom" else int(np.floor(at))].item()
    low, high = (known[int(part * (len(known) - 1))].item() for part in (0.05, 0.95))
    most = max(high, quantile) / PARTS - min(low, quantile) / PARTS
    if most == 0:  # nearly all share it
        return quantile
    limit = _rounded_time(column, quantile, most, end) if column.kind == "time" else _rounded(quantile, most, end)
    return limit if abs(limit) < 2**63 or column.kind == "float" else quantile


PARTS = 20
"""Ends are rounded to so many parts of the spread of a column, or more."""


def _rounded(value: float, most: float, end: str) -> float | int:
    """The multiple of 1, 2 or 5 times a power of ten, at most `most`, that is next to a number on the side of the others."""
    power = decimal.Decimal(10) ** decimal.Decimal(most).adjusted()
    step = next(power * factor for factor in (5, 2, 1) if power * factor <= decimal.Decimal(most))
    if isinstance(value, int):
        return int(_multiple(value, max(1, int(step)), end))
    with decimal.localcontext(prec=40):
        return float(_multiple(decimal.Decimal(value), step, end))


def _multiple(value: Any, step: Any, end: str) -> Any:
    """The next multiple of a step: below a top, above a bottom."""
    below = value // step * step
    below -= step if below > value else 0  # decimals are divided towards zero
    return below if end == "top" or below == value else below + step


def _rounded_time(column: Values, value: int, most: float, end: str) -> int:
    """The beginning of a year, month, day, hour, ..., whichever is at most `most`, next to a time on the side of the others."""
    types = pa.types
    unit = "D" if types.is_date32(column.type) else getattr(column.type, "unit", "ms")
    dates = types.is_date(column.type) or types.is_timestamp(column.type)
    second = units_per_second(column.type) if unit != "D" else 1 / 86400
    sizes = {"Y": 366 * 86400, "M": 31 * 86400, "D": 86400, "h": 3600, "m": 60, "s": 1}
    fits = [part for part, seconds in sizes.items() if seconds * second <= most and (dates or part not in "YM")]
    if not fits:
        return int(_rounded(value, most, end))
    if not dates:
        return int(_multiple(value, int(sizes[fits[0]] * second), end))
    moment = np.array(value).astype(f"datetime64[{unit}]")
    start = moment.astype(f"datetime64[{fits[0]}]")
    after = end == "bottom" and bool(start.astype(moment.dtype) < moment)
    return int((start + int(after)).astype(moment.dtype).astype(np.int64))


def _number(column: Values, given: Any, end: str) -> float | int:
    if column.kind == "float":
        return float(given)
    scaled = decimal.Decimal(str(given)).scaleb(getattr(column.type, "scale", 0))
    return int(scaled.to_integral_value(decimal.ROUND_FLOOR if end == "top" else decimal.ROUND_CEILING))


def _time(column: Values, given: Any) -> int:
    """A date, time, moment or number of seconds in the units of the column; without a zone, in the column's own."""
    if pa.types.is_duration(column.type):
        return round(
            float(given.total_seconds() if isinstance(given, dt.timedelta) else given) * units_per_second(column.type)
        )
    if pa.types.is_time(column.type):
        value: Any = given if isinstance(given, dt.time) else dt.time.fromisoformat(str(given))
    elif pa.types.is_date(column.type):
        value = given if type(given) is dt.date else dt.date.fromisoformat(str(given)[:10])
    else:
        value = given if isinstance(given, dt.datetime) else dt.datetime.fromisoformat(str(given))
        if column.type.tz and value.tzinfo is None:
            value = value.replace(tzinfo=zoneinfo.ZoneInfo(column.type.tz))
    return (
        int(read_values(column.name, pa.array([value], type=column.type)).physical[0])
        if not column.local
        else _wall(value, column)
    )


def _wall(value: dt.datetime, column: Values) -> int:
    naive = value.astimezone(zoneinfo.ZoneInfo(column.type.tz)).replace(tzinfo=None)
    return int(pa.scalar(naive, type=pa.timestamp(column.type.unit)).cast(pa.int64()).as_py())
