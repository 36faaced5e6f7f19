"""Column generation for the set partitioning of records into groups: the linear bound, and all groups near it.

min sum of c_S y_S over groups S of k to 2k-1 records, each record in exactly one. The linear relaxation is solved over a
growing pool of groups (HiGHS, by scipy); for the duals pi of the records, the kernel finds the groups whose reduced cost
c_S - sum of pi_i is negative. For any pi, no partition loses less than sum of pi_i + n min(0, min over S of reduced cost
/ |S|): every bound is valid whenever the process is stopped.
"""

from __future__ import annotations

import copy
import time
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import space as kernels
from covey.errors import InputError
from covey.utils.extras import load
from covey.utils.solvers import linprog

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from scipy.sparse import csc_array

    from covey.core.partition import Partition
    from covey.utils.typing import Floats, Points

    Members = NDArray[np.uint32]
    Priced = list[tuple[int, Members, Floats]]

_MOST = 400_000  # groups of one size from one pricing
_MOST_RECORDS = 20_000


def pricing_of(points: Points) -> kernels.Pricing:
    """What finds the groups of some records whose reduced cost is small."""
    if len(points) > _MOST_RECORDS:
        msg = f"X has {len(points)} records; column generation holds all distances between them, for at most {_MOST_RECORDS}"
        raise InputError(msg)
    return kernels.Pricing(points)


