"""The order in which records in space leave, one by one, and what each of them saves: so that a budget can be shared among tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.space.leave_one_by_one import Leaving

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.space.leave_out import Table
    from covey.utils.typing import Codes, Floats


class InTurn(NamedTuple):
    """Units in the order in which they leave, and what each of them saves: never more than the one before it."""

    unit: Codes
    saved: Floats


def leave_in_turn(table: Table, k: int, most: int) -> InTurn:
    """At most so many units in the order in which they leave, by the steps of `leave_out_in_space`.

    Where a later one saves more than those before it, which opened the way to that, they have what they save together in equal shares.
    No cell is asked for a least number of them, and nobody comes back in exchange for another. Every cell keeps k.
    """
    opened = table.units_in_cells(np.ones(len(table.cell), dtype=bool)) > k
    leaving = Leaving(table, k, most, opened, lambda _share: None, passes=0)
    return InTurn(np.array(leaving.left, dtype=np.int64), never_rising(leaving.bought))


def never_rising(values: Sequence[float]) -> Floats:
    """Values, where those that would rise are replaced by their mean.

    >>> never_rising([5.0, 1.0, 3.0, 2.0]).tolist()
    [5.0, 2.0, 2.0, 2.0]
    """
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        mean, size = float(value), 1
        while means and means[-1] < mean:
            other = sizes.pop()
            mean, size = (mean * size + means.pop() * other) / (size + other), size + other
        means.append(mean)
        sizes.append(size)
    return np.repeat(np.array(means, dtype=np.float64), sizes)
