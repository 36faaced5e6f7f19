"""Theorem 15: multicoloured clique becomes small connected clusters in a network of small treewidth."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.network.instances.gadgets import add_choice
from covey.network.instances.instance import Instance, Plan
from covey.network.instances.sources import check_coloured, has_clique

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from covey.network.instances.sources import ColouredEdge

_UP_AND_DOWN = 2


@dataclass(frozen=True)
class _Scale:
    """The lengths and sizes of an instance, from the number of colours and the size of the largest."""

    colours: int
    span: int

    @property
    def lower(self) -> int:
        return max(8, self.active + 5)

    @property
    def active(self) -> int:
        """Two vertices of a candidate for each other colour."""
        return _UP_AND_DOWN * (self.colours - 1)

    @property
    def leg(self) -> int:
        """Between a port and what is on either side of it, give or take an index."""
        return 2 * self.span + 2

    @property
    def distance(self) -> int:
        return 2 * self.leg

    @property
    def reach(self) -> int:
        """Between the core of a pair and the edges of the graph."""
        return self.span + 1


def multicoloured_clique(sizes: Sequence[int], edges: Sequence[ColouredEdge]) -> Instance:
    """Return theorem 15: whether a vertex of each colour can be chosen so that every two are adjacent.

    A candidate is a choice gadget: its active vertices, an "up" and a "down" for each other colour, are left to others if it is chosen, else
    its inactive ones, which have stars that take them. Each pair of colours has a core that lacks four vertices. It is
    connected to the active vertices of its candidates, but only the edges of the graph are near enough to all of the core to be its centre:
    an edge reaches "up" of candidates that are not above its end and "down" of those not below. So the core takes both vertices of
    one candidate of each colour, and these are the ends of an edge.

    For k colours lower is max(8, 2 k + 3), upper is lower + 1, and without the five ports of each pair trees are left: treewidth at
    most 5 k (k - 1) / 2 + 1. The distance is 4 max(sizes) + 4.

    Parameters
    ----------
    sizes
        How many vertices each colour has.
    edges
        Pairs of vertices (colour, index), counted from 0; the answer is found by trying.

    Returns
    -------
    Instance
        Connected, with small clusters.

    Raises
    ------
    InputError
        There are fewer than two colours, or an edge within a colour.

    Examples
    --------
    >>> instance = multicoloured_clique([2, 1], [((0, 1), (1, 0))])
    >>> instance.answer, instance.lower, instance.upper, instance.treewidth
    (True, 8, 9, 6)
    >>> multicoloured_clique([2, 1], []).answer
    False
    """
    check_coloured(sizes, edges)
    scale = _Scale(len(sizes), max(sizes))
    plan = Plan()
    pairs = list(itertools.combinations(range(len(sizes)), 2))
    for pair in pairs:
        _add_core(plan, pair, scale)
    for colour, size in enumerate(sizes):
        for index in range(size):
            _add_candidate(plan, colour, index, scale)
    for edge in dict.fromkeys(tuple(sorted(edge)) for edge in edges):
        _add_edge(plan, edge, scale)
    source = "theorem 15: multicoloured clique, by trying all"
    width = 5 * len(pairs) + 1
    answer = has_clique(sizes, edges)
    return Instance(plan.network(), scale.lower, scale.lower + 1, scale.distance, True, answer, source, width)


def _fill(plan: Plan, vertex: Hashable, scale: _Scale) -> None:
    """Make a vertex a cluster of `upper` with leaves of its own: it is in no other, and connects none."""
    plan.leaves(vertex, scale.lower, scale.distance)


def _add_core(plan: Plan, pair: tuple[int, int], scale: _Scale) -> None:
    """Four ports, and a core of all but four vertices: leaves, their middle, and the gate to the active vertices.

    Only what is within `reach` of the middle is near the leaves: the middle, which is too far from what is beyond the gate, and edges.
    """
    plan.leaves(("middle", pair), scale.lower - 6, scale.distance - scale.reach)
    plan.edge(("middle", pair), ("gate", pair), scale.distance - scale.reach)
    for colour, way in itertools.product(pair, ("up", "down")):
        _fill(plan, (way, colour, pair), scale)


def _add_candidate(plan: Plan, colour: int, index: int, scale: _Scale) -> None:
    active, inactive = add_choice(plan, ("candidate", colour, index), scale.active, scale.lower, scale.distance)
    for vertex in inactive:
        plan.edge(vertex, ("star of", vertex), 1)
        plan.leaves(("star of", vertex), scale.lower - 1, scale.distance)
    others = [other for other in range(scale.colours) if other != colour]
    for vertex, (other, way) in zip(active, itertools.product(others, ("up", "down")), strict=True):
        pair = (min(colour, other), max(colour, other))
        plan.edge(vertex, ("gate", pair), scale.reach + 1)
        plan.edge(vertex, (way, colour, pair), scale.leg + (index if way == "up" else -index))


def _add_edge(plan: Plan, edge: tuple[tuple[int, int], ...], scale: _Scale) -> None:
    pair = (edge[0][0], edge[1][0])
    _fill(plan, ("edge", *edge), scale)
    plan.edge(("edge", *edge), ("middle", pair), scale.reach)
    for colour, index in edge:
        plan.edge(("edge", *edge), ("up", colour, pair), scale.leg - index)
        plan.edge(("edge", *edge), ("down", colour, pair), scale.leg + index)
