"""k, l and t of a table counted by their definitions, one record after the other; shares nothing with Covey or its peers.

A missing value is a value like any other, for who sees the table sees that it is missing; but it makes no class more diverse.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

Row = dict[str, Any]


def count(rows: Sequence[Row], quasi: Sequence[str], sensitive: str) -> dict[str, float]:
    """The smallest class, the least number of different sensitive values in one, the largest distance to the whole.

    >>> count([{"a": 1, "s": "x"}, {"a": 1, "s": "y"}, {"a": 2, "s": "x"}, {"a": 2, "s": "x"}], ["a"], "s")
    {'k': 2, 'l': 1, 't': 0.25}
    """
    classes: dict[Hashable, list[Any]] = defaultdict(list)
    for row in rows:
        classes[tuple(row[name] for name in quasi)].append(row[sensitive])
    values = [row[sensitive] for row in rows]
    ordered = all(isinstance(value, int | float) for value in values)
    distance = ordered_distance if ordered else equal_distance
    return {
        "k": min(map(len, classes.values())),
        "l": min(len(set(held) - {None}) for held in classes.values()),
        "t": max(distance(held, values) for held in classes.values()),
    }


def shares(held: Sequence[Any], support: Sequence[Any]) -> list[float]:
    counted = Counter(held)
    return [counted[value] / len(held) for value in support]


def equal_distance(held: Sequence[Any], values: Sequence[Any]) -> float:
    """Half the sum of the differences of shares."""
    support = sorted(set(values), key=str)
    both = zip(shares(held, support), shares(values, support), strict=True)
    return sum(abs(one - other) for one, other in both) / 2


def ordered_distance(held: Sequence[Any], values: Sequence[Any]) -> float:
    """The work of moving one distribution to the other along the ranks of the values."""
    support = sorted(set(values))
    if len(support) == 1:
        return 0.0
    moved, work = 0.0, 0.0
    for one, other in zip(shares(held, support), shares(values, support), strict=True):
        moved += one - other
        work += abs(moved)
    return work / (len(support) - 1)
