"""Which records on a line to leave out, so that the others lose the least: exact for every number of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey._kernels import line as kernels
from covey.costs import COSTS, RoundedSquares
from covey.line.optimal import OptimalLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.utils.typing import Flags, Floats, Integers, Labels

MOST_CELLS, MOST_STEPS = 100_000_000, 5_000_000_000
"""Of the table for every number that is left out: 200 MB, and a few seconds. Beyond, records are left out at a price."""
PRICES = 60  # that are tried: bisection, down to the last bits that matter
NEARLY = 1.0 - 1e-9  # what rounding may take off a bound


class OnLine(NamedTuple):
    """For each column whether its records are left out; a bound on the loss with at most as many, and whether it is reached."""

    out: list[Flags]
    bound: float
    proven: bool


def leave_out_on_lines(columns: Sequence[Floats], k: int, most: int, cost: str = "sse", *, least: int = 0) -> OnLine:
    """The records of columns that are grouped apart: none, or from `least` (k) of a column, and at most `most` in all.

    The least loss of a column with exactly c left out is computed for every c up to `most` by a table (O(n k most)), since it is
    not convex in c: two may buy nothing and three all. How many each column gives is then the best way to share the budget. Where
    the table would be too large, every record costs a price, and the least price is found at which no more than `most` leave: that
    is the best for the number that leaves, and gives a bound for the budget.
    """
    least = max(least or k, 1)
    sorted_columns = [_Sorted(column) for column in columns]
    cells = max(len(column) for column in columns) * (most + 1)
    steps = sum(len(column) for column in columns) * (most + 1) * k
    if cells > MOST_CELLS or steps > MOST_STEPS or 2 * k >= 2**16:
        return _at_price(sorted_columns, k, most, cost, least)
    return _exactly(sorted_columns, k, most, cost, least)


def _code_of(cost: str) -> int:
    return RoundedSquares.code if cost == RoundedSquares.name else COSTS[cost].code


class _Sorted:
    """A column in ascending order, and the way back."""

    def __init__(self, values: Floats) -> None:
        self.order = np.argsort(values, kind="stable")
        self.x = np.ascontiguousarray(values[self.order])

    def without(self, labels: Labels | Integers) -> Flags:
        """Whether each record of the column as it came is left out, by labels of the sorted ones."""
        out = np.empty(len(labels), dtype=bool)
        out[self.order] = labels < 0
        return out


def _exactly(columns: Sequence[_Sorted], k: int, most: int, cost: str, least: int) -> OnLine:
    code, curves = _code_of(cost), []
    for column in columns:
        n = len(column.x)
        losses = kernels.losses_without(column.x, k, code, min(most, max(n - k, 0)))
        losses[1:least] = math.inf
        curves.append(losses)
    counts, loss = shares_of(curves, most)
    out = [
        column.without(kernels.groups_without(column.x, k, code, count))
        for column, count in zip(columns, counts, strict=True)
    ]
    return OnLine(out, loss, proven=True)


def shares_of(curves: Sequence[Floats], most: int) -> tuple[list[int], float]:
    """How many each column gives, at most `most` in all, so that the losses together are least; and these. The fewest, where they are equal."""
    total = np.zeros(1)
    given: list[Integers] = []
    for losses in curves:
        width = min(most, len(total) - 1 + len(losses) - 1) + 1
        after, share = np.full(width, math.inf), np.zeros(width, dtype=np.int64)
        for count in np.flatnonzero(np.isfinite(losses)).tolist():
            here = total[: max(0, width - count)] + losses[count]
            some = slice(count, count + len(here))
            better = here < after[some]
            after[some][better] = here[better]
            share[some][better] = count
        total = after
        given.append(share)
    at = int(np.argmin(total))
    loss, counts = float(total[at]), []
    for share in reversed(given):
        counts.append(int(share[at]))
        at -= counts[-1]
    return counts[::-1], loss


def _at_price(columns: Sequence[_Sorted], k: int, most: int, cost: str, least: int) -> OnLine:
    method, code = OptimalLine(cost=cost), _code_of(cost)

    def labels_at(price: float) -> list[Integers]:
        return [kernels.groups_at_price(column.x, k, code, price).astype(np.int64) for column in columns]

    def loss_of(labels: Sequence[Integers]) -> float:
        pairs = zip(columns, labels, strict=True)
        return sum(method.solve(column.x[of >= 0], k).loss for column, of in pairs if np.any(of >= 0))

    none = [np.zeros(len(column.x), dtype=np.int64) for column in columns]
    low, high, best, bound = 0.0, loss_of(none), none, 0.0
    for _ in range(PRICES):
        price = 0.5 * (low + high)
        labels = labels_at(price)
        count = sum(int((of < 0).sum()) for of in labels)
        bound = max(bound, (loss_of(labels) + price * (count - most)) * NEARLY)
        if count <= most:
            high, best = price, labels
        else:
            low = price
        if count == most:
            break
    best = [
        zeros if not least <= int((of < 0).sum()) <= len(of) - k else of for of, zeros in zip(best, none, strict=True)
    ]
    left = sum(int((of < 0).sum()) for of in best)
    return OnLine([column.without(of) for column, of in zip(columns, best, strict=True)], bound, proven=left == most)
