"""`Members`: the values of a column sorted within their groups, from which what groups publish is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey._kernels import line as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.core.partition import Partition
    from covey.utils.typing import Floats, Integers


class Members(NamedTuple):
    """The values of a column that are not missing, sorted within their groups."""

    partition: Partition
    rows: NDArray[np.uint32]
    values: NDArray[Any]
    labels: Integers
    weights: Floats
    start: Integers
    """Where each group that has a value begins; `stop`: where it ends."""
    stop: Integers
    group: Integers
    """The numbers of those groups."""
    weighted: bool


def members(column: Values, partition: Partition, weights: Floats | None = None) -> Members:
    """Sort the values of a column within the groups, which are in their order once for all columns. O(n log m) for groups of m."""
    order, count = partition.order, partition.sizes
    if not column.valid.all():
        order = order[column.valid[order]]
        count = np.bincount(partition.labels[order], minlength=len(partition))
    rows = kernels.sorted_runs(np.ascontiguousarray(column.physical), order, np.cumsum(count))
    group = np.flatnonzero(count)
    stop = np.cumsum(count[group])
    weight = np.ones(len(rows)) if weights is None else weights[rows]
    labels = np.repeat(group, count[group])
    start = stop - count[group]
    return Members(partition, rows, column.physical[rows], labels, weight, start, stop, group, weights is not None)
