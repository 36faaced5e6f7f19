"""Theorems 7 and 8."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from covey.errors import InputError
from covey.network.methods.cover import cover as cover_module
from covey.network.methods.cover.cluster_types import ClusterTypes
from covey.network.methods.cover.cover import minimum_cover
from covey.network.methods.problem import Deadline
from covey.network.reading import as_network
from tests.network.methods.agree import SIZES, check_random_graphs, check_small_graphs
from tests.network.methods.brute import connected_graphs


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("n", SIZES)
def test_every_small_graph(n: int, connected: bool) -> None:  # noqa: FBT001
    check_small_graphs(ClusterTypes, n, connected=connected)


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("kind", ["one", "whole", "quarters", "any"])
def test_random_graphs(kind: str, connected: bool) -> None:  # noqa: FBT001
    check_random_graphs(ClusterTypes, kind, connected=connected, count=40)


def test_covers_are_minimum() -> None:
    for graph in connected_graphs(5):
        found = minimum_cover(as_network(graph), Deadline(None))
        assert found is not None
        assert all(v in found or w in found for v, w in graph.edges)
        largest = max(len(clique) for clique in nx.find_cliques(nx.complement(graph)))
        assert len(found) == len(graph) - largest, "the rest is a largest independent set"


def covered(seed: int, cover: int, n: int) -> nx.Graph:
    rng = np.random.default_rng(seed)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    for v in range(cover, n):
        for w in rng.choice(cover, size=int(rng.integers(1, 3)), replace=False):
            graph.add_edge(v, int(w), length=float(rng.integers(1, 3)))
    return graph


@pytest.mark.parametrize("connected", [True, False])
def test_hundreds_of_vertices_and_a_small_cover(connected: bool) -> None:  # noqa: FBT001
    """Checked from both sides: the solution's own check holds, and any other cover finds the same."""
    graph = covered(1, 3, 150)
    method = ClusterTypes(upper=80, connected=connected, length="length")
    first = method.solve(graph, 4)
    again = ClusterTypes(upper=80, connected=connected, length="length", cover=[0, 1, 2, 10]).solve(graph, 4)
    assert (first.status, first.radius) == ("optimal", again.radius)


@pytest.mark.parametrize(
    ("cover", "why"), [([0], "edges have no end in the cover"), ([0, "x"], "are no vertices"), (5, "cover is 5")]
)
def test_what_is_no_cover_is_refused(cover: object, why: str) -> None:
    with pytest.raises(InputError, match=why):
        ClusterTypes(cover=cover).solve(nx.path_graph(5), 2)


def test_limits_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = covered(1, 3, 50)
    assert ClusterTypes(time_limit=1e-9).solve(graph, 3).status == "unknown"
    monkeypatch.setattr(cover_module, "MOST_TYPES", 3)
    assert "types of vertices" in ClusterTypes().solve(graph, 3).reason


@pytest.mark.parametrize(("connected", "theorem"), [(True, 7), (False, 8)])
def test_reasons_name_theorem_and_distance(connected: bool, theorem: int) -> None:  # noqa: FBT001
    spider = nx.Graph([(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6)])
    solution = ClusterTypes(connected=connected, upper=7, distance=1).solve(spider, 3)
    assert solution.reason == f"by theorem {theorem} (vertex cover) no clusters are within the distance 1"
