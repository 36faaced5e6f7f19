"""Connected clusters cut off a network one after the other: a heuristic for networks of any size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey._kernels import network as kernels
from covey.network.methods.method import NetworkMethod
from covey.network.methods.obstacles import obstacle
from covey.network.methods.problem import Outcome, Reason
from covey.network.methods.splitting import split
from covey.utils.arrays import check_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.graph import Network
    from covey.network.methods.problem import Deadline, Problem
    from covey.utils.typing import Labels

_MOST_NEAR = 50_000_000  # distances to the nearest vertices that are kept for a bound: 400 MB
_ROUNDING = 1e-9  # of sums of lengths
_MOST_STEPS = 2_000_000_000  # for a bound; above, hubs make it as slow as they are large


@dataclass(frozen=True)
class Carving(NetworkMethod):
    """Clusters grow around the vertices that hang on little; then a few at a time are carved anew, while that is better.

    Heuristic: every cluster is connected and has at least `lower` vertices; at most `upper` wherever that is found, and
    `NetworkSolution.oversize` counts the others. A component below `lower` is infeasible; a vertex that blocks every
    partition is named and its cluster is too large. Clusters that need not be connected are never too large if `upper` is at
    least 2 lower - 1. Of the radius and the sum of distances the one that is asked for comes first. O(n + m) and a bounded search: a million
    vertices take seconds, whatever `time_limit` is. The bound is the lower-th nearest vertex of some centre near each vertex.

    The other options are those of `NetworkMethod`.

    Parameters
    ----------
    seed
        The same seed gives the same clusters on every machine.

    Examples
    --------
    >>> found = Carving(upper=5, connected=True).solve([(i, i + 1) for i in range(8)], 3)
    >>> found.radius, found.partition.sizes.tolist(), found.oversize, found.status
    (1.0, [3, 3, 3], 0, 'optimal')
    """

    seed: int = 0

    name: ClassVar[str] = "carving"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset(
        {(connected, objective) for connected in (True, False) for objective in ("radius", "sum")}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_seed(self.seed)

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:  # noqa: ARG002
        network = problem.network
        blocked = obstacle(problem)
        if np.bincount(kernels.components(network.indptr, network.indices)).min() < problem.lower:
            return Outcome(None, None, math.inf, blocked or Reason())
        labels, centres, distances = carved(problem, int(self.seed) % 2**64)
        if not problem.connected:
            labels, centres = split(problem, labels, centres)
        bound = needed_radius(network, problem.lower) if problem.objective == "radius" else needed_sum(problem)
        if problem.distance is not None and distances.max() > problem.distance:
            text = f"carving found a radius of {distances.max():g}, which does not tell whether {problem.distance:g} is possible"
            return Outcome(None, None, bound, Reason(text))
        over = int(np.count_nonzero(np.bincount(labels) > problem.upper))
        reason = blocked or Reason(f"carving left {over} clusters above upper = {problem.upper}")
        return Outcome(labels, centres, bound, reason if over else Reason(), distances)


def carved(problem: Problem, seed: int) -> tuple[Labels, NDArray[np.int32], NDArray[np.float64]]:
    """Connected clusters, their centres, and the distance of every vertex to its own.

    For the least sum the clusters are searched by that; where a distance is given and they exceed it, by the radius.
    """
    graph = problem.network.indptr, problem.network.indices, problem.network.lengths
    limit = math.inf if problem.distance is None else problem.distance
    for of_sum in (True, False) if problem.objective == "sum" else (False,):
        labels = kernels.carve(*graph, problem.lower, problem.upper, seed, of_sum)
        centres, distances = kernels.centres(*graph, labels, of_sum)
        if distances.max() <= limit:
            break
    return labels, centres, distances


def needed_radius(network: Network, lower: int) -> float:
    """A radius that every partition into clusters of at least `lower` needs; 0 where it would take too long to find out.

    >>> from covey.network.reading import as_network
    >>> needed_radius(as_network([(0, 1), (1, 2), (2, 3)]), 3)
    1.0
    """
    degrees = network.degrees.astype(np.float64)
    if network.lengths is not None and degrees @ degrees > _MOST_STEPS:
        return 0.0
    return kernels.least_radius(network.indptr, network.indices, network.lengths, lower)


def needed_sum(problem: Problem) -> float:
    """A sum of distances that every partition needs: the larger of two.

    At most one vertex of a cluster is its centre, and there are at most n / lower clusters; every other vertex is at least
    its shortest edge away. And every vertex pays its part of the cheapest cluster that it can be in: the lemma is in the kernel.
    """
    simple, network = _simple_sum(problem), problem.network
    most = min(problem.upper, 2 * problem.lower - 1)
    if problem.n * most > _MOST_NEAR:
        return simple
    paid = kernels.least_sum(network.indptr, network.indices, network.lengths, problem.lower, most) * (1 - _ROUNDING)
    return max(simple, paid if network.lengths is not None else float(math.ceil(paid)))


def _simple_sum(problem: Problem) -> float:
    network = problem.network
    if network.lengths is None:
        return float(problem.n - problem.n // problem.lower) if problem.lower > 1 else 0.0
    shortest = np.zeros(problem.n)
    some = np.flatnonzero(network.degrees)
    if len(some):
        shortest[some] = np.minimum.reduceat(network.lengths, network.indptr[some])
    return math.fsum(np.sort(shortest)[: problem.n - problem.n // problem.lower])
