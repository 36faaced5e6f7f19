"""Which records in space to leave out, so that the others lose little: those whose absence is seen to lower the loss most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.space.regroup import Change, Regrouped

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.utils.typing import Codes, Flags, Floats, Points

TRIED = 12  # units that are tried before one leaves: the farthest from the means of their groups
AHEAD = 100  # times that all units are looked at for these; between, those that were nearly as far
PASSES = 3  # over those that left, to see whether another one in place of each is better
MOST_EXCHANGED = 300


@dataclass(frozen=True, eq=False)
class Table:
    """Records that may be left out: where they lie, the cell within which each is grouped, whose it is, and whether that one may leave.

    A unit leaves with all of its records. `stays` is about units; `cell` and `unit` count from 0.
    """

    points: Points
    cell: Codes
    unit: Codes
    stays: Flags

    @classmethod
    def of(cls, points: Points) -> Table:
        """Records that are grouped together, each a unit, all of which may leave."""
        n = len(points)
        return cls(points, np.zeros(n, dtype=np.int64), np.arange(n), np.zeros(n, dtype=bool))

    def units_in_cells(self, rows: Flags) -> Codes:
        """How many units these records are of, cell by cell."""
        width = len(self.stays)
        pairs = np.unique(self.cell[rows] * width + self.unit[rows])
        return np.bincount(pairs // width, minlength=int(self.cell.max()) + 1).astype(np.int64)


def leave_out_in_space(
    table: Table, k: int, most: int, *, least: int = 0, tell: Callable[[float], object] = lambda _share: None
) -> Flags:
    """Which records are left out: none, or from `least` (k) units of a cell, and at most `most` in all.

    One unit after another leaves: of the twelve that lie farthest from the means of their groups the one without which the groups
    around it, made again, lose least; or all of a group, where that is more for each. Then each that left comes back where another
    one in its place lowers the loss. Cells that gave fewer than `least` give none, and their share of the budget goes to the others.
    Heuristic; what is made again is small, so that a step takes a few milliseconds for any number of records.
    """
    least = max(least or k, 1)
    enough = table.units_in_cells(np.ones(len(table.cell), dtype=bool)) >= k + least
    opened, first = enough.copy(), None
    while opened.any():
        leaving = Leaving(table, k, most, opened, tell)
        number = table.units_in_cells(leaving.out)
        short = (number > 0) & (number < least)
        if not short.any():
            if leaving.out.any():
                return leaving.out
            break
        first = leaving.saved if first is None else first
        opened = opened & ~short
    if first is None:
        return np.zeros(len(table.cell), dtype=bool)
    only = np.zeros(len(enough), dtype=bool)
    only[np.argmax(np.where(enough, first, -1.0))] = True
    out = Leaving(table, k, most, only, tell).out
    return out if table.units_in_cells(out).max() >= least else np.zeros_like(out)


class Leaving:
    """Units leave one by one, of cells that are open; each cell keeps at least k units."""

    def __init__(
        self, table: Table, k: int, most: int, opened: Flags, tell: Callable[[float], object], passes: int | None = None
    ) -> None:
        self.table, self.k, self.most, self.tell = table, k, most, tell
        self.groups = Regrouped(table.points, table.cell, k, np.flatnonzero(opened))
        self.room = table.units_in_cells(np.ones(len(table.cell), dtype=bool)) - k
        before = self.groups.losses(len(opened))
        order = np.argsort(table.unit, kind="stable")
        self.rows_of = np.split(order, np.cumsum(np.bincount(table.unit))[:-1])
        self.barred = table.stays.copy()
        self.barred[table.unit[~opened[table.cell]]] = True
        self.tried: dict[int, list[Change]] = {}
        self.left: list[int] = []
        self.bought: list[float] = []
        """What was seen to be saved by each of those that left, in their order; before any came back."""
        self._leave()
        for _ in range(PASSES if passes is None else passes):
            if len(self.left) > MOST_EXCHANGED or not self._exchange():
                break
        self.saved = before - self.groups.losses(len(opened))
        """By cell, how much less is lost."""

    @property
    def out(self) -> Flags:
        """Which records leave."""
        left = np.zeros(len(self.table.stays), dtype=bool)
        left[self.left] = True
        return left[self.table.unit]

    def _leave(self) -> None:
        steps = 0
        while (more := self.most - len(self.left)) > 0:
            if steps == 0:
                steps = max(1, self.most // AHEAD)
                self._look_ahead(steps)
            steps -= 1
            self.tell(len(self.left) / self.most)
            unit, saved = self._best()
            group, share = self._best_group(more)
            before = len(self.left)
            if group >= 0 and share > saved:
                self._group_leaves(group)
            elif unit >= 0:
                self._unit_leaves(unit)
            else:
                break
            self.bought += [max(share, saved)] * (len(self.left) - before)

    def _look_ahead(self, steps: int) -> None:
        """The units, and the groups, among which those of so many steps are looked for."""
        barred = self.barred.copy()
        shut = np.flatnonzero(self.room <= 0)
        if len(shut):
            barred[self.table.unit[np.isin(self.table.cell, shut)]] = True
        gains = np.bincount(self.table.unit, weights=self.groups.gain, minlength=len(barred)).astype(np.float64)
        gains[barred] = 0.0
        self.front = _largest(gains, TRIED + 8 * (steps - 1))
        losses = np.where(self.groups.alive, self.groups.loss, 0.0)
        self.worst = _largest(losses, TRIED + 8 * (steps - 1))

    def _candidates(self) -> list[int]:
        """The units that lie farthest from the means of their groups, and may leave."""
        gains = {
            unit: float(self.groups.gain[self.rows_of[unit]].sum()) for unit in self.front if self._may_leave(unit)
        }
        return sorted((unit for unit in gains if gains[unit] > 0.0), key=lambda unit: (-gains[unit], unit))[:TRIED]

    def _may_leave(self, unit: int) -> bool:
        return not self.barred[unit] and bool((self.room[self.table.cell[self.rows_of[unit]]] > 0).all())

    def _best(self) -> tuple[int, float]:
        """The unit without which least is lost, and how much less; -1 where none of them helps."""
        best, most = -1, 0.0
        for unit in self._candidates():
            saved = self._saved(unit)
            if saved > most:
                best, most = unit, saved
        return best, most

    def _saved(self, unit: int) -> float:
        changes = self.tried.get(unit)
        if changes is None or not all(map(self.groups.still, changes)):
            rows = self.rows_of[unit]
            cells = self.table.cell[rows]
            changes = [self.groups.without(rows[cells == cell], cell) for cell in np.unique(cells).tolist()]
            self.tried[unit] = changes
        return sum(change.saved for change in changes)

    def _best_group(self, more: int) -> tuple[int, float]:
        """The group whose members all leave with the most to be had for each, where each is a unit; -1 where there is none."""
        groups = self.groups
        if len(self.rows_of) < len(self.table.unit):
            return -1, 0.0
        for group in filter(groups.alive.__getitem__, self.worst):
            members, cell = groups.members[group], int(groups.cell[group])
            fits = len(members) <= min(more, int(self.room[cell])) and not self.barred[self.table.unit[members]].any()
            if fits:
                return group, float(groups.loss[group]) / len(members)
        return -1, 0.0

    def _unit_leaves(self, unit: int) -> None:
        for change in self.tried.pop(unit):
            self.groups.make(change)
        self._note([unit], inside=False)

    def _group_leaves(self, group: int) -> None:
        units = self.table.unit[self.groups.members[group]].tolist()
        self.groups.make(self.groups.without_group(group))
        self._note(units, inside=False)

    def _note(self, units: list[int], *, inside: bool) -> None:
        """Note that units are among the others, or left."""
        for unit in units:
            self.left.remove(unit) if inside else self.left.append(unit)
            self.barred[unit] = not inside
            self.room[np.unique(self.table.cell[self.rows_of[unit]])] += 1 if inside else -1

    def _exchange(self) -> bool:
        """Each unit that left comes back, and the best one leaves in its place; whether that lowered the loss at all."""
        lower = False
        for unit in list(self.left):
            rows = self.rows_of[unit]
            cells = self.table.cell[rows]
            coming = [self.groups.with_more(rows[cells == cell], cell) for cell in np.unique(cells).tolist()]
            undo = [self.groups.make(change) for change in coming]
            lost = -sum(change.saved for change in coming)
            self._note([unit], inside=True)
            self._look_ahead(1)
            other, saved = self._best()
            if other != unit and saved > lost * (1.0 + 1e-9):
                if other >= 0:  # else less is lost with this one back, and nobody else is to leave
                    self._unit_leaves(other)
                lower = True
                continue
            for change in reversed(undo):
                self.groups.make(change)
            self._note([unit], inside=False)
        return lower


def _largest(values: Floats, number: int) -> list[int]:
    """The places of so many of the largest values above 0, largest first."""
    width = min(number, len(values))
    top = np.sort(np.argpartition(-values, width - 1)[:width])
    return [int(place) for place in top[np.argsort(-values[top], kind="stable")] if values[place] > 0.0]
