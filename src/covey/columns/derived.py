"""Derived columns of units: what follows from the released rows of a unit, such as its size, the number of its children, its total income.

They are functions of what is published of a unit, taken in no order of its rows, so that units of equal appearance have equal ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.grain import rounded
from covey.columns.values import Values, read_values
from covey.errors import InputError, OptionError
from covey.utils.arrow import decoded, pa

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import DataType, Table
    from covey.utils.typing import Codes, Flags, Rows

_FORMS = "count, count of ROLE, sum of COLUMN, mean of COLUMN, min of COLUMN or max of COLUMN (the last four may end with of ROLE)"


@dataclass(frozen=True)
class Derived:
    """How a derived column is made from the rows of a unit: all of them, or those of some roles.

    >>> Derived.parse("count of child, grandchild")
    Derived(how='count', column=None, roles=('child', 'grandchild'))
    >>> Derived.parse("sum of earnings")
    Derived(how='sum', column='earnings', roles=())
    """

    how: str
    column: str | None
    roles: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Derived:
        """Read how a column is derived."""
        how, *rest = (part.strip() for part in text.split(" of "))
        column = None if how == "count" else rest.pop(0) if rest else ""
        roles = tuple(role.strip() for role in rest.pop(0).split(",")) if rest else ()
        if rest or column == "" or how not in ("count", *_OF) or not all(roles):
            raise OptionError(f"a derived column is {text!r}; needed: {_FORMS}")
        return cls(how, column, roles)


def derive(table: Table, rows: Rows, unit: Codes, released: Mapping[str, Values], recipe: Recipe) -> dict[str, Values]:
    """The derived columns of the rows of a table that are published, from their released values. O(n log n)."""
    role = recipe.roles.member_role
    role_of_row = np.array([], dtype=str) if role is None else role_texts(table, role, rows)
    number = np.unique(unit, return_inverse=True)[1]
    return {name: _derived(name, how, number, released, role_of_row) for name, how in recipe.derived.items()}


def _derived(
    name: str, how: Derived, unit: Codes, released: Mapping[str, Values], role_of_row: NDArray[np.str_]
) -> Values:
    chosen = np.ones(len(unit), dtype=bool) if not how.roles else np.isin(role_of_row, how.roles)
    units = int(unit.max()) + 1
    if how.column is None:
        return read_values(name, pa.array(np.bincount(unit[chosen], minlength=units)[unit]))
    column = released[how.column]
    chosen = chosen & column.valid
    order = np.flatnonzero(chosen)[np.argsort(unit[chosen], kind="stable")]
    ends = np.cumsum(np.bincount(unit[chosen], minlength=units))
    values, of_unit = _published(column)[order].tolist(), _OF[how.how]
    try:
        each = [
            of_unit(values[start:end]) if end > start else 0 for start, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
    except OverflowError:
        raise _too_large(name) from None
    valid = (np.diff(ends, prepend=0) > 0)[unit]
    return _typed(name, how, column, each, unit, valid)


def _published(column: Values) -> NDArray[Any]:
    """The values as those see them who get the column: in its own type."""
    if column.kind != "float":
        return column.physical
    return column.physical.astype(column.type.to_pandas_dtype()).astype(np.float64)


def role_texts(table: Table, role: str, rows: Rows) -> NDArray[np.str_]:
    """What each of these rows is in its unit."""
    texts = decoded(table.column(role)).take(pa.array(rows)).cast(pa.string())
    return np.asarray(texts.to_numpy(zero_copy_only=False), dtype=str)


def derived_type(how: Derived, column: Values | None) -> DataType:
    """The type of a derived column of this column: amounts are added up in the widest type of their kind, means are floats."""
    if column is None:
        return pa.int64()
    if how.how in ("min", "max"):
        return column.type
    if how.how == "mean" or column.kind == "float":
        return pa.float64()
    return pa.int64() if column.kind == "integer" else pa.decimal128(38, column.type.scale)


def _typed(name: str, how: Derived, column: Values, each: Sequence[float], unit: Codes, valid: Flags) -> Values:
    """One value a unit as a column of its type."""
    if how.how == "mean":
        scale = 10**column.type.scale if column.kind == "decimal" else 1
        means = np.array([value / scale for value in each])[unit]
        return read_values(name, pa.array(means, mask=~valid))
    if how.how in ("min", "max"):
        return _renamed(name, column, np.array(each, dtype=column.physical.dtype)[unit], valid)
    if column.kind == "float":
        sums = np.array(each, dtype=np.float64)
        sums = sums if column.decimals is None else rounded(sums, column.decimals)
        return read_values(name, pa.array(sums[unit], mask=~valid))
    if max(map(abs, each), default=0) >= 2**63:
        raise _too_large(name)
    return Values(name, column.kind, derived_type(how, column), np.array(each, dtype=np.int64)[unit], valid)


def _renamed(name: str, column: Values, physical: NDArray[Any], valid: Flags) -> Values:
    return replace(column.replaced(physical, valid), name=name)


def _too_large(name: str) -> InputError:
    return InputError(
        f"the derived column {name!r} leaves the range of its type; needed: smaller amounts; divide them first"
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _sum(values: Sequence[float]) -> float:
    return sum(values) if isinstance(values[0], int) else math.fsum(values)


_OF: Mapping[str, Callable[[Sequence[float]], float]] = {"sum": _sum, "mean": _mean, "min": min, "max": max}
