"""Theorems 13 and 14: multicoloured independent set becomes clusters of a network with a small vertex cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.network.instances.instance import Instance, Plan
from covey.network.instances.sources import check_coloured, has_independent_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.network.instances.sources import ColouredEdge


def multicoloured_independent_set(
    sizes: Sequence[int], edges: Sequence[ColouredEdge], *, connected: bool = False
) -> Instance:
    """Return theorem 13, or 14 if connected: whether a vertex of each colour can be chosen so that no two are adjacent.

    Each colour has many leaves on an anchor, out of reach for all but the candidates of the colour: one cluster to a colour, around the chosen
    candidate. Vertices are too few for another cluster. An edge is a vertex that is within the distance of all candidates of its two
    colours but its own ends: one of these two clusters can take it unless both ends are chosen.

    With s = max(sizes), distance 4 s - 1: candidate v (from 1) of a colour is at 2 s + v from its "up" and 3 s - v from its "down", an edge at v
    is at 2 s - v from "up" and s + v from "down". The sum is at most the distance by "up" for smaller candidates, by "down" for
    larger ones. Anchor, "up" and "down" of each colour touch every edge: a vertex cover of 3 k, for k colours. The anchor is at s
    from its candidates and 3 s - 1 from its leaves.

    Parameters
    ----------
    sizes
        How many vertices each colour has.
    edges
        Pairs of vertices (colour, index), counted from 0; the answer is found by trying.
    connected
        Whether clusters must be connected; the answer is the same.

    Returns
    -------
    Instance
        `upper` is the number of vertices: only `lower` matters.

    Raises
    ------
    InputError
        There are fewer than two colours, or an edge within a colour.

    Examples
    --------
    >>> square = [((0, a), (1, b)) for a in range(2) for b in range(2)]
    >>> multicoloured_independent_set([2, 2], square[:3]).answer
    True
    >>> multicoloured_independent_set([2, 2], square).answer
    False
    """
    check_coloured(sizes, edges)
    span = max(sizes)
    plan = Plan()
    for colour, size in enumerate(sizes):
        for v in range(1, size + 1):
            candidate = ("candidate", colour, v - 1)
            plan.edge(candidate, ("anchor", colour), span)
            plan.edge(candidate, ("up", colour), 2 * span + v)
            plan.edge(candidate, ("down", colour), 3 * span - v)
    for edge in dict.fromkeys(tuple(sorted(edge)) for edge in edges):
        for colour, index in edge:
            plan.edge(("edge", *edge), ("up", colour), 2 * span - index - 1)
            plan.edge(("edge", *edge), ("down", colour), span + index + 1)
    lower = len(plan.numbers) + 1
    for colour in range(len(sizes)):
        plan.leaves(("anchor", colour), lower, 3 * span - 1)
    network = plan.network()
    source = f"theorem {14 if connected else 13}: multicoloured independent set, by trying all"
    answer, cover = has_independent_set(sizes, edges), 3 * len(sizes)
    return Instance(network, lower, network.n, 4 * span - 1, connected, answer, source, cover, cover)
