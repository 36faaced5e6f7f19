"""The bound by matching: never above the optimum, in exact arithmetic, and as high as the best prices make it."""

from __future__ import annotations

import itertools
import os
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

import covey
from covey._kernels import space as kernels
from covey.space import lower_bound
from covey.utils.arrays import as_coordinates
from tests.space.exact_optimum import exact_optimum, group_cost
from tests.space.tables import Table, benchmark_table, hard_tables

KINDS = ("normal", "heavy tails", "ties", "collinear", "huge", "tiny", "offset", "copies", "far apart", "huge and tiny")


def small_table(seed: int, most: int) -> Table:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, most + 1)), int(rng.integers(1, 4))
    normal = rng.normal(size=(n, d))
    return {
        "normal": normal,
        "heavy tails": normal**7,
        "ties": rng.integers(0, 3, size=(n, d)).astype(float),
        "collinear": np.outer(rng.integers(-9, 9, size=n), rng.integers(1, 4, size=d)).astype(float),
        "huge": normal * 1e150,
        "tiny": normal * 1e-150,
        "offset": normal + 1e9,
        "copies": normal[rng.integers(0, n // 3 + 1, size=n)],
        "far apart": normal + rng.integers(0, 2, size=(n, 1)) * 1e8,
        "huge and tiny": normal * np.where(rng.random((n, 1)) < 0.3, 1e150, 1e-150),
    }[KINDS[seed % len(KINDS)]]


@pytest.mark.parametrize("first", range(0, 2000, 100))
def test_no_bound_is_above_the_optimum_in_exact_arithmetic(first: int) -> None:
    """2,000 tables of up to 12 records, all k; a larger one in ten. A higher rung is never below a lower one."""
    for seed in range(first, first + 100):
        table = small_table(seed, 12 if seed // len(KINDS) % 10 == 0 else 8)
        rows = table.tolist()
        for k in range(2, len(rows) + 1):
            best = exact_optimum(rows, k)
            rungs = [lower_bound(table, k, method=method) for method in ("neighbours", "matching", "tight")]
            assert rungs == sorted(rungs), (seed, k)
            assert Fraction(rungs[-1]) <= best, (seed, k, float(best), rungs)
            if k == 3 and seed % 4 == 0:
                columns = lower_bound(table, k, method="columns")
                assert columns >= rungs[1], seed
                assert Fraction(columns) <= best, seed


def cheapest_matching(table: Table, k: int) -> float:
    """The definition, as a linear program over all pairs."""
    pairs = list(itertools.combinations(range(len(table)), 2))
    costs = [((table[i] - table[j]) ** 2).sum() / k for i, j in pairs]
    degrees = np.array([[float(r in pair) for pair in pairs] for r in range(len(table))])
    return float(linprog(costs, A_eq=degrees, b_eq=np.full(len(table), k - 1.0), bounds=(0.0, 1.0)).fun)


@pytest.mark.parametrize("seed", range(24))
def test_the_bound_is_the_cheapest_matching(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = (2, 3, 5, 8)[seed % 4]
    table = rng.normal(size=(3 * k + 12, 2)) ** (1, 3, 5)[seed % 3]
    if seed >= 12:
        table = table[rng.integers(0, len(table) // 2, size=len(table))]  # equal records are one point
    best = cheapest_matching(table, k)
    assert 0.99 * best - 1e-12 <= lower_bound(table, k) <= best * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_duals_are_feasible_for_every_group_and_add_up_to_the_bound(seed: int) -> None:
    rng, k = np.random.default_rng(seed), 2 + seed % 3
    table = rng.integers(0, 4, size=(11, 2)).astype(float) if seed % 2 else rng.normal(size=(11, 2)) ** 3
    points = as_coordinates(table).values
    bound, duals = kernels.matching_duals(points, k)
    assert bound == kernels.matching_bound(points, k)
    assert duals.sum() == pytest.approx(bound, rel=1e-9, abs=1e-12)
    for size in range(k, 2 * k):
        for group in itertools.combinations(range(len(points)), size):
            assert duals[list(group)].sum() <= float(group_cost(points.tolist(), group)) + 1e-12 * (1 + bound), group


@pytest.mark.parametrize("kind", hard_tables(4))
def test_rungs_and_losses_are_in_order_on_hard_tables(kind: str) -> None:
    table = hard_tables(4)[kind]
    rungs = [lower_bound(table, 4, method=method) for method in ("neighbours", "matching", "tight")]
    assert rungs == sorted(rungs)
    found = covey.solve(table, 4, method="search", effort=500)
    assert rungs[-1] <= found.loss
    assert found.bound == found.loss if found.status == "optimal" else found.bound == min(found.loss, rungs[1])


def test_records_that_all_want_the_same_few() -> None:
    """Where each record chooses alone, all choose the three in the middle; but these have room for two each."""
    angles = np.linspace(0, 2 * np.pi, 5, endpoint=False)
    ring = 10.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    table = np.vstack([ring, np.random.default_rng(0).normal(size=(3, 2)) * 0.01])
    assert (
        lower_bound(table, 3) >= 0.99 * cheapest_matching(table, 3) > 1.05 * lower_bound(table, 3, method="neighbours")
    )


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="threads are counted by the cores a process may use")
def test_the_bound_is_the_same_for_any_number_of_threads() -> None:
    table = np.random.default_rng(1).normal(size=(9000, 3)) ** 3
    cores = os.sched_getaffinity(0)
    found = kernels.matching_duals(table, 4)
    try:
        os.sched_setaffinity(0, {min(cores)})
        alone = kernels.matching_duals(table, 4)
    finally:
        os.sched_setaffinity(0, cores)
    assert alone[0] == found[0]
    assert alone[1].tolist() == found[1].tolist()


def test_where_pairs_would_fill_memory_the_bound_is_that_of_neighbours() -> None:
    table = np.random.default_rng(2).normal(size=(12_000, 1))
    k = 2_100
    assert lower_bound(table, k) == pytest.approx(lower_bound(table, k, method="neighbours"), rel=1e-8)


def test_many_copies_of_few_records() -> None:
    """A point is looked at once, however many records it has."""
    table = np.repeat(np.random.default_rng(3).normal(size=(30, 2)), 2000, axis=0)
    assert lower_bound(table, 5) == 0.0
    table = np.vstack([table, [[50.0, 0.0]]])  # has to join some of them, and four join it
    assert (
        0.99 * 4 / 5 * ((table[:-1] - table[-1]) ** 2).sum(axis=1).min()
        <= lower_bound(table, 5)
        <= covey.solve(table, 5).loss
    )


LITERATURE = {  # in % of all variation: what the best prices prove, by an exact solver, for k = 3, 5, 10
    "tarragona": (12.987, 18.404, 26.223),
    "census": (4.149, 5.966, 8.839),
    "eia": (0.2898, 0.6101, 1.539),
}


@pytest.mark.parametrize("name", LITERATURE)
def test_the_bound_on_the_tables_of_the_literature(name: str) -> None:
    table = benchmark_table(name)
    total = ((table - table.mean(axis=0)) ** 2).sum()
    for k, best in zip((3, 5, 10), LITERATURE[name], strict=True):
        assert 0.996 * best <= 100 * lower_bound(table, k) / total <= best + 6e-4, k
