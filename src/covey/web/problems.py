"""What is in doubt about a column, said at that column, each with what repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from covey.columns.codes import Sign
from covey.columns.profile import NESTED, NUMBERS, TIMES
from covey.web.kinds import AMOUNTS, CODES, DATES, UNSAID, kind_of
from covey.web.sentences import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.profile import Column
    from covey.web.choices import Settings

NAMES_RECORDS = 0.9
"""Of a text with so large a share of different values, nearly all would vanish in groups."""


class Repair(NamedTuple):
    """A button: what it says, and what it changes about the column, the role ("role"), the kind ("kind") or a choice at the column."""

    title: str
    changes: str
    value: object


class Problem(NamedTuple):
    """A sentence, what repairs it, and whether nothing is released before that is decided."""

    sentence: str
    repairs: tuple[Repair, ...]
    must: bool = True


DROP, GROUP = Repair("Drop it", "role", "drop"), Repair("Group it", "role", "quasi")
ACCEPT = Repair("Publish it all the same", "accept", value=True)


def problems(column: Column, role: str, settings: Settings, exposed: Mapping[str, str] | None = None) -> list[Problem]:
    """All that is in doubt about a column in its role; `exposed` says what a preview found against columns that are published.

    >>> from covey.columns.profile import Column
    >>> from covey.web.choices import Settings
    >>> [problem] = problems(Column("sex", "whole numbers", 9, 2, 0, (), codes=(Sign.FEW,)), "quasi", Settings())
    >>> problem.sentence, [repair.title for repair in problem.repairs]
    ('Looks like codes: it has few different values.', ['They are codes', 'They are numbers'])
    """
    if role == "drop":
        return []
    if column.type == NESTED:
        return [Problem("Lists and structures cannot be released.", (DROP,))]
    if role in ("keep", "sensitive") and column.name not in settings.accept:
        why = (exposed or {}).get(column.name)
        text = f"It is published as it is, and may undo the grouping: {why}."
        return [] if why is None else [Problem(text, (ACCEPT, GROUP, DROP))]
    if role != "quasi":
        return []
    if column.known == 0:
        return [Problem("It holds no value at all.", (DROP,), must=False)]
    doubts = _of_kind(column, settings)
    share = column.distinct / column.known
    if column.type not in (*NUMBERS, *TIMES) and share > NAMES_RECORDS and not doubts:
        doubts.append(
            Problem(f"{share:.0%} of its values are different: grouped, few of them stay.", (DROP,), must=False)
        )
    return doubts


def open_questions(
    columns: Sequence[Column], roles: Mapping[str, str], settings: Settings, exposed: Mapping[str, str] | None = None
) -> list[str]:
    """The columns about which something must be decided before there can be a release."""
    return [
        column.name
        for column in columns
        if any(problem.must for problem in problems(column, roles.get(column.name, "drop"), settings, exposed))
    ]


def asked_first(names: Sequence[str]) -> str:
    """Why there is no preview and no release yet."""
    of = "A column is" if len(names) == 1 else f"{len(names)} columns are"
    return f"{of} in doubt: {listed(list(names))}. Answer the questions at them, at the step Columns."


def _of_kind(column: Column, settings: Settings) -> list[Problem]:
    if kind_of(settings, column) != UNSAID:
        return []
    missing = tuple(str(value) for value in column.odd)
    repairs = (
        [
            Repair(
                f"{listed(list(missing))} stand for missing values"
                if len(missing) > 1
                else f"{missing[0]} stands for a missing value",
                "missing_codes",
                missing,
            )
        ]
        if missing
        else []
    )
    if column.unclear:
        return [_unclear(column, repairs)]
    doubts = []
    if Sign.MARK in column.codes:
        sentence = f"{listed(list(missing))} lies far from all other values: does it stand for a missing one?"
        amounts = Repair("It is a number like the others", "kind", AMOUNTS)
        doubts.append(Problem(sentence, (*repairs, amounts)))
    reasons = [sign.value for sign in column.codes if sign is not Sign.MARK]
    if reasons:
        days = [Repair("They are days, such as 19991231", "kind", DATES)] if Sign.DAYS in column.codes else []
        answers = (Repair("They are codes", "kind", CODES), Repair("They are numbers", "kind", AMOUNTS), *days)
        doubts.append(Problem(f"Looks like codes: {', '.join(reasons)}.", answers))
    return doubts


def _unclear(column: Column, repairs: Sequence[Repair]) -> Problem:
    """What has no clear type: dates of which the order is open, or numbers and text in one column."""
    if column.forms:
        orders = {"d": "The day stands first", "m": "The month stands first", "y": "The year stands first"}
        dates = [Repair(f"{orders[form[0]]}: {form}", "dates", form) for form in column.forms]
        text = "Looks like dates, and nothing tells which of day and month stands first."
        return Problem(text, (*dates, Repair("They are no dates, but categories", "kind", CODES)))
    reason = column.unclear.partition(";")[0]
    text = f"It has no clear type: {reason}."
    return Problem(text, (*repairs, Repair("Take all of it as categories", "kind", CODES), DROP))
