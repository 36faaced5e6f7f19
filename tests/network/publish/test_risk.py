"""What an attacker knows of a vertex's place, against slow definitions."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest

from covey.network.publish.release import release
from covey.network.publish.risk import degree_classes, neighbourhood_classes, structure_risk
from covey.network.reading import as_network
from tests.network.publish.releases import chunks, people


@pytest.mark.parametrize("seed", range(12))
def test_classes_by_their_definitions(seed: int) -> None:
    rng = np.random.RandomState(seed)
    graph = nx.gnp_random_graph(int(rng.randint(1, 60)), rng.random_sample() ** 2, seed=seed)
    network = as_network(graph)
    degrees = Counter(dict(graph.degree).values())
    assert degree_classes(network).tolist() == [degrees[graph.degree[v]] for v in graph]
    around = {v: tuple(sorted(graph.degree[w] for w in graph[v])) for v in graph}
    shared = Counter(around.values())
    assert neighbourhood_classes(network).tolist() == [shared[around[v]] for v in graph]


def test_shares_before_and_after() -> None:
    star, ring = as_network(nx.star_graph(5)), as_network(nx.cycle_graph(6))
    found = {one.measure: (one.before, one.after) for one in structure_risk(star, ring, 3)}
    assert found["unique by degree"] == pytest.approx((1 / 6, 0.0))
    assert found["fewer than 3 by degree"] == pytest.approx((1 / 6, 0.0))
    assert found["unique by neighbourhood"] == pytest.approx((1 / 6, 0.0))


def test_a_super_graph_singles_out_nobody() -> None:
    graph = people(40, 1, 0.2)
    done = release(graph, 5, solution=chunks(graph, 5), measure=True, seed=1)
    found = {one.measure: one for one in done.report.measures}
    assert (found["unique by neighbourhood"].before or 0.0) > 0.5
    assert found["unique by neighbourhood"].after == 0.0
    assert found["fewer than 5 by degree"].after == 0.0
    assert found["chance to find a vertex"].after == 1 / 5
    sizes = {row["cluster"]: row["size"] for row in done.vertices.to_pylist()}
    shares = [row["edges_low"] / (row["size"] * (row["size"] - 1) / 2) for row in done.vertices.to_pylist()]
    shares += [row["edges_low"] / (sizes[row["source"]] * sizes[row["target"]]) for row in done.edges.to_pylist()]
    assert found["confidence in a link"].after == pytest.approx(max(shares))
