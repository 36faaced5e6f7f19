"""What `auto` chooses, that it says so, and what it does when the first choice proves nothing."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from covey.errors import OptionError
from covey.network import microaggregate
from covey.network.methods import auto
from covey.network.methods.auto import Choice, greedy_cover
from covey.network.methods.carving import Carving
from covey.network.methods.milp import Multiplicity
from covey.network.methods.pipeline import Pipeline
from covey.network.methods.problem import Deadline, Outcome, Problem
from covey.network.methods.treewidth.method import Treewidth
from covey.network.reading import as_network


@pytest.mark.parametrize(
    ("graph", "lower", "upper", "connected", "by", "status"),
    [
        (nx.random_labeled_tree(80, seed=1), 3, 12, True, "treewidth", "optimal"),
        (nx.cycle_graph(50), 3, 5, True, "treewidth", "optimal"),
        (nx.path_graph(60), 3, 5, True, "carving", "optimal"),
        (nx.random_labeled_tree(60, seed=2), 5, 9, True, "treewidth", "optimal"),
        (nx.karate_club_graph(), 5, 9, True, "pipeline", "optimal"),
        (nx.karate_club_graph(), 5, 9, False, "milp", "optimal"),
        (nx.complete_bipartite_graph(3, 400), 3, 5, True, "kernel", "infeasible"),
        (nx.complete_bipartite_graph(3, 400), 3, 5, False, "cluster-types", "optimal"),
        (nx.grid_2d_graph(75, 75), 3, 5, True, "carving", "optimal"),
        (nx.grid_2d_graph(75, 75), 3, 5, False, "carving", "optimal"),
    ],
)
def test_what_is_chosen(graph: Any, lower: int, upper: int, *, connected: bool, by: str, status: str) -> None:
    solution = microaggregate(graph, lower, upper, connected=connected)
    assert (solution.method.name, solution.status) == (by, status)
    assert solution.choice.startswith("carving: always first")
    assert f"{by}: " in solution.choice
    assert solution.tried[0] == "carving"


def test_the_next_is_tried_when_nothing_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Treewidth, "outcome", lambda *_: Outcome(None, None, 1.0))
    solution = microaggregate(nx.random_labeled_tree(60, seed=2), 5, 9, connected=True)
    assert "; then treewidth: a forest" in solution.choice
    assert "; then pipeline: " in solution.choice
    assert solution.method.name == "pipeline"
    assert solution.status == "optimal"


def test_any_clusters_of_large_networks_are_proven_where_few_centres_cover_all() -> None:
    solution = microaggregate(nx.random_labeled_tree(6000, seed=1), 5)
    assert (solution.method.name, solution.status) == ("milp", "optimal")


def test_the_best_clusters_and_the_best_bound_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carving finds clusters and r-gather a bound: both are in the answer, and who proved it is named."""
    monkeypatch.setattr(auto, "_MOST_FOR_COVERS", 1)
    graph = nx.barabasi_albert_graph(300, 2, seed=1)
    each = [microaggregate(graph, 10, method=method) for method in ("carving", "gather")]
    solution = microaggregate(graph, 10)
    assert solution.radius == min(one.radius for one in each)
    assert solution.bound == max(one.bound for one in each)


@pytest.mark.parametrize("objective", ["radius", "sum"])
@pytest.mark.parametrize("connected", [False, True])
def test_nothing_is_worse_than_carving_or_unknown(
    objective: str, monkeypatch: pytest.MonkeyPatch, *, connected: bool
) -> None:
    """Exact methods that find worse clusters, or none and no proof, take nothing away from what carving found."""
    graph = nx.les_miserables_graph()
    carved = microaggregate(graph, 3, connected=connected, objective=objective, method="carving")
    monkeypatch.setattr(auto, "choices", lambda _problem: [*_CARVING, *_ALL_IN_ONE])
    for outcome in (_all_in_one, lambda *_: Outcome(None, None, 0.0)):
        monkeypatch.setattr(Pipeline, "outcome", outcome)
        solution = microaggregate(graph, 3, connected=connected, objective=objective)
        assert (solution.loss, solution.clusters()) == (carved.loss, carved.clusters())
        assert solution.found_by == "carving"
        assert solution.bound == carved.bound


_CARVING = [Choice(Carving, "always first")]
_ALL_IN_ONE = [Choice(Pipeline, "made worse by this test")]


def _all_in_one(_method: Any, problem: Problem, _deadline: Any) -> Outcome:
    return Outcome(np.zeros(problem.n, dtype=np.int32), np.zeros(1, dtype=np.int32), 0.0)


def test_clusters_that_fit_are_better_than_near_ones_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carving leaves stars whole; an exact method that keeps to `upper` is preferred though its radius is larger."""
    graph = nx.path_graph(6)
    large = Outcome(np.zeros(6, dtype=np.int32), np.array([2], dtype=np.int32), 0.0)
    fitting = Outcome(np.array([0, 0, 0, 1, 1, 1], dtype=np.int32), np.array([5, 0], dtype=np.int32), 0.0)
    monkeypatch.setattr(Carving, "outcome", lambda *_: large)
    monkeypatch.setattr(Pipeline, "outcome", lambda *_: fitting)
    solution = microaggregate(graph, 3, 4, connected=True)
    assert (solution.oversize, solution.partition and solution.partition.sizes.tolist()) == (0, [3, 3])


def test_within_a_distance_the_first_clusters_are_the_answer() -> None:
    solution = microaggregate(nx.les_miserables_graph(), 3, distance=3, connected=True)
    assert (solution.tried, solution.radius <= 3) == (("carving",), True)


def test_connected_clusters_count_where_any_are_asked_for_but_their_bound_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search for connected clusters follows the integer program; that it proves its own sum proves nothing here."""
    graph = nx.les_miserables_graph()
    connected = microaggregate(graph, 3, connected=True, objective="sum", method="carving")

    def proven(_method: Any, problem: Problem, _deadline: Any) -> Outcome:
        assert problem.connected
        return Carving(connected=True).outcome(problem, Deadline(None))._replace(bound=connected.loss)

    monkeypatch.setattr(Multiplicity, "outcome", lambda *_: Outcome(None, None, 0.0))
    monkeypatch.setattr(Pipeline, "outcome", proven)
    solution = microaggregate(graph, 3, objective="sum")
    assert solution.tried == ("carving", "milp", "pipeline")
    assert (solution.loss, solution.status) == (connected.loss, "feasible")


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


def test_progress_says_who_is_asked_and_what_is_known() -> None:
    said: list[str] = []
    microaggregate(nx.karate_club_graph(), 5, 9, connected=True, progress=said.append)
    assert said[0] == "clustering by carving"
    assert said[1].startswith("clustering by pipeline; ")
    assert "so far, at least" in said[1]
    said.clear()
    microaggregate(nx.path_graph(9), 3, method="carving", progress=said.append)
    assert said == ["clustering by carving"]


def test_clusters_are_drawn_with_their_centres() -> None:
    solution = microaggregate(nx.karate_club_graph(), 5)
    axes = solution.plot().axes[0]
    points, rings = axes.collections[-2:]
    assert len(np.asarray(points.get_offsets())) == 34
    at = np.asarray(points.get_offsets())[list(solution.centres or ())]
    assert np.array_equal(np.asarray(rings.get_offsets()), at)
    assert sum(len(lines.get_paths()) for lines in axes.collections[:2]) == 78
    with pytest.raises(OptionError, match="no clusters to draw"):
        microaggregate(nx.path_graph(2), 3).plot()
    with pytest.raises(OptionError, match="at most 1500"):
        microaggregate(nx.path_graph(1600), 3).plot()
