"""`Kernel`: what a vertex cover leaves of a network is small, and searched through; observation 4 and theorem 5."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey.network.methods.cover.exhaustive import MOST_STATES, TooManyError, exhaust, labels_of, most_needed
from covey.network.methods.cover.method import CoverMethod, answer_of
from covey.network.methods.obstacles import obstacle
from covey.network.methods.problem import Answer, Outcome, Reason
from covey.network.methods.search import search

if TYPE_CHECKING:
    from covey.network.methods.cover.cover import Types
    from covey.network.methods.problem import Deadline, Problem


@dataclass(frozen=True)
class Kernel(CoverMethod):
    """The smallest distance by a kernel: a small network that has clusters if and only if the whole has; exact.

    Connected clusters (observation 4): each of two vertices or more holds one of the cover, so more than vc u vertices are
    too many. Others (reduction rule 1, theorem 5): of many vertices of one type, `lower` can be clusters of their own and are
    taken out. The kernel is then searched through. FPT in vc + u.
    Source: Blazej, Ganian, Knop, Pokorny, Schierreich, Simonov, AAAI 2023.

    The other options are those of `NetworkMethod`.

    Parameters
    ----------
    cover
        The vertices of a vertex cover, by name; None: a minimum one.

    Examples
    --------
    >>> star = [("hub", leaf) for leaf in range(8)]
    >>> Kernel(upper=3).solve(star, 3).radius
    1.0
    """

    name: ClassVar[str] = "kernel"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset({(True, "radius"), (False, "radius")})

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:
        """Observation 4 needs no distances: asked first, it answers for networks of any size."""
        if not problem.connected or problem.lower == 1:
            return super().outcome(problem, deadline)
        cover = self._cover(problem, deadline)
        if cover is not None and problem.n > len(cover) * problem.upper and obstacle(problem) is None:
            return Outcome(None, None, math.inf, _observation_4(len(cover), problem.upper))
        return search(problem, partial(self._decide, cover=lambda: cover), deadline)

    def by_types(self, problem: Problem, types: Types, distance: float, deadline: Deadline) -> Answer:
        if problem.lower == 1:  # observation 4 does not hold: clusters of one need no vertex of the cover
            return answer_of(np.arange(problem.n, dtype=np.int32), "", distance)
        if problem.connected and problem.n > types.cover * problem.upper:
            return Answer(False, reason=_observation_4(types.cover, problem.upper))
        theorem = "observation 4 (vertex cover)" if problem.connected else "theorem 5 (vertex cover)"
        taken_out = [0] * len(types.members) if problem.connected else reduction(problem, types)
        counts = [count - out for count, out in zip(types.counts, taken_out, strict=True)]
        try:
            clusters = exhaust(problem, types, counts, deadline)
        except TooManyError:
            text = f"the kernel has {sum(counts)} vertices, and its search needs more than {MOST_STATES} states"
            return Answer(None, reason=Reason(text))
        if clusters is None:
            return answer_of(None, theorem, distance)
        labels = labels_of(types, clusters + _put_back(taken_out, problem.lower))
        return answer_of(labels, theorem, distance)


def _observation_4(cover: int, upper: int) -> Reason:
    return Reason(f"by observation 4 at most {cover} * {upper} vertices can be in connected clusters, for any distance")


def reduction(problem: Problem, types: Types) -> list[int]:
    """How many vertices of each type reduction rule 1 takes out: `lower` at a time while there are `most_alike`."""
    most = most_alike(problem, types)
    rounds = [max(0, count - most) // problem.lower + 1 if count >= most else 0 for count in types.counts]
    return [problem.lower * times for times in rounds]


def most_alike(problem: Problem, types: Types) -> int:
    """How many vertices of one type are enough for reduction rule 1: `lower` of them can be taken out.

    Some solution has each mixture of types, among clusters without the cover, less than `lower` times: `lower` of them can be
    regrouped by type. Then at most (u-1) ((l-1) mixtures + vc) vertices of a type are not among their own; of the clusters
    of the others, `lower` have the same size s if they are more than (l-1) (u-l+1), and can be regrouped into s of `lower`.
    """
    lower, upper = problem.lower, most_needed(problem)
    kinds = len(types.members) - types.cover
    mixtures = sum(math.comb(kinds + size - 1, size) - kinds for size in range(lower, upper + 1))
    mixed = (upper - 1) * ((lower - 1) * mixtures + types.cover)
    return mixed + upper * (lower - 1) * (upper - lower + 1) + 1


def _put_back(taken_out: list[int], lower: int) -> list[tuple[int, ...]]:
    """Clusters of `lower` vertices of one type."""
    found = []
    for kind, count in enumerate(taken_out):
        cluster = tuple(lower if other == kind else 0 for other in range(len(taken_out)))
        found += [cluster] * (count // lower)
    return found
