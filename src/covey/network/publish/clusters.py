"""The clusters that a release publishes: whether they can be, and whether everyone may know that they are connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._kernels import network as kernels
from covey.core.partition import Partition
from covey.errors import OptionError, shown
from covey.network.graph import Network, build
from covey.network.methods.carving import Carving
from covey.network.methods.pipeline import Pipeline
from covey.network.methods.solution import NetworkSolution

if TYPE_CHECKING:
    Clusters = NetworkSolution | Partition


def clusters_to_publish(network: Network, solution: Clusters, lower: int, *, connected: bool) -> Partition:
    """The clusters of a solution, or an error that says why these cannot be published."""
    partition = solution.partition if isinstance(solution, NetworkSolution) else solution
    if not isinstance(partition, Partition):
        msg = f"solution is {shown(solution)}; needed: clusters, as a NetworkSolution that has some or a Partition"
        raise OptionError(msg)
    if len(partition.labels) != network.n:
        msg = f"the clusters are of {len(partition.labels)} vertices, and the network has {network.n}; needed: those of this network"
        raise OptionError(msg)
    if partition.smallest < lower:
        raise OptionError(f"the smallest cluster has {partition.smallest} vertices; needed: at least lower = {lower}")
    if connected and not _are_connected(network, partition):
        msg = "connected is True, and some of the clusters are not; needed: connected clusters, or connected=False"
        raise OptionError(msg)
    return partition


def known_connected(network: Network, partition: Partition, solution: Clusters, *, asked: bool, followed: bool) -> bool:
    """Whether everyone may know that all clusters are connected: it was asked for, or they are and the method makes them so.

    Carving grows connected clusters also where that is not asked for, and who knows the program knows when it carves; but not where
    distances `followed` directions.
    """
    return bool(asked) or (not followed and grown_connected(solution) and _are_connected(network, partition))


def grown_connected(solution: Clusters) -> bool:
    """Whether the clusters are of a method that grows connected ones, whatever is asked."""
    return isinstance(solution, NetworkSolution) and solution.found_by in (Carving.name, Pipeline.name)


def _are_connected(network: Network, partition: Partition) -> bool:
    tails, heads, _ = network.edges()
    same = partition.labels[tails] == partition.labels[heads]
    inner = build(network.n, tails[same], heads[same], None, network.names)
    return int(kernels.components(inner.indptr, inner.indices).max()) + 1 == len(partition)
