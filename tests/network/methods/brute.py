"""The definition of network microaggregation, by brute force: all partitions, every vertex as centre, Floyd and Warshall."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class Case(NamedTuple):
    """A graph with vertices 0 .. n-1 and what its clusters would need."""

    n: int
    adjacent: NDArray[np.bool_]
    distances: NDArray[np.float64]


def case_of(graph: Any, length: str | None = None) -> Case:
    """From a networkx graph on 0 .. n-1, in this order."""
    n = graph.number_of_nodes()
    assert list(graph) == list(range(n))
    adjacent = np.zeros((n, n), dtype=bool)
    far = np.full((n, n), math.inf)
    np.fill_diagonal(far, 0.0)
    for v, w, data in graph.edges(data=True):
        adjacent[v, w] = adjacent[w, v] = True
        far[v, w] = far[w, v] = 1.0 if length is None else data[length]
    for middle in range(n):
        far = np.minimum(far, far[:, middle, None] + far[None, middle, :])
    return Case(n, adjacent, far)


def partitions(n: int, lower: int, upper: int) -> Iterator[list[tuple[int, ...]]]:
    """All partitions of 0 .. n-1 into clusters of `lower` to `upper`."""

    def cut(left: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
        if not left:
            yield []
            return
        for size in range(lower, min(upper, len(left)) + 1):
            for others in itertools.combinations(left[1:], size - 1):
                rest = tuple(v for v in left[1:] if v not in others)
                yield from ([(left[0], *others), *more] for more in cut(rest))

    return cut(tuple(range(n)))


def radius(case: Case, cluster: tuple[int, ...]) -> float:
    """The least distance within which some vertex, of the cluster or not, has all of it."""
    return float(case.distances[:, list(cluster)].max(axis=1).min())


def is_connected(case: Case, cluster: tuple[int, ...]) -> bool:
    reached, todo = {cluster[0]}, [cluster[0]]
    while todo:
        v = todo.pop()
        new = [w for w in cluster if case.adjacent[v, w] and w not in reached]
        reached.update(new)
        todo += new
    return len(reached) == len(cluster)


def least_radius(case: Case, lower: int, upper: int, *, connected: bool) -> float:
    """The smallest distance for which there is a partition; infinity if there is none."""
    best = math.inf
    for partition in partitions(case.n, lower, upper):
        if connected and not all(is_connected(case, cluster) for cluster in partition):
            continue
        best = min(best, max(radius(case, cluster) for cluster in partition))
    return best


def least_sum_by_subsets(case: Case, lower: int, upper: int, *, connected: bool, distance: float = math.inf) -> float:
    """The least sum of distances to centres within the distance, by dynamic programming over sets of vertices; infinity if none.

    The best partition of a set is a cluster with its first vertex, and the best partition of the rest.
    """
    members = [[v for v in range(case.n) if chosen >> v & 1] for chosen in range(2**case.n)]
    costs: dict[int, list[tuple[int, float]]] = {v: [] for v in range(case.n)}  # clusters by their first vertex
    for chosen, cluster in enumerate(members):
        if lower <= len(cluster) <= upper and (not connected or is_connected(case, tuple(cluster))):
            far = case.distances[:, cluster]
            totals = far.sum(axis=1)[far.max(axis=1) <= distance]
            costs[cluster[0]] += [(chosen, float(totals.min()))] if len(totals) else []
    best = [0.0] + [math.inf] * (2**case.n - 1)
    for chosen in range(1, 2**case.n):
        for cluster_set, cost in costs[members[chosen][0]]:
            if cluster_set & chosen == cluster_set:
                best[chosen] = min(best[chosen], cost + best[chosen ^ cluster_set])
    return best[-1]


def connected_graphs(most: int, least: int = 1) -> Iterator[Any]:
    """Every connected graph of `least` to `most` (7) vertices, up to isomorphism."""
    for graph in nx.graph_atlas_g():
        if least <= graph.number_of_nodes() <= most and nx.is_connected(graph):
            yield graph


def random_case(rng: np.random.Generator, most: int, kind: str) -> Any:
    """A graph of up to `most` vertices with lengths: "one", "whole", "quarters" (0 among them) or "any"."""
    n = int(rng.integers(2, most + 1))
    pairs = list(itertools.combinations(range(n), 2))
    chosen = rng.choice(len(pairs), size=min(len(pairs), int(rng.integers(0, 2 * n))), replace=False)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    for at in chosen:
        drawn = {
            "one": 1.0,
            "whole": float(rng.integers(1, 5)),
            "quarters": rng.integers(0, 9) / 4,
            "any": float(rng.random()),
        }[kind]
        graph.add_edge(*pairs[at], length=drawn)
    return graph
