"""What a release of a network is made of, and what is said of it: the certificate and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey._kernels import network as kernels
from covey.core.partition import Partition
from covey.errors import OptionError, shown
from covey.network.graph import Network, build
from covey.network.methods.solution import NetworkSolution
from covey.network.publish.certificate import NetworkCertificate, promise
from covey.network.publish.recount import Claims
from covey.network.publish.report import NetworkReport
from covey.network.publish.risk import supergraph_risk
from covey.network.publish.sample import draw_sample
from covey.network.publish.small_components import SUPPRESSED
from covey.network.publish.utility import compare
from covey.utils import randomness
from covey.utils.version import version

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.network.formats import LoadedNetwork
    from covey.network.publish.attributes import Kinds
    from covey.network.publish.recount import NetworkRecount
    from covey.network.publish.rounding import CountRule


LIMITS = (
    "An attacker who knows the clusters of two vertices knows how likely a link between them is: the edges of their clusters "
    "divided by the pairs. What all members of a cluster share is known of each. Who knows some links, the members "
    "of a cluster, or holds another release of the same network, may learn more. The measures hold for the attackers they name."
)


class Settings(NamedTuple):
    """Every choice that made a release."""

    lower: int
    rule: CountRule
    kinds: Kinds
    connected: bool
    seed: int
    asked: dict[str, Any]
    suppressed: bool = False
    """Whether vertices of small components are not published."""

    @property
    def claims(self) -> Claims:
        """What the release must hold."""
        return Claims(self.lower, self.rule.kind, self.rule.unlisted + 1, self.connected)


class Made(NamedTuple):
    """The original, its clusters, and what is published of them. Lives as long as a release is being made and no longer."""

    loaded: LoadedNetwork
    partition: Partition
    solution: NetworkSolution | Partition
    vertices: Any
    edges: Any
    notes: tuple[str, ...]
    prefix: str


def as_secret(seed: Any) -> str:
    """What a seed stands for; None: drawn by the operating system."""
    if seed is None:
        return randomness.draw()
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**256:
        msg = f"seed is {shown(seed)}; needed: None or a whole number from 0 to below 2^256"
        raise OptionError(msg)
    return randomness.from_seed(int(seed))


def check_clusters(network: Network, given: Any, lower: int, *, connected: bool) -> Partition:
    """The clusters to publish, or an error that says why these cannot be."""
    partition = given.partition if isinstance(given, NetworkSolution) else given
    if not isinstance(partition, Partition):
        msg = f"solution is {shown(given)}; needed: clusters, as a NetworkSolution that has some or a Partition"
        raise OptionError(msg)
    if len(partition.labels) != network.n:
        msg = f"the clusters are of {len(partition.labels)} vertices, and the network has {network.n}; needed: those of this network"
        raise OptionError(msg)
    if partition.smallest < lower:
        msg = f"the smallest cluster has {partition.smallest} vertices; needed: at least lower = {lower}"
        raise OptionError(msg)
    if connected and not _are_connected(network, partition):
        msg = "connected is True, and some of the clusters are not; needed: connected clusters, or connected=False"
        raise OptionError(msg)
    return partition


def known_connected(network: Network, partition: Partition, found: Any, *, asked: bool) -> bool:
    """Whether everyone may know that all clusters are connected: it was asked for, or they are and the method makes them so.

    Carving grows connected clusters also where that is not asked for, and who knows the program knows when it carves.
    """
    if asked or not isinstance(found, NetworkSolution):
        return bool(asked)
    return _carved(found) and _are_connected(network, partition)


def _carved(found: Any) -> bool:
    return isinstance(found, NetworkSolution) and "carving" in f"{found.method.name} {found.choice}"


def _are_connected(network: Network, partition: Partition) -> bool:
    tails, heads, _ = network.edges()
    same = partition.labels[tails] == partition.labels[heads]
    inner = build(network.n, tails[same], heads[same], None, network.names)
    return int(kernels.components(inner.indptr, inner.indices).max()) + 1 == len(partition)


def described(
    made: Made, settings: Settings, counted: NetworkRecount, *, measure: bool, progress: Callable[[str], Any]
) -> tuple[NetworkCertificate, NetworkReport]:
    """The certificate and the report of a release that was recounted."""
    public, private = _public(made, settings, counted), _private(made, settings)
    certificate = NetworkCertificate.of(
        {
            "promise": promise(counted.smallest),
            **public,
            "cluster_sizes": counted.sizes,
            "attributes": settings.kinds.told,
            "claims": settings.claims._asdict(),
        },
        private | {"notes": [*_notes(made), *made.notes]},
    )
    measures: list[dict[str, Any]] = []
    if measure:
        progress("measuring")
        drawn = draw_sample(made.vertices, made.edges, made.prefix, 0, connected=settings.connected)
        measures = supergraph_risk(made.loaded.network, made.vertices, made.edges, settings.lower)
        measures += compare(made.loaded.network, drawn.network)
    report = NetworkReport(
        title=f"A network in {counted.clusters} clusters of at least {counted.smallest}",
        covey=version(),
        promise=promise(counted.smallest),
        facts=public,
        private_facts=private,
        limits=LIMITS,
        sizes=counted.sizes,
        sizes_of="vertices in a cluster",
        attributes=settings.kinds.told,
        measures=measures,
        notes=[*_notes(made), *made.notes],
        public_notes=_public_notes(made, settings, counted),
    )
    return certificate, report


def _public(made: Made, settings: Settings, counted: NetworkRecount) -> dict[str, Any]:
    """Only what follows from what is published: neither edges in all nor distances, from which counts could be found."""
    rule = settings.rule
    return {
        "lower_asked": settings.lower,
        "smallest_cluster": counted.smallest,
        "clusters": counted.clusters,
        "vertices": counted.vertices,
        "linked_pairs_of_clusters": made.edges.num_rows,
        "clusters_are_connected": settings.connected,
        "counts": rule.told(connected=settings.connected),
        "pairs_of_clusters_not_listed": f"have 0 to {rule.unlisted} edges" if rule.unlisted else "have no edge",
        "rows_with_certain_links": counted.certain,
    }


def _private(made: Made, settings: Settings) -> dict[str, Any]:
    network, found = made.loaded.network, made.solution
    told: dict[str, Any] = {"edges": network.m, "seed": settings.seed}
    plain = (bool, int, float, str, type(None))
    told["asked"] = {key: value if isinstance(value, plain) else str(value) for key, value in settings.asked.items()}
    if isinstance(found, NetworkSolution):
        told |= {"status": found.status, "method": found.method.name, "radius": found.radius, "loss": found.loss}
        told |= {"bound": found.bound, "choice": found.choice, "clusters_above_upper": found.oversize}
    return told


def _notes(made: Made) -> list[str]:
    """What is said to the publisher only: it counts what was in the original."""
    return [*made.loaded.network.notes, *made.loaded.notes]


def _public_notes(made: Made, settings: Settings, counted: NetworkRecount) -> list[str]:
    network = made.loaded.network
    notes = []
    if settings.lower == 2:
        notes.append("the least cluster is one of 2: each of two who share it knows the other")
    if settings.suppressed:
        notes.append(SUPPRESSED)
    if network.loops or network.repeated:
        notes.append("edges from a vertex to itself and repeated edges were left out")
    if isinstance(made.solution, NetworkSolution) and made.solution.oversize:
        notes.append("some clusters are larger than was asked for")
    if _carved(made.solution) and not settings.connected:
        notes.append(
            "the clusters were carved, and most of them are connected: in small ones links are likelier than their counts say"
        )
    hidden = int(np.sum([table["edges"].null_count for table in (made.vertices, made.edges)]))
    if hidden:
        notes.append(f"{hidden} counts of edges are suppressed")
    if counted.certain:
        notes.append(
            f"in {counted.certain} rows the counts make links certain: all of them are there, or none (column links)"
        )
    if not settings.rule.unlisted:
        notes.append("counts are exact: between clusters that are not listed there is certainly no link")
    dropped = [name for name in made.loaded.attributes if name not in settings.kinds.names]
    if dropped:
        notes.append(f"{len(dropped)} attributes of the vertices are not published")
    return notes
