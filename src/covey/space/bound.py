"""Lower bounds: no partition into groups of at least k loses less."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import InfeasibleError, OptionError, did_you_mean, shown
from covey.space.auto import good_groups
from covey.space.column_generation import ColumnGeneration
from covey.space.different import as_codes, as_different, different_bound
from covey.space.method import below_in_input, check_number, matching_bound, only_partition, sse
from covey.utils.arrays import Coordinates, as_coordinates, as_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from covey.space.different import Different

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
    strata: ArrayLike | None = None,
    units: ArrayLike | None = None,
    sensitive: ArrayLike | None = None,
    l_diversity: SupportsIndex = 2,
) -> float:
    """No partition of X into groups of at least k loses less (SSE) than this.

    "neighbours": every record pays at least 1/2k of the squared distances to its k-1 nearest. "matching", that of
    `Solution.bound`: every record is matched to k-1 others, a pair at most once, and the cheapest matching is a bound;
    much tighter and hardly slower, for any table. "tight": starts from there and raises the prices of records until groups
    hold them: nearly the linear relaxation of the set partitioning, for k up to about 10, and above it by cuts for k = 3. Each is at least the one
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
        Called with the bound so far, many times while "tight" runs; with strata: of the stratum at work and those before.
    strata
        The stratum of each record, where groups stay within strata: their bounds add up.
    units
        The unit of each record, where k counts units: every group holds k different ones.
    sensitive
        A value of each record, None where it is missing, where every group holds `l_diversity` different ones.
    l_diversity
        How many different values of `sensitive` a group holds at least. Any requirement that implies this has the bound, too:
        entropy or recursive l-diversity, and no value with a share above 1/l.

    Returns
    -------
    float
        In the units of `Solution.loss`, rounded down.

    Examples
    --------
    >>> round(lower_bound([[0.0], [1.0], [5.0], [6.0]], k=2), 6)
    1.0
    """
    check_bound(method, time_limit)
    coordinates = as_coordinates(X)
    n = len(coordinates.values)
    least = as_count(k, "k", at_most=n)
    asked = [] if units is None else [as_different("units", units, least, n)]
    asked += [] if sensitive is None else [as_different("sensitive", sensitive, l_diversity, n)]
    effort = _Effort(method, time.monotonic() + time_limit, progress)
    if strata is None:
        return _knowing(coordinates, least, asked, effort)
    stratum = as_codes("strata", strata, n)
    total = 0.0
    for code in np.unique(stratum):
        rows = np.flatnonzero(stratum == code)
        within = [one.among(rows) for one in asked]
        _check_stratum(len(rows), least, within)
        here = effort._replace(before=total)
        total = math.nextafter(
            total + _knowing(Coordinates(coordinates.values[rows], coordinates.exponent), least, within, here), 0.0
        )
    return max(0.0, total)


def check_bound(method: object, time_limit: object) -> None:
    """An error for a bound that there is not, or a time that is none."""
    if not isinstance(method, str) or method not in _METHODS:
        msg = f"there is no bound {shown(method)}{did_you_mean(str(method), _METHODS)}; known: {', '.join(_METHODS)}"
        raise OptionError(msg)
    check_number("time_limit", time_limit, 0.0)


class _Effort(NamedTuple):
    method: str
    deadline: float
    progress: Callable[[float], Any] | None
    before: float = 0.0

    def say(self, bound: float) -> None:
        if self.progress is not None:
            self.progress(self.before + bound)


def _check_stratum(n: int, k: int, asked: list[Different]) -> None:
    if n < k:
        msg = f"a stratum has {n} records, k is {k}; needed: at least k records in every stratum"
        raise InfeasibleError(msg)
    for one in asked:
        one.check("a stratum")


def _knowing(coordinates: Coordinates, k: int, asked: list[Different], effort: _Effort) -> float:
    """The bound for k, and those that know what else is asked for: the greatest."""
    k = max(k, *(one.least for one in asked), 1)
    trivial = only_partition(len(coordinates.values), k)
    if trivial is not None:
        return sse(coordinates, trivial) * _ROUNDED
    return max(_for_k(coordinates, k, effort), different_bound(coordinates, k, asked))


def _for_k(coordinates: Coordinates, k: int, effort: _Effort) -> float:
    if effort.method == "neighbours":
        return _by_neighbours(coordinates, k)
    if effort.method == "matching":
        return matching_bound(coordinates, k)
    if effort.method == "tight":
        return tight_bound(coordinates, k, effort.deadline, effort.say)
    generation = ColumnGeneration(coordinates.values, k, Partition(good_groups(coordinates.values, k)))
    generation.run(effort.deadline)
    return below_in_input(coordinates, generation.bound)


def _by_neighbours(coordinates: Coordinates, k: int) -> float:
    bound = kernels.neighbour_bound(coordinates.values, k) * _ROUNDED - len(coordinates.values) * _HIDDEN
    return below_in_input(coordinates, max(0.0, bound))


def tight_bound(coordinates: Coordinates, k: int, deadline: float, progress: Callable[[float], Any] | None) -> float:
    """No partition loses less than this; what is proven when time is up, or after Ctrl-C."""
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
