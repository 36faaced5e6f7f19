"""Units as wholes: what their rows are together, and which columns have one value in each unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InputError
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.values import Values
    from covey.utils.typing import Codes


def compositions(kinds: Codes, units: Codes) -> Codes:
    """Number the rows by what their unit is made of: how many rows of every kind. O(n log n).

    >>> compositions(np.array([0, 1, 1, 0, 0]), np.array([7, 7, 8, 8, 9])).tolist()
    [1, 1, 1, 1, 0]
    """
    order = np.lexsort((kinds, units))
    start = np.flatnonzero(np.diff(units[order], prepend=units[order][:1] - 1))
    sizes = np.diff(start, append=len(order))
    number, used = np.empty(len(start), dtype=np.int64), 0
    for size in np.unique(sizes):
        alike = np.flatnonzero(sizes == size)
        sequences = kinds[order][start[alike][:, None] + np.arange(size)]
        code = np.unique(sequences, axis=0, return_inverse=True)[1].reshape(-1)
        number[alike] = used + code
        used += int(code.max()) + 1
    of_row = np.empty(len(order), dtype=np.int64)
    of_row[order] = np.repeat(number, sizes)
    return of_row


def units_of_several_values(column: Values, units: Codes) -> int:
    """In how many units a column has several values; a missing value is one."""
    order = np.argsort(units, kind="stable")
    unit, value = units[order], np.where(column.valid, column.physical, column.physical.dtype.type(0))[order]
    same = unit[1:] == unit[:-1]
    differs = (value[1:] != value[:-1]) | (np.diff(column.valid[order].astype(np.int8)) != 0)
    return len(np.unique(unit[1:][same & differs]))


def columns_of_units(columns: Mapping[str, Values], units: Codes, declared: Sequence[str]) -> frozenset[str]:
    """The columns with one value in each unit; an error for those that were declared to be such and are not."""
    return columns_of_one_value(
        {name: units_of_several_values(column, units) for name, column in columns.items()}, declared
    )


def columns_of_one_value(several: Mapping[str, int], declared: Sequence[str]) -> frozenset[str]:
    """The same, by the number of units in which each column has several values."""
    wrong = [f"{name} (in {counted(several[name], 'unit')})" for name in declared if several[name]]
    if wrong:
        raise InputError(
            f"unit_columns have several values in a unit: {', '.join(wrong)}; needed: one value in all rows of a unit; correct them, or "
            "leave them out of unit_columns"
        )
    return frozenset(name for name, number in several.items() if number == 0)


def refuse_differing(several: Mapping[str, int]) -> None:
    """An error for strata and weights that differ inside units, by the number of units in which each does."""
    wrong = [f"{name} (in {counted(number, 'unit')})" for name, number in several.items() if number]
    if wrong:
        raise InputError(
            f"strata or weights have several values in a linked unit: {', '.join(wrong)}; needed: one value in all rows of a unit, which is drawn, "
            "grouped and published as a whole; give its rows one value, or drop the column; what differs from member to member may be their role "
            "(member_role) or a quasi-identifier, and what differs from wave to wave needs the time (time)"
        )
