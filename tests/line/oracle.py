"""The obvious definitions in rational arithmetic: slow, and right on any floats."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Exact:
    """Sorted values as integers over a common denominator, and what their groups lose, exactly."""

    def __init__(self, values: Iterable[float]) -> None:
        fractions = sorted(Fraction(float(value)) for value in values)
        self.denominator = math.lcm(*(f.denominator for f in fractions))
        self.x = [int(f * self.denominator) for f in fractions]
        self.sums = [0, *itertools.accumulate(self.x)]
        self.squares = [0, *itertools.accumulate(v * v for v in self.x)]

    def numerator(self, cost: str, start: int, stop: int) -> int:
        x, size = self.x, stop - start
        total = self.sums[stop] - self.sums[start]
        if cost == "sse":
            return (self.squares[stop] - self.squares[start]) * size - total * total
        if cost == "sae":
            half = size // 2
            return self.sums[stop] - self.sums[stop - half] - (self.sums[start + half] - self.sums[start])
        if cost == "maxdist":
            return x[stop - 1] - x[start]
        if cost == "roundup":
            return size * x[stop - 1] - total
        assert cost == "rounddown"
        return total - size * x[start]

    def below(self, cost: str, size: int) -> int:
        """The denominator."""
        return {"sse": size * self.denominator**2, "maxdist": 2 * self.denominator}.get(cost, self.denominator)

    def loss(self, cost: str, start: int, stop: int) -> Fraction:
        return Fraction(self.numerator(cost, start, stop), self.below(cost, stop - start))


@lru_cache(maxsize=200_000)
def small_loss(cost: str, group: tuple[float, ...]) -> Fraction:
    """The loss of a group given by its values; the same groups come again and again in exhaustive tests."""
    return Exact(group).loss(cost, 0, len(group))


def charge(size: int, k: int, group_cost: float, penalty: float | None) -> Fraction:
    """What a group costs whatever its values."""
    missing = max(k - size, 0) if penalty is not None else 0
    return Fraction(group_cost) + Fraction(penalty or 0.0) * missing


def best_loss(
    cost: str,
    values: Sequence[float],
    k: int,
    *,
    group_cost: float = 0.0,
    max_groups: int | None = None,
    penalty: float | None = None,
    max_size: int | None = None,
    most: int | None = None,
) -> Fraction | None:
    """The least loss of any partition into intervals, or None if there is none.

    `most` bounds the size without being asked for, where splitting is known to be beneficial. Kept: every search is
    asked for the same columns.
    """
    return _best_loss(cost, tuple(sorted(map(float, values))), k, group_cost, max_groups, penalty, max_size, most)


@lru_cache(maxsize=50_000)
def _best_loss(
    cost: str,
    values: tuple[float, ...],
    k: int,
    group_cost: float,
    max_groups: int | None,
    penalty: float | None,
    max_size: int | None,
    most: int | None,
) -> Fraction | None:
    """In whole numbers over one denominator: sums of fractions would be reduced again and again."""
    exact = Exact(values)
    limit = min(len(values), max_size or len(values), most or len(values))
    charges = [charge(size, k, group_cost, penalty) for size in range(limit + 1)]
    denominators = [exact.below(cost, max(size, 1)) for size in range(limit + 1)]
    whole = math.lcm(*denominators, *(fixed.denominator for fixed in charges))
    times = [whole // denominator for denominator in denominators]
    fixed = [int(value * whole) for value in charges]

    def price(start: int, stop: int) -> int:
        return exact.numerator(cost, start, stop) * times[stop - start] + fixed[stop - start]

    sizes = range(k if penalty is None else 1, limit + 1)
    found = _least(price, len(values), sizes) if max_groups is None else _layers(price, len(values), sizes, max_groups)
    return None if found is None else Fraction(found, whole)


def _least(price: Callable[[int, int], int], n: int, sizes: range) -> int | None:
    totals: list[int | None] = [0] + [None] * n
    for stop in range(1, n + 1):
        before = [(totals[stop - size], stop - size) for size in sizes if size <= stop]
        totals[stop] = min((total + price(start, stop) for total, start in before if total is not None), default=None)
    return totals[n]


def _layers(price: Callable[[int, int], int], n: int, sizes: range, most: int) -> int | None:
    """One group more in every layer."""
    best: int | None = None
    layer = {0: 0}
    for _ in range(most):
        following: dict[int, int] = {}
        for start, before in layer.items():
            for stop in (start + size for size in sizes if start + size <= n):
                value = before + price(start, stop)
                following[stop] = min(following.get(stop, value), value)
        layer = following
        if n in layer:
            best = layer[n] if best is None else min(best, layer[n])
    return best


def loss_of(
    cost: str,
    values: Sequence[float],
    groups: Iterable[Iterable[int]],
    *,
    k: int = 0,
    group_cost: float = 0.0,
    penalty: float | None = None,
) -> Fraction:
    """The loss of a partition given by its groups of record positions."""
    total = Fraction(0)
    for group in groups:
        members = tuple(sorted(float(values[i]) for i in group))
        total += small_loss(cost, members) if len(members) < 16 else Exact(members).loss(cost, 0, len(members))
        total += charge(len(members), k, group_cost, penalty)
    return total


def groups_of(labels: Iterable[int]) -> list[list[int]]:
    """The record positions of every label."""
    found: dict[int, list[int]] = {}
    for position, label in enumerate(labels):
        found.setdefault(int(label), []).append(position)
    return list(found.values())


def as_float(value: Fraction) -> float:
    """The nearest float; infinity where there is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf
