"""Groups that are there already, at less loss: a local search of every cell, within what is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import rows_of_cells
from covey.core.partition import Partition
from covey.protect.group import Goal, WholeUnits, are_whole, demand_of_units
from covey.space.auto import improved
from covey.space.comply import improve
from covey.space.objective import Objective

if TYPE_CHECKING:
    from covey._kernels import space as kernels
    from covey.protect.demands import Demands
    from covey.utils.typing import Codes, Flags, Points


def improve_cells(
    points: Points,
    cells: Codes,
    start: Codes,
    k: int,
    units: Codes | None,
    demands: Demands | None,
    goal: Goal,
    searched: Flags | None = None,
) -> tuple[Partition, WholeUnits | None]:
    """The groups after a local search from `start`, whose groups lie each in one cell and hold what is asked: so do these, at no more loss.

    With `searched`, which holds for all rows of a group or for none, the other groups stay.
    """
    labels, whole = np.unique(start, return_inverse=True)[1].astype(np.int64), 0
    used = int(labels.max(initial=-1)) + 1
    inside = [rows if searched is None else rows[searched[rows]] for rows in rows_of_cells(cells)]
    inside = [rows for rows in inside if len(rows)]
    for rows in inside:
        unit = None if units is None else np.unique(units[rows], return_inverse=True)[1]
        demand = demands.kernel(rows, k) if demands is not None else None if unit is None else demand_of_units(unit, k)
        begun = np.unique(start[rows], return_inverse=True)[1]
        found = _searched(np.ascontiguousarray(points[rows]), begun, k, demand, goal.of(rows))
        labels[rows] = found + used
        used += int(found.max()) + 1
        whole += unit is not None and are_whole(found, unit)
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    return Partition(labels), None if units is None else WholeUnits(whole, len(inside))


def _searched(points: Points, start: Codes, k: int, demand: kernels.Demand | None, goal: Goal) -> Codes:
    if demand is None:
        found = improved(points, start.astype(np.uint32), k, Objective(goal.purpose.costs, goal.weights).kernel())
    else:
        found = improve(points, start.astype(np.uint32), k, demand)
    return np.unique(found, return_inverse=True)[1].astype(np.int64)
