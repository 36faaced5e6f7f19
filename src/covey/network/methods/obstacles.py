"""Why there is no partition at all, whatever the distance; and a distance that every partition needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import network as kernels
from covey.network.methods.problem import Reason

if TYPE_CHECKING:
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Problem


def obstacle(problem: Problem) -> Reason | None:
    """What makes the problem infeasible for every distance, in O(n + m); None if nothing was found.

    A component below `lower`; one whose size is no sum of allowed sizes; and, for connected clusters, a vertex that cuts
    off pieces below `lower`: they must all be in its cluster, and with it they exceed `upper`.
    """
    network = problem.network
    component = kernels.components(network.indptr, network.indices)
    sizes, first = np.bincount(component), np.unique(component, return_index=True)[1]
    small = np.flatnonzero(sizes < problem.lower)
    if len(small):
        others = f" ({len(small)} components are that small)" if len(small) > 1 else ""
        text = f"the component{{}} has {sizes[small[0]]} vertices, fewer than lower = {problem.lower}{others}"
        return Reason(text, int(first[small[0]]))
    for c in np.flatnonzero([not problem.sizes_fit(int(size)) for size in sizes]):
        text = f"the component{{}} has {sizes[c]} vertices, which is no sum of sizes from {problem.lower} to {problem.upper}"
        return Reason(text, int(first[c]))
    if problem.connected:
        vertex = kernels.blocking_vertex(network.indptr, network.indices, problem.lower, problem.upper)
        if vertex >= 0:
            text = (
                f"without the cut vertex{{}} there are pieces of fewer than {problem.lower} vertices, which must be in "
                f"its cluster, and together with it they are more than upper = {problem.upper}"
            )
            return Reason(text, vertex)
    return None


def least_radius(within: Balls, lower: int) -> tuple[float, int]:
    """A radius that every partition needs, and the vertex that needs it; infinity where the balls are too small to tell.

    Every vertex v has a centre c that is near and has `lower` vertices around it: the largest distance is at least the
    least max(distance(v, c), distance of c to its lower-th nearest), for each v.
    """
    n = len(within.indptr) - 1
    starts = within.indptr[:-1]
    order = np.lexsort((within.distances, within.rows))
    enough = np.diff(within.indptr) >= lower
    reach = np.full(n, np.inf)
    reach[enough] = within.distances[order][starts[enough] + lower - 1]
    needed = np.minimum.reduceat(np.maximum(within.distances, reach[within.indices]), starts)
    worst = int(np.argmax(needed))
    return float(needed[worst]), worst
