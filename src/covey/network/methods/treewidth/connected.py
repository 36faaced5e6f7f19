"""Connected clusters by treewidth: theorem 2 of the paper, over a nice tree decomposition, in C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._kernels import treewidth as kernels
from covey.network.methods.problem import Answer, Reason

if TYPE_CHECKING:
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Problem
    from covey.network.methods.treewidth.decomposition import NiceDecomposition

MOST_BYTES = 3 * 2**29
NONE, _FOUND, _TIME, _MEMORY = range(4)


def connected_by_treewidth(
    problem: Problem, within: Balls, distance: float, deadline: Deadline, nice: NiceDecomposition
) -> Answer:
    """Whether there are connected clusters within a distance; exact.

    A state is what a partial solution shows at a bag: the clusters of its vertices, the pieces of each that are connected
    so far, the number of vertices of each, and the vertices that have all of them within the distance.
    O(n^3) + d^O(tw^2) u^O(tw) n (Blazej et al. 2023, theorem 2); see docs/network/treewidth.md.
    """
    if nice.width >= kernels.most_in_bag:
        text = f"the tree decomposition has width {nice.width}; theorem 2 is used here up to a width of {kernels.most_in_bag - 1}"
        return Answer(None, reason=Reason(text))
    network = problem.network
    end, labels = kernels.connected(
        network.indptr,
        network.indices,
        within.indptr,
        within.indices,
        nice.kinds,
        nice.vertices,
        problem.lower,
        problem.upper,
        deadline.left,
        MOST_BYTES,
    )
    if labels is not None:
        return Answer(True, labels)
    if end == NONE:
        text = f"by theorem 2 (treewidth) no connected clusters are within the distance {distance:g}"
        return Answer(False, reason=Reason(text))
    return unfinished(end, "theorem 2", nice.width)


def unfinished(end: int, theorem: str, width: int) -> Answer:
    """Why a kernel stopped."""
    if end == _TIME:
        return Answer(None, reason=Reason("the time limit came first"))
    text = f"{theorem} needs more than {MOST_BYTES / 2**30:g} GiB of states at width {width}"
    return Answer(None, reason=Reason(text))
