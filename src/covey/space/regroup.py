"""Groups of records that come and go: the few groups around a record are made again without it, or with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.line.optimal import OptimalLine
from covey.space.auto import good_groups
from covey.space.method import only_partition

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Floats, Points, Rows

NEAR = 8  # groups that are made again
MOST_POOL = 300  # records of these


class Change(NamedTuple):
    """Groups that give way to others of the records `rows`, and how much less is lost then."""

    old: Codes
    rows: Rows
    labels: Codes
    cell: int
    saved: float


class Made(NamedTuple):
    """The groups that gave way to others, and these."""

    old: Codes
    new: Codes


class Regrouped:
    """Groups of the records of some cells, and what each record seems to add to the loss of its group.

    `gain` is what the loss of a group falls by without a record, its other members as they are: the record's squared distance to
    their mean, times a / (a - 1) for a members; 0 for records that are in no group.
    """

    def __init__(self, points: Points, cell: Codes, k: int, cells: Codes) -> None:
        self.points, self.k = points, k
        self.label = np.full(len(points), -1)
        self.gain = np.zeros(len(points))
        room = len(points) // k + 1024
        self.centres, self.loss = np.zeros((room, points.shape[1])), np.zeros(room)
        self.cell, self.alive = np.full(room, -1), np.zeros(room, dtype=bool)
        self.members: list[Rows] = []
        for one in cells.tolist():
            rows = np.flatnonzero(cell == one)
            self._add(rows, groups_of(points[rows], k), one)

    def _add(self, rows: Rows, labels: Codes, cell: int) -> None:
        points, first = self.points[rows], len(self.members)
        sizes = np.bincount(labels)
        if first + len(sizes) > len(self.alive):
            self._grow(first + len(sizes))
        centres = np.column_stack([np.bincount(labels, weights=values) / sizes for values in points.T])
        far = ((points - centres[labels]) ** 2).sum(axis=1)
        some = slice(first, first + len(sizes))
        self.centres[some], self.loss[some] = centres, np.bincount(labels, weights=far)
        self.cell[some], self.alive[some] = cell, True
        self.members += np.split(rows[np.argsort(labels, kind="stable")], np.cumsum(sizes)[:-1])
        self.label[rows] = labels + first
        self.gain[rows] = far * (sizes / np.maximum(sizes - 1, 1))[labels]

    def _grow(self, needed: int) -> None:
        more = max(needed, 2 * len(self.alive)) - len(self.alive)
        self.centres = np.concatenate([self.centres, np.zeros((more, self.centres.shape[1]))])
        self.loss = np.concatenate([self.loss, np.zeros(more)])
        self.cell = np.concatenate([self.cell, np.full(more, -1)])
        self.alive = np.concatenate([self.alive, np.zeros(more, dtype=bool)])

    def losses(self, cells: int) -> Floats:
        """What is lost in each of so many cells."""
        here = np.flatnonzero(self.alive)
        return np.bincount(self.cell[here], weights=self.loss[here], minlength=cells).astype(np.float64)

    def without(self, rows: Rows, cell: int) -> Change:
        """The groups around records of a cell without them."""
        touched = np.unique(self.label[rows])
        old = self._around(self.centres[touched].mean(axis=0), cell, touched)
        inside = np.concatenate([self.members[group] for group in old.tolist()])
        return self._change(old, inside[~np.isin(inside, rows)], cell)

    def with_more(self, rows: Rows, cell: int) -> Change:
        """The groups around records that are in no group, with them."""
        old = self._around(self.points[rows].mean(axis=0), cell, np.empty(0, dtype=np.int64))
        return self._change(old, np.concatenate([rows, *(self.members[group] for group in old.tolist())]), cell)

    def without_group(self, group: int) -> Change:
        """A group less."""
        none = np.empty(0, dtype=np.int64)
        return Change(np.array([group]), none, none, int(self.cell[group]), float(self.loss[group]))

    def make(self, change: Change) -> Made:
        """Make a change; returns what takes it back."""
        rows = np.concatenate([self.members[group] for group in change.old.tolist()])
        self.alive[change.old] = False
        self.label[rows], self.gain[rows] = -1, 0.0
        first = len(self.members)
        if len(change.rows):
            self._add(change.rows, change.labels, change.cell)
        return Made(change.old, np.arange(first, len(self.members)))

    def take_back(self, change: Made) -> None:
        """Undo a change, if all that were made after it are undone: its groups are there again, by the same numbers."""
        for group in change.new.tolist():
            rows = self.members[group]
            self.label[rows], self.gain[rows] = -1, 0.0
        self.alive[change.new], self.alive[change.old] = False, True
        for group in change.old.tolist():
            rows = self.members[group]
            far = ((self.points[rows] - self.centres[group]) ** 2).sum(axis=1)
            self.label[rows], self.gain[rows] = group, far * (len(rows) / max(len(rows) - 1, 1))

    def still(self, change: Change) -> bool:
        """Whether the groups of a change are there."""
        return bool(self.alive[change.old].all())

    def _around(self, centre: Floats, cell: int, touched: Codes) -> Codes:
        """These groups, and the nearest of the cell."""
        others = self.alive[: len(self.members)] & (self.cell[: len(self.members)] == cell)
        others[touched] = False
        here = np.flatnonzero(others)
        far = ((self.centres[here] - centre) ** 2).sum(axis=1)
        width = min(NEAR, len(here))
        near = here[np.argpartition(far, width - 1)[:width]] if width else here
        near = near[np.argsort(((self.centres[near] - centre) ** 2).sum(axis=1), kind="stable")]
        chosen, records = touched.tolist(), sum(len(self.members[group]) for group in touched.tolist())
        for group in near.tolist():
            records += len(self.members[group])
            if len(chosen) > len(touched) + 1 and records > MOST_POOL:
                break
            chosen.append(group)
        return np.array(chosen, dtype=np.int64)

    def _change(self, old: Codes, rows: Rows, cell: int) -> Change:
        rows = np.sort(rows)
        points = self.points[rows]
        labels = groups_of(points, self.k)
        return Change(old, rows, labels, cell, float(self.loss[old].sum() - squares(points, labels).sum()))


def groups_of(points: Points, k: int) -> Codes:
    """The groups of `Auto`, or on a line the best ones."""
    partition = only_partition(len(points), k)
    if partition is None and points.shape[1] == 1:
        partition = OptimalLine().partition(points[:, 0], k)
    labels = good_groups(points, k) if partition is None else partition.labels
    return labels.astype(np.int64)


def squares(points: Points, labels: Codes) -> Floats:
    """The squared distance of every record to the mean of its group."""
    far = np.zeros(len(points))
    sizes = np.bincount(labels)
    for values in points.T:
        far += (values - (np.bincount(labels, weights=values) / sizes)[labels]) ** 2
    return far
