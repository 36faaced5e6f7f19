"""What an analyst loses, against networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from covey.network.publish.utility import (
    clustering,
    compare,
    components,
    degrees_moved,
    edge_overlap,
    largest_component,
    mean_distance,
)
from covey.network.reading import as_network


@pytest.mark.parametrize("seed", range(12))
def test_measures_by_their_definitions(seed: int) -> None:
    rng = np.random.RandomState(seed)
    graph = nx.gnp_random_graph(int(rng.randint(1, 50)), rng.random_sample() ** 2, seed=seed)
    network = as_network(graph)
    assert clustering(network) == pytest.approx(nx.average_clustering(graph))
    assert components(network) == nx.number_connected_components(graph)
    assert largest_component(network) == max(map(len, nx.connected_components(graph))) / len(graph)
    steps = [d for _, far in nx.all_pairs_shortest_path_length(graph) for d in far.values() if d]
    assert mean_distance(network) == pytest.approx(np.mean(steps) if steps else 0.0)


def test_a_sample_of_a_large_network_is_near() -> None:
    graph = nx.watts_strogatz_graph(3000, 6, 0.1, seed=1)
    network = as_network(graph)
    assert clustering(network) == pytest.approx(nx.average_clustering(graph), rel=0.05)
    assert mean_distance(network) == mean_distance(network)


def test_degrees_and_edges_of_two_graphs() -> None:
    path, ring, star = (
        as_network(graph(5)) for graph in (nx.path_graph, nx.cycle_graph, lambda n: nx.star_graph(n - 1))
    )
    assert degrees_moved(path, path) == 0.0
    assert degrees_moved(path, ring) == pytest.approx(2 / 5)
    assert degrees_moved(ring, star) == 1.0
    assert edge_overlap(path, path) == 1.0
    assert edge_overlap(path, ring) == 4 / 5
    empty = as_network(nx.empty_graph(5))
    assert edge_overlap(empty, empty) == 1.0
    found = {one.measure: (one.before, one.after, one.public) for one in compare(path, ring)}
    assert found["mean degree"] == (8 / 5, 2.0, True)
    assert found["largest degree"] == (2, 2, True)
    assert found["degrees moved"] == (None, degrees_moved(path, ring), False)
