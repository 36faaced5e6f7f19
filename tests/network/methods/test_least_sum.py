"""The least sum of distances, connected or not, against all partitions."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

from covey.errors import OptionError
from covey.network import METHODS, microaggregate
from covey.network.methods.carving import needed_sum
from covey.network.methods.problem import as_problem
from tests.network.methods.agree import SIZES, random_questions
from tests.network.methods.brute import Case, case_of, connected_graphs, is_connected, partitions


def least_sum(case: Case, lower: int, upper: int, *, connected: bool, distance: float = math.inf) -> float:
    """The definition: every partition, and for each cluster the centre with the least sum among those near enough."""
    best = math.inf
    for partition in partitions(case.n, lower, upper):
        if connected and not all(is_connected(case, cluster) for cluster in partition):
            continue
        total = 0.0
        for cluster in partition:
            far = case.distances[:, list(cluster)]
            near = far.max(axis=1) <= distance
            total += float(far[near].sum(axis=1).min()) if near.any() else math.inf
        best = min(best, total)
    return best


@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("n", SIZES[2:])
def test_every_small_graph(n: int, *, connected: bool) -> None:
    for graph in connected_graphs(n, n):
        for lower in range(1, n + 1):
            for upper in range(lower, n + 1):
                best = least_sum(case_of(graph), lower, upper, connected=connected)
                found = microaggregate(graph, lower, upper, connected=connected, objective="sum")
                assert found.status == ("infeasible" if math.isinf(best) else "optimal")
                assert found.total == found.loss == best


@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("kind", ["whole", "any"])
def test_random_graphs_within_a_distance_or_any(kind: str, *, connected: bool) -> None:
    for graph, lower, upper in random_questions(11, 25, kind):
        case = case_of(graph, "length")
        for distance in (None, float(np.median(case.distances[np.isfinite(case.distances)]))):
            most = math.inf if distance is None else distance
            best = least_sum(case, lower, upper, connected=connected, distance=most)
            found = microaggregate(graph, lower, upper, distance, connected, "sum", "length")
            if math.isinf(best):
                assert found.status == "infeasible"
            else:
                assert found.status == "optimal"
                assert math.isclose(found.total, best, rel_tol=1e-9, abs_tol=1e-12)
                assert needed_sum(as_problem(graph, lower, length="length")) <= best + 1e-12


def test_the_bound_holds_when_time_is_up() -> None:
    graph = nx.grid_2d_graph(12, 12)
    found = microaggregate(graph, 10, 19, objective="sum", time_limit=0.5)
    carved = microaggregate(graph, 10, 19, objective="sum", method="carving")
    assert found.status in ("feasible", "unknown")
    assert 144 - 14 <= found.bound <= min(found.total, carved.total)


def test_the_relaxation_is_never_above_the_least_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no time is left to solve the program itself, its relaxation is the bound."""
    questions = [
        (case_of(graph, "length"), graph, lower, upper) for graph, lower, upper in random_questions(5, 12, "whole")
    ]
    best = [least_sum(case, lower, upper, connected=False) for case, _, lower, upper in questions]
    monkeypatch.setattr("covey.network.methods.least_sum._Sum._solve", lambda _self, _used: False)
    for (_, graph, lower, upper), least in zip(questions, best, strict=True):
        found = microaggregate(graph, lower, upper, objective="sum", length="length", method="milp")
        assert found.bound <= least, (lower, upper)


def test_methods_for_the_radius_say_so() -> None:
    for name, method in METHODS.items():
        for connected in (False, True):
            if (connected, "sum") not in method.answers:
                with pytest.raises(OptionError, match="cannot find the least sum"):
                    microaggregate([(0, 1)], 2, connected=connected, objective="sum", method=name)


@pytest.mark.parametrize("seed", range(40))
def test_pairs_beyond_the_smallest_radius_are_taken_in(seed: int) -> None:
    """Short and long edges: the least sum often needs a distance above the smallest radius."""
    rng = np.random.default_rng(seed)
    graph = nx.gnm_random_graph(8, int(rng.integers(8, 14)), seed=seed)
    nx.set_edge_attributes(graph, {edge: int(rng.choice([1, 1, 1, 2, 3, 8])) for edge in graph.edges}, "length")
    lower = int(rng.integers(3, 5))
    best = least_sum(case_of(graph, "length"), lower, 2 * lower - 1, connected=False)
    found = microaggregate(graph, lower, 2 * lower - 1, objective="sum", length="length")
    assert found.status == ("infeasible" if math.isinf(best) else "optimal")
    assert found.total == best


def test_the_bound_of_the_relaxation_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if time were up before any program is solved."""
    monkeypatch.setattr("covey.network.methods.least_sum._Sum._solve", lambda *_: False)
    met = 0
    for graph, lower, upper in random_questions(13, 30, "whole"):
        best = least_sum(case_of(graph, "length"), lower, upper, connected=False)
        if math.isfinite(best):
            found = microaggregate(graph, lower, upper, objective="sum", length="length")
            assert found.bound <= best
            met += found.bound == best
    assert met > 5


def hub_and_short_cut() -> nx.Graph:
    """From h to c, a, b, x and y it is 10, from c to a and b 11: the least sum has two clusters, both at h."""
    graph = nx.Graph()
    graph.add_weighted_edges_from([("h", v, 10) for v in "cabxy"] + [("c", v, 11) for v in "ab"], "length")
    return graph


def test_a_centre_may_have_clusters_of_vertices_beyond_the_smallest_radius() -> None:
    found = microaggregate(hub_and_short_cut(), 3, 4, objective="sum", length="length")
    assert (found.status, found.total) == ("optimal", 42)
    tree = nx.empty_graph(6)
    tree.add_edges_from([(0, 1), (0, 2), (0, 4), (1, 3), (2, 5)])
    for distance in (None, 1.0, 2.0, 3.0, 4.0):
        best = least_sum(case_of(tree), 3, 6, connected=False, distance=distance or math.inf)
        found = microaggregate(tree, 3, objective="sum", distance=distance)
        assert found.status == ("infeasible" if math.isinf(best) else "optimal")
        assert found.total == best
        assert found.reason == "" or found.status == "infeasible"


@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 0.1, 3.0, 1e5, 1e9])
def test_the_unit_of_lengths_does_not_matter(scale: float, *, connected: bool) -> None:
    for graph, lower, upper in random_questions(17, 12, "whole"):
        best = least_sum(case_of(graph, "length"), lower, upper, connected=connected)
        scaled = {(u, v): length * scale for u, v, length in graph.edges(data="length")}
        nx.set_edge_attributes(graph, scaled, "length")
        found = microaggregate(graph, lower, upper, connected=connected, objective="sum", length="length")
        assert found.status == ("infeasible" if math.isinf(best) else "optimal")
        assert math.isclose(found.total, best * scale, rel_tol=1e-9)


def test_what_was_not_looked_at_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covey.network.methods.least_sum._MOST_PAIRS", 10)
    found = microaggregate(hub_and_short_cut(), 3, 4, objective="sum", length="length")
    assert (found.status, found.reason) == ("feasible", "not all pairs of vertices were looked at")
    assert found.bound <= 42 <= found.total
    monkeypatch.setattr("covey.network.methods.forest._MOST_LITERALS", 1)
    tied = microaggregate(nx.path_graph(8), 3, connected=True, objective="sum")
    assert (tied.status, tied.reason) == ("feasible", "too many vertices are near each other for the solver")
