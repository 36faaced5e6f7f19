"""Groups across the borders of pieces: further rounds, in pieces whose borders lie elsewhere. The same for every engine.

Groups of a round that touch a border go on whole, by their centroids, to pieces that are split along turned axes, and local search goes
on from them. So k, units and all that is required hold in a further round as they did in the first, and the loss does not rise. Heuristic:
what lies near a border of all rounds is not improved across it.
"""

from __future__ import annotations

from functools import partial
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


def turn(points: Points, times: int = 1) -> Points:
    """Points along axes that lie between their own: sums of neighbouring coordinates, for an even number of them one difference.

    Additions alone, which are the same on every machine: a row that is sent again goes to the same place.

    >>> turn(np.array([[1.0, 2.0]])).tolist()
    [[3.0, 1.0]]
    """
    turned = points
    for _ in range(times):
        last = turned[:, -1] - turned[:, 0]
        turned = turned + np.roll(turned, -1, axis=1)
        if points.shape[1] % 2 == 0:  # else one would be a combination of the others
            turned[:, -1] = last
    return turned


def stretch(columns: int, times: int) -> float:
    """How many times its length a step may have along axes that are turned so often.

    >>> stretch(2, 0), round(stretch(2, 1) ** 2, 6)
    (1.0, 2.0)
    """
    return float(np.sqrt((turn(np.eye(columns), times) ** 2).sum(axis=0).max()))


def turned_pieces(plan: Plan, pieces: Pieces, sample: Table, most: int, times: int = 1) -> Pieces | None:
    """The pieces of a further round; None where there are no borders, or groups that local search may not touch."""
    recipe = plan.recipe
    if recipe.method not in SEARCHED or is_line(plan.empty_columns, recipe.method) or not pieces.splits:
        return None
    return split_cells(plan, sample, most, partial(turn, times=times))


class Earlier(NamedTuple):
    """What an earlier round found of the rows of a part."""

    group: Codes
    touches: Flags


class Round(NamedTuple):
    """The groups of a part after a round that is not the last: where each row goes on to, and whether it needs to."""

    group: Codes
    """The number of each row's group: unlike in all other parts, and the same however pieces are put into parts."""
    place: Codes
    """Its piece in the next round."""
    touches: Flags
    """Whether its group touches a border; all do where units or demands are held, whose cells are looked at whole."""
    price: float
    """What demands cost, in squares."""


def one_round(
    plan: Plan,
    pieces: Pieces,
    turned: Pieces,
    table: Table,
    piece: Codes,
    step: Progress,
    *,
    earlier: Earlier | None = None,
    times: int = 1,
) -> Round:
    """Group the pieces of a part, and find the groups that touch a border. O(n log n) after the groups.

    Rows of an `earlier` round come with their groups: those that touched a border there are improved, and the others stay. Then `times`
    says how often the pieces of the next round are turned; these are turned once less.
    """
    made, searched = (None, None) if earlier is None else earlier
    context, grouped = group_part(plan, table, piece, step, labels=made, across=searched)
    points, partition = context.points(plan.recipe.roles.quasi), grouped.partition
    labels, sizes, order = partition.labels, partition.sizes, partition.order
    starts = np.cumsum(sizes) - sizes
    first = order[starts].astype(np.int64)
    centres = np.add.reduceat(points[order], starts) / sizes[:, None]
    cell = plan.cells_of(plan.located(table.take(pa.array(first))), len(first))[1]
    group = (piece[first] << 32) + np.arange(len(first))
    place = turned.place(cell, turn(centres, times), mixed(group.astype(np.uint64)))
    touches = np.ones(len(first), dtype=bool)
    if context.units is None and context.demands is None:
        radius = np.sqrt(np.bincount(labels, weights=losses_of(points, partition)) / sizes)
        reach = REACH * stretch(points.shape[1], times - 1)
        touches = pieces.clearance(cell, turn(centres, times - 1)) < reach * radius
    price = 0.0 if grouped.without is None else grouped.loss - grouped.without
    return Round(group[labels], place[labels], touches[labels], price)
