"""The integer program of clusters that need not be connected: how many clusters each centre has, and whom they hold.

The clusters of a centre are merged: s vertices are q clusters of allowed sizes exactly if lower q <= s <= upper q. For fixed q what is
left is a transportation problem, which has a whole solution. Where every size from `lower` on can be split, q is 0 or 1 and there
is no upper limit.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.utils.extras import load
from covey.utils.solvers import milp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.methods.problem import Problem
    from covey.network.methods.serving import Serving
    from covey.utils.typing import Floats


_FRACTION = 1e-6
_OPTIMAL, _INFEASIBLE = 0, 2  # of scipy


class Whole(Enum):
    """Which variables must be whole numbers."""

    NONE = 0
    CLUSTERS = 1
    ALL = 2


class Solved(NamedTuple):
    """What the solver found: values (None: none), and whether it is proven that there are none, or none better."""

    values: Floats | None
    is_infeasible: bool
    is_optimal: bool


class Program:
    """Variables: the clusters q of each centre, then the vertices x of each pair. All are served, by enough, by open centres.

    `needed` are the vertices of each kind that must be served, all if it is None; `most` the clusters that a centre may have, where
    that does not follow from these pairs alone.
    """

    def __init__(
        self,
        problem: Problem,
        serving: Serving,
        *,
        costs: Floats | None = None,
        needed: NDArray[Any] | None = None,
        most: Floats | None = None,
    ) -> None:
        self.serving = serving
        served = np.zeros(len(serving.kind)) if costs is None else costs
        self.costs = np.concatenate([np.zeros(len(serving.centres)), served])
        self.rows = _constraints(problem, serving, serving.counts if needed is None else needed)
        clusters = serving.most(problem) if most is None else most
        # The limits of the pairs are said although they follow: HiGHS has been seen not to end without them.
        self.most = np.concatenate([clusters, serving.counts[serving.kind]])

    @property
    def centres(self) -> int:
        """How many variables are numbers of clusters."""
        return len(self.serving.centres)

    def solve(self, seconds: float, whole: Whole = Whole.CLUSTERS, plan: Floats | None = None) -> Solved:
        """The cheapest solution, with `plan[c]` clusters of centre c where a plan is given."""
        low, high = np.zeros(len(self.costs)), self.most
        if plan is not None:
            low, high = np.concatenate([plan, low[self.centres :]]), np.concatenate([plan, high[self.centres :]])
        integer = np.full(len(self.costs), float(whole is Whole.ALL))
        integer[: self.centres] = float(whole is not Whole.NONE)
        result = milp(
            self.costs,
            integrality=integer,
            bounds=load("scipy.optimize").Bounds(low, high),
            constraints=self.rows,
            seconds=seconds,
            options={"mip_rel_gap": 0.0},
        )
        return Solved(result.x, result.status == _INFEASIBLE, result.status == _OPTIMAL)

    def amounts(self, values: Floats, seconds: float) -> NDArray[np.int64] | None:
        """Whole x for the q of a solution: the flow once more where HiGHS gave fractions of it; None if time was up."""
        rounded = np.rint(values)
        if np.abs(values - rounded).max() > _FRACTION:
            flow = self.solve(seconds, Whole.ALL, rounded[: self.centres]).values
            if flow is None:
                return None
            rounded = np.rint(flow)
        return np.asarray(rounded[self.centres :], dtype=np.int64)


def _constraints(problem: Problem, serving: Serving, needed: NDArray[Any]) -> Any:
    """The rows: each kind is served; each centre has enough, and not too many; only open centres serve."""
    sparse, optimize = load("scipy.sparse"), load("scipy.optimize")
    kinds, centres, pairs = len(serving.counts), len(serving.centres), len(serving.kind)
    x, every = centres + np.arange(pairs), np.arange(centres)
    linked = kinds + 2 * centres + np.arange(pairs)
    rows = [serving.kind, kinds + serving.centre, kinds + every]
    columns = [x, x, every]
    values = [np.ones(pairs), np.ones(pairs), np.full(centres, -float(problem.lower))]
    high = np.full(centres, np.inf)
    if serving.counts_clusters(problem):
        rows += [kinds + centres + serving.centre, kinds + centres + every]
        columns += [x, every]
        values += [np.ones(pairs), np.full(centres, -float(problem.upper))]
        high = np.zeros(centres)
    rows += [linked, linked]
    columns += [x, serving.centre]
    values += [np.ones(pairs), -serving.most_in_cluster]
    matrix = sparse.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(kinds + 2 * centres + pairs, centres + pairs),
    )
    lows = np.concatenate([needed, np.zeros(centres), np.full(centres + pairs, -np.inf)])
    highs = np.concatenate([serving.counts, np.full(centres, np.inf), high, np.zeros(pairs)])
    return optimize.LinearConstraint(matrix, lows, highs)
