"""Groups that satisfy a demand on sensitive values, made from groups that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.space.method import labels_of, sse
from covey.space.ordering import Split
from covey.utils.arrays import as_coordinates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.space.method import Labels
    from covey.utils.arrays import Coordinates
    from covey.utils.typing import Points

MOST_FAILING, FEW = 0.7, 2000
"""Above this share of groups that fail, larger ones are tried; below this number of records beside the given ones."""
MOST_TRIED = 20_000
"""Records up to which groups of several sizes are begun from."""
MOST_BUCKETS = 50
"""More different sensitive values are taken together to as many as a group has records."""
MOST_WORK = 10**9
"""Records times the squared size of a group: above that a line is not cut anew."""


def comply(
    points: Points,
    given: Sequence[Labels],
    k: int,
    demand: kernels.Demand,
    codes: NDArray[np.integer[Any]] | None = None,
) -> Labels:
    """Groups of at least k that all satisfy the demand, near some that are given and at little loss.

    A group that fails exchanges or moves records with groups near it, or merges with one, at the least loss for what is gained;
    then local search lowers the loss and keeps every group within the demand. On a line the best cut of the sorted
    records is tried, too; where most groups fail, larger groups, and groups that get their share of every sensitive value
    (`codes`). All records together must satisfy the demand. Heuristic.
    """
    coordinates = as_coordinates(points)
    starts = [labels for labels in given if failing(labels, demand) <= MOST_FAILING]
    if len(starts) < len(given):
        starts = (list(given) if len(points) <= FEW else starts) + _coarser(coordinates.values, k, demand)
        if codes is not None or not starts:
            starts += [
                _in_shares(coordinates.values, size, demand, codes) for size in (k, *larger_sizes(k, len(points)))
            ]
    if points.shape[1] == 1:
        starts += _cut(coordinates, k, demand)
    complying = [_mended(coordinates, start, k, demand) for start in starts]
    return min(complying, key=lambda labels: sse(coordinates, Partition(labels)))


def improve(points: Points, labels: Labels, k: int, demand: kernels.Demand) -> Labels:
    """Groups that satisfy a demand at less loss, from some that do."""
    return _mended(as_coordinates(points), labels, k, demand)


def _mended(coordinates: Coordinates, labels: Labels, k: int, demand: kernels.Demand) -> Labels:
    neighbours = max(25, min(2 * k, 100))
    return kernels.comply(coordinates.values, labels, k, demand, neighbours, merge_only=False)


def larger_sizes(k: int, n: int) -> list[int]:
    """Sizes of groups to begin from beside k: with more records each, fewer need to be changed; only where that is quick."""
    return [size for size in (-(-3 * k // 2), 2 * k) if size <= n <= MOST_TRIED]


def next_larger(k: int) -> int:
    """The next of 2, 3, 5, 10, 20, 40, ...: groups for it are tried for k as well."""
    larger = 5
    while larger <= k:
        larger *= 2
    return next(size for size in (2, 3, larger) if size > k)


def failing(labels: NDArray[np.integer[Any]], demand: kernels.Demand) -> float:
    """The share of groups that fail."""
    order = np.argsort(labels, kind="stable").astype(np.uint32)
    groups = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
    return sum(demand.deficit(group) > 0.0 for group in groups) / len(groups)


def _coarser(points: Points, k: int, demand: kernels.Demand) -> list[Labels]:
    """Larger groups, of which half hold; none where there would be few."""
    while len(points) >= 16 * k:
        k *= 2
        labels = Split()._group(points, k)
        if failing(labels, demand) <= 0.5:
            return [labels]
    return []


def _in_shares(points: Points, k: int, demand: kernels.Demand, codes: NDArray[np.integer[Any]] | None) -> Labels:
    """Groups along an order of the records that get the same share of the records of every code; as many as hold."""
    n = len(points)
    place = np.empty(n, dtype=np.int64)
    place[kernels.order_by_halves(points)] = np.arange(n)
    different, code = np.unique(np.zeros(n) if codes is None else codes, return_inverse=True)
    groups = n // k
    while groups > 1:
        bucket = code if len(different) <= MOST_BUCKETS else code * max(2, n // groups) // len(different)
        order = np.lexsort((place, bucket))
        number = np.bincount(bucket)
        within = np.arange(n) - np.repeat(np.cumsum(number) - number, number)
        labels = np.empty(n, dtype=np.uint32)
        labels[order] = (2 * within + 1) * groups // (2 * number[bucket[order]])
        labels = np.unique(labels, return_inverse=True)[1].astype(np.uint32)
        if int(np.bincount(labels).min()) >= k and failing(labels, demand) == 0.0:
            return labels
        groups = 4 * groups // 5
    return np.zeros(n, dtype=np.uint32)


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
