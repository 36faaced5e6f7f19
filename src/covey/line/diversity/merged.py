"""Groups of different colours, neighbours of which are merged up to k records: no colour has more than 1/l of any."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import diverse as kernels
from covey.line.diversity.problem import OBJECTIVES

if TYPE_CHECKING:
    from covey.utils.typing import Floats, Labels

_BYTES = 2**26  # for the states of the beam
_MOST_WORK = 50_000  # records times l squared: above that groups are made greedily


def different_colours(x: Floats, colours: Labels, k: int, l: int) -> Labels | None:  # noqa: E741
    """Groups of numbers that ascend, at least k in each and no colour above a share of 1/l; None where one has more than n / l records.

    A beam of the window recursion makes groups of l to 2l-1 different colours; of those in a row the best are merged.
    """
    if int(np.bincount(colours).max()) * l > len(x):
        return None
    m = int(colours.max()) + 1
    if len(x) * l * l <= _MOST_WORK:
        return merge_neighbours(x, kernels.guess(x, colours, m, l, _BYTES)[0], k)
    return merge_neighbours(x, kernels.start(x, colours, m, l, OBJECTIVES.index("sse"))[0], k)


def merge_neighbours(x: Floats, labels: Labels, k: int) -> Labels:
    """The groups, in the order of their means, merged in runs of at least k records at the least sum of squares.

    O(g w) for g groups of which w make up 2k records: a run of which both a beginning and the rest have k is never better than both.

    >>> merge_neighbours(np.array([0.0, 1.0, 5.0, 6.0, 9.0, 10.0]), np.array([0, 0, 1, 1, 2, 2]), 3).tolist()
    [0, 0, 0, 0, 0, 0]
    """
    numbers = np.unique(labels, return_inverse=True)[1].reshape(-1)
    sizes = np.bincount(numbers)
    offset = x - x[len(x) // 2]
    sums = np.bincount(numbers, weights=offset)
    squares = np.bincount(numbers, weights=offset**2)
    order = np.argsort(sums / sizes, kind="stable")
    starts = _runs(sizes[order].tolist(), sums[order].tolist(), squares[order].tolist(), k)
    run_of = np.empty(len(order), dtype=np.int32)
    run_of[order] = np.searchsorted(starts, np.arange(len(order)), side="right") - 1
    merged: Labels = run_of[numbers]
    return merged


def _runs(sizes: list[int], sums: list[float], squares: list[float], k: int) -> list[int]:
    """Where the best runs begin."""
    best, start = [0.0], [0]
    for stop in range(1, len(sizes) + 1):
        size, total, square, least, begins = 0, 0.0, 0.0, float("inf"), 0
        for first in range(stop - 1, -1, -1):
            size, total, square = size + sizes[first], total + sums[first], square + squares[first]
            loss = best[first] + square - total * total / size
            if size >= k and loss < least:
                least, begins = loss, first
            if size >= 2 * k + max(sizes[first:stop]):
                break
        best.append(least)
        start.append(begins)
    place, starts = len(sizes), []
    while place > 0:
        place = start[place]
        starts.append(place)
    return starts[::-1]