class ColumnGeneration:
    """The linear relaxation, its pool of groups, the best duals and bound so far."""

    def __init__(self, points: Points, k: int, partition: Partition) -> None:
        self.points, self.k, self.n = points, k, len(points)
        self.pricing = pricing_of(points)
        self.groups: list[Members] = []
        self.costs: list[float] = []
        self._seen: set[bytes] = set()
        self.bound, self.duals = kernels.matching_duals(points, k)
        self.add(group.astype(np.uint32) for group in partition.groups())
        self.upper = sum(self.costs)
        self.scale = self.upper or 1.0  # what tolerances are relative to
        self.converged = self.upper == 0.0
        self.apart: tuple[tuple[int, int], ...] = ()  # pairs of records that share no group, and pairs that share one
        self.together: tuple[tuple[int, int], ...] = ()
        self.used: list[
            tuple[float, Members]
        ] = []  # the groups in the last solution of the relaxation, and how much of each

    def child(self, pair: tuple[int, int], *, together: bool) -> ColumnGeneration:
        """The same with a pair of records forced together or apart. The pool is shared."""
        node = copy.copy(self)
        node.together, node.apart = (*self.together, *[pair][:together]), (*self.apart, *[pair][together:])
        node.converged = False
        return node

    def add(self, groups: Iterable[Members]) -> int:
        """Take groups into the pool; how many were new."""
        fresh = []
        for group in groups:
            key = np.sort(group).tobytes()
            if key not in self._seen:
                self._seen.add(key)
                fresh.append(group)
        self.groups += fresh
        self.costs += [self._cost(group) for group in fresh]
        return len(fresh)

    def _cost(self, group: Members) -> float:
        members = self.points[group]
        return float(((members - members.mean(axis=0)) ** 2).sum())

    def price(self, duals: Floats, limit: float, deadline: float, *, smallest: bool = False) -> tuple[Priced, bool]:
        """For every size, or the smallest: the groups with a reduced cost below the limit, and these costs; and whether all."""
        priced: Priced = []
        complete = True
        for m in range(self.k, self.k + 1 if smallest else min(2 * self.k, self.n + 1)):
            seconds = max(0.0, deadline - time.monotonic())
            members, costs, all_of_them = self.pricing.price(
                duals, m, limit, _MOST, seconds, _flat(self.apart), _flat(self.together)
            )
            priced.append((m, members.reshape(-1, m), costs))
            complete &= all_of_them
        return priced, complete

    def run(self, deadline: float) -> None:
        """Generate columns until the bound meets the value of the relaxation, or time is up."""
        smoothing = 0.8
        while not self.converged and time.monotonic() < deadline:
            value, duals = self._solve(deadline)
            if duals is None:
                return
            if value - self.bound <= 1e-8 * self.scale or self.bound >= self.upper:
                self.converged = True
                return
            mixed = smoothing * self.duals + (1 - smoothing) * duals
            # Duals that hold for groups of k hold for larger ones; not so where some groups of k are forbidden.
            smallest = not self.apart and not self.together
            priced, complete = self.price(mixed, -1e-12 * self.scale, deadline, smallest=smallest)
            if complete:
                self._raise_bound(mixed, priced)
            added = self._add_best(priced, duals - mixed)
            if added == 0 and complete and smoothing == 0.0:
                self.converged = True  # nothing is missing: the bound is the value, up to rounding
                return
            if not complete:
                smoothing = min(0.95, smoothing + 0.05)
            else:
                smoothing = max(0.0, smoothing - (0.2 if added == 0 else 0.01))

    def _raise_bound(self, duals: Floats, priced: Priced) -> None:
        worst = min([0.0] + [float(costs.min()) / m for m, _, costs in priced if len(costs)])
        bound = float(duals.sum()) + self.n * worst - 1e-12 * self.n * self.scale / self.k
        if bound > self.bound:
            self.bound, self.duals = bound, duals + worst

    def _add_best(self, priced: Priced, change: Floats) -> int:
        """Add the groups that the relaxation wants most, no record in too many of them.

        They were priced at other duals: `change` leads to those of the relaxation.
        """
        ranked: list[tuple[float, Members]] = []
        for _, members, costs in priced:
            reduced = costs - change[members].sum(axis=1)
            good = np.flatnonzero(reduced < -1e-10 * self.scale)
            ranked += [(float(reduced[g]), members[g]) for g in good[np.argsort(reduced[good])[: 4 * self.n]]]
        ranked.sort(key=lambda pair: pair[0])
        uses = np.zeros(self.n, dtype=int)
        chosen = []
        for _, group in ranked:
            if uses[group].min() < 6:
                uses[group] += 1
                chosen.append(group)
        return self.add(chosen)

    def _solve(self, deadline: float) -> tuple[float, Floats | None]:
        """The value and the duals of the relaxation over the pool. A record that no group can take costs a lot."""
        unit, sparse = self.scale / self.n, load("scipy.sparse")
        member, costs = self.membership(), np.array(self.costs) / unit
        allowed = np.arange(len(costs))
        if self.apart or self.together:
            allowed = self._allowed(member)
            member = sparse.hstack([member[:, allowed], sparse.eye_array(self.n)])
            costs = np.append(costs[allowed], np.full(self.n, 2.0 * self.n))
        answer = linprog(
            costs,
            A_eq=member,
            b_eq=np.ones(self.n),
            seconds=deadline - time.monotonic(),
        )
        if answer.status != 0:
            return np.inf, None
        self.used = [(w, self.groups[g]) for w, g in zip(answer.x, allowed, strict=False) if w > 1e-9]
        return float(answer.fun) * unit, np.asarray(answer.eqlin.marginals) * unit

    def _allowed(self, member: csc_array) -> NDArray[np.intp]:
        """The groups of the pool that keep the pairs apart or together."""
        good = np.ones(len(self.groups), dtype=bool)
        rows = member.tocsr()
        for pairs, together in ((self.apart, False), (self.together, True)):
            for i, j in pairs:
                first, second = (rows[[record]].toarray()[0] > 0 for record in (i, j))
                good &= first == second if together else ~(first & second)
        return np.flatnonzero(good)

    def membership(self) -> csc_array:
        """One row a record, one column a group of the pool: who is in which."""
        sizes = np.array([len(group) for group in self.groups])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.concatenate(self.groups).astype(np.int32)
        return load("scipy.sparse").csc_array((np.ones(len(rows)), rows, starts), shape=(self.n, len(sizes)))


def _flat(pairs: tuple[tuple[int, int], ...]) -> NDArray[np.uint32]:
    return np.array(pairs, dtype=np.uint32).reshape(-1)
