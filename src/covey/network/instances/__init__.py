"""Networks whose answer is known: the gadgets and reductions by which network microaggregation is hard, and figure 1.

Each function takes a small problem of another kind, decides it, and returns an `Instance`: the network that is clustered exactly
if that problem has a solution.
"""

from __future__ import annotations

from covey.network.instances.clique import multicoloured_clique
from covey.network.instances.figure import double_tree
from covey.network.instances.gadgets import choice_gadget, demand_gadget
from covey.network.instances.independent_set import multicoloured_independent_set
from covey.network.instances.instance import Instance
from covey.network.instances.partition import equitable_partition
from covey.network.instances.subset_sum import subset_sum, subset_sum_by_lengths

__all__ = [
    "Instance",
    "choice_gadget",
    "demand_gadget",
    "double_tree",
    "equitable_partition",
    "multicoloured_clique",
    "multicoloured_independent_set",
    "subset_sum",
    "subset_sum_by_lengths",
]
