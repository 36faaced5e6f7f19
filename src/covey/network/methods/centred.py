"""Connected clusters around a centre of their own: quick to find, but not all there are.

x[v, c]: v is in the cluster whose centre is c, and c is in it, too. Who is in it has a neighbour in it that is nearer to c, so
it is connected. Clusters whose centre lies outside, or that go round, are not found: an answer of "no" proves nothing. An
integer program where there are few pairs, for HiGHS is then much the faster; else CP-SAT, which keeps to its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.network.methods import sat
from covey.network.methods.problem import Answer
from covey.utils.extras import load
from covey.utils.solvers import milp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Problem

_MOST_FOR_HIGHS = 25_000  # pairs; beyond, it does not keep to its time
_SECONDS = 10.0


class _Pairs(NamedTuple):
    """Who may be in whose cluster, and, pair by pair, the pairs one of which it needs: a neighbour nearer to the centre."""

    vertex: NDArray[np.int64]
    centre: NDArray[np.int64]
    own: NDArray[np.int64]  # of each pair: that of the centre with itself
    needs: NDArray[np.int64]  # pairs of pairs: (a, b), a needs b or another
    needed: NDArray[np.int64]
    needing: NDArray[np.int64]  # the pairs that need one: all but the neighbours of the centre and itself


def centred(problem: Problem, within: Balls, deadline: Deadline) -> Answer:
    """Clusters around centres of their own within the balls; None where none were found."""
    pairs = _pairs(problem, within)
    if not np.bincount(pairs.vertex, minlength=problem.n).all():
        return Answer(None)
    chosen = None
    if len(pairs.vertex) <= _MOST_FOR_HIGHS:
        chosen = _by_highs(problem, pairs, deadline.share(1 / 2, _SECONDS))
    if chosen is None:
        chosen = _by_sat(problem, pairs, deadline)
    if chosen is None:
        return Answer(None)
    at = np.empty(problem.n, dtype=np.int64)
    at[pairs.vertex[chosen]] = pairs.centre[chosen]
    centres, labels = np.unique(at, return_inverse=True)
    return Answer(True, labels.astype(np.int32), centres.astype(np.int32))


def _pairs(problem: Problem, within: Balls) -> _Pairs:
    enough = np.diff(within.indptr) >= problem.lower
    kept = enough[within.rows]
    centre, vertex = within.rows[kept].astype(np.int64), within.indices[kept].astype(np.int64)
    distance = within.distances[kept]
    n, network = problem.n, problem.network
    key = centre * n + vertex  # ascending
    own = np.searchsorted(key, centre * n + centre)
    degrees = network.degrees[vertex]
    a = np.repeat(np.arange(len(key)), degrees)
    offset = np.arange(len(a)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    neighbour = network.indices[network.indptr[vertex][a] + offset].astype(np.int64)
    direct = np.zeros(len(key), dtype=np.bool_)
    direct[a[neighbour == centre[a]]] = True
    b = np.minimum(np.searchsorted(key, centre[a] * n + neighbour), len(key) - 1)
    nearer = (key[b] == centre[a] * n + neighbour) & (distance[b] < distance[a]) & ~direct[a] & (a != own[a])
    needing = np.flatnonzero(~direct & (np.arange(len(key)) != own))
    return _Pairs(vertex, centre, own, a[nearer], b[nearer], needing)


def _by_highs(problem: Problem, pairs: _Pairs, deadline: Deadline) -> NDArray[np.intp] | None:
    optimize, sparse = load("scipy.optimize"), load("scipy.sparse")
    n, count = problem.n, len(pairs.vertex)
    every, others = np.arange(count), np.flatnonzero(np.arange(count) != pairs.own)
    need = np.full(count, -1)
    need[pairs.needing] = 3 * n + len(others) + np.arange(len(pairs.needing))
    rows = [pairs.vertex, n + pairs.centre, 2 * n + pairs.centre, *[3 * n + np.arange(len(others))] * 2]
    columns = [every, every, every, others, pairs.own[others]]
    is_own = every == pairs.own
    values = [np.ones(count), np.where(is_own, 1.0 - problem.lower, 1.0), np.where(is_own, 1.0 - problem.upper, 1.0)]
    values += [np.ones(len(others)), -np.ones(len(others))]
    rows += [need[pairs.needing], need[pairs.needs]]
    columns += [pairs.needing, pairs.needed]
    values += [np.ones(len(pairs.needing)), -np.ones(len(pairs.needs))]
    size = 3 * n + len(others) + len(pairs.needing)
    matrix = sparse.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(size, count)
    )
    low = np.concatenate([np.ones(n), np.zeros(n), np.full(size - 2 * n, -np.inf)])
    high = np.concatenate([np.ones(n), np.full(n, np.inf), np.zeros(size - 2 * n)])
    result = milp(
        np.zeros(count),
        integrality=np.ones(count),
        bounds=optimize.Bounds(0.0, 1.0),
        constraints=optimize.LinearConstraint(matrix, low, high),
        seconds=deadline.left,
    )
    return None if result.x is None else np.flatnonzero(result.x > 0.5)


def _by_sat(problem: Problem, pairs: _Pairs, deadline: Deadline) -> NDArray[np.intp] | None:
    model = load("ortools.sat.python.cp_model").CpModel()
    x = [model.new_bool_var("") for _ in range(len(pairs.vertex))]
    for choices in _split(pairs.vertex, problem.n):
        model.add_exactly_one(x[i] for i in choices)
    for members in _split(pairs.centre, problem.n):
        if len(members):
            _size(model, problem, [x[i] for i in members], x[pairs.own[members[0]]])
    for i in np.flatnonzero(np.arange(len(x)) != pairs.own).tolist():
        model.add_implication(x[i], x[pairs.own[i]])
    needed = _split(pairs.needs, len(x))
    for i in pairs.needing.tolist():
        model.add_bool_or([~x[i], *(x[pairs.needed[j]] for j in needed[i])])
    status, solver = sat.solve(model, deadline)
    if status not in ("OPTIMAL", "FEASIBLE"):
        return None
    return np.flatnonzero([solver.boolean_value(choice) for choice in x])


def _size(model: Any, problem: Problem, members: list[Any], is_open: Any) -> None:
    model.add(sum(members) >= problem.lower).only_enforce_if(is_open)
    if len(members) > problem.upper:
        model.add(sum(members) <= problem.upper)


def _split(keys: NDArray[np.int64], count: int) -> list[NDArray[np.intp]]:
    """The positions of each key."""
    return np.split(np.argsort(keys, kind="stable"), np.cumsum(np.bincount(keys, minlength=count))[:-1])
