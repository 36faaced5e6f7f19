"""Whom a part names as those that cost it most, and the choice among all that are named: one budget for the whole table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.cells import rows_of_cells
from covey.columns.coordinates import NumberPlace
from covey.columns.purpose import is_exact
from covey.columns.units import unit_numbers
from covey.evidence import NORMALISED
from covey.line.leave_out import leave_out_on_lines
from covey.parts.line import line_keys
from covey.space.leave_in_turn import leave_in_turn
from covey.space.leave_out import Table as Points
from covey.space.leave_out import leave_out_in_space
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterable

    from covey.parts.plan import Plan
    from covey.utils.typing import Codes, Flags, Floats, Integers, Numbers

KEY, CELL, ALONE, PLACE = "\0key", "\0cell", "\0alone", "\0place"
"""The names of columns of what is known of a record here: who it is, its cell, whether nobody stands for it, its coordinates."""
MORE = 4
"""How many times its share of the budget a part may name: those that cost most lie together."""


class Named(NamedTuple):
    """Those that parts name: by part and cell, what their absence saves there, and how many of their records that are."""

    key: Numbers
    cell: Codes
    saved: Floats
    rows: Codes

    @classmethod
    def joined(cls, several: Iterable[Named]) -> Named:
        """Those of all parts."""
        nobody = cls(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64))
        return cls(*(np.concatenate(columns) for columns in zip(nobody, *several, strict=True)))


def keys_of(plan: Plan, table: Table, numbers: Numbers) -> Numbers:
    """Who may leave: the units of rows, or the rows by their numbers."""
    unit = plan.recipe.roles.unit
    return numbers if unit is None else unit_numbers(table.column(unit))


def narrow(plan: Plan, table: Table, numbers: Numbers) -> tuple[Table, Codes, Floats]:
    """What is needed of the records of a part to name some of them; their cells, and their coordinates."""
    ready = plan.read(table)
    cell, points = plan.cells_of(ready, table.num_rows)[1], plan.points(ready.columns)
    places = line_keys(plan, ready).reshape(-1, 1) if plan.is_line and plan.purpose.name == "rounded" else points
    columns = {
        KEY: pa.array(keys_of(plan, table, numbers)),
        CELL: pa.array(cell),
        ALONE: pa.array(stand_alone(plan, ready.weight, table.num_rows)),
    }
    columns |= {f"{PLACE}{number}": pa.array(places[:, number]) for number in range(places.shape[1])}
    return pa.table(columns), cell, points


def stand_alone(plan: Plan, weight: Floats | None, rows: int) -> Flags:
    """Which records stand for themselves alone, as in a take-all stratum: nobody else would stand for them."""
    if weight is None or plan.mean_weight is None or plan.mean_weight <= NORMALISED:
        return np.zeros(rows, dtype=bool)
    return weight <= 1.0


def name_some(plan: Plan, table: Table, pieces: Codes, most: int, *, whole: bool) -> Named:
    """Whom a part names, of records as `narrow` gives them, grouped in pieces.

    The `whole` table as one part names whom a table in memory would leave out.
    """
    cell, key = table.column(CELL).to_numpy(), table.column(KEY).to_numpy()
    alone = table.column(ALONE).to_numpy(zero_copy_only=False)
    names = [name for name in table.column_names if name.startswith(PLACE)]
    points = np.column_stack([table.column(name).to_numpy() for name in names])
    keys, unit = np.unique(key, return_inverse=True)
    stays = np.bincount(unit, weights=alone, minlength=len(keys)) > 0
    inside = np.unique(cell if whole else pieces, return_inverse=True)[1].astype(np.int64)
    records, k = Points(points, inside, unit.reshape(-1).astype(np.int64), stays), plan.recipe.k
    if not whole:
        found = leave_in_turn(records, k, most)
        return _of_units(records, cell, keys, found.unit, found.saved)
    if plan.is_line and not stays.any() and _is_exact(plan):
        out = _on_lines(points[:, 0], inside, plan, most)
    else:
        out = leave_out_in_space(records, k, most)
    units = np.unique(records.unit[out])
    return _of_units(records, cell, keys, units, np.ones(len(units)))


def _of_units(records: Points, cell: Codes, keys: Numbers, units: Codes, saved: Floats) -> Named:
    """These units, once for each cell in which they have records; what they save is counted once."""
    saves = np.zeros(len(keys))
    saves[units] = saved
    chosen = np.zeros(len(keys), dtype=bool)
    chosen[units] = True
    rows = np.flatnonzero(chosen[records.unit])
    pairs, first, number = np.unique(
        np.column_stack([records.unit[rows], cell[rows]]), axis=0, return_index=True, return_counts=True
    )
    del first
    begins = np.diff(pairs[:, 0], prepend=-1) != 0
    return Named(keys[pairs[:, 0]], pairs[:, 1], np.where(begins, saves[pairs[:, 0]], 0.0), number.astype(np.int64))


def _on_lines(places: Floats, inside: Codes, plan: Plan, most: int) -> Flags:
    out, rows = np.zeros(len(places), dtype=bool), rows_of_cells(inside)
    best = leave_out_on_lines([places[some] for some in rows], plan.recipe.k, most, plan.purpose.name)
    for some, leaves in zip(rows, best.out, strict=True):
        out[some] = leaves
    return out


def _is_exact(plan: Plan) -> bool:
    """Whether the least cost on the line is the least loss of what is published, as in memory."""
    recipe, (column,), place = plan.recipe, plan.empty_columns, plan.scaler.places[0]
    if not isinstance(place, NumberPlace) or recipe.roles.weight is not None or recipe.grid or recipe.options:
        return False
    mixed = recipe.missing != "own-group"
    return is_exact(column, recipe.aggregates.get(column.name, "mean"), place, mixed=mixed)


def chosen_of(plan: Plan, named: Named, most: int, closed: Integers, barred: Numbers) -> Numbers:
    """Who leaves, ascending: those that save most of all that are named, within the budget; none or at least k of each cell.

    Nobody leaves who is `barred`, or has records in a cell that is `closed`. Of cells with too few the half that saves least gives none,
    until all that are left have enough.
    """
    shut = set(closed.tolist())
    while True:
        out = np.isin(named.cell, list(shut)) | np.isin(named.key, barred)
        keys, place = np.unique(named.key, return_inverse=True)
        fits = np.bincount(place[out], minlength=len(keys)) == 0
        saved = np.bincount(place, weights=named.saved, minlength=len(keys)) * fits
        hopeless = _short(plan.recipe.k, named, (saved > 0.0)[place])
        if len(hopeless):
            shut.update(hopeless.tolist())
            continue
        size = np.bincount(place, weights=named.rows, minlength=len(keys)) if plan.recipe.roles.unit is None else fits
        order = np.lexsort((keys, -saved))
        order = order[saved[order] > 0.0]
        order = order[np.cumsum(size[order]) <= most]
        leaves = np.zeros(len(keys), dtype=bool)
        leaves[order] = True
        short = _short(plan.recipe.k, named, leaves[place])
        if not len(short):
            return keys[leaves]
        shut.update(short[: -(-len(short) // 2)].tolist())


def _short(k: int, named: Named, leaves: Flags) -> Integers:
    """The cells that fewer than k would leave, those that save least first."""
    cells, place = np.unique(named.cell[leaves], return_inverse=True)
    pairs = np.unique(np.column_stack([place.reshape(-1), named.key[leaves].view(np.int64)]), axis=0)
    number = np.bincount(pairs[:, 0], minlength=len(cells))
    saved = np.bincount(place.reshape(-1), weights=named.saved[leaves], minlength=len(cells))
    few = np.flatnonzero(number < k)
    return np.asarray(cells[few[np.lexsort((few, saved[few]))]])


def share_of(plan: Plan, budget: int, rows: int, total: int) -> int:
    """How many a part of so many rows may name."""
    return min(budget, max(MORE * plan.recipe.k, -(-MORE * budget * rows // max(1, total))))
