"""The gadgets: a choice between two clusters, a demand for vertices, a choice that is repeated, a vertex whose cluster is fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.errors import InputError
from covey.network.instances.instance import Instance, Plan

if TYPE_CHECKING:
    from collections.abc import Hashable

SIZE = 3  # of every cluster where `pin`, `add_demand` and `add_ring` are used: lower = upper = 3


def add_choice(plan: Plan, name: Hashable, k: int, lower: int, distance: int) -> tuple[list[Hashable], list[Hashable]]:
    """Add choice(k, lower, distance) of definition 3; return its k active and its k inactive vertices."""
    first, second, third = ((name, "v", number) for number in (1, 2, 3))
    active: list[Hashable] = [(name, "active", number) for number in range(k)]
    inactive: list[Hashable] = [(name, "inactive", number) for number in range(k)]
    plan.star(first, [(name, "w", number) for number in range(lower - 3 - k)], distance - 1)
    plan.star(first, (second, third), 1)
    plan.star(second, active, distance)
    plan.star(third, inactive, distance)
    return active, inactive


def choice_gadget(k: int, lower: int, distance: int) -> Instance:
    """Return definition 3 alone: lower + k vertices, of which one cluster takes all but the active, or all but the inactive ones.

    The others are left over, so that the answer is no. A tree. The definition does not say that it needs a distance of 2: with
    1 the edges of length distance - 1 have none, v2 and v3 are too far apart, and there is no cluster at all.

    Parameters
    ----------
    k
        How many vertices are active, and how many inactive.
    lower, distance
        At least k + 4, and at least 2.

    Returns
    -------
    Instance
        upper = lower, not connected; the answer is no.

    Raises
    ------
    InputError
        k, lower or the distance is too small.

    Examples
    --------
    >>> choice_gadget(2, 6, 2).network
    <Network: 8 vertices, 7 edges with lengths>
    """
    if k < 1 or lower < k + 4 or distance < 2:
        msg = f"k is {k}, lower {lower}, distance {distance}; needed: k of at least 1, lower of at least k + 4, a distance of at least 2"
        raise InputError(msg)
    plan = Plan()
    add_choice(plan, "choice", k, lower, distance)
    return Instance(
        plan.network(), lower, lower, distance, False, False, "definition 3: two clusters, neither is all", 1
    )


def pin(plan: Plan, vertex: Hashable, distance: int) -> None:
    """Fix the cluster of a vertex: itself, a neighbour and the leaf of that.

    Only the leaf and its neighbour are within the distance of the leaf, and only all three within that of the neighbour. The vertex stays
    free to be a centre, which belongs to no cluster of its own.
    """
    plan.edge(vertex, ("pin", vertex), distance)
    plan.leaves(("pin", vertex), 1, distance)


def add_demand(plan: Plan, root: Hashable, units: int, near: int, distance: int, kind: Hashable = "") -> None:
    """Let a root ask for at least that many of the vertices that are at most distance - near from it.

    A child at `near` for each unit, pinned, with two leaves: these need a third within the distance of the child, and the only vertices
    there that are not pinned are those around the root.
    """
    for number in range(units):
        child = ("child", root, kind, number)
        plan.edge(root, child, near)
        pin(plan, child, distance)
        plan.leaves(child, 2, distance)


def demand_gadget(units: int, supply: int) -> Instance:
    """Return a root with a demand and a supply of vertices around it: 3 + 5 units + supply vertices, a tree.

    Children take one of the supply each, or 4, 7, ...; the root and the supply itself are centres of three more. So the answer is yes if
    the supply is the demand or a multiple of 3 above.

    Parameters
    ----------
    units, supply
        How many are asked for, and how many there are.

    Returns
    -------
    Instance
        lower = upper = 3, distance 2, not connected.

    Examples
    --------
    >>> [supply for supply in range(8) if demand_gadget(2, supply).answer]
    [2, 5]
    """
    plan = Plan()
    pin(plan, "root", 2)
    add_demand(plan, "root", units, 1, 2)
    plan.star("root", [("supply", number) for number in range(supply)], 1)
    answer = supply >= units and (supply - units) % SIZE == 0
    return Instance(plan.network(), SIZE, SIZE, 2, False, answer, "a demand and a supply, counted", 1)


def add_ring(plan: Plan, name: Hashable, copies: int, distance: int) -> tuple[list[Hashable], list[Hashable]]:
    """Add a choice that is made `copies` times at once; return the vertices of its two sides, one of which is left over as a whole.

    2 copies pinned hubs in a ring, with a link between every two, and a vertex on each. A hub takes all three that are next to it, or
    none, for no other vertex near it is free. Links are taken by one of two hubs: so every second hub takes its three.
    """
    hubs = [(name, "hub", number) for number in range(2 * copies)]
    outer: list[Hashable] = [(name, "copy", number) for number in range(2 * copies)]
    for number, hub in enumerate(hubs):
        pin(plan, hub, distance)
        link = (name, "link", number)
        plan.star(hub, (outer[number], link), distance)
        plan.edge(link, hubs[(number + 1) % len(hubs)], distance)
    return outer[::2], outer[1::2]
