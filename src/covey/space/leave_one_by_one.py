"""Units leave one after another, each time the one, or the group, without which the groups around it lose least."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from covey.space.leave_at_price import Budget, leave_at_price
from covey.space.regroup import Change, Made, Regrouped

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.space.leave_out import Table
    from covey.utils.typing import Flags, Floats

TRIED = 12  # units that are tried before one leaves: the farthest from the means of their groups
AHEAD = 100  # times that all units are looked at for these; between, those that were nearly as far
PASSES = 3  # over those that left, to see whether another one in place of each is better
MOST_EXCHANGED = 300
Units: TypeAlias = tuple[int, ...]


class Leaving:
    """Units leave one by one, of cells that are open; each cell keeps at least k units."""

    def __init__(
        self,
        table: Table,
        k: int,
        most: int,
        opened: Flags,
        tell: Callable[[float], object],
        least: int = 0,
        passes: int | None = None,
    ) -> None:
        self.table, self.k, self.most, self.tell = table, k, most, tell
        self.groups = Regrouped(table.points, table.cell, k, np.flatnonzero(opened))
        self.room = table.units_in_cells(np.ones(len(table.cell), dtype=bool)) - k
        before = self.groups.losses(len(opened))
        order = np.argsort(table.unit, kind="stable")
        self.rows_of = np.split(order, np.cumsum(np.bincount(table.unit))[:-1])
        self.barred = table.stays.copy()
        self.barred[table.unit[~opened[table.cell]]] = True
        self.tried: dict[Units, list[Change]] = {}
        self.left: list[int] = []
        self.bought: list[float] = []
        """What was seen to be saved by each that left, in their order."""
        self._leave()
        for _ in range(PASSES if passes is None else passes):
            if len(self.left) > MOST_EXCHANGED or not self._exchange():
                break
        if len(self.left) < most and passes is None:  # some came back, and nobody left in their place
            self._leave()
        self._fill(least)
        self.saved = before - self.groups.losses(len(opened))
        """By cell, how much less is lost."""

    @property
    def out(self) -> Flags:
        """Which records leave."""
        left = np.zeros(len(self.table.stays), dtype=bool)
        left[self.left] = True
        return left[self.table.unit]

    def at_price(self, least: int) -> Flags:
        """Which records leave after a search from there, which pays for each that is outside."""
        budget, price = Budget(self.k, self.most, least), min(saved for saved in self.bought if saved > 0.0)
        return leave_at_price(self.table, budget, self.groups, self.out, price)

    def _leave(self) -> None:
        """One after another; where nobody saves anything, some more, who stay out if they save something together."""
        ahead, saved, most_saved = 0, 0.0, 0.0
        since: list[tuple[Units, list[Made]]] = []  # that left after most was saved
        while (more := self.most - len(self.left)) > 0 and len(since) < 2 * self.k:
            fresh = ahead == 0
            if fresh:
                ahead = max(1, self.most // AHEAD)
                self._look_ahead(ahead)
            ahead -= 1
            self.tell(len(self.left) / self.most)
            units, share = max(self._best(), self._best_group(more), key=lambda one: one[1])
            if not fresh and share <= 0.0:
                ahead = 0
                continue
            if not units:
                break
            since.append((units, self._go(units, share)))
            saved += share * len(units)
            if saved > most_saved:
                most_saved, since = saved, []
        for units, several in reversed(since):
            self._come_back(units, several)
            del self.bought[-len(units) :]

    def _fill(self, least: int) -> None:
        """As many more leave cells that gave some, but not enough, as these lack, where the budget holds that."""
        given = self.table.units_in_cells(self.out)
        for cell in np.flatnonzero((given > 0) & (given < least)).tolist():
            for _ in range(least - int(given[cell]) if least - given[cell] <= self.most - len(self.left) else 0):
                self._look_ahead(1, cell)
                units, saved = self._best()
                if not units:
                    break
                self._go(units, saved)

    def _look_ahead(self, steps: int, only: int | None = None) -> None:
        """The units, and the groups, among which those of so many steps are looked for; in one cell, or in all."""
        barred = self.barred.copy()
        shut = np.flatnonzero(self.room <= 0 if only is None else np.arange(len(self.room)) != only)
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
            unit: float(self.groups.gain[self.rows_of[unit]].sum()) for unit in self.front if self._may_leave((unit,))
        }
        return sorted((unit for unit in gains if gains[unit] > 0.0), key=lambda unit: (-gains[unit], unit))[:TRIED]

    def _may_leave(self, units: Units) -> bool:
        if any(self.barred[unit] for unit in units):
            return False
        if len(units) == 1:
            return bool((self.room[self.table.cell[self.rows_of[units[0]]]] > 0).all())
        needed = np.bincount(np.concatenate([np.unique(self.table.cell[self.rows_of[unit]]) for unit in units]))
        return bool((needed <= np.maximum(self.room[: len(needed)], 0)).all())

    def _best(self) -> tuple[Units, float]:
        """The unit without which least is lost, and how much less, which may be less than nothing; none where there is none."""
        best: Units = ()
        most = -math.inf
        for unit in self._candidates():
            saved = self._saved((unit,))
            if saved > most:
                best, most = (unit,), saved
        return best, most

    def _saved(self, units: Units) -> float:
        changes = self.tried.get(units)
        if changes is None or not all(map(self.groups.still, changes)):
            changes = self.tried[units] = self._changes(units)
        return sum(change.saved for change in changes)

    def _changes(self, units: Units) -> list[Change]:
        rows = np.concatenate([self.rows_of[unit] for unit in units])
        groups = np.unique(self.groups.label[rows]).tolist()
        if len(groups) == 1 and len(self.groups.members[groups[0]]) == len(rows):
            return [self.groups.without_group(groups[0])]
        cells = self.table.cell[rows]
        return [self.groups.without(rows[cells == cell], cell) for cell in np.unique(cells).tolist()]

    def _best_group(self, more: int) -> tuple[Units, float]:
        """Those of the group that loses most of all that may leave whole, and what is to be had for each of them; none where there is none."""
        for group in filter(self.groups.alive.__getitem__, self.worst):
            units = tuple(np.unique(self.table.unit[self.groups.members[group]]).tolist())
            if len(units) <= more and self._may_leave(units):
                return units, self._saved(units) / len(units)
        return (), -math.inf

    def _go(self, units: Units, share: float) -> list[Made]:
        """These leave, each of which saves its share; returns what takes that back."""
        self._note(units, inside=False)
        self.bought += [share] * len(units)
        return [self.groups.make(change) for change in self.tried.pop(units)]

    def _come_back(self, units: Units, several: list[Made]) -> None:
        for made in several:
            self.groups.take_back(made)
        self._note(units, inside=True)

    def _note(self, units: Units, *, inside: bool) -> None:
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
            self._note((unit,), inside=True)
            self._look_ahead(1)
            other, saved = self._best()
            if saved <= 0.0:
                other, saved = (), 0.0
            if other != (unit,) and saved > lost * (1.0 + 1e-9):
                if other:  # else less is lost with this one back, and nobody else is to leave
                    self._go(other, saved)
                lower = True
                continue
            for made in undo:
                self.groups.take_back(made)
            self._note((unit,), inside=False)
        return lower


def _largest(values: Floats, number: int) -> list[int]:
    """The places of so many of the largest values above 0, largest first."""
    width = min(number, len(values))
    top = np.sort(np.argpartition(-values, width - 1)[:width])
    return [int(place) for place in top[np.argsort(-values[top], kind="stable")] if values[place] > 0.0]
