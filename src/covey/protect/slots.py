"""Groups of linked units as groups of rows: a slot of a group has a row of each of its units. And the order in which rows leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import merge_cells, rows_of_cells
from covey.columns.compositions import compositions
from covey.core.partition import Partition
from covey.errors import InfeasibleError
from covey.protect.group import Grouped, losses_of, percent_of
from covey.space.comply import comply, failing
from covey.units.group import REFINING, group_units, improved_units
from covey.units.vectors import UnitVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from covey.protect.demands import Demands
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
    demands: Demands | None,
) -> Grouped:
    """Group the units of every cell; `points` has the coordinates of each column. A group of rows is a slot of a group of units.

    Cells are compositions, or pieces of them; where pieces meet, units are then exchanged between the groups of both.
    """
    is_common = np.concatenate([np.full(one.shape[1], name in linked.common) for name, one in points.items()])
    coordinates = np.hstack(list(points.values()))
    without = 0.0
    labels, used, inside = np.empty(len(cells), dtype=np.int64), 0, rows_of_cells(cells)
    losses: dict[int, float] = {}

    def vectors_of_rows(rows: Rows) -> UnitVectors:
        return UnitVectors.of(rows, linked.unit, linked.kinds, coordinates, is_common, weights)

    for number, rows in enumerate(inside):
        step(f"grouping composition {number + 1} of {len(inside)}")
        vectors = vectors_of_rows(rows)
        units, groups = group_units(vectors, k, method, options)
        if demands is not None:
            without += units.loss(groups)
            units, groups = _complying(vectors, units, groups, k, demands)
        labels[units.rows] = used + groups[:, None] * units.slots + np.arange(units.slots)
        used += (int(groups.max()) + 1) * units.slots
        losses[int(cells[rows[0]])] = units.loss(groups)
    if demands is None and method in REFINING:
        labels = _across_borders(labels, losses, cells, compositions(linked.kinds, linked.unit), vectors_of_rows, k)
    partition = Partition(labels)
    lost = float(losses_of(coordinates, partition).sum())
    status = "optimal" if lost == 0.0 else "feasible"
    return Grouped(partition, status, lost, percent_of(coordinates, lost), without=None if demands is None else without)


def _across_borders(
    labels: Codes,
    losses: Mapping[int, float],
    cells: Codes,
    composition: Codes,
    vectors: Callable[[Rows], UnitVectors],
    k: int,
) -> Codes:
    """The groups of rows after exchanges of units between the pieces of a composition, where less is lost than that of its pieces."""
    used = int(labels.max()) + 1
    for rows in rows_of_cells(composition):
        pieces = np.unique(cells[rows]).tolist()
        if len(pieces) > 1:
            apart = vectors(rows)
            before = np.unique(labels[apart.rows].min(axis=1), return_inverse=True)[1].reshape(-1).astype(np.int64)
            units, groups = improved_units(apart, before, k)
            if units.loss(groups) < sum(losses[piece] for piece in pieces):
                labels[units.rows] = used + groups[:, None] * units.slots + np.arange(units.slots)
                used += (int(groups.max()) + 1) * units.slots
    return labels


def _complying(
    vectors: UnitVectors, units: UnitVectors, groups: Codes, k: int, demands: Demands
) -> tuple[UnitVectors, Codes]:
    """Groups of units that satisfy the demands in every slot, by exchanges and mergers, and over all of their rows, by mergers."""
    if failing(groups, demands.of_slots(units.rows)) > 0.0:
        tidy = units.tidied(groups)
        everyone = np.arange(len(groups), dtype=np.uint32)
        units = tidy if demands.of_slots(tidy.rows).deficit(everyone) == 0.0 else vectors
        demand = demands.of_slots(units.rows)
        if demand.deficit(everyone) > 0.0:
            raise InfeasibleError(
                f"{len(groups)} units of one composition do not hold what is required in every place of a member, even as one group; needed: "
                "a requirement that they satisfy; ask for less, merge roles (merge_roles), or choose coarser strata"
            )
        mended = comply(np.ascontiguousarray(units.values), [groups.astype(np.uint32)], k, demand)
        groups = np.unique(mended, return_inverse=True)[1].astype(np.int64)
    return units, _merged_until(units, groups, demands)


def _merged_until(units: UnitVectors, groups: Codes, demands: Demands) -> Codes:
    """Groups whose units do not hold what is required over all of their rows join the nearest, the smallest first.

    A union of groups that hold holds, since no unit has rows in both; all units together were seen to hold.
    """
    values, number = units.values, int(groups.max()) + 1
    inside = [units.rows[some].ravel() for some in rows_of_cells(groups)]
    fails = np.array([not demands.hold(rows) for rows in inside])
    total = np.zeros((number, values.shape[1]))
    np.add.at(total, groups, values)
    into = merge_cells(
        total,
        np.bincount(groups).astype(np.float64),
        np.zeros(number, dtype=np.int64),
        1,
        None,
        fails,
        lambda joined, target: demands.hold(np.concatenate([inside[one] for one in np.flatnonzero(joined == target)])),
    )
    return np.unique(into[groups], return_inverse=True)[1].astype(np.int64)


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
