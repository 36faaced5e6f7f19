"""What `auto` chooses, that it says so, and what it does when the first choice proves nothing."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from covey.network import microaggregate
from covey.network.methods import auto
from covey.network.methods.auto import greedy_cover
from covey.network.methods.problem import Outcome
from covey.network.methods.treewidth.method import Treewidth
from covey.network.reading import as_network


@pytest.mark.parametrize(
    ("graph", "lower", "upper", "connected", "by", "status"),
    [
        (nx.random_labeled_tree(80, seed=1), 3, 12, True, "treewidth", "optimal"),
        (nx.cycle_graph(50), 3, 5, True, "treewidth", "optimal"),
        (nx.karate_club_graph(), 3, 5, True, "pipeline", "optimal"),
        (nx.karate_club_graph(), 3, 5, False, "milp", "optimal"),
        (nx.complete_bipartite_graph(3, 400), 3, 5, True, "kernel", "infeasible"),
        (nx.complete_bipartite_graph(3, 400), 3, 5, False, "cluster-types", "optimal"),
        (nx.grid_2d_graph(75, 75), 3, 5, True, "carving", "optimal"),
        (nx.grid_2d_graph(75, 75), 3, 5, False, "carving", "optimal"),
    ],
)
def test_what_is_chosen(graph: Any, lower: int, upper: int, *, connected: bool, by: str, status: str) -> None:
    solution = microaggregate(graph, lower, upper, connected=connected)
    assert (solution.method.name, solution.status) == (by, status)
    assert solution.choice.startswith(f"{by}: ")


def test_the_next_is_tried_when_nothing_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Treewidth, "outcome", lambda *_: Outcome(None, None, 1.0))
    solution = microaggregate(nx.random_labeled_tree(60, seed=2), 3, 12, connected=True)
    assert solution.choice.startswith("treewidth: a forest")
    assert "; then pipeline: " in solution.choice
    assert solution.method.name == "pipeline"
    assert solution.status == "optimal"


def test_the_best_clusters_and_the_best_bound_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carving finds clusters and r-gather a bound: both are in the answer, and who proved it is named."""
    monkeypatch.setattr(auto, "_MOST_FOR_PROGRAMS", 1)
    graph = nx.barabasi_albert_graph(300, 2, seed=1)
    each = [microaggregate(graph, 10, method=method) for method in ("carving", "gather")]
    solution = microaggregate(graph, 10)
    assert solution.radius == min(one.radius for one in each)
    assert solution.bound == max(one.bound for one in each)


def test_covers_are_counted_greedily() -> None:
    assert greedy_cover(as_network(nx.star_graph(9)), 4) == 1
    assert greedy_cover(as_network(nx.complete_bipartite_graph(3, 9)), 4) == 3
    assert greedy_cover(as_network(nx.path_graph(30)), 4) is None
    assert greedy_cover(as_network(nx.empty_graph(3)), 4) == 0


def test_a_small_component_is_an_answer_not_an_error() -> None:
    graph = nx.disjoint_union(nx.path_graph(6), nx.path_graph(2))
    for connected in (False, True):
        for method in ("auto", "carving", "treewidth", "kernel", "cluster-types"):
            solution = microaggregate(graph, 3, connected=connected, method=method)
            assert solution.status == "infeasible"
            assert "the component of 6 has 2 vertices, fewer than lower = 3" in solution.reason


def test_one_vertex_and_n_of_lower() -> None:
    alone = microaggregate(nx.empty_graph(1), 1)
    assert (alone.status, alone.radius, alone.centres) == ("optimal", 0.0, (0,))
    for connected in (False, True):
        whole = microaggregate(nx.path_graph(5), 5, connected=connected)
        assert (whole.status, whole.radius, whole.clusters()) == ("optimal", 2.0, [[0, 1, 2, 3, 4]])
        assert microaggregate(nx.path_graph(5), 6, connected=connected).status == "infeasible"
        assert microaggregate(nx.path_graph(6), 4, 5, connected=connected).status == "infeasible"
