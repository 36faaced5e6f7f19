"""How many vertices of a graph an attacker cannot tell apart, by what is known of a vertex: the models of the literature.

By degree: the number of neighbours. By the neighbours' degrees: how many neighbours each neighbour has. By the 1-neighbourhood: the
neighbours and the edges among them, as a drawing without names. Vertices of which the same is known are each other's candidates.

Of a directed network attackers know the directions, too: a degree is the number of arcs that come in and the number that go out, both at
once, and of each neighbour it is known whether an arc goes there, comes from there, or both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import InfeasibleError
from covey.network.formats import load_network
from covey.network.publish.kept import candidates_of
from covey.utils.arrays import as_count
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from covey.network.graph import Network
    from covey.utils.typing import Integers, Numbers

_MOST_PATHS = 100_000_000
"""Pairs of an edge and a neighbour of its end, all of which are looked at to find the edges among neighbours."""
_AT_A_TIME = 4_000_000
_ROUNDS = 12
_SUPERGRAPH = ("size", "edges_low", "edges_high")


class Exposure(NamedTuple):
    """What one attacker finds in a graph.

    Attributes
    ----------
    known
        What the attacker knows of a vertex: "degree", "neighbours' degrees" or "1-neighbourhood".
    unique
        The number of vertices with no candidate but themselves.
    below
        The number of vertices with fewer than k candidates.
    least
        The smallest number of candidates of a vertex.

    Examples
    --------
    >>> from covey.network import check
    >>> check([(1, 2), (2, 3)], 2)[0]
    Exposure(known='degree', unique=1, below=1, least=1)
    """

    known: str
    unique: int
    below: int
    least: int


def check(graph: Any, k: int, *, header: bool | None = None, directed: bool | None = None) -> list[Exposure]:
    """Count the candidates of every vertex for three attackers, on a graph as it is published.

    O(m + n log n) for degrees; for 1-neighbourhoods the sum of squared degrees, and an error where that is above 1e8. These are told
    apart by colour refinement of the neighbours and the edges among them: exact up to five neighbours (three in directed networks);
    vertices with more that it cannot tell apart count as candidates of each other. Source of the models: Hay et al. 2008; Zhou & Pei 2008.

    Parameters
    ----------
    graph
        What `covey.network.microaggregate` takes, or the path of a file. Of a super-graph that Covey published every vertex of a
        cluster has all others of it as candidates, whatever is known of its neighbours; where degrees are kept, those that are
        published with its degree, or those without any.
    k
        Fewer candidates than this are counted.
    header, directed
        As in `covey.network.release`. Of a directed network the numbers of arcs in and out are known together.

    Returns
    -------
    list of Exposure
        One for each attacker, from the one who knows least on.

    Examples
    --------
    >>> import networkx
    >>> [(found.known, found.unique) for found in check(networkx.karate_club_graph(), 3)]
    [('degree', 6), ("neighbours' degrees", 23), ('1-neighbourhood', 16)]
    """
    loaded = load_network(graph, header=header, directed=directed)
    network = loaded.network
    least = as_count(k, "k")
    if set(_SUPERGRAPH) <= set(loaded.attributes):
        candidates = candidates_of(loaded.attributes)
        return [_exposure(known, candidates, least) for known in CANDIDATES]
    return [_exposure(known, count(network), least) for known, count in CANDIDATES.items()]


def _exposure(known: str, candidates: Integers, k: int) -> Exposure:
    return Exposure(
        known, int(np.count_nonzero(candidates < 2)), int(np.count_nonzero(candidates < k)), int(candidates.min())
    )


def degree_classes(network: Network) -> Integers:
    """For each vertex how many have its degree, itself included; O(n); with directions as many arcs in and as many out, O(m + n log n)."""
    if network.directed:
        return _shared(_degree_numbers(network))
    return np.bincount(network.degrees)[network.degrees].astype(np.int64)


def neighbourhood_classes(network: Network) -> Integers:
    """For each vertex how many have neighbours of the same degrees; O(m + n log n).

    Neighbourhoods are compared by the sum of hashes of the degrees: two that differ look the same with probability 2^-64.

    >>> from covey.network.reading import as_network
    >>> neighbourhood_classes(as_network([(0, 1), (1, 2), (2, 3), (3, 4)])).tolist()
    [2, 2, 1, 2, 2]
    """
    beside = mixed(_degree_numbers(network)[network.indices] ^ mixed(_relations(network), 5))
    return _shared(_sums(beside, network.indptr))


def ego_classes(network: Network) -> Integers:
    """For each vertex how many have a 1-neighbourhood of the same shape, by colour refinement; the sum of squared degrees.

    Each neighbour begins with the same colour (with directions: one for each way that it is linked), and gets another from those of the
    neighbours that it is linked to, until no more colours appear. Shapes are compared by sums of hashes of colours.

    >>> from covey.network.reading import as_network
    >>> ego_classes(as_network([(0, 1), (1, 2), (2, 0), (2, 3)])).tolist()
    [2, 2, 1, 1]
    """
    beside, places, via = _edges_among_neighbours(network)
    relations = mixed(_relations(network), 5)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(beside, minlength=len(network.indices)))])
    colours = relations.copy()
    different = len(np.unique(colours))
    for _ in range(_ROUNDS):
        colours = mixed(colours) + mixed(_sums(mixed(mixed(colours, 1)[places] ^ relations[via]), indptr), 2)
        now = len(np.unique(colours))
        if now == different:
            break
        different = now
    return _shared(_sums(mixed(colours, 3), network.indptr) + mixed(network.degrees.astype(np.uint64), 4))


CANDIDATES: Mapping[str, Callable[[Network], Integers]] = {
    "degree": degree_classes,
    "neighbours' degrees": neighbourhood_classes,
    "1-neighbourhood": ego_classes,
}


def can_count_egos(network: Network) -> bool:
    """Whether 1-neighbourhoods are looked at in a time that is worth it."""
    degrees = network.degrees.astype(np.float64)
    return bool(degrees @ degrees <= _MOST_PATHS)


def _degree_numbers(network: Network) -> Numbers:
    """A number for the degree of every vertex; with directions for the arcs in and out together."""
    if network.arcs is None:
        return mixed(network.degrees.astype(np.uint64))
    out, into = (np.bincount(ends, minlength=network.n).astype(np.uint64) for ends in network.arcs[:2])
    return mixed(mixed(out) ^ mixed(into, 1))


def _relations(network: Network) -> Numbers:
    """How each vertex of a row is linked with the neighbour beside it: 1 by an arc there, 2 by one from there, 3 by both; 0 without directions."""
    if network.arcs is None:
        return np.zeros(len(network.indices), dtype=np.uint64)
    owner = np.repeat(np.arange(network.n, dtype=np.int64), network.degrees)
    arcs = network.arcs.tails.astype(np.int64) * network.n + network.arcs.heads
    there = np.isin(owner * network.n + network.indices, arcs)
    back = np.isin(network.indices.astype(np.int64) * network.n + owner, arcs)
    return there.astype(np.uint64) + np.uint64(2) * back.astype(np.uint64)


def _edges_among_neighbours(network: Network) -> tuple[Integers, Integers, Integers]:
    """Places in `indices`, of v beside u, of v beside w and of u beside w, for each edge u w among the neighbours of v; ascending."""
    if not can_count_egos(network):
        msg = f"the squares of the degrees sum to more than {_MOST_PATHS:.0e}, too many to look at all 1-neighbourhoods; needed: a network with smaller hubs"
        raise InfeasibleError(msg)
    n, degrees = network.n, network.degrees
    owner = np.repeat(np.arange(n, dtype=np.int64), degrees)
    key = owner * n + network.indices  # ascending
    steps = degrees[network.indices]
    ends = np.cumsum(steps)
    some: list[Integers] = []
    others: list[Integers] = []
    via: list[Integers] = []
    start = 0
    while start < len(key):
        stop = max(start + 1, int(np.searchsorted(ends, (ends[start - 1] if start else 0) + _AT_A_TIME)))
        arcs = np.repeat(np.arange(start, stop), steps[start:stop])
        within = np.arange(len(arcs)) - np.repeat(ends[start:stop] - steps[start:stop], steps[start:stop])
        within += ends[start] - steps[start]
        beyond = network.indptr[network.indices[arcs]] + within
        far = network.indices[beyond]
        wanted = owner[arcs] * n + far
        place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        there = key[place] == wanted
        some.append(arcs[there])
        others.append(place[there])
        via.append(beyond[there])
        start = stop
    none = [np.zeros(0, np.int64)]
    return np.concatenate(some or none), np.concatenate(others or none), np.concatenate(via or none)


def _sums(numbers: Numbers, indptr: Integers) -> Numbers:
    """The sum of each row, modulo 2^64."""
    sums = np.concatenate([[np.uint64(0)], np.cumsum(numbers, dtype=np.uint64)])
    return np.asarray(sums[indptr[1:]] - sums[indptr[:-1]])


def _shared(keys: Numbers) -> Integers:
    """For each key how many are the same."""
    _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(counts[which], dtype=np.int64)
