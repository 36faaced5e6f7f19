"""The methods of l-diversity clustering on the line: the window recursion, the recursion of the paper, integer programs."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

import numpy as np

from covey._kernels import diverse as kernels
from covey.core.method import Method
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.errors import InputError, OptionError
from covey.line.diversity import milp
from covey.line.diversity.problem import Bracket, Problem, as_problem, check_objective
from covey.utils.arrays import check_time_limit

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

_BYTES = 2**30  # for the states of the window recursion
_MOST_ENTRIES = 50_000_000  # of the paper's table
_ROUNDING = 1e-12  # of sums


@dataclass(frozen=True)
class DiverseMethod(Method):
    """A way to group points of different colours. `solve` without colours takes every record for a colour of its own."""

    objective: str = "max"
    time_limit: float | None = None

    def __post_init__(self) -> None:
        check_objective(self.objective)
        check_time_limit(self.time_limit)

    def solve(self, X: ArrayLike, k: SupportsIndex, colours: Sequence[Hashable] | ArrayLike | None = None) -> Solution:
        """Group the numbers X with at least k different colours each, and say what that loses."""
        problem = as_problem(X, colours, k, self.objective)
        seconds = math.inf if self.time_limit is None else float(self.time_limit)
        return self.solution(problem, self.bracket(problem, seconds))

    @abstractmethod
    def bracket(self, problem: Problem, seconds: float) -> Bracket:
        """The best groups found in that time, and a bound."""

    def solution(self, problem: Problem, bracket: Bracket) -> Solution:
        """The groups in the order and the units of the input."""
        labels = np.empty_like(bracket.labels)
        labels[problem.order] = bracket.labels
        loss = problem.to_input(problem.value(bracket.labels))
        if bracket.lower >= bracket.upper:
            return Solution(Partition(labels), loss, bound=loss, status="optimal", method=self)
        lower = bracket.lower * (1.0 if self.objective == "max" else 1.0 - _ROUNDING)
        return Solution(
            Partition(labels), loss, bound=min(loss, problem.to_input(lower)), status="feasible", method=self
        )


@dataclass(frozen=True)
class Window(DiverseMethod):
    """The window recursion. Exact, unless time or memory (1 GiB of states) ends first: then a bracket.

    A state is the leftmost point left and which points right of it are taken; its group takes l-1 to 2l-2 of the first
    points left of other colours. Passes over all states below a bound, which rises from a lower bound (counting, for "max";
    Lagrangian prices of the points, else) to the value of a beam search. Exponential in the points within the best span.

    >>> Window().solve([1.0, 2.0, 3.0, 4.0], 2, ["a", "a", "b", "b"]).loss
    2.0
    """

    name: ClassVar[str] = "window"

    def bracket(self, problem: Problem, seconds: float) -> Bracket:
        p = problem
        return Bracket(*kernels.window(p.x, p.colours, p.m, p.l, p.code, seconds, _BYTES))


@dataclass(frozen=True)
class Paper(DiverseMethod):
    """The recursion of the paper over the first i_j points of each colour j. Exact; O(2^m (n/m + 1)^m), a reference.

    The last group takes the last points of l to 2l-1 colours. Refuses tables of more than 5e7 entries.

    >>> Paper("sum").solve([1.0, 2.0, 3.0, 4.0], 2, ["a", "a", "b", "b"]).loss
    4.0
    """

    name: ClassVar[str] = "paper"

    def bracket(self, problem: Problem, seconds: float) -> Bracket:
        p = problem
        entries = math.prod(int(count) + 1 for count in np.bincount(p.colours))
        if entries > _MOST_ENTRIES:
            msg = (
                f"{len(p.x)} records of {p.m} colours need a table of about 10^{math.log10(entries):.1f} entries; at most "
                f"{_MOST_ENTRIES:.0e} are tried; needed: fewer records or colours, or method='window'"
            )
            raise InputError(msg)
        return Bracket(*kernels.table(p.x, p.colours, p.m, p.l, p.code, seconds))


@dataclass(frozen=True)
class Milp(DiverseMethod):
    """Integer programs for the leftmost points of groups, for the largest span only. Exact; needs the extra `exact`.

    Halves the realised distances between a lower bound by counting and a greedy solution; each asks HiGHS whether there is
    a grouping with no larger span. For l of 5 and more with some hundred to thousand records.

    >>> Milp().solve([1.0, 2.0, 3.0, 4.0], 2, ["a", "a", "b", "b"]).loss
    2.0
    """

    name: ClassVar[str] = "milp"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.objective != "max":
            msg = f"method 'milp' is for objective 'max' only, not {self.objective!r}; use window, paper or auto"
            raise OptionError(msg)

    def bracket(self, problem: Problem, seconds: float) -> Bracket:
        p = problem
        return milp.close(p, Bracket(*kernels.start(p.x, p.colours, p.m, p.l, p.code)), seconds)


METHODS: dict[str, type[DiverseMethod]] = {method.name: method for method in (Window, Paper, Milp)}
