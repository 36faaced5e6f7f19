"""`Network`: vertices, edges and their lengths, as the kernels take them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import InputError
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_MOST_VERTICES = 2**31 - 1


class Links(NamedTuple):
    """Links by their ends, ascending, with their lengths: edges, each once from its smaller end, or arcs, which go from tail to head."""

    tails: NDArray[np.int32]
    heads: NDArray[np.int32]
    lengths: NDArray[np.float64] | None


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """A graph without loops and repeated edges, in compressed rows: a frozen value.

    The neighbours of v are `indices[indptr[v]:indptr[v + 1]]`, ascending; every edge is there from both its ends.
    `lengths` stands beside `indices`; None: every edge has length 1. `names` are what the caller calls the vertices; no
    message shows them unless asked to. `loops` and `repeated` count the edges of the input that were left out.

    Of a directed network `arcs` are the edges with their directions, and all else is the network without: two vertices are
    neighbours where an arc goes from one to the other, and the shorter arc is the length.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    lengths: NDArray[np.float64] | None
    names: Sequence[Any]
    loops: int = 0
    repeated: int = 0
    arcs: Links | None = None

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self.indptr) - 1

    @property
    def m(self) -> int:
        """The number of edges, whatever their directions."""
        return len(self.indices) // 2

    @property
    def directed(self) -> bool:
        """Whether edges have directions."""
        return self.arcs is not None

    @property
    def links(self) -> Links:
        """What is counted and published: the arcs of a directed network, else the edges."""
        return Links(*self.edges()) if self.arcs is None else self.arcs

    @property
    def degrees(self) -> NDArray[np.int64]:
        """The number of neighbours of every vertex."""
        return np.diff(self.indptr)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was left out of the input, to be said in every result."""
        texts = []
        if self.directed:
            texts.append("the network is directed; distances ignore directions unless they are told to follow them")
        if self.loops:
            texts.append(f"{self.loops} edges from a vertex to itself were left out")
        if self.repeated:
            texts.append(f"{self.repeated} repeated edges were left out; the shortest of each was kept")
        return tuple(Note(NoteKind.NETWORK, text) for text in texts)

    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64] | None]:
        """Every edge once, from its smaller end to its larger, ascending, with its length."""
        tail = np.repeat(np.arange(self.n, dtype=np.int32), self.degrees)
        once = tail < self.indices
        return tail[once], self.indices[once], None if self.lengths is None else self.lengths[once]

    def to_scipy(self) -> Any:
        """The matrix of the lengths; a length of 0 stays an explicit zero."""
        from covey.utils.extras import load

        values = np.ones(len(self.indices)) if self.lengths is None else self.lengths
        return load("scipy.sparse").csr_array((values, self.indices, self.indptr), shape=(self.n, self.n))

    def __repr__(self) -> str:
        lengths = "of length 1" if self.lengths is None else "with lengths"
        what = f"{self.m} edges" if self.arcs is None else f"{len(self.arcs.tails)} arcs"
        return f"<Network: {self.n} vertices, {what} {lengths}>"


def build(
    n: int,
    tails: NDArray[Any],
    heads: NDArray[Any],
    lengths: NDArray[np.float64] | None,
    names: Sequence[Any],
    *,
    directed: bool = False,
) -> Network:
    """A network from the ends of its edges, each given once or from both sides; O(m log m).

    Loops are left out. Of edges between the same two vertices the shortest is kept: the others shorten no distance and
    connect nothing else. What was left out is counted (an edge given once from each side is no repetition). `directed`: edges go from
    tail to head, and two that go opposite ways are two arcs.

    >>> build(3, np.array([0, 1, 1]), np.array([1, 2, 1]), None, "abc")
    <Network: 3 vertices, 2 edges of length 1>
    """
    check_size(n)
    low, high = np.minimum(tails, heads).astype(np.int64), np.maximum(tails, heads).astype(np.int64)
    proper = low != high
    loops = int(len(proper) - np.count_nonzero(proper))
    key = (low * n + high)[proper]
    forward = (tails < heads)[proper]
    if lengths is not None:
        check_lengths(lengths)
    kept, first = _shortest(key, None if lengths is None else lengths[proper])
    repeated = len(key) - len(kept) - _seen_from_both_sides(key, forward)
    low, high = kept // n, kept % n
    both = np.concatenate([low, high]), np.concatenate([high, low])
    order = np.argsort(both[0] * n + both[1], kind="stable")
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(both[0], minlength=n), out=indptr[1:])
    values = None if lengths is None else np.tile(lengths[proper][first], 2)[order].astype(np.float64)
    network = Network(indptr, both[1][order].astype(np.int32), values, names, loops, repeated)
    if not directed:
        return network
    arcs = _arcs(n, tails[proper], heads[proper], None if lengths is None else lengths[proper])
    return replace(network, arcs=arcs, repeated=len(key) - len(arcs.tails))


def _shortest(
    key: NDArray[np.int64], lengths: NDArray[np.float64] | None
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Every key once, ascending, and where it stands with the least length."""
    if lengths is None:
        return np.unique(key, return_index=True)
    order = np.lexsort((lengths, key))
    kept, first = np.unique(key[order], return_index=True)
    return kept, order[first]


def _arcs(n: int, tails: NDArray[Any], heads: NDArray[Any], lengths: NDArray[np.float64] | None) -> Links:
    """Every arc once, by its tail and its head, with the least of its lengths."""
    kept, first = _shortest(tails.astype(np.int64) * n + heads, lengths)
    return Links((kept // n).astype(np.int32), (kept % n).astype(np.int32), None if lengths is None else lengths[first])


def _seen_from_both_sides(key: NDArray[np.int64], forward: NDArray[np.bool_]) -> int:
    """How many edges came exactly once from each end: one edge, written twice."""
    edges, which = np.unique(key, return_inverse=True)
    there = np.bincount(which, weights=forward, minlength=len(edges))
    back = np.bincount(which, weights=~forward, minlength=len(edges))
    return int(np.count_nonzero((there == 1) & (back == 1)))


def check_size(n: int) -> None:
    """There is a vertex, and not too many."""
    if n == 0:
        raise InputError("the network has no vertices; needed: at least one")
    if n > _MOST_VERTICES:
        raise InputError(f"the network has {n} vertices; needed: at most {_MOST_VERTICES}")


def check_lengths(lengths: NDArray[np.float64]) -> None:
    """Every length is a number of at least 0."""
    bad = int(np.count_nonzero(~np.isfinite(lengths)))
    if bad:
        msg = f"{bad} of {len(lengths)} edges have a length that is missing or infinite; needed: a number for each; fill or drop those edges first"
        raise InputError(msg)
    with np.errstate(over="ignore"):
        total = float(np.sum(lengths) * max(len(lengths), 1))
    if not total < np.finfo(np.float64).max / 4:
        msg = "the lengths add up to more than a number can hold; needed: smaller ones; divide all of them by the same number"
        raise InputError(msg)
    negative = int(np.count_nonzero(lengths < 0))
    if negative:
        msg = f"{negative} of {len(lengths)} edges have a negative length; needed: at least 0; a distance cannot be negative"
        raise InputError(msg)
