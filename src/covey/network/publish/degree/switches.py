"""Change a network until every vertex has the degree that is wanted of it, by few changes of edges."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InfeasibleError
from covey.network.graph import Network, build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from covey.utils.typing import Integers

_TRIES = 40
_DRAWS = 400


def realise(network: Network, targets: Integers, rng: np.random.RandomState) -> Network:
    """A network with the degrees `targets` on the same vertices, close to the given one. Heuristic; O(m) in practice.

    First edges are removed between vertices that have too many, added between such that have too few, and moved from one
    kind to the other. What is left is a few vertices of one kind, and other edges are switched to serve them. Where that
    fails, some pairs of edges exchange their ends at random, which changes no degree, and it is tried again.

    An `InfeasibleError` where that does not help. Lemma (Petersen): any two graphs with the same degrees are joined by
    exchanges, so that more of them can always help where the targets are graphical.

    >>> from covey.network.reading import as_network
    >>> path = as_network([(0, 1), (1, 2), (2, 3)])
    >>> realise(path, np.array([2, 2, 2, 2]), np.random.RandomState(0)).m
    4
    """
    work = _Switching(network, targets)
    for attempt in range(_TRIES):
        work.remove_between()
        work.add_between()
        work.move(rng)
        if work.finish(rng):
            return work.network(network)
        work.exchange(rng, 10 * (attempt + 1))
    left = int(np.abs(work.need).sum())
    raise InfeasibleError(
        f"no graph with these degrees was found: {left} of {int(targets.sum())} ends of edges have no place; "
        "lower k, or try another seed"
    )


class _Switching:
    """The neighbours of every vertex while edges change, and how many more it needs (less than 0: too many)."""

    def __init__(self, network: Network, targets: Integers) -> None:
        self.near = [
            set(network.indices[a:b].tolist()) for a, b in zip(network.indptr, network.indptr[1:], strict=False)
        ]
        self.need = (targets - network.degrees).astype(np.int64)

    def add(self, u: int, v: int) -> None:
        self.near[u].add(v)
        self.near[v].add(u)
        self.need[u] -= 1
        self.need[v] -= 1

    def remove(self, u: int, v: int) -> None:
        self.near[u].discard(v)
        self.near[v].discard(u)
        self.need[u] += 1
        self.need[v] += 1

    def short(self) -> list[int]:
        """Vertices that need neighbours, those that need most first."""
        found = np.flatnonzero(self.need > 0)
        return [int(v) for v in found[np.argsort(-self.need[found], kind="stable")]]

    def over(self) -> list[int]:
        """Vertices that have too many, those with most first."""
        found = np.flatnonzero(self.need < 0)
        return [int(v) for v in found[np.argsort(self.need[found], kind="stable")]]

    def remove_between(self) -> None:
        """Edges between two that have too many."""
        for u in self.over():
            for v in sorted(self.near[u], key=lambda v: (self.need[v], v)):
                if self.need[u] >= 0 or self.need[v] >= 0:
                    break
                self.remove(u, v)

    def add_between(self) -> None:
        """Edges between two that have too few: the neediest with the next ones."""
        queue = self.short()
        for place, u in enumerate(queue):
            for other in range(place + 1, len(queue)):
                v = queue[other]
                if self.need[u] <= 0:
                    break
                if self.need[v] > 0 and v not in self.near[u]:
                    self.add(u, v)

    def move(self, rng: np.random.RandomState) -> None:
        """Give edges of one that has too many to one that has too few."""
        short = self.short()
        for u in self.over():
            pool = rng.permutation(sorted(self.near[u])).tolist()
            for v in short:
                if self.need[u] >= 0:
                    break
                for x in pool:
                    if self.need[u] >= 0 or self.need[v] <= 0:
                        break
                    if x != v and x not in self.near[v]:
                        self.remove(u, x)
                        self.add(v, x)
                pool = [x for x in pool if x in self.near[u]]
            short = [v for v in short if self.need[v] > 0]

    def finish(self, rng: np.random.RandomState) -> bool:
        """Serve what is left by switching edges of others; whether nothing is left."""
        for waiting, serve in ((self.short, self._fill), (self.over, self._free)):
            while len(self._two(waiting)) == 2:
                u, v = self._two(waiting)
                if not serve(u, v, rng):
                    return False
        return not np.any(self.need)

    def _two(self, waiting: Callable[[], list[int]]) -> list[int]:
        """Two ends that wait: of two vertices, or twice the same."""
        return [v for v in waiting()[:2] for _ in range(min(2, abs(int(self.need[v]))))][:2]

    def _fill(self, u: int, v: int, rng: np.random.RandomState) -> bool:
        """Replace some edge x y by u x and v y."""
        for x, y in self._edges(rng):
            for a, b in ((x, y), (y, x)):
                if a not in self.near[u] and b not in self.near[v] and a != u and b != v:
                    self.remove(a, b)
                    self.add(u, a)
                    self.add(v, b)
                    return True
        return False

    def _free(self, u: int, v: int, rng: np.random.RandomState) -> bool:
        """Replace edges u x and v y by x y."""
        one, other = (rng.permutation(sorted(self.near[w])).tolist() for w in (u, v))
        for x in one:
            for y in other:
                if x not in (y, v) and y != u and y not in self.near[x]:
                    self.remove(u, x)
                    self.remove(v, y)
                    self.add(x, y)
                    return True
        return False

    def _edges(self, rng: np.random.RandomState) -> Iterator[tuple[int, int]]:
        """Edges in random order: a few of random vertices first, then all."""
        for v in rng.randint(0, len(self.near), _DRAWS).tolist():
            if self.near[v]:
                near = sorted(self.near[v])
                yield v, near[rng.randint(len(near))]
        every = [(u, v) for u, near in enumerate(self.near) for v in sorted(near) if u < v]
        yield from (every[place] for place in rng.permutation(len(every)))

    def exchange(self, rng: np.random.RandomState, times: int) -> None:
        """Exchange the ends of pairs of edges at random."""
        edges = list(islice(self._edges(rng), 2 * times))
        for (a, b), (c, d) in zip(edges[:times], edges[times:], strict=False):
            there = b in self.near[a] and d in self.near[c]
            if there and len({a, b, c, d}) == 4 and d not in self.near[a] and b not in self.near[c]:
                self.remove(a, b)
                self.remove(c, d)
                self.add(a, d)
                self.add(c, b)

    def network(self, before: Network) -> Network:
        """The changed network, on the same vertices."""
        tails = np.repeat(np.arange(before.n), [len(near) for near in self.near])
        heads = np.fromiter((v for near in self.near for v in near), dtype=np.int64, count=len(tails))
        once = tails < heads
        return build(before.n, tails[once], heads[once], None, before.names)
