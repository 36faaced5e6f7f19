"""Types of columns that arrive as text: from all values, and never at the price of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable

INTEGER = r"^[+-]?(0|[1-9][0-9]*)$"
NUMBER = r"^[+-]?(0|[1-9][0-9]*|0?\.[0-9]+|(0|[1-9][0-9]*)\.[0-9]*)([eE][+-]?[0-9]+)?$"
_COMMA = r"^[+-]?((0|[1-9][0-9]*)(,[0-9]+)?|[1-9][0-9]{0,2}(\.[0-9]{3})+(,[0-9]+)?)$"
_POINTS = r"^[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+$"
BOOLEAN = r"^(?i:true|false)$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_DOTTED_DATE = r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$"
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
ZONE = r"(Z|[+-][0-9]{2}:?[0-9]{2})$"
MISSING = ("NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "#N/A", ".")
_SUSPICIOUS = {
    r"^[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}$": "they look like dates with slashes, day and month in an unknown order",
    r"^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?$": "they look like numbers with commas between thousands",
}


@dataclass
class Found:
    """What was noticed while types were found."""

    notes: list[str] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)
    """Columns that are text although they look like numbers or dates, and why."""
    texts: dict[str, Any] = field(default_factory=dict)
    """Columns whose type tells less than their text, as they were written."""
    decimal: str = "."


class _Attempt(NamedTuple):
    pattern: str
    convert: Callable[[], Any]
    sign: str = ""
    otherwise: str = ""
    """What is wrong with values that look right and cannot be converted."""


def infer(table: Any, *, comma: bool, decimal: str | None = None) -> tuple[Found, list[Any]]:
    """Give each column of text the type that all of its values have. An empty cell is missing.

    Codes with leading zeros stay text. With `comma`, numbers may have decimal commas, unless `decimal` says what they have.
    """
    found, columns, signs = Found(), [], {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        typed, signs[name] = _Column(name, column, found, comma=comma, decimal=decimal).typed()
        columns.append(typed)
    if "," in signs.values():
        found.decimal = ","
        points = [name for name, sign in signs.items() if sign == "."]
        if points:
            found.notes.append(
                f"the file has decimal commas; points in {', '.join(points)} were read as decimal points, too"
            )
    return found, columns


class _Column:
    """One column of text on its way to a type."""

    def __init__(self, name: str, column: Any, found: Found, *, comma: bool, decimal: str | None) -> None:
        pa, self.pc = load("pyarrow"), load("pyarrow.compute")
        pc = self.pc
        self.name, self.found, self.comma, self.decimal = name, found, comma and decimal != ".", decimal
        text = pc.utf8_trim_whitespace(column)
        self.marked = pc.is_in(text, value_set=pa.array(MISSING))
        self.known = pc.if_else(pc.or_(pc.equal(text, ""), self.marked), None, text)
        self.plain = pc.if_else(pc.equal(column, ""), None, column)
        self.filled = len(self.known) - self.known.null_count

    def _matches(self, pattern: str) -> int:
        return int(self.pc.sum(self.pc.match_substring_regex(self.known, pattern)).as_py() or 0)

    def typed(self) -> tuple[Any, str]:
        """The column in its type, and its decimal sign."""
        if self.filled == 0:
            return self.plain, ""
        counted = {}
        for attempt in self._attempts():
            counted[attempt.pattern] = self._matches(attempt.pattern)
            if counted[attempt.pattern] == self.filled:
                return self._converted(attempt)
        if not self._matches(r"^0[0-9]+$"):  # else they are codes
            self._suspect(max(counted.values()))
        return self.plain, ""

    def _attempts(self) -> list[_Attempt]:
        pa, pc, known = load("pyarrow"), self.pc, self.known
        digits, day = "some have more digits than an integer holds", "some are no such day or time"
        unsigned = pc.replace_substring_regex(known, r"^\+", "")
        attempts = [
            _Attempt(INTEGER, lambda: unsigned.cast(pa.int64()), "", digits),
            _Attempt(BOOLEAN, lambda: pc.utf8_lower(known).cast(pa.bool_())),
            _Attempt(DATE, lambda: known.cast(pa.date32()), "", day),
            _Attempt(_DOTTED_DATE, self._dotted, "", day),
            _Attempt(TIME + "$", lambda: known.cast(pa.timestamp("us")), "", day),
            _Attempt(TIME + ZONE, lambda: known.cast(pa.timestamp("us", "UTC")), "", day),
        ]
        if self.decimal != ",":
            attempts.insert(1, _Attempt(NUMBER, lambda: unsigned.cast(pa.float64()), "."))
        if self.comma:
            without = pc.replace_substring(pc.replace_substring(unsigned, ".", ""), ",", ".")
            attempts.insert(2, _Attempt(_COMMA, lambda: without.cast(pa.float64()), ","))
        return attempts

    def _converted(self, attempt: _Attempt) -> tuple[Any, str]:
        if attempt.pattern == NUMBER and self.comma and self.decimal is None and self._points_are_unclear():
            self.found.mixed[self.name] = "points may stand between thousands or before decimals; say which (--decimal)"
            return self.plain, ""
        try:
            typed = attempt.convert()
        except load("pyarrow").ArrowInvalid:
            self.found.mixed[self.name] = f"they look alike, but {attempt.otherwise}"
            return self.plain, ""
        self._note(attempt.pattern)
        count = self.pc.count_distinct
        if count(typed, mode="only_valid").as_py() < count(self.known, mode="only_valid").as_py() or self._matches(
            r"^\+"
        ):
            self.found.texts[self.name] = self.plain
        return typed, attempt.sign

    def _points_are_unclear(self) -> bool:
        with_points = self._matches(r"\.")
        return with_points > 0 and self._matches(_POINTS) == with_points

    def _suspect(self, likely: int) -> None:
        if 0.5 * self.filled < likely < self.filled:
            self.found.mixed[self.name] = (
                f"{likely} of {self.filled} values are numbers or dates of one kind, the others are not"
            )
        for pattern, what in _SUSPICIOUS.items():
            if self._matches(pattern) > 0.5 * self.filled:
                self.found.mixed[self.name] = what

    def _note(self, pattern: str) -> None:
        pc, notes = self.pc, self.found.notes
        marks = int(pc.sum(self.marked).as_py() or 0)
        if marks:
            notes.append(f"column {self.name!r}: {marks} cells such as NA or null were read as missing")
        if pattern == _DOTTED_DATE:
            notes.append(f"column {self.name!r} holds dates as day.month.year; they are published as year-month-day")
        if pattern == TIME + ZONE and self._matches(ZONE.replace("Z|", "")):
            notes.append(f"column {self.name!r} has times with time-zone offsets; they are published in UTC")

    def _dotted(self) -> Any:
        pc = self.pc
        padded = pc.replace_substring_regex(self.known, r"^([0-9])\.", r"0\1.")
        padded = pc.replace_substring_regex(padded, r"\.([0-9])\.", r".0\1.")
        turned = pc.replace_substring_regex(padded, r"^([0-9]{2})\.([0-9]{2})\.([0-9]{4})$", r"\3-\2-\1")
        return turned.cast(load("pyarrow").date32())


def find_times(name: str, texts: Any, found: Found) -> Any:
    """Text as dates or times where all of it is, for formats whose numbers are numbers; what was noticed goes to `found`."""
    pa = load("pyarrow")
    inferred, (typed,) = infer(pa.table({name: texts.cast(pa.string()).fill_null("")}), comma=False)
    if not pa.types.is_temporal(typed.type):
        return texts
    found.notes += inferred.notes
    found.texts[name] = texts
    return typed


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
