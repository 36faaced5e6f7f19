"""Sampled graphs: as many vertices and edges as published, and nothing else of the original."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from covey.network.publish import sample as module
from covey.network.publish.release import release
from covey.network.publish.report import to_text
from tests.network.publish.releases import chunks, people


@pytest.mark.parametrize("counts", ["round", "suppress", "exact"])
@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("density", [0.0, 0.2, 0.95])
def test_counts_are_those_that_are_published(counts: str, connected: bool, density: float) -> None:  # noqa: FBT001
    graph = people(45, 1, density)
    done = release(graph, 5, solution=chunks(graph, 5), counts=counts, connected=connected, seed=1)
    for seed in range(3):
        drawn = done.sample(seed)
        cluster = dict(zip(*(drawn.vertices[name].to_pylist() for name in ("vertex", "cluster")), strict=True))
        assert Counter(cluster.values()) == {row["cluster"]: row["size"] for row in done.vertices.to_pylist()}
        ends = list(zip(*(drawn.edges[name].to_pylist() for name in ("source", "target")), strict=True))
        found = Counter(frozenset((cluster[one], cluster[other])) for one, other in ends)
        rows = [(frozenset((row["cluster"],)), row) for row in done.vertices.to_pylist()]
        rows += [(frozenset((row["source"], row["target"])), row) for row in done.edges.to_pylist()]
        for key, row in rows:
            low, high = (row["edges_low"], row["edges_high"]) if row["edges"] is None else (row["edges"],) * 2
            assert low <= found.pop(key, 0) <= high
        assert not found
        if connected:
            made = nx.Graph(ends)
            for name in set(cluster.values()):
                assert nx.is_connected(made.subgraph(v for v in cluster if cluster[v] == name))


def test_the_seed_decides() -> None:
    graph = people(45, 1, 0.3)
    done = release(graph, 5, solution=chunks(graph, 5), seed=1)
    assert done.sample(3).edges.equals(done.sample(3).edges)
    assert not done.sample(3).edges.equals(done.sample(4).edges)
    assert "Zaphod" not in str(done.sample().network.names) + to_text(done.report)


def test_ranks_of_pairs_are_numbers_of_pairs() -> None:
    for size in range(2, 12):
        pairs = module._unranked(np.arange(size * (size - 1) // 2)).tolist()
        assert sorted(map(tuple, pairs)) == sorted(combinations(range(size), 2))
        ends = np.array(pairs)
        assert module._ranked(ends[:, 1], ends[:, 0]).tolist() == list(range(len(pairs)))
    large = np.array([10**14, 10**14 + 1, 10**15])
    ends = module._unranked(large)
    assert module._ranked(ends[:, 0], ends[:, 1]).tolist() == large.tolist()


@pytest.mark.parametrize(("pairs", "count"), [(6, 2), (6, 5), (5, 5), (5, 0)])
def test_every_choice_is_as_likely(pairs: int, count: int) -> None:
    rng = np.random.RandomState(0)
    cells = np.array([3, pairs, 0, 4]), np.array([1, count, 0, 2])  # beside others
    drawn = Counter[tuple[int, ...]]()
    for _ in range(3000):
        cell, rank = module._placed(*cells, np.zeros(0, dtype=np.int64), rng)
        assert np.bincount(cell, minlength=4).tolist() == [1, count, 0, 2]
        drawn[tuple(rank[cell == 1].tolist())] += 1
    every = list(combinations(range(pairs), count))
    assert set(drawn) == set(every)
    assert max(drawn.values()) < 1.5 * 3000 / len(every)
