"""Definition 3, the choice gadget, and small instances built from it as in the proof of theorem 11."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import pytest

from covey.network.methods.cover.cluster_types import ClusterTypes
from covey.network.methods.cover.few_centres import FewCentres
from covey.network.methods.cover.kernelization import Kernel
from covey.network.methods.treewidth.method import Treewidth
from tests.network.methods.brute import case_of, least_radius

METHODS: list[type[Any]] = [Treewidth, Kernel, ClusterTypes, FewCentres]


def choice(graph: Any, name: str, k: int, lower: int, d: int) -> tuple[list[str], list[str]]:
    """Add choice(k, lower, d); returns its active and its inactive vertices."""
    hubs = [f"{name}v{i}" for i in (1, 2, 3)]
    active, inactive = [f"{name}a{i}" for i in range(k)], [f"{name}i{i}" for i in range(k)]
    edges = [(hubs[0], f"{name}w{i}", d - 1) for i in range(lower - 3 - k)]
    edges += [(hubs[0], hubs[1], 1), (hubs[0], hubs[2], 1)]
    edges += [(hubs[1], v, d) for v in active] + [(hubs[2], v, d) for v in inactive]
    graph.add_weighted_edges_from(edges, weight="length")
    return active, inactive


def star(graph: Any, name: str, leaves: int, d: int) -> str:
    """A centre whose leaves are as far as may be."""
    graph.add_weighted_edges_from([(name, f"{name}-{i}", d) for i in range(leaves)], weight="length")
    return name


def ways(graph: Any, lower: int, d: int) -> set[frozenset[str]]:
    """All sets of `lower` vertices within d of some vertex."""
    far = dict(nx.all_pairs_dijkstra_path_length(graph, weight="length"))
    return {
        frozenset(chosen)
        for chosen in itertools.combinations(graph, lower)
        if any(all(far[c][v] <= d for v in chosen) for c in graph)
    }


@pytest.mark.parametrize(("k", "lower", "d"), [(1, 5, 2), (1, 6, 3), (2, 6, 2), (2, 7, 4), (3, 7, 3), (4, 9, 2)])
def test_two_ways_to_cover_a_gadget(k: int, lower: int, d: int) -> None:
    graph = nx.Graph()
    active, inactive = choice(graph, "", k, lower, d)
    assert len(graph) == k + lower
    assert ways(graph, lower, d) == {frozenset(set(graph) - set(inactive)), frozenset(set(graph) - set(active))}


def test_a_distance_of_1_is_too_short_for_the_gadget() -> None:
    """Definition 3 does not say d > 1; with d = 1 it has lengths of 0 and no way at all."""
    graph = nx.Graph()
    choice(graph, "", 1, 5, 1)
    assert ways(graph, 5, 1) == set()


def answers(graph: Any, lower: int, upper: int, d: int) -> set[bool]:
    """What the methods say that can answer."""
    found = set()
    for method in METHODS:
        solution = method(upper=upper, distance=d, length="length", time_limit=20.0).solve(graph, lower)
        if solution.status != "unknown":
            found.add(solution.partition is not None)
    return found


@pytest.mark.parametrize(("stars", "feasible"), [("", False), ("a", True), ("i", True), ("ai", True)])
def test_one_gadget_with_auxiliary_stars(stars: str, feasible: bool) -> None:  # noqa: FBT001
    """A star takes its active or inactive vertex, or not: the gadget can be covered if one of its sides has a star."""
    graph = nx.Graph()
    active, inactive = choice(graph, "g", 1, 5, 2)
    for side, vertices in (("a", active), ("i", inactive)):
        if side in stars:
            graph.add_edge(star(graph, f"star-{side}", 4, 2), vertices[0], length=2)
    assert answers(graph, 5, 6, 2) == {feasible}
    if len(graph) <= 11:
        case = case_of(nx.convert_node_labels_to_integers(graph), "length")
        assert (least_radius(case, 5, 6, connected=False) <= 2) == feasible


@pytest.mark.parametrize("demand", [1, 2, 3])
def test_a_demand_is_met_by_as_many_gadgets(demand: int) -> None:
    """Two gadgets hang on a star that lacks `demand` vertices: each can leave one active vertex to it."""
    graph = nx.Graph()
    root = star(graph, "root", 5 - 1 - demand, 2)
    for name in ("g", "h"):
        active, inactive = choice(graph, name, 1, 5, 2)
        graph.add_edge(root, active[0], length=2)
        graph.add_edge(star(graph, f"{name}star", 4, 2), inactive[0], length=2)
    assert answers(graph, 5, 6, 2) == {demand <= 2}
