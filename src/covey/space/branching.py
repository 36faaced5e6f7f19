"""Branch and price: where the groups that matter are too many for one integer program.

A fractional solution of the relaxation holds two records that share a group to some part. Each such pair is forced together
in one branch and apart in the other (Ryan & Foster 1981); the branch with the lowest bound goes next. The least bound of
the open branches is a bound of the whole, whenever it is stopped.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from covey.core.partition import Partition

if TYPE_CHECKING:
    from covey.space.column_generation import ColumnGeneration


def branch(root: ColumnGeneration, deadline: float, tolerance: float) -> tuple[Partition | None, bool]:
    """A better partition, if one was found, and whether the best is proven. Raises the bound of the root."""
    better: Partition | None = None
    number = itertools.count()
    heap: list[tuple[float, int, ColumnGeneration]] = [(root.bound, next(number), root)]
    upper = root.upper
    while heap and time.monotonic() < deadline:
        bound, _, node = heap[0]
        if bound >= upper * (1 - tolerance):
            break
        pair = _undecided(node)
        if pair is None:  # whole groups: a partition
            heapq.heappop(heap)
            groups = [group for weight, group in node.used if weight > 0.5]
            loss = sum(node._cost(group) for group in groups)
            if loss < upper and sum(map(len, groups)) == node.n:
                upper, better = loss, partition_of(groups, node.n)
            continue
        children = [node.child(pair, together=together) for together in (True, False)]
        for child in children:
            child.upper = upper
            child.run(deadline)
        if not all(child.converged for child in children):
            break  # time is up: the parent stays open
        heapq.heappop(heap)
        for child in children:
            heapq.heappush(heap, (child.bound, next(number), child))
    lowest = heap[0][0] if heap else upper
    root.bound = max(root.bound, min(lowest, upper))
    return better, lowest >= upper * (1 - tolerance)


def _undecided(node: ColumnGeneration) -> tuple[int, int] | None:
    """The pair of records that is nearest to half together."""
    share: dict[tuple[int, int], float] = defaultdict(float)
    for weight, group in node.used:
        if weight < 1 - 1e-6:
            for pair in itertools.combinations(sorted(group.tolist()), 2):
                share[pair] += weight
    open_pairs = [(abs(s - 0.5), pair) for pair, s in share.items() if 1e-6 < s < 1 - 1e-6]
    return min(open_pairs)[1] if open_pairs else None


def partition_of(groups: list[np.ndarray], n: int) -> Partition:
    """The partition into these groups of the records 0 .. n-1."""
    labels = np.zeros(n, dtype=np.uint32)
    for number, group in enumerate(groups):
        labels[group] = number
    return Partition(labels)
