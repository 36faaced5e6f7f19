"""Connected clusters: the pipeline and each of its steps against all partitions."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest

from covey.network.methods import pipeline
from covey.network.methods.centred import centred
from covey.network.methods.distances import balls
from covey.network.methods.forest import TOO_LARGE, forest
from covey.network.methods.pipeline import Pipeline
from covey.network.methods.problem import Answer, Deadline, as_problem
from covey.network.methods.serving import maximal_balls
from covey.network.methods.treewidth.method import Treewidth
from tests.network.methods.agree import SIZES, check_random_graphs, check_small_graphs
from tests.network.methods.brute import case_of, is_connected, least_radius, random_case


@pytest.mark.parametrize("n", SIZES)
def test_every_small_graph_and_every_distance(n: int) -> None:
    check_small_graphs(Pipeline, n, connected=True)


@pytest.mark.parametrize("kind", ["one", "whole", "quarters", "any"])
def test_random_graphs(kind: str) -> None:
    check_random_graphs(Pipeline, kind, connected=True)


def test_the_forest_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without carving, clusters that need not be connected, and clusters around centres of their own."""
    monkeypatch.setattr(pipeline, "_carved", lambda _: None)
    monkeypatch.setattr(pipeline, "centred", lambda *_: Answer(None))
    monkeypatch.setattr("covey.network.methods.milp.decide", lambda *_: Answer(None))
    for kind in ("one", "any"):
        check_random_graphs(Pipeline, kind, connected=True, count=40)


@pytest.mark.parametrize("by_sat", [False, True])
def test_clusters_around_own_centres_are_clusters(monkeypatch: pytest.MonkeyPatch, *, by_sat: bool) -> None:
    """Found only where there are some, by either solver, and connected."""
    if by_sat:
        monkeypatch.setattr("covey.network.methods.centred._MOST_FOR_HIGHS", 0)
    rng, found = np.random.default_rng(2), 0
    for _ in range(40):
        graph = random_case(rng, 9, "one")
        problem = as_problem(graph, 3, 5, connected=True)
        answer = centred(problem, balls(problem.network, 2.0), Deadline(None))
        if answer.labels is None or answer.centres is None:
            continue
        found += 1
        case = case_of(graph)
        for cluster, centre in enumerate(answer.centres):
            members = tuple(np.flatnonzero(answer.labels == cluster).tolist())
            assert 3 <= len(members) <= 5
            assert centre in members
            assert is_connected(case, members)
            assert case.distances[centre, list(members)].max() <= 2.0
    assert found > 5


def test_a_forest_too_large_for_the_memory_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covey.network.methods.forest._MOST_LITERALS", 10)
    problem = as_problem(nx.path_graph(9), 3, 5, connected=True)
    within = balls(problem.network, 1.0)
    assert forest(problem, within, maximal_balls(within), Deadline(None)) == Answer(None, reason=TOO_LARGE)


def known_answers() -> list[Any]:
    geometric = nx.random_geometric_graph(120, 0.16, seed=2)
    return [
        (nx.karate_club_graph(), 3, 1.0),
        (nx.karate_club_graph(), 10, 2.0),
        (nx.les_miserables_graph(), 10, 2.0),
        (nx.grid_2d_graph(9, 9), 10, 3.0),
        (nx.cycle_graph(40), 10, 5.0),
        (geometric.subgraph(max(nx.connected_components(geometric), key=len)), 4, 1.0),
    ]


@pytest.mark.parametrize(("graph", "lower", "radius"), known_answers())
def test_known_networks(graph: Any, lower: int, radius: float) -> None:
    solution = Pipeline(upper=2 * lower - 1, time_limit=None).solve(graph, lower)
    assert (solution.status, solution.radius, solution.bound) == ("optimal", radius, radius)


def test_les_miserables_has_a_cut_vertex() -> None:
    solution = Pipeline(upper=5).solve(nx.les_miserables_graph(), 3)
    assert solution.status == "infeasible"
    assert "cut vertex 'Myriel'" in solution.reason
    assert "Myriel" not in solution.unnamed_reason
    assert "Myriel" not in repr(solution)
    assert solution.partition is None
    assert solution.clusters() == []
    assert math.isinf(solution.bound)


def test_no_sizes_fit_though_no_vertex_blocks() -> None:
    """Three legs of two vertices on a triangle, in threes: found out by the forest."""
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 8), (0, 9)])
    expected = least_radius(case_of(nx.convert_node_labels_to_integers(graph, ordering="sorted")), 4, 6, connected=True)
    solution = Pipeline(upper=6).solve(graph, 4)
    assert (solution.status == "infeasible") == math.isinf(expected)


@pytest.mark.parametrize("seed", range(4))
def test_against_treewidth_on_larger_trees(seed: int) -> None:
    graph = nx.random_labeled_tree(60, seed=seed)
    for lower, upper in ((3, 12), (5, 15)):
        one = Pipeline(upper=upper, time_limit=None).solve(graph, lower)
        other = Treewidth(upper=upper, connected=True).solve(graph, lower)
        assert (one.status, one.radius) == (other.status, other.radius)
