"""Distances that follow the directions of a network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import network as kernels
from covey.errors import InfeasibleError, OptionError
from covey.network.graph import Network, build

if TYPE_CHECKING:
    from covey.utils.typing import Floats

_MOST_VERTICES = 2000


def round_trips(network: Network) -> Network:
    """The undirected network in which any two vertices are as far apart as the longer of the ways there and back along arcs.

    Two vertices are linked where there are both ways. The longer way obeys the triangle inequality, as both ways do: so no path of
    this network is shorter than its edge, and its distances are those round trips. O(n m log n).

    >>> from covey.network.reading import as_network
    >>> ring = as_network([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")], directed=True)
    >>> round_trips(ring).to_scipy().toarray().tolist()[0]
    [0.0, 2.0, 2.0, 0.0]
    """
    if network.arcs is None:
        msg = "follow_directions is given, and the network has no directions; needed: a directed network, or directed=True for a list of edges"
        raise OptionError(msg)
    if network.n > _MOST_VERTICES:
        msg = f"the network has {network.n} vertices; needed: at most {_MOST_VERTICES} for distances that follow directions; leave follow_directions out"
        raise InfeasibleError(msg)
    ways = _ways(network)
    longer = np.maximum(ways, ways.T)
    tails, heads = np.nonzero(np.triu(np.isfinite(longer), 1))
    trips = build(network.n, tails, heads, longer[tails, heads], network.names)
    return replace(trips, loops=network.loops, repeated=network.repeated)


def _ways(network: Network) -> Floats:
    """The distance from every vertex, a row, to every other along arcs; infinity where there is no way."""
    tails, heads, lengths = network.links
    indptr = np.zeros(network.n + 1, dtype=np.int64)
    np.cumsum(np.bincount(tails, minlength=network.n), out=indptr[1:])
    rows = [kernels.distances_from(indptr, heads, lengths, source) for source in range(network.n)]
    return np.array(rows, dtype=np.float64)
