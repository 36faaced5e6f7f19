"""IMHM: records assigned to centroids, then put in a row and cut, again and again while the loss falls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey._kernels import space as kernels
from covey.space.method import LabellingMethod, labels_of, mean_square
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from covey.space.method import Labels
    from covey.utils.typing import Points

TOLERANCE = 1e-7  # of the loss, for columns of variance 1
ROUNDS = 100
BLOCK = 1100  # records at most, or nearly: EIA in four blocks, as published, Tarragona and Census in one


@dataclass(frozen=True)
class Imhm(LabellingMethod):
    """Improved MHM: assign the records to the centroids of the groups, walk through the groups and cut, while the loss falls.

    From the groups of MDAV. *Assign*: records to the centroids at the least sum of distances, each centroid with k to 2k-1
    of them (a transport problem, solved exactly), as long as the loss falls. *Reorder*: the walk of `MdavMhm` through the
    groups and the optimal cut, as long as the loss falls. Rounds of both, at most 100, until the loss falls by less than
    1e-7 of the mean variance of a column. Heuristic; O(b^3 / k) at worst for the transport problem of a block of b records.

    Source: Mortazavi, Jalili & Gohargazi 2013, Multivariate microaggregation by iterative optimization.

    Parameters
    ----------
    blocks
        Into how many blocks of whole groups of MDAV the table is cut, by their distance from the outermost one; each is
        improved by itself. None: one for every 1100 records.

    Examples
    --------
    >>> Imhm().partition([[0.0], [5.0], [1.0], [6.0]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "imhm"

    blocks: int | None = None

    def __post_init__(self) -> None:
        if self.blocks is not None:
            object.__setattr__(self, "blocks", as_count(self.blocks, "blocks"))

    def _group(self, points: Points, k: int) -> Labels:
        start = labels_of(*kernels.mdav(points, k))
        least_fall = TOLERANCE * mean_square(points)
        labels = np.empty(len(points), dtype=np.uint32)
        groups = 0
        for records in self._blocks(points, start):
            _, own = np.unique(start[records], return_inverse=True)
            improved = _improve(np.ascontiguousarray(points[records]), own.astype(np.uint32), k, least_fall)
            labels[records] = improved + groups
            groups += int(improved.max()) + 1
        return labels

    def _blocks(self, points: Points, start: Labels) -> list[NDArray[np.intp]]:
        """The records of every block."""
        centres = _centroids(points, start)
        outermost = centres[np.argmax(((centres - points.mean(axis=0)) ** 2).sum(axis=1))]
        inwards = np.argsort(((centres - outermost) ** 2).sum(axis=1), kind="stable")
        count = min(-(-len(points) // BLOCK) if self.blocks is None else self.blocks, len(inwards))
        block_of_group = np.empty(len(inwards), dtype=np.intp)
        for block, groups in enumerate(np.array_split(inwards, count)):
            block_of_group[groups] = block
        blocks = block_of_group[start]
        return np.split(np.argsort(blocks, kind="stable"), np.cumsum(np.bincount(blocks))[:-1])


def _improve(points: Points, labels: Labels, k: int, least_fall: float) -> Labels:
    loss = kernels.loss(points, labels)
    for _ in range(ROUNDS):
        before = loss
        for step in (_assign, _reorder):
            labels, loss = _while_it_helps(step, points, labels, k, loss, least_fall)
        if not before - loss > least_fall:
            break
    return labels


def _while_it_helps(
    step: Callable[[Points, Labels, int], Labels],
    points: Points,
    labels: Labels,
    k: int,
    loss: float,
    least_fall: float,
) -> tuple[Labels, float]:
    while True:
        after = step(points, labels, k)
        now = kernels.loss(points, after)
        if not loss - now > least_fall:
            return (after, now) if now < loss else (labels, loss)
        labels, loss = after, now


def _assign(points: Points, labels: Labels, k: int) -> Labels:
    return kernels.assign(points, _centroids(points, labels), labels, k, 2 * k - 1)


def _reorder(points: Points, labels: Labels, k: int) -> Labels:
    order = kernels.walk_by_centroids(points, labels)
    return labels_of(order, kernels.cut(points, order, k)[0])


def _centroids(points: Points, labels: Labels) -> Points:
    total = np.stack([np.bincount(labels, weights=column) for column in points.T], axis=1)
    return total / np.bincount(labels)[:, None]
