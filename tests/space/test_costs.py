"""Groups for medians, midranges, maxima and minima of several columns, and for weighted means."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import covey
from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.costs import COSTS
from covey.errors import InputError, OptionError
from covey.space import Auto, Search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

OTHERS = ("sae", "maxdist", "roundup", "rounddown")
MIXED = ("sae", "sse", "roundup")


def loss_of(
    X: NDArray[np.float64], labels: NDArray[Any], costs: Sequence[str], weights: NDArray[np.float64] | None = None
) -> float:
    """By the definition: the sum over groups and columns; weights enter the squares alone."""
    total = 0.0
    for group in Partition(labels).groups():
        for column, name in zip(X[group].T, costs, strict=True):
            if name == "sse" and weights is not None:
                mean = np.average(column, weights=weights[group])
                total += float(np.sum(weights[group] * (column - mean) ** 2))
            else:
                total += COSTS[name].loss(column)
    return total


def tables(n: int, d: int) -> Iterator[NDArray[np.float64]]:
    rng = np.random.default_rng(n + d)
    yield rng.normal(size=(n, d))
    yield 1e9 + rng.random(size=(n, d))
    yield rng.integers(0, 3, size=(n, d)).astype(float)  # ties
    yield rng.random(size=(n, d)) ** -2.0
    yield np.column_stack([np.full(n, 4.25), rng.normal(size=(n, d - 1))])


@pytest.mark.parametrize("cost", [*OTHERS, MIXED])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_the_loss_is_that_of_the_definition_and_no_more_than_that_of_groups_for_means(
    cost: str | tuple[str, ...], k: int
) -> None:
    costs = cost if isinstance(cost, tuple) else (cost,) * 3
    for X in tables(60, 3):
        solution = covey.solve(X, k, cost=cost)
        assert solution.partition.smallest >= k
        assert solution.loss == pytest.approx(loss_of(X, solution.partition.labels, costs), rel=1e-6, abs=1e-9)
        means = loss_of(X, covey.partition(X, k).labels, costs)
        assert solution.loss <= means * (1 + 1e-6)
        assert (solution.status, solution.bound) == ("feasible", 0.0)
    X = np.random.default_rng(0).normal(size=(60, 3))
    assert covey.solve(X, k, cost=cost).loss < loss_of(X, covey.partition(X, k).labels, costs)


def neighbouring(labels: NDArray[np.int64], k: int) -> Iterator[NDArray[np.int64]]:
    """All partitions a move or an exchange away."""
    sizes = np.bincount(labels)
    for i, j in itertools.combinations(range(len(labels)), 2):
        if labels[i] != labels[j]:
            changed = labels.copy()
            changed[[i, j]] = labels[[j, i]]
            yield changed
    for i in range(len(labels)):
        for to in range(len(sizes)):
            if to != labels[i] and sizes[labels[i]] > k and sizes[to] < 2 * k - 1:
                changed = labels.copy()
                changed[i] = to
                yield changed


@pytest.mark.parametrize("costs", [*((cost,) * 2 for cost in OTHERS), ("sae", "sse"), ("maxdist", "rounddown")])
@pytest.mark.parametrize("weighted", [False, True])
def test_nothing_a_move_or_an_exchange_away_is_better(costs: tuple[str, ...], *, weighted: bool) -> None:
    for seed, k in itertools.product(range(4), (2, 3)):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(13, 2)) if seed % 2 else rng.integers(0, 5, size=(13, 2)).astype(float)
        weights = rng.choice([0.25, 1.0, 3.0], 13) if weighted else None
        objective = kernels.Objective([COSTS[name].code for name in costs], np.empty(0) if weights is None else weights)
        start = (np.arange(13) % (13 // k)).astype(np.uint32)
        labels = kernels.local_search(X, start, k, objective, neighbours=12, steps=0)
        found = Partition(labels).labels.astype(np.int64)
        best = loss_of(X, found, costs, weights)
        assert best == pytest.approx(kernels.loss(X, labels, objective), rel=1e-12, abs=1e-12)
        assert best <= loss_of(X, start, costs, weights)
        assert min(loss_of(X, other, costs, weights) for other in neighbouring(found, k)) >= best - 1e-9


@pytest.mark.parametrize("cost", [*OTHERS, MIXED])
def test_search_goes_on_from_auto(cost: str | tuple[str, ...]) -> None:
    X = np.random.default_rng(1).normal(size=(160, 3))
    search = Search(cost=cost, effort=2500, restarts=1, seed=3)
    solution, start = search.solve(X, 3), Auto(cost=cost).solve(X, 3)
    costs = cost if isinstance(cost, tuple) else (cost,) * 3
    assert solution.loss == pytest.approx(loss_of(X, solution.partition.labels, costs))
    assert solution.loss < start.loss
    assert solution.steps == 2500
    assert search.solve(X, 3).partition == solution.partition
    assert search.steps_for(4000, 3) == 2500
    assert Search().steps_for(4000, 3) == 20 * Search(cost="sae").steps_for(4000, 3)


@pytest.mark.parametrize("cost", ["sse", "sae", "roundup"])
def test_sizes_at_the_edges(cost: str) -> None:
    k = 4
    for n in (k, 2 * k - 1, 2 * k, 3 * k - 1):
        X = np.random.default_rng(n).normal(size=(n, 2))
        solution = covey.solve(X, k, cost=cost)
        assert solution.partition.smallest >= k
        assert solution.status == ("optimal" if n < 2 * k else "feasible")
        assert solution.loss == pytest.approx(loss_of(X, solution.partition.labels, (cost,) * 2))
    constant = covey.solve(np.ones((12, 2)), 3, cost=cost)
    assert constant.loss == 0.0


def test_weighted_means_lose_less_than_groups_that_know_no_weights() -> None:
    rng = np.random.default_rng(2)
    X, weights = rng.normal(size=(120, 3)), rng.exponential(size=120) + 0.01
    for method in ("auto", "search"):
        options: dict[str, Any] = {"effort": 300} if method == "search" else {}
        solution = covey.solve(X, 4, method=method, weights=weights, **options)
        plain = covey.partition(X, 4, method=method, **options)
        assert solution.loss == pytest.approx(loss_of(X, solution.partition.labels, ("sse",) * 3, weights))
        assert solution.loss < 0.95 * loss_of(X, plain.labels, ("sse",) * 3, weights)
        assert (solution.status, solution.bound) == ("feasible", 0.0)
    assert covey.partition(X, 4, weights=weights) == Auto().partition(X, 4, weights=weights)


def test_units_of_the_input() -> None:
    X = np.random.default_rng(4).normal(size=(30, 2))
    large = covey.solve(X * 2.0**700, 3, cost="sae").loss
    assert large == pytest.approx(2.0**700 * covey.solve(X, 3, cost="sae").loss)
    assert covey.solve(X + 2.0**20, 3, cost="roundup").loss == pytest.approx(covey.solve(X, 3, cost="roundup").loss)


def test_what_is_no_cost_is_refused() -> None:
    X = np.random.default_rng(4).normal(size=(30, 2))
    for cost in ("rounded", "medians", (), ("sae", "medians"), COSTS["sae"], 3):
        with pytest.raises(OptionError, match="needed in space: one of sse, sae"):
            covey.partition(X, 3, cost=cost)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="cost names 3 costs, X has 2 columns"):
        covey.partition(X, 3, cost=("sae", "sse", "sse"))
    with pytest.raises(OptionError, match="in space auto and search take a cost"):
        covey.partition(X, 3, method="mdav", cost="sae")
    with pytest.raises(InputError, match="weights holds 3 numbers, X 30 records"):
        covey.partition(X, 3, weights=[1.0, 2.0, 3.0])
