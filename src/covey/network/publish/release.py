"""Publish a network: cluster it, publish the clusters as a super-graph, recount what is published."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.errors import InfeasibleError, OptionError
from covey.ledger import look_up
from covey.network.formats import LoadedNetwork, load_network
from covey.network.methods.registry import microaggregate
from covey.network.publish.attributes import aggregated, as_kinds, from_table
from covey.network.publish.clusters import clusters_to_publish, known_connected
from covey.network.publish.describe import Draft, Settings, described, measured
from covey.network.publish.drawing import draw_sizes, draw_supergraph
from covey.network.publish.kept import check_keep, kept_columns, with_certain_links
from covey.network.publish.published import PublishedNetwork, as_secret
from covey.network.publish.recipe import NetworkRecipe, chosen
from covey.network.publish.recount import Claims, NetworkRecount, check_unnamed, recount
from covey.network.publish.rounding import CountRule, count_rule
from covey.network.publish.sample import Sample, draw_sample
from covey.network.publish.small_components import check_small_components, without_small_components
from covey.network.publish.supergraph import SuperGraph, new_names, supergraph
from covey.network.publish.trace import keyed_hash, trace_network
from covey.utils.arrays import as_count
from covey.utils.arrow import Array, Table, pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from covey.core.partition import Partition
    from covey.network.methods.solution import NetworkSolution
    from covey.network.publish.published import Columns
    from covey.utils.notes import Note
    from covey.utils.typing import Progress

OF_TWO = "lower is 2: in a cluster of two, each of the two knows which vertex is the other's; 3 or more is usual"


_QUESTION = ("upper", "distance", "connected", "objective", "follow_directions", "method", "time_limit")


class SmallClustersWarning(UserWarning):
    """lower = 2: whoever has found one of two vertices has found the other, too."""


@dataclass(frozen=True, eq=False, repr=False)
class NetworkRelease(PublishedNetwork):
    """A published network, recounted, with what there is to say about it. Holds nothing of the original.

    Made by `covey.network.release`.

    Attributes
    ----------
    vertices
        An Arrow table: a cluster a row.
    edges
        An Arrow table: a pair of linked clusters a row; `edges_low` to `edges_high` is what a count may be.
    certificate
        What was counted.
    report
        What was done and lost.
    trace, past
        What the ledger needs to enter this release, and what it says of earlier ones of the same network.
    lower
        At least so many vertices are in each cluster.
    rule
        How counts of edges are published.
    connected
        Whether the clusters are published as connected.
    prefix
        What the names of the vertices of sampled graphs begin with: no vertex of the original has such a name.
    recipe
        Every choice, the seed included: keep it where the original is kept.

    Examples
    --------
    >>> import covey.network
    >>> edges, _ = covey.datasets.load_contacts()
    >>> done = covey.network.release(edges, 5, method="carving", seed=1)
    >>> done.vertices.column_names[:2], min(done.vertices["size"].to_pylist()) >= 5
    (['cluster', 'size'], True)
    """

    lower: int
    rule: CountRule
    connected: bool
    prefix: str
    recipe: NetworkRecipe

    @property
    def claims(self) -> Claims:
        """What it must hold."""
        kept = tuple(self.recipe.keep)
        return Claims(self.lower, self.rule.kind, self.rule.unlisted + 1, self.connected, self.directed, kept)

    def recount(self, vertices: Columns, edges: Columns) -> NetworkRecount:
        return recount(vertices, edges, self.claims)

    def sample(self, seed: int = 0) -> Sample:
        """A graph with as many vertices and edges as published, edges placed at random: see `covey.network.publish.sample`."""
        how = {"connected": self.connected, "directed": self.directed}
        return draw_sample(self.vertices, self.edges, self.prefix, seed, **how)

    def write(self, target: str | Path, **options: Any) -> list[Note]:
        return super().write(target, sample=self.sample, **options)

    def draw(self) -> dict[str, str]:
        return {
            "The clusters and their links": draw_supergraph(self.vertices, self.edges),
            "Sizes": draw_sizes(self.report.sizes, self.report.sizes_of),
        }

    def __repr__(self) -> str:
        return (
            f"<NetworkRelease: {self.vertices.num_rows} clusters of at least {self.lower}, {self.edges.num_rows} links>"
        )


def release(
    graph: Any,
    lower: int | None = None,
    upper: int | None = None,
    distance: float | None = None,
    *,
    recipe: NetworkRecipe | None = None,
    connected: bool = False,
    objective: str = "radius",
    length: str | None = None,
    header: bool | None = None,
    directed: bool | None = None,
    follow_directions: bool = False,
    method: Any = "auto",
    time_limit: float | None = 60.0,
    options: Mapping[str, Any] | None = None,
    small_components: str = "error",
    solution: NetworkSolution | Partition | None = None,
    attributes: Any = None,
    vertex: str = "vertex",
    numeric: Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | Sequence[str] | None = None,
    unordered: Sequence[str] = (),
    counts: str = "round",
    base: int | None = None,
    threshold: int | None = None,
    keep: Sequence[str] = (),
    seed: int | None = None,
    measure: bool = False,
    name_vertices: bool = False,
    ledger: bool = True,
    refuse_overlap: bool = False,
    progress: Progress | None = None,
) -> NetworkRelease:
    """Publish a network: every vertex becomes one of at least `lower` of its cluster.

    Clusters by `covey.network.microaggregate`, which what stands from `upper` to `options` goes to, but for `header`; or takes clusters that
    are given. Publishes of each cluster its size, the edges inside and its attributes, and of pairs of
    clusters the edges between; counts are rounded. What is published is recounted by code that shares nothing with the rest.

    Parameters
    ----------
    graph
        What `covey.network.microaggregate` takes, or the path of a file: see `covey.network.formats`.
    recipe
        The choices of an earlier release, or of a file: see `NetworkRecipe`. What is given beside it, but for defaults, changes it.
    header
        Of a text file of edges: whether its first line names the columns. An error where it looks like an edge and nothing is said.
    directed
        Whether edges have directions: None, as the graph or file says; True, those of lists, tables and matrices, too; False: directions are
        dropped. With directions arcs are counted, from one cluster to another and back apart.
    options
        Further options of the method, such as {"seed": 3} for carving.
    small_components
        What to do with components of fewer than `lower` vertices, which no cluster can hold: "error", or "suppress" them.
    solution
        Clusters found earlier: a `NetworkSolution`, or a `Partition` of the vertices in the order of the network.
    attributes, vertex
        A table of attributes and its column that names the vertices. Without: those of the graph.
    numeric, ordered, unordered
        The attributes to publish: means, medians (with their categories from low to high) and modes. No others are published.
    counts, base, threshold
        "round" to multiples of `base` (3), "suppress" below `threshold` (3), or "exact": see `covey.network.publish.rounding`.
    keep
        What else is published of clusters, for samples that are more like the original: "degrees" of members inside, "triangles" that
        members are corners of: see `covey.network.publish.kept`. Not of directed networks.
    seed
        Decides the rounding and the order of clusters. None: drawn by the operating system. As secret as the original.
    measure
        Whether to measure what an attacker gains and an analyst loses, for the report.
    name_vertices
        Whether an error may name vertices.
    ledger, refuse_overlap
        Whether to look for earlier releases of the same network, and whether they are an error: as in `covey.release`.
    lower, upper, distance, connected, objective, length, follow_directions, method, time_limit
        As in `covey.network.microaggregate`.
    progress
        Called with what is being done.

    Returns
    -------
    NetworkRelease
        The clusters as a super-graph, its certificate and its report.

    Raises
    ------
    InfeasibleError
        There are no such clusters.
    RefusedError
        The recount falls short.

    Examples
    --------
    >>> import networkx
    >>> from covey import Partition
    >>> done = release(networkx.karate_club_graph(), 5, solution=Partition([v // 6 for v in range(30)] + [4] * 4), seed=1)
    >>> done
    <NetworkRelease: 5 clusters of at least 5, 7 links>
    """
    how = chosen(recipe, locals())
    least = _lower(how.lower)
    rule, kinds = (
        count_rule(how.counts, how.base, how.threshold, least),
        as_kinds(how.numeric, how.ordered, how.unordered),
    )
    secret = as_secret(how.seed)
    keep = check_keep(how.keep, directed=False)
    asked = _asked(how, solved=solution is not None)
    check_small_components(how.small_components, given=solution is not None)
    step = progress or (lambda _what: None)
    step("reading")
    loaded = _load(load_network(graph, how.length, how.header, how.directed), attributes, how.vertex)
    choices = {"lower": least, "rule": repr(rule), "kinds": repr(kinds), "small_components": how.small_components}
    choices |= {name: str(value) for name, value in asked.items()} | ({"keep": repr(keep)} if keep else {})
    trace = trace_network(loaded.network, choices, least, ledger=ledger)
    past = look_up(trace, refuse=refuse_overlap).warn()
    keyed, suppressed = keyed_hash(loaded.network, secret), False
    check_keep(keep, directed=loaded.network.directed)
    if how.small_components == "suppress":
        loaded, suppressed = without_small_components(loaded, least, follow=how.follow_directions)
    if solution is None:
        solution = _solve(loaded, least, asked, step, name_vertices=name_vertices)
    partition = clusters_to_publish(loaded.network, solution, least, connected=how.connected)
    followed = how.follow_directions
    linked = known_connected(loaded.network, partition, solution, asked=how.connected, followed=followed)
    step("publishing")
    asked |= {"length": how.length, "small_components": how.small_components}
    own = how.with_changes(lower=least, keep=keep, seed=int(secret, 16))
    settings = Settings(least, rule, kinds, linked, own, asked, keyed, suppressed, loaded.network.directed, keep)
    draft = _draft(loaded, solution, partition, settings, secret)
    counted = recount(draft.vertices.to_pydict(), draft.edges.to_pydict(), settings.claims)
    if measure:
        step("measuring")
    certificate, report = described(draft, settings, counted, measured(draft, settings) if measure else [])
    tables = draft.vertices, draft.edges
    return NetworkRelease(*tables, certificate, report, trace, past, least, rule, linked, draft.prefix, own)


def _asked(how: NetworkRecipe, *, solved: bool) -> dict[str, Any]:
    """What is asked of a method, with its options; beside clusters that are given, what would have no effect is an error."""
    asked = {name: getattr(how, name) for name in _QUESTION if name != "follow_directions" or how.follow_directions}
    twice = sorted((set(_QUESTION[:5]) | {"graph", "lower", "length", "directed"}) & set(how.options))
    if twice:
        raise OptionError(f"{', '.join(twice)} are no options of a method; needed: give them by their own names")
    if not solved:
        return {**asked, **how.options}
    usual = NetworkRecipe(lower=how.lower)
    idle = [name for name, value in asked.items() if name != "connected" and value != getattr(usual, name)]
    idle += list(how.options)
    if idle:
        raise OptionError(f"{', '.join(idle)} are given beside a solution, and have no effect on it; leave them out")
    return {"connected": how.connected, "solution": "given"}


def _draft(
    loaded: LoadedNetwork, solution: NetworkSolution | Partition, partition: Partition, settings: Settings, secret: str
) -> Draft:
    """What is published of the clusters; an error where a published value is the name of a vertex."""
    network = loaded.network
    clusters = supergraph(network, partition, settings.rule, secret, connected=settings.connected)
    kept = kept_columns(network, partition, settings.rule, settings.lower, settings.keep, secret)
    values, notes = aggregated(loaded.attributes, settings.kinds, partition, settings.lower)
    vertices = _with_columns(clusters, kept | values)
    if "degrees" in kept:
        vertices = with_certain_links(vertices)
    check_unnamed(_texts(vertices), network.names)
    prefix = new_names(network.n, network.names, ("v", "vertex", "node"))[0][:-1]
    return Draft(loaded, solution, vertices, clusters.edges, tuple(notes), prefix)


def _with_columns(clusters: SuperGraph, values: Mapping[str, Array]) -> Table:
    """The published clusters with their attributes, in the order in which they are published."""
    vertices: Table = clusters.vertices
    order = pa.array(clusters.order)
    for name, array in values.items():
        vertices = vertices.append_column(name, array.take(order))
    return vertices


def _lower(lower: Any) -> int:
    least = as_count(lower, "lower")
    if least < 2:
        msg = "lower is 1, which would publish every vertex by itself; needed: at least 2; 3 or more is usual"
        raise OptionError(msg)
    if least == 2:
        warnings.warn(OF_TWO, SmallClustersWarning, stacklevel=3)
    return least


def _load(loaded: LoadedNetwork, attributes: Any, vertex: str) -> LoadedNetwork:
    if attributes is None:
        return loaded
    columns, notes = from_table(loaded.network, attributes, vertex)
    return LoadedNetwork(loaded.network, columns, (*loaded.notes, *notes))


def _solve(
    loaded: LoadedNetwork, lower: int, asked: dict[str, Any], step: Progress, *, name_vertices: bool
) -> NetworkSolution:
    solution = microaggregate(loaded.network, lower, progress=step, **asked)
    if solution.partition is None:
        reason = solution.reason if name_vertices else solution.unnamed_reason
        if solution.status == "infeasible":
            msg = f"there are no such clusters: {reason}; choose a smaller lower, a larger upper or distance, or small_components='suppress'"
        else:
            msg = f"no clusters were found ({solution.status}): {reason or 'time was up'}; allow more time (time_limit), or method='carving'"
        raise InfeasibleError(msg)
    return solution


def _texts(vertices: Table) -> list[Any]:
    """All text that is published."""
    return [value for name in vertices.column_names if name != "links" for value in vertices[name].to_pylist()]
