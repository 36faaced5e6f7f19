"""Theorem 10: equitable connected partition becomes connected clusters around one vertex that is next to all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.errors import InputError
from covey.network.instances.instance import Instance, Plan
from covey.network.instances.sources import has_equal_parts

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


def equitable_partition(edges: Sequence[tuple[Hashable, Hashable]], parts: int) -> Instance:
    """Return theorem 10: whether a graph can be cut into that many connected parts of one size, asked with distance 1.

    A vertex "all" is next to every vertex of the graph, so that it is a centre for any part. It has lower - 1 leaves of its own,
    which belong to it, and together they are a whole cluster: it connects nothing else. n + lower vertices, of
    treewidth at most one more than the graph.

    Parameters
    ----------
    edges
        The graph: pairs of vertices. At most some 15 vertices, for the answer is found by trying.
    parts
        How many; it must divide the number n of vertices, and n / parts be at least 2. Otherwise sizes from
        floor(n / parts) to ceil(n / parts) do not fix the number of parts: 8 vertices in three parts of 2 or 3 may as well be
        four of 2.

    Returns
    -------
    Instance
        lower = upper = n / parts, distance 1, connected.

    Raises
    ------
    InputError
        The parts cannot have one size of at least 2.

    Examples
    --------
    >>> equitable_partition([(0, 1), (1, 2), (2, 3)], 2).answer  # a path
    True
    >>> equitable_partition([(0, 1), (0, 2), (0, 3)], 2).answer  # a star
    False
    """
    neighbours: dict[Hashable, set[Hashable]] = {}
    for tail, head in edges:
        neighbours.setdefault(tail, set()).add(head)
        neighbours.setdefault(head, set()).add(tail)
    n = len(neighbours)
    if parts < 1 or n % parts or n < 2 * parts:
        msg = f"{n} vertices are to become {parts} parts; needed: a number of parts that divides the number of vertices, with 2 or more in each"
        raise InputError(msg)
    size = n // parts
    plan = Plan()
    for tail, head in edges:
        plan.edge(("vertex", tail), ("vertex", head), 1)
    plan.star("all", [("vertex", vertex) for vertex in neighbours], 1)
    plan.leaves("all", size - 1, 1)
    answer = has_equal_parts(neighbours, size)
    return Instance(
        plan.network(), size, size, 1, True, answer, "theorem 10: connected parts of one size, by trying all"
    )
