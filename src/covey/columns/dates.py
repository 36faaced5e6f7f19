"""Dates that are written in another form than year-month-day: found where a day above 12 decides, else declared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.errors import InputError, OptionError, shown
from covey.utils.arrow import Column, Table, is_text, pa, pc
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping

DAY, MONTH, YEAR = "(0?[1-9]|[12][0-9]|3[01])", "(0?[1-9]|1[0-2])", "([0-9]{4})"
_PARTS = {"d": (DAY, "(0[1-9]|[12][0-9]|3[01])"), "m": (MONTH, "(0[1-9]|1[0-2])"), "y": (YEAR, YEAR)}
_FORM = re.compile(r"(dd?|mm?|yyyy)([-/. ]?)(dd?|mm?|yyyy)\2(dd?|mm?|yyyy)")


@dataclass(frozen=True)
class DateForm:
    """How dates are written: the order of day, month and year, and what stands between them.

    Examples
    --------
    >>> import pyarrow
    >>> DateForm.parse("dd/mm/yyyy").read(pyarrow.array(["5/12/1990"])).to_pylist()
    [datetime.date(1990, 12, 5)]
    """

    form: str
    order: str
    between: str

    @classmethod
    def parse(cls, form: object) -> DateForm:
        """The form that a text such as dd/mm/yyyy or yyyymmdd describes."""
        parts = _FORM.fullmatch(form.lower()) if isinstance(form, str) else None
        order = "" if parts is None else "".join(parts[place][0] for place in (1, 3, 4))
        whole = parts is not None and (parts[2] or len(str(form)) == 8)
        if parts is None or sorted(order) != ["d", "m", "y"] or not whole:
            msg = f"the form of dates is {shown(form)}; needed: dd, mm and yyyy in any order, such as dd/mm/yyyy, mm-dd-yyyy or yyyymmdd"
            raise OptionError(msg)
        return cls(str(form).lower(), order, parts[2])

    @property
    def pattern(self) -> str:
        """What a text of this form matches."""
        parts = [_PARTS[letter][0 if self.between else 1] for letter in self.order]
        return f"^{re.escape(self.between).join(parts)}$"

    def read(self, texts: Column) -> Any:
        """Texts that match the pattern as dates; an error of Arrow where one is no day."""
        return as_dates(texts, self.pattern, self.order)

    def read_column(self, name: str, column: Column) -> Any:
        """A column of text, or of numbers without anything between the parts, as dates."""
        if pa.types.is_temporal(column.type):
            return column
        plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        whole = pa.types.is_integer(plain.type)
        if not (whole or is_text(plain.type)):
            msg = f"column {name!r} is declared to hold dates, and holds {column.type}; needed: text; leave that out (dates, --dates)"
            raise OptionError(msg)
        texts = pc.utf8_trim_whitespace(plain.cast(pa.string()))
        texts = pc.if_else(pc.equal(texts, ""), None, texts)
        fits = int(pc.sum(pc.match_substring_regex(texts, self.pattern)).as_py() or 0)
        try:
            if fits == len(texts) - texts.null_count:
                return self.read(texts)
        except pa.ArrowInvalid:
            raise self.broken(name, "some of its values are no day of the calendar") from None
        raise self.broken(name, f"{len(texts) - texts.null_count - fits} of its values are not written like that")

    def broken(self, name: str, why: str) -> InputError:
        """The error for a column that is not written like this."""
        return InputError(
            f"column {name!r} is declared to hold dates as {self.form}, but {why}; needed: a date in that form in every row, or no value; correct the values or "
            "the form (dates, --dates), or declare what stands for a missing date (missing_codes, --missing-codes)"
        )


def as_dates(texts: Column, pattern: str, order: str) -> Any:
    """Texts of a pattern with three groups, in this order, as dates."""
    place = {letter: number + 1 for number, letter in enumerate(order)}
    turned = pc.replace_substring_regex(texts, pattern, f"\\{place['y']}-0\\{place['m']}-0\\{place['d']}")
    return pc.replace_substring_regex(turned, r"-0([0-9]{2})", r"-\1").cast(pa.date32())


def with_dates(table: Table, forms: Mapping[str, str]) -> tuple[Table, list[Note]]:
    """An Arrow table whose declared columns are dates, and what to report."""
    notes = []
    for name in (one for one in table.column_names if one in forms):
        typed = DateForm.parse(forms[name]).read_column(name, table.column(name))
        table = table.set_column(table.column_names.index(name), name, typed)
        text = f"column {name!r} holds dates as {forms[name]}; as a quasi-identifier it is published as year-month-day"
        notes.append(Note(NoteKind.READING, text))
    return table, notes
