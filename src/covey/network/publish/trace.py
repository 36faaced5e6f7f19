"""A network as the ledger knows it: by its edges, by the neighbourhoods of its vertices, and by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.ledger import Trace, ledger_path, trace_of
from covey.utils.arrow import pa
from covey.utils.hashing import Sums, mixed, numbers_of
from covey.utils.sketch import TableSketches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.network.graph import Network
    from covey.utils.typing import Numbers

ROUNDS = 2
"""How far a neighbourhood reaches."""


def trace_network(network: Network, settings: Mapping[str, Any], k: int, *, ledger: bool) -> Trace | None:
    """A network and the settings of its release under the key of the ledger; None where that is switched off."""
    if not ledger or ledger_path() is None:
        return None
    names = pa.array([str(name) for name in network.names], pa.string())
    numbers, (tails, heads, _) = numbers_of(names), network.edges()
    ends = [numbers[tails], numbers[heads]]  # without directions: an earlier release may have had none
    edges, sketches = _edge_sums(network, numbers), TableSketches()
    sketches.add("records", ends)
    sketches.add("binned", [neighbourhoods(network)])
    sketches.add_units(names, numbers)
    return trace_of({"network": settings}, k, [edges], sketches, engine="network")


def keyed_hash(network: Network, secret: str) -> str:
    """The edges under the secret of a release, whatever their order: whoever has both can tell that it is this network."""
    numbers = numbers_of(pa.array([str(name) for name in network.names], pa.string()))
    return _edge_sums(network, numbers).hash(secret)


def _edge_sums(network: Network, numbers: Numbers) -> Sums:
    """The sums of the edges, or arcs, whose ends have these numbers: an edge is the same from both ends."""
    tails, heads, _ = network.links
    one, other = mixed(numbers[tails]), mixed(numbers[heads], 1 if network.directed else 0)
    edges = Sums()
    edges.add_numbers([one + other])
    return edges


def neighbourhoods(network: Network) -> Numbers:
    """A number for what is around every vertex, whatever vertices are called: its degree, those of its neighbours, and of theirs."""
    found = mixed(network.degrees.astype(np.uint64))
    for _ in range(ROUNDS):
        sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(found[network.indices], dtype=np.uint64)])
        found = mixed(found + mixed(sums[network.indptr[1:]] - sums[network.indptr[:-1]]))
    return found
