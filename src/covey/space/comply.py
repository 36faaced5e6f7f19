"""Groups that satisfy a demand on sensitive values, made from groups that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import space as kernels
from covey.arrays import as_coordinates
from covey.partition import Partition
from covey.space.method import labels_of, sse

if TYPE_CHECKING:
    from covey.arrays import Coordinates
    from covey.space.method import Labels, Points

MOST_WORK = 10**9
"""Records times the squared size of a group: above that a line is not cut anew."""


def comply(points: Points, labels: Labels, k: int, demand: kernels.Demand) -> Labels:
    """Groups of at least k that all satisfy the demand, near those that are given and at little loss.

    A group that fails exchanges or moves records with groups near it, or merges with one, at the least loss for what is gained;
    then local search lowers the loss and keeps every group within the demand. On a line the best cut of the sorted
    records is tried, too. All records together must satisfy the demand. Heuristic.
    """
    coordinates = as_coordinates(points)
    neighbours = max(25, min(2 * k, 100))
    starts = [labels]
    if points.shape[1] == 1:
        starts += _cut(coordinates, k, demand)
    found = [kernels.comply(coordinates.values, start, k, demand, neighbours, merge_only=False) for start in starts]
    return min(found, key=lambda labels: sse(coordinates, Partition(labels)))


def merge(points: Points, labels: Labels, demand: kernels.Demand) -> Labels:
    """Merge groups that fail with the nearest one, by their centroids, until none does: the usual way."""
    values = as_coordinates(points).values
    return kernels.comply(values, labels, 1, demand, 0, merge_only=True)


def _cut(coordinates: Coordinates, k: int, demand: kernels.Demand) -> list[Labels]:
    """The best cut of the sorted records into groups that satisfy the demand; none where groups would have to be large."""
    n = len(coordinates.values)
    order = np.argsort(coordinates.values[:, 0], kind="stable").astype(np.uint32)
    most = 4 * k
    while n * most**2 <= MOST_WORK:
        sizes = kernels.demand_cut(coordinates.values, order, k, min(most, n), demand)
        if len(sizes):
            return [labels_of(order, sizes)]
        most *= 2
    return []
