"""CP-SAT, asked so that Ctrl-C and a deadline end it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from covey.utils.extras import load
from covey.utils.solvers import in_thread

if TYPE_CHECKING:
    from covey.network.methods.problem import Deadline


def solve(model: Any, deadline: Deadline, *, least: bool = False) -> tuple[str, Any]:
    """The status ("OPTIMAL", "FEASIBLE", "INFEASIBLE" or "UNKNOWN") and the solver with its values.

    One worker, or for the `least` of something two that take turns: the same answer on every run that is not cut short.
    """
    solver = load("ortools.sat.python.cp_model").CpSolver()
    if math.isfinite(deadline.left):
        solver.parameters.max_time_in_seconds = max(deadline.left, 0.01)
    solver.parameters.num_workers = 2 if least else 1
    solver.parameters.interleave_search = least
    solver.parameters.catch_sigint_signal = False
    status = in_thread(lambda: solver.solve(model), stop=solver.stop_search)
    return str(solver.status_name(status)), solver
