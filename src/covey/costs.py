"""Costs: what a group loses, and the value that attains it.

A cost and its representative are one choice, so that nobody publishes medians chosen for means. Each cost also
declares the properties that decide how fast it can be minimised (Stamm & Schaub, figure 2):

- ordered minimisable: some optimal partition cuts the sorted values into intervals (definition 4);
- splitting is beneficial: C(a, b) + C(b, c) <= C(a, c), so no group needs 2k or more records (equation 2);
- concave: C(a, c) + C(b, d) <= C(a, d) + C(b, c) for a < b < c < d (equation 1).

The methods here are the obvious definitions; the kernels are tested against them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeGuard, runtime_checkable

import numpy as np

from covey.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = [
    "COSTS",
    "PROPERTIES",
    "Cost",
    "MaxDistance",
    "NamedCost",
    "RoundDown",
    "RoundUp",
    "RoundedSquares",
    "SumOfDistances",
    "SumOfSquares",
    "check_weighable",
    "cost_name",
    "find_cost",
    "is_named",
    "losses_over",
]

PROPERTIES = ("ordered_minimisable", "splitting_is_beneficial", "concave")


@runtime_checkable
class Cost(Protocol):
    """What a cost must offer; any object that does is one.

    Optionally also `over(values)`, returning a function `loss(start, stop)` of the group `values[start:stop]`, for
    costs that a preparation makes cheaper than a fresh sum for every group.

    Examples
    --------
    >>> isinstance(COSTS["sae"], Cost)
    True
    """

    @property
    def ordered_minimisable(self) -> bool:
        """Whether some optimal partition cuts the sorted values into intervals."""

    @property
    def splitting_is_beneficial(self) -> bool:
        """Whether the parts of a group never lose more than the whole."""

    @property
    def concave(self) -> bool:
        """Whether crossing groups never lose more than nested ones."""

    def loss(self, group: NDArray[np.float64], /) -> float:
        """What the sorted values of a group lose."""

    def representative(self, group: NDArray[np.float64], /) -> float:
        """The value that is published for them."""


class NamedCost(ABC):
    """The costs of the paper: ordered minimisable, splitting is beneficial, concave (corollaries 7, 9, lemma 10)."""

    name: ClassVar[str]
    code: ClassVar[int]
    ordered_minimisable: ClassVar[bool] = True
    splitting_is_beneficial: ClassVar[bool] = True
    concave: ClassVar[bool] = True
    below: ClassVar[float] = np.inf
    """The kernels take values of a size below this."""

    @abstractmethod
    def loss(self, group: NDArray[np.float64], /) -> float:
        """What is lost when every record of the group is replaced by its representative."""

    @abstractmethod
    def representative(self, group: NDArray[np.float64], /) -> float:
        """The value that loses least."""

    def check(self, values: NDArray[np.float64], /) -> None:
        """An error for values that the kernels cannot group by this cost."""
        beyond = int((np.abs(values) >= self.below).sum()) if self.below < np.inf else 0
        if beyond:
            msg = (
                f"{beyond} values are beyond 2^51, where floats have no decimals that could be rounded; needed for the cost "
                f"{self.name!r}: smaller ones; subtract an origin, or use 'sse'"
            )
            raise InputError(msg)

    def __repr__(self) -> str:
        return f"<cost {self.name}>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(self.name)


class SumOfSquares(NamedCost):
    """`sse`: squared distances to the mean.

    Examples
    --------
    >>> SumOfSquares().loss(np.array([1.0, 2.0, 6.0])), SumOfSquares().representative(np.array([1.0, 2.0, 6.0]))
    (14.0, 3.0)
    """

    name = "sse"
    code = 0

    def loss(self, group: NDArray[np.float64], /) -> float:
        return float(np.sum((group - self.representative(group)) ** 2))

    def representative(self, group: NDArray[np.float64], /) -> float:
        exponent = int(np.frexp(np.max(np.abs(group)))[1])
        scaled = np.ldexp(group, -exponent)  # neither sums nor differences of values near the largest float overflow
        return float(np.ldexp(scaled[0] + np.mean(scaled - scaled[0]), exponent))


class SumOfDistances(NamedCost):
    """`sae`: distances to the median (of an even number of records: the mean of the middle two).

    Examples
    --------
    >>> SumOfDistances().loss(np.array([1.0, 2.0, 6.0])), SumOfDistances().representative(np.array([1.0, 2.0, 6.0]))
    (5.0, 2.0)
    """

    name = "sae"
    code = 1

    def loss(self, group: NDArray[np.float64], /) -> float:
        return float(np.sum(np.abs(group - self.representative(group))))

    def representative(self, group: NDArray[np.float64], /) -> float:
        ordered = np.sort(group)
        return _midpoint(ordered[(len(group) - 1) // 2], ordered[len(group) // 2])


class MaxDistance(NamedCost):
    """`maxdist`: the largest distance to the midrange, half the range.

    Examples
    --------
    >>> MaxDistance().loss(np.array([1.0, 2.0, 6.0])), MaxDistance().representative(np.array([1.0, 2.0, 6.0]))
    (2.5, 3.5)
    """

    name = "maxdist"
    code = 2

    def loss(self, group: NDArray[np.float64], /) -> float:
        return float(np.max(np.abs(group - self.representative(group))))

    def representative(self, group: NDArray[np.float64], /) -> float:
        return _midpoint(np.min(group), np.max(group))


class RoundUp(NamedCost):
    """`roundup`: distances to the greatest value.

    Examples
    --------
    >>> RoundUp().loss(np.array([1.0, 2.0, 6.0])), RoundUp().representative(np.array([1.0, 2.0, 6.0]))
    (9.0, 6.0)
    """

    name = "roundup"
    code = 3

    def loss(self, group: NDArray[np.float64], /) -> float:
        return float(np.sum(self.representative(group) - group))

    def representative(self, group: NDArray[np.float64], /) -> float:
        return float(np.max(group))


class RoundDown(NamedCost):
    """`rounddown`: distances to the least value.

    Examples
    --------
    >>> RoundDown().loss(np.array([1.0, 2.0, 6.0])), RoundDown().representative(np.array([1.0, 2.0, 6.0]))
    (6.0, 1.0)
    """

    name = "rounddown"
    code = 4

    def loss(self, group: NDArray[np.float64], /) -> float:
        return float(np.sum(group - self.representative(group)))

    def representative(self, group: NDArray[np.float64], /) -> float:
        return float(np.min(group))


class RoundedSquares(SumOfSquares):
    """`rounded`: squared distances to the mean rounded to a whole number, halves to the even one.

    What is lost where means are published as whole numbers; as multiples of a tenth: where tenths are counted. Ordered
    minimisable, splitting is beneficial, concave, whatever the values: proofs on the page of the documentation.

    Examples
    --------
    >>> RoundedSquares().loss(np.array([1.0, 2.0, 5.0])), RoundedSquares().representative(np.array([1.0, 2.0, 5.0]))
    (9.0, 3.0)
    """

    name = "rounded"
    code = 5
    below = 2.0**51

    def representative(self, group: NDArray[np.float64], /) -> float:
        return float(np.rint(super().representative(group)))


COSTS: dict[str, NamedCost] = {
    cost.name: cost for cost in (SumOfSquares(), SumOfDistances(), MaxDistance(), RoundUp(), RoundDown())
}
"""The costs of the paper."""
_KNOWN = COSTS | {RoundedSquares.name: RoundedSquares()}


def _midpoint(low: float, high: float) -> float:
    gap = float(high) - float(low)
    return float(low) + gap / 2 if np.isfinite(gap) else float(low) / 2 + float(high) / 2


def find_cost(cost: str | Cost) -> Cost:
    """The cost of that name, or the object itself if it is a cost.

    >>> find_cost("sae")
    <cost sae>
    """
    if isinstance(cost, str):
        if cost not in _KNOWN:
            msg = f"there is no cost {cost!r}; known: {', '.join(_KNOWN)}, or an object with loss and representative"
            raise OptionError(msg)
        return _KNOWN[cost]
    if isinstance(cost, type):
        raise OptionError(f"cost is the class {cost.__name__}; needed: an instance of it, {cost.__name__}(...)")
    missing = [name for name in ("loss", "representative") if not callable(getattr(cost, name, None))]
    missing += [name for name in PROPERTIES if not isinstance(getattr(cost, name, None), bool)]
    if missing:
        raise OptionError(
            f"{type(cost).__name__} is not a cost: it lacks {', '.join(missing)}; needed: the methods loss(group) and "
            f"representative(group), and True or False for each of {', '.join(PROPERTIES)}"
        )
    result: Cost = cost
    return result


def is_named(cost: Cost) -> TypeGuard[NamedCost]:
    """Whether the kernels know the cost. A subclass of a named cost is another cost."""
    return isinstance(cost, NamedCost) and _KNOWN.get(cost.name) == cost


def cost_name(cost: Cost) -> str:
    """How to call a cost in a message."""
    return str(getattr(cost, "name", type(cost).__name__))


def check_weighable(cost: Cost) -> None:
    """An error unless weights enter the cost: they enter squares."""
    if not isinstance(cost, SumOfSquares):
        msg = f"weights are given with the cost {cost_name(cost)!r}; needed: the cost 'sse' or 'rounded', which can weigh records"
        raise OptionError(msg)


def losses_over(cost: Cost, values: NDArray[np.float64]) -> Callable[[int, int], float]:
    """The loss of `values[start:stop]` as a function of start and stop, by the cost's own `over` if it has one."""
    over: Callable[[NDArray[np.float64]], Callable[[int, int], float]] | None = getattr(cost, "over", None)
    return over(values) if over is not None else lambda start, stop: float(cost.loss(values[start:stop]))
