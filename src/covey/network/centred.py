"""Connected clusters around a centre of their own, by CP-SAT: quick to find, but not all there are.

x[v, c]: v is in the cluster whose centre is c, and c is in it, too. Who is in it has a neighbour in it that is nearer to c, so
it is connected. Clusters whose centre lies outside, or that go round, are not found: an answer of "no" proves nothing.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.extras import load
from covey.network import sat
from covey.network.problem import Answer

if TYPE_CHECKING:
    from covey.network.distances import Balls
    from covey.network.problem import Deadline, Problem


def centred(problem: Problem, within: Balls, deadline: Deadline) -> Answer:
    """Clusters around centres of their own within the balls; None where none were found."""
    model = load("ortools.sat.python.cp_model").CpModel()
    near = _near(within)
    enough = np.flatnonzero(np.diff(within.indptr) >= problem.lower)
    x: list[dict[int, Any]] = [{} for _ in range(problem.n)]
    for c in enough.tolist():
        for v in near[c]:
            x[v][c] = model.new_bool_var("")
    if not all(x):
        return Answer(None)
    for choices in x:
        model.add_exactly_one(choices.values())
    for c in enough.tolist():
        _cluster(model, problem, x, near[c], c)
    status, solver = sat.solve(model, deadline)
    if status not in ("OPTIMAL", "FEASIBLE"):
        return Answer(None)
    at = [next(c for c, choice in choices.items() if solver.boolean_value(choice)) for choices in x]
    centres, labels = np.unique(at, return_inverse=True)
    return Answer(True, labels.astype(np.int32), centres.astype(np.int32))


def _near(within: Balls) -> list[dict[int, float]]:
    starts = within.indptr.tolist()
    indices, distances = within.indices.tolist(), within.distances.tolist()
    return [dict(zip(indices[a:b], distances[a:b], strict=True)) for a, b in itertools.pairwise(starts)]


def _cluster(model: Any, problem: Problem, x: list[dict[int, Any]], ball: dict[int, float], c: int) -> None:
    """Enough vertices and not too many if c is a centre, each with a neighbour that is nearer."""
    network, is_open = problem.network, x[c][c]
    members = [x[v][c] for v in ball]
    model.add(sum(members) >= problem.lower).only_enforce_if(is_open)
    if len(members) > problem.upper:
        model.add(sum(members) <= problem.upper)
    for v, far in ball.items():
        if v == c:
            continue
        model.add_implication(x[v][c], is_open)
        neighbours = network.indices[network.indptr[v] : network.indptr[v + 1]].tolist()
        if c not in neighbours:
            nearer = [x[w][c] for w in neighbours if ball.get(w, math.inf) < far]
            model.add_bool_or([~x[v][c], *nearer])
