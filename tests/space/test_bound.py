"""Lower bounds and the exact method, against exhaustive search."""

from __future__ import annotations

import itertools
import pickle
import time

import numpy as np
import pytest

import covey
from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import InputError, OptionError
from covey.space import Exact, Mdav, Search, exact, lower_bound
from covey.space.branching import branch
from covey.space.column_generation import ColumnGeneration
from covey.utils.arrays import as_coordinates
from tests.conftest import EXHAUSTIVE
from tests.space import oracle
from tests.space.tables import benchmark_table

NONE = np.array([], dtype=np.uint32)


def instance(seed: int) -> tuple[np.ndarray, int]:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 10)), int(rng.integers(2, 5))
    kind = seed % 4
    shape = (max(n, k), int(rng.integers(1, 4)))
    if kind == 0:
        return rng.integers(0, 3, shape).astype(float), k
    return (rng.normal(size=shape) ** (5 if kind == 1 else 1)) + (1e6 if kind == 2 else 0.0), k


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_no_partition_loses_less_than_the_bounds(first: int) -> None:
    for seed in range(first, first + 50):
        table, k = instance(seed)
        best = oracle.optimum(table.tolist(), k)
        slack = 1e-9 * best + 1e-9
        near = lower_bound(table, k)
        columns = lower_bound(table, k, method="columns")
        assert near <= best + slack, seed
        assert columns <= best + slack, seed
        assert columns >= near - slack, seed


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_exact_is_exact(first: int) -> None:
    for seed in range(first, first + 50, 1 if EXHAUSTIVE else 2):
        table, k = instance(seed)
        solution = Exact().solve(table, k)
        assert solution.status == "optimal", seed
        assert solution.gap == 0.0
        assert solution.loss == pytest.approx(oracle.optimum(table.tolist(), k), rel=1e-7, abs=1e-9), seed


@pytest.mark.parametrize("seed", range(10))
def test_the_integer_program_sees_every_group_that_matters(seed: int) -> None:
    table = np.random.default_rng(seed).normal(size=(9, 2))
    poor = Partition(np.arange(9) % 3)  # far from the optimum, so the search is no help
    generation = ColumnGeneration(as_coordinates(table).values, 2, poor)
    generation.run(time.monotonic() + 60)
    better, proven = exact._finish(generation, time.monotonic() + 60)
    assert proven
    assert better is not None
    groups = [group.tolist() for group in better.groups()]
    assert oracle.sse(table.tolist(), groups) == pytest.approx(oracle.optimum(table.tolist(), 2))


@pytest.mark.parametrize("seed", range(10))
def test_pricing_finds_every_set_below_the_limit_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(10, 2)) if seed % 2 else rng.integers(0, 3, size=(10, 2)).astype(float)
    duals = rng.random(10) if seed % 4 < 2 else rng.integers(1, 3, size=10) / 3.0
    if seed % 5 == 0:
        points, duals = np.repeat(points[:4], 3, axis=0)[:10], np.full(10, 0.7)  # ties in every way
    for m in (2, 3, 4, 5):
        for limit in (-0.3, -1e-9, 0.4):
            expected = set()
            for members in itertools.combinations(range(10), m):
                reduced = oracle.sse(points.tolist(), [list(members)]) - duals[list(members)].sum()
                if reduced < limit - 1e-9:
                    expected.add(members)
            found, costs, complete = kernels.Pricing(points).price(duals, m, limit, 10**6, 60.0, NONE, NONE)
            sets = [tuple(sorted(row)) for row in found.reshape(-1, m).tolist()]
            assert complete
            assert len(sets) == len(set(sets))
            assert expected <= set(sets)
            for members, cost in zip(sets, costs, strict=True):
                assert cost == pytest.approx(
                    oracle.sse(points.tolist(), [list(members)]) - duals[list(members)].sum(), abs=1e-9
                )
                assert cost < limit + 1e-9


