"""Who may be served by which centre: kinds of vertices, and clusters from how many of them each centre serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.network.methods.splitting import split
from covey.utils.extras import load

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Problem
    from covey.utils.typing import Integers, Labels

    Clusters = tuple[Labels, NDArray[np.int32]]

_MOST_DENSE = 4_000  # vertices: the matrix of all pairs
_MOST_PRODUCTS = 200_000_000


class Serving(NamedTuple):
    """Pairs of a kind of vertices and a centre that may serve it; all vertices of a kind have the same centres."""

    kinds: NDArray[np.int64]  # the kind of each vertex
    counts: NDArray[np.int64]  # how many vertices are of each kind
    centres: NDArray[np.int32]
    kind: NDArray[np.int64]  # of each pair: the kind,
    centre: NDArray[np.int64]  # and the position of the centre
    alone: NDArray[np.int64] | None = (
        None  # where a centre is a kind: that kind, if its cluster holds one of it at most, else -1
    )

    def counts_clusters(self, problem: Problem) -> bool:
        """Whether it matters how many clusters a centre has: where every size can be split, one will do."""
        return self.alone is not None or not problem.splits

    @property
    def most_in_cluster(self) -> NDArray[np.float64]:
        """Of each pair: how many vertices of the kind a cluster of the centre can hold."""
        counts = self.counts[self.kind].astype(np.float64)
        return counts if self.alone is None else np.where(self.alone[self.centre] == self.kind, 1.0, counts)

    def most(self, problem: Problem) -> NDArray[np.float64]:
        """How many clusters a centre can have."""
        if not self.counts_clusters(problem):
            return np.ones(len(self.centres))
        around = np.bincount(self.centre, weights=self.counts[self.kind], minlength=len(self.centres))
        return np.floor(around / problem.lower)


def every_pair(within: Balls) -> Serving:
    """Every vertex is a kind of its own, and a centre."""
    n = len(within.indptr) - 1
    every = np.arange(n)
    return Serving(
        every,
        np.ones(n, dtype=np.int64),
        every.astype(np.int32),
        within.indices.astype(np.int64),
        within.rows.astype(np.int64),
    )


def merged(within: Balls) -> Serving:
    """Only centres whose ball lies in no other's, and vertices with the same centres as one kind.

    Right for the question if there is a partition, for a larger ball serves all that a smaller one does; not for sums.
    """
    n = len(within.indptr) - 1
    centres = np.flatnonzero(maximal_balls(within))
    place = np.full(n, -1)
    place[centres] = np.arange(len(centres))
    kept = place[within.indices] >= 0
    rows, columns = within.rows[kept].astype(np.int64), place[within.indices[kept]]
    kinds, first = _same_rows(n, len(centres), rows, columns)
    pair = np.flatnonzero(first[kinds[rows]] == rows)
    return Serving(kinds, np.bincount(kinds), centres.astype(np.int32), kinds[rows[pair]], columns[pair])


def maximal_balls(within: Balls) -> NDArray[np.bool_]:
    """The balls that lie in no other; of equal ones the first. All, where finding out costs more than it saves."""
    n, sizes = len(within.indptr) - 1, np.diff(within.indptr)
    ones = np.ones(len(within.indices), dtype=np.float32)
    matrix = load("scipy.sparse").csr_array((ones, within.indices, within.indptr), shape=(n, n))
    if n <= _MOST_DENSE:
        dense = matrix.toarray()
        inside = dense @ dense.T == sizes[:, None]
        np.fill_diagonal(inside, val=False)
        equal = inside & inside.T
        beaten: NDArray[np.bool_] = (inside & ~equal).any(axis=1) | np.tril(equal, -1).any(axis=1)
        return ~beaten
    if int((sizes.astype(np.float64) ** 2).sum()) > _MOST_PRODUCTS:
        return np.ones(n, dtype=np.bool_)
    common = (matrix @ matrix.T).tocoo()
    row, column = common.coords
    inside = (common.data == sizes[row]) & (row != column)
    row, column = row[inside], column[inside]
    maximal = np.ones(n, dtype=np.bool_)
    maximal[row[(sizes[row] < sizes[column]) | (column < row)]] = False
    return maximal


def _same_rows(n: int, width: int, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> tuple[Any, Any]:
    """The kind of each row of a sparse matrix, and the first row of each kind: rows of equal sets are alike."""
    starts = np.searchsorted(rows, np.arange(n + 1))
    known: dict[bytes, int] = {}
    kinds = np.empty(n, dtype=np.int64)
    first: list[int] = []
    narrow = columns.astype(np.int32 if width < 2**31 else np.int64)
    for row in range(n):
        key = narrow[starts[row] : starts[row + 1]].tobytes()
        kinds[row] = known.setdefault(key, len(known))
        if len(first) < len(known):
            first.append(row)
    return kinds, np.array(first)


def by_greedy_cover(problem: Problem, serving: Serving) -> Clusters | None:
    """Clusters around few centres that together serve all, if each can have enough vertices; quick, and often right."""
    if not problem.splits:
        return None
    order = np.argsort(serving.centre, kind="stable")
    kinds = np.split(serving.kind[order], np.cumsum(np.bincount(serving.centre, minlength=len(serving.centres)))[:-1])
    by_kind = np.argsort(serving.kind, kind="stable")
    servers = np.split(
        serving.centre[by_kind], np.cumsum(np.bincount(serving.kind, minlength=len(serving.counts)))[:-1]
    )
    gain = np.bincount(serving.centre, weights=serving.counts[serving.kind], minlength=len(serving.centres))
    open_waiting = np.ones(len(serving.counts), dtype=np.bool_)
    plan = np.zeros(len(serving.centres), dtype=np.int64)
    while open_waiting.any():
        best = int(np.argmax(gain))
        plan[best] = 1
        for kind in kinds[best][open_waiting[kinds[best]]]:
            gain[servers[kind]] -= serving.counts[kind]
            open_waiting[kind] = False
    return assign(problem, serving, plan)


def assign(problem: Problem, serving: Serving, plan: NDArray[np.int64]) -> Clusters | None:
    """Clusters with `plan[c]` of them, or a number they can be split from, at centre c: a flow; None if there is none."""
    rest = problem.n - problem.lower * int(plan.sum())
    if rest < 0:
        return None
    used = plan[serving.centre] > 0
    served, by = serving.kind[used], serving.centre[used]
    centres, sink = len(serving.centres), len(serving.centres) + len(serving.counts) + 2
    network = _pipes(problem, serving, plan, rest, served, by)
    flow = load("scipy.sparse.csgraph").maximum_flow(network, sink - 2, sink)
    if flow.flow_value < problem.n:
        return None
    taken = flow.flow[by, centres + served]
    return clusters_of(problem, serving, served, by, np.asarray(taken).reshape(-1))


def _pipes(problem: Problem, serving: Serving, plan: Integers, rest: int, served: Integers, by: Integers) -> Any:
    """How much can flow: centres first, then kinds, the source, what goes to it beyond the least (`rest` in all), and the sink."""
    chosen = np.flatnonzero(plan)
    kinds, centres = len(serving.counts), len(serving.centres)
    spare = np.full(len(chosen), rest) if problem.splits else (problem.upper - problem.lower) * plan[chosen]
    source, more, sink = centres + kinds, centres + kinds + 1, centres + kinds + 2
    rows = [
        np.full(len(chosen), source),
        np.array([source]),
        np.full(len(chosen), more),
        by,
        centres + np.arange(kinds),
    ]
    columns = [chosen, np.array([more]), chosen, centres + served, np.full(kinds, sink)]
    values = [problem.lower * plan[chosen], np.array([rest]), spare, serving.counts[served], serving.counts]
    return load("scipy.sparse").csr_array(
        (np.concatenate(values).astype(np.int32), (np.concatenate(rows), np.concatenate(columns))),
        shape=(sink + 1, sink + 1),
    )


def clusters_of(
    problem: Problem, serving: Serving, kind: NDArray[np.int64], centre: NDArray[np.int64], taken: NDArray[Any]
) -> Clusters:
    """The vertices of each kind dealt out to the centres as `taken` says, and those of a centre cut into as many clusters as can be."""
    order = np.lexsort((centre, kind))
    by = np.repeat(centre[order], taken[order])
    vertices = np.argsort(serving.kinds, kind="stable")
    at = np.empty(problem.n, dtype=np.int64)
    at[vertices] = by
    positions, labels = np.unique(at, return_inverse=True)
    apart = None if serving.alone is None else serving.alone[at] == serving.kinds
    return split(problem, labels.astype(np.int32), serving.centres[positions], apart)
