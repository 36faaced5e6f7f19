"""What the kernels compute, slow and obvious, on lists of edges."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.network.graph import Network

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

Edge = tuple[int, int]


class Csr(NamedTuple):
    """A graph as the kernels take it."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    lengths: NDArray[np.float64] | None

    @property
    def n(self) -> int:
        return len(self.indptr) - 1


def csr(n: int, edges: Iterable[Edge], lengths: Sequence[float] | None = None) -> Csr:
    both = {}
    for i, (a, b) in enumerate(edges):
        both[a, b] = both[b, a] = 1.0 if lengths is None else lengths[i]
    ordered = sorted(both)
    indptr = np.searchsorted([a for a, _ in ordered], np.arange(n + 1)).astype(np.int64)
    values = None if lengths is None else np.array([both[edge] for edge in ordered], dtype=np.float64)
    return Csr(indptr, np.array([b for _, b in ordered], dtype=np.int32), values)


def as_given(graph: Csr) -> Network:
    """The graph as a caller of the methods has it."""
    return Network(*graph, range(graph.n))


def neighbours(graph: Csr, v: int) -> list[int]:
    return [int(w) for w in graph.indices[graph.indptr[v] : graph.indptr[v + 1]]]


def all_distances(graph: Csr) -> NDArray[np.float64]:
    """Floyd and Warshall."""
    n = graph.n
    far = np.full((n, n), math.inf)
    np.fill_diagonal(far, 0.0)
    for v in range(n):
        for e in range(graph.indptr[v], graph.indptr[v + 1]):
            far[v, graph.indices[e]] = 1.0 if graph.lengths is None else graph.lengths[e]
    for middle in range(n):
        far = np.minimum(far, far[:, middle, None] + far[None, middle, :])
    return far


def pieces(graph: Csr, vertices: Iterable[int]) -> list[set[int]]:
    """The connected components of some vertices, by their first one."""
    left, found = sorted(vertices), []
    rest = set(left)
    for root in left:
        if root not in rest:
            continue
        piece, todo = {root}, [root]
        while todo:
            new = [w for w in neighbours(graph, todo.pop()) if w in rest and w not in piece]
            piece.update(new)
            todo += new
        rest -= piece
        found.append(piece)
    return found


def is_connected(graph: Csr, vertices: Iterable[int]) -> bool:
    return len(pieces(graph, vertices)) == 1


def blocks(graph: Csr, v: int, lower: int, upper: int) -> bool:
    """Whether v and the small pieces that are left without it are too many."""
    (own,) = (piece for piece in pieces(graph, range(graph.n)) if v in piece)
    return 1 + sum(len(piece) for piece in pieces(graph, own - {v}) if len(piece) < lower) > upper


def connected_partitions(graph: Csr, lower: int, upper: int) -> Iterator[list[frozenset[int]]]:
    """All partitions into connected clusters of `lower` to `upper`: the cluster of the first vertex left, then the rest."""

    def cut(left: frozenset[int]) -> Iterator[list[frozenset[int]]]:
        if not left:
            yield []
            return
        first, *others = sorted(left)
        for size in range(lower, min(upper, len(left)) + 1):
            for chosen in itertools.combinations(others, size - 1):
                cluster = frozenset((first, *chosen))
                if is_connected(graph, cluster):
                    yield from ([cluster, *rest] for rest in cut(left - cluster))

    return cut(frozenset(range(graph.n)))


def radius(far: NDArray[np.float64], cluster: Iterable[int]) -> float:
    """The smallest distance within which some vertex, of the cluster or not, has the whole cluster."""
    return float(far[:, sorted(cluster)].max(axis=1).min())


def small_graphs(n: int) -> Iterator[Csr]:
    """All graphs on n numbered vertices."""
    pairs = list(itertools.combinations(range(n), 2))
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        yield csr(n, [pair for pair, there in zip(pairs, chosen, strict=True) if there])


def random_graph(rng: np.random.Generator, n: int, m: int, lengths: str = "none") -> Csr:
    """Some m of all edges; lengths "none", "quarters" (whose sums are exact, 0 among them) or "any"."""
    pairs = list(itertools.combinations(range(n), 2))
    edges = [pairs[i] for i in sorted(rng.choice(len(pairs), size=min(m, len(pairs)), replace=False))]
    drawn = {"none": None, "quarters": rng.integers(0, 9, len(edges)) / 4, "any": rng.random(len(edges))}[lengths]
    return csr(n, edges, None if drawn is None else [float(value) for value in drawn])


def random_tree(rng: np.random.Generator, n: int, extra: int = 0) -> Csr:
    """Each vertex hangs on one before it, and some more edges."""
    edges = {(int(rng.integers(0, v)), v) for v in range(1, n)}
    while len(edges) < min(n - 1 + extra, n * (n - 1) // 2):
        a, b = sorted(int(v) for v in rng.choice(n, size=2, replace=False))
        edges.add((a, b))
    return csr(n, sorted(edges))
