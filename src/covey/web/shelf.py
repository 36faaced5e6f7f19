"""Which columns are shown, in which order, and which of them are ticked: for tables of many columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from covey.web.choices import ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.columns.profile import Column

ALL, DOUBT = "All columns", "Columns in doubt"
FILE = "As in the file"
PAGE = 40
"""So many columns are shown at a time."""
ORDERS: dict[str, Callable[[Column], object]] = {
    FILE: lambda _column: 0,
    "Name": lambda column: column.name.casefold(),
    "Type": lambda column: column.type,
    "Most different values first": lambda column: -column.distinct,
    "Most missing values first": lambda column: -column.missing,
}


@dataclass
class Shelf:
    """What was typed and chosen above the list of columns, and what was unfolded in it."""

    words: str = ""
    only: str = ALL
    order: str = FILE
    page: int = 1
    ticked: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)
    """The columns of which more is shown than one line: they stay so when the table is read again."""


def filters(roles: Mapping[str, str]) -> list[str]:
    """What the list can be narrowed to: columns in doubt, or those of a role that is in use.

    >>> filters({"age": "quasi", "name": "drop"})
    ['All columns', 'Columns in doubt', 'Quasi-identifier', 'Drop']
    """
    return [ALL, DOUBT, *(title for role, (title, _) in ROLES.items() if role in roles.values())]


def arranged(
    columns: Sequence[Column], roles: Mapping[str, str], doubtful: Sequence[str], shelf: Shelf
) -> list[Column]:
    """The columns that are shown, in their order.

    >>> from covey.columns.profile import Column
    >>> both = [Column("sex", "text", 9, 2, 0, ()), Column("age", "whole numbers", 9, 7, 0, ())]
    >>> [column.name for column in arranged(both, {"sex": "quasi", "age": "keep"}, [], Shelf(order="Name"))]
    ['age', 'sex']
    """
    typed = shelf.words.casefold().split()
    kept = [
        column
        for column in columns
        if all(word in column.name.casefold() for word in typed)
        and (column.name in doubtful if shelf.only == DOUBT else shelf.only in (ALL, ROLES[roles[column.name]][0]))
    ]
    return sorted(kept, key=ORDERS[shelf.order])  # type: ignore[arg-type]
