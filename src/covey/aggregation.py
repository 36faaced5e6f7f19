"""From groups to released values: every record gets the representative of its group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.costs import COSTS, Cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition import Partition


def aggregate(column: NDArray[np.float64], partition: Partition, cost: Cost) -> NDArray[np.float64]:
    """The column with every value replaced by the one that loses least in its group.

    >>> from covey import Partition
    >>> aggregate(np.array([1.0, 8.0, 3.0, 9.0]), Partition([0, 1, 0, 1]), COSTS["sse"]).tolist()
    [2.0, 8.5, 2.0, 8.5]
    """
    if cost == COSTS["sse"] and np.abs(column).max() < 2.0**900:  # where no difference overflows
        return _means(column, partition)[partition.labels]
    values = [cost.representative(column[group]) for group in partition.groups()]
    return np.array(values, dtype=np.float64)[partition.labels]


def _means(column: NDArray[np.float64], partition: Partition) -> NDArray[np.float64]:
    """Means of all groups at once, each relative to a member, so that an offset costs no digits."""
    labels = partition.labels
    origin = np.empty(len(partition))
    origin[labels[::-1]] = column[::-1]
    means: NDArray[np.float64] = origin + np.bincount(labels, weights=column - origin[labels]) / partition.sizes
    return means
