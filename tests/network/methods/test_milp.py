"""Clusters that need not be connected: the integer program against all partitions, and its parts against their lemmas."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest

from covey.network.methods import local, milp
from covey.network.methods.distances import balls
from covey.network.methods.milp import Multiplicity
from covey.network.methods.problem import Deadline, as_problem
from covey.network.methods.serving import maximal_balls, merged
from tests.network.methods.agree import SIZES, check_random_graphs, check_small_graphs
from tests.network.methods.brute import case_of, least_radius, random_case


@pytest.mark.parametrize("n", SIZES)
def test_every_small_graph_and_every_distance(n: int) -> None:
    check_small_graphs(Multiplicity, n, connected=False)


@pytest.mark.parametrize("kind", ["one", "whole", "quarters", "any"])
def test_random_graphs(kind: str) -> None:
    check_random_graphs(Multiplicity, kind, connected=False)


def test_the_program_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the greedy cover and the small proofs, which answer most questions first."""
    monkeypatch.setattr(milp, "by_greedy_cover", lambda *_: None)
    monkeypatch.setattr(milp, "unserved", lambda *_: -1)
    for kind in ("one", "any"):
        check_random_graphs(Multiplicity, kind, connected=False)


def test_only_balls_in_no_other_are_kept() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        graph = random_case(rng, 10, "one")
        within = balls(as_problem(graph, 1).network, 2.0)
        sets = [set(within.indices[a:b]) for a, b in zip(within.indptr[:-1], within.indptr[1:], strict=True)]
        best = [not any(own < other for other in sets) and sets.index(own) == v for v, own in enumerate(sets)]
        assert maximal_balls(within).tolist() == best


def test_large_networks_use_products_of_sparse_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    within = balls(as_problem(nx.barabasi_albert_graph(60, 2, seed=1), 1).network, 2.0)
    dense = maximal_balls(within)
    monkeypatch.setattr("covey.network.methods.serving._MOST_DENSE", 0)
    assert maximal_balls(within).tolist() == dense.tolist()
    monkeypatch.setattr("covey.network.methods.serving._MOST_PRODUCTS", 0)
    assert maximal_balls(within).all()


def test_vertices_of_a_kind_have_the_same_centres() -> None:
    within = balls(as_problem(nx.star_graph(7), 1).network, 1.0)
    serving = merged(within)
    assert serving.centres.tolist() == [0]
    assert serving.counts.tolist() == [8]


def surroundings_that_cannot_be_served(graph: Any, lower: int, distance: float) -> int:
    problem = as_problem(graph, lower, 2 * lower - 1)
    within = balls(problem.network, distance)
    return local.unserved(problem, within, distance, maximal_balls(within), Deadline(None))


def test_a_corner_of_a_grid_is_a_proof() -> None:
    """Of a grid of any size: 13 vertices are within 2 of a vertex, of which 10 must be its own."""
    place = surroundings_that_cannot_be_served(nx.grid_2d_graph(40, 40), 10, 2.0)
    assert place in (0, 39, 1560, 1599)
    solution = Multiplicity(upper=19, distance=2.0).solve(nx.grid_2d_graph(40, 40), 10)
    assert solution.status == "infeasible"
    assert "around a vertex (" in solution.reason
    assert "(" not in solution.unnamed_reason


def test_small_proofs_are_proofs() -> None:
    """Whenever a part cannot be served there is no partition; and often enough that is how it is found out."""
    rng, found = np.random.default_rng(5), 0
    for _ in range(150):
        graph = random_case(rng, 9, "one")
        lower = int(rng.integers(2, 5))
        best = least_radius(case_of(graph), lower, 2 * lower - 1, connected=False)
        for distance in (1.0, 2.0):
            if surroundings_that_cannot_be_served(graph, lower, distance) >= 0:
                found += 1
                assert best > distance
    assert found > 20


@pytest.mark.parametrize("lower", [3, 10])
def test_all_is_served_in_larger_networks(lower: int) -> None:
    for graph in (nx.random_labeled_tree(200, seed=1), nx.barabasi_albert_graph(200, 2, seed=1)):
        solution = Multiplicity(upper=2 * lower - 1).solve(graph, lower)
        assert solution.status == "optimal"
        assert solution.partition is not None
        assert lower <= solution.partition.smallest
        assert solution.partition.sizes.max() <= 2 * lower - 1


def test_when_time_is_up_nothing_is_claimed() -> None:
    solution = Multiplicity(upper=11, time_limit=0.0).solve(nx.grid_2d_graph(12, 12), 10)
    assert solution.status in ("unknown", "feasible")
    assert solution.reason == "the time limit came first"
    assert math.isfinite(solution.bound)
