"""Released values that are one member's own, or nearly: counted, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.aggregation import Aggregate, Members, members
from covey.values import AMOUNTS, NUMBERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition import Partition
    from covey.values import Values


class OwnValues(NamedTuple):
    """How many groups publish one member's own value, and how many a mean that one member dominates."""

    own: int
    p_percent: int
    dominated: int

    @property
    def any(self) -> bool:
        """Whether there are such groups."""
        return self.own + self.p_percent + self.dominated > 0


def own_values(
    column: Values,
    released: Values,
    partition: Partition,
    how: Aggregate,
    *,
    p_percent: float,
    dominance: tuple[int, float],
) -> OwnValues:
    """Count the groups of a column whose released value gives one member away.

    Own: the aggregate picks a member (min, max, the median of an odd number, the mode) and only one member has that value; or
    only one member has a value at all. p % rule: the others but the largest two contribute less than p % of the largest, so the
    second largest knows the largest that well. (n, k) rule: the largest n make more than k % of the total. Both take amounts
    without their sign.
    """
    m = members(column, partition)
    if column.kind not in NUMBERS or len(m.group) == 0:
        return OwnValues(0, 0, 0)
    count = m.stop - m.start
    value = np.zeros(len(partition), dtype=released.physical.dtype)
    value[partition.labels] = released.physical
    same = np.add.reduceat((m.values == np.repeat(value[m.group], count)).astype(np.int64), m.start)
    picks = how in ("min", "max", "mode") or (how == "median" and bool(len(count)))
    odd = np.ones(len(count), dtype=bool) if how != "median" else count % 2 == 1
    own = int(((same == 1) & ((odd & picks) | (count == 1))).sum())
    if how not in ("mean", "trimmed-mean") or column.kind not in AMOUNTS:
        return OwnValues(own, 0, 0)
    return OwnValues(own, *_dominated(m, count, p_percent, dominance))


def _dominated(m: Members, count: NDArray[np.int64], p_percent: float, dominance: tuple[int, float]) -> tuple[int, int]:
    size = np.abs(m.values.astype(np.float64))
    size = size / max(float(size.max()), 1e-300)
    size = size[np.lexsort((-size, m.labels))]
    total = np.add.reduceat(size, m.start)
    largest = size[m.start]
    second = np.where(count > 1, size[np.minimum(m.start + 1, len(size) - 1)], 0.0)
    close = (largest > 0) & (total - largest - second < p_percent / 100 * largest - 1e-12 * total)
    n, share = dominance
    place = np.arange(len(size)) - np.repeat(m.start, count)
    top = np.add.reduceat(np.where(place < n, size, 0.0), m.start)
    heavy = (total > 0) & (top > share / 100 * total * (1 + 1e-12)) & (count > n)
    return int(close.sum()), int(heavy.sum())