def test_pricing_keeps_pairs_apart_or_together() -> None:
    points = np.random.default_rng(3).normal(size=(9, 2))
    duals = np.full(9, 2.0)
    pricing = kernels.Pricing(points)
    for m in (2, 3, 4):
        every = {
            tuple(sorted(row))
            for row in pricing.price(duals, m, 0.0, 10**6, 60.0, NONE, NONE)[0].reshape(-1, m).tolist()
        }
        pairs = np.array([0, 1, 4, 5], dtype=np.uint32)
        apart = {
            tuple(sorted(r)) for r in pricing.price(duals, m, 0.0, 10**6, 60.0, pairs, NONE)[0].reshape(-1, m).tolist()
        }
        assert apart == {s for s in every if not ({0, 1} <= set(s) or {4, 5} <= set(s))}
        both = {
            tuple(sorted(r)) for r in pricing.price(duals, m, 0.0, 10**6, 60.0, NONE, pairs)[0].reshape(-1, m).tolist()
        }
        assert both == {s for s in every if (0 in s) == (1 in s) and (4 in s) == (5 in s)}


@pytest.mark.parametrize("seed", range(40))
def test_branching_is_exact_too(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the groups that matter were too many for the integer program, and from a poor start."""
    table, k = instance(seed)
    monkeypatch.setattr(exact, "_integer_program", lambda generation, deadline: branch(generation, deadline, 1e-7))
    poor = np.minimum(np.arange(len(table)) // k, len(table) // k - 1).astype(np.uint32)
    monkeypatch.setattr(Search, "_search", lambda self, *_: (poor, self.effort))
    solution = Exact().solve(table, k)
    assert solution.status == "optimal"
    assert solution.loss == pytest.approx(oracle.optimum(table.tolist(), k), rel=1e-6, abs=1e-9)


def test_branching_stopped_early_keeps_a_valid_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(5).normal(size=(36, 3))
    best = Exact().solve(table, 3).loss
    monkeypatch.setattr(exact, "_integer_program", lambda generation, deadline: branch(generation, deadline, 1e-7))
    for limit in (0.5, 1.0, 3.0):
        solution = Exact(time_limit=limit).solve(table, 3)
        assert solution.bound <= best * (1 + 1e-7)
        assert solution.loss >= best * (1 - 1e-7)


@pytest.mark.parametrize("seed", range(30))
def test_any_duals_give_a_valid_bound(seed: int) -> None:
    """Also those far from the best, whose bound is what stays when time is up at once."""
    table, k = instance(seed)
    if len(table) < 2 * k:
        return
    points = as_coordinates(table).values
    generation = ColumnGeneration(points, k, Mdav().partition(table, k))
    best = oracle.optimum(points.tolist(), k)
    for scale in (0.3, 1.0, 3.0):
        duals = np.random.default_rng(seed).random(len(table)) * scale * best / len(table) * 2
        found, complete = generation.price(duals, 0.0, time.monotonic() + 60)
        assert complete
        generation.bound = 0.0
        generation._raise_bound(duals, found)
        assert generation.bound <= best * (1 + 1e-9) + 1e-12


def test_pricing_stops_when_time_is_up() -> None:
    points = np.random.default_rng(0).normal(size=(60, 2))
    assert not kernels.Pricing(points).price(np.full(60, 50.0), 7, 0.0, 10**9, 0.05, NONE, NONE)[2]


def test_exact_with_a_poor_start_and_clusters_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loss is tiny beside the spread of the data: tolerances must be relative to the loss."""
    for distance in (1e2, 1e4, 1e6):
        rng = np.random.default_rng(7)
        table = np.vstack([rng.normal(size=(9, 2)), rng.normal(size=(9, 2)) + distance])
        best = sum(oracle.optimum(part.tolist(), 3) for part in (table[:9], table[9:]))
        poor = np.repeat(np.arange(6, dtype=np.uint32), 3)
        monkeypatch.setattr(Search, "_search", lambda self, *_, poor=poor: (poor, self.effort))
        solution = Exact().solve(table, 3)
        assert solution.status == "optimal", distance
        assert solution.loss == pytest.approx(best, rel=1e-6), distance


HARD = {
    "an outlier": [[1e12]] * 6 + [[6.0e-5], [6.2e-5]],
    "tiny": [[i * 1e-140, (i * i % 7) * 1e-140] for i in range(8)],
    "huge": [[i * 1e200, (i * i % 7) * 1e200] for i in range(8)],
    "all the same": [[3.0, 4.0]] * 8,
    "offset": [[1e9 + i, (i * i % 7) - 1e12] for i in range(8)],
}


@pytest.mark.parametrize("kind", HARD)
def test_bounds_and_exact_on_hard_scales(kind: str) -> None:
    table = HARD[kind]
    scale = {"tiny": 1e140, "huge": 1e-200}.get(kind, 1.0)
    best = oracle.optimum([[x * scale for x in row] for row in table], 2)
    for method in ("neighbours", "columns"):
        bound = lower_bound(table, 2, method=method)
        assert bound == np.inf or bound * scale * scale <= best * (1 + 1e-9), method
    solution = Exact().solve(table, 2)
    assert solution.status == "optimal"
    if kind != "huge":
        assert solution.loss * scale * scale == pytest.approx(best, rel=1e-6, abs=0)


def test_too_many_records_are_refused() -> None:
    with pytest.raises(InputError, match="at most 20000"):
        lower_bound(np.arange(20_001.0).reshape(-1, 1), 2, method="columns")


def test_pricing_stops_at_the_most_and_says_so() -> None:
    found, costs, complete = kernels.Pricing(np.zeros((12, 1))).price(np.ones(12), 3, 0.0, 7, 60.0, NONE, NONE)
    assert len(costs) == 7
    assert found.size == 21
    assert not complete


def test_exact_for_dozens_of_records() -> None:
    for k in (3, 4, 5):
        table = np.random.default_rng(k).normal(size=(40, 2))
        solution = Exact().solve(table, k)
        assert solution.status == "optimal"
        assert solution.loss <= covey.solve(table, k, method="search", effort=2000).loss * (1 + 1e-9)
        assert lower_bound(table, k, method="columns") <= solution.loss * (1 + 1e-9)


def test_exact_says_how_far_it_got_when_time_is_up() -> None:
    table = np.random.default_rng(1).normal(size=(120, 4))
    solution = Exact(time_limit=0.3).solve(table, 4)
    assert solution.status == "feasible"
    assert 0.0 < solution.bound < solution.loss
    assert 0.0 < solution.gap < 1.0
    assert solution.partition.smallest >= 4


def test_the_column_bound_is_valid_when_stopped_early() -> None:
    table = np.random.default_rng(2).normal(size=(60, 2))
    full = lower_bound(table, 3, method="columns")
    for limit in (0.0, 0.05, 0.2):
        assert lower_bound(table, 3, method="columns", time_limit=limit) <= full * (1 + 1e-6)


def test_every_solution_has_a_bound_and_a_gap() -> None:
    table = np.random.default_rng(3).normal(size=(40, 2))
    solution = covey.solve(table, 3, method="mdav")
    assert solution.bound == lower_bound(table, 3)
    assert solution.gap == pytest.approx(1 - solution.bound / solution.loss)
    again = pickle.loads(pickle.dumps(covey.solve(table, 3, method="mdav")))  # noqa: S301
    assert again.bound == solution.bound
    assert again.partition == solution.partition
    single = Mdav().solve(table, 21)
    assert single.status == "optimal"
    assert single.bound == single.loss


@pytest.mark.skipif(not EXHAUSTIVE, reason="takes minutes: make exhaustive; RESULTS has the bounds of every run")
@pytest.mark.parametrize("name", ["tarragona", "census"])
def test_the_column_bound_on_the_tables_of_the_literature(name: str) -> None:
    table = benchmark_table(name)
    total = ((table - table.mean(axis=0)) ** 2).sum()
    wanted = {"tarragona": 13.85, "census": 4.645}[name]
    assert 100 * lower_bound(table, 3, method="columns", time_limit=120) / total >= wanted


def test_bad_options() -> None:
    with pytest.raises(OptionError, match="there is no bound 'guess'"):
        lower_bound(np.eye(6), 2, method="guess")
    with pytest.raises(OptionError, match="time_limit is -1"):
        Exact(time_limit=-1)
