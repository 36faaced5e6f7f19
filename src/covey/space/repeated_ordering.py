"""Repeated record ordering (RepOrdMic): order the records group by group, cut, and again while that helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import OptionError, shown
from covey.space.kmeans import kmeans_labels
from covey.space.method import LabellingMethod, check_number, labels_of, mean_square
from covey.utils.arrays import as_count, check_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.space.method import Labels
    from covey.utils.typing import Points

# For even and odd numbers of clusters: k-means++ suits clusters, random records suit data with outliers.
INITS = {"mixed": ("k-means++", "random"), "k-means++": ("k-means++",) * 2, "random": ("random",) * 2}


@dataclass(frozen=True)
class RepeatedOrdering(LabellingMethod):
    """Order the records along the groups of a clustering, cut the sequence, and repeat from the groups found.

    The sequence starts at the record farthest from the centroid. A group begins at the current record, ends at its member
    farthest from that, and the others are inserted in between where they lengthen the sequence least; then on to the
    nearest record of a group not seen yet. Groups stay in one piece, so the cut never loses more than they do: the loss
    falls until it stops. Heuristic; O(n k^2 + n log n) an iteration after the first, about 12 iterations a start.

    Source: Mortazavi 2020, Repeated record ordering for constrained size clustering.

    Parameters
    ----------
    starts
        How many clusterings to start from, by k-means with 1, 2, ..., `starts` clusters (needs scikit-learn), or the
        clusterings themselves: a sequence of `Partition`. The best end is kept.
    seed
        For k-means.
    init
        Where k-means starts: "random" records, "k-means++", or "mixed": odd numbers of clusters the former, even ones
        the latter.
    tolerance
        A start ends when its loss falls by no more than this, for columns of variance 1 (else times their mean variance).
        0: when it does not fall. The source has 1e-7.

    Examples
    --------
    >>> start = Partition([0, 0, 0, 0, 0, 0])
    >>> RepeatedOrdering(starts=[start]).partition([[0], [9], [1], [8], [2], [7]], k=3).labels.tolist()
    [0, 1, 0, 1, 0, 1]
    """

    name: ClassVar[str] = "repeated-ordering"

    starts: int | Sequence[Partition] = 200
    seed: int = 0
    init: str = "mixed"
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_number("tolerance", self.tolerance, 0.0)
        if self.init not in INITS:
            msg = f"init is {shown(self.init)}; needed: one of {', '.join(INITS)}"
            raise OptionError(msg)
        if isinstance(self.starts, Sequence) and not isinstance(self.starts, str):
            if not self.starts or not all(isinstance(start, Partition) for start in self.starts):
                msg = "starts holds something that is not a Partition, or nothing; needed: one Partition or more, or a number"
                raise OptionError(msg)
            object.__setattr__(self, "starts", tuple(self.starts))
        else:
            object.__setattr__(self, "starts", as_count(self.starts, "starts"))

    def _group(self, points: Points, k: int) -> Labels:
        order, sizes, _ = self._run(points, k)
        return labels_of(order, sizes)

    def _run(self, points: Points, k: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32], list[list[float]]]:
        least_fall = self.tolerance * mean_square(points)
        return kernels.repeated_ordering(points, self._start_labels(points), k, least_fall)

    def _start_labels(self, points: Points) -> NDArray[np.uint32]:
        if isinstance(self.starts, int):
            counts = range(1, min(self.starts, len(points)) + 1)
            inits = INITS[self.init]
            return np.stack([kmeans_labels(points, count, self.seed, init=inits[count % 2]) for count in counts])
        for start in self.starts:
            if len(start.labels) != len(points):
                msg = f"a start groups {len(start.labels)} records, and X has {len(points)}; needed: as many"
                raise OptionError(msg)
        return np.stack([start.labels.astype(np.uint32) for start in self.starts])
