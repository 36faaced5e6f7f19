"""The least sum of distances to centres, for clusters that need not be connected: an integer program with few pairs.

Pairs of a vertex and a centre are variables; most of them are never used. The linear relaxation starts with the pairs within
the smallest radius and takes in those it would gain by. Lemma: let L be its value, a_v and b_c the dual values of "v is served"
and "c serves enough". A partition that uses a pair that was left out costs at least L + distance(v, c) - a_v - b_c. So pairs
for which that exceeds the best known partition stay out, and the integer program with the rest is exact. That holds because all
other limits are those of the whole program: how many clusters a centre may have is counted from all pairs, not from those in use.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.network.methods.carving import needed_sum
from covey.network.methods.distances import Balls, balls
from covey.network.methods.problem import Outcome, Reason
from covey.network.methods.program import Program, Whole
from covey.network.methods.search import TIME_IS_UP, search
from covey.network.methods.serving import clusters_of, every_pair
from covey.utils.extras import load
from covey.utils.solvers import linprog

if TYPE_CHECKING:
    from covey.network.methods.problem import Deadline, Problem
    from covey.network.methods.search import Decide
    from covey.utils.typing import Flags, Floats


_MOST_PAIRS = 16_000_000
_ROUNDING = 1e-6  # of HiGHS, which is absolute
_LARGE = 10_000  # whole distances above are not told apart by one
_STEPS = 1_000  # the smallest radius, in the unit of the programs


def least_sum(problem: Problem, decide: Decide, deadline: Deadline) -> Outcome:
    """The least sum of distances, none above the distance given if there is one. Exact unless time is up.

    `decide` finds the smallest radius first: with the pairs within it there is a partition. Beyond 4000 vertices only pairs
    within twice that radius are looked at, and the bound is a simple one.
    """
    start = search(problem, decide, deadline)
    if start.labels is None:
        return start if math.isinf(start.bound) else start._replace(bound=needed_sum(problem))
    return _Sum(problem, start, deadline).outcome()


class _Sum:
    """The search for the least sum: what is known so far."""

    def __init__(self, problem: Problem, start: Outcome, deadline: Deadline) -> None:
        far = math.inf if problem.distance is None else problem.distance
        self.problem, self.deadline = problem, deadline
        self.all_pairs = problem.n**2 <= _MOST_PAIRS
        self.pairs = balls(problem.network, far if self.all_pairs else min(far, 2 * start.radius))
        self.near = self.pairs.distances <= start.radius
        self.most = every_pair(self.pairs).most(problem)
        lengths = problem.network.lengths
        self.whole = lengths is None or (start.radius <= _LARGE and bool(np.all(lengths == np.floor(lengths))))
        self.unit = 1.0 if self.whole else start.radius / _STEPS or 1.0
        self.costs = self.pairs.distances / self.unit
        self.bound = needed_sum(problem)
        self.best, self.total = start, math.inf

    def outcome(self) -> Outcome:
        """Relax, solve with the pairs of the relaxation, then with all that could be better."""
        relaxed = self._relax()
        if relaxed is not None:
            used, value, reduced = relaxed
            proven = self._solve(used)
            worth = reduced <= self.total / self.unit - value - (1 - _ROUNDING if self.whole else 0.0)
            if proven and self.total > self.bound and (worth & ~used).any():
                proven = self._solve(used | worth)
            if proven and self.all_pairs:
                self.bound = self.total
        reason = Reason() if self.bound >= self.total else self._doubt()
        return self.best._replace(bound=min(self.bound, self.total), reason=reason)

    def _doubt(self) -> Reason:
        if self.deadline.passed:
            return TIME_IS_UP
        return Reason(
            "the solver ended without a proof" if self.all_pairs else "not all pairs of vertices were looked at"
        )

    def _relax(self) -> tuple[Flags, float, Floats] | None:
        """The pairs of the linear relaxation, its value, and what each pair costs after what the duals pay; None: not solved.

        The value allows for the rounding of the solver: every vertex has one pair, which might gain so little.
        """
        used = self.near.copy()
        while not self.deadline.passed:
            result = _linear(self.problem, self._program(used), self.deadline.left)
            if result.status != 0:
                return None
            n = self.problem.n
            enough = -result.ineqlin.marginals[:n]
            reduced = self.costs - result.eqlin.marginals[self.pairs.indices] - enough[self.pairs.rows]
            gaining = ~used & (reduced < -_ROUNDING)
            if not gaining.any():
                value = result.fun * (1 - _ROUNDING) - n * _ROUNDING
                if self.all_pairs:
                    self.bound = max(self.bound, math.ceil(value) if self.whole else value * self.unit)
                return used, value, reduced
            used |= gaining
        return None

    def _program(self, used: Flags) -> Program:
        kept = np.concatenate([[0], np.cumsum(used)])[self.pairs.indptr].astype(np.int64)
        serving = every_pair(Balls(kept, self.pairs.indices[used], self.pairs.distances[used]))
        return Program(self.problem, serving, costs=self.costs[used], most=self.most)

    def _solve(self, used: Flags) -> bool:
        """Keep the best with these pairs if it is better; whether there is none better with them."""
        program = self._program(used)
        solved = program.solve(self.deadline.left, Whole.ALL if self.whole else Whole.CLUSTERS)
        taken = None if solved.values is None else program.amounts(solved.values, math.inf)
        if taken is None:
            return False
        total = float(taken @ self.pairs.distances[used])
        if total < self.total:
            clusters = clusters_of(self.problem, program.serving, program.serving.kind, program.serving.centre, taken)
            self.best, self.total = Outcome(*clusters, 0.0), total
        return solved.is_optimal


def _linear(problem: Problem, program: Program, seconds: float) -> Any:
    """The linear relaxation. Rows: all are served; enough; and, where they limit, not too many, only open centres."""
    n, rows = problem.n, program.rows
    sparse = load("scipy.sparse")
    limited = np.flatnonzero(np.isfinite(rows.ub[2 * n :])) + 2 * n
    return linprog(
        program.costs,
        A_ub=sparse.vstack([-rows.A[n : 2 * n], rows.A[limited]], format="csr"),
        b_ub=np.concatenate([np.zeros(n), rows.ub[limited]]),
        A_eq=rows.A[:n],
        b_eq=rows.lb[:n],
        bounds=np.column_stack([np.zeros(len(program.costs)), program.most]),
        seconds=seconds,
    )
