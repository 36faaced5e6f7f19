"""Clusters that need not be connected, by treewidth: theorem 1 of the paper, over a nice tree decomposition, in C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import treewidth as kernels
from covey.network.methods.problem import Answer, Reason
from covey.network.methods.serving import assign, every_pair, maximal_balls
from covey.network.methods.treewidth import connected
from covey.network.methods.treewidth.connected import NONE, unfinished

if TYPE_CHECKING:
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Problem
    from covey.network.methods.treewidth.decomposition import NiceDecomposition

_MOST_VERTICES = 20_000  # two matrices of bits


def unconnected_by_treewidth(
    problem: Problem, within: Balls, distance: float, deadline: Deadline, nice: NiceDecomposition
) -> Answer:
    """Whether there are clusters within a distance; exact, n^O((d+2)^tw) (Blazej et al. 2023, theorem 1).

    The program finds how many clusters each vertex opens as a centre; a flow then says who serves whom. A state is what a partial
    solution shows at a bag: how many forgotten clients of each kind may, and must, be served by the rest, and how many clients of
    the rest forgotten centres of each kind need, and can take. See docs/network/treewidth.md.
    """
    if problem.n > _MOST_VERTICES:
        text = f"there are {problem.n} vertices; theorem 1 is used here up to {_MOST_VERTICES} vertices"
        return Answer(None, reason=Reason(text))
    end, opened = kernels.unconnected(
        within.indptr,
        within.indices,
        maximal_balls(within),
        nice.kinds,
        nice.vertices,
        problem.lower,
        problem.upper,
        problem.splits,
        deadline.left,
        connected.MOST_BYTES,
    )
    if opened is None and end == NONE:
        text = f"by theorem 1 (treewidth) no clusters are within the distance {distance:g}"
        return Answer(False, reason=Reason(text))
    if opened is None:
        return unfinished(end, "theorem 1", nice.width)
    clusters = assign(problem, every_pair(within), opened.astype(np.int64))
    assert clusters is not None, "the states of theorem 1 promise clusters that are not there"
    return Answer(True, *clusters)
