"""Distances along the edges: who is near whom, and how far every vertex is from its centre."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey._kernels import network as kernels
from covey.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.graph import Network

_MOST_PAIRS = 100_000_000


class TooManyPairsError(InputError):
    """So many vertices are near each other that the pairs would not fit into the memory."""


class Balls(NamedTuple):
    """All pairs of vertices within some distance, in compressed rows: symmetric, each vertex in its own row, ascending."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    distances: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.int32]:
        """The vertex whose ball each pair belongs to."""
        return np.repeat(np.arange(len(self.indptr) - 1, dtype=np.int32), np.diff(self.indptr))

    def within(self, radius: float) -> Balls:
        """The smaller balls."""
        kept = self.distances <= radius
        indptr = np.concatenate([[0], np.cumsum(kept)])[self.indptr].astype(np.int64)
        return Balls(indptr, self.indices[kept], self.distances[kept])


def balls(network: Network, radius: float) -> Balls:
    """The vertices within `radius` of each. Breadth first, or Dijkstra where edges have lengths.

    >>> from covey.network.reading import as_network
    >>> balls(as_network([(0, 1), (1, 2)]), 1).indices.tolist()
    [0, 1, 0, 1, 2, 1, 2]
    """
    rows = kernels.balls(network.indptr, network.indices, network.lengths, radius, _MOST_PAIRS)
    if rows is None:
        msg = (
            f"more than {_MOST_PAIRS:.0e} pairs of the {network.n} vertices are within the distance {radius:g}; needed: a "
            "smaller network or distance, or method='carving'"
        )
        raise TooManyPairsError(msg)
    return Balls(*rows)


def to_centres(network: Network, labels: NDArray[np.int32], centres: NDArray[np.int32]) -> NDArray[np.float64]:
    """How far every vertex is from the centre of its cluster: one search for each different centre."""
    distances = np.empty(network.n)
    order = np.argsort(labels, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(labels, minlength=len(centres)))[:-1])
    for centre in np.unique(centres):
        far = kernels.distances_from(network.indptr, network.indices, network.lengths, int(centre))
        for cluster in np.flatnonzero(centres == centre):
            distances[groups[cluster]] = far[groups[cluster]]
    return distances


def best_centres(within: Balls, labels: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """For each cluster the vertex, of any cluster, with the smallest radius, then sum, then number; and that radius.

    -1 and infinity where no vertex has the whole cluster in its ball. O(p log p) for p pairs.
    """
    clusters = int(labels.max()) + 1
    key = labels[within.indices].astype(np.int64) * len(labels) + within.rows
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    cluster, centre = np.divmod(key[order][starts], len(labels))
    whole = np.diff(starts, append=len(key)) == np.bincount(labels)[cluster]
    far = np.maximum.reduceat(within.distances[order], starts)
    total = np.add.reduceat(within.distances[order], starts)
    ranked = np.lexsort((centre, total, far, ~whole, cluster))
    first = ranked[np.unique(cluster[ranked], return_index=True)[1]]
    centres, radii = np.full(clusters, -1, dtype=np.int32), np.full(clusters, np.inf)
    good = first[whole[first]]
    centres[cluster[good]], radii[cluster[good]] = centre[good], far[good]
    return centres, radii
