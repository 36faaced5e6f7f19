"""The recount of clusters of a network. Shares nothing with the solvers and their kernels: edges, sizes, paths.

Lemma: `distance[v]` is proven to be no smaller than the true distance of v to its centre c if it is no smaller than the
length of some path; paths inside the cluster are tried first, all at once, then the network around v and c.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import RefusedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.methods.problem import Problem

_ROUNDING = 1e-9  # of sums of lengths


def check_clusters(
    problem: Problem, labels: NDArray[np.int32], centres: NDArray[np.int32], distances: NDArray[np.float64]
) -> None:
    """Raise unless the clusters have the size, the connection and the distances that were asked for and are claimed.

    Clusters above `upper` pass: who makes them counts them, and says so. O(m) for each step of the longest path within a
    cluster; where a claimed distance runs outside its cluster, a search around its two ends.
    """
    if len(labels) != problem.n or labels.min() < 0 or len(np.unique(labels)) != len(centres):
        raise _refused("not every vertex is in one cluster with one centre")
    if np.bincount(labels).min() < problem.lower:
        raise _refused(f"a cluster has fewer than {problem.lower} vertices")
    if problem.distance is not None and distances.max() > problem.distance * (1 + _ROUNDING):
        raise _refused("a vertex is too far from its centre")
    if problem.connected and _parts(problem, labels) != len(centres):
        raise _refused("a cluster is not connected")
    if not _reached(problem, labels, centres, distances):
        raise _refused("a distance to a centre is larger than claimed")


def _refused(what: str) -> RefusedError:
    return RefusedError(f"the clusters do not hold what was asked: {what}; this is a bug in covey, please report it")


def _inner_edges(problem: Problem, labels: NDArray[np.int32]) -> tuple[NDArray[np.intp], ...]:
    network = problem.network
    tails = np.repeat(np.arange(network.n), np.diff(network.indptr))
    inside = np.flatnonzero(labels[tails] == labels[network.indices])
    return tails[inside], network.indices[inside].astype(np.intp), inside


def _parts(problem: Problem, labels: NDArray[np.int32]) -> int:
    """The number of pieces into which the clusters fall: every vertex takes the least number it can reach inside."""
    tails, heads, _ = _inner_edges(problem, labels)
    least = np.arange(problem.n)
    while True:
        lower = least.copy()
        np.minimum.at(lower, tails, least[heads])
        lower = np.minimum(lower, lower[lower])
        if np.array_equal(lower, least):
            return int(np.count_nonzero(least == np.arange(problem.n)))
        least = lower


def _reached(
    problem: Problem, labels: NDArray[np.int32], centres: NDArray[np.int32], distances: NDArray[np.float64]
) -> bool:
    """Whether each vertex has a path to its centre that is no longer than claimed."""
    allowed = distances * (1 + _ROUNDING)
    inside = labels[centres] == np.arange(len(centres))
    nearest = np.full(problem.n, np.inf)
    nearest[centres[inside]] = 0.0
    tails, heads, edges = _inner_edges(problem, labels)
    lengths = np.ones(len(edges)) if problem.network.lengths is None else problem.network.lengths[edges]
    while True:
        nearer = nearest.copy()
        np.minimum.at(nearer, heads, nearest[tails] + lengths)
        if np.array_equal(nearer, nearest):
            break
        nearest = nearer
    (waiting,) = np.nonzero(nearest > allowed)
    halves: dict[int, tuple[float, dict[int, float]]] = {}
    return all(_meet(problem, int(centres[labels[v]]), int(v), float(allowed[v]), halves) for v in waiting)


def _meet(
    problem: Problem, centre: int, v: int, allowed: float, halves: dict[int, tuple[float, dict[int, float]]]
) -> bool:
    """Whether a path from v to its centre is no longer than allowed, from both its ends.

    Its last vertex within half of that of the centre is next to, or is, one within half of that of v. `halves` keeps what
    was found around centres; from one end alone, hubs would make it most of the network.
    """
    if centre not in halves or halves[centre][0] < allowed / 2:
        halves[centre] = allowed / 2, _ball(problem, centre, allowed / 2)
    there = halves[centre][1]
    network = problem.network
    for w, near in _ball(problem, v, allowed / 2).items():
        if w in there and near + there[w] <= allowed:
            return True
        for edge in range(network.indptr[w], network.indptr[w + 1]):
            u = int(network.indices[edge])
            length = 1.0 if network.lengths is None else float(network.lengths[edge])
            if u in there and near + length + there[u] <= allowed:
                return True
    return False


def _ball(problem: Problem, source: int, radius: float) -> dict[int, float]:
    """Dijkstra around a vertex: the distances of those within the radius."""
    network = problem.network
    best, settled = {source: 0.0}, {}
    queue = [(0.0, source)]
    while queue:
        far, v = heapq.heappop(queue)
        if v in settled:
            continue
        settled[v] = far
        for edge in range(network.indptr[v], network.indptr[v + 1]):
            w = int(network.indices[edge])
            there = far + (1.0 if network.lengths is None else float(network.lengths[edge]))
            if there <= radius and there < best.get(w, np.inf):
                best[w] = there
                heapq.heappush(queue, (there, w))
    return settled
