"""The optimality gap of a grouping from a sample of its records, where a bound from all of them takes too long."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey._kernels import space as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float64]
    Labels = NDArray[np.int64]

MOST_FOR_A_TREE = 24
"""With more coordinates a k-d tree prunes nothing."""
PIECE, ROWS = 2**15, 128
"""Points and records that are compared at a time."""


class Gap(NamedTuple):
    """How much of a loss is not proven necessary, from 0 to 1, with an interval (95 %) where that is an estimate."""

    value: float
    interval: tuple[float, float] | None = None


def sampled_gap(points: Points, cells: Labels, k: int, losses: Points, sample: int) -> Gap:
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
    found = _paid(points, cells, k, rows) / chance[rows]
    half = 1.96 * float(found.std(ddof=1)) / math.sqrt(sample)
    value, low, high = (_share(1.0 - (float(found.mean()) + side) / loss) for side in (0.0, half, -half))
    return Gap(value, (low, high))


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _paid(points: Points, cells: Labels, k: int, rows: Labels) -> Points:
    """What these records pay at least."""
    paid = np.zeros(len(rows))
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    for inside in np.split(order, starts[1:]):
        mine = np.flatnonzero(cells[rows] == cells[inside[0]])
        if len(mine):
            wanted = np.searchsorted(inside, rows[mine])
            paid[mine] = _nearest(points[inside], wanted, min(k, len(inside))) / (2.0 * k)
    return paid


def _nearest(points: Points, records: Labels, k: int) -> Points:
    """For every one of these records the sum of the squared distances to the k - 1 nearest others."""
    if points.shape[1] <= MOST_FOR_A_TREE:
        return kernels.neighbour_sums(points, records.astype(np.uint32), k - 1)
    wanted = points[records]
    nearest = np.full((len(wanted), k), np.inf)
    own = (wanted**2).sum(axis=1)
    for start in range(0, len(points), PIECE):
        some = points[start : start + PIECE]
        norms = (some**2).sum(axis=1)
        for first in range(0, len(wanted), ROWS):
            rows = slice(first, first + ROWS)
            squares = norms - 2.0 * (wanted[rows] @ some.T) + own[rows, None]
            _keep_nearest(nearest[rows], squares)
    return np.asarray(np.maximum(nearest, 0.0).sum(axis=1))


def _keep_nearest(nearest: Points, squares: Points) -> None:
    """Put the smallest of `squares` into the rows of `nearest` where they are smaller than what is there."""
    k = nearest.shape[1]
    row, place = np.nonzero(squares < nearest.max(axis=1, keepdims=True))
    if len(row) > squares.size // 8:  # at the beginning: all of them
        nearest[:] = np.partition(np.hstack([nearest, squares]), k - 1, axis=1)[:, :k]
    elif len(row):
        held = np.bincount(row, minlength=len(squares))
        offset = np.arange(len(row)) - np.repeat(np.cumsum(held) - held, held)
        few = np.full((len(squares), int(held.max())), np.inf)
        few[row, offset] = squares[row, place]
        nearest[:] = np.partition(np.hstack([nearest, few]), k - 1, axis=1)[:, :k]
