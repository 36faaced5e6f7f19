"""The recount of every few columns together, for an attacker who knows no more than those of a person."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import RefusedError
from covey.recount.classes import classes_of, codes_of
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class OfFew:
    """The smallest class over any so many columns."""

    columns: int
    k: int


def recount_few(table: Table, names: Sequence[str], few: int) -> OfFew:
    """Count the classes over every few of these columns.

    >>> recount_few(pa.table({"a": [1, 1, 2, 2], "b": [1, 1, 2, 2], "c": [3, 4, 3, 4]}), ["a", "b", "c"], 2)
    OfFew(columns=2, k=1)
    """
    codes = [pa.chunked_array([codes_of(table.column(name))]) for name in names]
    classes = (classes_of(some, table.num_rows) for some in combinations(codes, few))
    return OfFew(few, min(int(np.bincount(one).min(initial=table.num_rows)) for one in classes))


def refuse_small_few(counted: OfFew, k: int) -> None:
    """An error where some few columns are shared by fewer than k records."""
    if counted.k < k:
        raise RefusedError(
            f"the recount found a class of {counted.k} below k = {k} over some {counted.columns} columns together; the release is refused, and "
            "nothing was written"
        )
