"""`SpaceMethod` and `LabellingMethod`: what the methods in space share: the door, the trivial sizes, the loss and the bound."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from covey._kernels import space as kernels
from covey.core.method import Method
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.errors import OptionError, shown
from covey.utils.arrays import Coordinates, as_coordinates, as_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from covey.utils.typing import Points

    Labels = NDArray[np.uint32]
    """The group of every record as the kernels take and return it, in any numbering."""
    Order = NDArray[np.uint32]
    """Places of records, one after the other."""


class SpaceMethod(Method):
    """A method for the sum of squared distances to the group's mean (SSE)."""

    def solve(self, X: ArrayLike, k: SupportsIndex) -> Solution:
        """Group the records of X, say what that loses and, when asked, how far from the best it can be."""
        coordinates = as_coordinates(X)
        least = as_count(k, "k", at_most=len(coordinates.values))
        trivial = only_partition(len(coordinates.values), least)
        if trivial is not None:
            loss = sse(coordinates, trivial)
            return Solution(trivial, loss, bound=loss, status="optimal", method=self)
        return self._solve(coordinates, least)

    @abstractmethod
    def _solve(self, coordinates: Coordinates, k: int) -> Solution:
        """Group the records of `coordinates`; 2 <= k and 2k <= n."""

    def _solution(self, partition: Partition, coordinates: Coordinates, k: int, **facts: Any) -> Solution:
        loss = sse(coordinates, partition)
        return Solution(
            partition,
            loss,
            bound=lambda: min(loss, matching_bound(coordinates, k)),
            status="feasible",
            method=self,
            **facts,
        )


class LabellingMethod(SpaceMethod):
    """A method that is known by the labels it gives."""

    def _solve(self, coordinates: Coordinates, k: int) -> Solution:
        return self._solution(Partition(self._group(coordinates.values, k)), coordinates, k)

    @abstractmethod
    def _group(self, points: Points, k: int) -> Labels:
        """Labels of the records of `points`; 2 <= k and 2k <= n."""


def only_partition(n: int, k: int) -> Partition | None:
    """The partition, where there is but one that is worth considering: all alone, or all together."""
    if k == 1:
        return Partition._from_canonical(np.arange(n, dtype=np.int32))
    return Partition._from_canonical(np.zeros(n, dtype=np.int32)) if n < 2 * k else None


def sse(coordinates: Coordinates, partition: Partition) -> float:
    """The sum of squared distances to the means of the groups, in the units of the input."""
    return coordinates.to_input(kernels.loss(coordinates.values, partition.labels.astype(np.uint32)))


def matching_bound(coordinates: Coordinates, k: int) -> float:
    """No partition loses less than this, quickly: see `covey.space.lower_bound`."""
    return below_in_input(coordinates, kernels.matching_bound(coordinates.values, k))


def below_in_input(coordinates: Coordinates, bound: float) -> float:
    """A bound in the units of the input, down to the next float where these cannot hold all its digits."""
    found = coordinates.to_input(bound)
    return max(0.0, math.nextafter(found, 0.0)) if math.ldexp(found, -2 * coordinates.exponent) != bound else found


def labels_of(order: Order, sizes: NDArray[np.uint32]) -> Labels:
    """Number the groups that a sequence of records is cut into."""
    labels = np.empty(len(order), dtype=np.uint32)
    labels[order] = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
    return labels


def mean_square(points: Points) -> float:
    """The mean squared deviation of a coordinate: 1 where all columns are z-scores."""
    return float(((points - points.mean(axis=0)) ** 2).mean())


def check_number(name: str, value: object, least: float) -> None:
    """An option that must be a finite number of at least `least`."""
    good = (
        isinstance(value, int | float | np.number)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= least
    )
    if not good:
        msg = f"{name} is {shown(value)}; needed: a finite number of at least {least:g}"
        raise OptionError(msg)
