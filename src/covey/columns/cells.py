"""Cells: the records that may be grouped together. Strata, patterns of missing values, zeros that stay apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.errors import InfeasibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Holds = Callable[[NDArray[np.int64]], bool]
    Cells = NDArray[np.int64]
    Points = NDArray[np.float64]


class Settled(NamedTuple):
    """Cells of at least k: -1 for records that are suppressed; how many cells were below k and how many records they held."""

    cells: Cells
    small: int
    records: int


def combine(keys: Sequence[NDArray[np.generic]], n: int) -> Cells:
    """Number the combinations of keys that occur, 0, 1, ... in sorted order."""
    cells = np.zeros(n, dtype=np.int64)
    for key in keys:
        codes = np.unique(key, return_inverse=True)[1].astype(np.int64)
        cells = np.unique(cells * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1].astype(np.int64)
    return cells


def counts(cells: Cells, units: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """The number of records of every cell, or of different units where there are some."""
    if units is None:
        return np.bincount(cells).astype(np.int64)
    width = int(units.max(initial=0)) + 1
    pairs = np.unique(cells * width + units)
    return np.bincount(pairs // width, minlength=int(cells.max(initial=-1)) + 1).astype(np.int64)


def settle(
    cells: Cells,
    k: int,
    rule: str,
    points: Points,
    units: NDArray[np.int64] | None,
    *,
    what: str,
    within: Cells | None = None,
    hold: Holds | None = None,
) -> Settled:
    """Make all cells hold k: by the rule, an error, a merger with the nearest cell (of the same `within`), or no release.

    Nearest: by the distance of the cells' centroids. The smallest cell is merged first. `hold` says whether rows, all in one
    group, satisfy what else is required.
    """
    fails = _fails(cells, k, units, hold)
    below = np.flatnonzero(fails)
    records = int(np.isin(cells, below).sum())
    if len(below) == 0:
        return Settled(cells, 0, 0)
    if rule == "error":
        also = "" if hold is None else ", or not what is required"
        msg = (
            f"{len(below)} {what} hold fewer than k = {k} {'records' if units is None else 'units'}{also} ({records} records); "
            "needed: that in each; merge or suppress them (small_strata, --small-strata)"
        )
        raise InfeasibleError(msg)
    if rule == "suppress":
        return Settled(np.where(np.isin(cells, below), -1, cells), len(below), records)
    return Settled(_merged(cells, k, points, units, within, hold), len(below), records)


def _fails(cells: Cells, k: int, units: NDArray[np.int64] | None, hold: Holds | None) -> NDArray[np.bool_]:
    fails = counts(cells, units) < k
    if hold is not None:
        order = np.argsort(cells, kind="stable")
        starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
        for cell, rows in enumerate(np.split(order, starts[1:])):
            fails[cell] = fails[cell] or not hold(rows)
    return fails


def _merged(
    cells: Cells,
    k: int,
    points: Points,
    units: NDArray[np.int64] | None,
    within: Cells | None,
    hold: Holds | None,
) -> Cells:
    n = int(cells.max()) + 1
    total = np.zeros((n, points.shape[1]))
    np.add.at(total, cells, points)
    rows = np.bincount(cells, minlength=n).astype(np.float64)
    inside = None if units is None else _units_inside(cells, units, n)
    home = np.zeros(n, dtype=np.int64)
    if within is not None:
        home[cells] = within
    fails = _fails(cells, k, units, hold)
    still = None if hold is None else lambda into, target: hold(np.flatnonzero(into[cells] == target))
    into = merge_cells(total, rows, home, k, inside, fails, still)
    return np.unique(into[cells], return_inverse=True)[1].astype(np.int64)


def merge_cells(
    total: Points,
    rows: Points,
    home: Cells,
    k: int,
    inside: list[set[int]] | None,
    fails: NDArray[np.bool_],
    hold: Callable[[Cells, int], bool] | None = None,
) -> Cells:
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
            also = "" if hold is None else ", or not what is required"
            msg = (
                f"all records together, or of one stratum, hold fewer than k = {k}{also}; needed: that in each; choose a smaller k "
                "or lower the requirement"
            )
            raise InfeasibleError(msg)
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


def _units_inside(cells: Cells, units: NDArray[np.int64], n: int) -> list[set[int]]:
    """The units of every cell."""
    inside: list[set[int]] = [set() for _ in range(n)]
    for cell, unit in zip(cells.tolist(), units.tolist(), strict=True):
        inside[cell].add(unit)
    return inside
