"""Group the records of every cell, in records or in units."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.cells import counts, settle
from covey.gap import Gap, sampled_gap
from covey.grouping import choose
from covey.partition import Partition
from covey.space import Search
from covey.space.comply import comply, merge

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from covey.demands import Demands
    from covey.solution import Solution

    Points = NDArray[np.float64]
    Labels = NDArray[np.int64]


MOST_FOR_BOUNDS = 50_000  # records; a bound takes their nearest neighbours
PIECE = 100_000  # records that are looked at at a time
FEWER_FOR_BOUNDS = 5  # a record's nearest neighbours take longer than its nearest group


class Grouped(NamedTuple):
    """The groups of all cells; whether each is proven best; what was lost, and in % of the variation of the coordinates."""

    partition: Partition
    status: str
    loss: float
    loss_percent: float
    notes: list[str]
    gap: Gap | None = None
    """How much of the loss is not proven necessary, where that was asked for and can be said."""
    without: float | None = None
    """What would be lost without demands on sensitive values, where there are some."""

    def percent(self, loss: float) -> float:
        """A loss in % of the variation."""
        return self.loss_percent * loss / self.loss if self.loss > 0 else 0.0


def group_cells(
    points: Points,
    cells: Labels,
    k: int,
    units: Labels | None,
    method: str,
    options: dict[str, Any],
    step: Callable[[str], Any],
    *,
    sample: int | None = None,
    demands: Demands | None = None,
) -> Grouped:
    """Group the records of each cell into groups of at least k records, or units.

    With a `sample` the gap is said: from bounds for all cells, or, with units or many records, from that many records. The
    groups are then changed until they satisfy the `demands` on these records.
    """
    labels = np.empty(len(points), dtype=np.int64)
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    bounds = sample is not None and units is None and len(points) <= MOST_FOR_BOUNDS
    chosen = choose(points, method, options)
    if isinstance(chosen, Search):
        chosen = replace(chosen, progress=lambda done, total, _loss: step(f"grouping: {100 * done // total} %"))
    used, parts = 0, []
    for number, rows in enumerate(np.split(order, starts[1:])):
        if len(starts) > 1 and number % 50 == 0:
            step(f"grouping cell {number + 1} of {len(starts)}")
        here = points if len(starts) == 1 else points[rows]
        found, part = _cell(chosen, here, k, None if units is None else units[rows], bounds=bounds)
        if demands is not None:
            found, part = _complying(here, found, part, k, rows, demands)
        labels[rows] = found + used
        used += int(found.max()) + 1
        parts.append(part)
    notes = []
    if units is not None:
        together = sum(part.whole for part in parts)
        notes.append(f"k counts units; in {together} of {len(starts)} cells all rows of a unit share a group")
    partition = Partition(labels)
    lost = losses_of(points, partition)
    total, price = float(lost.sum()), sum(part.price for part in parts)
    optimal = total == 0.0 or all(part.proven for part in parts)
    means = options.get("cost", "sse") == "sse"
    gap = Gap(0.0) if optimal else None
    if bounds and not optimal and (means or price == 0.0):
        whole = sum(part.loss for part in parts) + price
        gap = Gap(1.0 - sum(part.bound for part in parts) / whole if whole > 0 else 0.0)
    elif sample is not None and not optimal and means:
        step("bounding the loss")
        gap = sampled_gap(points, cells, k, lost, max(4, sample // FEWER_FOR_BOUNDS))
    without = None if demands is None else total - price
    status = "optimal" if optimal else "feasible"
    return Grouped(partition, status, total, _percent(points, total), notes, gap, without)


class _Part(NamedTuple):
    """What is known of the groups of a cell: the loss and its bound in the cost of the method, the price of demands in squares."""

    proven: bool
    whole: bool = False
    loss: float = 0.0
    bound: float = 0.0
    price: float = 0.0


def _cell(method: Any, points: Points, k: int, units: Labels | None, *, bounds: bool) -> tuple[Labels, _Part]:
    """The groups of a cell."""
    if units is not None:
        found, proven, whole = _solve_units(method, points, k, units)
        return found, _Part(proven, whole)
    solution = _solution(method, points, k)
    loss, bound = (solution.loss, solution.bound) if bounds else (0.0, 0.0)
    part = _Part(solution.status == "optimal", loss=loss, bound=bound)
    return solution.partition.labels.astype(np.int64), part


def _complying(
    points: Points, labels: Labels, part: _Part, k: int, rows: Labels, demands: Demands
) -> tuple[Labels, _Part]:
    """Groups that satisfy the demands, the same where they do already, and what that costs."""
    demand = demands.kernel(rows)
    order = np.argsort(labels, kind="stable").astype(np.uint32)
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    if all(demand.deficit(members) == 0.0 for members in np.split(order, starts[1:])):
        return labels, part
    start = labels.astype(np.uint32)
    alone = demands.units is None or len(np.unique(demands.units[rows])) == len(rows)
    found = comply(points, start, k, demand, demands.codes(rows)) if alone else merge(points, start, demand)
    before, after = (float(losses_of(points, Partition(one)).sum()) for one in (labels, found))
    return np.unique(found, return_inverse=True)[1].astype(np.int64), part._replace(proven=False, price=after - before)


def _solution(method: Any, points: Points, k: int) -> Solution:
    solution: Solution = method.solve(points, k)
    if (
        isinstance(method, Search)
        and (solution.steps or 0) < method.steps_for(len(points), k)
        and solution.steps is not None
    ):
        raise KeyboardInterrupt  # which the search took for its own: half a search would not replay
    return solution


def _solve(method: Any, points: Points, k: int) -> tuple[Labels, bool]:
    solution = _solution(method, points, k)
    return solution.partition.labels.astype(np.int64), solution.status == "optimal"


def _solve_units(method: Any, points: Points, k: int, units: Labels) -> tuple[Labels, bool, bool]:
    """The better of two ways to have k units in every group: units kept whole, or rows grouped and groups made to fit."""
    different, unit = np.unique(units, return_inverse=True)
    total = np.zeros((len(different), points.shape[1]))
    np.add.at(total, unit, points)
    whole, proven = _solve(method, total / np.bincount(unit)[:, None], k)
    if len(different) == len(units):
        return whole[unit], proven, True
    apart = _apart(method, points, k, unit)
    losses = [float(losses_of(points, Partition(labels)).sum()) for labels in (whole[unit], apart)]
    return (whole[unit], False, True) if losses[0] <= losses[1] else (apart, False, False)


def _apart(method: Any, points: Points, k: int, unit: Labels) -> Labels:
    """Group rows; regroup those of groups with fewer than k units into larger ones; merge what is left over."""
    labels = np.zeros(len(points), dtype=np.int64)
    left, size, used = np.arange(len(points)), k, 0
    while True:
        found, _ = _solve(method, points[left], size)
        labels[left] = found + used
        used += int(found.max()) + 1
        left = left[counts(found, unit[left])[found] < k]
        size = size + max(1, size // 2)
        if len(left) < 2 * size:
            break
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    return settle(labels, k, "merge", points, unit, what="groups").cells


def losses_of(points: Points, partition: Partition) -> Points:
    """The squared distance of every record to the centroid of its group."""
    labels = partition.labels
    total = np.zeros((len(partition), points.shape[1]))
    np.add.at(total, labels, points)
    centres = total / partition.sizes[:, None]
    losses = np.empty(len(points))
    for start in range(0, len(points), PIECE):  # points may be large
        some = slice(start, start + PIECE)
        losses[some] = ((points[some] - centres[labels[some]]) ** 2).sum(axis=1)
    return losses


def _percent(points: Points, loss: float) -> float:
    all_of_it = len(points) * float(sum(points[:, place].var() for place in range(points.shape[1])))
    return 100.0 * loss / all_of_it if all_of_it > 0 else 0.0
