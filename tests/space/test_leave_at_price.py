"""A group outside, at a price: who may go there, how many, and that the others never lose more than before."""

from __future__ import annotations

import numpy as np
import pytest

from covey._kernels import space as kernels
from covey.space.leave_at_price import Budget, leave_at_price
from covey.space.leave_one_by_one import Leaving
from covey.space.leave_out import Table, leave_out_in_space
from covey.space.regroup import Regrouped, groups_of, squares


def lost(table: Table, out: np.ndarray, k: int) -> float:
    """What those that stay lose, grouped anew cell by cell."""
    total = 0.0
    for cell in np.unique(table.cell):
        here = table.points[(table.cell == cell) & ~out]
        total += float(squares(here, groups_of(here, k)).sum())
    return total


def chosen_one_by_one(table: Table, k: int, most: int) -> Leaving:
    opened = np.ones(int(table.cell.max()) + 1, dtype=bool)
    return Leaving(table, k, most, opened, lambda _share: None, k, passes=0)


def hard(seed: int) -> tuple[Table, int, int]:
    """Records with heavy tails or of few values, in cells, some of them of larger units, some that never leave."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(60, 150)), int(rng.integers(2, 5))
    points = np.asarray(
        rng.standard_t(2, size=(n, 2)) if seed % 2 else rng.integers(0, 6, size=(n, 2)) ** 2, np.float64
    )
    unit = np.arange(n)
    if seed % 3 == 0:
        unit[1::7] -= 1
    unit = np.unique(unit, return_inverse=True)[1].reshape(-1).astype(np.int64)
    stays = rng.random(int(unit.max()) + 1) < 0.1
    cell = (unit * seed % 2 if seed % 4 > 1 else np.zeros(n)).astype(np.int64)
    return Table(points, cell, unit, stays), k, n // 8


@pytest.mark.parametrize("seed", range(16))
def test_who_may_leave_and_how_many(seed: int) -> None:
    table, k, most = hard(seed)
    before = chosen_one_by_one(table, k, most)
    gave = table.units_in_cells(before.out)
    if before.out.any() and not ((gave > 0) & (gave < k)).any():
        out = before.at_price(k)
        assert lost(table, out, k) <= lost(table, before.out, k)
    else:
        out = leave_out_in_space(table, k, most)
    units = np.unique(table.unit[out])
    assert len(units) <= most
    assert not table.stays[units].any()
    assert np.array_equal(out, np.isin(table.unit, units))
    number = table.units_in_cells(out)
    assert np.all((number == 0) | (number >= k))
    assert np.all(table.units_in_cells(~out) >= k)


def test_units_of_several_records_neither_go_nor_come() -> None:
    for seed in (0, 3, 9):
        table, k, most = hard(seed)
        before = chosen_one_by_one(table, k, most)
        several = (np.bincount(table.unit) > 1)[table.unit]
        out = before.at_price(0)
        assert several.any()
        assert np.array_equal(out[several], before.out[several])


def test_the_others_lose_less_than_where_one_after_another_leaves() -> None:
    better = []
    for seed in (1, 2, 3):
        table = Table.of(np.random.default_rng(seed).standard_t(2, size=(600, 2)))
        before = chosen_one_by_one(table, 3, 60)
        better.append(lost(table, before.at_price(3), 3) / lost(table, before.out, 3))
    assert max(better) <= 1.0
    assert np.mean(better) < 0.97


def test_what_is_worse_where_the_others_are_grouped_anew_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.of(np.random.default_rng(6).standard_t(2, size=(200, 2)))
    before = chosen_one_by_one(table, 3, 10)
    worse = np.zeros(200, dtype=bool)
    worse[np.argsort((table.points**2).sum(axis=1))[:10]] = True
    monkeypatch.setattr("covey.space.leave_at_price._searches", lambda *_: iter([worse]))
    assert np.array_equal(before.at_price(3), before.out)


def test_cells_share_one_price() -> None:
    """Those that were chosen lie in the wrong cell: the search takes them back, down to what a cell is to give, and others of the other leave."""
    rng = np.random.default_rng(8)
    points = rng.normal(size=(80, 2))
    points[40:48] *= 30.0
    cell = (np.arange(80) >= 40).astype(np.int64)
    table = Table(points, cell, np.arange(80), np.zeros(80, dtype=bool))
    out = np.isin(np.arange(80), [*range(8), 60, 61, 62])
    groups = Regrouped(points, cell, 3, np.array([0, 1]))
    groups.make(groups.without(np.arange(8), 0))
    groups.make(groups.without(np.array([60, 61, 62]), 1))
    found = leave_at_price(table, Budget(3, 11, 3), groups, out, 1.0)
    assert found[40:48].all()
    assert found[:40].sum() == 3
    assert found.sum() == 11


def test_the_same_on_any_number_of_threads() -> None:
    table = Table.of(np.random.default_rng(4).standard_t(2, size=(500, 3)))
    found = []
    try:
        for threads in (1, 2, 5):
            kernels.use_threads(threads)
            found.append(leave_out_in_space(table, 4, 25))
    finally:
        kernels.use_threads(0)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_equal_records_that_are_set_aside_count() -> None:
    """Many copies of one record are no part of a search: those of them that are out stay out, within the budget."""
    points = np.concatenate([np.zeros((300, 2)), np.random.default_rng(2).normal(size=(40, 2)) ** 3 + 50.0])
    table = Table.of(points)
    out = np.zeros(340, dtype=bool)
    out[250:256] = True
    groups = Regrouped(points, table.cell, 3, np.array([0]))
    groups.make(groups.without(np.arange(250, 256), 0))
    found = leave_at_price(table, Budget(3, 12, 3), groups, out, 0.1)
    assert 3 <= found.sum() <= 12
    assert lost(table, found, 3) < lost(table, out, 3)


def test_of_a_large_table_the_groups_that_lose_most_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covey.space.leave_at_price.MOST_SEARCHED", 300)
    table = Table.of(np.random.default_rng(5).standard_t(2, size=(1000, 2)))
    before = chosen_one_by_one(table, 3, 60)
    out = before.at_price(3)
    assert out.sum() <= 60
    assert lost(table, out, 3) < lost(table, before.out, 3)
    groups = before.groups
    alive = np.flatnonzero(groups.alive[: len(groups.members)])
    most_lost = alive[np.argsort(-groups.loss[alive])][:80]
    assert np.isin(groups.label[out & ~before.out], most_lost).all()
