"""`GatherLine`: groups of at least k numbers with the least largest span, in linear time (min-max r-gathering on the line)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

import numpy as np

from covey._kernels import diverse as kernels
from covey.core.method import Method
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.utils.arrays import as_column, as_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class GatherLine(Method):
    """Groups of at least k numbers whose largest span, from the least to the greatest of a group, is least.

    Groups are runs of the sorted numbers, of k to 2k-1 each; the recursion over where the last one begins keeps its candidates in a
    queue that grows and shrinks at its ends. Exact; O(n) once the numbers are sorted.

    Source: r-gathering is Aggarwal et al. 2006; on the line Akagi & Nakano 2015, in linear time Sarker, Sung & Rahman 2019. The queue is ours.

    Examples
    --------
    >>> GatherLine().solve([3.0, 11.0, 2.0, 10.0, 1.0], k=2).loss
    2.0
    """

    name: ClassVar[str] = "gather-line"

    def solve(self, X: ArrayLike, k: SupportsIndex) -> Solution:
        """Group the numbers X; the loss is the largest span."""
        x = as_column(X, shift_integers=True).values
        least = as_count(k, "k", at_most=len(x))
        order = np.argsort(x, kind="stable")
        ascending = x[order] if x.max() / 4 - x.min() / 4 < 1e307 else x[order] / 4  # spans within the range of a float
        sizes = kernels.gather(ascending, least)
        labels = np.empty(len(x), dtype=np.int32)
        labels[order] = np.repeat(np.arange(len(sizes)), sizes)
        stops = np.cumsum(sizes)
        with np.errstate(over="ignore"):
            loss = float((x[order][stops - 1] - x[order][stops - sizes]).max())
        return Solution(Partition(labels), loss, bound=loss, status="optimal", method=self)
