"""What a release of a network is made of, and what is said of it: the certificate and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.network.methods.solution import NetworkSolution
from covey.network.publish.certificate import NetworkCertificate, facts_of_clusters, promise
from covey.network.publish.clusters import grown_connected
from covey.network.publish.recount import Claims, NetworkRecount
from covey.network.publish.report import NetworkReport
from covey.network.publish.risk import supergraph_risk
from covey.network.publish.sample import draw_sample
from covey.network.publish.small_components import SUPPRESSED
from covey.network.publish.utility import compare
from covey.utils.notes import Note, NoteKind
from covey.utils.version import version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.core.partition import Partition
    from covey.network.formats import LoadedNetwork
    from covey.network.publish.attributes import Kinds
    from covey.network.publish.measure import NetworkMeasure
    from covey.network.publish.recipe import NetworkRecipe
    from covey.network.publish.rounding import CountRule
    from covey.utils.arrow import Table

LIMITS = (
    "An attacker who knows the clusters of two vertices knows how likely a link between them is: the edges of their clusters "
    "divided by the pairs. What all members of a cluster share is known of each. Whoever knows some links or the members "
    "of a cluster, or holds another release of the same network, may learn more. The measures hold for the attackers they name."
)


class Settings(NamedTuple):
    """Every choice that made a release."""

    lower: int
    rule: CountRule
    kinds: Kinds
    connected: bool
    recipe: NetworkRecipe
    asked: dict[str, Any]
    keyed_hash: str
    suppressed: bool = False
    """Whether vertices of small components are not published."""
    directed: bool = False
    keep: tuple[str, ...] = ()

    @property
    def claims(self) -> Claims:
        """What the release must hold."""
        return Claims(self.lower, self.rule.kind, self.rule.unlisted + 1, self.connected, self.directed, self.keep)


class Draft(NamedTuple):
    """A release while it is made: the original, its clusters, and what is published of them."""

    loaded: LoadedNetwork
    solution: NetworkSolution | Partition
    vertices: Table
    edges: Table
    notes: tuple[Note, ...]
    prefix: str


def described(
    draft: Draft, settings: Settings, counted: NetworkRecount, measures: list[NetworkMeasure]
) -> tuple[NetworkCertificate, NetworkReport]:
    """The certificate and the report of a release that was recounted."""
    public = facts_of_clusters(settings.claims, counted, draft.edges.num_rows)
    private = _private_facts(draft, settings)
    notes = [*draft.loaded.network.notes, *draft.loaded.notes, *draft.notes]
    certificate = NetworkCertificate.of(
        {
            "promise": promise(counted.smallest),
            **public,
            "cluster_sizes": counted.sizes,
            "attributes": settings.kinds.aggregates,
            "claims": settings.claims._asdict(),
        },
        private
        | {
            "recipe": settings.recipe.as_dict(),
            "input": {"vertices": draft.loaded.network.n, "keyed_hash": settings.keyed_hash},
            "notes": [note.text for note in notes],
        },
    )
    report = NetworkReport(
        title=f"A network in {counted.clusters} clusters of at least {counted.smallest}",
        covey=version(),
        promise=promise(counted.smallest),
        facts=public,
        private_facts=private,
        limits=LIMITS,
        sizes=counted.sizes,
        sizes_of="vertices in a cluster",
        attributes=settings.kinds.aggregates,
        measures=measures,
        notes=[*_public_notes(draft, settings, counted), *notes],
    )
    return certificate, report


def measured(draft: Draft, settings: Settings) -> list[NetworkMeasure]:
    """What an attacker gains, and what an analyst loses who computes on a graph drawn from the release."""
    tables, how = (draft.vertices, draft.edges), {"connected": settings.connected, "directed": settings.directed}
    drawn = draw_sample(*tables, draft.prefix, 0, **how)
    risks = supergraph_risk(draft.loaded.network, *tables, settings.lower)
    return [*risks, *compare(draft.loaded.network, drawn.network)]


def _private_facts(draft: Draft, settings: Settings) -> dict[str, object]:
    plain = (bool, int, float, str, type(None))
    asked = {key: value if isinstance(value, plain) else str(value) for key, value in settings.asked.items()}
    links = len(draft.loaded.network.links.tails)
    facts: dict[str, object] = {"edges": links, "seed": settings.recipe.seed, "asked": asked}
    solution = draft.solution
    if isinstance(solution, NetworkSolution):
        facts |= {"status": solution.status, "method": solution.method.name}
        facts |= {"radius": solution.radius, "loss": solution.loss, "bound": solution.bound}
        facts |= {"choice": solution.choice, "clusters_above_upper": solution.oversize}
    return facts


def _public_notes(draft: Draft, settings: Settings, counted: NetworkRecount) -> Iterator[Note]:
    """What everyone may know."""
    if settings.lower == 2:
        text = "the smallest cluster has 2 vertices: each of the two knows which vertex is the other's"
        yield Note(NoteKind.K_IS_TWO, text, public=True)
    if settings.suppressed:
        yield SUPPRESSED
    for text in _public_texts(draft, settings, counted):
        yield Note(NoteKind.NETWORK, text, public=True)


def _public_texts(draft: Draft, settings: Settings, counted: NetworkRecount) -> Iterator[str]:
    network, solution = draft.loaded.network, draft.solution
    if network.loops or network.repeated:
        yield "edges from a vertex to itself and repeated edges were left out"
    if isinstance(solution, NetworkSolution) and solution.oversize:
        yield "some clusters are larger than was asked for"
    if grown_connected(solution) and not settings.connected and not settings.recipe.follow_directions:
        yield "the clusters were grown along edges, and most of them are connected: in small ones links are likelier than their counts say"
    if settings.directed:
        yield "edges have directions: counts are of those from one cluster to another, and inside a cluster of both directions"
    if settings.keep:
        yield f"{' and '.join(settings.keep)} of clusters are kept: with them a count of edges may be known better than its range says, in small clusters exactly"
    hidden = int(np.sum([table["edges"].null_count for table in (draft.vertices, draft.edges)]))
    if hidden:
        yield f"{hidden} counts of edges are suppressed"
    if counted.certain:
        yield f"in {counted.certain} rows the counts make links certain: all of them are there, or none (column links)"
    if not settings.rule.unlisted:
        yield "counts are exact: between clusters that are not listed there is certainly no link"
    dropped = [name for name in draft.loaded.attributes if name not in settings.kinds.names]
    if dropped:
        yield f"{len(dropped)} attributes of the vertices are not published"
