"""The bound of whole units against the best of all groupings and alignments."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.units.limit import least_loss
from covey.units.vectors import UnitVectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

UNITS = 6


def partitions(rest: Sequence[int], k: int) -> Iterator[list[tuple[int, ...]]]:
    """All ways to split some units into groups of at least k."""
    if not rest:
        yield []
    for size in range(k, len(rest) + 1):
        for others in itertools.combinations(rest[1:], size - 1):
            left = [unit for unit in rest[1:] if unit not in others]
            for more in partitions(left, k):
                yield [(rest[0], *others), *more]


def least_of(members: np.ndarray, group: tuple[int, ...]) -> float:
    """What a group loses at least: the pairs of every unit in either order."""
    ways = itertools.product([(0, 1), (1, 0)], repeat=len(group) - 1)
    stacks = (
        np.stack([members[group[0]], *(members[u][list(w)] for u, w in zip(group[1:], way, strict=True))])
        for way in ways
    )
    return min(float(((stack - stack.mean(axis=0)) ** 2).sum()) for stack in stacks)


@pytest.mark.parametrize("k", [2, 3])
def test_no_grouping_loses_less_than_the_bound(k: int) -> None:
    reached = best = 0.0
    for seed in range(4):
        members = np.random.default_rng(seed).normal(size=(UNITS, 2, 2))
        vectors = UnitVectors.of(
            np.arange(2 * UNITS),
            np.repeat(np.arange(UNITS), 2),
            np.zeros(2 * UNITS, dtype=np.int64),
            members.reshape(-1, 2),
            np.zeros(2, dtype=bool),
        )
        loss = {
            g: least_of(members, g) for size in range(k, UNITS + 1) for g in itertools.combinations(range(UNITS), size)
        }
        least = min(sum(loss[group] for group in way) for way in partitions(range(UNITS), k))
        bound = least_loss(vectors, k)
        assert bound <= least
        reached, best = reached + bound, best + least
    assert reached > 0.85 * best
