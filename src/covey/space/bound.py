"""Lower bounds: no partition into groups of at least k loses less."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, SupportsIndex

from covey.core.partition import Partition
from covey.errors import OptionError, shown
from covey.space.auto import good_groups
from covey.space.column_generation import ColumnGeneration
from covey.space.method import check_number, neighbour_bound, only_partition, sse
from covey.utils.arrays import as_coordinates, as_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.utils.arrays import Coordinates

_METHODS = ("neighbours", "columns")


def lower_bound(X: ArrayLike, k: SupportsIndex, *, method: str = "neighbours", time_limit: float = 60.0) -> float:
    """No partition of X into groups of at least k loses less (SSE) than this.

    "neighbours": every record pays at least 1/2k of the squared distances to its k-1 nearest. One pass over the nearest
    neighbours, always affordable. "columns": the linear relaxation of the set partitioning by column generation
    (HiGHS by scipy, needs the extra `exact`); much tighter, for k up to about 5 and some thousand records; valid also when
    `time_limit`, in seconds, ends it early.

    Sources: the k-NN bound is folklore; Aloise, Hansen, Rocha & Santi 2014, Column generation bounds for numerical
    microaggregation.

    Parameters
    ----------
    X
        Records in rows.
    k
        The least number of records in a group.
    method
        "neighbours" or "columns".
    time_limit
        In seconds, for "columns".

    Returns
    -------
    float
        In the units of `Solution.loss`, rounded down.

    Examples
    --------
    >>> lower_bound([[0.0], [1.0], [5.0], [6.0]], k=2)
    0.999999999
    """
    if method not in _METHODS:
        msg = f"there is no bound {shown(method)}; known: {', '.join(_METHODS)}"
        raise OptionError(msg)
    check_number("time_limit", time_limit, 0.0)
    coordinates = as_coordinates(X)
    least = as_count(k, "k", at_most=len(coordinates.values))
    trivial = only_partition(len(coordinates.values), least)
    if trivial is not None:
        return sse(coordinates, trivial)
    return (
        neighbour_bound(coordinates, least) if method == "neighbours" else _by_columns(coordinates, least, time_limit)
    )


def _by_columns(coordinates: Coordinates, k: int, time_limit: float) -> float:
    deadline = time.monotonic() + time_limit
    generation = ColumnGeneration(coordinates.values, k, Partition(good_groups(coordinates.values, k)))
    generation.run(deadline)
    return coordinates.to_input(generation.bound)
