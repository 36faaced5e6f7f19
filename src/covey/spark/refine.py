"""Groups across the borders of pieces: further rounds, in pieces whose borders lie elsewhere.

Groups of a round are sent on whole, by their centroids, to pieces that are split along turned axes, and local search goes on from them.
Each round costs a shuffle and lowers the loss by some percent: see docs/guides/spark.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.parts.borders import turn, turned_pieces
from covey.protect.group import Goal, group_cells
from covey.space.auto import improved
from covey.space.objective import Objective
from covey.spark.content import FIRST, GROUP, SECOND, in_order
from covey.utils.arrow import Table, pa
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from covey.parts.pieces import Pieces
    from covey.parts.plan import Plan
    from covey.utils.typing import Codes, Points

PIECE, PART = "covey piece", "covey part"
SENT = (PIECE, PART, GROUP, FIRST, SECOND)
ROWS, LEAST_ROWS, MOST_ROWS, MOST_PIECES = 16_000, 50_000, 250_000, 100_000
"""Rows of a piece for each coordinate, at least, and at most; more only where there would be too many pieces."""
FEW = 5
"""Coordinates with which one further round is enough: with more, much of a piece lies at its borders."""


def piece_rows_for(plan: Plan) -> int:
    """About how many rows are grouped together: the more coordinates, the more of them lie at a border; and not too many pieces."""
    most = MOST_ROWS if plan.is_line else min(max(LEAST_ROWS, ROWS * _width(plan)), MOST_ROWS)
    return max(most, plan.rows // MOST_PIECES, 2 * plan.recipe.k)


def _width(plan: Plan) -> int:
    """The number of coordinates of a record."""
    return sum(place.width for place in plan.scaler.places)


def further_rounds(plan: Plan, pieces: Pieces, sample: Table, most: int) -> list[Pieces]:
    """The pieces of the further rounds; none where there are none: here, units and what is required stay within pieces."""
    recipe = plan.recipe
    if recipe.method != "auto" or recipe.seed is not None or plan.asked or recipe.roles.unit is not None:
        return []
    rounds, sizes = 1 if _width(plan) <= FEW else 2, plan.settled_cells.sizes()
    turned = [turned_pieces(plan, pieces, sample, most, times) for times in range(1, rounds + 1)]
    secret = str(recipe.entropy)  # groups come whole, so that every piece holds k
    return [one.packed(one.expected(sizes), most, secret, sure=True) for one in turned if one is not None]


def group_part(plan: Plan, turned: Pieces, again: int, table: Table) -> Table:
    """Group the pieces of a part, or improve the groups that came, and say where each group goes on to: to the pieces turned so often."""
    table = in_order(table)
    number = table.column(PART)[0].as_py()
    ready = plan.located(table)
    cell, points = plan.cells_of(ready, table.num_rows)[1], plan.points(ready.columns)
    labels = improved_groups(plan, table) if GROUP in table.column_names else _first_groups(plan, points, table)
    sizes = np.bincount(labels)
    total = np.zeros((len(sizes), points.shape[1]))
    np.add.at(total, labels, points)
    centres = total / sizes[:, None]
    groups = (number << 32) + np.arange(len(centres))
    first = np.unique(labels, return_index=True)[1]
    place = turned.place(cell[first], turn(centres, again), mixed(groups.astype(np.uint64)))
    changed = {PIECE: place[labels], PART: turned.part[place[labels]], GROUP: groups[labels]}
    kept = table.drop_columns([name for name in (PIECE, PART, GROUP) if name in table.column_names])
    return pa.table({name: kept.column(name) for name in kept.column_names} | changed)


def _first_groups(plan: Plan, points: Points, table: Table) -> Codes:
    """The groups of a part, each piece by itself."""
    recipe, piece = plan.recipe, _numbered(table.column(PIECE).to_numpy())
    options, goal = dict(recipe.options) | plan.purpose.options, Goal(plan.purpose, None, plan.weights(table))
    grouped = group_cells(points, piece, recipe.k, None, recipe.method, options, lambda _what: None, goal=goal)
    return grouped.partition.labels.astype(np.int64)


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
