"""Degrees that are shared by at least k vertices each, close to those of a network, and of some graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.line.optimal import OptimalLine

if TYPE_CHECKING:
    from covey.core.partition import Partition
    from covey.utils.typing import Integers


def degree_targets(degrees: Integers, k: int) -> Integers:
    """A degree for every vertex, each that of at least k, which some graph has; O(n log n), a little more if repaired.

    The grouping with the least sum of absolute changes is exact: optimal microaggregation with medians. Two things may
    cost a little more. The sum of degrees must be even: else a group of an odd number of vertices is moved by one, the cheapest.
    And the degrees must be those of a graph (Erdős & Gallai): else the largest degree is lowered until they are. That ends, for
    no edges at all is a graph.

    >>> degree_targets(np.array([1, 1, 2, 3, 3]), 2).tolist()
    [2, 2, 2, 3, 3]
    """
    partition = OptimalLine(cost="sae").partition(degrees.astype(np.float64), k)
    level = np.array([_median(degrees[group]) for group in partition.groups()], dtype=np.int64)
    _make_even(level, degrees, partition, (-1, 1))
    while not is_graphical(level[partition.labels]):
        level[level == level.max()] -= 1
        _make_even(level, degrees, partition, (-1,))
    return np.asarray(level[partition.labels], dtype=np.int64)


def _median(values: Integers) -> int:
    """A median: of those that are as good, the one nearest to the mean."""
    ordered = np.sort(values)
    low, high = int(ordered[(len(ordered) - 1) // 2]), int(ordered[len(ordered) // 2])
    return int(np.clip(round(float(ordered.mean())), low, high))


def _make_even(level: Integers, degrees: Integers, partition: Partition, steps: tuple[int, ...]) -> None:
    """Move one group of an odd number of vertices so that the sum of degrees is even.

    Lemma: if the sum is odd, some group has an odd number of vertices and an odd degree, which can be lowered.
    """
    if int(level @ partition.sizes) % 2 == 0:
        return
    groups = partition.groups()
    best: tuple[int, int, int] | None = None
    for place in np.flatnonzero(partition.sizes % 2 == 1).tolist():
        values = degrees[groups[place]]
        for step in steps:
            moved = int(level[place]) + step
            if 0 <= moved < len(degrees):
                cost = int(np.abs(values - moved).sum() - np.abs(values - level[place]).sum())
                best = min(best or (cost, place, step), (cost, place, step))
    assert best is not None
    level[best[1]] += best[2]


def is_graphical(degrees: Integers) -> bool:
    """Whether some graph without loops and repeated edges has these degrees; O(n log n). Source: Erdős & Gallai.

    >>> is_graphical(np.array([2, 2, 2])), is_graphical(np.array([3, 1, 0]))
    (True, False)
    """
    d = np.sort(degrees)[::-1].astype(np.int64)
    n = len(d)
    if n == 0 or d[-1] < 0 or d[0] >= n or int(d.sum()) % 2:
        return n == 0
    r = np.arange(1, n + 1)
    left = np.cumsum(d)
    above = n - np.searchsorted(d[::-1], r, side="left")  # how many have a degree of at least r
    beyond = np.maximum(above, r)  # those after the first r that are at least r: above - r, or none
    right = r * (r - 1) + (beyond - r) * r + (left[-1] - left[beyond - 1])
    return bool(np.all(left <= right))
