"""The least largest span by integer programs that ask if there is a grouping with no span above D.

y_s is 1 where s is the leftmost point of a group, x_ps the share of p in the group of s, for p right of s, of another
colour and within D: sum_s x_ps + y_p = 1, sum_p x_ps >= (l-1) y_s, and for each colour sum_p x_ps <= y_s. For fixed y that
is a flow, so x has a whole solution and only y is integer.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InputError
from covey.line.diversity.problem import Bracket
from covey.utils.extras import load
from covey.utils.solvers import milp

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.optimize import LinearConstraint

    from covey.line.diversity.problem import Problem
    from covey.utils.typing import Labels

_MOST_PAIRS = 2_000_000


def close(problem: Problem, bracket: Bracket, seconds: float) -> Bracket:
    """Halve the realised distances between the bounds until they meet or time is up."""
    deadline = time.monotonic() + seconds
    labels, lower, upper = bracket
    while lower < upper:
        between = _distances(problem, lower, upper)
        if len(between) == 0:
            lower = upper
            break
        span = float(between[(len(between) - 1) // 2])
        feasible, found = _decide(problem, span, deadline)
        if found is not None:
            labels, upper = found, problem.value(found)
        elif feasible is False:
            above = between[between > span]
            lower = float(above[0]) if len(above) else upper
        else:
            break
    return Bracket(labels, lower, upper)


def _pairs(problem: Problem, span: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All (s, p) with p right of s, of another colour, within the span."""
    n, x = len(problem.x), problem.x
    stops = np.searchsorted(x, x + span, side="right")
    counts = np.maximum(stops - np.arange(n) + 1, 0)  # one more, for the rounding of the sum
    total = int(counts.sum())
    if total > _MOST_PAIRS:
        msg = (
            f"the integer program would have {total} pairs of points to choose from; at most {_MOST_PAIRS} are tried; "
            "needed: fewer records, or method='window'"
        )
        raise InputError(msg)
    s = np.repeat(np.arange(n), counts)
    p = s + 1 + np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    inside = p < n
    s, p = s[inside], p[inside]
    good = (x[p] - x[s] <= span) & (problem.colours[p] != problem.colours[s])
    return s[good], p[good]


def _distances(problem: Problem, lower: float, upper: float) -> NDArray[np.float64]:
    """The distances between points of different colours, from the lower bound to below the upper."""
    s, p = _pairs(problem, upper)
    distance = np.unique(problem.x[p] - problem.x[s])
    return distance[(distance >= lower) & (distance < upper)]


def _decide(problem: Problem, span: float, deadline: float) -> tuple[bool | None, Labels | None]:
    """Whether there is a grouping with no larger span (None: time was up), and one."""
    s, p = _pairs(problem, span)
    n, pairs = len(problem.x), len(s)
    constraint = _constraint(problem, s, p)
    optimize = load("scipy.optimize")
    answer = milp(
        np.zeros(n + pairs),
        integrality=np.concatenate([np.ones(n), np.zeros(pairs)]),
        bounds=optimize.Bounds(0.0, 1.0),
        constraints=constraint,
        seconds=deadline - time.monotonic(),
    )
    if answer.status == 2:
        return False, None
    if answer.x is None:
        return None, None
    return True, _labels(problem, s, p, np.round(answer.x[:n]), constraint)


def _constraint(problem: Problem, s: NDArray[np.intp], p: NDArray[np.intp]) -> LinearConstraint:
    sparse, optimize = load("scipy.sparse"), load("scipy.optimize")
    n, pairs, l = len(problem.x), len(s), problem.l  # noqa: E741
    x, every = n + np.arange(pairs), np.arange(n)
    colours, row = np.unique(s * problem.m + problem.colours[p], return_inverse=True)
    ones, k = np.ones(pairs), len(colours)
    rows = np.concatenate([p, every, n + s, n + every, 2 * n + row, 2 * n + np.arange(k)])
    columns = np.concatenate([x, every, x, every, x, colours // problem.m])
    values = np.concatenate([ones, np.ones(n), ones, np.full(n, -(l - 1.0)), ones, -np.ones(k)])
    matrix = sparse.csr_array((values, (rows, columns)), shape=(2 * n + k, n + pairs))
    low = np.concatenate([np.ones(n), np.zeros(n), np.full(k, -np.inf)])
    high = np.concatenate([np.ones(n), np.full(n, np.inf), np.zeros(k)])
    return optimize.LinearConstraint(matrix, low, high)


def _labels(
    problem: Problem, s: NDArray[np.intp], p: NDArray[np.intp], y: NDArray[np.float64], constraint: LinearConstraint
) -> Labels:
    """The groups of known leftmost points: a corner of the flow, which is whole."""
    optimize, n = load("scipy.optimize"), len(problem.x)
    low = np.concatenate([y, np.zeros(len(s))])
    high = np.concatenate([y, np.ones(len(s))])
    flow = milp(
        np.zeros(n + len(s)),
        integrality=np.ones(n + len(s)),
        bounds=optimize.Bounds(low, high),
        constraints=constraint,
        seconds=math.inf,
    )
    labels = np.arange(n, dtype=np.int32)
    taken = flow.x[n:] > 0.5
    labels[p[taken]] = s[taken]
    return labels
