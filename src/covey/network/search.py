"""The smallest distance, by a method that answers for one distance at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import network as kernels
from covey.network.distances import Balls, balls, best_centres
from covey.network.obstacles import least_radius, obstacle
from covey.network.problem import Answer, Deadline, Outcome, Problem, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Decide = Callable[[Problem, Balls, float, Deadline], Answer]

TIME_IS_UP = Reason("the time limit came first")


def search(problem: Problem, decide: Decide, deadline: Deadline) -> Outcome:
    """The smallest distance for which there is a partition, or whether there is one for the distance given.

    `decide(problem, balls, distance, deadline)` gets the pairs within the distance and answers for it. Only distances
    between vertices matter: from a bound on, steps double until one is feasible, then the rest is halved; the true radius
    of what was found counts.
    """
    blocked = obstacle(problem)
    if blocked is not None:
        return Outcome(None, None, math.inf, blocked)
    if problem.distance is not None:
        return _one(problem, problem.distance, decide, deadline)
    low = 0.0
    for within, radius, _ in growing(problem):
        start, _ = least_radius(within, problem.lower)
        if math.isinf(start):
            continue
        outcome = _smallest(problem, decide, within, max(low, start), deadline)
        if outcome is not None:
            return outcome
        low = np.nextafter(radius, math.inf)
    return Outcome(None, None, math.inf, Reason("there is no partition for any distance"))


def growing(problem: Problem, radius: float | None = None) -> Iterator[tuple[Balls, float, bool]]:
    """Balls of twice the radius each time, until all of every component is within them, which the last value says."""
    network = problem.network
    component = kernels.components(network.indptr, network.indices)
    everything = np.bincount(component)[component]
    if not radius:
        radius = 1.0 if network.lengths is None or not network.lengths.any() else float(network.lengths.mean())
    while True:
        within = balls(network, radius)
        whole = np.array_equal(np.diff(within.indptr), everything)
        yield within, radius, whole
        if whole:
            return
        radius *= 2


def _one(problem: Problem, distance: float, decide: Decide, deadline: Deadline) -> Outcome:
    within = balls(problem.network, distance)
    bound, vertex = least_radius(within, problem.lower)
    if bound > distance:
        text = f"the surroundings{{}}: nobody within {distance:g} has {problem.lower} vertices within that distance"
        return Outcome(None, None, math.inf, Reason(text, vertex))
    answer = decide(problem, within, distance, deadline)
    if answer.feasible is False:
        reason = (
            answer.reason if answer.reason.text else Reason(f"there is no partition within the distance {distance:g}")
        )
        return Outcome(None, None, math.inf, reason)
    if answer.labels is None:
        return Outcome(None, None, bound, answer.reason if answer.reason.text else TIME_IS_UP)
    return Outcome(answer.labels, best_centres(within, answer.labels)[0], bound)


def _smallest(problem: Problem, decide: Decide, within: Balls, low: float, deadline: Deadline) -> Outcome | None:
    """The smallest distance from `low` on among those of the balls; None if none of them is feasible."""
    candidates = np.unique(within.distances)
    candidates = candidates[candidates >= low]
    below, above, step = -1, len(candidates), 1  # infeasible up to `below`, feasible from `above` on
    found: Outcome | None = None
    while below + 1 < above:
        at = min(below + step, above - 1) if found is None else (below + above) // 2
        answer = decide(problem, within.within(candidates[at]), float(candidates[at]), deadline)
        if answer.feasible is None:
            reason = answer.reason if answer.reason.text else TIME_IS_UP
            labels, centres = (None, None) if found is None else found[:2]
            return Outcome(labels, centres, float(candidates[below + 1]), reason)
        if answer.feasible and answer.labels is not None:
            centres, radii = best_centres(within, answer.labels)
            above = min(at, int(np.searchsorted(candidates, radii.max())))
            found = Outcome(answer.labels, centres, float(candidates[above]))
        else:
            below, step = at, step * 2
    return found if found is None else found._replace(bound=float(candidates[above]))
