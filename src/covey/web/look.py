"""What a worker finds out about the columns of a table, beyond what their profile says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from covey.columns.codes import MOST_VALUES, Sign, looked_at
from covey.columns.dates import DateForm
from covey.columns.profile import NESTED, NUMBERS, TIMES, Column, profile
from covey.columns.values import read_values
from covey.memory import code_signs
from covey.utils.arrow import pa, pc
from covey.web.kinds import FORMS

if TYPE_CHECKING:
    from covey.io import Loaded
    from covey.utils.arrow import Column as ArrowColumn

FEW = 3
"""More different values that are no number are no marks of missing ones."""
_NUMBER = r"^\s*[+-]?[0-9]+([.,][0-9]+)?\s*$"


def look(loaded: Loaded) -> list[Column]:
    """The columns of a table, with what is in doubt about each."""
    return [_looked(loaded, column) for column in profile(loaded.table)]


def _looked(loaded: Loaded, column: Column) -> Column:
    if column.type == NESTED or column.known == 0:
        return column
    values = pc.unique(loaded.table.column(column.name)).drop_null()
    few = column.distinct <= MOST_VALUES and column.type not in (*TIMES, "true or false")
    ordered = tuple(map(str, sorted(values.to_pylist()))) if few else ()
    column = replace(column, values=ordered)
    if column.name in loaded.mixed:
        return replace(column, unclear=loaded.mixed[column.name], forms=_forms(values), odd=_no_numbers(values))
    if column.type not in NUMBERS or column.name in loaded.nominal:
        return column
    signs = code_signs(loaded, column.name)
    forms = ("yyyymmdd",) if Sign.DAYS in signs else ()
    return replace(column, codes=signs, forms=forms, odd=_marks(loaded, column.name) if Sign.MARK in signs else ())


def _marks(loaded: Loaded, name: str) -> tuple[str, ...]:
    return tuple(map(str, looked_at(read_values(name, loaded.table.column(name))).far_marks))


def _forms(values: ArrowColumn) -> tuple[str, ...]:
    """The forms of dates that all values of a text have."""
    texts = pc.utf8_trim_whitespace(values.cast(pa.string()))
    return tuple(
        form for form in FORMS if pc.all(pc.match_substring_regex(texts, DateForm.parse(form).pattern)).as_py()
    )


def _no_numbers(values: ArrowColumn) -> tuple[str, ...]:
    """The values of a text of numbers that are none, where they are few."""
    texts = pc.utf8_trim_whitespace(values.cast(pa.string()))
    others = pc.unique(texts.filter(pc.invert(pc.match_substring_regex(texts, _NUMBER)))).to_pylist()
    return tuple(others) if len(others) <= FEW and len(others) < len(values) else ()
