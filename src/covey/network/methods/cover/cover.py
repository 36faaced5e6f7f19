"""Vertex covers, and the types of the vertices that are not in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import InputError, shown
from covey.utils.extras import load
from covey.utils.solvers import milp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.network.graph import Network
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline

MOST_TYPES = 1500


class Types(NamedTuple):
    """Vertices that are alike: each vertex of the cover alone, then the types of the others.

    The type of a vertex outside the cover is the list of its neighbours, all in the cover, with the lengths of the edges to
    them. Vertices of a type have the same distance to everything else, and all the same distance to each other.
    `near[t, c]`: a vertex of type t is within the distance of another of type c (t = c: two of the same type).
    `adjacent[t, c]`: there are edges between t and c.
    """

    members: list[NDArray[np.intp]]
    cover: int
    near: NDArray[np.bool_]
    adjacent: NDArray[np.bool_]

    @property
    def counts(self) -> list[int]:
        """How many vertices each type has."""
        return [len(members) for members in self.members]


def minimum_cover(network: Network, deadline: Deadline) -> list[int] | None:
    """The fewest vertices that touch every edge, by HiGHS; None if the deadline came first. NP-hard; exact.

    >>> from covey.network.methods.problem import Deadline
    >>> from covey.network.reading import as_network
    >>> minimum_cover(as_network([(0, 1), (1, 2), (1, 3)]), Deadline(None))
    [1]
    """
    optimize, sparse = load("scipy.optimize"), load("scipy.sparse")
    tails, heads, _ = network.edges()
    if not len(tails):
        return []
    rows = np.arange(len(tails))
    ends = sparse.csr_array(
        (np.ones(2 * len(tails)), (np.concatenate([rows, rows]), np.concatenate([tails, heads]))),
        shape=(len(tails), network.n),
    )
    result = milp(
        np.ones(network.n),
        constraints=optimize.LinearConstraint(ends, 1, np.inf),
        integrality=np.ones(network.n),
        bounds=optimize.Bounds(0, 1),
        seconds=deadline.left,
    )
    return None if result.status != 0 else [int(v) for v in np.flatnonzero(result.x > 0.5)]


def named_cover(network: Network, names: Any) -> list[int]:
    """Check that vertices, given by their names, touch every edge."""
    number = {name: v for v, name in enumerate(network.names)}
    try:
        given: Sequence[Any] = list(names)
        unknown = sum(name not in number for name in given)
    except TypeError:
        msg = f"cover is {shown(names)}; needed: the vertices of a cover, or None"
        raise InputError(msg) from None
    if unknown:
        msg = f"{unknown} of {len(given)} of the cover are no vertices of the network; needed: vertices that touch every edge"
        raise InputError(msg)
    cover = sorted({number[name] for name in given})
    tails, heads, _ = network.edges()
    bare = int(np.count_nonzero(~np.isin(tails, cover) & ~np.isin(heads, cover)))
    if bare:
        msg = f"{bare} of {network.m} edges have no end in the cover; needed: vertices that touch every edge, or None"
        raise InputError(msg)
    return cover


def types_of(network: Network, cover: Sequence[int], within: Balls) -> Types | None:
    """The types of the vertices, for a distance; None if there are more than `MOST_TYPES`. O(m + pairs).

    Two of a type swap places without changing any length, so distances seen from one hold for all of its type.
    """
    members = [np.array([v]) for v in cover] + _outside(network, set(cover))
    if len(members) > MOST_TYPES:
        return None
    kind = np.empty(network.n, dtype=np.intp)
    for t, same in enumerate(members):
        kind[same] = t
    near = np.zeros((len(members), len(members)), dtype=bool)
    adjacent = np.zeros_like(near)
    for t, same in enumerate(members):
        v = same[0]
        ball = within.indices[within.indptr[v] : within.indptr[v + 1]]
        near[t, kind[ball[ball != v]]] = True
        adjacent[t, kind[network.indices[network.indptr[v] : network.indptr[v + 1]]]] = True
    return Types(members, len(cover), near, adjacent)


def _outside(network: Network, cover: set[int]) -> list[NDArray[np.intp]]:
    alike: dict[tuple[tuple[int, ...], tuple[float, ...]], list[int]] = {}
    for v in range(network.n):
        if v not in cover:
            row = slice(network.indptr[v], network.indptr[v + 1])
            lengths = () if network.lengths is None else tuple(network.lengths[row].tolist())
            alike.setdefault((tuple(network.indices[row].tolist()), lengths), []).append(v)
    return [np.array(same) for same in alike.values()]
