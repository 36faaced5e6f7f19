"""What groups in space are made for: a cost for every coordinate, and what records weigh where means are published."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from covey._kernels import space as kernels
from covey.core.method import WeighingMethod
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.costs import COSTS
from covey.errors import OptionError, shown
from covey.space.method import SpaceMethod, only_partition
from covey.utils.arrays import as_coordinates, as_count, as_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from covey.space.method import Labels
    from covey.utils.arrays import Coordinates
    from covey.utils.typing import Floats, Rows


@dataclass(frozen=True, eq=False)
class Objective:
    """The sum over the coordinates of what their aggregates lose; weights enter the squares."""

    costs: tuple[str, ...]
    weights: Floats | None = None

    def kernel(self) -> kernels.Objective | None:
        """As the kernels take it; None for unweighted squares, which they know best."""
        if self.weights is None and set(self.costs) == {"sse"}:
            return None
        weights = np.empty(0) if self.weights is None else self.weights
        return kernels.Objective([COSTS[name].code for name in self.costs], weights)

    def of(self, rows: Rows) -> Objective:
        """The same for some of the records."""
        return self if self.weights is None else replace(self, weights=self.weights[rows])

    def loss(self, coordinates: Coordinates, partition: Partition) -> float:
        """What a partition loses, in the units of the input."""
        total, labels = 0.0, partition.labels.astype(np.uint32)
        for name in dict.fromkeys(self.costs):
            places = [place for place, cost in enumerate(self.costs) if cost == name]
            values = np.ascontiguousarray(coordinates.values[:, places])
            some = Objective((name,) * len(places), self.weights)
            total += some.to_input(kernels.loss(values, labels, some.kernel()), coordinates)
        return total

    def to_input(self, loss: float, coordinates: Coordinates) -> float:
        """A loss of coordinates that all have the first one's cost, in the units of the input."""
        if self.costs[0] == "sse":
            return coordinates.to_input(loss)
        return float(np.ldexp(loss, coordinates.exponent))


@dataclass(frozen=True)
class CostedMethod(SpaceMethod, WeighingMethod):
    """A method in space whose search looks at the cost of what is published.

    Parameters
    ----------
    cost
        "sse" (means), "sae" (medians), "maxdist" (midranges), "roundup" (maxima) or "rounddown" (minima) for all coordinates, or
        one of them for each. Bounds are known for "sse" only: of others 0 is said.
    """

    cost: str | Sequence[str] = "sse"

    def __post_init__(self) -> None:
        if not isinstance(self.cost, str | list | tuple) or not self.costs or not set(self.costs) <= set(COSTS):
            msg = f"cost is {shown(self.cost)}; needed in space: one of {', '.join(COSTS)}, or one of them for every column"
            raise OptionError(msg)
        if not isinstance(self.cost, str):
            object.__setattr__(self, "cost", self.costs)

    @property
    def costs(self) -> tuple[str, ...]:
        """The cost of all columns, or that of each."""
        return (self.cost,) if isinstance(self.cost, str) else tuple(self.cost)

    def solve(self, X: ArrayLike, k: SupportsIndex, *, weights: ArrayLike | None = None) -> Solution:
        """Group the records of X, say what that loses and, for unweighted means, when asked, how far from the best it can be."""
        coordinates = as_coordinates(X)
        n = len(coordinates.values)
        least = as_count(k, "k", at_most=n)
        objective = self._objective(coordinates, weights)
        trivial = only_partition(n, least)
        if trivial is not None:
            loss = objective.loss(coordinates, trivial)
            return Solution(trivial, loss, bound=loss, status="optimal", method=self)
        return self._solve_for(coordinates, least, objective)

    def _solve(self, coordinates: Coordinates, k: int) -> Solution:
        return self._solve_for(coordinates, k, self._objective(coordinates))

    def _solve_for(self, coordinates: Coordinates, k: int, objective: Objective) -> Solution:
        labels, steps = self._search(coordinates, k, objective)
        partition = Partition(labels)
        if objective.kernel() is None:
            return self._solution(partition, coordinates, k, steps=steps)
        loss = objective.loss(coordinates, partition)
        return Solution(partition, loss, bound=0.0, status="feasible", method=self, steps=steps)

    @abstractmethod
    def _search(self, coordinates: Coordinates, k: int, objective: Objective) -> tuple[Labels, int | None]:
        """Labels of the records, and the number of steps where they are counted; 2 <= k and 2k <= n."""

    def _objective(self, coordinates: Coordinates, weights: ArrayLike | None = None) -> Objective:
        n, width = coordinates.values.shape
        costs = self.costs * (width if isinstance(self.cost, str) else 1)
        if len(costs) != width:
            msg = f"cost names {len(costs)} costs, X has {width} columns; needed: one for every column, or one for all"
            raise OptionError(msg)
        if weights is None:
            return Objective(costs)
        values = as_weights(weights, n)
        return Objective(costs, values)
