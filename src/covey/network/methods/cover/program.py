"""The program of theorems 8 and 9: how many clusters each centre has, and how many vertices of each type they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.network.methods.cover.method import TimeIsUpError
from covey.utils.extras import load
from covey.utils.solvers import milp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.network.methods.cover.cover import Types
    from covey.network.methods.problem import Deadline, Labels, Problem

_OPTIMAL, _INFEASIBLE = 0, 2
_FRACTION = 1e-6


def serve(problem: Problem, types: Types, centres: Sequence[int], deadline: Deadline) -> Labels | None:
    """Clusters whose centres are of some of the types; None if there are none. Exact.

    Integer q[c]: the clusters with a centre of type c. x[t, c]: the vertices of type t in them, where t is near c. Together
    they hold lower q[c] to upper q[c] vertices. Where two of a type are too far apart, a centre of that type has at most
    itself: x[c, c] <= q[c]. Lemma: only the type of the centre matters, so clusters that share it need no types of their own; for
    fixed q the rest is a flow with whole bounds, whose vertices are whole.
    """
    if not centres:
        return None
    program = Program(problem, types, centres)
    found = program.solve(deadline)
    return None if found is None else program.labels(program.whole(found, deadline))


def is_possible(problem: Problem, types: Types, centres: Sequence[int], deadline: Deadline) -> bool:
    """Whether the program has a solution if clusters could be fractions: False proves that there is none."""
    return Program(problem, types, centres).solve(deadline, whole=False) is not None


class Program:
    """Variables: q of each centre, then x of each pair."""

    def __init__(self, problem: Problem, types: Types, centres: Sequence[int]) -> None:
        self.problem, self.types, self.centres = problem, types, list(centres)
        own = np.eye(len(types.members), dtype=bool)
        self.pairs = np.argwhere((types.near | own)[:, self.centres])  # (type, position among the centres)
        sparse = load("scipy.sparse")
        q, x = len(self.centres), len(self.pairs)
        column = q + np.arange(x)
        held = sparse.csr_array((np.ones(x), (self.pairs[:, 1], column)), shape=(q, q + x))
        diagonal = sparse.csr_array((np.ones(q), (np.arange(q), np.arange(q))), shape=(q, q + x))
        everyone = sparse.csr_array((np.ones(x), (self.pairs[:, 0], column)), shape=(len(types.members), q + x))
        lonely = self._lonely()
        only_self = sparse.csr_array(
            (np.ones(len(lonely)), (np.arange(len(lonely)), q + lonely)), shape=(len(lonely), q + x)
        )
        self.rows = sparse.vstack(
            [
                everyone,
                held - problem.lower * diagonal,
                problem.upper * diagonal - held,
                diagonal[self.pairs[lonely, 1]] - only_self,
            ]
        ).tocsr()
        counts = np.array(types.counts, dtype=float)
        rest = self.rows.shape[0] - len(counts)
        self.most = counts[self.pairs[:, 0]]  # said although it follows: HiGHS has been seen not to end without it
        self.low = np.concatenate([counts, np.zeros(rest)])
        self.high = np.concatenate([counts, np.full(rest, np.inf)])

    def _lonely(self) -> NDArray[np.intp]:
        """The pairs of a type with itself whose members are too far from each other."""
        types = self.pairs[:, 0]
        own = types == np.array(self.centres, dtype=np.intp)[self.pairs[:, 1]]
        return np.flatnonzero(own & ~self.types.near[types, types])

    def solve(self, deadline: Deadline, *, whole: bool = True) -> NDArray[np.float64] | None:
        """A solution whose q are whole, if asked for."""
        q, x = len(self.centres), len(self.pairs)
        most = np.full(q, float(self.problem.n // self.problem.lower))
        integrality = np.concatenate([np.full(q, float(whole)), np.zeros(x)])
        return self._solve(deadline, integrality, np.zeros(q + x), np.concatenate([most, self.most]))

    def whole(self, found: NDArray[np.float64], deadline: Deadline) -> NDArray[np.int64]:
        """The same q with whole x: the flow once more where HiGHS gave fractions of it."""
        q = len(self.centres)
        rounded = np.rint(found)
        if np.abs(found - rounded).max() > _FRACTION:
            low = np.concatenate([rounded[:q], np.zeros(len(self.pairs))])
            flow = self._solve(deadline, np.ones(len(found)), low, np.concatenate([rounded[:q], self.most]))
            assert flow is not None
            rounded = np.rint(flow)
        return rounded.astype(np.int64)

    def _solve(self, deadline: Deadline, integrality: Any, low: Any, high: Any) -> NDArray[np.float64] | None:
        if deadline.passed:
            raise TimeIsUpError
        optimize = load("scipy.optimize")
        found = milp(
            np.zeros(self.rows.shape[1]),
            constraints=optimize.LinearConstraint(self.rows, self.low, self.high),
            integrality=integrality,
            bounds=optimize.Bounds(low, high),
            seconds=deadline.left,
        )
        if found.status == _INFEASIBLE:
            return None
        if found.status != _OPTIMAL:
            raise TimeIsUpError
        values: NDArray[np.float64] = found.x
        return values

    def labels(self, found: NDArray[np.int64]) -> Labels:
        """Vertices for numbers of vertices."""
        clusters, amounts = np.split(found, [len(self.centres)])
        labels = np.empty(self.problem.n, dtype=np.int32)
        left = [members.tolist() for members in self.types.members]
        first = 0
        for position, centre in enumerate(self.centres):
            kinds = self.pairs[:, 0]
            mine = np.flatnonzero(self.pairs[:, 1] == position)
            mine = mine[np.argsort(kinds[mine] != centre, kind="stable")]  # its own type first: one to each cluster
            dealt = [left[kinds[pair]].pop() for pair in mine for _ in range(amounts[pair])]
            labels[dealt] = first + np.arange(len(dealt)) % max(1, clusters[position])
            first += int(clusters[position])
        return labels
