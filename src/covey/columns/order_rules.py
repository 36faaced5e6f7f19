"""Edit rules that order values: a discharge is not before its admission, a child is younger than its parents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.columns.derived import role_texts
from covey.columns.grain import rounded
from covey.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import Table
    from covey.utils.typing import Codes, Flags, Rows


class UnitMembers(NamedTuple):
    """Whose the rows are, and what each is there: for rules over the rows of a unit."""

    unit: Codes
    role: NDArray[np.str_]

    @classmethod
    def of(cls, table: Table, unit: Codes | None, recipe: Recipe, rows: Rows) -> UnitMembers | None:
        """Those of these rows of a table; None where no rule asks for them."""
        role = recipe.roles.member_role
        if unit is None or role is None or not recipe.rules_of_units:
            return None
        return cls(unit, role_texts(table, role, rows))


@dataclass(frozen=True)
class OrderRule:
    """`column < column` in every row, or `column of role < column of role` in every unit; or <=, and the other way round.

    >>> OrderRule.parse("discharge >= admission")
    OrderRule(low='admission', high='discharge', strict=False, low_roles=(), high_roles=())
    >>> OrderRule.parse("age of child < age of head, spouse").high_roles
    ('head', 'spouse')
    """

    low: str
    high: str
    strict: bool
    low_roles: tuple[str, ...] = ()
    high_roles: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> OrderRule | None:
        """Read a rule; None where it is none of these."""
        sides = re.fullmatch(r"([^<>=]+)(<=|>=|<|>)([^<>=]+)", text)
        if sides is None:
            return None
        (left, of_left), (right, of_right) = _side(sides[1]), _side(sides[3])
        if not left or not right or bool(of_left) != bool(of_right) or {*of_left} & {*of_right}:
            raise OptionError(
                f"the edit rule {text!r} is not understood; needed: a column on either side, both without a role, or each with others: "
                "'age of child < age of head, spouse'"
            )
        strict = sides[2] in ("<", ">")
        if sides[2].startswith("<"):
            return cls(left, right, strict, of_left, of_right)
        return cls(right, left, strict, of_right, of_left)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that it speaks of."""
        return (self.low, self.high)

    @property
    def text(self) -> str:
        """The rule, as it may be given."""
        low, high = (
            f"{name} of {', '.join(roles)}" if roles else name
            for name, roles in ((self.low, self.low_roles), (self.high, self.high_roles))
        )
        return f"{low} {'<' if self.strict else '<='} {high}"

    @property
    def is_of_units(self) -> bool:
        """Whether it speaks of several rows of a unit."""
        return bool(self.low_roles)

    def holds(self, columns: Mapping[str, Values], members: UnitMembers | None) -> Flags:
        """Which rows do not break it: of a rule over units those whose lower value is too high. Missing values break nothing."""
        low = columns[self.low]
        rows, limit, is_limited = self._limits(columns, members)
        below = low.physical < limit if self.strict else low.physical <= limit
        return np.asarray(~(rows & low.valid & is_limited) | below)

    def repaired(self, columns: Mapping[str, Values], members: UnitMembers | None) -> tuple[Values, int]:
        """The column of lower values, with those that are too high moved down to what the rule allows; and how many were moved."""
        low = columns[self.low]
        breaks = ~self.holds(columns, members)
        limit = self._limits(columns, members)[1]
        moved = np.where(breaks, _highest(low, limit, strict=self.strict), low.physical)
        return low.replaced(moved.astype(low.physical.dtype), low.valid), int(breaks.sum())

    def _limits(self, columns: Mapping[str, Values], members: UnitMembers | None) -> tuple[Flags, NDArray[Any], Flags]:
        """Which rows it is about, what the lower value of each is compared with, and where there is such a value."""
        high = columns[self.high]
        if not self.is_of_units:
            return np.ones(len(high), dtype=bool), high.physical, high.valid
        if members is None:
            raise OptionError(
                f"the edit rule {self.text} is of roles, and rows have none; needed: member_role and linked units"
            )
        unit = np.unique(members.unit, return_inverse=True)[1].reshape(-1)
        least = np.full(int(unit.max()) + 1, _largest(high), dtype=high.physical.dtype)
        above = np.isin(members.role, self.high_roles) & high.valid
        np.minimum.at(least, unit[above], high.physical[above])
        has = np.bincount(unit[above], minlength=len(least)) > 0
        return np.isin(members.role, self.low_roles), least[unit], has[unit]


def check_named_roles(recipe: Recipe, there: Collection[str]) -> None:
    """An error for derived columns and edit rules of roles that no published row has."""
    asked = [(f"the derived column {name!r}", how.roles) for name, how in recipe.derived.items()]
    asked += [(f"the edit rule {rule.text}", (*rule.low_roles, *rule.high_roles)) for rule in recipe.rules_of_units]
    for what, roles in asked:
        unknown = sorted({*roles} - {*there})
        if unknown:
            raise OptionError(
                f"{what} is of {', '.join(map(repr, unknown))}, and no published row has that role; correct it, or leave it out"
            )


def _side(text: str) -> tuple[str, tuple[str, ...]]:
    column, _, roles = text.partition(" of ")
    return column.strip(), tuple(role.strip() for role in roles.split(",") if role.strip())


def _largest(column: Values) -> float:
    kind = column.physical.dtype
    return np.inf if kind.kind == "f" else np.iinfo(kind).max


def _highest(column: Values, limit: NDArray[Any], *, strict: bool) -> NDArray[Any]:
    """The highest values that the column may be released with at these limits."""
    if column.kind != "float":
        return (limit - int(strict)) // column.step * column.step
    if column.decimals is None:
        width = column.type.to_pandas_dtype()
        return np.nextafter(limit.astype(width), width(-np.inf)) if strict else limit
    highest = rounded(limit, column.decimals)
    beyond = highest >= limit if strict else highest > limit
    return np.where(beyond, rounded(highest - 10.0**-column.decimals, column.decimals), highest)
