"""Lower bounds: no partition into groups of at least k loses less."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, SupportsIndex

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import OptionError, did_you_mean, shown
from covey.space.auto import good_groups
from covey.space.column_generation import ColumnGeneration
from covey.space.method import below_in_input, check_number, matching_bound, only_partition, sse
from covey.utils.arrays import as_coordinates, as_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.utils.arrays import Coordinates

_METHODS = ("neighbours", "matching", "columns")
_ROUNDED = 1 - 1e-9
_HIDDEN = 2.0**-880  # what the square of a tiny difference may be wrong by, a record


def lower_bound(X: ArrayLike, k: SupportsIndex, *, method: str = "matching", time_limit: float = 60.0) -> float:
    """No partition of X into groups of at least k loses less (SSE) than this.

    "neighbours": every record pays at least 1/2k of the squared distances to its k-1 nearest. "matching", that of
    `Solution.bound`: every record is matched to k-1 others, a pair at most once, and the cheapest matching is a bound;
    much tighter and hardly slower, for any table. "columns": the linear relaxation of the set partitioning by column
    generation (HiGHS by scipy, needs the extra `exact`); tighter still, for k up to about 5 and some thousand records;
    it starts from "matching", and is valid also when `time_limit`, in seconds, ends it early. Each is at least the one
    before, for any table.

    Sources: the bound by neighbours is folklore; Aloise, Hansen, Rocha & Santi 2014, Column generation bounds for
    numerical microaggregation. The bound by matching is Covey's own.

    Parameters
    ----------
    X
        Records in rows.
    k
        The least number of records in a group.
    method
        "neighbours", "matching" or "columns".
    time_limit
        In seconds, for "columns".

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
    return matching_bound(coordinates, least) if method == "matching" else _by_columns(coordinates, least, time_limit)


def _by_neighbours(coordinates: Coordinates, k: int) -> float:
    bound = kernels.neighbour_bound(coordinates.values, k) * _ROUNDED - len(coordinates.values) * _HIDDEN
    return below_in_input(coordinates, max(0.0, bound))


def _by_columns(coordinates: Coordinates, k: int, time_limit: float) -> float:
    deadline = time.monotonic() + time_limit
    generation = ColumnGeneration(coordinates.values, k, Partition(good_groups(coordinates.values, k)))
    generation.run(deadline)
    return below_in_input(coordinates, generation.bound)
