"""The nearest of many points: by a k-d tree, or block by block where there are many coordinates.

With more than `MOST_FOR_A_TREE` coordinates a k-d tree prunes nothing: it looks at everything, and slower than a product of matrices does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import space as kernels
from covey.utils.extras import Lazy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.utils.typing import Floats, Points, Rows

spatial = Lazy("scipy.spatial")
MOST_FOR_A_TREE = 24
POINTS_AT_A_TIME, RECORDS_AT_A_TIME = 2**15, 128
"""Points and records that are compared at a time."""
FEW_RECORDS = 64
"""Records that are compared with all points at a time."""


def nearest_points(points: Points, wanted: Points) -> Iterator[Rows]:
    """For every record the points that are nearest, all of them where several are equally near."""
    if points.shape[1] <= MOST_FOR_A_TREE:
        tree = spatial.cKDTree(points)
        nearest, _ = tree.query(wanted, workers=-1)
        for record, distance in zip(wanted, nearest, strict=True):
            yield np.array(tree.query_ball_point(record, distance * (1 + 1e-9) + 1e-12), dtype=np.int64)
        return
    norms = (points**2).sum(axis=1)
    for start in range(0, len(wanted), FEW_RECORDS):
        some = wanted[start : start + FEW_RECORDS]
        rough = norms - 2.0 * (some @ points.T)
        slack = 1e-9 * (norms.max() + float((some**2).sum(axis=1).max()))
        for record, line in zip(some, rough, strict=True):
            few = np.flatnonzero(line <= line.min() + slack)
            exact = np.sqrt(((points[few] - record) ** 2).sum(axis=1))
            yield few[exact <= exact.min() * (1 + 1e-9) + 1e-12]


def neighbour_sums(points: Points, records: Rows, k: int) -> Floats:
    """For each of these records the sum of the squared distances to the k - 1 nearest others."""
    if points.shape[1] <= MOST_FOR_A_TREE:
        return kernels.neighbour_sums(points, records.astype(np.uint32), k - 1)
    wanted = points[records]
    nearest = np.full((len(wanted), k), np.inf)
    own = (wanted**2).sum(axis=1)
    for start in range(0, len(points), POINTS_AT_A_TIME):
        some = points[start : start + POINTS_AT_A_TIME]
        norms = (some**2).sum(axis=1)
        for first in range(0, len(wanted), RECORDS_AT_A_TIME):
            rows = slice(first, first + RECORDS_AT_A_TIME)
            squares = norms - 2.0 * (wanted[rows] @ some.T) + own[rows, None]
            _keep_nearest(nearest[rows], squares)
    return np.asarray(np.maximum(nearest, 0.0).sum(axis=1))


def _keep_nearest(nearest: Points, squares: Points) -> None:
    """Put the smallest of `squares` into the rows of `nearest` where they are smaller than what is there."""
    k = nearest.shape[1]
    row, place = np.nonzero(squares < nearest.max(axis=1, keepdims=True))
    if len(row) > squares.size // 8:  # at the beginning: all of them
        nearest[:] = np.partition(np.hstack([nearest, squares]), k - 1, axis=1)[:, :k]
    elif len(row):
        number = np.bincount(row, minlength=len(squares))
        offset = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
        few = np.full((len(squares), int(number.max())), np.inf)
        few[row, offset] = squares[row, place]
        nearest[:] = np.partition(np.hstack([nearest, few]), k - 1, axis=1)[:, :k]
