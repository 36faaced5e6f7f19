"""Top and bottom coding: extreme values become the largest (smallest) that is told apart, before grouping."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import OptionError, shown
from covey.extras import load
from covey.values import NUMBERS

if TYPE_CHECKING:
    from covey.values import Values


def code_ends(column: Values, *, top: Any = None, bottom: Any = None) -> tuple[Values, list[str]]:
    """The column within its ends, and how many values were moved. An end is a value of the column, or a quantile: "99%"."""
    notes = []
    for end, given in (("top", top), ("bottom", bottom)):
        if given is None:
            continue
        if column.kind not in NUMBERS:
            msg = f"{end} coding of {column.name!r}, which is {column.kind}; needed: numbers or dates"
            raise OptionError(msg)
        limit = _limit(column, given, end)
        beyond = column.valid & (column.physical > limit if end == "top" else column.physical < limit)
        coded = np.minimum(column.physical, limit) if end == "top" else np.maximum(column.physical, limit)
        column = column.replaced(coded.astype(column.physical.dtype), column.valid)
        notes.append(f"{end} coding of column {column.name!r}: {int(beyond.sum())} values moved")
    return column, notes


def _limit(column: Values, given: Any, end: str) -> Any:
    if isinstance(given, str) and given.endswith("%"):
        try:
            share = float(given[:-1]) / 100
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1 or not np.any(column.valid):
            msg = f"{end} coding of {column.name!r} at {given!r}; needed: a quantile from 0% to 100%"
            raise OptionError(msg)
        known = np.sort(column.physical[column.valid])
        at = share * (len(known) - 1)
        return known[int(np.ceil(at)) if end == "bottom" else int(np.floor(at))]  # a value that occurs
    pa = load("pyarrow")
    try:
        if column.kind == "float":
            return float(given)
        if column.kind in ("integer", "decimal"):
            scale = 10 ** getattr(column.type, "scale", 0)
            return int(np.floor(float(given) * scale + 1e-9) if end == "top" else np.ceil(float(given) * scale - 1e-9))
        if isinstance(given, dt.date | dt.datetime):
            given = given.isoformat()
        value = pa.scalar(str(given)).cast(pa.timestamp("us")).cast(_without_zone(pa, column.type))
        return value.cast(pa.int32() if column.type == pa.date32() else pa.int64()).as_py()
    except (ValueError, TypeError, pa.ArrowException):
        msg = f"{end} coding of {column.name!r} at {shown(given)}; needed: a value of type {column.type}, or a quantile such as '99%'"
        raise OptionError(msg) from None


def _without_zone(pa: Any, kind: Any) -> Any:
    return pa.timestamp(kind.unit) if pa.types.is_timestamp(kind) else kind
