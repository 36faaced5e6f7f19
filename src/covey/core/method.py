"""`Method`: what every way of grouping offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.core.partition import Partition
    from covey.core.solution import Solution


class Method(ABC):
    """A way of grouping, with its options as attributes. Frozen: the same method gives the same answer again."""

    name: ClassVar[str]
    """The name under which `covey.partition(X, k, method=...)` finds it."""

    @abstractmethod
    def solve(self, X: ArrayLike, k: SupportsIndex) -> Solution:
        """Group the records of X into groups of at least k and say what that loses."""

    def partition(self, X: ArrayLike, k: SupportsIndex) -> Partition:
        """Group the records of X; `solve(X, k).partition` for short."""
        return self.solve(X, k).partition


class WeighingMethod(Method):
    """A method that can let records weigh differently where means are published."""

    @abstractmethod
    def solve(self, X: ArrayLike, k: SupportsIndex, *, weights: ArrayLike | None = None) -> Solution:
        """Group the records of X; the squares of a record count as often as it weighs. k counts records."""

    def partition(self, X: ArrayLike, k: SupportsIndex, *, weights: ArrayLike | None = None) -> Partition:
        """Group the records of X; `solve(X, k, weights=weights).partition` for short."""
        return self.solve(X, k, weights=weights).partition
