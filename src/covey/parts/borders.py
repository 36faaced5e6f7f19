"""Groups across the borders of pieces: a second round, in pieces whose borders lie elsewhere. The same for every engine.

Groups of the first round go on whole, by their centroids, to pieces that are split along turned axes, and local search goes on from
them. So k, units and all that is required hold in the second round as they did in the first, and the loss does not rise. Heuristic: what
lies near a border of both rounds is not improved across it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.purpose import is_line
from covey.parts.part import group_part
from covey.parts.pieces import Pieces, split_cells
from covey.protect.group import losses_of
from covey.utils.arrow import Table, pa
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from covey.parts.plan import Plan
    from covey.utils.typing import Codes, Flags, Points, Progress

SEARCHED = ("auto", "search")
"""Methods that end with a local search; others are what their names say, piece by piece."""
REACH = 3.0
"""A group touches a border that is nearer to its centroid than so many times the root mean square distance of its records."""


def turn(points: Points) -> Points:
    """Points along axes that lie between their own: sums of neighbouring coordinates, for an even number of them one difference.

    Additions alone, which are the same on every machine: a row that is sent again goes to the same place.

    >>> turn(np.array([[1.0, 2.0]])).tolist()
    [[3.0, 1.0]]
    """
    turned = points + np.roll(points, -1, axis=1)
    if points.shape[1] % 2 == 0:  # else one would be a combination of the others
        turned[:, -1] = points[:, -1] - points[:, 0]
    return turned


def turned_pieces(plan: Plan, pieces: Pieces, sample: Table, most: int) -> Pieces | None:
    """The pieces of the second round; None where there are no borders, or groups that local search may not touch."""
    recipe = plan.recipe
    if recipe.method not in SEARCHED or is_line(plan.empty_columns, recipe.method) or not pieces.splits:
        return None
    return split_cells(plan, sample, most, turn)


class FirstRound(NamedTuple):
    """The groups of a part: where each row goes on to, and whether it does."""

    group: Codes
    """The number of each row's group: unlike in all other parts, and the same however pieces are put into parts."""
    place: Codes
    """Its piece in the second round."""
    touches: Flags
    """Whether its group touches a border; all do where units or demands are held, whose cells are looked at whole."""
    price: float
    """What demands cost, in squares."""


def first_round(plan: Plan, pieces: Pieces, turned: Pieces, table: Table, piece: Codes, step: Progress) -> FirstRound:
    """Group the pieces of a part, and find the groups that touch a border. O(n log n) after the groups."""
    context, grouped = group_part(plan, table, piece, step)
    points, partition = context.points(plan.recipe.roles.quasi), grouped.partition
    labels, sizes, order = partition.labels, partition.sizes, partition.order
    starts = np.cumsum(sizes) - sizes
    first = order[starts].astype(np.int64)
    centres = np.add.reduceat(points[order], starts) / sizes[:, None]
    cell = plan.cells_of(plan.located(table.take(pa.array(first))), len(first))[1]
    group = (piece[first] << 32) + np.arange(len(first))
    place = turned.place(cell, turn(centres), mixed(group.astype(np.uint64)))
    touches = np.ones(len(first), dtype=bool)
    if context.units is None and context.demands is None:
        radius = np.sqrt(np.bincount(labels, weights=losses_of(points, partition)) / sizes)
        touches = pieces.clearance(cell, centres) < REACH * radius
    price = 0.0 if grouped.without is None else grouped.loss - grouped.without
    return FirstRound(group[labels], place[labels], touches[labels], price)
