"""Bounds that know what groups hold beside k records: so many different values of a column, or so many units."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

import numpy as np

from covey._kernels import space as kernels
from covey.errors import InfeasibleError, InputError
from covey.space.method import below_in_input
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from covey.utils.arrays import Coordinates
    from covey.utils.typing import Rows

NO_VALUE = np.uint32(0xFFFFFFFF)
"""The code of a missing value, which never counts."""


class Different(NamedTuple):
    """Every group holds at least so many different codes."""

    code: NDArray[np.uint32]
    least: int

    def among(self, rows: Rows) -> Different:
        """The same for these records alone."""
        return Different(self.code[rows], self.least)

    def check(self, name: str) -> None:
        """An error where all records together hold fewer."""
        there = len(np.unique(self.code[self.code != NO_VALUE]))
        if there < self.least:
            msg = f"{name} has {there} different values, and every group needs {self.least}; needed: ask for less"
            raise InfeasibleError(msg)


def different_bound(coordinates: Coordinates, k: int, asked: Iterable[Different]) -> float:
    """No partition into groups of at least k that hold what is asked for loses less than this; 0 where nothing is asked."""
    bounds = [
        kernels.different_bound(coordinates.values, k, values.code, values.least)
        for values in asked
        if values.least > 1 and max(k, values.least) <= len(values.code)
    ]
    return below_in_input(coordinates, max(bounds, default=0.0))


def as_different(name: str, values: ArrayLike, least: SupportsIndex, n: int) -> Different:
    """Each group needs so many different ones of these values; a missing one never counts."""
    count = as_count(least, f"the number of different values of {name}")
    codes = as_codes(name, values, n)
    asked = Different(codes, count)
    asked.check(name)
    return asked


def as_codes(name: str, values: ArrayLike, n: int) -> NDArray[np.uint32]:
    """The values of n records as numbers."""
    if hasattr(values, "to_list"):
        values = values.to_list()
    elif hasattr(values, "to_pylist"):
        values = values.to_pylist()
    listed = list(values)  # type: ignore[arg-type]
    if len(listed) != n:
        msg = f"{name} holds {len(listed)} values, X {n} records; needed: one for every record"
        raise InputError(msg)
    numbers: dict[object, int] = {}
    return np.array([NO_VALUE if _missing(v) else numbers.setdefault(v, len(numbers)) for v in listed], dtype=np.uint32)


def _missing(value: object) -> bool:
    return value is None or value != value  # noqa: PLR0124
