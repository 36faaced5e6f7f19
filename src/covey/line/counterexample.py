"""Looks for a counterexample to what a cost declares. None found is no proof, but most false claims fall."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from covey.costs import PROPERTIES, cost_name, find_cost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from covey.costs import Cost

_ALPHABETS = ((0.0, 1.0, 2.0), (0.0, 1.0, 3.0), (0.0, 2.0, 3.0), (0.0, 1.0, 3.0, 4.0), (-1.0, 0.0, 1.0))
_Group = tuple[float, ...]


@dataclass(frozen=True)
class Counterexample:
    """Sorted values for which a declared property does not hold, and why, in words.

    Attributes
    ----------
    property
        The declared property.
    values
        The sorted values.
    why
        What is better than the property allows.

    Examples
    --------
    >>> from covey.line import Counterexample
    >>> Counterexample("concave", (0.0, 1.0, 3.0), "in words").property
    'concave'
    """

    property: str
    values: tuple[float, ...]
    why: str


def find_counterexample(
    cost: str | Cost, *, largest: int = 6, alphabets: Sequence[Sequence[float]] = _ALPHABETS
) -> Counterexample | None:
    """Try every column of up to `largest` values from some small alphabets against what the cost declares.

    Ordered minimisable is definition 4 of Stamm & Schaub, for every k: the best of all partitions into groups of at
    least k is no better than the best that cuts the sorted values into intervals. Exponential in `largest`.

    Parameters
    ----------
    cost
        A name, or a cost of your own.
    largest
        The longest columns that are tried.
    alphabets
        The values that columns are made of.

    Returns
    -------
    Counterexample or None
        None is no proof, but most false claims fall.

    Examples
    --------
    >>> find_counterexample("sse", largest=4) is None
    True
    """
    cost = find_cost(cost)

    @cache
    def loss(group: _Group) -> float:
        return float(cost.loss(np.array(group)))

    checks = {
        "ordered_minimisable": _unordered_is_better,
        "splitting_is_beneficial": _splitting_hurts,
        "concave": _quadrangle_fails,
    }
    declared = [name for name in PROPERTIES if getattr(cost, name)]
    columns = (
        values
        for size in range(2, largest + 1)
        for alphabet in alphabets
        for values in itertools.combinations_with_replacement(sorted(alphabet), size)
    )
    for values in dict.fromkeys(columns):
        for name in declared:
            why = checks[name](values, loss)
            if why is not None:
                return Counterexample(name, values, f"{cost_name(cost)}: {why}")
    return None


def _less(a: float, b: float) -> bool:
    return a < b - 1e-9 * max(1.0, abs(a), abs(b))


def _unordered_is_better(values: _Group, loss: Callable[[_Group], float]) -> str | None:
    for k in range(1, len(values) // 2 + 1):
        intervals = min(sum(map(loss, groups)) for groups in _intervals(values, k))
        for groups in _partitions(values, k):
            total = sum(map(loss, groups))
            if _less(total, intervals):
                return f"for k = {k} the groups {_show(groups)} cost {total:.6g}, the best intervals {intervals:.6g}"
    return None


def _splitting_hurts(values: _Group, loss: Callable[[_Group], float]) -> str | None:
    whole = loss(values)
    for cut in range(1, len(values)):
        groups = values[:cut], values[cut:]
        split = loss(groups[0]) + loss(groups[1])
        if _less(whole, split):
            return f"split into {_show(groups)} it costs {split:.6g}, whole {whole:.6g}"
    return None


def _quadrangle_fails(values: _Group, loss: Callable[[_Group], float]) -> str | None:
    stop = len(values)
    for b, c in itertools.combinations(range(1, stop), 2):
        crossing = loss(values[:c]) + loss(values[b:])
        nested = loss(values) + loss(values[b:c])
        if _less(nested, crossing):
            return f"cut at 0, {b}, {c}, {stop}, the crossing groups cost {crossing:.6g}, the nested {nested:.6g}"
    return None


def _intervals(values: _Group, k: int) -> Iterator[tuple[_Group, ...]]:
    if len(values) >= k:
        yield (values,)
    for cut in range(k, len(values) - k + 1):
        for rest in _intervals(values[cut:], k):
            yield (values[:cut], *rest)


def _partitions(values: _Group, k: int) -> Iterator[tuple[_Group, ...]]:
    """All partitions into groups of at least k; the first group holds the first value."""
    if not values:
        yield ()
        return
    others = range(1, len(values))
    for size in range(k - 1, len(values)):
        if 0 < len(values) - 1 - size < k:
            continue
        for chosen in itertools.combinations(others, size):
            group = (values[0], *(values[i] for i in chosen))
            left = tuple(values[i] for i in others if i not in chosen)
            for rest in _partitions(left, k):
                yield (group, *rest)


def _show(groups: Sequence[_Group]) -> str:
    return ", ".join("{" + ", ".join(f"{value:g}" for value in group) + "}" for group in groups)
