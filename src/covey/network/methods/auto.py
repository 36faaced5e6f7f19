"""The choice of a method for a network, from its width, its vertex cover and its size."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.network.methods.carving import Carving
from covey.network.methods.cover.cluster_types import ClusterTypes
from covey.network.methods.cover.kernelization import Kernel
from covey.network.methods.distances import TooManyPairsError
from covey.network.methods.gather import Gather
from covey.network.methods.milp import Multiplicity
from covey.network.methods.pipeline import Pipeline
from covey.network.methods.problem import Outcome, Reason
from covey.network.methods.solution import as_solution
from covey.network.methods.treewidth.decomposition import low_width
from covey.network.methods.treewidth.method import Treewidth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.network.graph import Network
    from covey.network.methods.method import NetworkMethod
    from covey.network.methods.problem import Deadline, Problem
    from covey.network.methods.solution import NetworkSolution
    from covey.utils.typing import Progress

_MOST_FOR_A_TREE = 50_000  # vertices, for the dynamic program
_MOST_FOR_WIDTH_TWO = 3_000
_MOST_FOR_PROGRAMS = 5_000  # for integer programs and CP-SAT
_MOST_FOR_COVERS = (
    20_000  # for the radius of any clusters: a cover around few centres is mostly found, or refuted, at once
)
_FEW = 300  # no need to look for a small cover
_SMALL_COVER = 4


class Choice(NamedTuple):
    """A method, why it was chosen, and the part of the time that is left which it may take."""

    method: type[NetworkMethod]
    why: str
    share: float = 1.0


def choices(problem: Problem) -> Iterator[Choice]:
    """The methods to try in turn until one proves its answer: carving, which takes no time to speak of, then exact ones."""
    n = problem.n
    yield Choice(Carving, "always first, for clusters to be compared with")
    cover = greedy_cover(problem.network, _SMALL_COVER)
    if problem.objective == "radius" and cover is not None and n > _FEW:
        yield from _by_cover(problem, cover)
    if problem.connected:
        yield from _connected(problem)
    elif problem.objective == "radius" and n <= _MOST_FOR_COVERS:
        yield Choice(Multiplicity, f"{n} vertices are few enough for an integer program")
    elif n <= _MOST_FOR_PROGRAMS:
        yield Choice(Multiplicity, f"{n} vertices are few enough for an integer program", 0.5)
        yield Choice(Pipeline, "connected clusters are clusters, too, and their search goes another way")


def last_choices(problem: Problem) -> Iterator[Choice]:
    """What is left where no exact method can be tried."""
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


def solve(
    problem: Problem, deadline: Deadline, options: dict[str, Any], progress: Progress | None = None
) -> NetworkSolution:
    """Try the chosen methods in turn until one answers; the best clusters, and the best bound of all."""
    step = progress or (lambda _what: None)
    known = _Known(problem)
    for choice in choices(problem):
        step(known.sentence(choice))
        with contextlib.suppress(TooManyPairsError):
            known.add(choice, choice.method(**options), deadline)
        if known.answered:
            return known.solution()
    if not known.by_exact:
        for choice in last_choices(problem):
            step(known.sentence(choice))
            known.add(choice, choice.method(**options), deadline)
    return known.solution()


class _Known:
    """What the methods found so far."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.best: NetworkSolution | None = None
        self.clusters = Outcome(None, None, 0.0)
        self.bound = 0.0
        self.method: NetworkMethod = Carving()
        self.tried: list[Choice] = []
        self.reason = Reason()

    def add(self, choice: Choice, method: NetworkMethod, deadline: Deadline) -> None:
        """Ask a method; keep its clusters if they are better, and its bound if it is higher and holds for the question."""
        problem = self.problem
        if (problem.connected, problem.objective) in method.answers:
            outcome = method.outcome(problem, deadline.share(choice.share, math.inf))
        else:  # its clusters are connected, which no bound may take for granted
            outcome = method.outcome(replace(problem, connected=True), deadline.share(choice.share, math.inf))
            outcome = outcome._replace(bound=0.0, reason=Reason())
        solution = as_solution(self.problem, outcome, method)
        self.tried.append(choice)
        if self.best is None or _rank(solution) < _rank(self.best):
            self.best, self.clusters, self.method = solution, outcome, method
        if outcome.reason.text:
            self.reason = outcome.reason
        if outcome.bound >= self.bound:
            self.bound = outcome.bound
            if self.best.loss <= self.bound:
                self.method = method

    @property
    def by_exact(self) -> bool:
        """Whether an exact method had its say."""
        return len(self.tried) > 1

    @property
    def answered(self) -> bool:
        """Whether it is proven that nothing is better, or clusters within the distance that was given are found."""
        if self.best is None:
            return False
        within = self.problem.distance is not None and self.problem.objective == "radius"
        fits = self.best.partition is not None and not self.best.oversize
        return math.isinf(self.bound) or (fits and (within or self.best.loss <= self.bound))

    def sentence(self, choice: Choice) -> str:
        """What is being done, and what is known so far."""
        found = "" if self.best is None or self.best.partition is None else f"; {self.best.loss:g} so far"
        return f"clustering by {choice.method.name}{found}{f', at least {self.bound:g}' if found else ''}"

    def solution(self) -> NetworkSolution:
        """The best clusters with the best bound, and who was needed for both."""
        reason = self.clusters.reason if self.clusters.reason.text else self.reason
        outcome = self.clusters._replace(bound=self.bound, reason=reason)
        names = [choice.method.name for choice in self.tried]
        choice = "; then ".join(f"{choice.method.name}: {choice.why}" for choice in self.tried)
        found_by = "" if self.best is None else self.best.found_by
        return as_solution(self.problem, outcome, self.method, choice, names, found_by)


def _rank(solution: NetworkSolution) -> tuple[bool, int, float, float, float]:
    """What comes first is better: a proof that there are none, then clusters none of which is too large, of less loss."""
    return (
        solution.status != "infeasible",
        solution.oversize,
        solution.loss,
        solution.total,
        solution.radius,
    )
