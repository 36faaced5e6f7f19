"""The least loss of any partition, in exact arithmetic: whole numbers of a common unit."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def exact_optimum(rows: Sequence[Sequence[float]], k: int) -> Fraction:
    """By dynamic programming over sets of records; groups of k to 2k-1 are enough, larger ones are split without loss."""
    n, exact = len(rows), [[Fraction(x) for x in row] for row in rows]
    if n < 2 * k:
        return group_cost(exact, range(n))
    unit = math.lcm(*(x.denominator for row in exact for x in row))
    whole = [[int(x * unit) for x in row] for row in exact]
    squared = [[sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) for b in whole] for a in whole]
    sizes = range(k, min(2 * k, n + 1))
    shares = math.lcm(*sizes)

    @cache
    def cost(group: tuple[int, ...]) -> int:
        return shares // len(group) * sum(squared[i][j] for i, j in combinations(group, 2))

    @cache
    def best(left: tuple[int, ...]) -> int | None:
        if not left:
            return 0
        least = None
        for size in sizes:
            if size > len(left) or 0 < len(left) - size < k:
                continue
            for others in combinations(left[1:], size - 1):
                rest = best(tuple(i for i in left[1:] if i not in others))
                if rest is not None and (least is None or rest + cost((left[0], *others)) < least):
                    least = rest + cost((left[0], *others))
        return least

    found = best(tuple(range(n)))
    assert found is not None
    return Fraction(found, shares * unit * unit)


def group_cost(rows: Sequence[Sequence[float | Fraction]], group: Sequence[int]) -> Fraction:
    """What a group loses: the squares of its pairs over its size."""
    pairs = combinations([[Fraction(x) for x in rows[i]] for i in group], 2)
    return Fraction(sum(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) for a, b in pairs)) / len(group)


def exact_optimum_holding(
    rows: Sequence[Sequence[float]], k: int, holds: Callable[[tuple[int, ...]], bool]
) -> Fraction | None:
    """The least loss of groups of any size from k on that all hold what is asked for; None where there are no such groups."""
    exact = [[Fraction(x) for x in row] for row in rows]

    @cache
    def cost(group: tuple[int, ...]) -> Fraction:
        return group_cost(exact, group)

    @cache
    def best(left: tuple[int, ...]) -> Fraction | None:
        if not left:
            return Fraction(0)
        least = None
        for size in range(k, len(left) + 1):
            for others in combinations(left[1:], size - 1):
                if not holds((left[0], *others)):
                    continue
                rest = best(tuple(i for i in left[1:] if i not in others))
                if rest is not None and (least is None or rest + cost((left[0], *others)) < least):
                    least = rest + cost((left[0], *others))
        return least

    return best(tuple(range(len(rows))))
