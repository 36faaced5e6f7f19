"""The problem of l-diversity clustering on the line as its methods take it, and what a grouping is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

import numpy as np

from covey.errors import OptionError, shown
from covey.line.diversity.colours import as_colours, check_feasible
from covey.utils.arrays import as_column, as_count

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from covey.line.diversity.colours import Colours
    from covey.utils.typing import Labels

OBJECTIVES = ("max", "sum", "sse")  # in the order of the kernels
_REFUSED = {
    "size-span": (
        "its best groups need not be monotone, which all methods rely on: of 0, 6, 8, 9, 10 with colours c, c, b, d, d "
        "and l = 2 the best total is 29, the best monotone one 30"
    ),
}


class Bracket(NamedTuple):
    """Groups of the sorted points, their value, and a proven lower bound. Equal: there is nothing better."""

    labels: Labels
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class Problem:
    """Sorted points times 2^-exponent, the numbers of their colours, l, and the objective."""

    x: NDArray[np.float64]
    colours: Labels
    order: NDArray[np.intp]
    l: int  # noqa: E741
    objective: str
    exponent: int

    @property
    def m(self) -> int:
        """The number of colours."""
        return int(self.colours.max()) + 1

    @property
    def code(self) -> int:
        """The objective's number in the kernels."""
        return OBJECTIVES.index(self.objective)

    def to_input(self, value: float) -> float:
        """A value of the objective in the units of the input; infinity where that is beyond a float."""
        try:
            return math.ldexp(value, self.exponent * (2 if self.objective == "sse" else 1))
        except OverflowError:
            return math.inf

    def value(self, labels: Labels) -> float:
        """The objective's value, computed anew from the groups of the sorted points."""
        order = np.argsort(labels, kind="stable")
        starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
        x = self.x[order]
        sizes = np.diff(starts, append=len(x))
        if self.objective != "sse":
            spans = x[starts + sizes - 1] - x[starts]
            return float(spans.max()) if self.objective == "max" else math.fsum(spans)
        distance = x - np.repeat(x[starts], sizes)
        distance -= np.repeat(np.add.reduceat(distance, starts) / sizes, sizes)
        return math.fsum(distance * distance)


def as_problem(
    X: ArrayLike,
    colours: Sequence[Hashable] | ArrayLike | None,
    l: SupportsIndex,  # noqa: E741
    objective: str,
    check: Callable[[Colours, int], None] = check_feasible,
) -> Problem:
    """Validate, sort and scale; an error says what is wrong, and when there is no solution, why, by `check`."""
    column = as_column(X, shift_integers=True)
    n = len(column.values)
    known = as_colours(range(n) if colours is None else colours, n)
    least = as_count(l, "l")
    check(known, least)
    order = np.argsort(column.values, kind="stable")
    x = column.values[order]
    exponent = _exponent(float(x[-1] / 2 - x[0] / 2), objective)
    return Problem(np.ldexp(x, -exponent), known.codes[order], order, least, objective, exponent)


def check_objective(objective: object) -> None:
    """An objective that is known and for which the methods are right."""
    if isinstance(objective, str) and objective in _REFUSED:
        msg = f"objective {objective!r} is refused: {_REFUSED[objective]}; use one of {', '.join(OBJECTIVES)}"
        raise OptionError(msg)
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        msg = f"there is no objective {shown(objective)}; known: {', '.join(OBJECTIVES)}"
        raise OptionError(msg)


def _exponent(half_range: float, objective: str) -> int:
    """The power of two that spans, or their squares and sums, need to stay inside the range of a float."""
    power = math.frexp(half_range)[1] + 1
    if objective == "max":
        return 2 if power > 1023 else 0
    return power if abs(power) > 300 and half_range > 0 else 0
