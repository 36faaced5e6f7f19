"""Groups across the borders of pieces: a second round, in pieces whose borders lie elsewhere.

Groups of the first round are sent on whole, by their centroids, to pieces that are split along turned axes, and local search goes
on from them. It costs a second shuffle and lowers the loss by some percent: see docs/guides/spark.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.parts.borders import turn, turned_pieces
from covey.protect.group import Goal, group_cells
from covey.space.auto import improved
from covey.space.objective import Objective
from covey.utils.arrow import Table, pa
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from covey.parts.pieces import Pieces
    from covey.parts.plan import Plan
    from covey.utils.typing import Codes

PIECE, PART, GROUP, FIRST, SECOND = "covey piece", "covey part", "covey group", "covey first", "covey second"
SENT = (PIECE, PART, GROUP, FIRST, SECOND)


def second_round(plan: Plan, pieces: Pieces, sample: Table, most: int) -> Pieces | None:
    """The pieces of the second round; None where there is none: here, units and what is required stay within pieces."""
    recipe = plan.recipe
    searched = recipe.method == "auto" and recipe.seed is None and not plan.asked and recipe.roles.unit is None
    found = turned_pieces(plan, pieces, sample, most) if searched else None
    return (
        None if found is None else found.packed(found.expected(plan.settled_cells.sizes()), most, str(recipe.entropy))
    )


def in_order(table: Table) -> Any:
    """The rows of a part by their content, whatever order they came in: equal rows may change places."""
    names = [name for name in (GROUP, SECOND, FIRST) if name in table.column_names]
    return table.take(pa.array(np.lexsort([table.column(name).to_numpy() for name in names])))


def group_part(plan: Plan, turned: Pieces, table: Table) -> Table:
    """Group the pieces of a part, and say where each group goes on to."""
    table = in_order(table)
    number, piece = table.column(PART)[0].as_py(), _numbered(table.column(PIECE).to_numpy())
    ready = plan.located(table)
    cell, points = plan.cells_of(ready, table.num_rows)[1], plan.points(ready.columns)
    recipe = plan.recipe
    options, goal = dict(recipe.options) | plan.purpose.options, Goal(plan.purpose, None, plan.weights(table))
    grouped = group_cells(points, piece, recipe.k, None, recipe.method, options, lambda _what: None, goal=goal)
    labels = grouped.partition.labels.astype(np.int64)
    total = np.zeros((len(grouped.partition), points.shape[1]))
    np.add.at(total, labels, points)
    centres = total / grouped.partition.sizes[:, None]
    groups = (number << 32) + np.arange(len(centres))
    first = np.unique(labels, return_index=True)[1]
    place = turned.place(cell[first], turn(centres), mixed(groups.astype(np.uint64)))
    changed = {PIECE: place[labels], PART: turned.part[place[labels]], GROUP: groups[labels]}
    kept = table.drop_columns([PIECE, PART])
    return pa.table({name: kept.column(name) for name in kept.column_names} | changed)


def improved_groups(plan: Plan, table: Table) -> Codes:
    """The groups of a part after local search in each of its pieces."""
    points, objective = plan.points(plan.located(table).columns), Objective(plan.purpose.costs, plan.weights(table))
    labels, piece = _numbered(table.column(GROUP).to_numpy()), table.column(PIECE).to_numpy()
    groups, used = np.empty(len(labels), dtype=np.int64), 0
    for number in np.unique(piece).tolist():
        rows = np.flatnonzero(piece == number)
        start = _numbered(labels[rows]).astype(np.uint32)
        found = improved(np.ascontiguousarray(points[rows]), start, plan.recipe.k, objective.of(rows).kernel())
        better = _numbered(found.astype(np.int64))
        groups[rows] = better + used
        used += int(better.max()) + 1
    return groups


def _numbered(labels: Codes) -> Codes:
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
