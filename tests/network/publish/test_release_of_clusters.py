"""A release that finds its clusters itself."""

from __future__ import annotations

import networkx as nx
import pytest

from covey.errors import InfeasibleError
from covey.network.publish.release import release
from tests.network.publish.releases import people


def test_clusters_are_found_where_none_are_given() -> None:
    graph = people(40, 1)
    done = release(graph, 5, seed=1)
    assert min(done.vertices["size"].to_pylist()) >= 5
    assert done.certificate.internal["status"] in ("optimal", "feasible")
    assert "status" not in done.certificate.public


def test_no_clusters_is_an_error_that_names_on_request_only() -> None:
    graph = people(12)
    graph.add_edge("Zaphod-a", "Zaphod-b")
    with pytest.raises(InfeasibleError, match="2 vertices, fewer than lower = 4") as caught:
        release(graph, 4)
    assert "Zaphod" not in str(caught.value)
    with pytest.raises(InfeasibleError, match="Zaphod"):
        release(graph, 4, name_vertices=True)


def test_clusters_that_a_method_always_connects_are_known_to_be_connected() -> None:
    graph = nx.path_graph(30)
    carved = release(graph, 4, method="carving", seed=1)
    assert carved.connected
    assert carved.certificate.public["clusters_are_connected"]
    assert all(row["edges_low"] >= row["size"] - 1 for row in carved.vertices.to_pylist())
    assert not release(graph, 4, method="milp", seed=1).connected
    assert release(graph, 4, method="carving", connected=True, seed=1).connected
