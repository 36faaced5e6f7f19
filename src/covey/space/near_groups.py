"""The groups that a better partition can be made of, where the tight bound of groups of three leaves little room.

With prices v, and tolls t of cuts (`covey.space.lower_bound`, "tight"), the reduced cost of a group is its cost - the prices of its
records + the tolls that it pays. A partition loses the bound and the reduced costs of its groups; so one that loses less than U is
made of groups whose reduced cost is below U - bound.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey._kernels import space as kernels
from covey.space.column_generation import pricing_of
from covey.space.set_program import membership, paying

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.utils.typing import Floats, Points

    Members = NDArray[np.uint32]

_SLACK = 1e-9  # of the loss: far above what rounding does to a reduced cost


class NearGroups:
    """The tight relaxation of a table for k = 3, the only one that the kernel knows cuts for, and the groups near it."""

    k: ClassVar[int] = 3

    def __init__(self, points: Points, deadline: float) -> None:
        self._pricing = pricing_of(points)
        self.points, self._prices = points, kernels.GroupPrices(points, self.k)
        while (left := deadline - time.monotonic()) > 0.0 and self._prices.round(left):
            pass
        self.bound = self._prices.bound()

    def within(self, room: float, most: int, deadline: float) -> list[Members] | None:
        """All groups of up to 5 with a reduced cost of at most `room`; None where more than `most` of a size are near, or time is up."""
        return self._priced(self._prices.prices(), room, most, deadline)

    def some(self, most: int, deadline: float) -> list[Members] | None:
        """Groups whose reduced cost is a small part of what their records pay: as large a part as leaves at most `most` of a size."""
        part, found = 0.5, None
        while found is None and time.monotonic() < deadline:
            part /= 2
            found = self._priced(self._prices.prices() * (1.0 + part), 0.0, most, deadline)
        return found

    def _priced(self, prices: Floats, room: float, most: int, deadline: float) -> list[Members] | None:
        found: list[Members] = []
        none = np.empty(0, dtype=np.uint32)
        limit = room + _SLACK * float(np.abs(prices).sum())
        for size in range(self.k, min(2 * self.k, len(self.points) + 1)):
            left = max(0.0, deadline - time.monotonic())
            members, costs, complete = self._pricing.price(prices, size, limit, most, left, none, none)
            if not complete:
                return None
            groups = members.reshape(-1, size)
            found += list(groups[costs + self._tolls(groups) <= limit])
        return found

    def _tolls(self, groups: Members) -> Floats:
        """What each of these groups pays."""
        cuts, tolls = self._prices.tolls()
        if not len(tolls) or not len(groups):
            return np.zeros(len(groups))
        paid: Floats = paying(cuts.reshape(-1, 3), membership(list(groups), len(self.points))).T @ tolls
        return paid
