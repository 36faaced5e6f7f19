"""`NetworkMethod`: what every way of clustering a network offers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

from covey.core.method import Method
from covey.errors import OptionError
from covey.network.methods.problem import Deadline, Outcome, Problem, as_problem
from covey.network.methods.search import search
from covey.network.methods.solution import NetworkSolution, as_solution
from covey.utils.arrays import check_time_limit

if TYPE_CHECKING:
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Answer

SECONDS = 60.0


@dataclass(frozen=True)
class NetworkMethod(Method):
    """A way to cluster a network. `answers` says for which questions: connected clusters or any, the radius or the sum.

    Parameters
    ----------
    upper
        The largest number of vertices in a cluster.
    distance
        The largest distance to a centre that is allowed; None: the smallest is wanted.
    connected
        Whether the edges inside each cluster must connect it.
    objective
        "radius" or "sum".
    length
        The edge attribute that holds the lengths; None: every edge is 1.
    time_limit
        In seconds; None: no limit.

    Examples
    --------
    >>> from covey.network import METHODS
    >>> METHODS["carving"]().name
    'carving'
    """

    upper: SupportsIndex | None = None
    distance: float | None = None
    connected: bool = False
    objective: str = "radius"
    length: str | None = None
    time_limit: float | None = SECONDS

    answers: ClassVar[frozenset[tuple[bool, str]]]
    """The pairs (connected, objective) that the method can answer."""

    def __post_init__(self) -> None:
        check_time_limit(self.time_limit)

    def solve(self, X: Any, k: SupportsIndex) -> NetworkSolution:
        """Cluster the network X with at least k vertices in each cluster."""
        problem = self.problem(X, k)
        return as_solution(problem, self.outcome(problem, Deadline(self.time_limit)), self)

    def problem(self, graph: Any, lower: SupportsIndex) -> Problem:
        """What is asked, validated."""
        problem = as_problem(
            graph,
            lower,
            self.upper,
            self.distance,
            connected=self.connected,
            objective=self.objective,
            length=self.length,
        )
        if (problem.connected, problem.objective) not in self.answers:
            kind = "connected clusters" if problem.connected else "clusters that need not be connected"
            msg = f"method {self.name!r} cannot find the least {problem.objective} of {kind}; see covey.network.METHODS, or use auto"
            raise OptionError(msg)
        return problem

    @abstractmethod
    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:
        """What the method finds before the deadline."""


@dataclass(frozen=True)
class DecisionMethod(NetworkMethod):
    """A method that answers whether there is a partition within a distance; the smallest is searched for."""

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:
        return search(problem, self.decide, deadline)

    @abstractmethod
    def decide(self, problem: Problem, within: Balls, distance: float, deadline: Deadline) -> Answer:
        """Whether there is a partition within the distance; `within` holds the pairs of vertices that are."""
