"""t-closeness: how far the sensitive values of a class are from those of the whole table (Li, Li & Venkatasubramanian 2007)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.privacy.counts import Counts, count, of_counts, weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def t_closeness(
    classes: NDArray[np.int64],
    values: NDArray[np.int64],
    known: NDArray[np.bool_],
    units: NDArray[np.int64] | None = None,
    *,
    ordered: bool,
    overall: NDArray[np.float64] | None = None,
) -> float:
    """The largest distance of a class from the whole table where values may be missing: it holds for all that can be learned.

    The larger of the distance of the known values alone and that of the shares of missing ones; where no value is nearer than
    another, of the whole distribution with missing as a value. A class without a known value has a share of 1 missing ones.

    Parameters
    ----------
    classes, values
        The class and the value of each record, as numbers; values in their order where they have one.
    known
        Whether the value is there.
    units
        The unit of each record, where units are counted.
    ordered
        Whether values lie on a line: `t_closeness_ordered`, or `t_closeness_equal`.
    overall
        The weight of each value, by its code, in a larger table of which these are some classes; that of missing ones last.

    Returns
    -------
    float
        From 0 to 1; lower is better.

    Examples
    --------
    All that is known is alike, but one class has more that is missing:

    >>> classes, values = np.array([0, 0, 1, 1]), np.array([1, 1, 1, 0])
    >>> t_closeness(classes, values, np.array([True, True, True, False]), ordered=True)
    0.25
    """
    beside = None if units is None else units[known]
    if overall is None:
        different = np.unique(values[known])
        code = np.where(known, np.searchsorted(different, values), len(different))
        whole = weights_of(code, units, len(different) + 1)
        some = count(classes[known], code[known], beside)
    else:
        code, whole = np.where(known, values, len(overall) - 1), overall
        some = count(classes[known], code[known], beside, overall[:-1])
    everything = count(classes, code, units, whole)
    if not ordered:
        return max(t_closeness_equal(some), t_closeness_equal(everything))
    missing, gaps = everything.value == len(whole) - 1, np.zeros(len(everything.size))
    gaps[everything.in_class[missing]] = everything.share[missing]
    return max(t_closeness_ordered(some), float(np.abs(gaps - everything.overall[-1]).max(initial=0.0)))


@of_counts("From 0 to 1; lower is better.")
def t_closeness_equal(counts: Counts) -> float:
    """The largest earth mover's distance when all values are equally far from each other: half the sum of differences.

    Examples
    --------
    >>> from covey.privacy import count
    >>> t_closeness_equal(count(np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2])))
    0.5
    """
    if len(counts.number) == 0:
        return 0.0
    share, p = counts.share, counts.overall[counts.value]
    more = np.add.reduceat(np.maximum(0.0, share - p), counts.start)  # half of it is more, half is less
    return float(more.max())


@of_counts("From 0 to 1; lower is better.")
def t_closeness_ordered(counts: Counts) -> float:
    """The largest earth mover's distance when values lie on a line, one step apart: the ordered distance.

    sum over i of abs(sum over j <= i of (q_j - p_j)) / (m - 1), for m values in the whole table.

    Examples
    --------
    >>> from covey.privacy import count
    >>> t_closeness_ordered(count(np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2])))
    0.5
    """
    m = len(counts.overall)
    if m < 2 or len(counts.number) == 0:
        return 0.0
    below = np.concatenate([[0.0], np.cumsum(counts.overall)])  # the table's share of values before each
    total = np.concatenate([[0.0], np.cumsum(below)])
    start = counts.start
    have = _cumulated(counts.weight, start) / counts.size[counts.in_class]
    begin = counts.value
    end = np.append(begin[1:], m)
    end[np.append(start[1:], len(begin)) - 1] = m
    # Up to the next value of its class a record's class keeps its cumulated share, and the table's rises.
    cut = np.clip(np.searchsorted(below, have) - 1, begin, end)
    low = (cut - begin) * have - (total[cut + 1] - total[begin + 1])
    high = (total[end + 1] - total[cut + 1]) - (end - cut) * have
    before = total[begin[start] + 1] - total[1]
    return float((np.add.reduceat(low + high, start) + before).max()) / (m - 1)


def _cumulated(weight: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]:
    """Cumulated sums within each class, by doubling: what other classes hold rounds nothing."""
    place = np.arange(len(weight)) - np.repeat(start, np.diff(np.append(start, len(weight))))
    total, step = weight.copy(), 1
    while step <= place.max(initial=0):
        later = np.flatnonzero(place >= step)
        total[later] = total[later] + total[later - step]
        step *= 2
    return total
