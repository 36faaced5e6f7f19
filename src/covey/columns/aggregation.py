"""From groups to released values: every record gets the representative of its group, in the column's own type.

Stated rules. Integers, decimals and times are rounded to their last unit, halves to the even one (times to whole days, hours,
minutes or seconds where all values of the column are), binary numbers to the decimals that the column has (`covey.columns.grain`). The median of an even number is the mean of the middle two, of ordered
categories the lower one. The mode of equally frequent values is the one more frequent in the whole column, then the first in
order. Labels of hierarchies and the medoid: `covey.columns.hierarchy.labels`. Missing values do not enter; a group that has no others stays missing. Weights count as repeated records.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.columns.grain import rounded
from covey.columns.hierarchy.labels import ancestors, least_losses
from covey.columns.members import Members, members
from covey.columns.values import NUMBERS, Kind, Values
from covey.costs import COSTS, Cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.partition import Partition
    from covey.utils.typing import Floats, Integers

Aggregate = Literal[
    "mean", "median", "midrange", "min", "max", "mode", "trimmed-mean", "ancestor", "least-loss", "medoid"
]
COST_OF: dict[Aggregate, str] = {
    "mean": "sse",
    "median": "sae",
    "midrange": "maxdist",
    "max": "roundup",
    "min": "rounddown",
    "trimmed-mean": "sse",
    "mode": "sse",
    "ancestor": "sse",
    "least-loss": "sse",
    "medoid": "sse",
}
"""The cost that an aggregate goes with: what one column is grouped by."""
_PICKED: tuple[Aggregate, ...] = ("min", "max", "mode")
"""Aggregates that are a member's value as it is."""


def aggregates_for(kind: Kind) -> tuple[Aggregate, ...]:
    """The aggregates that make sense for a kind of column, the default first."""
    if kind in NUMBERS:
        return ("mean", "median", "midrange", "min", "max", "mode", "trimmed-mean")
    if kind == "hierarchy":
        return ("ancestor", "least-loss", "mode", "medoid")
    return ("median", "min", "max", "mode", "medoid") if kind == "ordinal" else ("mode", "medoid")


def aggregate(column: Floats, partition: Partition, cost: Cost) -> Floats:
    """The column with every value replaced by the one that loses least in its group.

    >>> from covey import Partition
    >>> aggregate(np.array([1.0, 8.0, 3.0, 9.0]), Partition([0, 1, 0, 1]), COSTS["sse"]).tolist()
    [2.0, 8.5, 2.0, 8.5]
    """
    if cost == COSTS["sse"] and np.abs(column).max() < 2.0**900:  # where no difference overflows
        return _means(column, partition.labels, partition.sizes.astype(np.float64), None)[partition.labels]
    values = [cost.representative(column[group]) for group in partition.groups()]
    return np.array(values, dtype=np.float64)[partition.labels]


def aggregate_column(
    column: Values, partition: Partition, how: Aggregate, *, weights: Floats | None = None, trim: float = 0.1
) -> Values:
    """The column with every value replaced by its group's, missing ones included."""
    return aggregate_members(column, members(column, partition, weights), how, trim=trim)


def aggregate_members(column: Values, inside: Members, how: Aggregate, *, trim: float = 0.1) -> Values:
    """The same, where the members of its groups are known."""
    labels, groups = inside.partition.labels, len(inside.partition)
    published = np.zeros(groups, dtype=column.physical.dtype)
    known = np.zeros(groups, dtype=bool)
    known[inside.group] = True
    if len(inside.group):
        published[inside.group] = _representatives(column, inside, how, trim)
    if column.kind == "float":  # what is published, to the last digit
        published = published if how in _PICKED else rounded(published, column.decimals)
        published = published.astype(column.type.to_pandas_dtype()).astype(np.float64)
    return column.replaced(published[labels], known[labels])


def _representatives(column: Values, m: Members, how: Aggregate, trim: float) -> NDArray[Any]:
    if how == "mode":
        return _modes(m, column.frequency)
    if column.tree is not None:
        return ancestors(column.tree, m) if how == "ancestor" else least_losses(column.tree, m)
    if how == "min":
        return m.values[m.start]
    if how == "max":
        return m.values[m.stop - 1]
    if how == "midrange":
        return _middles(m.values[m.start], m.values[m.stop - 1], column.step)
    if how == "median":
        low, high = _median_places(m)
        return m.values[low] if column.kind == "ordinal" else _middles(m.values[low], m.values[high], column.step)
    kept = trimmed_shares(m, trim) if how == "trimmed-mean" else m.weights
    exact = not m.weighted and how == "mean"
    if m.values.dtype.kind == "i":
        return _integer_means(m, kept, column.step, exact=exact)
    return _float_means(m, None if exact else kept)


def _sums(m: Members, values: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.add.reduceat(values, m.start))


