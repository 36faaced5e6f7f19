"""Connected clusters in practice: bounds from both sides, and CP-SAT in between."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey._kernels import network as kernels
from covey.network.methods import milp
from covey.network.methods.carving import carved
from covey.network.methods.centred import centred
from covey.network.methods.distances import balls
from covey.network.methods.forest import TOO_LARGE, fits_a_forest, forest, least_forest
from covey.network.methods.least_sum import least_sum
from covey.network.methods.method import NetworkMethod
from covey.network.methods.obstacles import obstacle
from covey.network.methods.problem import Answer, Outcome, Reason
from covey.network.methods.search import largest_needed, search
from covey.network.methods.serving import maximal_balls

if TYPE_CHECKING:
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Problem
    from covey.utils.typing import Labels

_MOST_PAIRS = 150_000  # for the integer program of clusters that need not be connected
_STAGE = 60.0  # seconds for a step that may be skipped


@dataclass(frozen=True)
class Pipeline(NetworkMethod):
    """Connected clusters: a cut vertex may forbid them, carving finds some, and CP-SAT decides what is between the bounds.

    For each distance below that of carving: if there are no clusters even without connection there are none; else clusters
    around centres of their own are looked for, then all, as a forest. Exact unless time is up: then the best known and a bound.
    NP-hard; a thousand vertices take seconds to a minute. Needs the extra `network`.

    The other options are those of `NetworkMethod`.

    Examples
    --------
    >>> solution = Pipeline(upper=3, connected=True).solve([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], 2)
    >>> solution.radius, solution.status
    (1.0, 'optimal')
    """

    name: ClassVar[str] = "pipeline"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset({(True, "radius"), (True, "sum")})

    connected: bool = True

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:
        blocked = obstacle(problem)
        if blocked is not None:
            return Outcome(None, None, math.inf, blocked)
        problem = replace(problem, upper=largest_useful(problem))
        start = _carved(problem)
        if start is None:
            answer = _any(problem, deadline)
            if answer.feasible is False:
                return Outcome(
                    None, None, math.inf, Reason("no partition has connected clusters of the sizes asked for")
                )
            if answer.labels is not None:
                start = _measured(problem, answer.labels)
        if problem.objective == "sum":
            return _least_sum(problem, start, deadline)
        return search(problem, decide, deadline, start)


def decide(problem: Problem, within: Balls, distance: float, deadline: Deadline) -> Answer:
    """Whether there are connected clusters within the distance, and which."""
    if len(within.indices) <= _MOST_PAIRS:
        free = milp.decide(problem, within, distance, deadline.share(1 / 3, _STAGE))
        if free.feasible is False:
            why = Reason(f"{free.reason.text}, even if clusters need not be connected", free.reason.vertex)
            return Answer(False, reason=why)
    centres = maximal_balls(within)
    fits = fits_a_forest(problem, within, centres)
    found = centred(problem, within, deadline.share(1 / 3, _STAGE) if fits else deadline.share(0.9, math.inf))
    if found.feasible or not fits:
        return found if found.feasible else Answer(None, reason=TOO_LARGE)
    return forest(problem, within, centres, deadline.share(2 / 3, math.inf))


def largest_useful(problem: Problem) -> int:
    """A size that no cluster needs to exceed: a larger one can be cut in two, which changes no distance.

    If every edge of a tree inside a cluster cuts off fewer than `lower` vertices on one side, some vertex has fewer than
    `lower` behind each of its edges. So without a cut there are at most 1 + degree (lower - 1) vertices.
    """
    return min(problem.upper, 1 + int(problem.network.degrees.max(initial=0)) * (problem.lower - 1))


def _carved(problem: Problem) -> Outcome | None:
    """The better clusters of carving with small sizes and with all that are allowed; None if some are too large."""
    best = None
    for upper in sorted({min(problem.upper, 2 * problem.lower - 1), problem.upper}):
        labels, centres, distances = carved(replace(problem, upper=upper), 0)
        if np.bincount(labels).max() <= problem.upper:
            outcome = Outcome(labels, centres, 0.0, distances=distances, radius=float(distances.max()))
            best = outcome if best is None or _loss(problem, outcome) < _loss(problem, best) else best
    return best


def _loss(problem: Problem, outcome: Outcome) -> float:
    distances = outcome.distances
    return outcome.radius if problem.objective == "radius" or distances is None else float(distances.sum())


def _measured(problem: Problem, labels: Labels) -> Outcome:
    network = problem.network
    centres, distances = kernels.centres(network.indptr, network.indices, network.lengths, labels)
    return Outcome(labels, centres, 0.0, distances=distances, radius=float(distances.max()))


def _any(problem: Problem, deadline: Deadline) -> Answer:
    """Connected clusters of allowed sizes, whatever the distance."""
    within = balls(problem.network, largest_needed(problem))
    return forest(problem, within, maximal_balls(within), deadline.share(1 / 2, math.inf))


def _least_sum(problem: Problem, start: Outcome | None, deadline: Deadline) -> Outcome:
    """The least sum of distances: that of clusters that need not be connected is a bound, a forest finds them."""
    free = least_sum(replace(problem, connected=False), milp.decide, deadline.share(1 / 3, math.inf))
    if math.isinf(free.bound):
        return free
    known, far = Outcome(None, None, free.bound), math.inf if problem.distance is None else problem.distance
    if start is not None and start.distances is not None and start.radius <= far:
        known = start._replace(bound=free.bound)
        far = min(far, float(start.distances.sum()))  # one pair beyond would cost more than all of them
    return least_forest(problem, balls(problem.network, far), known, deadline)
