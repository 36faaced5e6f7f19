"""Records in space that are left out: few, never fewer than k, and the loss that this buys."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import covey
from covey.space.leave_one_by_one import Leaving
from covey.space.leave_out import Table, leave_out_in_space
from covey.space.regroup import groups_of, squares
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


@pytest.mark.parametrize(("n", "k", "most"), [(9, 3, 3), (10, 2, 4), (10, 3, 5)])
def test_small_tables_reach_the_best_choice(n: int, k: int, most: int) -> None:
    """The definition: every choice of none or k to `most` records, and every partition of the others."""
    for seed in range(3):
        points = np.random.default_rng(seed).normal(size=(n, 2)) ** 3

        def lost(kept: tuple[int, ...], points: np.ndarray = points) -> float:
            return float(exact_optimum(points[list(kept)].tolist(), k))

        numbers = [0, *range(k, most + 1)]
        best = min(lost(kept) for left in numbers for kept in itertools.combinations(range(n), n - left))
        out = leave_out_in_space(Table.of(points), k, most)
        assert lost(tuple(np.flatnonzero(~out).tolist())) == pytest.approx(best)


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


def test_another_one_in_place_of_one_that_left() -> None:
    def lost(seed: int, passes: int | None) -> float:
        table = Table.of(np.random.default_rng(seed).standard_t(2, size=(60, 2)))
        leaving = Leaving(table, 4, 8, np.array([True]), lambda _share: None, 4, passes)
        return float(leaving.groups.losses(1)[0])

    assert sum(lost(seed, None) for seed in (2, 3, 5)) < 0.95 * sum(lost(seed, 0) for seed in (2, 3, 5))


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
    monkeypatch.setattr("covey.space.leave_one_by_one.AHEAD", ahead)
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


def test_fewer_than_k_who_save_something_are_joined_by_others() -> None:
    """Of few values: some save something and the next nothing, but that five leave is better than that nobody does."""
    points = np.random.default_rng(0).integers(0, 6, (60, 2)).astype(float)
    out = leave_out_in_space(Table.of(points), 5, 5)
    assert out.sum() == 5
    whole, rest = (squares(some, groups_of(some, 5)).sum() for some in (points, points[~out]))
    assert rest < 0.8 * whole


def test_units_of_a_far_group_leave_together() -> None:
    """One of them alone saves nothing: the others would be grouped with records far away."""
    rng = np.random.default_rng(9)
    points = np.concatenate([rng.normal(size=(60, 2)), 1000.0 + 20.0 * rng.normal(size=(6, 2))])
    unit = np.arange(66) // 2
    table = Table(points, np.zeros(66, dtype=np.int64), unit, np.zeros(33, dtype=bool))
    out = leave_out_in_space(table, 3, 3)
    assert np.unique(unit[out]).tolist() == [30, 31, 32]
