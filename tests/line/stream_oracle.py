"""What a stream must give, slow and obvious: keep everything, follow every path."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.line import OptimalLine, stream
from tests.line.oracle import Exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray


def all_ends(blocks: Iterable[Any], k: int, cost: str = "sse", tail_memory: int = 2**26) -> list[int]:
    """What a stream yields, in one list."""
    return [int(end) for ends in stream(blocks, k, cost, tail_memory=tail_memory) for end in ends]


def in_memory(x: Sequence[float] | NDArray[np.float64], k: int, cost: str = "sse") -> list[int]:
    """The group ends of the search in memory, of sorted values."""
    labels = OptimalLine(cost=cost).partition(x, k).labels
    return [*(np.flatnonzero(np.diff(labels)) + 1).tolist(), len(labels)]


def loss_of_ends(cost: str, values: Iterable[float], ends: Sequence[int]) -> Fraction:
    """The loss of the groups that end there, exactly."""
    exact = Exact(values)
    return sum((exact.loss(cost, start, stop) for start, stop in itertools.pairwise([0, *ends])), Fraction(0))


def every_way_to_cut(n: int) -> Iterator[list[int]]:
    """Where the blocks stop, for every way to cut n records into blocks that are not empty."""
    for inner in range(n):
        for cuts in itertools.combinations(range(1, n), inner):
            yield [*cuts, n]


def roots_of(sizes: Sequence[int], start: int, stop: int, live: int) -> list[int]:
    """For the last `live` ends up to stop: how far before `start` the path passes. sizes[j-1]: last group that ends at j."""
    roots = []
    for end in range(stop, stop - live, -1):
        at = end
        while at > start:
            at -= sizes[at - 1]
        roots.append(start - at)
    return roots


def worst_lag(x: NDArray[np.float64], k: int, cost: str, block: int) -> int:
    """The most records that were ever read and not decided."""
    read = decided = worst = 0

    def blocks() -> Iterator[NDArray[np.float64]]:
        nonlocal read, worst
        for start in range(0, len(x), block):
            worst = max(worst, read - decided)
            read = min(start + block, len(x))
            yield x[start : start + block]

    for ends in stream(blocks(), k, cost):
        decided = int(ends[-1])
    return worst
