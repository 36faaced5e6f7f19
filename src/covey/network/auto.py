"""The choice of a method for a network, from its width, its vertex cover and its size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.network.carving import Carving
from covey.network.cluster_types import ClusterTypes
from covey.network.connected import Pipeline
from covey.network.decomposition import low_width
from covey.network.gather import Gather
from covey.network.kernel import Kernel
from covey.network.solution import as_solution
from covey.network.treewidth import Treewidth
from covey.network.unconnected import Multiplicity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.network.graph import Network
    from covey.network.method import NetworkMethod
    from covey.network.problem import Deadline, Problem
    from covey.network.solution import NetworkSolution

_MOST_FOR_A_TREE = 50_000  # vertices, for the dynamic program
_MOST_FOR_WIDTH_TWO = 3_000
_MOST_FOR_PROGRAMS = 5_000  # for integer programs and CP-SAT
_SMALL_COVER = 4


class Choice(NamedTuple):
    """A method, why it was chosen, and the part of the time that is left which it may take."""

    method: type[NetworkMethod]
    why: str
    share: float = 1.0


def choices(problem: Problem) -> Iterator[Choice]:
    """The methods to try in turn until one proves its answer."""
    n, network = problem.n, problem.network
    cover = greedy_cover(network, _SMALL_COVER)
    if problem.objective == "radius" and cover is not None and n > 300:
        yield from _by_cover(problem, cover)
    if problem.connected:
        yield from _connected(problem)
    elif n <= _MOST_FOR_PROGRAMS:
        yield Choice(Multiplicity, f"{n} vertices are few enough for an integer program")
    else:
        why = f"{n} vertices are too many for an exact method"
        yield Choice(Carving, why)
        if problem.splits and problem.objective == "radius":
            yield Choice(Gather, f"{why}; r-gather for its bound")


def _by_cover(problem: Problem, cover: int) -> Iterator[Choice]:
    touch = f"{cover} vertices touch every edge"
    if problem.connected and problem.lower > 1 and cover * problem.upper < problem.n:
        yield Choice(Kernel, f"{touch}: no more than {cover} connected clusters")
    else:
        yield Choice(ClusterTypes, f"{touch}: few types of vertices", 0.5)


def _connected(problem: Problem) -> Iterator[Choice]:
    n = problem.n
    width = low_width(problem.network) if n <= _MOST_FOR_A_TREE and problem.objective == "radius" else None
    if width is not None and (width <= 1 or n <= _MOST_FOR_WIDTH_TWO):
        what = "a forest" if width <= 1 else "a network of width 2"
        yield Choice(Treewidth, f"{what}: dynamic programming", 0.5)
    if n <= _MOST_FOR_PROGRAMS:
        yield Choice(Pipeline, f"{n} vertices are few enough for bounds and CP-SAT")
    else:
        yield Choice(Carving, f"{n} vertices are too many for an exact method")


def greedy_cover(network: Network, most: int) -> int | None:
    """The size of a vertex cover of the vertices with the most edges; None if it takes more than `most` of them."""
    tails, heads, _ = network.edges()
    for size in range(most + 1):
        if not len(tails):
            return size
        busiest = int(np.argmax(np.bincount(np.concatenate([tails, heads]))))
        left = (tails != busiest) & (heads != busiest)
        tails, heads = tails[left], heads[left]
    return None


def solve(problem: Problem, deadline: Deadline, options: dict[str, Any]) -> NetworkSolution:
    """Try the chosen methods in turn until one proves its answer; the best clusters, and the best bound of all."""
    best: NetworkSolution | None = None
    bound, tried = -math.inf, []
    for choice in choices(problem):
        method = choice.method(**options)
        tried.append(f"{method.name}: {choice.why}")
        outcome = method.outcome(problem, deadline.share(choice.share, math.inf))
        found = as_solution(problem, outcome, method)
        bound = max(bound, outcome.bound)
        if best is None or found.loss < best.loss or found.status == "infeasible":
            best, clusters = found, outcome
        if found.status in ("optimal", "infeasible") or (best.loss <= bound and not best.oversize):
            break
    assert best is not None
    by = method if bound > clusters.bound else best.method
    return as_solution(problem, clusters._replace(bound=bound), by, "; then ".join(tried))
