"""Orderings and the cut against their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import OptionError
from covey.space import Mdav, Pca, RandomProjection, RepeatedOrdering, Tour, ZScore
from tests.space import oracle
from tests.space.tables import benchmark_table

rows_of_numbers = st.integers(1, 3).flatmap(
    lambda d: st.lists(st.lists(st.integers(-9, 9), min_size=d, max_size=d), min_size=4, max_size=16)
)


@given(rows_of_numbers, st.integers(1, 5))
@settings(max_examples=200)
def test_the_cut_is_optimal_for_the_sequence(rows: list[list[int]], k: int) -> None:
    points = np.array(rows, dtype=float)
    if len(rows) < k:
        return
    order = np.random.default_rng(len(rows)).permutation(len(rows)).astype(np.uint32)
    sizes, loss = kernels.cut(points, order, k)
    assert sizes.sum() == len(rows)
    assert sizes.min() >= k
    assert len(rows) < 2 * k or sizes.max() < 2 * k
    best = oracle.best_cut(points.tolist(), order.tolist(), k)
    assert loss == pytest.approx(best, rel=1e-12, abs=1e-12)
    ends = np.cumsum(sizes)
    groups = [order[end - size : end].tolist() for size, end in zip(sizes, ends, strict=True)]
    assert oracle.sse(points.tolist(), groups) == pytest.approx(best, rel=1e-12, abs=1e-12)


def test_the_cut_does_not_mind_an_offset() -> None:
    points = np.random.default_rng(0).integers(0, 1000, size=(300, 4)).astype(float)
    order = kernels.nearest_point_next(points)
    sizes, loss = kernels.cut(points, order, 4)
    shifted_sizes, shifted_loss = kernels.cut(points + 1e9, order, 4)
    assert np.array_equal(sizes, shifted_sizes)
    assert loss == shifted_loss


@given(rows_of_numbers)
@settings(max_examples=100)
def test_nearest_point_next(rows: list[list[int]]) -> None:
    points = np.array(rows, dtype=float)
    assert kernels.nearest_point_next(points).tolist() == oracle.nearest_point_next(points.tolist())


@given(rows_of_numbers)
@settings(max_examples=100)
def test_halves(rows: list[list[int]]) -> None:
    points = np.array(rows, dtype=float)
    assert kernels.order_by_halves(points).tolist() == oracle.halves(points.tolist(), list(range(len(rows))))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 9, 40, 1000])
def test_a_tour_visits_all_and_is_no_longer_than_its_start(n: int) -> None:
    points = np.random.default_rng(n).normal(size=(n, 3))

    def length(order: np.ndarray) -> float:
        path = points[np.append(order, order[0])]
        return float(np.sqrt((np.diff(path, axis=0) ** 2).sum(axis=1)).sum())

    tour = kernels.tour(points, 8)
    assert sorted(tour.tolist()) == list(range(n))
    assert length(tour) <= length(kernels.nearest_point_next(points)) * (1 + 1e-9)
    if n == 1000:
        assert length(tour) < 0.93 * length(kernels.nearest_point_next(points))


def test_a_tour_of_a_circle_goes_round() -> None:
    angle = np.random.default_rng(1).permutation(60) * 2 * np.pi / 60
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    steps = np.diff(angle[kernels.tour(points, 5)]) % (2 * np.pi)
    assert np.allclose(np.minimum(steps, 2 * np.pi - steps), 2 * np.pi / 60)


def test_one_tour_serves_many_k() -> None:
    table = np.random.default_rng(2).normal(size=(200, 3))
    ks = [1, 2, 3, 10, 100, 101, 200]
    for k, solution in zip(ks, Tour().solve_many(table, ks), strict=True):
        assert solution.partition == Tour().partition(table, k)
        assert solution.loss == Tour().solve(table, k).loss
        assert solution.partition.smallest >= k


def test_projections_sort_along_their_axis() -> None:
    rng = np.random.default_rng(3)
    table = np.outer(rng.permutation(30.0 * np.arange(30) ** 1.1), [3.0, 1.0]) + rng.normal(size=(30, 2)) * 1e-3
    by_rank = np.argsort(np.argsort(table[:, 0]))
    for method in (Pca(), ZScore(), RandomProjection(projections=3)):
        groups = method.partition(table, 3).groups()
        assert all(np.ptp(by_rank[group]) == len(group) - 1 for group in groups), method


def losses_of_orders(table: np.ndarray, keys: list[np.ndarray], k: int) -> list[float]:
    return [oracle.best_cut(table.tolist(), np.argsort(key, kind="stable").tolist(), k) for key in keys]


@pytest.mark.parametrize("seed", range(10))
def test_projections_from_their_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 15)), int(rng.integers(2, 4))
    table = rng.normal(size=(n, 3)) * [1.0, 5.0, 0.3]
    centred = table - table.mean(axis=0)
    (along,) = losses_of_orders(table, [centred @ np.linalg.svd(centred)[2][0]], k)
    # A component has no direction, and the cut of the reverse is the reverse of the cut.
    assert Pca().solve(table, k).loss == pytest.approx(along, rel=1e-9)
    (z_sum,) = losses_of_orders(table, [(centred / table.std(axis=0)).sum(axis=1)], k)
    assert ZScore().solve(table, k).loss == pytest.approx(z_sum, rel=1e-9)
    directions = np.random.default_rng(seed)
    random = losses_of_orders(table, [table @ directions.random(3) for _ in range(4)], k)
    assert RandomProjection(projections=4, seed=seed).solve(table, k).loss == pytest.approx(min(random), rel=1e-9)


@pytest.mark.parametrize("n", [5, 12, 30])
def test_no_turn_of_a_piece_shortens_a_tour(n: int) -> None:
    """With all records as neighbours, 2-opt from its definition finds nothing left."""
    points = np.random.default_rng(n).normal(size=(n, 2))
    tour = kernels.tour(points, n - 1).tolist()

    def length(order: list[int]) -> float:
        return sum(float(np.linalg.norm(points[a] - points[b])) for a, b in itertools.pairwise([*order, order[0]]))

    before = length(tour)
    for i, j in itertools.combinations(range(n + 1), 2):
        assert length(tour[:i] + tour[i:j][::-1] + tour[j:]) > before * (1 - 1e-8)


def test_more_projections_never_lose_more() -> None:
    table = np.random.default_rng(4).normal(size=(300, 4))
    losses = [RandomProjection(projections=m, seed=7).solve(table, 4).loss for m in (1, 5, 25)]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[-1]


def test_repeated_ordering_follows_algorithm_1() -> None:
    rng = np.random.default_rng(6)
    for n, k in ((12, 2), (25, 3), (40, 4)) * 10:
        table = rng.normal(size=(n, 3))
        _, start = np.unique(rng.integers(0, 4, n), return_inverse=True)
        expected, labels, best = [], start.tolist(), np.inf
        while True:
            order = oracle.group_by_group(table.tolist(), labels)
            sizes, loss = kernels.cut(table, np.array(order, dtype=np.uint32), k)
            expected.append(loss)
            if not loss < best * (1 - 1e-12):
                break
            best = loss
            labels = np.empty(n, dtype=int)
            labels[order] = np.repeat(np.arange(len(sizes)), sizes)
            labels = labels.tolist()
        _, _, losses = kernels.repeated_ordering(table, start.astype(np.uint32).reshape(1, -1), k)
        assert losses[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["tarragona", "census"])
def test_the_loss_never_rises_between_iterations(name: str) -> None:
    table = benchmark_table(name)
    for k in (3, 10):
        _, _, losses = RepeatedOrdering(starts=12)._run(table, k)
        assert len(losses) == 12
        assert all(b <= a * (1 + 1e-12) for run in losses for a, b in itertools.pairwise(run))
        assert max(len(run) for run in losses) > 3


def test_repeated_ordering_from_partitions() -> None:
    table = np.random.default_rng(8).normal(size=(50, 2))
    starts = [Partition(np.arange(50) % 7), Mdav().partition(table, 3)]
    both = RepeatedOrdering(starts=starts).solve(table, 3)
    each = [RepeatedOrdering(starts=[start]).solve(table, 3).loss for start in starts]
    assert both.loss == min(each)
    assert both.loss <= Mdav().solve(table, 3).loss


def test_a_start_ends_when_the_loss_falls_by_no_more_than_the_tolerance() -> None:
    table = np.random.default_rng(9).normal(size=(300, 3)) * 7.0
    unit = float(((table - table.mean(axis=0)) ** 2).mean())
    _, _, every = RepeatedOrdering(starts=6)._run(table, 3)
    for tolerance in (0.01, 0.5, 3.0):
        _, _, losses = RepeatedOrdering(starts=6, tolerance=tolerance)._run(table, 3)
        for run, full in zip(losses, every, strict=True):
            ends = [i for i, (a, b) in enumerate(itertools.pairwise(full), 2) if not a - b > tolerance * unit]
            assert run == full[: ends[0]]
    assert any(len(run) < len(full) for run, full in zip(losses, every, strict=True))


def test_where_k_means_starts() -> None:
    table = np.random.default_rng(10).normal(size=(80, 2))
    labels = {
        init: RepeatedOrdering(starts=6, init=init)._start_labels(table) for init in ("mixed", "k-means++", "random")
    }
    for count in range(1, 7):
        alike = "random" if count % 2 else "k-means++"
        assert np.array_equal(labels["mixed"][count - 1], labels[alike][count - 1])
    assert not np.array_equal(labels["random"], labels["k-means++"])
    with pytest.raises(OptionError, match=r"init is 'best'; needed: one of mixed, k-means\+\+, random"):
        RepeatedOrdering(init="best")
    with pytest.raises(OptionError, match="tolerance is -1; needed: a finite number of at least 0"):
        RepeatedOrdering(tolerance=-1)
