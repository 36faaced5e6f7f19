"""Coordinates of places, which single people out by themselves: found by name and range, and put on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.codes import words_of
from covey.columns.values import AMOUNTS, Values, read_kept, read_values
from covey.errors import InputError, OptionError, pasted
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from covey.recipe.recipe import Recipe

LATITUDES = frozenset(["lat", "latitude", "breite", "breitengrad", "lati"])
LONGITUDES = frozenset(["lon", "lng", "long", "longitude", "laenge", "länge", "laengengrad", "längengrad"])


@dataclass
class PlaceSigns:
    """Whether a column with such a name holds degrees: found in parts, the same whatever these are."""

    name: str
    most: float
    within: bool = True
    broken: bool = False
    """Whether some value is no whole number."""

    def add(self, column: Values) -> None:
        """Look at a part of the column."""
        if column.kind not in AMOUNTS:
            self.within = False
            return
        scale = 10.0 ** -getattr(column.type, "scale", 0)
        known = column.physical[column.valid].astype(np.float64) * scale
        self.within = self.within and bool((np.abs(known) <= self.most).all())
        self.broken = self.broken or bool((known != np.rint(known)).any())

    def merge(self, other: PlaceSigns) -> None:
        """Take over what was seen in another part."""
        self.within, self.broken = self.within and other.within, self.broken or other.broken


def named_places(recipe: Recipe) -> dict[str, PlaceSigns]:
    """The published columns that are called like coordinates and are on no grid."""
    roles, signs = recipe.roles, {}
    for name in (*roles.quasi, *roles.keep, *roles.sensitive):
        words = set(words_of(name))
        if name not in recipe.grid and words & (LATITUDES | LONGITUDES):
            signs[name] = PlaceSigns(name, 90.0 if words & LATITUDES else 180.0)
    return signs


def refuse_places(signs: Iterable[PlaceSigns]) -> None:
    """An error for columns that hold degrees."""
    names = [one.name for one in signs if one.within and one.broken]
    if names:
        grids = " ".join(f"--grid {pasted([f'{name}=0.1'])}" for name in names)
        raise InputError(
            f"columns hold coordinates of places: {', '.join(names)}; a place singles out who lives there, alone or beside a map; needed: a "
            f"grid, in degrees ({grids}; grid), or another role; drop them, or recode them to regions"
        )


def check_places(table: Table, recipe: Recipe) -> None:
    """An error for published columns of a table that hold degrees and are on no grid."""
    signs = named_places(recipe)
    for name, one in signs.items():
        one.add(read_kept(name, table.column(name)))
    refuse_places(signs.values())


def on_grids(table: Table, grids: Mapping[str, float]) -> Table:
    """The table with the numbers of these columns on their grids."""
    for name, step in grids.items():
        if name in table.column_names:
            column = on_grid(read_values(name, table.column(name)), step)
            table = table.set_column(table.column_names.index(name), name, pa.chunked_array([column.build()]))
    return table


def on_grid(column: Values, step: float) -> Values:
    """Numbers as the nearest multiples of a step, halves to the even one; with as many decimals as the step has."""
    exact = Decimal(str(step))
    if column.kind == "float":
        near = np.rint(column.physical / float(exact)) * float(exact)
        digits = max(0, -int(exact.normalize().as_tuple().exponent))
        return column.replaced(np.round(near, digits) + 0.0, column.valid)
    unit = exact.scaleb(getattr(column.type, "scale", 0)) if column.kind in AMOUNTS else Decimal(0)
    if unit < 1 or unit != unit.to_integral_value():
        raise OptionError(
            f"the grid of {column.name!r} is {step}, and the column is {column.type}, which has no multiples of that; needed: another grid, or a type of numbers that has them"
        )
    whole = int(unit)
    half, rest = np.divmod(column.physical, whole)
    up = (2 * rest > whole) | ((2 * rest == whole) & (half % 2 == 1))
    return column.replaced((half + up) * whole, column.valid)
