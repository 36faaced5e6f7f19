"""Groups of mixed colours by their definition, slow and exact: every partition, in whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.line.diverse_oracle import cost

if TYPE_CHECKING:
    from collections.abc import Sequence


def holds(colours: Sequence[int], k: int, l: int, rule: str) -> bool:  # noqa: E741
    """Whether a group of these colours is large and mixed enough."""
    if len(colours) < k:
        return False
    if rule == "distinct":
        return len(set(colours)) >= l
    return all(colours.count(colour) * l <= len(colours) for colour in set(colours))


def best(
    x: Sequence[int],
    colours: Sequence[int],
    k: int,
    l: int,  # noqa: E741
    rule: str,
    objective: str = "sse",
) -> int | None:
    """The least sum of squares of any grouping, around means or "rounded" ones, times UNIT of the other oracle; None where there is none."""
    n = len(x)
    price: dict[int, int] = {}
    for mask in range(1, 1 << n):
        members = [i for i in range(n) if mask >> i & 1]
        if holds([colours[i] for i in members], k, l, rule):
            price[mask] = cost(objective, [x[i] for i in members])
    least: dict[int, int | None] = {0: 0}
    for left in range(1, 1 << n):
        first = left & -left
        totals = []
        group = left
        while group:
            rest = least[left ^ group]
            if group & first and group in price and rest is not None:
                totals.append(price[group] + rest)
            group = (group - 1) & left
        least[left] = min(totals, default=None)
    return least[(1 << n) - 1]
