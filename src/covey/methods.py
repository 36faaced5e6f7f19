"""The array-level door: `partition` and `solve`."""

from __future__ import annotations

import dataclasses
import warnings
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from covey import space
from covey.core.left_out import LeftOut
from covey.core.method import Method, WeighingMethod
from covey.costs import COSTS
from covey.errors import OptionError, did_you_mean, shown
from covey.line.leave_out import leave_out_on_lines
from covey.line.optimal import OptimalLine
from covey.space.bound import check_bound
from covey.space.leave_out import Table, leave_out_in_space
from covey.space.method import SpaceMethod
from covey.space.objective import CostedMethod, Objective
from covey.utils.arrays import as_columns, as_coordinates, as_count, as_matrix
from covey.utils.frame import is_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from covey.core.partition import Partition
    from covey.core.solution import Solution
    from covey.costs import Cost
    from covey.utils.typing import Floats

__all__ = [
    "METHODS",
    "Scale",
    "ScaleWarning",
    "check_method",
    "choose",
    "comparable",
    "leave_out",
    "partition",
    "solve",
]


Scale = Literal["zscore", "range"]
SPREADS: dict[str, Callable[[Floats], Floats]] = {
    "zscore": lambda columns: np.asarray(columns.std(axis=0)),
    "range": lambda columns: np.asarray(np.ptp(columns, axis=0)),
}
"""What a column is divided by, from 0 up."""
FAR_APART = 10.0
"""Standard deviations of columns that differ by more are not comparable as they are."""


class ScaleWarning(UserWarning):
    """Columns of a dataframe lie on very different scales, and no scale is given."""


class _Text(str):
    """A default that can be told from the same value given."""

    __slots__ = ()


class _Number(int):
    __slots__ = ()


_COST = _Text("sse")
_SEED = _Number(0)

_KINDS: tuple[type[Method], ...] = (
    OptimalLine,
    space.Mdav,
    space.VMdav,
    space.Cbfs,
    space.CbfsGrowing,
    space.NpnMhm,
    space.MdavMhm,
    space.CbfsMhm,
    space.Pca,
    space.ZScore,
    space.RandomProjection,
    space.Tour,
    space.Split,
    space.Imhm,
    space.RepeatedOrdering,
    space.KMeans,
    space.NearestNeighbour,
    space.Decompose,
    space.Search,
    space.Exact,
    space.EachColumn,
)
METHODS: dict[str, type[Method]] = {kind.name: kind for kind in _KINDS}


def partition(
    X: ArrayLike,
    k: SupportsIndex,
    *,
    method: str | Method = "auto",
    cost: str | Cost | Sequence[str] = _COST,
    seed: int = _SEED,
    weights: ArrayLike | None = None,
    scale: Scale | None = None,
    **options: Any,
) -> Partition:
    """Group the records of X into groups of at least k that lose as little as possible.

    One column is solved exactly by `covey.line.OptimalLine`, in O(n log k) after sorting; several go to `covey.space.Auto`, a heuristic. A
    method can be asked for by name.

    Parameters
    ----------
    X
        One number a record (list, array, or a column of pandas, polars or pyarrow), or records in rows with several
        coordinates, which are taken as comparable. In any order.
    k
        The least number of records in a group.
    method
        "auto", the name of a method, or a method object.
    cost
        On a line: "sse", "sae", "maxdist", "roundup", "rounddown", "rounded", or a cost of your own. In space, with "auto" and "search":
        one of the first five, or one of them for every column.
    seed
        For a method with randomness.
    weights
        What each record weighs where (weighted) means are published: its squares count as often. k counts records.
    scale
        How several columns become comparable: "zscore" (in standard deviations) or "range". By default they are taken as they are, and a
        dataframe whose columns lie on very different scales is a `ScaleWarning`: the loss is then nearly that of the largest alone.
    options
        Of a named method, passed on to it.

    Returns
    -------
    Partition
        Labels in input order.

    Raises
    ------
    InputError
        X is empty or has gaps.
    OptionError
        No such method, an option that it does not have, or k above the number of records.

    Examples
    --------
    >>> import covey
    >>> p = covey.partition([21.0, 70.0, 22.0, 23.0, 71.0, 72.0, 20.0], k=3)
    >>> p.labels.tolist()
    [0, 1, 0, 0, 1, 1, 0]
    >>> covey.partition([21, 70, 22, 23, 71, 72, 20], k=3, cost="maxdist", max_groups=1)
    <Partition: 7 records in 1 group of 7>
    """
    chosen, X = choose(X, method, _given(cost, seed, options)), comparable(X, scale)
    return chosen.partition(X, k) if weights is None else _weighing(chosen).partition(X, k, weights=weights)


