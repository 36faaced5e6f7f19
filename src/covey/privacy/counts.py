"""How often each sensitive value occurs in each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Counts(NamedTuple):
    """One entry for every value that occurs in a class, sorted by class and value.

    Attributes
    ----------
    cell, value, number
        The class, the value, and how often it occurs there.
    size
        The number of records of each class.
    overall
        The share of each value in the whole table.

    Examples
    --------
    >>> found = count(np.array([0, 0, 1]), np.array([4, 4, 2]))
    >>> found.number.tolist(), found.size.tolist()
    ([2, 1], [2, 1])
    """

    cell: NDArray[np.int64]
    value: NDArray[np.int64]
    number: NDArray[np.int64]
    size: NDArray[np.int64]
    """The number of records of every class."""
    overall: NDArray[np.float64]
    """The share of every value in the whole table."""

    @property
    def start(self) -> NDArray[np.int64]:
        """Where the entries of each class begin."""
        return np.flatnonzero(np.diff(self.cell, prepend=-1))

    @property
    def share(self) -> NDArray[np.float64]:
        """The share of the value among the records of its class."""
        return self.number / self.size[self.cell]


def count(
    classes: NDArray[np.int64],
    values: NDArray[np.int64],
    units: NDArray[np.int64] | None = None,
    overall: NDArray[np.int64] | None = None,
) -> Counts:
    """Count the values by class; with units a value counts once for every unit that has it there.

    With `overall` these are some classes of a larger table, and it says how often each value, by its code, occurs there.

    Parameters
    ----------
    classes
        The class of each record, as a number.
    values
        Its sensitive value, as a number.
    units
        Its unit, as a number: a value counts once for every unit that has it in a class.
    overall
        How often each value, by its code, occurs in a larger table of which these are some classes.

    Returns
    -------
    Counts
        What the measures of `covey.privacy` take.

    Examples
    --------
    >>> count(np.array([0, 0, 1]), np.array([4, 4, 2])).number.tolist()
    [2, 1]
    """
    cell = np.unique(classes, return_inverse=True)[1].astype(np.int64)
    value = values if overall is not None else np.unique(values, return_inverse=True)[1].astype(np.int64)
    width = int(value.max(initial=0)) + 1
    if units is not None:
        table = np.column_stack([cell, value, np.unique(units, return_inverse=True)[1]])
        cell, value, _ = np.unique(table, axis=0).T.astype(np.int64)
        everyone = np.bincount(np.unique(table[:, 1:], axis=0)[:, 0]).astype(np.float64)
    else:
        everyone = np.bincount(value).astype(np.float64)
    everyone = everyone if overall is None else overall.astype(np.float64)
    pairs, number = np.unique(cell * width + value, return_counts=True)
    share = everyone / max(1.0, everyone.sum())
    return Counts(pairs // width, pairs % width, number.astype(np.int64), np.bincount(cell).astype(np.int64), share)
