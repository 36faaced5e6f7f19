"""Graphs drawn from a published network, for whoever needs a graph to compute on.

Made of the release alone, so they tell nothing that it does not. Every cluster gets its vertices; edges inside and between are as
many as published (of a suppressed count any number of its range), on pairs of vertices drawn at random. Clusters that are
published as connected get a random tree first. Degrees within a cluster are alike: hubs are lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.extras import load
from covey.network.graph import Network, build

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


class Sample(NamedTuple):
    """A sampled graph: `vertices` (with their cluster) and `edges` as Arrow tables, and as a `Network`."""

    vertices: Any
    edges: Any
    network: Network


def draw_sample(vertices: Any, edges: Any, prefix: str, seed: int, *, connected: bool) -> Sample:
    """Draw a graph from published tables; the same for the same seed; O(n + m).

    >>> import pyarrow as pa
    >>> clusters = pa.table({"cluster": ["c1", "c2"], "size": [2, 3], "edges": [1, 2], "edges_low": [0, 0], "edges_high": [1, 3]})
    >>> links = pa.table({"source": ["c1"], "target": ["c2"], "edges": [3], "edges_low": [1], "edges_high": [5]})
    >>> draw_sample(clusters, links, "v", 0, connected=False).network
    <Network: 5 vertices, 6 edges of length 1>
    """
    rng = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))
    sizes = np.array(vertices["size"].to_pylist(), dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)])
    place = {name: number for number, name in enumerate(vertices["cluster"].to_pylist())}
    found = [
        _inside(int(size), int(count), rng, connected=connected) + start[i]
        for i, (size, count) in enumerate(zip(sizes, _counts(vertices, rng), strict=True))
    ]
    for one, other, count in zip(
        edges["source"].to_pylist(), edges["target"].to_pylist(), _counts(edges, rng), strict=True
    ):
        i, j = place[one], place[other]
        pairs = _choose(int(sizes[i] * sizes[j]), int(count), rng)
        found.append(np.stack([start[i] + pairs // sizes[j], start[j] + pairs % sizes[j]], axis=1))
    ends = np.concatenate(found).astype(np.int64)
    names = [f"{prefix}{number + 1}" for number in range(int(start[-1]))]
    network = build(len(names), ends[:, 0], ends[:, 1], None, names)
    cluster = np.repeat(vertices["cluster"].to_pylist(), sizes)
    return Sample(*_tables(names, cluster, network), network)


def _counts(table: Any, rng: np.random.RandomState) -> list[int]:
    """The published counts; of a suppressed one any number of its range."""
    rows = zip(table["edges"].to_pylist(), table["edges_low"].to_pylist(), table["edges_high"].to_pylist(), strict=True)
    return [int(rng.randint(low, high + 1)) if value is None else value for value, low, high in rows]


def _inside(size: int, count: int, rng: np.random.RandomState, *, connected: bool) -> Integers:
    """So many pairs of the vertices 0 .. size-1, each once; a tree among them where the cluster is connected."""
    pairs = size * (size - 1) // 2
    if not connected:
        return _unranked(_choose(pairs, count, rng))
    order = rng.permutation(size)
    later = np.arange(1, size)
    earlier = (rng.random_sample(size - 1) * later).astype(np.int64)
    tree = _ranked(order[later], order[earlier])
    others = np.setdiff1d(np.arange(pairs), tree)
    return _unranked(np.concatenate([tree, others[_choose(len(others), count - len(tree), rng)]]))


def _choose(pairs: int, count: int, rng: np.random.RandomState) -> Integers:
    """So many different numbers below `pairs`, each set as likely: drawn again where they repeat, or left out where most are."""
    if 2 * count > pairs:
        return np.setdiff1d(np.arange(pairs), _choose(pairs, pairs - count, rng))
    chosen = np.zeros(0, dtype=np.int64)
    while len(chosen) < count:
        more = rng.randint(0, pairs, count - len(chosen), dtype=np.int64)
        both = np.concatenate([chosen, more])
        chosen = both[np.sort(np.unique(both, return_index=True)[1])]
    return chosen


def _ranked(one: Integers, other: Integers) -> Integers:
    high, low = np.maximum(one, other), np.minimum(one, other)
    return np.asarray(high * (high - 1) // 2 + low)


def _unranked(rank: Integers) -> Integers:
    """The pairs low < high of which the rank is high (high - 1) / 2 + low."""
    high = ((1 + np.sqrt(8.0 * rank + 1)) // 2).astype(np.int64)
    high -= high * (high - 1) // 2 > rank
    high += (high + 1) * high // 2 <= rank
    return np.stack([rank - high * (high - 1) // 2, high], axis=1)


def _tables(names: list[str], cluster: NDArray[Any], network: Network) -> tuple[Any, Any]:
    pa = load("pyarrow")
    tails, heads, _ = network.edges()
    vertices = pa.table({"vertex": names, "cluster": pa.array(cluster, type=pa.string())})
    ends = {"source": [names[v] for v in tails], "target": [names[v] for v in heads]}
    return vertices, pa.table(ends, schema=pa.schema({"source": pa.string(), "target": pa.string()}))
