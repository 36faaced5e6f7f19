"""Clusters that need not be connected, by an integer program for how many clusters each centre has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey.network.methods.least_sum import least_sum
from covey.network.methods.local import unserved
from covey.network.methods.method import NetworkMethod
from covey.network.methods.problem import Answer, Reason
from covey.network.methods.program import Program
from covey.network.methods.search import TIME_IS_UP, search
from covey.network.methods.serving import assign, by_greedy_cover, merged

if TYPE_CHECKING:
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Outcome, Problem


@dataclass(frozen=True)
class Multiplicity(NetworkMethod):
    """An integer program for the number of clusters of each centre. Exact; needs the extra `network` (HiGHS).

    For the radius: from a lower bound on, one program for each distance, with only those centres whose ball lies in no
    other's, and vertices with the same centres as one. A greedy cover is tried first, then small parts that cannot be served. For
    the sum: distances are costs. Two
    thousand vertices take seconds; NP-hard, and grids with tight sizes take longer.

    The other options are those of `NetworkMethod`.

    Examples
    --------
    >>> Multiplicity(upper=3).solve([(0, 1), (1, 2), (3, 4), (4, 5), (2, 3)], 3).radius
    1.0
    """

    name: ClassVar[str] = "milp"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset({(False, "radius"), (False, "sum")})

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:
        if problem.objective == "sum":
            return least_sum(problem, decide, deadline)
        return search(problem, decide, deadline)


def decide(problem: Problem, within: Balls, distance: float, deadline: Deadline) -> Answer:
    """Whether there are clusters within the distance, and which."""
    serving = merged(within)
    quick = by_greedy_cover(problem, serving)
    if quick is not None:
        return Answer(True, *quick)
    open_centres = np.zeros(problem.n, dtype=np.bool_)
    open_centres[serving.centres] = True
    place = unserved(problem, within, distance, open_centres, deadline)
    if place >= 0:
        return Answer(
            False,
            reason=Reason(
                f"the vertices around a vertex{{}} cannot all be in clusters within the distance {distance:g}", place
            ),
        )
    solved = Program(problem, serving).solve(deadline.left)
    if solved.is_infeasible:
        return Answer(False, reason=Reason(f"the integer program has no solution within the distance {distance:g}"))
    if solved.values is None:
        return Answer(None, reason=TIME_IS_UP)
    clusters = assign(problem, serving, np.round(solved.values[: len(serving.centres)]).astype(np.int64))
    if clusters is None:
        return Answer(None, reason=Reason("the integer program was solved too roughly to give clusters"))
    return Answer(True, *clusters)
