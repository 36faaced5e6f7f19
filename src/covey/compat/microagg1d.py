"""The call of the PyPI package microagg1d, right where that one is wrong.

Replace `from microagg1d import univariate_microaggregation` by
`from covey.compat.microagg1d import univariate_microaggregation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from covey.errors import OptionError, shown
from covey.line.optimal import OptimalLine
from covey.utils.arrays import as_array, as_column

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_SEARCHES = {
    "auto": "auto",
    "simple": "simple",
    "wilber": "wilber",
    "galil_park": "galil-park",
    "staggered": "staggered",
}
_STABLE = (0, 1, 2, 3)


def univariate_microaggregation(
    x: ArrayLike, k: SupportsIndex, method: str = "auto", stable: int = 1, cost: str = "sse"
) -> NDArray[np.int64]:
    """Optimal univariate microaggregation with the signature of microagg1d; clusters are numbered by increasing value.

    Exact, unlike microagg1d 0.4.0 for some columns. O(n log k) after sorting.

    Parameters
    ----------
    x
        One number a record, in any order.
    k
        The least size of a cluster.
    method
        "auto", "simple", "wilber", "galil_park" or "staggered".
    stable
        0 to 3; chooses the arithmetic in microagg1d. Here every value of it gives the exact result.
    cost
        "sse", "sae", "maxdist", "roundup" or "rounddown".

    Returns
    -------
    numpy.ndarray
        The number of each record's cluster.

    Examples
    --------
    >>> univariate_microaggregation([1.0, 10.0, 2.0, 11.0], k=2).tolist()
    [0, 1, 0, 1]
    """
    if method not in _SEARCHES:
        raise OptionError(f"there is no method {shown(method)}; known: {', '.join(_SEARCHES)}")
    if stable not in _STABLE:
        raise OptionError(f"stable is {shown(stable)}; needed: one of {', '.join(map(str, _STABLE))}")
    column = as_column(np.atleast_1d(np.squeeze(as_array(x))), shift_integers=True).values
    partition = OptimalLine(cost=cost, search=_SEARCHES[method]).partition(column, k)
    # Groups are intervals: their least values, then their greatest, put them in order. Between groups of one and the
    # same value the order is theirs to choose.
    least = np.full(len(partition), np.inf)
    greatest = np.full(len(partition), -np.inf)
    np.minimum.at(least, partition.labels, column)
    np.maximum.at(greatest, partition.labels, column)
    number = np.empty(len(partition), dtype=np.int64)
    number[np.lexsort((greatest, least))] = np.arange(len(partition))
    return number[partition.labels]
