"""l-diversity in three forms, and (alpha, k)-anonymity."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.privacy.counts import Counts, count, of_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray


@of_counts("From 0 to 1; lower is better.")
def alpha(counts: Counts) -> float:
    """The largest share of a class, of its records or units, that has one value: the alpha of (alpha, k)-anonymity (Wong et al. 2006).

    Examples
    --------
    >>> from covey.privacy import count
    >>> alpha(count(np.array([0, 0, 0, 1, 1]), np.array([1, 1, 2, 1, 2])))
    0.6666666666666666
    """
    return float(counts.held.max(initial=0.0))


@of_counts("Higher is better.")
def distinct_l(counts: Counts) -> int:
    """The least number of different values in a class (distinct l-diversity).

    With units: one more than the fewest other values that the units without some value have. A value that all units have leaves 1.

    Examples
    --------
    >>> from covey.privacy import count
    >>> distinct_l(count(np.array([0, 0, 0, 1, 1]), np.array([1, 1, 2, 1, 1])))
    1
    """
    return int(counts.others.min()) + 1 if len(counts.others) else 0


def least_different(
    classes: NDArray[np.int64],
    values: NDArray[np.int64],
    known: NDArray[np.bool_],
    units: NDArray[np.int64] | None = None,
) -> int:
    """The least number of different values in a class, as `distinct_l`, missing ones not counted: 0 where a class has no other.

    Parameters
    ----------
    classes, values
        The class and the value of each record, as numbers.
    known
        Whether the value is there.
    units
        The unit of each record, where units are counted.

    Returns
    -------
    int
        Higher is better.

    Examples
    --------
    >>> least_different(np.array([0, 0, 1, 1]), np.array([1, 2, 1, 2]), np.array([True, True, True, False]))
    1
    """
    if len(np.unique(classes[known])) < len(np.unique(classes)):
        return 0
    return distinct_l(count(classes[known], values[known], None if units is None else units[known]))


@of_counts("From 1; higher is better.")
def entropy_l(counts: Counts) -> float:
    """The largest l such that every class has an entropy of at least log l (Machanavajjhala et al. 2007).

    Of weights where there are units, and 1 where all units of a class have one value. pycanon gives the whole part of this.

    Examples
    --------
    >>> from covey.privacy import count
    >>> round(entropy_l(count(np.array([0, 0, 1, 1]), np.array([1, 2, 1, 2]))), 9)
    2.0
    """
    if len(counts.number) == 0 or _shared_by_all(counts):
        return 1.0
    share = counts.share
    return float(np.exp(np.add.reduceat(-share * np.log(share), counts.start).min()))


@of_counts("Lower is better.", l="The l of (c, l)-diversity.")
def recursive_c(counts: Counts, l: int) -> float:  # noqa: E741
    """The least c such that every class is recursively (c', l)-diverse for all c' > c: r1 < c' (r_l + ... + r_m).

    r are the numbers of the records or units that have the values of a class, largest first (Machanavajjhala et al. 2007). Infinity
    if a class has fewer than l values, or if all of its units have one value: it is then (c, l)-diverse for no c.

    Examples
    --------
    >>> from covey.privacy import count
    >>> recursive_c(count(np.array([0, 0, 0, 0]), np.array([1, 1, 2, 3])), 2)
    1.0
    """
    if _shared_by_all(counts):
        return math.inf
    order = np.lexsort((-counts.number, counts.in_class))
    number, start = counts.number[order], counts.start
    place = np.arange(len(number)) - np.repeat(start, np.diff(np.append(start, len(number))))
    rest = np.add.reduceat(np.where(place >= l - 1, number, 0), start)
    with np.errstate(divide="ignore"):
        return float((number[start] / rest).max())


def _shared_by_all(counts: Counts) -> bool:
    """Whether all units of a class have one value, and others beside it."""
    return bool(((counts.held == 1.0) & (counts.share < 1.0)).any())
