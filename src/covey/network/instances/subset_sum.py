"""Theorems 11 and 12: multidimensional subset sum becomes clusters of three, in a network of small treewidth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.network.instances.gadgets import SIZE, add_demand, add_ring, pin
from covey.network.instances.instance import Instance, Plan
from covey.network.instances.sources import check_vectors, has_subset

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

_SIDES = ("chosen", "left out")


def subset_sum(vectors: Sequence[Sequence[int]], target: Sequence[int]) -> Instance:
    """Return theorem 11: whether some of the vectors add up to the target, with lower = upper = 3 and distance 2.

    A vector is a ring with as many copies as its coordinates add up to. One side of the ring is left over if the vector is chosen,
    the other if it is not; each copy is next to the root of its coordinate and side. The roots ask for at least the target of the
    chosen, and for at least what the target leaves of the others: together for all that is left over, so both are met exactly.
    15 A + 6 dim vertices, where A is the sum of all coordinates; without the 2 dim roots rings and trees are left, so the treewidth is at most
    2 dim + 2, while lower, upper and distance are constants.

    Parameters
    ----------
    vectors
        Whole numbers of at least 0; the answer is found by adding up.
    target
        What the chosen vectors must add up to.

    Returns
    -------
    Instance
        lower = upper = 3, distance 2, not connected.

    Raises
    ------
    InputError
        A vector has other coordinates than the target, or a negative one.

    Examples
    --------
    >>> subset_sum([(1, 2), (2, 0), (0, 1)], (1, 3)).answer
    True
    >>> subset_sum([(1, 2), (2, 0), (0, 1)], (1, 1)).answer
    False
    """
    check_vectors(vectors, target)
    plan = _plan(vectors, target, [("root", j) for j in range(len(target))], [1] * len(target), 2)
    source = "theorem 11: multidimensional subset sum, by adding up"
    answer = has_subset(vectors, target)
    return Instance(plan.network(), SIZE, SIZE, 2, False, answer, source, 2 * len(target) + 2)


def subset_sum_by_lengths(vectors: Sequence[Sequence[int]], target: Sequence[int]) -> Instance:
    """Return theorem 12: the same question with lower = upper = 3 and two roots, whose edges' lengths tell coordinates apart.

    Copies of coordinate j are at j + 1 from the root of their side, its children at dim - j: these reach the copies of coordinates up to j. So
    each demand is one for all coordinates up to j; as both sides together ask for all there is, each is met exactly, and differences
    of neighbours are the coordinates. 15 A + 6 vertices; without the two roots rings and trees are left: treewidth at
    most 4, a constant like lower and upper; the distance is dim + 1.

    Parameters
    ----------
    vectors
        Whole numbers of at least 0; the answer is found by adding up.
    target
        What the chosen vectors must add up to.

    Returns
    -------
    Instance
        lower = upper = 3, distance dim + 1, not connected.

    Raises
    ------
    InputError
        A vector has other coordinates than the target, or a negative one.

    Examples
    --------
    >>> instance = subset_sum_by_lengths([(1, 0, 0), (0, 1, 1)], (0, 1, 1))
    >>> instance.answer, instance.distance, instance.treewidth
    (True, 4, 4)
    """
    check_vectors(vectors, target)
    dim = len(target)
    plan = _plan(vectors, target, ["root"] * dim, list(range(1, dim + 1)), dim + 1)
    source = "theorem 12: multidimensional subset sum, by adding up"
    return Instance(plan.network(), SIZE, SIZE, dim + 1, False, has_subset(vectors, target), source, 4)


def _plan(
    vectors: Sequence[Sequence[int]],
    target: Sequence[int],
    roots: Sequence[Hashable],
    far: Sequence[int],
    distance: int,
) -> Plan:
    """Rings and demands: copies of coordinate j at far[j] from its root, and the root's children at what that leaves of the distance."""
    plan = Plan()
    for root in dict.fromkeys(roots):
        for side in _SIDES:
            pin(plan, (root, side), distance)
    for j, wanted in enumerate(target):
        total = sum(vector[j] for vector in vectors)
        for side, units in zip(_SIDES, (wanted, max(total - wanted, 0)), strict=True):
            add_demand(plan, (roots[j], side), units, distance - far[j], distance, j)
    for number, vector in enumerate(vectors):
        places = [j for j, coordinate in enumerate(vector) for _ in range(coordinate)]
        for side, copies in zip(_SIDES, add_ring(plan, number, len(places), distance), strict=True):
            for j, copy in zip(places, copies, strict=True):
                plan.edge((roots[j], side), copy, far[j])
    return plan
