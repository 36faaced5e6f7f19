"""Clusters of vertices of different colours, no wider than twice the least width: `diverse`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from covey.line.diversity.colours import as_colours, check_feasible
from covey.network.methods.distances import balls
from covey.network.reading import as_network
from covey.space.gather_colours import check_number, gathered
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from covey.core.solution import Solution


def diverse(
    graph: Any,
    colours: Sequence[Hashable] | ArrayLike,
    l: SupportsIndex,  # noqa: E741
    *,
    length: str | None = None,
) -> Solution:
    """Cluster vertices so that each cluster has at least l, all of different colours, at most twice as wide as need be.

    As `covey.space.diverse`, by distances along the edges; clusters need not be connected. A disconnected network may have no solution.

    Parameters
    ----------
    graph
        Whatever `covey.network.microaggregate` takes.
    colours
        The sensitive value of every vertex in the order of the network, none missing.
    l
        At most n / l vertices of any colour.
    length
        The edge attribute that holds the lengths; None: every edge is 1.

    Returns
    -------
    Solution
        The clusters; `loss` is the largest distance within one, `bound` what it is at least in any solution.

    Raises
    ------
    InfeasibleError
        A colour is too frequent for l, in the network or in a component of it.

    Examples
    --------
    >>> solution = diverse([(0, 1), (1, 2), (2, 3)], ["flu", "cold", "flu", "gout"], l=2)
    >>> solution.partition.labels.tolist(), solution.loss
    ([0, 0, 1, 1], 1.0)
    """
    network = as_network(graph, length)
    known, least = as_colours(colours, network.n), as_count(l, "l")
    check_feasible(known, least)
    check_number(network.n)
    pairs = balls(network, np.inf)
    distances = np.full((network.n, network.n), np.inf)
    distances[pairs.rows, pairs.indices] = pairs.distances
    return gathered(distances, known.codes, least)
