"""The smallest distance, by a method that answers for one distance at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import network as kernels
from covey.network.methods.distances import Balls, balls, best_centres
from covey.network.methods.obstacles import least_radius, obstacle
from covey.network.methods.problem import Answer, Deadline, Outcome, Problem, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from covey.utils.typing import Labels

    Decide = Callable[[Problem, Balls, float, Deadline], Answer]

TIME_IS_UP = Reason("the time limit came first")


def search(problem: Problem, decide: Decide, deadline: Deadline, known: Outcome | None = None) -> Outcome:
    """The smallest distance for which there is a partition, or whether there is one for the distance given.

    `decide(problem, balls, distance, deadline)` gets the pairs within the distance and answers for it. Only distances
    between vertices matter: from a bound on, steps double until one is feasible, then the rest is halved; the true radius
    of what was found counts. With a `known` partition, distances from its radius on need no asking.
    """
    blocked = obstacle(problem)
    if blocked is not None:
        return Outcome(None, None, math.inf, blocked)
    if problem.distance is not None:
        return _one(problem, problem.distance, decide, deadline, known)
    low = 0.0
    for within, radius, _ in growing(problem, None if known is None else known.radius):
        start, _ = least_radius(within, problem.lower)
        if math.isinf(start):
            continue
        outcome = _Range(problem, decide, within, max(low, start), known).smallest(deadline)
        if outcome is not None:
            return outcome
        low = np.nextafter(radius, math.inf)
    return Outcome(None, None, math.inf, Reason("there is no partition for any distance"))


def growing(problem: Problem, radius: float | None = None) -> Iterator[tuple[Balls, float, bool]]:
    """Balls of twice the radius each time, until no cluster can need more, which the last value says."""
    network = problem.network
    component = kernels.components(network.indptr, network.indices)
    everything = np.bincount(component)[component]
    if not radius:
        radius = 1.0 if network.lengths is None or not network.lengths.any() else float(network.lengths.mean())
    while True:
        within = balls(network, radius)
        whole = np.array_equal(np.diff(within.indptr), everything) or radius >= largest_needed(problem)
        yield within, radius, whole
        if whole:
            return
        radius *= 2


def largest_needed(problem: Problem) -> float:
    """A distance that every partition into connected clusters can do with; infinity for others.

    A connected cluster has a tree of at most upper - 1 edges: half of them lead from its middle to each of its vertices.
    """
    longest = 1.0 if problem.network.lengths is None else float(problem.network.lengths.max(initial=0.0))
    return problem.upper // 2 * longest if problem.connected else math.inf


def _one(
    problem: Problem, distance: float, decide: Decide, deadline: Deadline, known: Outcome | None = None
) -> Outcome:
    within = balls(problem.network, distance)
    bound, vertex = least_radius(within, problem.lower)
    if bound > distance:
        text = f"near a vertex{{}}: no vertex within {distance:g} has {problem.lower} vertices within that distance"
        return Outcome(None, None, math.inf, Reason(text, vertex))
    if known is not None and known.radius <= distance:
        return known._replace(bound=bound)
    answer = decide(problem, within, distance, deadline)
    if answer.feasible is False:
        reason = (
            answer.reason if answer.reason.text else Reason(f"there is no partition within the distance {distance:g}")
        )
        return Outcome(None, None, math.inf, reason)
    if answer.labels is None:
        return Outcome(None, None, bound, answer.reason if answer.reason.text else TIME_IS_UP)
    return _measured(within, answer.labels, bound)


def _measured(within: Balls, labels: Labels, bound: float) -> Outcome:
    centres, radii = best_centres(within, labels)
    return Outcome(labels, centres, bound, radius=float(radii.max()))


class _Range:
    """The distances of the balls from `low` on: infeasible up to `below`, a partition for `above`, doubts between."""

    def __init__(self, problem: Problem, decide: Decide, within: Balls, low: float, known: Outcome | None) -> None:
        self.problem, self.decide, self.within, self.found = problem, decide, within, known
        candidates = np.unique(within.distances)
        self.candidates = candidates[candidates >= low]
        self.below, self.above = -1, len(self.candidates)
        if known is not None:
            self.above = int(np.searchsorted(self.candidates, known.radius))
        self.doubted = -1  # the largest for which there was no answer
        self.why = Reason()

    def smallest(self, deadline: Deadline) -> Outcome | None:
        """The smallest distance of this range, as far as it is found out; None if none is feasible."""
        step = 1
        while (low := max(self.below, self.doubted)) + 1 < self.above:
            at = min(low + step, self.above - 1) if self.found is None else (low + self.above) // 2
            self._ask(at, deadline)
            step *= 2
            if self.doubted >= 0 and deadline.passed:
                break
        if self.below + 1 >= self.above:
            return None if self.found is None else self.found._replace(bound=self._radius(), reason=Reason())
        found = Outcome(None, None, 0.0) if self.found is None else self.found
        return found._replace(bound=float(self.candidates[self.below + 1]), reason=self.why)

    def _radius(self) -> float:
        assert self.found is not None
        return float(self.candidates[self.above]) if self.above < len(self.candidates) else self.found.radius

    def _ask(self, at: int, deadline: Deadline) -> None:
        distance = float(self.candidates[at])
        answer = self.decide(self.problem, self.within.within(distance), distance, deadline)
        if answer.feasible is None:
            self.doubted, self.why = at, answer.reason if answer.reason.text else TIME_IS_UP
        elif answer.feasible and answer.labels is not None:
            self.found = _measured(self.within, answer.labels, 0.0)
            self.above = min(at, int(np.searchsorted(self.candidates, self.found.radius)))
        else:
            self.below = at
