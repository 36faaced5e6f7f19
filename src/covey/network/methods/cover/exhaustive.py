"""Clusters by exhaustive search over the types of vertices: what is left to do once a kernel is small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.network.methods.cover.method import TimeIsUpError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from covey.network.methods.cover.cover import Types
    from covey.network.methods.problem import Deadline, Problem
    from covey.utils.typing import Labels

    Counts = tuple[int, ...]

MOST_STATES = 1_000_000


def most_needed(problem: Problem) -> int:
    """Where clusters need not be connected: one of 2 lower vertices or more can be cut in two, so none needs as many."""
    return min(problem.upper, 2 * problem.lower - 1)


class TooManyError(Exception):
    """The search would keep more states than it may."""


def exhaust(problem: Problem, types: Types, counts: Sequence[int], deadline: Deadline) -> list[Counts] | None:
    """Clusters of so many vertices of each type, as numbers of each type; None if there are none. Exact.

    The first vertex left is in some cluster: all kinds of clusters with it are tried, by how many of each type they hold; what
    was left once without a solution is not tried again. Exponential in the number of vertices.
    """
    return _Search(problem, types, deadline).run(tuple(counts))


def labels_of(types: Types, clusters: Sequence[Counts]) -> Labels:
    """Vertices for numbers of vertices."""
    labels = np.empty(sum(types.counts), dtype=np.int32)
    left = [members.tolist() for members in types.members]
    for label, cluster in enumerate(clusters):
        for kind, count in enumerate(cluster):
            labels[[left[kind].pop() for _ in range(count)]] = label
    return labels


class _Search:
    def __init__(self, problem: Problem, types: Types, deadline: Deadline) -> None:
        self.problem, self.types, self.deadline = problem, types, deadline
        self.steps = 0
        self.hopeless: set[Counts] = set()
        self.upper = problem.upper if problem.connected else most_needed(problem)

    def run(self, left: Counts) -> list[Counts] | None:
        """Depth first, without recursion: a chain of what is left and the clusters that are still to be tried there."""
        chain = [(left, self.clusters(left))]
        chosen: list[Counts] = []
        while chain:
            left, untried = chain[-1]
            cluster = next(untried, None)
            if cluster is None:
                self.hopeless.add(left)
                if len(self.hopeless) > MOST_STATES:
                    raise TooManyError
                chain.pop()
                if chosen:
                    chosen.pop()
                continue
            rest = tuple(have - take for have, take in zip(left, cluster, strict=True))
            if not any(rest):
                return [*chosen, cluster]
            if rest not in self.hopeless and self.is_hopeful(rest):
                chosen.append(cluster)
                chain.append((rest, self.clusters(rest)))
        return None

    def is_hopeful(self, left: Counts) -> bool:
        """The sizes fit, and connected clusters of two or more have vertices of the cover for all the others."""
        if not self.problem.connected or self.problem.lower == 1:
            return self.problem.sizes_fit(sum(left))
        cover = np.flatnonzero(left[: self.types.cover])
        rest = [kind for kind in range(self.types.cover, len(left)) if left[kind]]
        near = self.types.adjacent[rest][:, cover].any(axis=1).all()
        return bool(near) and sum(left) <= len(cover) * self.problem.upper and self.problem.sizes_fit(sum(left))

    def clusters(self, left: Counts) -> Iterator[Counts]:
        """The clusters with a vertex of the first type that is left, the largest first."""
        first = next(kind for kind, count in enumerate(left) if count)
        everyone = np.ones(len(left), dtype=bool)

        def grow(kind: int, size: int, taken: Counts, centres: NDArray[np.bool_]) -> Iterator[Counts]:
            self.tick()
            if kind == len(left):
                if size >= self.problem.lower and (not self.problem.connected or self.is_connected(taken)):
                    yield taken
                return
            least = 1 if kind == first else 0
            for count in range(min(left[kind], self.upper - size), least - 1, -1):
                shared = centres & self.centres_of(kind, count) if count else centres
                if shared.any():
                    yield from grow(kind + 1, size + count, (*taken, count), shared)

        return grow(0, 0, (), everyone)

    def centres_of(self, kind: int, count: int) -> NDArray[np.bool_]:
        """The types of centres that have so many vertices of a type; one can be its own centre."""
        centres: NDArray[np.bool_] = self.types.near[kind].copy()
        centres[kind] |= count == 1
        return centres

    def is_connected(self, taken: Counts) -> bool:
        kinds = [kind for kind, count in enumerate(taken) if count]
        if kinds[0] >= self.types.cover:  # nobody of the cover: no edges
            return sum(taken) == 1
        reached, todo = {kinds[0]}, [kinds[0]]
        while todo:
            v = todo.pop()
            new = [w for w in kinds if self.types.adjacent[v, w] and w not in reached]
            reached.update(new)
            todo += new
        return len(reached) == len(kinds)

    def tick(self) -> None:
        self.steps += 1
        if self.steps % 4096 == 0 and self.deadline.passed:
            raise TimeIsUpError
