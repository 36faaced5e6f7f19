"""Edit rules: what must hold in every record before, and holds in every record after."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.grain import rounded
from covey.columns.order_rules import OrderRule, UnitMembers
from covey.columns.values import AMOUNTS, NUMBERS, Values
from covey.errors import InputError, OptionError
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.utils.typing import Flags, Floats


@dataclass(frozen=True)
class EditRule:
    """`column >= 0`, or `total = part + part`.

    >>> EditRule.parse("income >= 0")
    EditRule(column='income', parts=())
    >>> EditRule.parse("total = wages + rents")
    EditRule(column='total', parts=('wages', 'rents'))
    """

    column: str
    parts: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> EditRule:
        """Read a rule."""
        bound = re.fullmatch(r"\s*(.+?)\s*>=\s*0(?:\.0*)?\s*", text)
        if bound:
            return cls(bound[1], ())
        total, sign, right = text.partition("=")
        parts = tuple(part.strip() for part in right.split("+"))
        if not sign or not total.strip() or len(parts) < 2 or not all(parts):
            msg = f"the edit rule {text!r} is not understood; needed: 'column >= 0', 'column <= column' or 'total = part + part'"
            raise OptionError(msg)
        return cls(total.strip(), parts)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns it speaks of."""
        return (self.column, *self.parts)

    @property
    def text(self) -> str:
        """The rule, as it may be given."""
        return f"{self.column} = {' + '.join(self.parts)}" if self.parts else f"{self.column} >= 0"


Rule = EditRule | OrderRule


def read_rule(text: str) -> Rule:
    """A rule of any kind."""
    is_bound = re.fullmatch(r".*>=\s*0(?:\.0*)?\s*", text)
    return EditRule.parse(text) if is_bound else OrderRule.parse(text) or EditRule.parse(text)


def check_edits(
    rules: Sequence[Rule], columns: Mapping[str, Values], *, when: str, members: UnitMembers | None = None
) -> None:
    """An error if a record breaks a rule."""
    refuse_broken(rules, broken_rules(rules, columns, members), when=when)


def broken_rules(rules: Sequence[Rule], columns: Mapping[str, Values], members: UnitMembers | None = None) -> list[int]:
    """How many records break each rule."""
    return [
        int((~(rule.holds(columns, members) if isinstance(rule, OrderRule) else _holds(rule, columns))).sum())
        for rule in rules
    ]


def refuse_broken(rules: Sequence[Rule], broken_by: Sequence[int], *, when: str) -> None:
    """An error if a rule is broken."""
    for rule, broken in zip(rules, broken_by, strict=True):
        if broken:
            raise InputError(
                f"{broken} records {when} break the edit rule {rule.text}; needed: none; correct them or leave the rule out"
            )


def check_kinds(rules: Sequence[Rule], columns: Mapping[str, Values]) -> None:
    """Rules speak of amounts (those of an order also of times) that are grouped, and the columns of a rule are of one type."""
    for rule in rules:
        fits, what = (NUMBERS, "numbers or times") if isinstance(rule, OrderRule) else (AMOUNTS, "numbers")
        for name in rule.names:
            if name not in columns and re.fullmatch(r"[+-]?[0-9][0-9.,]*", name):
                msg = f"an edit rule compares with the number {name}; needed: 0, as in 'column >= 0', or a quasi-identifier; leave the rule out"
                raise OptionError(msg)
            if name not in columns or columns[name].kind not in fits:
                msg = f"an edit rule speaks of {name!r}; needed: quasi-identifiers that are {what}; leave the rule out"
                raise OptionError(msg)
        if len({_unit_of(columns[name]) for name in rule.names}) > 1:
            msg = f"the columns {', '.join(rule.names)} of an edit rule differ in type; needed: one type; convert them first"
            raise OptionError(msg)
    _ordered(rules)


def _unit_of(column: Values) -> tuple[object, ...]:
    """What the numbers of a column are counted in."""
    kind = column.type
    times = (kind, column.local) if column.kind == "time" else ()
    return (column.kind, getattr(kind, "scale", 0), *times)


