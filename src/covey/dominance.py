"""Released values that are one member's own, or nearly: counted, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.aggregation import Aggregate, Members, members, trimmed_shares
from covey.values import AMOUNTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition import Partition
    from covey.values import Values


class OwnValues(NamedTuple):
    """How many groups publish one member's own value, and how many a mean that one member dominates."""

    own: int
    p_percent: int
    dominated: int
    groups: int
    """All groups that have a value."""

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
    trim: float = 0.1,
    weights: NDArray[np.float64] | None = None,
    units: NDArray[np.int64] | None = None,
) -> OwnValues:
    """Count the groups of a column whose released value gives one member away: a record, or a unit where there are some.

    Own: the aggregate picks a member's value (min, max, a middle one, the mode) and only one member has it; or only one member has
    a value at all, or is left by trimming. p % rule: the others but the largest two contribute less than p % of the largest, so
    the second largest knows the largest that well. (n, k) rule: the largest n make more than k % of the total. Both take amounts
    with their weight and without their sign, summed over the rows of a unit.
    """
    m = members(column, partition, weights)
    if len(m.group) == 0:
        return OwnValues(0, 0, 0, 0)
    who = m.rows if units is None else units[m.rows]
    counts = np.ones(len(m.rows), dtype=bool)
    if how == "trimmed-mean":
        counts = trimmed_shares(m, trim) > 0
    elif how != "mean":
        value = np.zeros(len(partition), dtype=released.physical.dtype)
        value[partition.labels] = released.physical
        counts = m.values == value[m.labels]
    groups = len(m.group)
    if units is None:  # every row is a member of its own
        different = np.bincount(m.labels[counts], minlength=len(partition))
    else:
        different = _different(m.labels[counts], who[counts], len(partition))
    own = int((different == 1).sum())
    if how not in ("mean", "trimmed-mean") or column.kind not in AMOUNTS:
        return OwnValues(own, 0, 0, groups)
    return OwnValues(own, *_dominated(m, None if units is None else who, p_percent, dominance), groups)


def _different(labels: NDArray[np.int64], who: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
    """How many different members each group has here."""
    width = int(who.max(initial=0)) + 1
    return np.bincount(np.unique(labels * width + who) // width, minlength=groups)


def _dominated(
    m: Members, who: NDArray[np.int64] | None, p_percent: float, dominance: tuple[int, float]
) -> tuple[int, int]:
    amounts = np.abs(m.values.astype(np.float64))
    amounts = amounts / max(float(amounts.max()), 1e-300) * (m.weights / m.weights.max())
    size, label = amounts, m.labels
    if who is not None:
        width = int(who.max()) + 1
        pairs, place = np.unique(m.labels * width + who, return_inverse=True)
        size, label = np.bincount(place, weights=amounts), pairs // width
    other, growth = np.diff(label) != 0, np.diff(size)
    if (other | (growth >= 0)).all():  # sorted already, the other way round
        size, label = size[::-1], label[::-1]
    elif not (other | (growth <= 0)).all():
        order = np.lexsort((-size, label))
        size, label = size[order], label[order]
    start = np.flatnonzero(np.diff(label, prepend=-1))
    count = np.diff(np.append(start, len(size)))
    total, largest = np.add.reduceat(size, start), size[start]
    second = np.where(count > 1, size[np.minimum(start + 1, len(size) - 1)], 0.0)
    close = (largest > 0) & (total - largest - second < p_percent / 100 * largest - 1e-12 * total)
    n, share = dominance
    rank = np.arange(len(size)) - np.repeat(start, count)
    top = np.add.reduceat(np.where(rank < n, size, 0.0), start)
    heavy = (total > 0) & (top > share / 100 * total * (1 + 1e-12)) & (count > n)
    return int(close.sum()), int(heavy.sum())
