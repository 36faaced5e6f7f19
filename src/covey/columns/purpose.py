"""What groups are made for: the loss of what is published, after rounding and with the weights that enter it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.aggregation import COST_OF
from covey.columns.coordinates import NumberPlace, floats_above
from covey.columns.values import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.aggregation import Aggregate
    from covey.columns.coordinates import Place
    from covey.columns.values import Values
    from covey.utils.typing import Floats

_LARGEST = 46  # the power of two of the largest value in units of a grid; beyond, values are hardly known to one
_FARTHEST = 2.0**50


class Purpose(NamedTuple):
    """The cost that groups are made for: of every coordinate, of the one column on a line, or of all together."""

    costs: tuple[str, ...]
    weighs: bool = False
    """Whether records weigh differently in it."""

    @property
    def name(self) -> str:
        """The cost, or the costs, in the order of the coordinates."""
        return ", ".join(dict.fromkeys(self.costs))

    @property
    def options(self) -> dict[str, str | tuple[str, ...]]:
        """As a method takes it; nothing for what all methods are made for."""
        if len(set(self.costs)) > 1:
            return {"cost": self.costs}
        return {} if self.name == "sse" else {"cost": self.name}


MEANS = Purpose(("sse",))


def is_line(columns: Sequence[Values], method: str) -> bool:
    """Whether one column is grouped, exactly: its values lie on a line."""
    return len(columns) == 1 and columns[0].kind in (*NUMBERS, "ordinal") and method in ("auto", "optimal-line")


def purpose_of(
    columns: Sequence[Values], hows: Sequence[Aggregate], places: Sequence[Place], method: str, *, weighted: bool
) -> Purpose:
    """What groups of columns are made for: the loss of what is published, where the method can be told."""
    if is_line(columns, method):
        return _line_purpose(columns[0], hows[0], places[0], weighted=weighted)
    if method not in ("auto", "search"):
        return MEANS  # as they are defined
    numbers = [COST_OF[how] if column.kind in NUMBERS else None for column, how in zip(columns, hows, strict=True)]
    each = tuple(cost or "sse" for cost, place in zip(numbers, places, strict=True) for _ in range(place.width))
    weighs = weighted and "sse" in numbers
    return Purpose(each, weighs=weighs) if weighs or set(each) != {"sse"} else MEANS


def _line_purpose(column: Values, how: Aggregate, place: Place, *, weighted: bool) -> Purpose:
    if how != "mean":
        return Purpose((COST_OF[how],))
    return Purpose(("rounded" if _has_grid(column, place) else "sse",), weighs=weighted)


def is_exact(column: Values, how: Aggregate, place: NumberPlace, *, mixed: bool) -> bool:
    """Whether the least cost is the least loss of what a column alone publishes, its weights left aside.

    It is not where missing values have a place among others (`mixed`), where ranks are grouped, or where rounding moves what is published away from what loses least.
    """
    if place.line.known is not None or (mixed and column.missing):
        return False
    if how == "median":
        units = grid_units(column, place) if _has_grid(column, place) else np.zeros(1)
        return bool(np.all(units == np.rint(units)))
    return how in ("mean", "min", "max") or (how == "midrange" and not _has_grid(column, place))


def grid_units(column: Values, place: NumberPlace) -> Floats:
    """The values of a column that has a grid in units of it: whole numbers where they lie on it, as those of missing values do."""
    if column.physical.dtype.kind == "i":
        units = floats_above(column, place.low - place.low % column.step) / column.step
    else:
        units = _decimal_units(column)
    if not column.valid.all():
        middle = np.ldexp(place.line.middle + place.line.missing * place.line.size, place.line.power)
        units = np.where(column.valid, units, np.rint(middle / _unit(column)))
    return np.clip(units, -_FARTHEST, _FARTHEST)


def _decimal_units(column: Values) -> Floats:
    power, kind = 10.0 ** (column.decimals or 0), column.type.to_pandas_dtype()
    units = column.physical * power
    whole = np.rint(units)
    return np.where((whole / power).astype(kind) == column.physical.astype(kind), whole, units)


def _unit(column: Values) -> float:
    return float(column.step) if column.physical.dtype.kind == "i" else 10.0 ** -(column.decimals or 0)


def _has_grid(column: Values, place: Place) -> bool:
    """Whether means are rounded to a grid that can be told from none."""
    if not isinstance(place, NumberPlace) or place.line.known is not None or place.line.size == 0.0:
        return False
    grained = column.kind in NUMBERS and (column.kind != "float" or column.decimals is not None)
    return grained and place.line.power < _LARGEST + math.log2(_unit(column))
