"""Records in space that are left out: few, never fewer than k, and the loss that this buys."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import covey
from covey.space.leave_out import Table, leave_out_in_space
from tests.space.exact_optimum import exact_optimum
from tests.space.tables import benchmark_table


def with_outliers(n: int = 60, far: int = 4) -> np.ndarray:
    points = np.random.default_rng(n).normal(size=(n, 3))
    points[:far] += 40.0 * np.eye(3)[np.arange(far) % 3] * np.arange(1, far + 1)[:, None]
    return points


def test_outliers_are_left_out() -> None:
    points = with_outliers()
    found = covey.leave_out(points, k=4, most=4)
    assert found.rows.tolist() == [0, 1, 2, 3]
    assert found.solution.loss < 0.1 * covey.solve(points, k=4).loss
    assert not found.proven


def test_small_tables_come_near_the_best_choice() -> None:
    for seed in range(4):
        points = np.random.default_rng(seed).normal(size=(9, 2)) ** 3
        best = min(float(exact_optimum(points[list(kept)].tolist(), 3)) for kept in itertools.combinations(range(9), 6))
        found = covey.leave_out(points, k=3, most=3)
        assert len(found.rows) == 3
        assert found.solution.loss <= 1.3 * best


def test_cells_give_none_or_k_and_keep_k() -> None:
    points = with_outliers(80, 6)
    cell = np.array([0, 0, 0, 0, 1, 2] + [0] * 30 + [1] * 30 + [2] * 10 + [3] * 4)
    table = Table(points, cell, np.arange(80), np.zeros(80, dtype=bool))
    out = leave_out_in_space(table, 4, 8)
    number = np.bincount(cell[out], minlength=4)
    assert number[0] >= 4
    assert set(number[1:].tolist()) <= {0, *range(4, 9)}
    assert out.sum() <= 8
    assert np.all(np.bincount(cell[~out], minlength=4) >= 4)


def test_where_no_cell_would_give_k_one_of_them_does() -> None:
    points = with_outliers(90, 3)
    cell = np.arange(90) % 3  # one outlier each
    out = leave_out_in_space(Table(points, cell, np.arange(90), np.zeros(90, dtype=bool)), 5, 6)
    assert sorted(np.bincount(cell[out], minlength=3).tolist()) in ([0, 0, 5], [0, 0, 6])


def test_units_leave_whole_and_some_stay() -> None:
    points = with_outliers(60, 8)
    unit = np.arange(60) // 2
    stays = np.zeros(30, dtype=bool)
    stays[0] = True
    out = leave_out_in_space(Table(points, np.zeros(60, dtype=np.int64), unit, stays), 3, 3)
    assert np.unique(unit[out]).tolist() == [1, 2, 3]
    assert out.sum() == 6


def test_constant_tables_and_tables_of_2k_lose_none() -> None:
    assert covey.leave_out(np.ones((40, 2)), k=5, most=5).rows.tolist() == []
    few = covey.leave_out(np.random.default_rng(1).normal(size=(10, 2)), k=5, most=5)
    assert len(few.rows) in (0, 5)


def test_another_one_in_place_of_one_that_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(seed: int, passes: int) -> float:
        monkeypatch.setattr("covey.space.leave_out.PASSES", passes)
        points = np.random.default_rng(seed).standard_t(2, size=(60, 2))
        return covey.leave_out(points, k=4, most=8).solution.loss

    assert sum(lost(seed, 3) for seed in (2, 3, 5)) < 0.95 * sum(lost(seed, 0) for seed in (2, 3, 5))


def test_a_cell_keeps_k_whatever_the_budget() -> None:
    for most in (7, 9, 12):
        out = leave_out_in_space(Table.of(np.random.default_rng(most).normal(size=(12, 2)) ** 3), 5, most)
        assert out.sum() in (0, 5, 6, 7)


def test_far_groups_leave_as_wholes() -> None:
    """One of them alone leaves the others to be grouped with records far away: all k of them leave, or none."""
    rng = np.random.default_rng(6)
    near, far = rng.normal(size=(40, 2)), 1000.0 + 20.0 * rng.normal(size=(4, 2))
    found = covey.leave_out(np.concatenate([near, far]), k=4, most=4)
    assert found.rows.tolist() == [40, 41, 42, 43]


@pytest.mark.parametrize("ahead", [100, 1])
def test_many_are_left_out(ahead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where all are looked at once, as in large tables."""
    monkeypatch.setattr("covey.space.leave_out.AHEAD", ahead)
    points = with_outliers(300, 20)
    out = leave_out_in_space(Table.of(points), 5, 24)
    assert out.sum() == 24
    assert out[:20].sum() >= 18


@pytest.mark.parametrize(("k", "most_lost"), [(5, 10.6), (3, 6.9)])
def test_eight_firms_of_tarragona(k: int, most_lost: float) -> None:
    points = benchmark_table("tarragona")
    found = covey.leave_out(points, k=k, most=8)
    assert len(found.rows) == 8
    assert 100 * found.solution.loss / (points**2).sum() <= most_lost


def test_one_that_comes_back_may_lower_the_loss() -> None:
    """Then nobody else leaves in its place."""
    rng = np.random.default_rng(205)
    n = int(rng.integers(12, 40))
    points = rng.lognormal(0, 1, (n, 2)).round(1)
    unit = np.arange(n) // 2
    table = Table(points, np.zeros(n, dtype=np.int64), unit, np.zeros(int(unit.max()) + 1, dtype=bool))
    out = leave_out_in_space(table, 2, 4)
    assert len(set(unit[out].tolist())) in (0, 2, 3, 4)
