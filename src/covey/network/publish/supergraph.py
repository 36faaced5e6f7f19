"""The super-graph: one vertex for each cluster, with its size, and how many edges there are inside and between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.network.publish.rounding import SUPPRESSED, CountRule, Ranges
from covey.utils import randomness
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.core.partition import Partition
    from covey.network.graph import Network
    from covey.utils.typing import Integers, Labels

VERTEX_COLUMNS = ("cluster", "size", "edges", "edges_low", "edges_high", "density", "links")
_PREFIXES = ("c", "cluster", "group", "g", "part")


@dataclass(frozen=True, eq=False)
class SuperGraph:
    """The published tables: `vertices` (a cluster a row) and `edges` (a pair of linked clusters a row), Arrow both.

    `order` lists the clusters of the partition as they are published: it goes no further than the release is made.
    """

    vertices: Any
    edges: Any
    order: Integers


def supergraph(network: Network, partition: Partition, rule: CountRule, secret: str, *, connected: bool) -> SuperGraph:
    """Publish the clusters of a network in random order, counts by the rule; O(n + m log m).

    Everything beside the sizes is derived from the counts as they are published. Pairs of clusters whose count is published
    as none are left out: there may be up to `rule.unlisted` edges between them. Of a directed network arcs are counted, and
    the two directions between clusters are two pairs.

    >>> from covey import Partition
    >>> from covey.network.reading import as_network
    >>> from covey.network.publish.rounding import CountRule
    >>> path = as_network([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
    >>> made = supergraph(path, Partition([0, 0, 0, 1, 1, 1]), CountRule("exact"), "00" * 32, connected=False)
    >>> made.edges.to_pylist()[0]["edges"], made.vertices["size"].to_pylist()
    (1, [3, 3])
    """
    order = randomness.random_order(secret, len(partition))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    inside, low, high, between = count_edges(network, place[partition.labels], len(order))
    sizes = partition.sizes[order]
    ids = new_names(len(order), network.names, _PREFIXES)
    pairs = pairs_inside(sizes, directed=network.directed)
    floor = sizes - 1 if connected else np.zeros_like(sizes)
    ranges = rule.publish(inside, floor, pairs, randomness.uniform(secret, "inside", len(inside)))
    vertices = {"cluster": ids, "size": sizes} | _columns(ranges, pairs)
    pairs = sizes[low] * sizes[high]
    ranges = rule.publish(between, np.zeros_like(between), pairs, randomness.uniform(secret, "between", len(between)))
    listed = ranges.high > rule.unlisted
    found = {name: np.asarray(column)[listed] for name, column in _columns(ranges, pairs).items()}
    ends = {"source": [ids[i] for i in low[listed]], "target": [ids[i] for i in high[listed]]}
    return SuperGraph(_table(vertices), _table(ends | found), order)


def count_edges(network: Network, labels: Integers, clusters: int) -> tuple[Integers, Integers, Integers, Integers]:
    """The links inside each cluster; and for all pairs of linked clusters, ascending, both ends and the links between."""
    tails, heads, _ = network.links
    one, other = labels[tails].astype(np.int64), labels[heads].astype(np.int64)
    inside = np.bincount(one[one == other], minlength=clusters).astype(np.int64)
    if not network.directed:
        one, other = np.minimum(one, other), np.maximum(one, other)
    low, high = one[one != other], other[one != other]
    keys, counts = np.unique(low * clusters + high, return_counts=True)
    return inside, keys // clusters, keys % clusters, counts.astype(np.int64)


def pairs_inside(sizes: Integers, *, directed: bool) -> Integers:
    """How many links there can be inside clusters of these sizes."""
    return np.asarray(sizes * (sizes - 1) // (1 if directed else 2))


def _columns(ranges: Ranges, pairs: Integers) -> dict[str, Any]:
    """What is published of counts; nothing here sees the true ones."""
    shown = ranges.value != SUPPRESSED
    some = pairs > 0
    density = np.where(shown & some, ranges.value / np.maximum(pairs, 1), np.nan)
    links = np.where(some & (ranges.low == pairs), "all", np.where(some & (ranges.high == 0), "none", ""))
    return {
        "edges": np.where(shown, ranges.value, SUPPRESSED),
        "edges_low": ranges.low,
        "edges_high": ranges.high,
        "density": density,
        "links": links,
    }


def _table(columns: dict[str, Any]) -> Any:
    types = {"density": pa.float64(), "links": pa.string(), "cluster": pa.string()}
    types |= {"source": pa.string(), "target": pa.string()}
    arrays = {}
    for name, values in columns.items():
        missing = None
        if name in ("edges", "density"):
            missing = np.asarray(values) < 0 if name == "edges" else np.isnan(values)
        arrays[name] = pa.array(values, type=types.get(name, pa.int64()), mask=missing)
    return pa.table(arrays)


def edge_table(names: Sequence[str], tails: Integers | Labels, heads: Integers | Labels) -> Table:
    """Edges by the names of their ends."""
    ends = {"source": [names[v] for v in tails], "target": [names[v] for v in heads]}
    return pa.table(ends, schema=pa.schema({"source": pa.string(), "target": pa.string()}))


def new_names(number: int, taken: Sequence[Any], prefixes: Sequence[str]) -> list[str]:
    """New names: a prefix and 1, 2, ..., none of which is taken.

    >>> new_names(2, ["c1"], ("c", "g"))
    ['g1', 'g2']
    """
    used = {str(name).strip().casefold() for name in taken}
    for prefix in (*prefixes, *(f"{prefixes[0]}-{salt}-" for salt in range(len(used) + 1))):
        names = [f"{prefix}{place + 1}" for place in range(number)]
        if used.isdisjoint(names):
            return names
    raise AssertionError
