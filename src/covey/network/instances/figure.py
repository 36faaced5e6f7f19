"""Figure 1 of the paper: a tree of depth 2 that is one cluster unless an upper bound forbids it."""

from __future__ import annotations

from covey.network.instances.instance import Instance, Plan

_BRANCHES = 3
_LEAVES = 3


def double_tree(upper: int | None = None) -> Instance:
    """Return figure 1: a root r with three branches, each with three leaves; lower 4, distance 2, all edges 1, connected.

    Without `upper` all 13 vertices may be one cluster around r. With `upper=5` each branch is a cluster, and r is in one of them;
    with `upper=4` there are none, for 13 is no multiple of 4. The drawing fixes the shape; the numbers of branches and leaves are ours.

    Parameters
    ----------
    upper
        The most vertices in a cluster; None: all of them.

    Returns
    -------
    Instance
        With the answer yes if `upper` is at least 5.

    Examples
    --------
    >>> double_tree(upper=5).answer, double_tree(upper=4).answer
    (True, False)
    """
    plan = Plan()
    branches = [f"branch {number}" for number in range(_BRANCHES)]
    plan.star("r", branches, 1)
    for branch in branches:
        plan.star(branch, [f"leaf {number} of {branch}" for number in range(_LEAVES)], 1)
    network = plan.network()
    most = network.n if upper is None else upper
    answer = most > 1 + _LEAVES
    return Instance(network, 1 + _LEAVES, most, 2, True, answer, "figure 1: branches and their leaves", 1, _BRANCHES)