def enforce(rules: Sequence[Rule], columns: dict[str, Values], members: UnitMembers | None = None) -> dict[str, int]:
    """Make rules hold of what is released, and say of those of order how many values were moved for each.

    Lower values that are too high for a rule of order are moved down, as far as it allows. Then every total is set to the sum of its
    parts, parts that are totals themselves first.
    """
    moved = _enforce_orders([rule for rule in rules if isinstance(rule, OrderRule)], columns, members)
    for rule in _ordered(rules):
        total = columns[rule.column]
        known = np.logical_and.reduce([columns[name].valid for name in rule.names])
        summed = np.where(known, _to_grain(rule, columns, _total(rule, columns)), total.physical)
        _check_range(total, summed)
        columns[rule.column] = total.replaced(summed, total.valid)
    return moved


def moved_notes(moved: Mapping[str, int]) -> list[Note]:
    """What to say of values that were moved so that rules hold, by how many."""
    return [
        Note(NoteKind.EDITS, f"{number} released values were moved so that the edit rule {text} holds")
        for text, number in moved.items()
        if number
    ]


def _enforce_orders(
    rules: Sequence[OrderRule], columns: dict[str, Values], members: UnitMembers | None
) -> dict[str, int]:
    """How many values were moved for each rule; one may break another, so all are looked at as often as there are rules."""
    moved = dict.fromkeys([rule.text for rule in rules], 0)
    for _ in rules:
        for rule in rules:
            columns[rule.low], number = rule.repaired(columns, members)
            moved[rule.text] += number
    return moved


def _ordered(rules: Sequence[Rule]) -> list[EditRule]:
    left: list[EditRule] = [rule for rule in rules if isinstance(rule, EditRule) and rule.parts]
    done: list[EditRule] = []
    totals = [rule.column for rule in left]
    if len(set(totals)) < len(totals):
        raise OptionError("an edit rule gives a second sum for the same total; needed: one; leave the other out")
    while left:
        free = [rule for rule in left if not any(other.column in rule.parts for other in left)]
        if not free:
            msg = "edit rules define totals by each other in a circle; needed: sums that end; leave one out"
            raise OptionError(msg)
        done += free
        left = [rule for rule in left if rule not in free]
    return done


def _total(rule: EditRule, columns: Mapping[str, Values]) -> NDArray[np.generic]:
    """The sum of the parts from left to right, in the type of the column."""
    column = columns[rule.column]
    if column.kind != "float":
        return np.asarray(np.sum([columns[part].physical for part in rule.parts], axis=0))
    width = column.type.to_pandas_dtype()
    return np.asarray(reduce(np.add, [columns[part].physical.astype(width) for part in rule.parts]), dtype=np.float64)


def _to_grain(rule: EditRule, columns: Mapping[str, Values], summed: NDArray[Any]) -> NDArray[Any]:
    """A sum of binary numbers of few decimals has no more of them than its parts."""
    decimals = [columns[part].decimals for part in rule.parts]
    known = [number for number in decimals if number is not None]
    return rounded(summed, max(known)) if len(known) == len(decimals) else summed


def _check_range(column: Values, values: NDArray[Any]) -> None:
    """Sums of rounded parts may leave a narrow type."""
    if column.kind != "integer":
        return
    limits = np.iinfo(column.type.to_pandas_dtype())
    if np.any(values < limits.min) or np.any(values > limits.max):
        msg = f"the sum of the published parts of {column.name!r} leaves its type {column.type}; needed: a wider type; convert it"
        raise InputError(msg)


def _holds(rule: EditRule, columns: Mapping[str, Values]) -> Flags:
    known = np.logical_and.reduce([columns[name].valid for name in rule.names])
    column = columns[rule.column].physical
    if not rule.parts:
        return np.asarray(~known | (column >= 0))
    size = np.sum([np.abs(columns[part].physical) for part in rule.parts], axis=0)
    slack: float | Floats = 0.0
    if columns[rule.column].kind == "float":  # sums of floats, in whatever order
        slack = (
            4 * len(rule.parts) * np.finfo(columns[rule.column].type.to_pandas_dtype()).eps * (size + np.abs(column))
        )
    return np.asarray(~known | (np.abs(column - _total(rule, columns)) <= slack))
