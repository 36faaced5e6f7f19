"""Edit rules: what must hold in every record before, and holds in every record after."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.grain import rounded
from covey.columns.values import AMOUNTS, Values
from covey.errors import InputError, OptionError

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
            msg = f"the edit rule {text!r} is not understood; needed: 'column >= 0' or 'total = part + part'"
            raise OptionError(msg)
        return cls(total.strip(), parts)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns it speaks of."""
        return (self.column, *self.parts)


def check_edits(rules: Sequence[EditRule], columns: Mapping[str, Values], *, when: str) -> None:
    """An error if a record breaks a rule."""
    refuse_broken(rules, broken_rules(rules, columns), when=when)


def broken_rules(rules: Sequence[EditRule], columns: Mapping[str, Values]) -> list[int]:
    """How many records break each rule."""
    return [int((~_holds(rule, columns)).sum()) for rule in rules]


def refuse_broken(rules: Sequence[EditRule], broken_by: Sequence[int], *, when: str) -> None:
    """An error if a rule is broken."""
    for rule, broken in zip(rules, broken_by, strict=True):
        if broken:
            text = f"{rule.column} = {' + '.join(rule.parts)}" if rule.parts else f"{rule.column} >= 0"
            raise InputError(
                f"{broken} records {when} break the edit rule {text}; needed: none; correct them or leave the rule out"
            )


def check_kinds(rules: Sequence[EditRule], columns: Mapping[str, Values]) -> None:
    """Rules speak of amounts that are grouped; those of a sum are of one type."""
    for rule in rules:
        for name in rule.names:
            if name not in columns or columns[name].kind not in AMOUNTS:
                msg = f"an edit rule speaks of {name!r}; needed: quasi-identifiers that are numbers; leave the rule out"
                raise OptionError(msg)
        if len({(columns[name].kind, getattr(columns[name].type, "scale", 0)) for name in rule.names}) > 1:
            msg = f"the columns {', '.join(rule.names)} of an edit rule differ in type; needed: one type; convert them first"
            raise OptionError(msg)
    _ordered(rules)


def enforce(rules: Sequence[EditRule], columns: dict[str, Values]) -> None:
    """Set every total to the sum of its parts as they are released, parts that are totals themselves first."""
    for rule in _ordered([rule for rule in rules if rule.parts]):
        total = columns[rule.column]
        known = np.logical_and.reduce([columns[name].valid for name in rule.names])
        summed = np.where(known, _to_grain(rule, columns, _total(rule, columns)), total.physical)
        _check_range(total, summed)
        columns[rule.column] = total.replaced(summed, total.valid)


def _ordered(rules: Sequence[EditRule]) -> list[EditRule]:
    left, done = [rule for rule in rules if rule.parts], []
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
