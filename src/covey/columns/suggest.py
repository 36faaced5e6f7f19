"""Which role a column may have: a guess from its name, type and values, with the reason. The publisher decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from covey.columns.codes import words_of
from covey.columns.profile import NESTED, NUMBERS, TIMES, Column

if TYPE_CHECKING:
    from collections.abc import Sequence


_NAMES = (
    "name surname firstname lastname id uid email mail phone telephone mobile ssn passport iban account address "
    "street login username url ip"
)
NAMES = frozenset(_NAMES.split())
IDS = frozenset(["id", "uid", "ssn", "passport", "iban", "account"])
_PRIVATE = (
    "diagnosis disease illness condition health hiv disability treatment drug religion faith party vote orientation "
    "crime conviction union grade score"
)
PRIVATE = frozenset(_PRIVATE.split())
_KNOWN = (
    "age birth birthday born dob year sex gender zip zipcode postcode plz region city town county state country "
    "district municipality nationality marital education job occupation profession industry sector race ethnicity "
    "height household children income salary wage revenue turnover employees charge price admitted discharged"
)
KNOWN = frozenset(_KNOWN.split())
WEIGHTS = {"wgt", "pweight", "fweight", "sweight"}


class Suggestion(NamedTuple):
    """A role and why."""

    role: str
    reason: str


def suggest(columns: Sequence[Column]) -> dict[str, Suggestion]:
    """A suggestion for every column. Where nothing speaks for less, it is the cautious one: a quasi-identifier.

    >>> from covey.columns.profile import Column
    >>> suggest([Column("age", "whole numbers", 100, 60, 0, ())])["age"].role
    'quasi'
    """
    suggestions = {column.name: _by_shape(column) or _by_name(column) or _by_values(column) for column in columns}
    ids = [column for column in columns if not IDS.isdisjoint(words_of(column.name))]
    repeated = [column.name for column in ids if 2 <= column.distinct < column.known]
    if repeated:
        suggestions[repeated[0]] = Suggestion(
            "unit", "its name is that of an identifier and it repeats: k then counts persons, not rows"
        )
    return suggestions


def _by_shape(column: Column) -> Suggestion | None:
    if column.type == NESTED:
        return Suggestion("drop", "lists and structures cannot be released")
    if column.known == 0:
        return Suggestion("drop", "it holds no value at all")
    return None


def _by_name(column: Column) -> Suggestion | None:
    words = set(words_of(column.name))
    if words & NAMES:
        return Suggestion("drop", "its name is that of an identifier")
    if column.type in NUMBERS and (words & WEIGHTS or ("weight" in words and words & {"sampling", "survey"})):
        return Suggestion("weight", "its name is that of a sampling weight")
    if words & PRIVATE:
        return Suggestion("sensitive", "its name sounds like what others would like to learn")
    if column.distinct == 1 and not column.missing:  # where some are missing, it tells who has it
        return Suggestion("keep", "it is the same for everyone, so it tells nobody apart")
    if words & KNOWN:
        return Suggestion("quasi", "its name sounds like what others may know")
    return None


def _by_values(column: Column) -> Suggestion:
    share = column.distinct / column.known
    if share > 0.9 and column.type not in (*NUMBERS, *TIMES):
        return Suggestion("drop", f"{share:.0%} of its values are different: they name the record")
    if column.type == "whole numbers" and share == 1.0 and column.known > 100:
        return Suggestion("drop", "every number occurs once, like a running number or an identifier")
    if column.type in TIMES:
        return Suggestion("quasi", "others may know when something happened")
    if column.type in NUMBERS and column.distinct > 20:
        return Suggestion("quasi", f"{column.distinct:,} different amounts single records out")
    return Suggestion("quasi", "others may know it; keep it as it is only where nobody outside can")
