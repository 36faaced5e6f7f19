"""Special uniques: which combinations of few columns single a record out, and what that says of records and of columns (SUDA2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import uniques as kernels
from covey.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.utils.typing import Codes, Floats

MOST_COLUMNS = 30
WORK = 2e8
"""Combinations times records that are looked at where it is not said how large a combination may be: seconds."""


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    """Every minimal sample unique: a combination of columns that singles a record out while none of its parts does.

    Attributes
    ----------
    rows, columns
        How many records and columns were looked at.
    largest
        How many columns a combination has at most.
    record, combination
        For every minimal sample unique its record, from 0, and its columns, a bit each.
    unique, pairs
        How many records are alone in all columns together, and how many classes of two there are.

    Examples
    --------
    >>> found = special_uniques([np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0])])
    >>> found.record.tolist(), found.combination.tolist()
    ([0, 1], [3, 2])
    """

    rows: int
    columns: int
    largest: int
    record: Codes
    combination: NDArray[np.uint32]
    unique: int
    pairs: int

    @cached_property
    def sizes(self) -> Codes:
        """How many columns each minimal sample unique has."""
        return np.asarray(sum(self._holds(j) for j in range(self.columns)), dtype=np.int64)

    @cached_property
    def weight(self) -> Floats:
        """What each adds to a score: with s of c columns (c - s)!; the product of c - i for i from s to `largest` where that is below c."""
        by_size = [_weight(size, self.largest, self.columns) for size in range(self.largest + 1)]
        return np.array(by_size, dtype=np.float64)[self.sizes]

    @property
    def scores(self) -> Floats:
        """The score of every record: the sum over its minimal sample uniques; the fewer columns they need, the larger."""
        return np.asarray(np.bincount(self.record, self.weight, self.rows), dtype=np.float64)

    @property
    def singled_out(self) -> int:
        """How many records some combination of at most `largest` columns singles out."""
        return len(np.unique(self.record))

    @property
    def contributions(self) -> Floats:
        """For every column, the share of all scores that comes from combinations with it; 0 where there are none."""
        total = self.weight.sum()
        parts = [float(self.weight @ self._holds(j)) for j in range(self.columns)]
        return np.array([part / total if total else 0.0 for part in parts])

    def _holds(self, column: int) -> Codes:
        """1 for the combinations with this column, 0 for the others."""
        return np.asarray(self.combination >> np.uint32(column) & np.uint32(1), dtype=np.int64)

    def disclosure(self, fraction: float) -> float:
        """The chance that a person of the population who matches a unique record is the one: data intrusion simulation (DIS).

        With n1 unique records, n2 classes of two and the sampling fraction p it is p n1 / (p n1 + 2 (1 - p) n2).

        Source: Skinner & Elliot 2002.

        Parameters
        ----------
        fraction
            The share of the population that is in the table.
        """
        if not 0 < fraction <= 1:
            raise OptionError(f"the sampling fraction is {fraction}; needed: above 0, at most 1")
        right = fraction * self.unique
        return right / (right + 2 * (1 - fraction) * self.pairs) if self.unique else 0.0


def special_uniques(columns: Sequence[Codes], largest: int | None = None) -> SpecialUniques:
    """All minimal sample uniques of a table of categories.

    Classes are refined column by column along a tree of all combinations; a record that is unique is left out of every larger
    combination. Exact; O(n) for each combination, less where records are unique early.

    Source: Manning, Haglin & Keane 2008 (SUDA2); Elliot 2000 for the scores.

    Parameters
    ----------
    columns
        The values of each column as numbers, a missing one as a number of its own.
    largest
        The most columns that a combination has. By default as many as are looked at in seconds: all of ten columns of 100,000
        records.

    Returns
    -------
    SpecialUniques
        The minimal sample uniques, scores of records and contributions of columns.

    Examples
    --------
    >>> age, sex = np.array([3, 3, 3, 4, 4, 5]), np.array([0, 0, 1, 0, 0, 1])
    >>> found = special_uniques([age, sex])
    >>> found.scores.tolist(), found.contributions.round(2).tolist()
    ([0.0, 0.0, 1.0, 0.0, 0.0, 1.0], [1.0, 0.5])
    """
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise InputError(f"{len(columns)} columns are given; needed: 1 to {MOST_COLUMNS}, or combinations have no end")
    rows = len(columns[0])
    most = _largest(len(columns), rows) if largest is None else largest
    if not 1 <= most <= len(columns):
        raise OptionError(f"combinations of at most {most} columns are asked for; needed: 1 to {len(columns)}")
    numbered = [np.unique(column, return_inverse=True) for column in columns]
    codes = np.ascontiguousarray([number.reshape(-1) for _, number in numbered], dtype=np.int32)
    ends, combination = kernels.minimal(codes, [len(values) for values, _ in numbered], most)
    sizes = _class_sizes(codes)
    record = np.repeat(np.arange(rows), np.diff(ends, prepend=0))
    return SpecialUniques(
        rows, len(columns), most, record, combination, int((sizes == 1).sum()), int((sizes == 2).sum())
    )


def _class_sizes(codes: NDArray[np.int32]) -> Codes:
    """How many records each combination of all columns has."""
    order = np.lexsort(codes)
    other = (codes[:, order[1:]] != codes[:, order[:-1]]).any(axis=0)
    return np.diff(np.flatnonzero(np.concatenate([[True], other, [codes.shape[1] > 0]])))


def _weight(size: int, largest: int, columns: int) -> int:
    if largest == columns:
        return math.factorial(columns - size)
    return math.prod(columns - i for i in range(size, largest + 1))


def _largest(columns: int, rows: int) -> int:
    """The most columns of a combination for which all combinations are looked at in seconds; at least one."""
    combinations = 0
    for size in range(1, columns + 1):
        combinations += math.comb(columns, size)
        if combinations * rows > WORK:
            return max(1, size - 1)
    return columns