def _float_means(m: Members, weights: Floats | None) -> Floats:
    number = np.repeat(np.arange(len(m.start)), m.stop - m.start)
    total = (m.stop - m.start).astype(np.float64) if weights is None else _sums(m, weights)
    low, high = m.values[m.start], m.values[m.stop - 1]
    large = np.frexp(np.maximum(-low, high))[1]
    power = np.where(np.abs(large) > 900, large, 0)  # neither sums nor differences overflow
    means = np.ldexp(_means(np.ldexp(m.values, -power[number]), number, total, weights), power)
    return np.clip(means, low, high)


def _means(column: Floats, labels: NDArray[Any], total: Floats, weights: Floats | None) -> Floats:
    """Means of all groups at once, each relative to a member, so that an offset costs no digits."""
    origin = np.empty(len(total))
    origin[labels[::-1]] = column[::-1]
    off = column - origin[labels]
    means: Floats = origin + np.bincount(labels, weights=off if weights is None else off * weights) / total
    return means


def _integer_means(m: Members, weights: Floats, step: int, *, exact: bool) -> Integers:
    """Means rounded to a multiple of the step, halves to even; exactly where no weights are involved."""
    count = m.stop - m.start
    spread = int(m.values.max()) - int(m.values.min())
    if spread * int(count.max()) > 2**61:
        return _slow_integer_means(m, weights, step, exact=exact)
    origin = m.values[m.start] // step * step
    off = m.values - np.repeat(origin, count)
    if exact:
        whole, rest = np.divmod(_sums(m, off), count * step)
        up = 2 * rest - count * step
    else:
        mean = np.clip(_sums(m, off * weights) / _sums(m, weights), 0, m.values[m.stop - 1] - origin) / step
        whole = np.floor(mean).astype(np.int64)
        up = np.round(mean - whole - 0.5, 9)  # a half is a half, whatever was added up to it
    odd = (origin // step + whole) % 2 == 1
    rounded: Integers = origin + step * (whole + ((up > 0) | ((up == 0) & odd)))
    return rounded


def _slow_integer_means(m: Members, weights: Floats, step: int, *, exact: bool) -> Integers:
    means = []
    for start, stop in zip(m.start, m.stop, strict=True):
        values = m.values[start:stop].tolist()
        share = [1] * len(values) if exact else [Fraction(w) for w in weights[start:stop].tolist()]
        total = sum((v * w for v, w in zip(values, share, strict=True)), start=Fraction(0))
        means.append(step * round(total / sum(share) / step))
    return np.array(means, dtype=np.int64)


def _middles(low: NDArray[Any], high: NDArray[Any], step: int) -> NDArray[Any]:
    if low.dtype.kind == "f":
        with np.errstate(over="ignore"):
            half = (high - low) / 2
        return np.where(np.isfinite(half), low + half, low / 2 + high / 2)
    a, b = low // step, high // step
    more, rest = np.divmod(((a ^ b) & 1) * step + low % step + high % step, 2 * step)
    whole = (a >> 1) + (b >> 1) + (a & b & 1) + more
    middle: NDArray[Any] = step * (whole + ((rest > step) | ((rest == step) & (whole & 1 == 1))))  # halves to even
    return middle


def _cumulated(m: Members) -> tuple[Floats, Floats]:
    """Weights as shares of their group's, and the sum of the shares up to each value, within its group."""
    count = m.stop - m.start
    share = m.weights / np.repeat(_sums(m, m.weights), count)
    total = np.cumsum(share)
    return share, total - np.repeat(total[m.start] - share[m.start], count)


def _median_places(m: Members) -> tuple[Integers, Integers]:
    """Where the middle two lie, of the values repeated by their weights."""
    _, inside = _cumulated(m)
    low = m.start + _sums(m, (inside < 0.5 - 1e-9).astype(np.int64))
    high = m.start + _sums(m, (inside <= 0.5 + 1e-9).astype(np.int64))
    return np.minimum(low, m.stop - 1), np.minimum(high, m.stop - 1)


def trimmed_shares(m: Members, trim: float) -> Floats:
    """What is left of the share of each value when a share `trim` of its group is cut off at either end."""
    share, inside = _cumulated(m)
    left = np.minimum(inside, 1 - trim) - np.maximum(inside - share, trim)
    return np.asarray(np.where(left > 1e-12, left, 0.0))


def _modes(m: Members, frequency: Integers | None) -> NDArray[Any]:
    distinct, codes = np.unique(m.values, return_inverse=True)
    overall = np.bincount(codes, weights=m.weights) if frequency is None else frequency[distinct]
    first = np.flatnonzero((np.diff(m.labels, prepend=-1) != 0) | (np.diff(codes, prepend=-1) != 0))
    weight = np.add.reduceat(m.weights, first)
    code, label = codes[first], m.labels[first]
    order = np.lexsort((-code, _rounded(overall)[code], _rounded(weight), label))
    last = np.flatnonzero(np.diff(label[order], append=label.max() + 1))
    return np.asarray(distinct[code[order[last]]])


def _rounded(weights: NDArray[Any]) -> Floats:
    """Sums of weights in units of the largest, so that sums in another order are equal."""
    return np.asarray(np.round(weights / weights.max(), 12))
