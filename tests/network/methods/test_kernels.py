"""Balls, components and vertices that block every partition, against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from covey._kernels import network as kernels
from tests.network.methods.kernel_definitions import (
    Csr,
    all_distances,
    blocks,
    connected_partitions,
    csr,
    pieces,
    random_graph,
    random_tree,
    small_graphs,
)

MOST = 10**9


def balls_of(graph: Csr, radius: float) -> np.ndarray:
    """The distances as a matrix, infinity beyond the radius."""
    found = kernels.balls(*graph, radius, MOST)
    assert found is not None
    start, member, distance = found
    matrix = np.full((graph.n, graph.n), math.inf)
    for v in range(graph.n):
        row = slice(start[v], start[v + 1])
        assert np.all(np.diff(member[row]) > 0)
        matrix[v, member[row]] = distance[row]
    return matrix


@pytest.mark.parametrize("lengths", ["none", "quarters"])
@pytest.mark.parametrize("seed", range(20))
def test_balls_hold_all_within_the_radius(seed: int, lengths: str) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    graph = random_graph(rng, n, int(rng.integers(0, 2 * n)), lengths)
    far = all_distances(graph)
    for radius in (0.0, 0.5, 1.0, 2.0, 3.25, math.inf):
        assert np.array_equal(balls_of(graph, radius), np.where(far <= radius, far, math.inf))
    for v in range(n):
        assert np.array_equal(kernels.distances_from(*graph, v), far[v])


def test_a_ball_does_not_depend_on_the_end_it_is_seen_from() -> None:
    uneven = 0
    for seed in range(30):
        graph = random_graph(np.random.default_rng(seed), 40, 60, "any")
        far = np.array([kernels.distances_from(*graph, v) for v in range(40)])
        uneven += int(np.count_nonzero(far != far.T))
        matrix = balls_of(graph, math.inf)
        assert np.array_equal(matrix, np.minimum(far, far.T))
        on_the_edge = float(np.sort(matrix[np.isfinite(matrix)])[len(matrix) * 5])
        closer = balls_of(graph, on_the_edge)
        assert np.array_equal(closer, np.where(matrix <= on_the_edge, matrix, math.inf))
    assert uneven > 0, "no sum of lengths came out different from the other end: the test shows nothing"


def test_balls_say_when_they_are_too_many() -> None:
    graph = random_graph(np.random.default_rng(0), 20, 40)
    pairs = int(np.count_nonzero(all_distances(graph) <= 2))
    assert kernels.balls(*graph, 2.0, pairs) is not None
    assert kernels.balls(*graph, 2.0, pairs - 1) is None


@pytest.mark.parametrize("seed", range(10))
def test_components_are_numbered_by_their_first_vertices(seed: int) -> None:
    graph = random_graph(np.random.default_rng(seed), 30, 20)
    labels = kernels.components(graph.indptr, graph.indices)
    for number, piece in enumerate(pieces(graph, range(30))):
        assert {v for v in range(30) if labels[v] == number} == piece


def expected_block(graph: Csr, lower: int, upper: int) -> int:
    return next((v for v in range(graph.n) if blocks(graph, v, lower, upper)), -1)


@pytest.mark.parametrize("n", range(1, 6))
def test_the_first_blocking_vertex_of_every_small_graph(n: int) -> None:
    seen = set()
    for graph in small_graphs(n):
        for lower, upper in ((1, 1), (2, 2), (2, 3), (3, 3), (3, 5)):
            found = kernels.blocking_vertex(graph.indptr, graph.indices, lower, upper)
            assert found == expected_block(graph, lower, upper)
            seen.add(found >= 0)
            if found >= 0:
                assert not any(connected_partitions(graph, lower, upper)), "a partition exists all the same"
    assert seen == ({True, False} if n > 2 else {False})


@pytest.mark.parametrize("seed", range(60))
def test_the_first_blocking_vertex_of_larger_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 60))
    graph = random_tree(rng, n, extra=int(rng.integers(0, n // 3)))
    for lower, upper in ((2, 3), (3, 5), (4, 9), (7, 13)):
        found = kernels.blocking_vertex(graph.indptr, graph.indices, lower, upper)
        assert found == expected_block(graph, lower, upper)


def test_a_deep_search_needs_no_stack() -> None:
    n = 300_000
    path = csr(n, [(v, v + 1) for v in range(n - 1)])
    assert kernels.blocking_vertex(path.indptr, path.indices, 3, 5) == -1
    assert kernels.blocking_vertex(path.indptr, path.indices, 3, 2) == 2
