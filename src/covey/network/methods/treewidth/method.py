"""`Treewidth`: clusters by dynamic programming over a tree decomposition, theorems 1 and 2 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from covey.network.methods.method import DecisionMethod
from covey.network.methods.search import search
from covey.network.methods.treewidth.connected import connected_by_treewidth
from covey.network.methods.treewidth.decomposition import decompose
from covey.network.methods.treewidth.unconnected import unconnected_by_treewidth

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Answer, Deadline, Outcome, Problem
    from covey.network.methods.treewidth.decomposition import NiceDecomposition


@dataclass(frozen=True)
class Treewidth(DecisionMethod):
    """The smallest distance by dynamic programming from the leaves of a tree decomposition to its root; exact.

    Connected clusters: theorem 2, O(n^3) + d^O(tw^2) u^O(tw) n; fast at width 1 and 2, up to width 5 with small
    distances and `upper`. Others: theorem 1, n^O((d+2)^tw); fast at width 1 and 2, and 3 where `lower` is small and `upper` at least
    twice that less 1. Both in C++. Where states outgrow the memory or the time the answer is "unknown". Source: Blazej, Ganian, Knop, Pokorny, Schierreich, Simonov, AAAI 2023.

    The other options are those of `NetworkMethod`.

    Parameters
    ----------
    decomposition
        A networkx tree whose nodes are frozensets of vertices, as
        `networkx.algorithms.approximation.treewidth_min_fill_in(G)[1]` gives it. None: low degrees first, then
        networkx.

    Examples
    --------
    >>> path = [(v, v + 1) for v in range(8)]
    >>> Treewidth(connected=True, upper=3).solve(path, 3).clusters()
    [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    """

    name: ClassVar[str] = "treewidth"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset({(True, "radius"), (False, "radius")})

    decomposition: Any = None

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:
        """One decomposition for all distances; one that was given is checked in any case."""
        nice = cache(lambda: decompose(problem.network, self.decomposition))
        if self.decomposition is not None:
            nice()
        return search(problem, partial(_decide, nice=nice), deadline)

    def decide(self, problem: Problem, within: Balls, distance: float, deadline: Deadline) -> Answer:
        return _decide(problem, within, distance, deadline, lambda: decompose(problem.network, self.decomposition))


def _decide(
    problem: Problem, within: Balls, distance: float, deadline: Deadline, nice: Callable[[], NiceDecomposition]
) -> Answer:
    solver = connected_by_treewidth if problem.connected else unconnected_by_treewidth
    return solver(problem, within, distance, deadline, nice())
