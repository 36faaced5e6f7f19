"""Observation 4, reduction rule 1 and theorem 5."""

from __future__ import annotations

import networkx as nx
import pytest

from covey.network.methods.cover import exhaustive
from covey.network.methods.cover.cover import Types, types_of
from covey.network.methods.cover.kernelization import Kernel, most_alike, reduction
from covey.network.methods.distances import balls
from covey.network.methods.problem import Problem, as_problem
from tests.network.methods.agree import SIZES, check_random_graphs, check_small_graphs
from tests.network.methods.brute import case_of, least_radius


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("n", SIZES)
def test_every_small_graph(n: int, connected: bool) -> None:  # noqa: FBT001
    check_small_graphs(Kernel, n, connected=connected)


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("kind", ["one", "whole", "quarters", "any"])
def test_random_graphs(kind: str, connected: bool) -> None:  # noqa: FBT001
    check_random_graphs(Kernel, kind, connected=connected)


def test_observation_4() -> None:
    double_star = nx.Graph([("a", "b"), *(("a", v) for v in range(5)), *(("b", v) for v in range(5, 10))])
    assert Kernel(connected=True, upper=6).solve(double_star, 2).radius == 1
    double_star.add_edges_from([("a", "x"), ("b", "x")])
    solution = Kernel(connected=True, upper=6, distance=2).solve(double_star, 2)
    assert solution.status == "infeasible"
    assert "by observation 4 at most 2 * 6 vertices" in solution.reason


def test_observation_4_is_false_where_clusters_may_be_single() -> None:
    star = nx.star_graph(10)  # a cover of 1, and 11 > 1 * 3 vertices
    solution = Kernel(connected=True, upper=3).solve(star, 1)
    assert (solution.status, solution.radius) == ("optimal", 0)


def problem_of(graph: nx.Graph, lower: int, upper: int, cover: list[int]) -> tuple[Problem, Types]:
    problem = as_problem(graph, lower, upper, length="length")
    types = types_of(problem.network, cover, balls(problem.network, 10.0))
    assert types is not None
    return problem, types


def star(leaves: int) -> nx.Graph:
    graph = nx.Graph()
    graph.add_weighted_edges_from(((0, v, 1.0) for v in range(1, leaves + 1)), weight="length")
    return graph


def test_reduction_rule_1_leaves_less_than_it_needs() -> None:
    problem, types = problem_of(star(100), 2, 3, [0])
    most = most_alike(problem, types)
    out = reduction(problem, types)
    assert most == 2 * 1 + 3 * 1 * 2 + 1
    assert out[0] == 0
    assert out[1] % 2 == 0
    assert most - 2 <= 100 - out[1] < most
    for leaves in (most - 1, most):
        problem, types = problem_of(star(leaves), 2, 3, [0])
        assert sum(reduction(problem, types)) == (2 if leaves == most else 0)


@pytest.mark.parametrize("leaves", [8, 9, 10, 11, 12, 13, 20, 31, 44])
@pytest.mark.parametrize(("lower", "upper"), [(2, 2), (2, 3), (3, 3), (3, 4), (3, 5)])
def test_reduced_stars_keep_their_answer(leaves: int, lower: int, upper: int) -> None:
    """In a star all clusters have the radius 1: the sizes alone decide."""
    problem, types = problem_of(star(leaves), lower, upper, [0])
    solution = Kernel(upper=upper, length="length").solve(star(leaves), lower)
    assert (solution.radius == 1) == problem.sizes_fit(leaves + 1)
    assert (solution.status == "infeasible") != problem.sizes_fit(leaves + 1)
    assert leaves < 44 or sum(reduction(problem, types)) > 0


def test_lengths_make_types() -> None:
    """Two leaves of one vertex at different distances are no twins, and a shortest path keeps one of its kind."""
    graph = nx.empty_graph(9)
    graph.add_weighted_edges_from([(0, 2, 5.0), (1, 2, 5.0), (0, 3, 1.0), (1, 3, 1.0)], weight="length")
    graph.add_weighted_edges_from([(end, v, 5.0) for v in range(4, 9) for end in (0, 1)], weight="length")
    _, types = problem_of(graph, 2, 3, [0, 1])
    assert sorted(types.counts) == [1, 1, 1, 6]
    best = least_radius(case_of(graph, "length"), 2, 3, connected=False)
    assert Kernel(upper=3, length="length").solve(graph, 2).radius == best


def test_limits_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = nx.gnp_random_graph(24, 0.2, seed=4)
    assert "time limit" in Kernel(upper=5, time_limit=1e-9).solve(graph, 4).reason
    monkeypatch.setattr(exhaustive, "MOST_STATES", 1)
    solutions = [Kernel(upper=4, distance=1).solve(nx.gnp_random_graph(16, 0.3, seed=s), 4) for s in range(6)]
    assert any("its search needs more than" in solution.reason for solution in solutions)
    assert all(solution.status == "unknown" for solution in solutions if "search needs" in solution.reason)
