"""A sampled graph is moved nearer to the degrees and triangles that its release keeps.

An edge is taken from its place, inside a cluster or between two, and put between two vertices of the same place that share a neighbour, or
any two, where that brings degrees or triangles nearer to what is published and, if need be, leaves the cluster connected. Counts
of edges stay as they are. A heuristic: so many moves are tried for each edge, in all at most `_MOST_MOVES`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from covey.network.publish.kept import from_text

if TYPE_CHECKING:
    from covey.utils.arrow import Table
    from covey.utils.typing import Integers

_MOVES = 60
_MOST_MOVES = 400_000
_NEAR = 0.8
"""How often an edge is put where it closes a triangle."""
_DEGREE = 3
"""What a member with a wrong degree costs, in corners of triangles that are missing or too many."""


def shaped(
    ends: Integers, cluster: Integers, vertices: Table, rng: np.random.RandomState, *, connected: bool
) -> Integers:
    """The edges, moved within their places until they are nearer to what the table of clusters keeps."""
    if not {"degrees", "triangles"} & set(vertices.column_names) or not len(ends):
        return ends
    shape = _Shape(ends, cluster, vertices, connected=connected)
    for chances in rng.random_sample((min(_MOVES * len(ends), _MOST_MOVES), 4)).tolist():
        shape.try_move(chances)
    return np.array(shape.edges, dtype=np.int64)


class _Shape:
    """The graph while its edges are moved, and what is asked of it."""

    def __init__(self, ends: Integers, cluster: Integers, vertices: Table, *, connected: bool) -> None:
        names, count = vertices.column_names, vertices.num_rows
        self.connected = connected
        self.cluster: list[int] = cluster.tolist()
        self.members = [np.flatnonzero(cluster == number).tolist() for number in range(count)]
        self.corners_asked = vertices["triangles"].to_pylist() if "triangles" in names else [None] * count
        texts = vertices["degrees"].to_pylist() if "degrees" in names else [""] * count
        self.degrees_asked = [from_text(text) for text in texts]
        self.near: list[set[int]] = [set() for _ in self.cluster]
        self.inside = [0] * len(self.cluster)
        self.having = [Counter({0: len(members)}) for members in self.members]
        self.corners = [0] * count
        self.wrong = sum(asked or 0 for asked in self.corners_asked)
        self.edges: list[tuple[int, int]] = []
        for first, second in ends.tolist():
            self._put(first, second)
            self.edges.append((first, second))

    def try_move(self, chances: list[float]) -> None:
        """Move a random edge within its place, if that is better or as good."""
        number = int(chances[0] * len(self.edges))
        old = self.edges[number]
        place = self.cluster[old[0]], self.cluster[old[1]]
        new = self._unlinked(place, chances[1:])
        if new is None:
            return
        before = self._cost(place)
        self._take(*old)
        self._put(*new)
        if self._cost(place) <= before and self._holds(place):
            self.edges[number] = new
            return
        self._take(*new)
        self._put(*old)

    def _unlinked(self, place: tuple[int, int], chances: list[float]) -> tuple[int, int] | None:
        """Two vertices of the place that are not linked: a random one and mostly a neighbour of its neighbour, else any."""
        ends = [self.members[number] for number in place]
        first = ends[0][int(chances[0] * len(ends[0]))]
        if chances[1] < _NEAR and self.near[first]:
            near = _drawn(self.near[first], chances[1] / _NEAR)
            second = _drawn(self.near[near], chances[2])
        else:
            second = ends[1][int(chances[2] * len(ends[1]))]
        fits = self.cluster[second] == place[1] and second != first and second not in self.near[first]
        return (first, second) if fits else None

    def _cost(self, place: tuple[int, int]) -> int:
        """What is wrong with triangles, and with the degrees inside a cluster where its edges are moved."""
        if place[0] != place[1]:
            return self.wrong
        have = self.having[place[0]]
        missing = sum(max(0, count - have[degree]) for degree, count in self.degrees_asked[place[0]].items())
        return self.wrong + _DEGREE * missing

    def _holds(self, place: tuple[int, int]) -> bool:
        """Whether a cluster that must be connected is."""
        if not self.connected or place[0] != place[1]:
            return True
        members, reached = set(self.members[place[0]]), set[int]()
        front = {self.members[place[0]][0]}
        while front:
            reached |= front
            front = {far for near in front for far in self.near[near] & members} - reached
        return reached == members

    def _put(self, first: int, second: int) -> None:
        self._count(first, second, 1)
        self.near[first].add(second)
        self.near[second].add(first)

    def _take(self, first: int, second: int) -> None:
        self.near[first].discard(second)
        self.near[second].discard(first)
        self._count(first, second, -1)

    def _count(self, first: int, second: int, change: int) -> None:
        """A link comes or goes: its triangles, at all three corners, and the degrees inside a cluster."""
        for third in self.near[first] & self.near[second]:
            for corner in (first, second, third):
                number = self.cluster[corner]
                asked = self.corners_asked[number]
                if asked is not None:
                    have = self.corners[number]
                    self.wrong += abs(have + change - asked) - abs(have - asked)
                self.corners[number] += change
        if self.cluster[first] == self.cluster[second]:
            having = self.having[self.cluster[first]]
            for vertex in (first, second):
                having[self.inside[vertex]] -= 1
                self.inside[vertex] += change
                having[self.inside[vertex]] += 1


def _drawn(vertices: set[int], chance: float) -> int:
    """One of them, the same on every machine."""
    return sorted(vertices)[int(chance * len(vertices))]
