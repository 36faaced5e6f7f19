"""Costs that live in Python: the named ones under other declarations, and those of the paper's appendix B."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.costs import COSTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Declared:
    """A named cost as a user would write it, with declarations to choose."""

    of: str
    ordered_minimisable: bool = True
    splitting_is_beneficial: bool = True
    concave: bool = True

    @property
    def name(self) -> str:
        return f"declared {self.of}"

    def loss(self, group: NDArray[np.float64]) -> float:
        return COSTS[self.of].loss(group)

    def representative(self, group: NDArray[np.float64]) -> float:
        return COSTS[self.of].representative(group)


@dataclass(frozen=True)
class Prepared(Declared):
    """The same, with a preparation that makes any range cheap."""

    def over(self, values: NDArray[np.float64]) -> Callable[[int, int], float]:
        sums = np.concatenate([[0.0], np.cumsum(values)])
        squares = np.concatenate([[0.0], np.cumsum(values**2)])

        def loss(start: int, stop: int) -> float:
            total = sums[stop] - sums[start]
            return float(squares[stop] - squares[start] - total**2 / (stop - start))

        return loss


@dataclass(frozen=True)
class MeanAbsoluteError(Declared):
    """B.6: not ordered minimisable."""

    of: str = "sae"

    def loss(self, group: NDArray[np.float64]) -> float:
        return COSTS[self.of].loss(group) / len(group)


@dataclass(frozen=True)
class RootOfSquares(Declared):
    """B.6: not ordered minimisable."""

    of: str = "sse"

    def loss(self, group: NDArray[np.float64]) -> float:
        return float(np.sqrt(COSTS[self.of].loss(group)))


@dataclass(frozen=True)
class MeanRoundDown(MeanAbsoluteError):  # noqa: N818
    """B.6: not ordered minimisable."""

    of: str = "rounddown"


@dataclass(frozen=True)
class MeanRoundUp(MeanAbsoluteError):  # noqa: N818
    """B.6: not ordered minimisable."""

    of: str = "roundup"


@dataclass(frozen=True)
class Discount(Declared):
    """B.7 as printed: twice the mean share of what lies above the median. Not ordered minimisable."""

    of: str = "sae"

    def loss(self, group: NDArray[np.float64]) -> float:
        return float(2 * np.sum(group[group > np.median(group)]) / len(group))


@dataclass(frozen=True)
class DiscountByPosition(Discount):
    """B.7 with the upper half by position: ordered minimisable as far as tried; splitting is not beneficial."""

    def loss(self, group: NDArray[np.float64]) -> float:
        return float(2 * np.sum(np.sort(group)[(len(group) + 1) // 2 :]) / len(group))


@dataclass(frozen=True)
class LeastValue(Declared):
    """Lemma 15: concave, and not ordered minimisable."""

    of: str = "rounddown"

    def loss(self, group: NDArray[np.float64]) -> float:
        return float(group.min())
