"""The definition of l-diversity clustering on the line, slow and exact: every partition, in whole numbers."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Cluster = tuple[int, ...]

UNIT = 840  # times the value of a clustering: whole for up to 8 whole numbers in a cluster, for "sse", too
OBJECTIVES = ("max", "sum", "sse")


def cost(objective: str, values: Sequence[int]) -> int:
    """What a cluster of whole numbers costs, times UNIT."""
    if objective == "sse":
        return UNIT * sum(v * v for v in values) - UNIT * sum(values) ** 2 // len(values)
    if objective == "rounded":
        return UNIT * min(sum((v - c) ** 2 for v in values) for c in range(min(values), max(values) + 1))
    span = max(values) - min(values)
    return UNIT * span * (len(values) if objective == "size-span" else 1)


def total(objective: str, costs: Sequence[int]) -> int:
    return max(costs, default=0) if objective == "max" else sum(costs)


@lru_cache(maxsize=10_000)
def clusters(colours: tuple[int, ...], l: int) -> tuple[tuple[Cluster, ...], ...]:  # noqa: E741
    """For each point: the clusters of which it is the first."""
    n = len(colours)
    return tuple(
        tuple(
            (first, *others)
            for size in range(l, n + 1)
            for others in itertools.combinations(range(first + 1, n), size - 1)
            if len({colours[i] for i in (first, *others)}) == size
        )
        for first in range(n)
    )


def best(x: Sequence[int], colours: tuple[int, ...], l: int, objective: str) -> int | None:  # noqa: E741
    """The least value of any clustering, times UNIT; None where there is none."""
    starting = clusters(colours, l)
    known: dict[int, int | None] = {0: 0}
    priced = [[(sum(1 << i for i in c), cost(objective, [x[i] for i in c])) for c in of_first] for of_first in starting]

    def solve(left: int) -> int | None:
        if left in known:
            return known[left]
        first = (left & -left).bit_length() - 1
        found: int | None = None
        for mask, price in priced[first]:
            if mask & left != mask:
                continue
            rest = solve(left ^ mask)
            if rest is not None:
                value = max(rest, price) if objective == "max" else rest + price
                found = value if found is None else min(found, value)
        known[left] = found
        return found

    return solve((1 << len(x)) - 1)


def clusterings(colours: tuple[int, ...], l: int) -> Iterator[list[Cluster]]:  # noqa: E741
    """Every clustering."""
    starting = clusters(colours, l)

    def extend(left: frozenset[int]) -> Iterator[list[Cluster]]:
        if not left:
            yield []
            return
        for cluster in starting[min(left)]:
            if left.issuperset(cluster):
                for others in extend(left.difference(cluster)):
                    yield [cluster, *others]

    yield from extend(frozenset(range(len(colours))))


def colourings(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every sequence of up to `most` colours, up to their names."""

    def extend(prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(prefix) == n:
            yield prefix
            return
        for colour in range(min(max(prefix, default=-1) + 2, most)):
            yield from extend((*prefix, colour))

    yield from extend(())


PATTERNS = (  # gaps between points, again and again
    (1,),
    (0, 1),
    (0, 0, 2),
    (1, 5),
    (3, 0, 1, 7),
    (2, 1, 4, 1, 0, 9),
)


def column(pattern: tuple[int, ...], n: int) -> list[int]:
    return list(itertools.accumulate(itertools.islice(itertools.cycle(pattern), n - 1), initial=0))


def small_instances(largest: int, most: int) -> Iterator[tuple[list[int], tuple[int, ...], int]]:
    """Points, colours and l: every colouring with two of the patterns of gaps in turn, and every l with a solution."""
    turn = 0
    for n in range(1, largest + 1):
        for colours in colourings(n, most):
            frequent = max(colours.count(c) for c in set(colours))
            for l in range(2, n // frequent + 1):  # noqa: E741
                for _ in range(2):
                    turn += 1
                    yield column(PATTERNS[turn % len(PATTERNS)], n), colours, l
