"""The optimum in space, proven, for small tables."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey.core.solution import Solution
from covey.space.branching import branch, partition_of
from covey.space.column_generation import ColumnGeneration
from covey.space.method import SpaceMethod, check_number, sse
from covey.space.search import Search
from covey.utils.arrays import check_seed
from covey.utils.extras import load
from covey.utils.solvers import milp

if TYPE_CHECKING:
    from covey.core.partition import Partition
    from covey.utils.arrays import Coordinates

_TOLERANCE = 1e-7  # of the loss: what "optimal" means to the solver


@dataclass(frozen=True)
class Exact(SpaceMethod):
    """The least loss of any partition, by set partitioning, or the best found and a bound when time is up.

    1. A good partition by `Search`: loss U. 2. The linear relaxation by column generation: bound L and duals. 3. Groups
    with a reduced cost above U - L are in no better partition; all others are enumerated and the set partitioning over
    them is solved as an integer program. 4. Where they are too many (400 000 of a size): branch and price on pairs. Proves the
    optimum for some dozens of records at k = 3 to 5; the number of groups grows fast with k and with the gap U - L. Optimal
    means: up to 1e-7 of the loss. Needs the extra `exact` (scipy, whose solver is HiGHS).

    Source: Aloise, Hansen, Rocha & Santi 2014, Column generation bounds for numerical microaggregation, for steps 1 and 2.

    Parameters
    ----------
    time_limit
        In seconds. When it ends, `status` is "feasible", and `bound` and `gap` say how far it got.
    seed
        Of the first partition.

    Examples
    --------
    >>> solution = Exact().solve([[0.0], [1.0], [5.0], [6.0]], k=2)
    >>> solution.loss, solution.status
    (1.0, 'optimal')
    """

    name: ClassVar[str] = "exact"

    time_limit: float = 60.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("time_limit", self.time_limit, 0.0)
        check_seed(self.seed)

    def _solve(self, coordinates: Coordinates, k: int) -> Solution:
        deadline = time.monotonic() + self.time_limit
        points = coordinates.values
        effort = min(Search().steps_for(len(points), k), 200 * len(points))
        start = Search(effort=effort, seed=self.seed)._solve(coordinates, k)
        if (start.steps or 0) < effort:
            raise KeyboardInterrupt  # which the search took for its own
        partition = start.partition
        generation = ColumnGeneration(points, k, partition)
        generation.run(deadline)
        better, proven = _finish(generation, deadline)
        if better is not None:
            partition = better
        loss = sse(coordinates, partition)
        if proven:
            return Solution(partition, loss, bound=loss, status="optimal", method=self)
        bound = min(loss, coordinates.to_input(generation.bound))
        return Solution(partition, loss, bound=bound, status="feasible", method=self)


def _finish(generation: ColumnGeneration, deadline: float) -> tuple[Partition | None, bool]:
    """A better partition, if there is one among the groups that matter, and whether it is proven to be the best.

    Raises the bound of the generation where the integer program proves more.
    """
    room = generation.upper - generation.bound
    if room <= 1e-9 * generation.upper:
        return None, True
    if not generation.converged or time.monotonic() >= deadline:
        return None, False
    priced, complete = generation.price(generation.duals, room + 1e-9 * generation.scale, deadline)
    if not complete:
        return branch(generation, deadline, _TOLERANCE)
    generation.add(group for _, members, _ in priced for group in members)
    return _integer_program(generation, deadline)


def _integer_program(generation: ColumnGeneration, deadline: float) -> tuple[Partition | None, bool]:
    optimize, n = load("scipy.optimize"), generation.n
    unit = generation.scale / n
    answer = milp(
        np.array(generation.costs) / unit,
        integrality=np.ones(len(generation.costs)),
        bounds=optimize.Bounds(0.0, 1.0),
        constraints=optimize.LinearConstraint(generation.membership(), np.ones(n), np.ones(n)),
        seconds=deadline - time.monotonic(),
        options={"mip_rel_gap": 0.0},
    )
    if answer.mip_dual_bound is not None:  # a partition with a group that is not in the pool loses `upper` or more
        generation.bound = max(generation.bound, min(generation.upper, answer.mip_dual_bound * unit) * (1 - 1e-9))
    if answer.x is None:
        return None, False
    chosen = np.flatnonzero(answer.x > 0.5)
    loss = sum(generation.costs[g] for g in chosen)
    proven = answer.status == 0 and answer.mip_dual_bound * unit >= loss * (1 - _TOLERANCE)
    better = partition_of([generation.groups[g] for g in chosen], n) if loss < generation.upper else None
    return better, proven
