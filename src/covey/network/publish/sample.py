"""Graphs drawn from a published network, for whoever needs a graph to compute on.

Made of the release alone, so they tell nothing that it does not. Every cluster gets its vertices; edges inside and between are as
many as published (of a suppressed count any number of its range), on pairs of vertices drawn at random. Clusters that are
published as connected get a random tree first. Degrees within a cluster are alike: hubs are lost. Where a release keeps degrees or
triangles, edges are then moved until the graph is near to them: see `covey.network.publish.shape`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.io.writing import Companions
from covey.network.formats import to_networkx
from covey.network.graph import Network, build
from covey.network.publish.files import Published, check_targets, write_all
from covey.network.publish.shape import shaped
from covey.network.publish.supergraph import edge_table, pairs_inside
from covey.utils.arrow import pa

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    from covey.utils.typing import Integers


class Sample(NamedTuple):
    """A sampled graph: `vertices` (with their cluster) and `edges` as Arrow tables, and as a `Network`."""

    vertices: Any
    edges: Any
    network: Network

    def to_networkx(self) -> nx.Graph[Any]:
        """The graph as networkx has it, each vertex with the cluster that it was drawn for."""
        return to_networkx(self.vertices, self.edges, directed=self.network.directed)

    def write(self, target: str | Path, *, force: bool = False, format: str | None = None) -> None:  # noqa: A002
        """Write it to a file by its suffix, or to two of tables, as a release is written: both or none."""
        directed = self.network.directed
        drawn = Published(Path(target), self.vertices, self.edges, lambda _vertices, _edges: None, directed=directed)
        check_targets([drawn.target], Companions(), format, force=force)
        write_all([drawn], lambda _staged, _seals: None, format, force=force)


def draw_sample(
    vertices: Any, edges: Any, prefix: str, seed: int, *, connected: bool, directed: bool = False
) -> Sample:
    """Draw a graph from published tables; the same for the same seed; O(n + m).

    >>> import pyarrow as pa
    >>> clusters = pa.table({"cluster": ["c1", "c2"], "size": [2, 3], "edges": [1, 2], "edges_low": [0, 0], "edges_high": [1, 3]})
    >>> links = pa.table({"source": ["c1"], "target": ["c2"], "edges": [3], "edges_low": [1], "edges_high": [5]})
    >>> draw_sample(clusters, links, "v", 0, connected=False).network
    <Network: 5 vertices, 6 edges of length 1>
    """
    rng = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))
    clusters = vertices["cluster"].to_pylist()
    sizes = np.array(vertices["size"].to_pylist(), dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)])
    place = {name: number for number, name in enumerate(clusters)}
    tails, heads = (
        np.array([place[name] for name in edges[end].to_pylist()], dtype=np.int64) for end in ("source", "target")
    )
    pairs = pairs_inside(sizes, directed=directed)
    trees = _trees(sizes, start, rng, directed=directed) if connected else np.zeros(0, dtype=np.int64)
    cell, rank = _placed(pairs, _counts(vertices, rng), trees, rng)
    within = _unranked_arcs(rank, sizes[cell]) if directed else _unranked(rank)
    inside = within + start[cell][:, None]
    cell, rank = _placed(sizes[tails] * sizes[heads], _counts(edges, rng), np.zeros(0, dtype=np.int64), rng)
    across = sizes[heads][cell]
    between = np.stack([start[tails][cell] + rank // across, start[heads][cell] + rank % across], axis=1)
    members = np.repeat(np.arange(len(sizes)), sizes)
    ends = shaped(np.concatenate([inside, between]), members, vertices, rng, connected=connected)
    names = [f"{prefix}{number + 1}" for number in range(int(start[-1]))]
    network = build(len(names), ends[:, 0], ends[:, 1], None, names, directed=directed)
    return Sample(*_tables(names, np.repeat(clusters, sizes), network), network)


def _counts(table: Any, rng: np.random.RandomState) -> Integers:
    """The published counts; of a suppressed one any number of its range."""
    low, high = (np.array(table[name].to_pylist(), dtype=np.int64) for name in ("edges_low", "edges_high"))
    drawn = low + (rng.random_sample(len(low)) * (high - low + 1)).astype(np.int64)
    told = table["edges"].to_pylist()
    return np.array(
        [other if value is None else value for value, other in zip(told, drawn.tolist(), strict=True)], dtype=np.int64
    )


def _trees(sizes: Integers, start: Integers, rng: np.random.RandomState, *, directed: bool) -> Integers:
    """A random tree in every cluster, as numbers of pairs: each vertex, in random order, is joined to an earlier one, either way."""
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((rng.random_sample(len(cluster)), cluster)) - start[cluster]
    step = np.arange(len(cluster)) - start[cluster]
    earlier = (rng.random_sample(len(cluster)) * step).astype(np.int64)
    later = step > 0
    new, old = order[later], order[(start[cluster] + earlier)[later]]
    if directed:
        away = rng.random_sample(len(new)) < 0.5
        tails, heads = np.where(away, new, old), np.where(away, old, new)
        ranks = tails * (sizes[cluster[later]] - 1) + heads - (heads > tails)
    else:
        ranks = _ranked(new, old)
    return np.asarray(_offsets(pairs_inside(sizes, directed=directed))[cluster[later]] + ranks)


def _offsets(pairs: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(pairs)])


def _placed(
    pairs: Integers, counts: Integers, taken: Integers, rng: np.random.RandomState
) -> tuple[Integers, Integers]:
    """So many different pairs of each cell, each set as likely, those that are taken among them: their cells and their ranks.

    Drawn again where they repeat: whatever way the pairs are numbered, the same is done, so no set is preferred. Cells of
    which most pairs are wanted are taken one by one.
    """
    offset = _offsets(pairs)
    dense = 2 * counts > pairs
    keys = taken
    while True:
        have = np.bincount(np.searchsorted(offset, keys, side="right") - 1, minlength=len(pairs))
        missing = np.where(dense, 0, counts - have)
        if not missing.any():
            break
        cell = np.repeat(np.arange(len(pairs)), missing)
        keys = np.unique(
            np.concatenate([keys, offset[cell] + (rng.random_sample(len(cell)) * pairs[cell]).astype(np.int64)])
        )
    more = [keys]
    for number in np.flatnonzero(dense).tolist():
        begin, end = int(offset[number]), int(offset[number + 1])
        first, last = np.searchsorted(keys, [begin, end])
        free = np.setdiff1d(np.arange(begin, end), keys[first:last], assume_unique=True)
        more.append(free[rng.permutation(len(free))[: counts[number] - have[number]]])
    keys = np.sort(np.concatenate(more))
    cells = np.searchsorted(offset, keys, side="right") - 1
    return cells, keys - offset[cells]


def _ranked(ends: Integers, other_ends: Integers) -> Integers:
    high, low = np.maximum(ends, other_ends), np.minimum(ends, other_ends)
    return np.asarray(high * (high - 1) // 2 + low)


def _unranked(rank: Integers) -> Integers:
    """The pairs low < high of which the rank is high (high - 1) / 2 + low."""
    high = ((1 + np.sqrt(8.0 * rank + 1)) // 2).astype(np.int64)
    high -= high * (high - 1) // 2 > rank
    high += (high + 1) * high // 2 <= rank
    return np.stack([rank - high * (high - 1) // 2, high], axis=1)


def _unranked_arcs(rank: Integers, sizes: Integers) -> Integers:
    """The ordered pairs of `sizes` vertices of which the rank is tail (size - 1) + head, heads counted without the tail."""
    tail, head = rank // (sizes - 1), rank % (sizes - 1)
    return np.stack([tail, head + (head >= tail)], axis=1)


def _tables(names: list[str], cluster: NDArray[Any], network: Network) -> tuple[Any, Any]:
    tails, heads, _ = network.links
    vertices = pa.table({"vertex": names, "cluster": pa.array(cluster, type=pa.string())})
    return vertices, edge_table(names, tails, heads)
