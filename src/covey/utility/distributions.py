"""How the values of a column are distributed before and after, in bins that hold at least k records."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.values import NUMBERS, Values
from covey.utility.edges import round_edges
from covey.utils.words import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.utils.typing import Flags, Integers

MOST_BINS = 24


@dataclass(frozen=True)
class Distribution:
    """Shares of records in bins: between round numbers among the released values, or categories that are released."""

    column: str
    edges: tuple[str, ...]
    before: tuple[float, ...] | None
    """None where that is not public."""
    after: tuple[float, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, without what is not public."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def distributions(original: Mapping[str, Values], released: Mapping[str, Values], k: int) -> list[Distribution]:
    """The distributions of all columns over rows that have a value before and after."""
    shares = []
    for name, column in original.items():
        known = column.valid & released[name].valid
        if known.sum() < 2 * k:
            continue
        if column.kind in NUMBERS or column.kind == "ordinal":
            shares.append(_numbers(name, column, released[name], known, k))
        else:
            shares.append(_categories(name, column, released[name], known, k))
    return [of_column for of_column in shares if len(of_column.after) > 1]


def _numbers(name: str, column: Values, released: Values, known: Flags, k: int) -> Distribution:
    before, after = column.physical[known], np.sort(released.physical[known])
    tail = min(0.05, max(0.01, 2 * k / len(after)))  # the values of one outlying group do not stretch the bins
    low, high = (after[int(share * (len(after) - 1))] for share in (tail, 1 - tail))
    inner = np.unique(round_edges(column, low, high, MOST_BINS - 1))
    cells = [np.searchsorted(inner, values, side="right") for values in (before, after)]
    edges, counts = _joined(inner, [np.bincount(cell, minlength=len(inner) + 1) for cell in cells], k)
    shown = replace(column, physical=edges, valid=np.ones(len(edges), dtype=bool)).build().to_pylist()
    texts = tuple(as_text(value) for value in shown)
    return Distribution(name, texts, *(tuple((c / c.sum()).tolist()) for c in counts))


def _joined(inner: NDArray[Any], counts: list[Integers], k: int) -> tuple[NDArray[Any], list[Integers]]:
    """Join bins from the left until each holds k records, before and after."""
    starts, inside = [0], np.zeros(2)
    for place in range(len(counts[0])):
        if inside.min() >= k and place:
            starts.append(place)
            inside[:] = 0
        inside += [counts[0][place], counts[1][place]]
    if inside.min() < k and len(starts) > 1:
        starts.pop()
    joined = [np.add.reduceat(c, starts) for c in counts]
    return inner[np.array(starts[1:], dtype=int) - 1] if len(starts) > 1 else inner[:0], joined


def _categories(name: str, column: Values, released: Values, known: Flags, k: int) -> Distribution:
    """The released categories with k records or more before and after, the largest first; all others together."""
    names = [str(value) for value in column.categories.to_pylist()]
    before, after = (np.bincount(c.physical[known], minlength=len(names)) for c in (column, released))
    shown = [
        code for code in np.argsort(-after, kind="stable")[:MOST_BINS].tolist() if min(before[code], after[code]) >= k
    ]
    rest = [int(c.sum() - c[shown].sum()) for c in (before, after)]
    edges = [names[code] for code in shown]
    values = [[int(c[code]) for code in shown] for c in (before, after)]
    if min(rest) >= k:
        edges.append("others")
        values = [[*numbers, left] for numbers, left in zip(values, rest, strict=True)]
    totals = [max(1, sum(numbers)) for numbers in values]
    return Distribution(
        name, tuple(edges), *(tuple(v / total for v in numbers) for numbers, total in zip(values, totals, strict=True))
    )
