"""Columns that link the rows of a unit though its ids are not published: a kept income tells households apart as well as an id.

A published column is *of units* if nearly all units with several rows have one value of it (`SAME`). A unit with several rows is *linked* if
all columns of units have one value in it, and fewer than min(k, `FEW`) units have rows of these values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import RefusedError
from covey.recount.classes import classes_of, codes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.utils.arrow import Table
    from covey.utils.typing import Codes

FEW = 5
"""A unit is told apart if fewer than k (or so many) units look like it."""
SAME = 0.95
"""The share of units of several rows that have one value of a column of units."""


@dataclass(frozen=True)
class Links:
    """The columns of units, and how many of the units with several rows they link."""

    columns: tuple[str, ...]
    linked: int
    units: int

    def refuse(self, limit: float) -> None:
        """An error where they link a larger share."""
        if self.linked > limit * self.units:
            raise RefusedError(
                f"the recount found that columns with one value in all rows of a unit ({', '.join(self.columns)}) link the rows of "
                f"{self.linked} of {self.units} units, and k holds for rows that nobody can link; needed: at most {limit:.0%} of the units; drop these "
                "columns, say that rows are linked, so that units are released as wholes (linked, --linked), or accept it (refuse_links); "
                "the release is refused, and nothing was written"
            )


def few_of(k: int) -> int:
    """Below so many units of the same values, these tell a unit apart."""
    return min(k, FEW)


def links_of(table: Table, units: Codes, k: int) -> Links:
    """The links of a table in memory, whose rows belong to these units. O(n log n) for each column."""
    unit = np.unique(units, return_inverse=True)[1].reshape(-1).astype(np.int64)
    rows = np.bincount(unit)
    several = rows > 1
    if not several.any():
        return Links((), 0, 0)
    order = np.argsort(unit, kind="stable")
    columns = [
        name for name in table.column_names if _alike(codes_of(table.column(name)), unit, order)[several].mean() >= SAME
    ]
    if not columns:
        return Links((), 0, int(several.sum()))
    classes = classes_of([table.column(name) for name in columns], table.num_rows)
    pairs = np.unique(classes * len(rows) + unit)
    size = np.bincount(pairs // len(rows))
    apart = several & _alike(classes, unit, order)
    first = np.empty(len(rows), dtype=np.int64)
    first[unit] = classes
    return Links(tuple(columns), int((apart & (size[first] < few_of(k))).sum()), int(several.sum()))


def columns_of(names: Sequence[str], alike: Sequence[int], units: int) -> list[str]:
    """The columns of units, by how many of the units with several rows have one value of each."""
    return [name for name, number in zip(names, alike, strict=True) if number >= SAME * units]


def _alike(codes: Codes, unit: Codes, order: Codes) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which units have one value."""
    value, of = codes[order], unit[order]
    alike = np.ones(int(unit.max()) + 1, dtype=bool)
    alike[of[1:][(value[1:] != value[:-1]) & (of[1:] == of[:-1])]] = False
    return alike
