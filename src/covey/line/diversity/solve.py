"""l-diversity clustering on the line: groups of at least l points, all of different colours, as narrow as possible."""

from __future__ import annotations

import importlib.util
import math
import time
from typing import TYPE_CHECKING, SupportsIndex

from covey.errors import OptionError, did_you_mean, shown
from covey.line.diversity.methods import METHODS, Milp, Window
from covey.line.diversity.milp import close
from covey.line.diversity.problem import as_problem

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from covey.core.solution import Solution

_MOST_FOR_MILP = 1900  # records: no more than 2e6 pairs
_SECONDS_FOR_MILP = 60.0


def diverse(
    x: ArrayLike,
    colours: Sequence[Hashable] | ArrayLike,
    l: SupportsIndex,  # noqa: E741
    objective: str = "max",
    method: str = "auto",
    time_limit: float | None = None,
) -> Solution:
    """Group numbers so that each group has at least l records, all of different colours.

    Some optimum takes, group by group from left to right, the first points left of its colours, at most 2l-1 of them: that
    makes it a recursion. NP-hard for many colours; exact where `status` is "optimal", else `bound` and `loss` are a bracket.

    Source: Akagi & Nakano, l-diversity clustering on the line.

    Parameters
    ----------
    x
        One number a record.
    colours
        The sensitive value of every record: strings, numbers, anything hashable, none missing.
    l
        A solution exists iff the most frequent colour is that of at most n / l records; else an `InfeasibleError`.
    objective
        What is least: "max", the largest span; "sum", the sum of spans; "sse", the sum of squared distances to the means.
    method
        "window", the fastest; "paper", the recursion of the paper, for small tables; "milp", integer programs for "max";
        "auto": the window recursion, and for "max", where that proves nothing, scipy is installed and there are at most 1900
        records, integer programs for up to a minute. `Solution.method` is the one that was last to improve the bracket.
    time_limit
        In seconds. When it ends, the best found is returned with its bracket.

    Returns
    -------
    Solution
        The groups, their `loss`, a proven `bound`, and whether they meet.

    Raises
    ------
    InfeasibleError
        A colour is too frequent for l.

    Examples
    --------
    >>> solution = diverse([1.0, 2.0, 3.0, 9.0, 9.5], ["flu", "flu", "cold", "flu", "gout"], l=1)
    >>> solution.loss
    0.0
    >>> solution = diverse([1.0, 2.0, 3.0, 9.0, 9.5, 4.0], ["flu", "flu", "cold", "flu", "gout", "gout"], l=2)
    >>> solution.partition.labels.tolist(), solution.loss, solution.status
    ([0, 1, 0, 2, 2, 1], 2.0, 'optimal')
    """
    if method == "auto":
        return _auto(x, colours, l, objective, time_limit)
    if not isinstance(method, str) or method not in METHODS:
        msg = f"there is no method {shown(method)}{did_you_mean(method, METHODS)}; known: auto, {', '.join(METHODS)}"
        raise OptionError(msg)
    return METHODS[method](objective, time_limit).solve(x, l, colours)


def _auto(
    x: ArrayLike,
    colours: Sequence[Hashable] | ArrayLike,
    l: SupportsIndex,  # noqa: E741
    objective: str,
    time_limit: float | None,
) -> Solution:
    window = Window(objective, time_limit)
    problem = as_problem(x, colours, l, objective)
    seconds = math.inf if time_limit is None else float(time_limit)
    both = objective == "max" and len(problem.x) <= _MOST_FOR_MILP and importlib.util.find_spec("scipy") is not None
    start = time.monotonic()
    bracket = window.bracket(problem, seconds / 2 if both else seconds)
    rest = min(_SECONDS_FOR_MILP, seconds - (time.monotonic() - start))
    if bracket.lower >= bracket.upper or not both or rest <= 0:
        return window.solution(problem, bracket)
    closer = close(problem, bracket, rest)
    better = (closer.lower, closer.upper) != (bracket.lower, bracket.upper)
    return (Milp(objective, time_limit) if better else window).solution(problem, closer)
