"""The choice of a method for a network, from its width, its vertex cover and its size."""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.network.methods.carving import Carving
from covey.network.methods.cover.cluster_types import ClusterTypes
from covey.network.methods.cover.kernelization import Kernel
from covey.network.methods.distances import TooManyPairsError
from covey.network.methods.gather import Gather
from covey.network.methods.milp import Multiplicity
from covey.network.methods.pipeline import Pipeline
from covey.network.methods.problem import Outcome
from covey.network.methods.solution import as_solution
from covey.network.methods.treewidth.decomposition import low_width
from covey.network.methods.treewidth.method import Treewidth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.network.graph import Network
    from covey.network.methods.method import NetworkMethod
    from covey.network.methods.problem import Deadline, Problem
    from covey.network.methods.solution import NetworkSolution

_MOST_FOR_A_TREE = 50_000  # vertices, for the dynamic program
_MOST_FOR_WIDTH_TWO = 3_000
_MOST_FOR_PROGRAMS = 5_000  # for integer programs and CP-SAT
_FEW = 300  # no need to look for a small cover
_SMALL_COVER = 4


class Choice(NamedTuple):
    """A method, why it was chosen, and the part of the time that is left which it may take."""

    method: type[NetworkMethod]
    why: str
    share: float = 1.0


def choices(problem: Problem) -> Iterator[Choice]:
    """The exact methods to try in turn until one proves its answer."""
    n = problem.n
    cover = greedy_cover(problem.network, _SMALL_COVER)
    if problem.objective == "radius" and cover is not None and n > _FEW:
        yield from _by_cover(problem, cover)
    if problem.connected:
        yield from _connected(problem)
    elif n <= _MOST_FOR_PROGRAMS:
        yield Choice(Multiplicity, f"{n} vertices are few enough for an integer program")


def last_choices(problem: Problem) -> Iterator[Choice]:
    """What is left where no exact method can be tried."""
    yield Choice(Carving, f"{problem.n} vertices, or what is near them, are too many for an exact method")
    if not problem.connected and problem.splits and problem.objective == "radius":
        yield Choice(Gather, "r-gather, for its bound")


def _by_cover(problem: Problem, cover: int) -> Iterator[Choice]:
    touch = "one vertex touches every edge" if cover == 1 else f"{cover} vertices touch every edge"
    if problem.connected and problem.lower > 1 and cover * problem.upper < problem.n:
        yield Choice(Kernel, f"{touch}: no more than {cover} connected clusters")
    elif problem.n <= _MOST_FOR_PROGRAMS:
        yield Choice(ClusterTypes, f"{touch}: few types of vertices", 0.5)


def _connected(problem: Problem) -> Iterator[Choice]:
    n = problem.n
    width = low_width(problem.network) if n <= _MOST_FOR_A_TREE and problem.objective == "radius" else None
    if width is not None and (width <= 1 or n <= _MOST_FOR_WIDTH_TWO):
        what = "a forest" if width <= 1 else "a network of width 2"
        yield Choice(Treewidth, f"{what}: dynamic programming", 0.5)
    if n <= _MOST_FOR_PROGRAMS:
        yield Choice(Pipeline, f"{n} vertices are few enough for bounds and CP-SAT")


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
    known = _Known(problem)
    for choice in choices(problem):
        with contextlib.suppress(TooManyPairsError):
            known.add(choice, choice.method(**options), deadline)
        if known.proven:
            break
    if known.best is None:
        for choice in last_choices(problem):
            known.add(choice, choice.method(**options), deadline)
            if known.proven:
                break
    return known.solution()


class _Known:
    """What the methods found so far."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.best: NetworkSolution | None = None
        self.clusters = Outcome(None, None, 0.0)
        self.bound = -math.inf
        self.method: NetworkMethod = Carving()
        self.tried: list[Choice] = []
        self.proven = False

    def add(self, choice: Choice, method: NetworkMethod, deadline: Deadline) -> None:
        """Ask a method; keep its clusters if they are better, and its bound if it is higher."""
        self.tried.append(choice)
        outcome = method.outcome(self.problem, deadline.share(choice.share, math.inf))
        solution = as_solution(self.problem, outcome, method)
        if self.best is None or solution.status == "infeasible" or solution.loss < self.best.loss:
            self.best, self.clusters, self.method = solution, outcome, method
        if outcome.bound > self.bound:
            self.bound = outcome.bound
            if self.best.loss <= self.bound:
                self.method = method
        self.proven = math.isinf(self.bound) or (self.best.loss <= self.bound and not self.best.oversize)

    def solution(self) -> NetworkSolution:
        """The best clusters with the best bound, and who was needed for both."""
        outcome = self.clusters._replace(bound=self.bound)
        names = [choice.method.name for choice in self.tried]
        choice = "; then ".join(f"{choice.method.name}: {choice.why}" for choice in self.tried)
        return as_solution(self.problem, outcome, self.method, choice, names)