def solve(
    X: ArrayLike,
    k: SupportsIndex,
    *,
    method: str | Method = "auto",
    cost: str | Cost | Sequence[str] = _COST,
    seed: int = _SEED,
    weights: ArrayLike | None = None,
    bound: str = "matching",
    bound_time_limit: float = 60.0,
    bound_progress: Callable[[float], Any] | None = None,
    scale: Scale | None = None,
    **options: Any,
) -> Solution:
    """Group the records of X as `partition` does, and also say what that loses and how sure it is.

    Parameters
    ----------
    X, k, method, cost, seed, weights, scale, options
        As for `partition`; the loss is in the units of the scale.
    bound
        How the bound is computed for groups in space that are not proven the best: "matching", when it is asked for, or at once one of
        the others of `covey.space.lower_bound`, such as "tight", which is much nearer and takes longer. Ctrl-C while it runs keeps what
        "tight" has proven, and the groups.
    bound_time_limit, bound_progress
        For "tight" and "columns": seconds, and what is called with the bound so far.

    Returns
    -------
    Solution
        The partition, its `loss`, a proven `bound`, and a `status`.

    Examples
    --------
    >>> import covey
    >>> solution = covey.solve([0, 3, 4, 4, 4, 7, 7, 9, 10, 10], k=3)
    >>> round(solution.loss, 4), solution.status
    (17.4167, 'optimal')
    """
    chosen, X = choose(X, method, _given(cost, seed, options)), comparable(X, scale)
    check_bound(bound, bound_time_limit)
    quick = bound == "matching"
    if not quick and not _has_bounds(chosen, weighted=weights is not None):
        msg = f"bound is {shown(bound)}, and for method {chosen.name!r} with this cost and weights no bound is known; leave it out"
        raise OptionError(msg)
    solution = chosen.solve(X, k) if weights is None else _weighing(chosen).solve(X, k, weights=weights)
    if quick or solution.status == "optimal":
        return solution
    proven = space.lower_bound(X, k, method=bound, time_limit=bound_time_limit, progress=bound_progress)
    return solution.with_bound(min(solution.loss, max(solution.bound, proven)))


def _has_bounds(method: Method, *, weighted: bool) -> bool:
    """Whether the method's loss is that of unweighted squares, or its groups are the best."""
    costs = method.costs if isinstance(method, CostedMethod) else ("sse",)
    squares = isinstance(method, SpaceMethod) and not weighted and set(costs) == {"sse"}
    return squares or isinstance(method, OptimalLine)


def comparable(X: ArrayLike, scale: Scale | None) -> ArrayLike:
    """X with its columns on the scale that is asked for; a warning where none is, and a dataframe's columns are far from comparable."""
    if scale is None:
        if is_frame(X):
            _warn_of_scales(as_matrix(X))
        return X
    if scale not in SPREADS:
        raise OptionError(
            f"scale is {shown(scale)}; needed: {' or '.join(SPREADS)}, or nothing for columns as they are"
        )
    matrix = as_matrix(X)
    if matrix.shape[1] == 1:
        raise OptionError(
            "scale is given, and X has one column, whose groups are the same on every scale; leave it out"
        )
    shift = matrix - matrix.min(axis=0)
    size = SPREADS[scale](shift)
    return np.asarray(shift / np.where(size > 0, size, 1.0))


def _warn_of_scales(matrix: Floats) -> None:
    spreads = matrix.std(axis=0)
    spreads = spreads[spreads > 0]
    if len(spreads) > 1 and spreads.max() > FAR_APART * spreads.min():
        warnings.warn(
            f"the columns lie on very different scales (one varies {spreads.max() / spreads.min():,.0f} times as much as another), so that groups "
            "are made nearly by the largest alone; give scale='zscore' to make them comparable, or scale them yourself",
            ScaleWarning,
            stacklevel=4,
        )


