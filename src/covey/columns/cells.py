"""Cells: the records that may be grouped together. Strata, patterns of missing values, zeros that stay apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import InfeasibleError
from covey.utils.notes import Note, NoteKind
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes, Flags, Points, Rows

    Holds = Callable[[Rows], bool]


STRATA, PATTERNS = "strata", "patterns of missing values or zeros"
"""What cells are, in the words of errors and notes."""
ONE = {STRATA: "stratum", PATTERNS: "pattern of missing values or zeros"}


class Settled(NamedTuple):
    """Cells of at least k, -1 for records that are suppressed; and what there is to report."""

    cells: Codes
    notes: list[Note]


@dataclass(frozen=True)
class SmallCells:
    """What becomes of cells that hold fewer than k, or not what is required: an error, a merger, or no release."""

    k: int
    rule: str
    counted_in: str = "records"
    required: bool = False
    """Whether more than k is required of a cell."""

    @classmethod
    def of(cls, recipe: Recipe, *, required: bool = False) -> SmallCells:
        """By the rule of a recipe."""
        return cls(recipe.k, recipe.small_strata, "units" if recipe.roles.unit else "records", required)

    def settle(
        self, cells: Codes, fails: Flags, records: NDArray[Any], merged: Callable[[], Codes], what: str
    ) -> Settled:
        """The cells by the rule; `fails` and `records` say of every cell whether it falls short, and how many records it has."""
        small, rows = int(fails.sum()), int(records[fails].sum())
        if not small:
            return Settled(cells, [])
        which, records_in = counted(small, ONE.get(what, what), what), counted(rows, "record")
        if self.rule == "error":
            verb, does = ("holds", "does") if small == 1 else ("hold", "do")
            also = f", or {does} not satisfy what is required" if self.required else ""
            raise InfeasibleError(
                f"{which} {verb} fewer than k = {self.k} {self.counted_in}{also} ({records_in}); needed: at least k in each; merge or "
                "suppress them (small_strata, --small-strata)"
            )
        also = ", or that did not satisfy what is required," if self.required else ""
        done = {"merge": "merged with the nearest", "suppress": "not published"}[self.rule]
        notes = [
            Note(NoteKind.SMALL_CELLS, f"{which} below k{also} ({records_in}) {'was' if small == 1 else 'were'} {done}")
        ]
        return Settled(np.where(fails[cells], -1, cells) if self.rule == "suppress" else merged(), notes)

    def nothing_left(self) -> InfeasibleError:
        """The error where no cell is published."""
        return InfeasibleError(
            f"every stratum holds fewer than k = {self.k}, so nothing is left to release; merge strata or choose a smaller k"
        )


def check_enough(number: int, k: int, what: str) -> None:
    """An error where a table holds fewer than k records, or units."""
    if number < k:
        raise InfeasibleError(f"the table has {number} {what}, and k is {k}; needed: at least k; choose a smaller k")


def pattern_keys(recipe: Recipe, columns: Mapping[str, Values]) -> list[NDArray[Any]]:
    """What keeps records apart beside their stratum: missing values and zeros of these columns, where the recipe says so."""
    keys: list[NDArray[Any]] = []
    if recipe.missing == "own-group":
        keys += [column.valid for column in columns.values()]
    zeros = [columns[name] for name in recipe.zeros_apart if name in columns]
    return keys + [(column.physical == 0) & column.valid for column in zeros]


def combine(keys: Sequence[NDArray[np.generic]], n: int) -> Codes:
    """Number the combinations of keys that occur, 0, 1, ... in sorted order."""
    cells = np.zeros(n, dtype=np.int64)
    for key in keys:
        if (key == key[:1]).all():
            continue  # which parts nothing, as most do
        codes = np.unique(key, return_inverse=True)[1].astype(np.int64)
        cells = np.unique(cells * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1].astype(np.int64)
    return cells


def counts(cells: Codes, units: Codes | None) -> Codes:
    """The number of records of every cell, or of different units where there are some."""
    if units is None:
        return np.bincount(cells).astype(np.int64)
    width = int(units.max(initial=0)) + 1
    pairs = np.unique(cells * width + units)
    return np.bincount(pairs // width, minlength=int(cells.max(initial=-1)) + 1).astype(np.int64)


def rows_of_cells(cells: Codes) -> list[Rows]:
    """The rows of every cell, ascending."""
    order = np.argsort(cells, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(cells[order], prepend=-1))[1:])


def settle(
    cells: Codes,
    small: SmallCells,
    points: Callable[[], Points],
    units: Codes | None,
    *,
    what: str,
    within: Codes | None = None,
    hold: Holds | None = None,
) -> Settled:
    """Make all cells hold k: by the rule, an error, a merger with the nearest cell (of the same `within`), or no release.

    Nearest: by the distance of the cells' centroids; `points` gives the coordinates where cells are merged. The smallest is merged first. `hold` says whether rows, all in one
    group, satisfy what else is required.
    """
    fails = _fails(cells, small.k, units, hold)
    return small.settle(
        cells, fails, np.bincount(cells), lambda: _merged(cells, small.k, points(), units, within, hold, fails), what
    )


def _fails(cells: Codes, k: int, units: Codes | None, hold: Holds | None) -> Flags:
    fails = counts(cells, units) < k
    if hold is not None:
        for cell, rows in enumerate(rows_of_cells(cells)):
            fails[cell] = fails[cell] or not hold(rows)
    return fails


def _merged(
    cells: Codes, k: int, points: Points, units: Codes | None, within: Codes | None, hold: Holds | None, fails: Flags
) -> Codes:
    n = int(cells.max()) + 1
    total = np.zeros((n, points.shape[1]))
    np.add.at(total, cells, points)
    rows = np.bincount(cells, minlength=n).astype(np.float64)
    inside = None if units is None else units_inside(cells, units, n)
    home = np.zeros(n, dtype=np.int64)
    if within is not None:
        home[cells] = within
    still = None if hold is None else lambda into, target: hold(np.flatnonzero(into[cells] == target))
    into = merge_cells(total, rows, home, k, inside, fails, still)
    return np.unique(into[cells], return_inverse=True)[1].astype(np.int64)


def merge_cells(
    total: Points,
    rows: Points,
    home: Codes,
    k: int,
    inside: list[set[int]] | None,
    fails: Flags,
    hold: Callable[[Codes, int], bool] | None = None,
) -> Codes:
    """The cell that each cell becomes part of: those that fail join the nearest of the same home, the smallest first.

    `total` is the sum of the points of a cell, `inside` its units where those are counted. `hold` says of the cells so far and
    the number of one whether it satisfies what else is required.
    """
    total, rows, fails = total.copy(), rows.copy(), fails.copy()
    size = rows.astype(np.int64) if inside is None else np.array([len(units) for units in inside])
    into, alive = np.arange(len(rows)), np.ones(len(rows), dtype=bool)
    while True:
        small = np.flatnonzero(alive & fails)
        others = alive.copy()
        if len(small) == 0:
            break
        cell = small[np.argmin(size[small])]
        others[cell] = False
        others &= home == home[cell]
        candidates = np.flatnonzero(others)
        if len(candidates) == 0:
            also = "" if hold is None else ", or do not satisfy what is required"
            raise InfeasibleError(
                f"all records together, or those of one stratum, are fewer than k = {k}{also}; needed: at least k; choose a smaller k "
                "or lower the requirement"
            )
        away = total[candidates] / rows[candidates, None] - total[cell] / rows[cell]
        target = candidates[np.argmin((away**2).sum(axis=1))]
        alive[cell] = False
        into[into == cell] = target
        total[target] += total[cell]
        rows[target] += rows[cell]
        if inside is not None:
            inside[target] |= inside[cell]
        size[target] = size[target] + size[cell] if inside is None else len(inside[target])
        fails[target] = size[target] < k or (hold is not None and not hold(into, int(target)))
    return into


def units_inside(cells: Codes, units: Codes, n: int) -> list[set[int]]:
    """The units of every cell."""
    inside: list[set[int]] = [set() for _ in range(n)]
    for cell, unit in zip(cells.tolist(), units.tolist(), strict=True):
        inside[cell].add(unit)
    return inside
