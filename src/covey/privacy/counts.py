"""How often each sensitive value occurs in each class."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Measure = TypeVar("Measure", bound=Callable[..., float])


class Counts(NamedTuple):
    """One entry for every value that occurs in a class, sorted by class and value.

    Where units are given it is units that are counted, and each spreads a weight of 1 equally over its different values.

    Attributes
    ----------
    in_class, value, number
        The class, the value, and how many records or units have it there.
    size
        The number of records or units of each class.
    overall
        The share of each value in the whole table, by weight.
    weight
        What the records or units that have the value give it: without units, their number.
    others
        How many other values those without it have in the class.

    Examples
    --------
    >>> counts = count(np.array([0, 0, 1]), np.array([4, 4, 2]))
    >>> counts.number.tolist(), counts.size.tolist()
    ([2, 1], [2, 1])
    """

    in_class: NDArray[np.int64]
    value: NDArray[np.int64]
    number: NDArray[np.int64]
    size: NDArray[np.int64]
    overall: NDArray[np.float64]
    weight: NDArray[np.float64]
    others: NDArray[np.int64]

    @property
    def start(self) -> NDArray[np.int64]:
        """Where the entries of each class begin."""
        return np.flatnonzero(np.diff(self.in_class, prepend=-1))

    @property
    def held(self) -> NDArray[np.float64]:
        """The share of the records or units of a class that have the value."""
        return self.number / self.size[self.in_class]

    @property
    def share(self) -> NDArray[np.float64]:
        """The share of the value in its class, by weight: these add up to 1."""
        return self.weight / self.size[self.in_class]


def count(
    classes: NDArray[np.int64],
    values: NDArray[np.int64],
    units: NDArray[np.int64] | None = None,
    overall: NDArray[np.float64] | None = None,
) -> Counts:
    """Count the values by class: the records that have each, or the units.

    Parameters
    ----------
    classes
        The class of each record, as a number.
    values
        Its sensitive value, as a number.
    units
        Its unit, as a number. A unit has the different values of its records in a class.
    overall
        The weight of each value, by its code, in a larger table of which these are some classes.

    Returns
    -------
    Counts
        What the measures of `covey.privacy` take.

    Examples
    --------
    >>> count(np.array([0, 0, 1]), np.array([4, 4, 2])).number.tolist()
    [2, 1]

    Two households, and both have the value 4; it has three quarters of the weight:

    >>> counts = count(np.array([0, 0, 0]), np.array([4, 4, 2]), np.array([7, 8, 8]))
    >>> counts.held.tolist(), counts.share.tolist()
    ([0.5, 1.0], [0.25, 0.75])
    """
    in_class = _numbered(classes)
    value = values if overall is not None else _numbered(values)
    unit = None if units is None else _numbered(units)
    everyone = weights_of(value, unit) if overall is None else overall
    share = everyone / max(1.0, everyone.sum())
    width = int(value.max(initial=0)) + 1
    if unit is not None:
        in_class, unit, value = _different(in_class, unit, value)
    pairs, entry, number = np.unique(_paired(in_class, value, width), return_inverse=True, return_counts=True)
    counts = Counts(
        pairs // width, pairs % width, number, np.bincount(in_class), share, number.astype(np.float64), number
    )
    others = np.bincount(counts.in_class)[counts.in_class] - 1
    if unit is None:
        return counts._replace(others=others)
    there, of_unit, values_of = np.unique(_paired(in_class, unit), return_inverse=True, return_counts=True)
    return counts._replace(
        size=np.bincount(there // (int(unit.max(initial=0)) + 1)),
        weight=np.bincount(entry, weights=1.0 / values_of[of_unit]).astype(np.float64),
        others=others - _hidden(of_unit, entry, number),
    )


def of_counts(returned: str, **others: str) -> Callable[[Measure], Measure]:
    """Say in the docstring of a measure, before its examples, that it takes counts, and what it returns; `others` are parameters beside."""
    taken = {"counts": "What `covey.privacy.count` returns."} | others

    def described(measure: Measure) -> Measure:
        entries = [f"{name}\n    {text}" for name, text in taken.items()]
        returns = ["Returns", "-------", f"{measure.__annotations__['return']}\n    {returned}"]
        sections = "\n".join(["Parameters", "----------", *entries, "", *returns, "", "Examples"])
        measure.__doc__ = inspect.cleandoc(measure.__doc__ or "").replace("Examples", sections, 1)
        return measure

    return described


def weights_of(values: NDArray[np.int64], units: NDArray[np.int64] | None, codes: int = 0) -> NDArray[np.float64]:
    """The weight of every code in a table: the number of its records, or what units, of weight 1 each, spread over their values.

    Parameters
    ----------
    values, units
        The code, from 0, and the unit of each record.
    codes
        How many codes there are at least.

    Returns
    -------
    ndarray
        One number for each code.

    Examples
    --------
    >>> weights_of(np.array([0, 0, 1]), np.array([0, 1, 1])).tolist()
    [1.5, 0.5]
    """
    if units is None:
        return np.bincount(values, minlength=codes).astype(np.float64)
    _, unit, value = _different(np.zeros_like(values), units, values)
    unit = _numbered(unit)
    return np.bincount(value, weights=1.0 / np.bincount(unit)[unit], minlength=codes).astype(np.float64)


def _numbered(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique(codes, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _paired(first: NDArray[np.int64], second: NDArray[np.int64], width: int | None = None) -> NDArray[np.int64]:
    """One number for two, in the order of the first."""
    return first * (int(second.max(initial=0)) + 1 if width is None else width) + second


def _different(*codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """The different combinations, sorted."""
    order = np.lexsort(codes[::-1])
    first = np.zeros(len(order), dtype=bool)
    first[:1] = True
    for some in codes:
        first[1:] |= np.diff(some[order]) != 0
    return tuple(some[order[first]] for some in codes)


def _hidden(of_unit: NDArray[np.int64], entry: NDArray[np.int64], number: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every entry how many other values of its class only units have that have this one, too.

    A value of one unit alone is hidden by whatever else that unit has; of others, pairs of values that meet in units are counted.
    """
    alone = number[entry] == 1
    values_alone = np.bincount(of_unit[alone], minlength=int(of_unit.max(initial=-1)) + 1)
    hidden = np.bincount(entry, weights=values_alone[of_unit], minlength=len(number)).astype(np.int64) - (number == 1)
    of_unit, entry = of_unit[~alone], entry[~alone]
    many = np.bincount(of_unit)[of_unit] if len(of_unit) else of_unit
    of_unit, entry, many = of_unit[many > 1], entry[many > 1], many[many > 1]
    start = np.searchsorted(of_unit, of_unit)
    one = np.repeat(entry, many)
    other = entry[np.repeat(start - np.cumsum(many) + many, many) + np.arange(int(many.sum()))]
    meeting, times = np.unique(_paired(one, other, len(number)), return_counts=True)
    one, other = meeting // max(1, len(number)), meeting % max(1, len(number))
    covered = (times == number[other]) & (one != other)
    return np.asarray(hidden + np.bincount(one[covered], minlength=len(number)))
