"""Networks to publish, clusters of them, and slow definitions of what is published."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from covey import Partition
from covey.network.publish.release import release
from covey.utils import randomness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.network.publish.release import NetworkRelease

TOWNS = ("Upper Marsh", "Low Hill", "Middleton")


def people(n: int, seed: int = 0, density: float = 0.1) -> Any:
    """A network of people with names that are nowhere else, and attributes."""
    rng = np.random.RandomState(seed)
    graph = nx.Graph()
    for v in range(n):
        age = None if rng.random_sample() < 0.1 else int(rng.randint(18, 90))
        told = {"age": age, "town": TOWNS[rng.randint(3)], "school": ("none", "some", "all")[rng.randint(3)]}
        graph.add_node(
            f"Zaphod-{7919 * (v + 1)}", phone=f"+44-{v:05d}-q", **{k: x for k, x in told.items() if x is not None}
        )
    names = list(graph)
    for one, other in combinations(range(n), 2):
        if rng.random_sample() < density or other == one + 1:
            graph.add_edge(names[one], names[other])
    return graph


def chunks(graph: Any, size: int) -> Partition:
    """Clusters of neighbours in the order of the vertices, which are connected along a path."""
    n = graph.number_of_nodes()
    return Partition(np.minimum(np.arange(n) // size, max(1, n // size) - 1))


def published_order(clusters: int, seed: int) -> list[int]:
    """Which cluster of the partition each published row is: what only who has the seed knows."""
    found: list[int] = randomness.random_order(randomness.from_seed(seed), clusters).tolist()
    return found


def count_between(graph: Any, one: Sequence[Any], other: Sequence[Any]) -> int:
    """The edges between two sets of vertices, or within one: the definition."""
    if one is other:
        return sum(graph.has_edge(a, b) for a, b in combinations(one, 2))
    return sum(graph.has_edge(a, b) for a in one for b in other)


def published_chunks(graph: Any, size: int, **options: Any) -> NetworkRelease:
    """The release of clusters of so many vertices in their order."""
    return release(graph, size, solution=chunks(graph, size), **options)
