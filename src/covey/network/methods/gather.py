"""r-gather: clusters that need not be connected, of at most twice the least radius, with a certificate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from covey._kernels import network as kernels
from covey.errors import InputError, OptionError
from covey.network.methods.carving import needed_radius
from covey.network.methods.method import NetworkMethod
from covey.network.methods.obstacles import obstacle
from covey.network.methods.problem import Outcome, Reason
from covey.network.methods.splitting import split

if TYPE_CHECKING:
    from covey.network.methods.problem import Deadline, Problem

_MOST_PAIRS = 200_000_000
_MOST_FOR_CENTRES = 2048  # vertices, up to which the kernel tries every vertex as a centre


@dataclass(frozen=True)
class Gather(NetworkMethod):
    """Heads more than D apart; each is given `lower` vertices within D, by augmenting paths, the others join the nearest.

    For D of at least twice the least radius that always works, for two vertices of a cluster are within D: so the radius is at
    most D and the bound at least D / 2, for the smallest D that works and below which nothing does. Approximate, by a factor of
    2 at most. Large clusters are split, for which `upper` must be None or at least 2 lower - 1. Near-linear in the pairs within
    D of the heads. Source: Aggarwal et al. 2010, *Achieving anonymity via clustering*; the lemma is in the kernel.

    The other options are those of `NetworkMethod`.

    Examples
    --------
    >>> found = Gather().solve([(i, i + 1) for i in range(8)], 3)
    >>> found.bound <= 1.0 <= found.radius <= 2 * found.bound
    True
    """

    name: ClassVar[str] = "gather"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset({(False, "radius")})

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:  # noqa: ARG002
        if not problem.splits:
            msg = (
                f"lower is {problem.lower} and upper is {problem.upper}; needed for gather: upper of None or at least "
                f"{2 * problem.lower - 1}, so that large clusters can be split"
            )
            raise OptionError(msg)
        blocked = obstacle(problem)
        if blocked is not None:
            return Outcome(None, None, math.inf, blocked)
        network = problem.network
        graph = network.indptr, network.indices, network.lengths
        gathered = kernels.gather(*graph, problem.lower, _MOST_PAIRS)
        if gathered is None:
            msg = f"more than {_MOST_PAIRS:.0e} pairs of vertices are too near to tell apart; needed: a smaller network, or method='carving'"
            raise InputError(msg)
        labels, centres, distances, within = gathered
        if problem.n <= _MOST_FOR_CENTRES:
            centres, distances = kernels.centres(*graph, labels)
        bound = max(needed_radius(network, problem.lower), _half(within, whole=network.lengths is None))
        if problem.distance is not None and distances.max() > problem.distance:
            text = f"gather found a radius of {distances.max():g}, which does not tell whether {problem.distance:g} is possible"
            return Outcome(None, None, math.inf if bound > problem.distance else bound, Reason(text))
        labels, centres = split(problem, labels, centres)
        return Outcome(labels, centres, bound, distances=distances)


def _half(within: float, *, whole: bool) -> float:
    """Distances of edges of length 1 are whole numbers."""
    return float(math.ceil(within / 2)) if whole else within / 2
