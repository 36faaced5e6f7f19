"""What the values of a column are: as it was found, and as it can be said at the column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.columns.profile import NUMBERS, TIMES

if TYPE_CHECKING:
    from covey.columns.profile import Column
    from covey.web.choices import Settings

UNSAID, AMOUNTS, CODES, ORDERED, DATES = "not said yet", "numbers", "codes or categories", "ordered categories", "dates"
KINDS = {
    UNSAID: "It can be released as a quasi-identifier once you have said what it holds.",
    AMOUNTS: "A group gets their mean.",
    CODES: "A group gets its most frequent one.",
    ORDERED: "A group gets the middle one, in the order below.",
    DATES: "A group gets their mean.",
}
DECLARED = {"nominal": CODES, "number": AMOUNTS, "ordinal": ORDERED, "dates": DATES}
"""The choices that say what a column is."""
FORMS = ("dd.mm.yyyy", "dd/mm/yyyy", "mm/dd/yyyy", "dd-mm-yyyy", "mm-dd-yyyy", "yyyy/mm/dd", "yyyymmdd", "ddmmyyyy")
ABOUT_KINDS = ("decimals", "top", "bottom", "zeros_apart", "aggregates", "grid")
"""Choices that a column of another kind may not have."""
READ_AGAIN = ("dates", "missing_codes")
"""Choices with which the table is read again, since they decide what the columns hold."""


def found_kind(column: Column) -> str:
    """What a column is where nothing is said of it.

    >>> from covey.columns.profile import Column
    >>> found_kind(Column("age", "whole numbers", 9, 9, 0, ())), found_kind(Column("sex", "text", 9, 2, 0, ()))
    ('numbers', 'codes or categories')
    """
    if column.codes or column.unclear:
        return UNSAID
    return AMOUNTS if column.type in NUMBERS else DATES if column.type in TIMES else CODES


def offered_kinds(column: Column) -> list[str]:
    """What can be said of a column."""
    kinds = [found_kind(column)]
    if column.type in NUMBERS:
        kinds.append(AMOUNTS)
    kinds.append(CODES)
    if column.values:
        kinds.append(ORDERED)
    if column.type in ("text", "whole numbers"):
        kinds.append(DATES)
    return list(dict.fromkeys(kinds))


def kind_of(settings: Settings, column: Column) -> str:
    """What a column is taken for now."""
    said = (kind for name, kind in DECLARED.items() if settings.of(name, column.name) is not None)
    return next(said, found_kind(column))


def with_kind(settings: Settings, column: Column, kind: str) -> Settings:
    """The settings in which a column is of that kind; what only another kind can have is taken back.

    >>> from covey.columns.profile import Column
    >>> from covey.web.choices import Settings
    >>> with_kind(Settings(), Column("sex", "whole numbers", 9, 2, 0, ()), CODES).at
    {'nominal': {'sex': True}}
    """
    changed = kind != kind_of(settings, column)
    for name in (*DECLARED, *(ABOUT_KINDS if changed else ())):
        settings = settings.with_choice(name, column.name, None)
    if kind in (found_kind(column), UNSAID):
        return settings
    values: dict[str, object] = {
        CODES: True,
        AMOUNTS: True,
        ORDERED: column.values,
        DATES: (*column.forms, *FORMS)[0],
    }
    name = next(name for name, declared in DECLARED.items() if declared == kind)
    return settings.with_choice(name, column.name, values[kind])
