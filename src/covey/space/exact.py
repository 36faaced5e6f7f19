"""The optimum in space, proven, for small tables."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from covey._kernels import space as kernels
from covey.core.solution import Solution
from covey.space.branching import branch, partition_of
from covey.space.column_generation import ColumnGeneration
from covey.space.method import SpaceMethod, below_in_input, check_number, sse
from covey.space.near_groups import NearGroups
from covey.space.search import Search
from covey.space.set_program import TOLERANCE, SetProgram
from covey.utils.arrays import check_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.partition import Partition
    from covey.utils.arrays import Coordinates
    from covey.utils.typing import Points

    Members = NDArray[np.uint32]

_FEW, _MOST = 20_000, 400_000  # groups of a size


@dataclass(frozen=True)
class Exact(SpaceMethod):
    """The least loss of any partition, by set partitioning, or the best found and a bound when time is up.

    1. A good partition by `Search`: loss U. 2. A bound L with a price for each record: for k = 3 the tight bound of
    `covey.space.lower_bound` with its cuts, otherwise the linear relaxation by column generation. 3. Groups with a reduced cost above
    U - L are in no better partition; all others are listed. 4. The relaxation over the list is raised by further subset-row cuts,
    which leaves out more groups, and HiGHS solves the integer program over those that remain. Where the groups are too many (400 000
    of a size): branch and price on pairs; for k = 3, a better partition from some of them, and no proof.

    Proves the optimum for some dozens of records at k = 4 and 5, and at k = 3 for a thousand, where no record lies far from all others
    (the Census table, 1,080 records, in about a minute). The number of groups grows fast with k and with the room U - L. Optimal means: up to
    1e-7 of the loss. Needs the extra `exact` (scipy, whose solver is HiGHS).

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
        prove = _by_near_groups if k == NearGroups.k else _by_columns
        proof = prove(points, k, start.partition, deadline)
        loss = sse(coordinates, proof.partition)
        bound = loss if proof.proven else min(loss, below_in_input(coordinates, proof.bound))
        return Solution(
            proof.partition, loss, bound=bound, status="optimal" if proof.proven else "feasible", method=self
        )


class _Proof(NamedTuple):
    """The best partition found, and what no partition loses less than."""

    partition: Partition
    bound: float
    proven: bool


def _by_columns(points: Points, k: int, partition: Partition, deadline: float) -> _Proof:
    generation = ColumnGeneration(points, k, partition)
    generation.run(deadline)
    better, proven = _finish(generation, deadline)
    return _Proof(partition if better is None else better, generation.bound, proven)


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
        return branch(generation, deadline, TOLERANCE)
    generation.add(group for _, members, _ in priced for group in members)
    return _integer_program(generation, deadline)


def _integer_program(generation: ColumnGeneration, deadline: float) -> tuple[Partition | None, bool]:
    answer = SetProgram(generation.groups, generation.points, generation.upper).solve(deadline)
    generation.bound = max(generation.bound, answer.bound)
    better = None if answer.groups is None else partition_of(answer.groups, generation.n)
    return better, answer.proven


def _by_near_groups(points: Points, _k: int, partition: Partition, deadline: float) -> _Proof:
    """For k = 3: a better partition from some of the groups near the tight bound, then the best from all of them."""
    near, n = NearGroups(points, (time.monotonic() + deadline) / 2), len(points)
    known = _Proof(partition, near.bound, proven=False)
    for every in (False, True):
        upper = kernels.loss(points, known.partition.labels.astype(np.uint32))
        if upper - known.bound <= 1e-9 * upper:
            return known._replace(proven=True)
        room, start = upper - near.bound, time.monotonic()
        groups = near.within(room, _MOST, deadline) if every else near.some(_FEW, deadline)
        if groups is None:
            continue
        program = SetProgram(_with(groups, known.partition), points, upper)
        answer = program.solve(deadline if every else (3 * start + deadline) / 4)
        if answer.groups is not None:
            known = known._replace(partition=partition_of(answer.groups, n))
        if every:
            known = known._replace(bound=max(known.bound, answer.bound), proven=answer.proven)
    return known


def _with(groups: list[Members], partition: Partition) -> list[Members]:
    """These groups and those of a partition, each once."""
    known = {
        np.sort(group).tobytes(): group for group in (*groups, *(own.astype(np.uint32) for own in partition.groups()))
    }
    return list(known.values())
