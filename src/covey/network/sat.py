"""CP-SAT, asked so that Ctrl-C and a deadline end it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from covey.extras import load
from covey.solvers import in_thread

if TYPE_CHECKING:
    from covey.network.problem import Deadline

_WORKERS = 2  # the same on every machine; more of them find nothing faster on the models here


def solve(model: Any, deadline: Deadline) -> tuple[str, Any]:
    """The status ("OPTIMAL", "FEASIBLE", "INFEASIBLE" or "UNKNOWN") and the solver with its values."""
    solver = load("ortools.sat.python.cp_model").CpSolver()
    if math.isfinite(deadline.left):
        solver.parameters.max_time_in_seconds = max(deadline.left, 0.01)
    solver.parameters.num_workers = _WORKERS
    solver.parameters.catch_sigint_signal = False
    status = in_thread(lambda: solver.solve(model), stop=solver.stop_search)
    return str(solver.status_name(status)), solver
