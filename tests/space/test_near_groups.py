"""The proof of an optimum for k = 3: the groups near the tight bound are all there, and the program over them finds the best partition."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from covey.core.partition import Partition
from covey.errors import InputError
from covey.space import Exact, Mdav, exact
from covey.space.near_groups import NearGroups
from covey.space.set_program import SetProgram, membership, paying
from covey.utils.arrays import as_coordinates
from tests.space import oracle
from tests.space.tables import hard_tables


def later(seconds: float = 60.0) -> float:
    return time.monotonic() + seconds


def loss(points: np.ndarray, group: object) -> float:
    members = points[np.array(group, dtype=int)]
    return float(((members - members.mean(axis=0)) ** 2).sum())


def every_group(n: int) -> list[np.ndarray]:
    return [np.array(group, dtype=np.uint32) for m in (3, 4, 5) for group in itertools.combinations(range(n), m)]


def table(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 12))
    kinds = (
        rng.normal(size=(n, 2)),
        rng.integers(0, 3, (n, 2)) * 1.0,
        rng.normal(size=(n, 2)) ** 5,
        rng.random((n, 1)),
    )
    return kinds[seed % 4]


def key(group: np.ndarray) -> tuple[int, ...]:
    return tuple(sorted(group.tolist()))


@pytest.mark.parametrize("seed", range(24))
def test_all_groups_within_the_room_are_found(seed: int) -> None:
    """By the definition: cost - prices + tolls, over all groups of 3 to 5."""
    points = as_coordinates(table(seed)).values
    near = NearGroups(points, later())
    prices, (cuts, tolls) = near._prices.prices(), near._prices.tolls()
    threes = [set(three) for three in cuts.reshape(-1, 3).tolist()]

    def reduced(group: np.ndarray) -> float:
        paid = sum(toll for three, toll in zip(threes, tolls, strict=True) if len(three & set(group.tolist())) >= 2)
        return loss(points, group) - float(prices[group].sum()) + float(paid)

    whole = loss(points, range(len(points)))
    for room in (0.02 * whole, 0.2 * whole):
        found = near.within(room, 10**6, later())
        assert found is not None
        keys = [key(group) for group in found]
        assert len(set(keys)) == len(keys)
        wanted = {key(group) for group in every_group(len(points)) if reduced(group) <= room * (1 - 1e-9)}
        assert wanted <= set(keys)
        assert all(reduced(np.array(group)) <= room + 1e-6 * whole for group in keys)
    assert float(prices.sum()) - float(tolls.sum()) <= oracle.optimum(points.tolist(), 3) * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("seed", range(24))
def test_the_program_over_all_groups_finds_the_best(seed: int) -> None:
    points = table(seed)
    best, n = oracle.optimum(points.tolist(), 3), len(points)
    upper = loss(points, range(n)) + 1e-9  # as if nothing better were known than all together
    answer = SetProgram(every_group(n), points, upper).solve(later())
    assert answer.proven
    assert answer.bound <= best * (1 + 1e-9)
    if n >= 6:
        assert answer.groups is not None
        assert sorted(record for group in answer.groups for record in group.tolist()) == list(range(n))
        assert sum(loss(points, group) for group in answer.groups) == pytest.approx(best, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("seed", range(1, 40, 4))
def test_the_best_that_is_known_is_proven(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(11, 2))
    best = oracle.optimum(points.tolist(), 3)
    answer = SetProgram(every_group(11), points, best).solve(later())
    assert answer.proven
    assert answer.groups is None or sum(loss(points, group) for group in answer.groups) == pytest.approx(best)
    assert best * (1 - 1e-6) <= answer.bound <= best * (1 + 1e-9)


def test_a_cut_is_paid_by_groups_that_hold_two_of_its_records() -> None:
    groups = every_group(7)
    cuts = np.array(list(itertools.combinations(range(7), 3)))
    rows = paying(cuts, membership(groups, 7)).toarray()
    for row, cut in zip(rows, cuts.tolist(), strict=True):
        assert row.tolist() == [float(len(set(cut) & set(group.tolist())) >= 2) for group in groups]


@pytest.mark.parametrize("seed", range(4))
def test_more_records_than_can_be_tried_one_by_one(seed: int) -> None:
    """Beside the program over all groups, where the table is small enough for all of them."""
    points = np.random.default_rng(seed).normal(size=(16, 2)) ** (3 if seed % 2 else 1)
    solution = Exact().solve(points, 3)
    answer = SetProgram(every_group(16), points, 1.01 * Mdav().solve(points, 3).loss).solve(later())
    assert answer.groups is not None
    assert solution.status == "optimal"
    assert solution.loss == pytest.approx(sum(loss(points, group) for group in answer.groups), rel=1e-7)


@pytest.mark.parametrize("name", hard_tables(3))
def test_hard_tables(name: str) -> None:
    points = hard_tables(3)[name]
    solution = Exact(time_limit=20.0).solve(points, 3)
    assert solution.partition.smallest >= 3 or len(points) < 6
    assert solution.bound <= solution.loss
    if len(points) <= 12 and np.isfinite(points).all() and np.abs(points).max() < 1e100:
        assert solution.status == "optimal"


def test_groups_that_are_too_many_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_MOST", 10)
    monkeypatch.setattr(exact, "_FEW", 10)
    points = np.random.default_rng(3).normal(size=(40, 3))
    solution = Exact(time_limit=5.0).solve(points, 3)
    assert solution.status == "feasible"
    assert 0.0 < solution.bound < solution.loss


def test_too_many_records_are_refused() -> None:
    with pytest.raises(InputError, match="at most 20000"):
        NearGroups(np.zeros((20_001, 1)), later())


def test_the_start_is_improved_by_a_few_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_MOST", 10)  # nothing is proven
    points = np.random.default_rng(4).normal(size=(60, 2))
    poor = Partition(np.minimum(np.arange(60) // 3, 19))
    found = exact._by_near_groups(points, 3, poor, later())
    before, after = (sum(loss(points, group) for group in one.groups()) for one in (poor, found.partition))
    assert not found.proven
    assert found.bound <= after < 0.5 * before
