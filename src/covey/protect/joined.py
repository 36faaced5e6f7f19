"""Groups that publish the same values are one class for whoever reads them, and where units are torn it may fail though each group holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.cells import combine, rows_of_cells
from covey.core.partition import Partition
from covey.protect.group import Grouped, WholeUnits, are_whole, losses_of, percent_of
from covey.space.comply import failing, improve, merge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.protect.context import Context
    from covey.utils.typing import Codes, Floats, Points

MOST_IMPROVED = 5
"""So often groups are changed at little loss; after that they are merged only, which ends: there are fewer each time."""


def without_failing_classes(
    context: Context, grouped: Grouped, values: Sequence[Values], weights: Floats | None, before: int
) -> Grouped | None:
    """Other groups, where a class of the released values does not hold what is required; None where all do.

    A union of groups that hold does, but for units with rows in several of them. Such groups become one, which is changed until it
    holds; `before` says how often that was done.
    """
    demands, unit, cells = context.demands, context.unit, context.blocks[0]
    if context.linked is not None:
        return None  # their groups are slots, which are judged where they are made
    if demands is None or not demands.columns or unit is None or len(np.unique(unit)) == len(unit):
        return None
    published = [part for column in values for part in (column.valid, column.physical)]
    classes = combine([cells, *published, *([] if weights is None else [weights])], len(cells))
    k, labels = context.recipe.k, grouped.partition.labels.astype(np.int64)
    failing_cells = [
        (rows, demand)
        for rows in rows_of_cells(cells)
        if _are_unions(classes[rows], labels[rows]) and failing(classes[rows], demand := demands.kernel(rows, k)) > 0.0
    ]
    if not failing_cells:
        return None
    points, used = context.points(context.recipe.parts[0]), len(labels)
    for rows, demand in failing_cells:
        start, inside = _numbered(classes[rows]).astype(np.uint32), np.ascontiguousarray(points[rows])
        found = improve(inside, start, k, demand) if before < MOST_IMPROVED else merge(inside, start, demand)
        labels[rows] = found + used
        used += len(rows)
    return _grouped(points, cells, unit, Partition(labels), grouped)


def _are_unions(classes: Codes, labels: Codes) -> bool:
    """Whether classes are groups and unions of several; weights that are kept split groups, and no other groups would help."""
    groups = len(np.unique(labels))
    return len(np.unique(classes)) < groups == len(np.unique(combine([classes, labels], len(labels))))


def _grouped(points: Points, cells: Codes, unit: Codes, partition: Partition, before: Grouped) -> Grouped:
    """What there is to say of groups in place of others."""
    inside, loss = rows_of_cells(cells), float(losses_of(points, partition).sum())
    whole = sum(are_whole(_numbered(partition.labels[rows]), _numbered(unit[rows])) for rows in inside)
    kept = WholeUnits(whole, len(inside))
    return Grouped(partition, "feasible", loss, percent_of(points, loss), kept, None, before.without)


def _numbered(codes: NDArray[np.integer[Any]]) -> Codes:
    found: Codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    return found
