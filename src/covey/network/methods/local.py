"""A part of the network that no clusters can serve: a small proof that there are none within a distance.

Lemma: let W be some vertices. In every partition each vertex of W has a centre within the distance that has `lower` vertices
around it, and the clusters of these centres share no vertex. So if an integer program finds no such clusters, vertices
outside W being free to join them or not, there is no partition. W is the surroundings of a vertex with few centres to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.network.methods.program import Program
from covey.network.methods.serving import Serving
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Problem

_PLACES = 6
_MOST_AROUND = 150  # vertices of W
_SECONDS = 2.0  # for one program


def unserved(problem: Problem, within: Balls, distance: float, maximal: NDArray[np.bool_], deadline: Deadline) -> int:
    """A vertex whose surroundings cannot be served within the distance; -1 if none was found, which proves nothing.

    `maximal` are the centres whose ball lies in no other's: others need not be looked at.
    """
    useful = maximal & (np.diff(within.indptr) >= problem.lower)
    for place in _places(problem, within, useful):
        for around in _surroundings(problem, distance, place):
            if deadline.left < _SECONDS:
                return -1
            if _cannot_be_served(problem, within, useful, around):
                return place
    return -1


def _places(problem: Problem, within: Balls, useful: NDArray[np.bool_]) -> Iterator[int]:
    """Vertices with few centres to choose from, and those poor ones, away from each other."""
    sizes = np.where(useful, np.diff(within.indptr), 0)
    choice = np.add.reduceat(sizes[within.indices], within.indptr[:-1])
    near = np.zeros(problem.n, dtype=np.bool_)
    found = 0
    for v in np.argsort(choice, kind="stable").tolist():
        if found == _PLACES:
            return
        if not near[v]:
            near[within.indices[within.indptr[v] : within.indptr[v + 1]]] = True
            found += 1
            yield v


def _surroundings(problem: Problem, distance: float, place: int) -> Iterator[NDArray[np.int32]]:
    """Larger and larger balls around a vertex, while they are small and not the whole network, which the program itself is for."""
    network = problem.network
    far = load("scipy.sparse.csgraph").dijkstra(network.to_scipy(), indices=place, limit=8 * distance)
    before = 0
    for steps in (2, 4, 5, 6, 8):
        around = np.flatnonzero(far <= steps * distance).astype(np.int32)
        if len(around) > _MOST_AROUND or len(around) == problem.n:
            return
        if len(around) > before:
            before = len(around)
            yield around


def _cannot_be_served(problem: Problem, within: Balls, useful: NDArray[np.bool_], around: NDArray[np.int32]) -> bool:
    must = np.zeros(problem.n, dtype=np.bool_)
    must[around] = True
    rows = within.rows
    centre = np.zeros(problem.n, dtype=np.bool_)
    centre[within.indices[must[rows]]] = True
    centre &= useful
    kept = centre[rows]
    by, served = rows[kept], within.indices[kept]
    if not np.isin(around, served).all():
        return True
    vertices, kind = np.unique(served, return_inverse=True)
    centres, position = np.unique(by, return_inverse=True)
    serving = Serving(np.arange(len(vertices)), np.ones(len(vertices), dtype=np.int64), centres, kind, position)
    return Program(problem, serving, needed=must[vertices]).solve(_SECONDS).is_infeasible
