"""The set partitioning of records into groups from a list, as an integer program that is made small before it is solved.

The linear relaxation is raised by subset-row cuts: of three records at most one group of a partition holds two or more. Groups whose
reduced cost is more than what is left between the relaxation and the best partition known are in no better one and are left out;
that is repeated while cuts are broken. HiGHS solves what remains.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.utils.extras import load
from covey.utils.solvers import linprog, milp

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csc_array, csr_array

    from covey.utils.typing import Floats, Points

    Members = NDArray[np.uint32]
    Three = tuple[int, int, int]

TOLERANCE = 1e-7  # of the loss: what "optimal" means to the solver
_SLACK = 1e-9  # of the loss
_LEAST_BROKEN = 0.02
_MOST_CUTS = 400  # in a round
_ROUNDS = 40


class Answer(NamedTuple):
    """What came of a program.

    The groups of a better partition, if there is one; no partition loses less than `bound`; whether the better one, or the one that was
    known, is proven the best.
    """

    groups: list[Members] | None
    bound: float
    proven: bool


class SetProgram:
    """Groups of some points. A partition that loses less than `upper` must be made of these alone."""

    def __init__(self, groups: list[Members], points: Points, upper: float) -> None:
        self.groups, self.n, self.upper, self.bound = groups, len(points), upper, 0.0
        self._unit = upper / self.n  # of the solver
        self._costs = (
            np.array([((points[group] - points[group].mean(axis=0)) ** 2).sum() for group in groups]) / self._unit
        )
        self._cuts: dict[Three, None] = {}  # in the order in which they were found
        self._member = membership(groups, self.n)

    def solve(self, deadline: float) -> Answer:
        """A better partition, or the proof that there is none, as far as it comes until then."""
        if self._tighten(deadline):
            return Answer(None, self.upper, proven=True)
        optimize = load("scipy.optimize")
        constraints = [optimize.LinearConstraint(self._member, np.ones(self.n), np.ones(self.n))]
        if self._cuts:
            rows = self._cut_rows()
            constraints.append(optimize.LinearConstraint(rows, np.full(rows.shape[0], -np.inf), np.ones(rows.shape[0])))
        answer = milp(
            self._costs,
            integrality=np.ones(len(self._costs)),
            bounds=optimize.Bounds(0.0, 1.0),
            constraints=constraints,
            seconds=deadline - time.monotonic(),
            options={"mip_rel_gap": 0.0},
        )
        if answer.mip_dual_bound is not None:
            self._raise(answer.mip_dual_bound)
        if answer.x is None:
            return Answer(None, self.bound, proven=False)
        chosen = np.flatnonzero(answer.x > 0.5)
        loss = float(self._costs[chosen].sum())
        proven = answer.status == 0 and answer.mip_dual_bound >= loss * (1 - TOLERANCE)
        better = loss * self._unit < self.upper
        return Answer([self.groups[g] for g in chosen] if better else None, self.bound, proven)

    def _raise(self, value: float) -> None:
        """A partition with a group that is not in the list loses `upper` or more."""
        self.bound = max(self.bound, min(self.upper, value * self._unit) * (1 - _SLACK))

    def _tighten(self, deadline: float) -> bool:
        """Adds cuts and leaves groups out as long as that helps; whether nothing is left to be found."""
        for _ in range(_ROUNDS):
            rows = self._cut_rows()
            answer = linprog(
                self._costs,
                A_eq=self._member,
                b_eq=np.ones(self.n),
                **({"A_ub": rows, "b_ub": np.ones(rows.shape[0])} if self._cuts else {}),
                seconds=deadline - time.monotonic(),
            )
            if answer.status != 0:
                return False
            self._raise(answer.fun)
            room = self.n - answer.fun  # `upper` is n units
            if room <= _SLACK * self.n:
                return True
            reduced = self._costs - self._member.T @ answer.eqlin.marginals
            if self._cuts:
                reduced = reduced - rows.T @ answer.ineqlin.marginals
            broken = self._broken(answer.x)
            self._keep(np.flatnonzero(reduced <= room + _SLACK * self.n))
            if not broken:
                return False
            self._cuts |= dict.fromkeys(broken)
        return False

    def _keep(self, some: NDArray[np.intp]) -> None:
        self.groups = [self.groups[g] for g in some]
        self._costs, self._member = self._costs[some], self._member[:, some]

    def _cut_rows(self) -> csr_array:
        return paying(np.array([*self._cuts], dtype=np.int64).reshape(-1, 3), self._member)

    def _broken(self, share: Floats) -> list[Three]:
        """The threes whose groups add up to more than 1, the worst first."""
        pair: defaultdict[int, dict[int, float]] = defaultdict(dict)
        whole: defaultdict[Three, float] = defaultdict(float)
        for g in np.flatnonzero((share > 1e-6) & (share < 1 - 1e-6)):
            members = sorted(self.groups[g].tolist())
            for i, j in itertools.combinations(members, 2):
                pair[i][j] = pair[i].get(j, 0.0) + share[g]
            for three in itertools.combinations(members, 3):
                whole[three] += share[g]
        worst = []
        for i, others in pair.items():
            for j, k in itertools.combinations(sorted(others), 2):
                if k in pair.get(j, {}):
                    by = others[j] + others[k] + pair[j][k] - 2 * whole.get((i, j, k), 0.0) - 1.0
                    if by > _LEAST_BROKEN and (i, j, k) not in self._cuts:
                        worst.append((-by, (i, j, k)))
        return [three for _, three in sorted(worst)[:_MOST_CUTS]]


def membership(groups: list[Members], n: int) -> csc_array:
    """One row a record, one column a group: who is in which."""
    starts = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
    rows = np.concatenate(groups).astype(np.int64)
    return load("scipy.sparse").csc_array((np.ones(len(rows)), rows, starts), shape=(n, len(groups)))


def paying(cuts: NDArray[np.integer], member: csc_array) -> csr_array:
    """One row a cut, one column a group: which of them hold two or more of its three records."""
    starts = np.arange(len(cuts) + 1) * 3
    three = load("scipy.sparse").csr_array(
        (np.ones(cuts.size), cuts.ravel(), starts), shape=(len(cuts), member.shape[0])
    )
    shared = three @ member
    shared.data = (shared.data >= 2).astype(np.float64)
    shared.eliminate_zeros()
    return shared
