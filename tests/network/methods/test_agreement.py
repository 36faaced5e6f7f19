"""Methods that share no solver agree on networks that are too large for brute force."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from covey.network import microaggregate


def few_touch_all(seed: int) -> Any:
    """Three vertices touch every edge of some thirty; edges have lengths 1 to 3."""
    rng = np.random.default_rng(seed)
    graph = nx.Graph([(0, 1, {"km": 1}), (1, 2, {"km": 2})])
    for v in range(3, int(rng.integers(20, 34))):
        for hub in rng.choice(3, int(rng.integers(1, 4)), replace=False).tolist():
            graph.add_edge(hub, v, km=int(rng.integers(1, 4)))
    return graph


def narrow(seed: int) -> Any:
    """A ladder with some rungs missing, and legs: width 2."""
    rng = np.random.default_rng(seed)
    graph = nx.ladder_graph(16)
    graph.remove_edges_from([(v, v + 16) for v in range(1, 15) if rng.random() < 0.4])
    for v in range(32, 40):
        graph.add_edge(v, int(rng.integers(32)))
    nx.set_edge_attributes(graph, {edge: int(rng.integers(1, 4)) for edge in graph.edges}, "km")
    return graph


def answers(graph: Any, lower: int, upper: int, *, connected: bool, methods: tuple[str, ...]) -> set[tuple[str, float]]:
    found = [
        microaggregate(graph, lower, upper, connected=connected, length="km", method=method, time_limit=None)
        for method in methods
    ]
    return {(solution.status, solution.radius) for solution in found}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("lower", "upper"), [(3, 4), (3, 5), (4, 20)])
def test_where_few_vertices_touch_every_edge(seed: int, lower: int, upper: int) -> None:
    graph = few_touch_all(seed)
    free = answers(graph, lower, upper, connected=False, methods=("milp", "cluster-types", "few-centres"))
    tied = answers(graph, lower, upper, connected=True, methods=("pipeline", "cluster-types", "treewidth"))
    assert len(free) == len(tied) == 1
    assert next(iter(free))[1] <= next(iter(tied))[1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("lower", "upper"), [(3, 5), (4, 9)])
def test_where_the_network_is_narrow(seed: int, lower: int, upper: int) -> None:
    graph = narrow(seed)
    tied = answers(graph, lower, upper, connected=True, methods=("pipeline", "treewidth", "auto"))
    assert len(tied) == 1


@pytest.mark.parametrize("seed", range(4))
def test_heuristics_are_between_the_bound_and_twice_the_best(seed: int) -> None:
    graph = nx.connected_watts_strogatz_graph(120, 4, 0.2, seed=seed)
    best = microaggregate(graph, 5, 9)
    assert best.status == "optimal"
    gathered = microaggregate(graph, 5, 9, method="gather")
    carved = microaggregate(graph, 5, 9, method="carving")
    assert gathered.bound <= best.radius <= gathered.radius <= 2 * best.radius
    assert carved.bound <= best.radius <= carved.radius
