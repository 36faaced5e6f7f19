"""Anchors: cuts of an optimal partition of a whole column that one part of it finds on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from covey._kernels import line as kernels
from covey.costs import COSTS, NamedCost, RoundedSquares, check_weighable, cost_name, find_cost, is_named
from covey.errors import InputError, OptionError
from covey.line.tail import Tail
from covey.utils.arrays import as_array, as_column, as_count, as_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from covey.utils.typing import Floats

_FIRST, _MOST = 2**12, 2**16  # records that are looked at first, and at most; for large k multiples of k * k
_SEGMENT = 256  # ends after which cuts may be decided; for large k multiples of k
_MEMORY = 2**26


def anchor(
    values: ArrayLike, k: SupportsIndex, cost: str | NamedCost = "sse", *, weights: ArrayLike | None = None
) -> int | None:
    """Find a cut of a sorted part of a column that an optimal partition of the whole holds, whatever surrounds the part.

    Groups have at most 2k-1 records, so of any 2k-1 neighbouring positions one is a cut. From each of the first 2k-1 the best
    paths are followed until those to all last 2k-1 positions agree (as in `stream`). A cut that all of them share, from every
    start, is an anchor: what an optimal partition has between a start and an end can be replaced by a path through it. So
    the anchors of disjoint parts are cuts of one optimal partition, and nothing passes between the parts.

    Exact. O(k) runs over usually 2 k^2 records, not over the part. None if nothing is shared within 64 k^2 records (at least
    2^16): data such as squares of integers, whose groups depend on the far past. Then the part goes with the one before it.
    Only cuts between different values are taken: a range of values then is a piece.

    Source: the lemma of `covey.line.stream`, applied to all starts.

    Parameters
    ----------
    values
        A part of the column, ascending.
    k
        The least size of a group.
    cost
        "sse", "sae", "maxdist", "roundup", "rounddown" or "rounded".
    weights
        What the records weigh, for "sse" and "rounded".

    Returns
    -------
    int or None
        The position of the cut in the part.

    Examples
    --------
    >>> anchor(np.repeat(np.arange(100.0), 20), k=3)
    20
    """
    named = find_cost(cost)
    if not is_named(named):
        msg = f"cost {cost_name(named)!r} is one of your own, which has no anchors; needed: one of {', '.join(COSTS)}"
        raise OptionError(msg)
    least = as_count(k, "k")
    if len(as_array(values)) == 0:
        return None
    x, is_sorted = as_column(values, shift_integers=True)
    if not is_sorted:
        msg = "the part does not ascend; needed: sorted values; sort the records first"
        raise InputError(msg)
    named.check(x)
    weight = None
    if weights is not None:
        check_weighable(named)
        weight = as_weights(weights, len(x))
    length = max(_FIRST, 4 * least * least)
    most = min(len(x), max(_MOST, 64 * least * least))
    while True:
        stop = min(length, most)
        place = _shared(x[:stop], least, named, None if weight is None else weight[:stop])
        if place is not None or length >= most:
            return place
        length *= 4


def _shared(x: Floats, k: int, cost: NamedCost, weight: Floats | None) -> int | None:
    """The first cut between different values that the decided cuts of all starts share."""
    if len(x) < 4 * k:
        return None
    shared = np.flatnonzero(np.diff(x)) + 1
    for start in range(2 * k - 1):
        shared = shared[np.isin(shared, _decided(x, start, k, cost, weight), assume_unique=True)]
        if len(shared) == 0:
            return None
    return int(shared[0])


def _decided(x: Floats, start: int, k: int, cost: NamedCost, weight: Floats | None = None) -> NDArray[np.int64]:
    """The cuts that the best paths from a forced cut at `start` share, whatever follows x.

    What forces the cut is a crowd of k equal values, so far to the left that to join it costs more than any other way. Of the heaviest
    records, it costs those who join half their weight times the square of the way, at least; in the next group, which publishes
    what it did, the same records cost no more than their weight times the square of what x spans.
    """
    rounds = isinstance(cost, RoundedSquares)  # which may cost a record half a unit more, and the crowd nothing
    gap = 4.0 * k * (float(x[-1] - x[0]) + rounds) or 1.0
    far = float(np.floor(x[0] - gap) if rounds else x[0] - gap)
    if not np.isfinite(far) or far == x[0]:
        return np.empty(0, dtype=np.int64)
    column = np.concatenate([np.full(k, far), x[start:]])
    weights = None if weight is None else np.concatenate([np.full(k, weight.max()), weight[start:]])
    kernel, tail = kernels.Stream(cost.code, k, 1, weights is not None), Tail(k, _MEMORY)
    step = max(_SEGMENT, 8 * k)
    ends: list[NDArray[np.int64]] = []
    try:
        for place in range(0, len(column), step):
            some = slice(place, place + step)
            sizes, roots = kernel.push(column[some], False, None if weights is None else weights[some])  # noqa: FBT003
            if len(sizes):
                ends += tail.add(sizes, roots)
    except OverflowError:  # magnitudes that only the search in memory can take
        return np.empty(0, dtype=np.int64)
    finally:
        tail.close()
    return np.concatenate([np.empty(0, dtype=np.int64), *ends]) + (start - k)
