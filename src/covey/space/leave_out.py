"""Which records in space to leave out, so that the others lose little: those whose absence is seen to lower the loss most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.space.leave_one_by_one import Leaving

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.utils.typing import Codes, Flags, Points


@dataclass(frozen=True, eq=False)
class Table:
    """Records that may be left out: where they lie, the cell within which each is grouped, whose it is, and whether that one may leave.

    A unit leaves with all of its records. `stays` is about units; `cell` and `unit` count from 0.
    """

    points: Points
    cell: Codes
    unit: Codes
    stays: Flags

    @classmethod
    def of(cls, points: Points) -> Table:
        """Records that are grouped together, each a unit, all of which may leave."""
        n = len(points)
        return cls(points, np.zeros(n, dtype=np.int64), np.arange(n), np.zeros(n, dtype=bool))

    def units_in_cells(self, rows: Flags) -> Codes:
        """How many units these records are of, cell by cell."""
        width = len(self.stays)
        pairs = np.unique(self.cell[rows] * width + self.unit[rows])
        return np.bincount(pairs // width, minlength=int(self.cell.max()) + 1).astype(np.int64)


def leave_out_in_space(
    table: Table, k: int, most: int, *, least: int = 0, tell: Callable[[float], object] = lambda _share: None
) -> Flags:
    """Which records are left out: none, or from `least` (k) units of a cell, and at most `most` in all.

    One unit after another leaves: of the twelve that lie farthest from the means of their groups the one without which the groups
    around it, made again, lose least; or all of a group, where that is more for each; also some who save nothing alone, where they
    save something together. Then each that left comes back where another one in its place lowers the loss. Cells that gave fewer than
    `least`, and cannot give more, give none, and their share of the budget goes to the others. At last a search from there, with a
    group outside at a price, for single records.
    Heuristic; what is made again is small, so that a step takes a few milliseconds for any number of records.
    """
    least = max(least or k, 1)
    enough = table.units_in_cells(np.ones(len(table.cell), dtype=bool)) >= k + least
    opened, first = enough.copy(), None
    while opened.any():
        leaving = Leaving(table, k, most, opened, tell, least)
        number = table.units_in_cells(leaving.out)
        short = (number > 0) & ((number < least) | (leaving.saved <= 0.0))
        if not short.any():
            if leaving.out.any():
                return leaving.at_price(least)
            break
        first = leaving.saved if first is None else first
        opened = opened & ~short
    if first is None:
        return np.zeros(len(table.cell), dtype=bool)
    only = np.zeros(len(enough), dtype=bool)
    only[np.argmax(np.where(enough, first, -1.0))] = True
    leaving = Leaving(table, k, most, only, tell, least)
    out = leaving.out
    is_better = table.units_in_cells(out).max() >= least and leaving.saved.max() > 0.0
    return leaving.at_price(least) if is_better else np.zeros_like(out)
