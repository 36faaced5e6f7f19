"""Groups of linked units as groups of rows: a slot of a group has a row of each of its units. And the order in which rows leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import rows_of_cells
from covey.core.partition import Partition
from covey.protect.group import Grouped, losses_of, percent_of
from covey.units.group import group_units
from covey.units.vectors import UnitVectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.protect.linked import LinkedUnits
    from covey.utils.typing import Codes, Floats, Points, Progress, Rows


def group_linked(
    linked: LinkedUnits,
    cells: Codes,
    points: Mapping[str, Points],
    k: int,
    method: str,
    options: Mapping[str, object],
    weights: Floats | None,
    step: Progress,
) -> Grouped:
    """Group the units of every cell; `points` has the coordinates of each column. A group of rows is a slot of a group of units."""
    is_common = np.concatenate([np.full(one.shape[1], name in linked.common) for name, one in points.items()])
    coordinates = np.hstack(list(points.values()))
    labels, used, inside = np.empty(len(cells), dtype=np.int64), 0, rows_of_cells(cells)
    for number, rows in enumerate(inside):
        step(f"grouping composition {number + 1} of {len(inside)}")
        vectors = UnitVectors.of(rows, linked.unit, linked.kinds, coordinates, is_common, weights)
        units, groups = group_units(vectors, k, method, options)
        labels[units.rows] = used + groups[:, None] * units.slots + np.arange(units.slots)
        used += (int(groups.max()) + 1) * units.slots
    partition = Partition(labels)
    lost = float(losses_of(coordinates, partition).sum())
    return Grouped(partition, "optimal" if lost == 0.0 else "feasible", lost, percent_of(coordinates, lost))


def groups_of_units(partition: Partition, unit: Codes) -> Partition:
    """The groups of units whose slots are the groups of a partition: all rows of a unit share one."""
    number = np.unique(unit, return_inverse=True)[1]
    first = np.full(int(number.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, number, partition.labels.astype(np.int64))
    return Partition(first[number])


def linked_order(linked: LinkedUnits, order: Rows, known: Sequence[NDArray[np.generic]]) -> Rows:
    """Units in a random order, and the rows of each by what is released of them, those that look the same in a random order."""
    at = np.empty(len(order), dtype=np.int64)
    at[order] = np.arange(len(order))
    number = np.unique(linked.unit, return_inverse=True)[1]
    first = np.full(int(number.max()) + 1, len(order))
    np.minimum.at(first, number, at)
    return np.lexsort((at, *reversed(known), linked.place, first[number])).astype(np.int64)
