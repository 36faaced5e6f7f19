"""k-degree anonymity: a graph on as many vertices in which every number of neighbours is that of at least k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import InputError, OptionError, RefusedError
from covey.ledger import look_up
from covey.network.formats import load_network
from covey.network.publish.attacks import neighbourhood_classes
from covey.network.publish.certificate import NetworkCertificate, degree_promise
from covey.network.publish.degree.switches import realise
from covey.network.publish.degree.targets import degree_targets
from covey.network.publish.drawing import draw_graph, draw_sizes
from covey.network.publish.published import PublishedNetwork, as_secret
from covey.network.publish.recount import degree_anonymity
from covey.network.publish.report import NetworkReport
from covey.network.publish.risk import structure_risk
from covey.network.publish.supergraph import edge_table, new_names
from covey.network.publish.trace import trace_network
from covey.network.publish.utility import compare, edge_keys, overlap
from covey.utils import randomness
from covey.utils.arrays import as_count
from covey.utils.arrow import Table, pa
from covey.utils.notes import Note, NoteKind
from covey.utils.version import version

if TYPE_CHECKING:
    from covey.network.graph import Network
    from covey.network.publish.measure import NetworkMeasure
    from covey.network.publish.published import Columns
    from covey.utils.typing import Progress, Rows

LIMITS = (
    "Only the number of neighbours is protected. Whoever knows the degrees of a vertex's neighbours, some links, or a part of the "
    "network that was planted there, may recognise vertices: the measure `unique by neighbourhood` says how many. Attributes are not "
    "published."
)

NOT_PUBLISHED = Note(NoteKind.NETWORK, "attributes and lengths are not published", public=True)


@dataclass(frozen=True, eq=False, repr=False)
class DegreeRelease(PublishedNetwork):
    """A k-degree-anonymous graph, recounted, with what there is to say about it. Holds nothing of the original.

    `vertices` and `edges` are Arrow tables, with new names in random order.
    """

    k: int

    def recount(self, vertices: Columns, edges: Columns) -> int:
        return checked(vertices, edges, self.k)

    def draw(self) -> dict[str, str]:
        sizes = draw_sizes(self.report.sizes, self.report.sizes_of)
        return {"The published graph": draw_graph(self.vertices, self.edges), "Degrees": sizes}

    def __repr__(self) -> str:
        return f"<DegreeRelease: {self.vertices.num_rows} vertices, {self.edges.num_rows} edges, k = {self.k}>"


def degree_anonymous(
    graph: Any,
    k: int,
    *,
    header: bool | None = None,
    directed: bool | None = None,
    seed: int | None = None,
    measure: bool = False,
    ledger: bool = True,
    refuse_overlap: bool = False,
    progress: Progress | None = None,
) -> DegreeRelease:
    """A graph close to the given one in which nobody is one of fewer than k by the number of neighbours.

    The degrees are grouped with the least total change (exact, on the line), each group gets one degree, and edges are
    removed, added and switched until every vertex has that of its group (heuristic, few changes). Recounted on the published
    graph; an `InfeasibleError` where no graph was found. Attributes and lengths are not published.

    Source: the idea of Liu & Terzi, Towards identity anonymization on graphs; degrees may fall as well as rise here.

    Parameters
    ----------
    graph
        What `covey.network.microaggregate` takes, or the path of a file.
    k
        At least so many vertices share each number of neighbours.
    header, directed
        As in `covey.network.release`; a directed network is an error, unless directions are dropped.
    seed
        Decides which edges change and the order of vertices. None: drawn by the operating system.
    measure
        Whether to measure what an attacker gains and an analyst loses, for the report.
    ledger, refuse_overlap
        Whether to look for earlier releases of the same network, and whether they are an error: as in `covey.release`.
    progress
        Called with what is being done.

    Returns
    -------
    DegreeRelease
        The graph as Arrow tables with new names, its certificate and its report.

    Raises
    ------
    InfeasibleError
        No graph was found that has such degrees.

    Examples
    --------
    >>> import networkx
    >>> degree_anonymous(networkx.karate_club_graph(), 3, seed=1).k
    3
    """
    step = progress or (lambda _what: None)
    step("reading")
    loaded = load_network(graph, header=header, directed=directed)
    network = loaded.network
    if network.directed:
        msg = (
            "the network is directed, and this release protects the number of neighbours, without directions; needed: an undirected network; drop the "
            "directions (directed=False, --undirected), or publish clusters (covey.network.release)"
        )
        raise InputError(msg)
    least = as_count(k, "k", at_most=network.n)
    if least < 2:
        raise OptionError("k is 1, which would publish every degree; needed: at least 2; 3 or more is usual")
    secret = as_secret(seed)
    trace = trace_network(network, {"degrees of at least": least}, least, ledger=ledger)
    past = look_up(trace, refuse=refuse_overlap).warn()
    step("grouping degrees")
    targets = degree_targets(network.degrees, least)
    step("switching edges")
    after = realise(network, targets, np.random.RandomState(np.random.MT19937(int(secret, 16))))
    order = randomness.random_order(secret, network.n)
    vertices, edges = _tables(after, order, new_names(network.n, network.names, ("v", "vertex", "node")))
    step("recounting")
    achieved = checked(vertices.to_pydict(), edges.to_pydict(), least)
    measures: list[NetworkMeasure] = []
    if measure:
        step("measuring")
        measures = [overlap(network, after), *structure_risk(network, after, least), *compare(network, after)]
    private = {"edges_before": network.m, "seed": int(secret, 16), **_changed(network, after)}
    public = {"k_asked": least, "k_achieved": achieved, "vertices": after.n, "edges": after.m}
    notes = [_found(after, least), *network.notes, *loaded.notes]
    certificate, report = _described(public, private, _histogram(after), measures, notes)
    return DegreeRelease(vertices, edges, certificate, report, trace, past, least)


def _found(after: Network, k: int) -> Note:
    """How many vertices of the published graph somebody finds who knows more than the number of neighbours."""
    candidates = neighbourhood_classes(after)
    unique, few = int(np.count_nonzero(candidates == 1)), int(np.count_nonzero(candidates < k))
    text = (
        f"{unique} of {after.n} vertices are unique by the degrees of their neighbours, and {few} have fewer than {k} candidates: only the "
        "number of neighbours is protected"
    )
    return Note(NoteKind.EXPOSURE, text, public=True)


def _described(
    public: dict[str, int],
    private: dict[str, int],
    degrees: dict[int, int],
    measures: list[NetworkMeasure],
    notes: list[Note],
) -> tuple[NetworkCertificate, NetworkReport]:
    promise = degree_promise(public["k_achieved"])
    texts = {"notes": [note.text for note in notes]}
    certificate = NetworkCertificate.of({"promise": promise, **public}, {**private, **texts})
    report = NetworkReport(
        title=f"A graph with {public['k_achieved']} vertices or more of every degree",
        covey=version(),
        promise=promise,
        facts=public,
        private_facts=private,
        limits=LIMITS,
        sizes=degrees,
        sizes_of="neighbours of a vertex",
        attributes={},
        measures=measures,
        notes=[NOT_PUBLISHED, *notes],
    )
    return certificate, report


def checked(vertices: Columns, edges: Columns, k: int) -> int:
    """The k of published columns; refused if it is less than was asked for."""
    achieved = degree_anonymity(zip(edges["source"], edges["target"], strict=True), vertices["vertex"])
    if achieved < k:
        msg = f"the recount of the published graph failed: some degree has only {achieved} vertices, and k = {k} was asked; nothing was written"
        raise RefusedError(msg)
    return achieved


def _tables(network: Network, order: Rows, names: list[str]) -> tuple[Table, Table]:
    """The published tables: vertex `order[i]` of the network gets the i-th name."""
    place = np.empty(network.n, dtype=np.int64)
    place[order] = np.arange(network.n)
    tails, heads, _ = network.edges()
    one, other = np.minimum(place[tails], place[heads]), np.maximum(place[tails], place[heads])
    sort = np.lexsort((other, one))
    return pa.table({"vertex": pa.array(names, type=pa.string())}), edge_table(names, one[sort], other[sort])


def _changed(before: Network, after: Network) -> dict[str, int]:
    one, other = edge_keys(before), edge_keys(after)
    return {"edges_removed": len(np.setdiff1d(one, other)), "edges_added": len(np.setdiff1d(other, one))}


def _histogram(network: Network) -> dict[int, int]:
    counts = np.bincount(network.degrees)
    return {int(degree): int(counts[degree]) for degree in np.flatnonzero(counts)}
