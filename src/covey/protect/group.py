"""Group the records of every cell, in records or in units."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey._kernels import space as kernels
from covey.columns.cells import counts, rows_of_cells
from covey.columns.purpose import MEANS
from covey.core.method import WeighingMethod
from covey.core.partition import Partition
from covey.line import OptimalLine
from covey.methods import choose
from covey.protect.bounding import BoundClock
from covey.protect.on_a_line import best_on_line, different_on_line, line_of
from covey.space import Auto, Mdav, Search, lower_bound
from covey.space.comply import MOST_TRIED, comply, failing, improve, larger_sizes, next_larger
from covey.space.different import Different, different_bound
from covey.space.sampled_gap import Gap, sampled_gap
from covey.utils.arrays import as_coordinates
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from covey.columns.purpose import Purpose
    from covey.core.method import Method
    from covey.core.solution import Solution
    from covey.protect.bounding import Bounding
    from covey.protect.demands import Demands
    from covey.utils.typing import Codes, Floats, Points

MOST_FOR_BOUNDS = 50_000  # records; the cheapest matching of all takes a few times as long as their nearest neighbours
PIECE = 100_000  # records that are looked at at a time
LARGER = 1.5  # times the mean size of groups: a larger k than that is not tried for a smaller one
FEWER_FOR_BOUNDS = 5  # a record's nearest neighbours take longer than its nearest group


class Goal(NamedTuple):
    """What groups are made for, and what of: other values than the coordinates, and weights, where there are some."""

    purpose: Purpose = MEANS
    keys: Points | None = None
    """What the method groups, in place of the coordinates: the values in units of what is published."""
    weights: Floats | None = None
    exact: bool = True
    """Whether the least cost is the least loss of what is published."""

    def of(self, rows: Codes) -> Goal:
        """The same for some of the rows."""
        keys, weights = (None if values is None else values[rows] for values in (self.keys, self.weights))
        return self._replace(keys=keys, weights=weights)

    def per_unit(self, points: Points) -> float:
        """How much a squared unit of what is grouped is in squared coordinates."""
        spread = 0.0 if self.keys is None else float(np.ptp(self.keys))
        return (float(np.ptp(points)) / spread) ** 2 if spread > 0.0 else 1.0


class WholeUnits(NamedTuple):
    """In how many cells all rows of a unit share a group, and how many cells there are."""

    whole: int
    cells: int

    @property
    def note(self) -> Note:
        """In a sentence."""
        text = f"k counts units; in {self.whole} of {self.cells} cells all rows of a unit share a group"
        return Note(NoteKind.WHOLE_UNITS, text)


class Grouped(NamedTuple):
    """The groups of all cells; whether each is proven best; what was lost, and in % of the variation of the coordinates.

    How units are kept together, where k counts units; how much of the loss is not proven necessary, where that was asked for and can be
    said; and what would be lost without demands on sensitive values, where there are some.
    """

    partition: Partition
    status: str
    loss: float
    loss_percent: float
    units: WholeUnits | None = None
    gap: Gap | None = None
    without: float | None = None

    def percent(self, loss: float) -> float:
        """A loss in % of the variation."""
        return self.loss_percent * loss / self.loss if self.loss > 0 else 0.0


def group_cells(
    points: Points,
    cells: Codes,
    k: int,
    units: Codes | None,
    method: str,
    options: dict[str, Any],
    step: Callable[[str], Any],
    *,
    bounding: Bounding | None = None,
    demands: Demands | None = None,
    goal: Goal = Goal(),  # noqa: B008
) -> Grouped:
    """Group the records of each cell into groups of at least k records, or units.

    With `bounding` the gap is said: from bounds for all cells, or, where there are many records, from a sample of them. The
    groups are then changed until they satisfy the `demands` on these records.
    """
    labels, inside = np.empty(len(points), dtype=np.int64), rows_of_cells(cells)
    bounds = bounding is not None and (len(points) <= MOST_FOR_BOUNDS or bounding.seconds is not None)
    chosen = choose(points, method, options)
    per_unit = goal.per_unit(points)
    if isinstance(chosen, Search):
        chosen = replace(chosen, progress=lambda done, total, _loss: step(f"grouping: {100 * done // total} %"))
    elif isinstance(chosen, Auto) and len(inside) == 1:
        chosen = replace(chosen, progress=lambda share: step(f"grouping: {round(100 * share)} %"))
    bounded = goal.exact and goal.weights is None and goal.purpose.name in ("sse", "rounded")
    clock = BoundClock(bounding.seconds if bounding is not None and bounded else None, len(points), step)
    used, whole, parts = 0, 0, []
    for number, rows in enumerate(inside):
        if len(inside) > 1 and number % 50 == 0:
            step(f"grouping cell {number + 1} of {len(inside)}")
        here = points if len(inside) == 1 else points[rows]
        unit = None if units is None else np.unique(units[rows], return_inverse=True)[1]
        cell = _Cell(chosen, here, k, unit, goal if len(inside) == 1 else goal.of(rows), several=method == "auto")
        groups, part = cell.grouped(bounds=bounds)
        if demands is not None:
            groups, part = cell.complying(groups, part, rows, demands)
        if bounds and bounded and not part.proven:
            known = cell.knowing([] if demands is None else demands.different(rows))
            part = part._replace(bound=max(part.bound, known, clock.tight_bound(cell.grouped_points, k)))
        whole += unit is not None and are_whole(groups, unit)
        labels[rows] = groups + used
        used += int(groups.max()) + 1
        parts.append(part)
    partition = Partition(labels)
    lost = losses_of(points, partition)
    total, price = float(lost.sum()), sum(part.price for part in parts)
    optimal = total == 0.0 or (goal.exact and all(part.proven for part in parts))
    gap = Gap(0.0) if optimal else None
    if bounds and not optimal and bounded:
        lost_so = total if units is not None else sum(part.loss for part in parts) * per_unit + price
        value = 1.0 - sum(part.bound for part in parts) * per_unit / lost_so if lost_so > 0 else 0.0
        gap = Gap(value, knows=demands is not None and bool(demands.different(inside[0])))
    elif bounding is not None and not optimal and bounded:
        step("bounding the loss")
        gap = sampled_gap(points, cells, k, lost, max(4, bounding.sample // FEWER_FOR_BOUNDS))
    without = None if demands is None else total - price
    status = "optimal" if optimal else "feasible"
    kept = None if units is None else WholeUnits(whole, len(inside))
    return Grouped(partition, status, total, percent_of(points, total), kept, gap, without)


class _Part(NamedTuple):
    """What is known of the groups of a cell: the loss and its bound in the cost of the method, the price of demands in squares."""

    proven: bool
    loss: float = 0.0
    bound: float = 0.0
    price: float = 0.0


class _Cell:
    """The records of a cell, how they are grouped, and whose they are where units are counted."""

    def __init__(
        self, method: Method, points: Points, k: int, unit: Codes | None, goal: Goal, *, several: bool
    ) -> None:
        self.method, self.points, self.k, self.unit, self.goal, self.several = method, points, k, unit, goal, several
        self.torn = unit is not None and int(unit.max()) + 1 < len(unit)

    def grouped(self, *, bounds: bool) -> tuple[Codes, _Part]:
        """Groups of at least k records or units."""
        if self.unit is not None:
            labels, part = self._of_units(self.unit)
            return labels, part._replace(bound=lower_bound(self.grouped_points, self.k)) if bounds else part
        solution = self._solution(self.k)
        loss, bound = (solution.loss, solution.bound) if bounds else (0.0, 0.0)
        return _labels(solution), _Part(solution.status == "optimal", loss=loss, bound=bound)

    def knowing(self, asked: list[Different]) -> float:
        """What groups lose at least that hold so many different values, and k units where units are counted."""
        units = [] if self.unit is None or not self.torn else [Different(self.unit.astype(np.uint32), self.k)]
        return different_bound(as_coordinates(self.grouped_points), self.k, [*units, *asked])

    def _of_units(self, unit: Codes) -> tuple[Codes, _Part]:
        """Units kept whole or, where that loses less, rows grouped and changed until all groups have k units."""
        if not self.torn:
            solution = self._solution(self.k)
            return _labels(solution), _Part(solution.status == "optimal")
        demand, rows = demand_of_units(unit, self.k), self._by_rows(self.k)
        if failing(rows, demand) == 0.0:
            return rows, _Part(proven=False)
        return self.changed([rows, *self.others], demand), _Part(proven=False)

    def complying(self, labels: Codes, part: _Part, rows: Codes, demands: Demands) -> tuple[Codes, _Part]:
        """Groups that satisfy the demands, the same where they do already, and what that costs."""
        if failing(labels, demands.kernel(rows, self.k)) == 0.0:
            return labels, part
        line = line_of(self.points, demands, rows) if self._is_least_squares() and not self.torn else None
        keys = None if self.goal.keys is None else self.goal.keys[:, 0]
        if line is not None and (best := best_on_line(line, self.k, keys)) is not None:
            price = self._loss(best) - self._loss(labels)
            bound = part.loss + price / self.goal.per_unit(self.points)
            return best, part._replace(proven=True, bound=bound, price=price)
        found = self.repaired(labels, rows, demands)
        if self.several:
            found = self._nested(found, rows, demands)
        if line is not None and (other := different_on_line(line, self.k)) is not None:
            found = min(found, self.improved(other, demands.kernel(rows, self.k)), key=self._loss)
        return found, part._replace(proven=False, price=self._loss(found) - self._loss(labels))

    def _is_least_squares(self) -> bool:
        """Whether the method was left to us, and chosen for the squares of a line."""
        on_line = self.several and isinstance(self.method, OptimalLine) and self.goal.weights is None
        return on_line and self.goal.purpose.name in ("sse", "rounded")

    def repaired(self, labels: Codes, rows: Codes, demands: Demands) -> Codes:
        """Groups that satisfy the demands, made from these and others."""
        return self.changed([labels, *self.others], demands.kernel(rows, self.k), demands.codes(rows))

    def _nested(self, labels: Codes, rows: Codes, demands: Demands) -> Codes:
        """These groups or some for a larger k, which are groups for this k, too: a larger k then does not lose less."""
        ladder = [(self, labels)]
        while (cell := ladder[-1][0].larger(ladder[-1][1])) is not None:
            found = cell.repaired(cell.grouped(bounds=False)[0], rows, demands)
            if self._loss(found) >= min(self._loss(one) for _, one in ladder):
                break
            ladder.append((cell, found))
        best = ladder.pop()[1]
        for cell, found in reversed(ladder):
            best = min(found, cell.changed([best], demands.kernel(rows, cell.k)), key=self._loss)
        return best

    def larger(self, labels: Codes) -> _Cell | None:
        """The cell for the next larger k; None where groups are hardly larger than k, so that it is k that they are made for."""
        k, sizes = next_larger(self.k), counts(labels, self.unit)
        everyone = len(labels) if self.unit is None else int(self.unit.max()) + 1
        if k > min(LARGER * sizes.mean(), everyone // 2) or len(labels) > MOST_TRIED:
            return None
        return _Cell(self.method, self.points, k, self.unit, self.goal, several=True)

    def _loss(self, labels: Codes) -> float:
        return float(losses_of(self.points, Partition(labels)).sum())

    @cached_property
    def others(self) -> list[Codes]:
        """Other groups to begin from: of whole units, larger ones, and all that MDAV begins from."""
        sizes = larger_sizes(self.k, len(self.points)) if self.several else []
        others = [*([self._whole()] if self.torn else []), *(self._by_rows(size) for size in sizes)]
        if sizes:
            plain = _Cell(Mdav(), self.points, self.k, self.unit, Goal(), several=False)
            others += [plain.grouped(bounds=False)[0], *plain.others]
        return others

    def _whole(self) -> Codes:
        """Units as one point each."""
        unit, rows = np.asarray(self.unit), self.grouped_points
        total = np.zeros((int(unit.max()) + 1, rows.shape[1]))
        np.add.at(total, unit, rows)
        weights = None if self.goal.weights is None else np.bincount(unit, weights=self.goal.weights).astype(np.float64)
        of_unit: Codes = _labels(_solution(self.method, total / np.bincount(unit)[:, None], self.k, weights))
        found: Codes = of_unit[unit]
        return found

    def _by_rows(self, size: int) -> Codes:
        return _labels(self._solution(size))

    @property
    def grouped_points(self) -> Points:
        """What the method groups."""
        return self.points if self.goal.keys is None else self.goal.keys

    def _solution(self, k: int) -> Solution:
        return _solution(self.method, self.grouped_points, k, self.goal.weights)

    def improved(self, labels: Codes, demand: kernels.Demand) -> Codes:
        """These groups after a local search within the demand, which they satisfy."""
        found = improve(self.points, labels.astype(np.uint32), self.k, demand)
        return np.unique(found, return_inverse=True)[1].astype(np.int64)

    def changed(self, starts: list[Codes], demand: kernels.Demand, codes: NDArray[np.uint32] | None = None) -> Codes:
        found = comply(self.points, [labels.astype(np.uint32) for labels in starts], self.k, demand, codes)
        return np.unique(found, return_inverse=True)[1].astype(np.int64)


def _labels(solution: Solution) -> Codes:
    return solution.partition.labels.astype(np.int64)


def _solution(method: Method, points: Points, k: int, weights: Floats | None) -> Solution:
    solution = (
        method.solve(points, k, weights=weights) if isinstance(method, WeighingMethod) else method.solve(points, k)
    )
    if (
        isinstance(method, Search)
        and (solution.steps or 0) < method.steps_for(len(points), k, weighs=weights is not None)
        and solution.steps is not None
    ):
        raise KeyboardInterrupt  # which the search took for its own: half a search would not replay
    return solution


def demand_of_units(unit: Codes, k: int) -> kernels.Demand:
    """At least k units in every group."""
    demand = kernels.Demand()
    demand.count_units(unit.astype(np.uint32), k)
    return demand


def are_whole(labels: Codes, unit: Codes) -> bool:
    """Whether all rows of each unit share a group."""
    return len(np.unique(unit)) == int(counts(labels, unit).sum())


def losses_of(points: Points, partition: Partition) -> Points:
    """The squared distance of every record to the centroid of its group."""
    labels = partition.labels
    total = [np.bincount(labels, weights=points[:, place]) for place in range(points.shape[1])]
    centres = np.column_stack(total) / partition.sizes[:, None]
    losses = np.empty(len(points))
    for start in range(0, len(points), PIECE):  # points may be large
        some = slice(start, start + PIECE)
        losses[some] = ((points[some] - centres[labels[some]]) ** 2).sum(axis=1)
    return losses


def percent_of(points: Points, loss: float) -> float:
    """A loss in % of the variation of points."""
    all_of_it = len(points) * float(sum(points[:, place].var() for place in range(points.shape[1])))
    return 100.0 * loss / all_of_it if all_of_it > 0 else 0.0
