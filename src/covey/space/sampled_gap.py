"""The optimality gap of a grouping from a sample of its records, where a bound from all of them takes too long."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.utils.neighbours import neighbour_sums

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Floats, Points, Rows


class Gap(NamedTuple):
    """How much of a loss is not proven necessary, from 0 to 1, with an interval (95 %) where that is an estimate.

    `knows`: whether the bound knows what is required beside k, or is one for k alone.
    """

    value: float
    interval: tuple[float, float] | None = None
    knows: bool = False


def sampled_gap(points: Points, cells: Codes, k: int, losses: Floats, sample: int) -> Gap:
    """The gap between a loss (SSE, given record by record) and the bound by nearest neighbours, from `sample` records.

    In a group of at least k every record pays at least 1/2k of the squared distances to its k - 1 nearest of the same cell;
    groups of k units have k records or more, so that holds for them, too. Records are drawn with a chance that grows with
    what they lose, which is much like what they pay (Hansen & Hurwitz 1943); the interval is the normal one of the mean.
    By a k-d tree: O(n log n) and a search for each different record of the sample.
    """
    loss, n = float(losses.sum()), len(points)
    if loss <= 0:
        return Gap(0.0)
    if sample >= n:
        return Gap(_share(1.0 - float(_paid(points, cells, k, np.arange(n)).sum()) / loss))
    chance = 0.9 * losses / loss + 0.1 / n
    rows = np.random.RandomState(0).choice(n, sample, p=chance / chance.sum())
    paid = _paid(points, cells, k, rows) / chance[rows]
    half = 1.96 * float(paid.std(ddof=1)) / math.sqrt(sample)
    value, low, high = (_share(1.0 - (float(paid.mean()) + side) / loss) for side in (0.0, half, -half))
    return Gap(value, (low, high))


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _paid(points: Points, cells: Codes, k: int, rows: Rows) -> Floats:
    """What these records pay at least."""
    paid = np.zeros(len(rows))
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    for inside in np.split(order, starts[1:]):
        mine = np.flatnonzero(cells[rows] == cells[inside[0]])
        if len(mine):
            wanted = np.searchsorted(inside, rows[mine])
            paid[mine] = neighbour_sums(points[inside], wanted, min(k, len(inside))) / (2.0 * k)
    return paid
