"""The grain of a column of binary numbers: how many decimals its values are written with, and released with.

Lemma: for |m| < 2^53 and d <= 22, m and 10^d are exact, so m / 10^d is the double nearest to that decimal number. So a double x is
written with at most d decimals exactly if rint(x 10^d) / 10^d is x again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.columns.values import Values
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Floats, Integers

FULL = 16
"""Values with so many decimals or more have every digit that a double has."""
_EXACT = 2.0**53


def decimals_of(values: Floats, kind: type[np.floating[Any]] = np.float64) -> Integers:
    """With how many decimals each value is written, at least; `FULL` where with more than are looked at.

    `kind` is the type that the values came in: the shortest text of a number of 32 bits is that of no double.

    >>> decimals_of(np.array([3.0, -0.25, 1964.416, 1e-5, 0.1 + 0.2])).tolist()
    [0, 2, 3, 5, 16]
    """
    decimals = np.full(len(values), FULL, dtype=np.int64)
    left = np.arange(len(values))
    for digits in range(FULL):
        with np.errstate(over="ignore"):
            scaled = np.rint(values[left] * 10.0**digits)
            fits = (np.abs(scaled) < _EXACT) & ((scaled / 10.0**digits).astype(kind) == values[left].astype(kind))
        decimals[left[fits]] = digits
        left = left[~fits & (np.abs(scaled) < _EXACT)]
        if len(left) == 0:
            break
    return decimals


def rounded(values: Floats, digits: int | None) -> Floats:
    """The values to so many decimals, halves to even; as they are where that is None, or they have no such decimals.

    >>> rounded(np.array([1964.4160000000002, 0.125, 1e300]), 2).tolist()
    [1964.42, 0.12, 1e+300]
    """
    if digits is None:
        return values
    with np.errstate(over="ignore"):
        scaled = np.rint(values * 10.0**digits)
    return np.where(np.abs(scaled) < _EXACT, scaled / 10.0**digits + 0.0, values)


class Grain:
    """The finest grain that at least k records, or units, use: found in parts, the same whatever the parts are.

    So one record with many decimals does not decide how all are released.
    """

    def __init__(self, k: int) -> None:
        self.k = k
        self.who: dict[int, set[int]] = {}
        """Number of decimals to units that use it, k of them at most; counted in `number` where there are no units."""
        self.number: dict[int, int] = {}

    def add(self, column: Values, units: Integers | None) -> None:
        """Look at a part of the column."""
        if column.kind != "float":
            return
        digits = decimals_of(column.physical[column.valid], column.type.to_pandas_dtype())
        for level in np.unique(digits).tolist():
            self.number[level] = self.number.get(level, 0) + int((digits == level).sum())
            if units is not None:
                mine = np.unique(units[column.valid][digits == level])[: self.k]
                self.who[level] = _some(self.who.get(level, set()) | set(mine.tolist()), self.k)

    def merge(self, other: Grain) -> None:
        """Take over what was seen in another part."""
        for level, number in other.number.items():
            self.number[level] = self.number.get(level, 0) + number
        for level, who in other.who.items():
            self.who[level] = _some(self.who.get(level, set()) | who, self.k)

    @property
    def digits(self) -> int | None:
        """The number of decimals; None where at least k use every digit there is, or nobody has a value."""
        users, number = set[int](), 0
        for level in sorted(self.number, reverse=True):
            users |= self.who.get(level, set())
            number += self.number[level]
            if (len(users) if self.who else number) >= self.k:
                return None if level >= FULL else level
        return 0 if self.number else None


def _some(units: set[int], most: int) -> set[int]:
    return set(sorted(units)[:most])


def grained(column: Values, recipe: Recipe, units: Integers | None) -> Values:
    """A whole column with the grain that it is released with."""
    found = Grain(recipe.k)
    found.add(column, units)
    return column.with_decimals(recipe.decimals.get(column.name, found.digits))


def surveyed(recipe: Recipe) -> Mapping[str, Grain]:
    """For every quasi-identifier whose decimals nobody gave: a grain to be found."""
    return {name: Grain(recipe.k) for name in recipe.roles.quasi if name not in recipe.decimals}
