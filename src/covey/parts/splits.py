"""Recursive balanced splits: which piece of space a record lies in, from a sample of all records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Floats, Numbers, Points

LEAST = 64
"""Records of the sample that a piece is judged by, at least."""


@dataclass(frozen=True, eq=False)
class Splits:
    """A tree of halvings along the widest axis. Node i splits at `at[i]`; its children are `low[i]` and `low[i] + 1`.

    A leaf has `low` -1: its records are dealt out to `deals` pieces from `first` on, to several only where (nearly) all of
    them are the same point, so that it hardly matters which of them are together.
    """

    axis: Codes
    at: Points
    low: Codes
    first: Codes
    deals: Codes
    share: Points
    """The share of the sample in each piece."""

    def __len__(self) -> int:
        return len(self.share)

    def assign(self, points: Points, numbers: Numbers) -> Codes:
        """The piece of every record; `numbers` deal out records that are the same point. O(log) a record."""
        node = self._walked(points)[0]
        deal = (numbers % self.deals[node].astype(np.uint64)).astype(np.int64)
        return np.asarray(self.first[node] + deal)

    def clearance(self, points: Points) -> Floats:
        """How far every point is from the nearest border of its piece, infinite where there is none. O(log) a point."""
        return self._walked(points)[1]

    def _walked(self, points: Points) -> tuple[Codes, Floats]:
        """The leaf of every point, and how near it came to a cut on its way there."""
        node, near = np.zeros(len(points), dtype=np.int64), np.full(len(points), np.inf)
        rows = np.flatnonzero(self.low[node] >= 0)
        while len(rows):
            here = node[rows]
            beyond = points[rows, self.axis[here]] - self.at[here]
            near[rows] = np.minimum(near[rows], np.abs(beyond))
            node[rows] = self.low[here] + (beyond >= 0.0)
            rows = rows[self.low[node[rows]] >= 0]
        return node, near


def split(points: Points, rows: int, most: int, k: int = 1) -> Splits:
    """Split a sample of `rows` records into pieces that hold about `most` of them, or half as many.

    Every piece holds at least k records of the sample, so it does not hold fewer. Where no axis has that many on both
    sides, records are dealt out.

    >>> splits = split(np.arange(1000.0).reshape(-1, 1), rows=1000, most=300)
    >>> len(splits), np.bincount(splits.assign(np.array([[0.0], [999.0]]), np.zeros(2, dtype=np.uint64))).tolist()
    (4, [1, 0, 0, 1])
    """
    nodes: list[tuple[int, float, int, int, int]] = [(0, 0.0, -1, 0, 1)]
    shares: list[float] = []
    waiting = [(0, np.arange(len(points)))]
    while waiting:
        place, inside = waiting.pop()
        expected = rows * len(inside) / max(1, len(points))
        least = max(LEAST, k)
        if expected <= most or len(inside) < 2 * least:
            nodes[place] = (0, 0.0, -1, len(shares), 1)
            shares.append(len(inside) / max(1, len(points)))
            continue
        cut = _cut(points[inside], least)
        if cut is None:
            deals = max(1, min(int(np.ceil(expected / most)), int(expected) // (8 * k)))
            nodes[place] = (0, 0.0, -1, len(shares), deals)
            shares += [len(inside) / len(points) / deals] * deals
            continue
        axis, at = cut
        nodes[place] = (axis, at, len(nodes), 0, 1)
        above = points[inside, axis] >= at
        waiting += [(len(nodes) + 1, inside[above]), (len(nodes), inside[~above])]
        nodes += [(0, 0.0, -1, 0, 1)] * 2
    axis_, at_, low, first, deals_ = (np.array(column) for column in zip(*nodes, strict=True))
    whole = [column.astype(np.int64) for column in (axis_, low, first, deals_)]
    return Splits(whole[0], at_.astype(np.float64), whole[1], whole[2], whole[3], np.array(shares))


def _cut(points: Points, least: int) -> tuple[int, float] | None:
    """The axis of the largest variance and the value nearest to its median that has `least` records on both sides."""
    spread = points.var(axis=0)
    for axis in np.argsort(-spread, kind="stable").tolist():
        values = np.sort(points[:, axis])
        starts = np.flatnonzero(np.diff(values) > 0) + 1
        starts = starts[(starts >= least) & (starts <= len(values) - least)]
        if len(starts):
            best = starts[np.argmin(np.abs(starts - len(values) / 2))]
            return axis, float(values[best])
    return None
