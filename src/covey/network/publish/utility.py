"""What an analyst loses: a network beside the graph that is published for it, or drawn from what is published."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import network as kernels
from covey.network.publish.measure import NetworkMeasure
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.network.graph import Network
    from covey.utils.typing import Integers

_VERTICES = 2000
_SOURCES = 100
_MOST_FOR_COMMUNITIES = 50_000


def compare(before: Network, after: Network) -> list[NetworkMeasure]:
    """Degrees, clustering, distances and components, before and after; estimates beyond 2000 vertices."""
    measures: tuple[tuple[str, Callable[[Network], float], str], ...] = (
        ("mean degree", lambda one: 2 * one.m / one.n, "Neighbours of a vertex, on average."),
        ("largest degree", lambda one: int(one.degrees.max()), "Neighbours of the vertex that has the most."),
        ("clustering", clustering, "Share of pairs of neighbours that are linked, averaged over the vertices."),
        ("mean distance", mean_distance, "Steps between two vertices of one component, on average."),
        ("components", components, "Number of parts of the network that no path connects."),
        ("largest component", largest_component, "Share of the vertices in the largest component."),
    )
    meaning = "Share of vertices whose degree would have to change for the distributions to be the same."
    moved = NetworkMeasure("degrees moved", None, degrees_moved(before, after), "lower", meaning, public=False)
    return [moved, *(NetworkMeasure(name, of(before), of(after), "the same", said) for name, of, said in measures)]


def overlap(before: Network, after: Network) -> NetworkMeasure:
    """The measure of edges kept, of two networks on the same vertices in the same order."""
    meaning = "Share of the edges of the two graphs that are in both; 1: nothing changed."
    return NetworkMeasure("edge overlap", None, edge_overlap(before, after), "higher", meaning, public=False)


def degrees_moved(before: Network, after: Network) -> float:
    """The total variation between the distributions of degrees: 0 to 1."""
    most = int(max(before.degrees.max(), after.degrees.max())) + 1
    one, other = (np.bincount(net.degrees, minlength=most) / net.n for net in (before, after))
    return float(np.abs(one - other).sum() / 2)


def edge_overlap(before: Network, after: Network) -> float:
    """Edges in both, of those in either; 1 where neither has any."""
    one, other = edge_keys(before), edge_keys(after)
    either = len(np.union1d(one, other))
    return len(np.intersect1d(one, other)) / either if either else 1.0


def edge_keys(network: Network) -> Integers:
    """A number for every edge, the same in every network on these vertices."""
    tails, heads, _ = network.edges()
    return np.asarray(tails.astype(np.int64) * network.n + heads)


def clustering(network: Network) -> float:
    """The mean local clustering coefficient: of the neighbours of a vertex, the share of pairs that are linked (0 below two)."""
    indptr, indices = network.indptr, network.indices
    marked = np.zeros(network.n, dtype=bool)
    shares = []
    for v in _drawn(network.n, _VERTICES):
        near = indices[indptr[v] : indptr[v + 1]]
        if len(near) < 2:
            shares.append(0.0)
            continue
        marked[near] = True
        linked = sum(int(np.count_nonzero(marked[indices[indptr[u] : indptr[u + 1]]])) for u in near)
        marked[near] = False
        shares.append(linked / (len(near) * (len(near) - 1)))
    return float(np.mean(shares))


def assortativity(network: Network) -> float:
    """The correlation of the degrees at the two ends of an edge; 0 where all are the same."""
    ends = network.degrees.astype(np.float64)
    near = np.repeat(ends, network.degrees)
    other = ends[network.indices]
    if len(near) == 0 or np.ptp(near) == 0:
        return 0.0
    return float(np.corrcoef(near, other)[0, 1])


def modularity(network: Network) -> float:
    """That of the communities that Louvain's method finds, always from the same start; not a number beyond 50,000 edges.

    Source: Blondel et al. 2008, by networkx.
    """
    if network.m > _MOST_FOR_COMMUNITIES:
        return math.nan
    if network.m == 0:
        return 0.0
    networkx = load("networkx")
    graph = networkx.from_scipy_sparse_array(network.to_scipy(), edge_attribute="length")
    communities = networkx.community.louvain_communities(graph, weight=None, seed=0)
    return float(networkx.community.modularity(graph, communities, weight=None))


def mean_distance(network: Network) -> float:
    """The mean number of steps between two vertices of one component; 0 where no two are."""
    total, pairs = 0.0, 0
    for v in _drawn(network.n, _SOURCES if network.n > _VERTICES else network.n):
        far = kernels.distances_from(network.indptr, network.indices, None, int(v))
        reached = np.isfinite(far)
        total += float(far[reached].sum())
        pairs += int(np.count_nonzero(reached)) - 1
    return total / pairs if pairs else 0.0


def components(network: Network) -> int:
    """The number of components."""
    return int(kernels.components(network.indptr, network.indices).max()) + 1


def largest_component(network: Network) -> float:
    """The share of vertices in the largest component."""
    return float(np.bincount(kernels.components(network.indptr, network.indices)).max() / network.n)


def _drawn(n: int, most: int) -> Integers:
    """All vertices, or some that are always the same."""
    return np.arange(n) if n <= most else np.sort(np.random.RandomState(0).permutation(n)[:most])
