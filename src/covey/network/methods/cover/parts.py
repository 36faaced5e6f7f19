"""The branches of theorem 7: every way to cut the cover into parts, one to a cluster, and a program for each."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.network.methods.cover.method import TimeIsUpError
from covey.utils.extras import load
from covey.utils.solvers import milp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from covey.network.methods.cover.cover import Types
    from covey.network.methods.problem import Deadline, Problem
    from covey.utils.typing import Labels

    Part = tuple[int, ...]

_OPTIMAL, _INFEASIBLE = 0, 2


def by_parts(problem: Problem, types: Types, deadline: Deadline) -> Labels | None:
    """Connected clusters; None if there are none. Exact: at most Bell(vc) programs.

    Lemma: a connected cluster of two vertices or more holds an end of an edge in the cover, so the clusters cut the cover into
    parts; with lower = 1 every vertex alone is a solution.
    """
    if problem.lower == 1:
        return np.arange(problem.n, dtype=np.int32)
    serves = types.near | np.eye(len(types.members), dtype=bool)
    fewest, most = math.ceil(problem.n / problem.upper), problem.n // problem.lower
    for parts in _cuts(types.cover, serves, problem.upper, most):
        if deadline.passed:
            raise TimeIsUpError
        if len(parts) >= fewest:
            labels = _Branch(problem, types, serves, parts).solve(deadline)
            if labels is not None:
                return labels
    return None


def _cuts(cover: int, serves: NDArray[np.bool_], upper: int, most: int) -> Iterator[list[Part]]:
    """All ways to cut 0 .. cover-1 into parts that have a common centre and are not too large or too many."""

    def grow(v: int, parts: list[Part], centres: list[NDArray[np.bool_]]) -> Iterator[list[Part]]:
        if v == cover:
            yield parts
            return
        for i, part in enumerate(parts):
            shared = centres[i] & serves[v]
            if len(part) < upper and shared.any():
                yield from grow(
                    v + 1, [*parts[:i], (*part, v), *parts[i + 1 :]], [*centres[:i], shared, *centres[i + 1 :]]
                )
        if len(parts) < most:
            yield from grow(v + 1, [*parts, (v,)], [*centres, serves[v]])

    return grow(0, [], [])


class _Branch:
    """The program of one cut: whole x[t, i], vertices of type t that part i takes; z[i, c] = 1: its centre has type c."""

    def __init__(self, problem: Problem, types: Types, serves: NDArray[np.bool_], parts: list[Part]) -> None:
        self.problem, self.types, self.serves, self.parts = problem, types, serves, parts
        self.outside = range(types.cover, len(types.members))
        adjacent = types.adjacent
        self.x = [(t, i) for i, part in enumerate(parts) for t in self.outside if adjacent[t, list(part)].any()]
        self.z = [
            (i, int(c)) for i, part in enumerate(parts) for c in np.flatnonzero(serves[list(part)].all(axis=0)).tolist()
        ]
        self.column = {("x", *pair): at for at, pair in enumerate(self.x)}
        self.column |= {("z", *pair): len(self.x) + at for at, pair in enumerate(self.z)}
        self.rows: list[tuple[dict[int, float], float, float]] = []

    def solve(self, deadline: Deadline) -> Labels | None:
        for i, part in enumerate(self.parts):
            takes = {self.column["x", t, j]: 1.0 for t, j in self.x if j == i}
            self.rows.append((takes, self.problem.lower - len(part), self.problem.upper - len(part)))
            self.rows.append(({self.column["z", j, c]: 1.0 for j, c in self.z if j == i}, 1, 1))
            self._connect(i)
        for t in self.outside:
            everyone = {self.column["x", s, i]: 1.0 for s, i in self.x if s == t}
            self.rows.append((everyone, len(self.types.members[t]), len(self.types.members[t])))
        if any(not row and low > 0 for row, low, _ in self.rows):
            return None
        for t, i in self.x:
            self._near(t, i)
        found = self._milp(deadline)
        return None if found is None else self._labels(found)

    def _near(self, t: int, i: int) -> None:
        """Part i takes vertices of type t only if its centre is near them: itself alone where two of the type are not."""
        count = len(self.types.members[t])
        row = {self.column["x", t, i]: -1.0}
        for j, c in self.z:
            if j == i:
                far = not self.types.near[t, c]
                row[self.column["z", i, c]] = float(count if not far else c == t)
        self.rows.append((row, 0, math.inf))

    def _connect(self, i: int) -> None:
        """Each way to halve the part is bridged, by an edge within the cover or by a vertex with neighbours in both halves."""
        first, *others = self.parts[i]
        adjacent = self.types.adjacent
        for size in range(len(others)):
            for chosen in itertools.combinations(others, size):
                half, rest = [first, *chosen], [v for v in others if v not in chosen]
                if adjacent[np.ix_(half, rest)].any():
                    continue
                bridges = [t for t, j in self.x if j == i and adjacent[t, half].any() and adjacent[t, rest].any()]
                self.rows.append(({self.column["x", t, i]: 1.0 for t in bridges}, 1, math.inf))

    def _milp(self, deadline: Deadline) -> NDArray[np.int64] | None:
        optimize, sparse = load("scipy.optimize"), load("scipy.sparse")
        entries = [(at, column, value) for at, (row, _, _) in enumerate(self.rows) for column, value in row.items()]
        at, columns, values = (np.array(part) for part in zip(*entries, strict=True))
        shape = len(self.rows), len(self.column)
        result = milp(
            np.zeros(shape[1]),
            constraints=optimize.LinearConstraint(
                sparse.csr_array((values, (at, columns)), shape=shape),
                [low for _, low, _ in self.rows],
                [high for _, _, high in self.rows],
            ),
            integrality=np.ones(shape[1]),
            bounds=optimize.Bounds(0, [len(self.types.members[t]) for t, _ in self.x] + [1] * len(self.z)),
            seconds=deadline.left,
        )
        if result.status == _INFEASIBLE:
            return None
        if result.status != _OPTIMAL:
            raise TimeIsUpError
        amounts: NDArray[np.int64] = np.rint(result.x).astype(np.int64)
        return amounts

    def _labels(self, amounts: Any) -> Labels:
        labels = np.empty(self.problem.n, dtype=np.int32)
        left = [members.tolist() for members in self.types.members]
        for i, part in enumerate(self.parts):
            labels[[left[v].pop() for v in part]] = i
        for t, i in self.x:
            labels[[left[t].pop() for _ in range(amounts[self.column["x", t, i]])]] = i
        return labels