def leave_out(
    X: ArrayLike, k: SupportsIndex, most: SupportsIndex, *, method: str | Method = "auto", **options: Any
) -> LeftOut:
    """Leave out the records of X without which the others lose least, none or from k to `most`, and group the others.

    On a line the choice is the best for the squares of `optimal-line`, or for the cost that it is given, and proven so unless the table
    is so large that records leave at a price. In space it is a heuristic, whatever the method that groups the others: the groups are made
    again without those that are farthest from their means.

    Parameters
    ----------
    X, k, method, options
        As for `partition`.
    most
        How many records may be left out: at least k.

    Returns
    -------
    LeftOut
        Which records are left out, and the `solution` of the others.

    Examples
    --------
    >>> import covey
    >>> found = covey.leave_out([0, 0, 0, 0, 10, 10, 100, 100, 100, 103], k=3, most=3)
    >>> found.rows.tolist(), found.solution.loss, found.proven
    ([4, 5, 9], 0.0, True)
    """
    coordinates = as_coordinates(X)
    n = len(coordinates.values)
    least = as_count(k, "k", at_least=2, at_most=n)
    budget = as_count(most, "most")
    if not least <= budget <= n - least:
        msg = (
            f"most is {budget}; needed: from k = {least} to {n - least}, so that k records can be left out and k remain"
        )
        raise OptionError(msg)
    chosen = choose(X, method, options)
    cost, bound, proven = _plain_cost(chosen), 0.0, False
    if cost is None:
        out = leave_out_in_space(Table.of(coordinates.values), least, budget)
    else:
        [out], bound, proven = leave_out_on_lines([coordinates.values[:, 0]], least, budget, cost)
    rows, kept = np.flatnonzero(out), np.flatnonzero(~out)
    solution = chosen.solve(np.column_stack([column[kept] for column in as_columns(X)]), least)
    if proven:
        bound = solution.loss
    elif cost is not None:
        bound = Objective((cost,)).to_input(bound, coordinates)
    return LeftOut(rows, kept, solution, bound, proven)


def _plain_cost(method: Method) -> str | None:
    """The cost of a method that is exact on a line and has no other option."""
    if not isinstance(method, OptimalLine) or method != OptimalLine(method.cost) or method.cost not in COSTS:
        return None
    return str(method.cost)


def _weighing(method: Method) -> WeighingMethod:
    if not isinstance(method, WeighingMethod):
        msg = f"method {method.name!r} takes no weights; needed: auto, optimal-line or search; or leave them out"
        raise OptionError(msg)
    return method


def _given(cost: str | Cost | Sequence[str], seed: int, options: dict[str, Any]) -> dict[str, Any]:
    given = (("cost", cost, _COST), ("seed", seed, _SEED))
    return {name: value for name, value, default in given if value is not default} | options


def choose(X: ArrayLike, method: str | Method, given: dict[str, Any]) -> Method:
    """The method for X, with the options that were given."""
    given = dict(given)
    if isinstance(method, Method):
        if given:
            msg = f"{', '.join(given)} given beside a method object; set it on the method: {type(method).__name__}(...)"
            raise OptionError(msg)
        return method
    check_method(method)
    kind = _auto(X) if method == "auto" else METHODS[method]
    has = [f.name for f in dataclasses.fields(kind)]  # type: ignore[arg-type]
    if "cost" not in has and given.get("cost") == "sse":
        del given["cost"]  # what it minimises anyway
    for name in given:
        if name not in has:
            offers = f"it has: {', '.join(has)}" if has else "it has none"
            only = "; in space auto and search take a cost" if name == "cost" else ""
            msg = f"method {kind.name!r} has no option {name!r}{did_you_mean(name, has)}; {offers}{only}"
            raise OptionError(msg)
    return kind(**given)


def check_method(name: object) -> None:
    """An error for a name that no method has."""
    known = ("auto", *METHODS)
    if not isinstance(name, str) or name not in known:
        msg = f"there is no method {shown(name)}{did_you_mean(name, known)}; known: {', '.join(known)}, or a method object"
        raise OptionError(msg)


def _auto(X: ArrayLike) -> type[Method]:
    return OptimalLine if len(as_columns(X)) == 1 else space.Auto
