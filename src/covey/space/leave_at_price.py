"""Who leaves, searched anew from a choice that is given: there is a group outside, where each record costs a price."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey._kernels import space as kernels
from covey.space.regroup import groups_of, squares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.space.leave_out import Table
    from covey.space.regroup import Regrouped
    from covey.utils.typing import Flags, Rows

NEIGHBOURS = 40
SEEDS = (1, 2)
"""One search each; the second is warm. What they find does not depend on how many run at once."""
MOST_SEARCHED = 32_768
"""Records: those of the groups that lose most. At least four for each that may leave."""


class Budget(NamedTuple):
    """Groups of at least k; none or at least `least` units of a cell leave, and at most `most` in all."""

    k: int
    most: int
    least: int


def leave_at_price(table: Table, budget: Budget, groups: Regrouped, out: Flags, price: float) -> Flags:
    """Those that leave, so that the others lose less than without those that are `out`; these where none are found.

    Units of one record go and come, in the cells in which somebody is out; larger units do neither. The choice is the one without
    which the others lose least when they are grouped as `Auto` would: what is given, or what a search with a group outside found.
    """
    single = (np.bincount(table.unit) == 1)[table.unit]
    rows = _searched(table, budget, groups, out, single)
    if not out[rows].any():
        return out
    best, least = out, _loss(table, rows[~out[rows]], budget.k)
    for other in _searches(table, budget, groups, rows, out, single, price):
        if np.array_equal(other, out) or not _is_legal(table, budget, other):
            continue
        loss = _loss(table, rows[~other[rows]], budget.k)
        if loss < least:
            best, least = other, loss
    return best


def _searched(table: Table, budget: Budget, groups: Regrouped, out: Flags, single: Flags) -> Rows:
    """The records that are looked at, cell by cell: single ones that are out, and the groups that lose most."""
    gives = np.bincount(table.cell[out], minlength=int(table.cell.max()) + 1) > 0
    room = max(MOST_SEARCHED, 4 * budget.most) - int(out.sum())
    alive = np.flatnonzero(groups.alive[: len(groups.members)])
    alive = alive[gives[groups.cell[alive]]]
    alive = alive[np.argsort(-groups.loss[alive], kind="stable")]
    sizes = np.array([len(groups.members[group]) for group in alive.tolist()], dtype=np.int64)
    chosen = np.zeros(len(groups.members), dtype=bool)
    chosen[alive[np.cumsum(sizes) <= room]] = True
    rows = np.flatnonzero(np.where(groups.label >= 0, chosen[groups.label], out & single))
    return rows[np.argsort(table.cell[rows], kind="stable")]


def _searches(
    table: Table, budget: Budget, groups: Regrouped, rows: Rows, out: Flags, single: Flags, price: float
) -> Iterator[Flags]:
    """Who is out after each search, of the whole table."""
    whole = out & ~single
    cells = np.unique(table.cell[rows])
    least = np.maximum(budget.least - table.units_in_cells(whole)[cells], 0)
    labels = np.zeros(len(rows), dtype=np.uint32)
    inside = ~out[rows]
    labels[inside] = np.unique(groups.label[rows[inside]], return_inverse=True)[1].reshape(-1) + 1
    n = len(rows)
    several = kernels.leave_at_price(
        table.points[rows],
        np.append(np.searchsorted(table.cell[rows], cells), n).astype(np.uint32),
        labels,
        (table.stays[table.unit[rows]] | ~single[rows]).astype(np.uint32),
        least.astype(np.uint32),
        budget.k,
        budget.most - len(np.unique(table.unit[whole])),
        price,
        NEIGHBOURS,
        10 * max(n, min(10 * n, 10_000)),
        list(SEEDS),
    )
    for outside in several:
        result = whole.copy()
        result[rows[outside > 0]] = True
        yield result


def _is_legal(table: Table, budget: Budget, out: Flags) -> bool:
    """Whether this many may leave."""
    leave, stay = table.units_in_cells(out), table.units_in_cells(~out)
    is_enough = ((leave == 0) | ((leave >= budget.least) & (stay >= budget.k))).all()
    return bool(is_enough) and len(np.unique(table.unit[out])) <= budget.most


def _loss(table: Table, rows: Rows, k: int) -> float:
    """What these records, cell by cell, lose where they are grouped anew."""
    several = np.split(table.points[rows], np.flatnonzero(np.diff(table.cell[rows])) + 1)
    return sum(float(squares(points, groups_of(points, k)).sum()) for points in several)
