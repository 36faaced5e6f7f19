"""The obvious definitions in rational arithmetic: slow, and right on any floats."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Exact:
    """Sorted values as integers over a common denominator, and what their groups lose, exactly."""

    def __init__(self, values: Iterable[float]) -> None:
        fractions = sorted(Fraction(float(value)) for value in values)
        self.denominator = math.lcm(*(f.denominator for f in fractions))
        self.x = [int(f * self.denominator) for f in fractions]
        self.sums = [0, *itertools.accumulate(self.x)]
        self.squares = [0, *itertools.accumulate(v * v for v in self.x)]

    def loss(self, cost: str, start: int, stop: int) -> Fraction:
        x, size = self.x, stop - start
        total = self.sums[stop] - self.sums[start]
        if cost == "sse":
            squares = self.squares[stop] - self.squares[start]
            return Fraction(squares * size - total * total, size * self.denominator**2)
        if cost == "sae":
            half = size // 2
            upper = self.sums[stop] - self.sums[stop - half]
            return Fraction(upper - (self.sums[start + half] - self.sums[start]), self.denominator)
        if cost == "maxdist":
            return Fraction(x[stop - 1] - x[start], 2 * self.denominator)
        if cost == "roundup":
            return Fraction(size * x[stop - 1] - total, self.denominator)
        assert cost == "rounddown"
        return Fraction(total - size * x[start], self.denominator)


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
    exact = Exact(values)
    n = len(values)
    least = k if penalty is None else 1
    limit = min(n, max_size or n, most or n)
    layers = n if max_groups is None else max_groups
    if max_groups is None:
        totals: list[Fraction | None] = [Fraction(0)] + [None] * n
        for stop in range(1, n + 1):
            for start in range(max(0, stop - limit), stop - least + 1):
                before = totals[start]
                if before is None:
                    continue
                value = before + exact.loss(cost, start, stop) + charge(stop - start, k, group_cost, penalty)
                known = totals[stop]
                totals[stop] = value if known is None else min(known, value)
        return totals[n]
    best: Fraction | None = None
    layer: dict[int, Fraction] = {0: Fraction(0)}
    for _ in range(layers):
        following: dict[int, Fraction] = {}
        for start, before in layer.items():
            for stop in range(start + least, min(n, start + limit) + 1):
                value = before + exact.loss(cost, start, stop) + charge(stop - start, k, group_cost, penalty)
                if stop not in following or value < following[stop]:
                    following[stop] = value
        layer = following
        if n in layer and (best is None or layer[n] < best):
            best = layer[n]
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
