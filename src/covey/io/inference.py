"""Types of columns that arrive as text: from all values, and never at the price of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from covey.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable

_INTEGER = r"^[+-]?(0|[1-9][0-9]*)$"
_NUMBER = r"^[+-]?(0|[1-9][0-9]*|0?\.[0-9]+|(0|[1-9][0-9]*)\.[0-9]*)([eE][+-]?[0-9]+)?$"
_COMMA = r"^[+-]?((0|[1-9][0-9]*)(,[0-9]+)?|[1-9][0-9]{0,2}(\.[0-9]{3})+(,[0-9]+)?)$"
_BOOLEAN = r"^(?i:true|false)$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_DOTTED_DATE = r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$"
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
_ZONE = r"(Z|[+-][0-9]{2}:?[0-9]{2})$"
_MISSING = ("NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "#N/A", ".")


@dataclass
class Found:
    """What was noticed."""

    notes: list[str] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)


def infer(table: Any, *, comma: bool) -> tuple[Found, list[Any], str]:
    """Give each column of text the type that all of its values have. An empty cell is missing.

    Codes with leading zeros stay text. With `comma`, numbers may have decimal commas. Returns what was noticed, the columns, and
    the decimal sign of the file.
    """
    found, columns, decimal, signs = Found(), [], ".", {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        typed, sign = _typed(name, column, found, comma=comma)
        columns.append(typed)
        signs[name] = sign
        decimal = "," if sign == "," else decimal
    if decimal == ",":
        points = [name for name, sign in signs.items() if sign == "."]
        if points:
            found.notes.append(
                f"the file has decimal commas; points in {', '.join(points)} were read as decimal points, too"
            )
    return found, columns, decimal


def _typed(name: str, column: Any, found: Found, *, comma: bool) -> tuple[Any, str]:
    pa, pc = load("pyarrow"), load("pyarrow.compute")
    text = pc.utf8_trim_whitespace(column)
    empty = pc.equal(text, "")
    marked = pc.is_in(text, value_set=pa.array(_MISSING))
    known = pc.if_else(pc.or_(empty, marked), None, text)
    filled = len(known) - known.null_count

    def matches(pattern: str) -> int:
        return int(pc.sum(pc.match_substring_regex(known, pattern)).as_py() or 0)

    plain = pc.if_else(pc.equal(column, ""), None, column)
    if filled == 0:
        return plain, ""
    attempts: list[tuple[str, Callable[[], Any], str]] = [
        (_INTEGER, lambda: _without_plus(pc, known).cast(pa.int64()), ""),
        (_NUMBER, lambda: _without_plus(pc, known).cast(pa.float64()), "."),
        (_BOOLEAN, lambda: pc.utf8_lower(known).cast(pa.bool_()), ""),
        (_DATE, lambda: known.cast(pa.date32()), ""),
        (_DOTTED_DATE, lambda: _dotted(pa, pc, known), ""),
        (_TIME + "$", lambda: known.cast(pa.timestamp("us")), ""),
        (_TIME + _ZONE, lambda: known.cast(pa.timestamp("us", "UTC")), ""),
    ]
    if comma:
        attempts.insert(2, (_COMMA, lambda: _with_comma(pc, known).cast(pa.float64()), ","))
    counted = {}
    for pattern, convert, sign in attempts:
        counted[pattern] = matches(pattern)
        if counted[pattern] == filled:
            try:
                typed = convert()
            except pa.ArrowInvalid:  # integers of 20 digits, the 31st of February: text, rather than something else
                return plain, ""
            _note_typed(name, pc, known, marked, pattern, found)
            return typed, sign
    if matches(r"^0[0-9]"):  # codes
        return plain, ""
    likely = max(
        counted.get(_NUMBER, 0), counted.get(_COMMA, 0), counted[_DATE], counted[_TIME + "$"], counted[_TIME + _ZONE]
    )
    if likely > 0.5 * filled and likely < filled:
        found.mixed[name] = f"{likely} of {filled} values are numbers or dates of one kind, the others are not"
    return plain, ""


def _note_typed(name: str, pc: Any, known: Any, marked: Any, pattern: str, found: Found) -> None:
    marks = int(pc.sum(marked).as_py() or 0)
    if marks:
        found.notes.append(f"column {name!r}: {marks} cells such as NA or null were read as missing")
    if pattern == _DOTTED_DATE:
        found.notes.append(f"column {name!r} holds dates as day.month.year; they are published as year-month-day")
    if pattern == _TIME + _ZONE:
        offsets = pc.unique(pc.extract_regex(known, "(?P<zone>" + _ZONE[1:-2] + ")$").combine_chunks().field("zone"))
        if len(offsets.drop_null()) > 1:
            found.notes.append(f"column {name!r} has several time-zone offsets; its times are published in UTC")


def _without_plus(pc: Any, known: Any) -> Any:
    return pc.replace_substring_regex(known, r"^\+", "")


def _with_comma(pc: Any, known: Any) -> Any:
    return _without_plus(pc, pc.replace_substring(pc.replace_substring(known, ".", ""), ",", "."))


def _dotted(pa: Any, pc: Any, known: Any) -> Any:
    padded = pc.replace_substring_regex(known, r"^([0-9])\.", r"0\1.")
    padded = pc.replace_substring_regex(padded, r"\.([0-9])\.", r".0\1.")
    turned = pc.replace_substring_regex(padded, r"^([0-9]{2})\.([0-9]{2})\.([0-9]{4})$", r"\3-\2-\1")
    return turned.cast(pa.date32())


def tidy(column: Any) -> Any:
    """Whole numbers as integers and midnights as dates, for formats that know neither."""
    pa, pc = load("pyarrow"), load("pyarrow.compute")
    if column.null_count == len(column):
        return column
    if pa.types.is_floating(column.type):
        whole = pc.all(pc.and_(pc.equal(column, pc.round(column)), pc.less(pc.abs(column), 2.0**53))).as_py()
        return column.cast(pa.int64()) if whole else column
    if pa.types.is_timestamp(column.type) and column.type.tz is None:
        days = column.cast(pa.date32(), safe=False)
        return days if pc.all(pc.equal(days.cast(column.type), column)).as_py() else column
    return column
