"""Types of columns that arrive as text: from all values, and never at the price of one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from covey.columns.dates import DAY, MONTH, YEAR, DateForm, as_dates
from covey.columns.missing_codes import code_notes
from covey.errors import pasted
from covey.io.header import shape_of
from covey.utils.arrow import Column, Table, pa, pc
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


_INTEGER = r"^[+-]?(0|[1-9][0-9]*)$"
_NUMBER = r"^[+-]?(0|[1-9][0-9]*|0?\.[0-9]+|(0|[1-9][0-9]*)\.[0-9]*)([eE][+-]?[0-9]+)?$"
_COMMA = r"^[+-]?((0|[1-9][0-9]*)(,[0-9]+)?|[1-9][0-9]{0,2}(\.[0-9]{3})+(,[0-9]+)?)$"
_POINTS = r"^[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+$"
_BOOLEAN = r"^(?i:true|false)$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_DOTTED_DATE = r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$"
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
_ZONE = r"(Z|[+-][0-9]{2}:?[0-9]{2})$"
_MISSING = ("NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "#N/A", ".")
_DAY_FIRST, _MONTH_FIRST = f"^{DAY}[-/]{MONTH}[-/]{YEAR}$", f"^{MONTH}[-/]{DAY}[-/]{YEAR}$"
_NO_DATES = "they look like dates, and some are no day of the calendar, or have years of two digits; correct them first"
_MONTH_NAME = "(?i:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*"
_SIGNED = r"[+-]?[0-9][0-9.,'\x{2019}\x{a0}\x{202f} ]*"
_SIGN = r"(\p{Sc}|[%‰]|(?i:EUR|USD|CHF|GBP|JPY|SEK|NOK|DKK|PLN|CZK|Fr\.|kr\.?))"
_SUSPICIOUS = {
    r"^[0-9]{1,2}[-/][0-9]{1,2}[-/]([0-9]{2}|[0-9]{4})$": _NO_DATES,
    rf"^{DAY}\.{MONTH}\.[0-9]{{2}}$": _NO_DATES,
    rf"^[12][0-9]{{3}}[-/.]{MONTH}$": "they look like months; write the first day of each (1990-05-01)",
    rf"^({DAY}[ .-]+)?{_MONTH_NAME}[ .-]+({DAY},? +)?[0-9]{{4}}$": "they look like dates with names of months; write them as 1990-05-31",
    r"^[+-]?(0|[1-9][0-9]*),[0-9]+$": "they look like numbers with decimal commas; say it (--decimal ,)",
    r"^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?$": "they look like numbers with commas between thousands",
    r"^[+-]?[1-9][0-9]{0,2}(['\x{2019}\x{a0}\x{202f} ][0-9]{3})+([.,][0-9]+)?$": "they look like numbers with spaces or apostrophes between thousands",
    rf"^([+-]?{_SIGN} ?{_SIGNED}|{_SIGNED}{_SIGN})$": "they look like numbers with a sign of a currency or of percent; write them without it",
    r"^[0-9]+([.,][0-9]+)?-$": "they look like numbers with the minus behind; write it before them",
    r"^[+-]?[1-9][0-9]{0,2}(_[0-9]{3})+$": "they look like numbers with underscores between thousands",
    r"^([01]?[0-9]|2[0-4]):[0-5][0-9](:[0-5][0-9])?$": "they look like times of the day; write them as numbers, such as minutes since midnight",
}
_SEVERAL_DATES = "they look like dates and times written in several forms; write all of them in one, such as 1990-05-31"
_CODE, _POINT, _PLUS, _OFFSET = r"^0[0-9]+$", r"\.", r"^\+", _ZONE.replace("Z|", "")
_LOOKED_FOR = (_CODE, _POINT, _POINTS, _PLUS, _OFFSET, *_SUSPICIOUS)


@dataclass
class Found:
    """What was noticed while types were found."""

    notes: list[Note] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)
    """Columns that are text although they look like numbers or dates, and why."""
    texts: dict[str, Column] = field(default_factory=dict)
    """Columns whose type tells less than their text, as they were written."""
    unclear_dates: list[str] = field(default_factory=list)
    """Columns of dates of which nothing tells whether day or month stands first."""
    unread: list[str] = field(default_factory=list)
    """Columns of numbers or dates in a form that is not read, or in several forms."""
    decimal: str = "."
    named: int = 0
    """Columns whose name is one of their values."""
    shaped: int = 0
    """Columns whose name has letters and digits where all of their values have some."""


class _Attempt(NamedTuple):
    pattern: str
    convert: Callable[[Column], Column]
    sign: str = ""
    otherwise: str = ""
    """What is wrong with values that look right and cannot be converted."""
    twin: str = ""
    """Another reading, which must not fit all values as well."""


@dataclass(frozen=True)
class Declared:
    """What was said of columns of text: which values stand for a missing one, and how dates are written."""

    missing_codes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)


def infer(
    table: Table, *, comma: bool, decimal: str | None = None, declared: Declared | None = None
) -> tuple[Found, list[Column]]:
    """Give each column of text the type that all of its values have. An empty cell is missing.

    Codes with leading zeros stay text. With `comma`, numbers may have decimal commas, unless `decimal` says what they have.
    """
    noticed, columns = Found(), []
    looked = [TextColumn(name, comma=comma, decimal=decimal, declared=declared) for name in table.column_names]
    for text, column in zip(looked, table.columns, strict=True):
        text.look(column, whole=True)
        text.decide(noticed)
        typed = text.typed(column)
        if text.attempt is not None and text.tells_less(column, typed):
            noticed.texts[text.name] = text.plain(column)
        columns.append(typed)
    note_signs(looked, noticed)
    return noticed, columns


def note_signs(looked: Sequence[TextColumn], noticed: Found) -> None:
    """Say which decimal sign a table has, and where it has both."""
    signs = {text.name: text.sign for text in looked}
    if "," in signs.values():
        noticed.decimal = ","
        points = [name for name, sign in signs.items() if sign == "."]
        if points:
            text = f"the file has decimal commas; points in {', '.join(points)} were read as decimal points, too"
            noticed.notes.append(Note(NoteKind.READING, text))


class TextColumn:
    """One column of text on its way to a type: `look` at all of it, in parts where it is large, `decide`, then read it `typed`."""

    def __init__(self, name: str, *, comma: bool, decimal: str | None, declared: Declared | None = None) -> None:
        declared = declared or Declared()
        self.name, self.decimal = name, decimal
        self.comma = decimal == "," or (comma and decimal is None)
        self.codes = tuple(declared.missing_codes.get(name, ()))
        self.form = DateForm.parse(declared.dates[name]) if name in declared.dates else None
        self.attempts = self._attempts()
        self.matches: Counter[str] = Counter()
        self.broken: set[str] = set()
        self.filled = self.marks = self.coded = 0
        self.named = False  # whether its name is one of its values
        self.shape = shape_of(name)
        self.attempt: _Attempt | None = None
        self._whole: tuple[Column, Column | None] | None = None
        """A column that was looked at as a whole, and the same in its type."""

    @property
    def sign(self) -> str:
        """Its decimal sign, where it has one."""
        return "" if self.attempt is None else self.attempt.sign

    def look(self, column: Column, *, whole: bool = False) -> None:
        """Count what the values of a part look like; of the `whole` column only what decides."""
        known, marked, coded = self._cells(column)
        filled = len(known) - known.null_count
        self.filled, self.marks = self.filled + filled, self.marks + int(pc.sum(marked).as_py() or 0)
        self.coded += int(pc.sum(coded).as_py() or 0)
        if filled == 0:
            return
        self.named = self.named or bool(pc.any(pc.equal(known, self.name)).as_py())
        if self.shape is not None:
            self._count(known, self.shape)
        for attempt in self.attempts:
            self._count(known, attempt.pattern)
            if self.matches[attempt.pattern] == self.filled and attempt.pattern not in self.broken:
                typed = self._try(known, attempt)
                if whole:
                    self._whole = (column, typed)
                    break
        decided = whole and self.matches[attempt.pattern] == self.filled
        twin = (attempt.twin,) if attempt.twin and attempt.twin not in self.matches else ()
        for pattern in (_POINT, _POINTS, _PLUS, _OFFSET, *twin) if decided else _LOOKED_FOR:
            self._count(known, pattern)

    def seen(self) -> tuple[Counter[str], set[str], int, int, int, bool]:
        """What was counted, to be sent to who looked at other parts."""
        return self.matches, self.broken, self.filled, self.marks, self.coded, self.named

    def take_over(self, matches: Counter[str], broken: set[str], *counted: int) -> None:
        """Count what another one saw of other parts."""
        filled, marks, coded, named = counted
        self.named = self.named or bool(named)
        self.matches.update(matches)
        self.broken |= broken
        self.filled, self.marks, self.coded = self.filled + filled, self.marks + marks, self.coded + coded

    def choose(self, pattern: str | None) -> None:
        """Take the type that was decided on elsewhere."""
        self.attempt = next((attempt for attempt in self.attempts if attempt.pattern == pattern), None)

    def _count(self, known: Column, pattern: str) -> None:
        self.matches[pattern] += int(pc.sum(pc.match_substring_regex(known, pattern)).as_py() or 0)

    def _try(self, known: Column, attempt: _Attempt) -> Column | None:
        try:
            return attempt.convert(known)
        except pa.ArrowInvalid:
            self.broken.add(attempt.pattern)
            return None

    def decide(self, noticed: Found) -> None:
        """Choose the type that all values have."""
        self.attempt = None
        noticed.named += self.named
        noticed.shaped += self.shape is not None and self.matches[self.shape] == self.filled > 0
        if self.codes:
            noticed.notes += code_notes({self.name: self.coded})
        if self.filled == 0:
            return
        for attempt in self.attempts:
            if self.matches[attempt.pattern] == self.filled:
                self._choose(attempt, noticed)
                return
        if self.form is not None:
            raise self.form.broken(
                self.name, f"{self.filled - self.matches[self.form.pattern]} of its values are not written like that"
            )
        if not self.matches[_CODE]:
            self._suspect(max(self.matches[attempt.pattern] for attempt in self.attempts), noticed)

    def _choose(self, attempt: _Attempt, noticed: Found) -> None:
        unclear = self.matches[_POINT] > 0 and self.matches[_POINTS] == self.matches[_POINT]
        if attempt.pattern == _NUMBER and self.comma and self.decimal is None and unclear:
            noticed.mixed[self.name] = "points may stand between thousands or before decimals; say which (--decimal)"
        elif attempt.twin and self.matches[attempt.twin] == self.filled:
            noticed.unclear_dates.append(self.name)
            day, month = (pasted([f"{self.name}={form}"]) for form in ("dd/mm/yyyy", "mm/dd/yyyy"))
            noticed.mixed[self.name] = (
                f"they look like dates, and no day above 12 tells whether day or month stands first; say it: --dates {day} or "
                f"--dates {month} (dates)"
            )
        elif attempt.pattern in self.broken and self.form is not None:
            raise self.form.broken(self.name, attempt.otherwise)
        elif attempt.pattern in self.broken:
            noticed.mixed[self.name] = f"they look alike, but {attempt.otherwise}"
        else:
            self.attempt = attempt
            self._note(attempt.pattern, noticed)

    def typed(self, column: Column) -> Column:
        """The values of a part in the type that was chosen."""
        if self.attempt is None:
            return self.plain(column)
        if self._whole is not None and self._whole[0] is column and self._whole[1] is not None:
            return self._whole[1]
        return self.attempt.convert(self.known(column))

    @property
    def likely(self) -> _Attempt | None:
        """The type that all values so far have, and can be converted to."""
        fitting = (attempt for attempt in self.attempts if self.filled and self.matches[attempt.pattern] == self.filled)
        first = next(fitting, None)
        return None if first is None or first.pattern in self.broken else first

    @property
    def loses_form(self) -> bool:
        """Whether its type is written in another way: a number with a plus, a date with slashes."""
        turned = self.attempt is not None and (self.attempt.twin or self.form is not None)
        return self.matches[_PLUS] > 0 or bool(turned)

    def known(self, column: Column) -> Column:
        """The values of a part that are not missing, without spaces around them."""
        return self._cells(column)[0]

    def plain(self, column: Column) -> Column:
        """The values of a part as text, empty ones and declared codes missing."""
        empty = pc.equal(column, "")
        return pc.if_else(pc.or_(empty, self._cells(column)[2]) if self.codes else empty, None, column)

    def _cells(self, column: Column) -> tuple[Column, Column, Column]:
        """The values that are not missing, without spaces around them; which cells are marked as missing, and which hold a declared code."""
        text = pc.utf8_trim_whitespace(column)
        marked = pc.is_in(text, value_set=pa.array(_MISSING))
        coded = self._coded(text)
        return pc.if_else(pc.or_(pc.or_(pc.equal(text, ""), marked), coded), None, text), marked, coded

    def _coded(self, text: Column) -> Column:
        """Which cells hold a declared code, however a number is written."""
        hit = pc.is_in(text, value_set=pa.array(self.codes, pa.string()))
        for code in self.codes:
            if re.fullmatch(r"[+-]?[0-9]+", code):
                hit = pc.or_(hit, pc.match_substring_regex(text, f"^{re.escape(code)}[.,]0+$"))
        return hit

    def tells_less(self, column: Column, typed: Column) -> bool:
        """Whether different texts became the same value, or lost a plus."""
        count = pc.count_distinct
        fewer = count(typed, mode="only_valid").as_py() < count(self.known(column), mode="only_valid").as_py()
        return fewer or self.loses_form

    def _attempts(self) -> list[_Attempt]:
        if self.form is not None:
            return [_Attempt(self.form.pattern, self.form.read, "", "some are no day of the calendar")]
        digits, day = "some have more digits than an integer holds", "some are no day or time that exists"

        def unsigned(known: Column) -> Column:
            return pc.replace_substring_regex(known, r"^\+", "")

        def without_points(known: Column) -> Column:
            return pc.replace_substring(pc.replace_substring(unsigned(known), ".", ""), ",", ".")

        attempts = [
            _Attempt(_INTEGER, lambda known: unsigned(known).cast(pa.int64()), "", digits),
            _Attempt(_BOOLEAN, lambda known: pc.utf8_lower(known).cast(pa.bool_())),
            _Attempt(_DATE, lambda known: known.cast(pa.date32()), "", day),
            _Attempt(_DOTTED_DATE, _dotted, "", day),
            _Attempt(_DAY_FIRST, lambda known: as_dates(known, _DAY_FIRST, "dmy"), "", day, _MONTH_FIRST),
            _Attempt(_MONTH_FIRST, lambda known: as_dates(known, _MONTH_FIRST, "mdy"), "", day, _DAY_FIRST),
            _Attempt(_TIME + "$", lambda known: known.cast(pa.timestamp("us")), "", day),
            _Attempt(_TIME + _ZONE, lambda known: known.cast(pa.timestamp("us", "UTC")), "", day),
        ]
        if self.decimal != ",":
            attempts.insert(1, _Attempt(_NUMBER, lambda known: unsigned(known).cast(pa.float64()), "."))
        if self.comma:
            attempts.insert(2, _Attempt(_COMMA, lambda known: without_points(known).cast(pa.float64()), ","))
        return attempts

    def _suspect(self, likely: int, noticed: Found) -> None:
        if 0.5 * self.filled < likely < self.filled:
            noticed.mixed[self.name] = (
                f"{likely} of {self.filled} values are numbers or dates of one kind, the others are not"
            )
        unread = [what for pattern, what in _SUSPICIOUS.items() if self.matches[pattern] > 0.5 * self.filled]
        slashes = max(self.matches[_DAY_FIRST], self.matches[_MONTH_FIRST])
        dates = slashes + sum(self.matches[pattern] for pattern in (_DATE, _DOTTED_DATE, _TIME + "$", _TIME + _ZONE))
        if dates > max(0.5 * self.filled, likely):
            unread.append(_SEVERAL_DATES)
        if unread:
            noticed.mixed[self.name] = unread[-1]
            noticed.unread.append(self.name)

    def _note(self, pattern: str, noticed: Found) -> None:
        texts = []
        if self.marks:
            texts.append(f"column {self.name!r}: {self.marks} cells such as NA or null were read as missing")
        written = {_DOTTED_DATE: "day.month.year", _DAY_FIRST: "day/month/year", _MONTH_FIRST: "month/day/year"}
        if self.form is not None or pattern in written:
            form = written[pattern] if self.form is None else self.form.form
            where = "they are" if pattern == _DOTTED_DATE else "as a quasi-identifier it is"
            texts.append(f"column {self.name!r} holds dates as {form}; {where} published as year-month-day")
        if pattern == _TIME + _ZONE and self.matches[_OFFSET]:
            texts.append(f"column {self.name!r} has times with time-zone offsets; they are published in UTC")
        noticed.notes += [Note(NoteKind.READING, text) for text in texts]


def _dotted(known: Column) -> Column:
    padded = pc.replace_substring_regex(known, r"^([0-9])\.", r"0\1.")
    padded = pc.replace_substring_regex(padded, r"\.([0-9])\.", r".0\1.")
    turned = pc.replace_substring_regex(padded, r"^([0-9]{2})\.([0-9]{2})\.([0-9]{4})$", r"\3-\2-\1")
    return turned.cast(pa.date32())


def find_times(name: str, texts: Column, noticed: Found) -> Column:
    """Text as dates or times where all of it is, for formats whose numbers are numbers; what was seen goes to `noticed`."""
    inferred, (typed,) = infer(pa.table({name: texts.cast(pa.string()).fill_null("")}), comma=False)
    if not pa.types.is_temporal(typed.type):
        if inferred.unclear_dates or inferred.unread:
            noticed.mixed[name] = inferred.mixed[name]
        return texts
    noticed.notes += inferred.notes
    noticed.texts[name] = texts
    return typed


def tidy(column: Column) -> Column:
    """Whole numbers as integers and midnights as dates, for formats that know neither."""
    if column.null_count == len(column):
        return column
    if pa.types.is_floating(column.type):
        whole = pc.all(pc.and_(pc.equal(column, pc.round(column)), pc.less(pc.abs(column), 2.0**53))).as_py()
        return column.cast(pa.int64()) if whole else column
    if pa.types.is_timestamp(column.type) and column.type.tz is None:
        days = column.cast(pa.date32(), safe=False)
        return days if pc.all(pc.equal(days.cast(column.type), column)).as_py() else column
    return column
