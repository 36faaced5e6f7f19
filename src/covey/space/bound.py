"""Lower bounds: no partition into groups of at least k loses less."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, SupportsIndex

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import OptionError, did_you_mean, shown
from covey.space.auto import good_groups
from covey.space.column_generation import ColumnGeneration
from covey.space.method import below_in_input, check_number, matching_bound, only_partition, sse
from covey.utils.arrays import as_coordinates, as_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from covey.utils.arrays import Coordinates

_METHODS = ("neighbours", "matching", "tight", "columns")
_ROUNDED = 1 - 1e-9
_HIDDEN = 2.0**-880  # what the square of a tiny difference may be wrong by, a record


def lower_bound(
    X: ArrayLike,
    k: SupportsIndex,
    *,
    method: str = "matching",
    time_limit: float = 60.0,
    progress: Callable[[float], Any] | None = None,
) -> float:
    """No partition of X into groups of at least k loses less (SSE) than this.

    "neighbours": every record pays at least 1/2k of the squared distances to its k-1 nearest. "matching", that of
    `Solution.bound`: every record is matched to k-1 others, a pair at most once, and the cheapest matching is a bound;
    much tighter and hardly slower, for any table. "tight": starts from there and raises the prices of records until groups
    hold them: nearly the linear relaxation of the set partitioning, for k up to about 10. Each is at least the one
    before, for any table. "columns": that relaxation itself, by column generation (HiGHS by scipy, needs the extra
    `exact`), for k up to about 5 and some thousand records; it starts from "matching", too, and takes much longer than
    "tight". The last two are valid also when `time_limit`, in seconds, ends them early, "tight" also after Ctrl-C.

    Sources: the bound by neighbours is folklore; Aloise, Hansen, Rocha & Santi 2014, Column generation bounds for
    numerical microaggregation. "matching" and "tight" are Covey's own.

    Parameters
    ----------
    X
        Records in rows.
    k
        The least number of records in a group.
    method
        "neighbours", "matching", "tight" or "columns".
    time_limit
        In seconds, for "tight" and "columns".
    progress
        Called with the bound so far, many times while "tight" runs.

    Returns
    -------
    float
        In the units of `Solution.loss`, rounded down.

    Examples
    --------
    >>> round(lower_bound([[0.0], [1.0], [5.0], [6.0]], k=2), 6)
    1.0
    """
    if method not in _METHODS:
        msg = f"there is no bound {shown(method)}{did_you_mean(method, _METHODS)}; known: {', '.join(_METHODS)}"
        raise OptionError(msg)
    check_number("time_limit", time_limit, 0.0)
    coordinates = as_coordinates(X)
    least = as_count(k, "k", at_most=len(coordinates.values))
    trivial = only_partition(len(coordinates.values), least)
    if trivial is not None:
        return sse(coordinates, trivial) * _ROUNDED
    if method == "neighbours":
        return _by_neighbours(coordinates, least)
    if method == "matching":
        return matching_bound(coordinates, least)
    deadline = time.monotonic() + time_limit
    if method == "tight":
        return _by_prices(coordinates, least, deadline, progress)
    generation = ColumnGeneration(coordinates.values, least, Partition(good_groups(coordinates.values, least)))
    generation.run(deadline)
    return below_in_input(coordinates, generation.bound)


def _by_neighbours(coordinates: Coordinates, k: int) -> float:
    bound = kernels.neighbour_bound(coordinates.values, k) * _ROUNDED - len(coordinates.values) * _HIDDEN
    return below_in_input(coordinates, max(0.0, bound))


def _by_prices(coordinates: Coordinates, k: int, deadline: float, progress: Callable[[float], Any] | None) -> float:
    prices = kernels.GroupPrices(coordinates.values, k)
    more = True
    try:
        while more and (left := deadline - time.monotonic()) > 0.0:
            more = prices.round(left)
            if progress is not None:
                progress(below_in_input(coordinates, prices.bound()))
    except KeyboardInterrupt:  # what is proven stays so
        pass
    return below_in_input(coordinates, prices.bound())
