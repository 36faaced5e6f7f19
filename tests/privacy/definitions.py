"""The requirements by their definitions, the slow way, on a finished release."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def classes(rows: Sequence[dict[str, Any]], quasi: Sequence[str]) -> list[list[dict[str, Any]]]:
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in quasi)].append(row)
    return list(found.values())


def values(rows: Sequence[dict[str, Any]], name: str) -> list[Any]:
    return [row[name] for row in rows if row[name] is not None]


def largest_share(values: Sequence[Any]) -> float:
    return max(Counter(values).values()) / len(values) if values else 1.0


def entropy_l(values: Sequence[Any]) -> float:
    n = len(values)
    return math.exp(-sum(c / n * math.log(c / n) for c in Counter(values).values())) if n else 0.0


def recursive(values: Sequence[Any], c: float, l: int) -> bool:  # noqa: E741
    numbers = sorted(Counter(values).values(), reverse=True)
    return bool(numbers) and numbers[0] < c * sum(numbers[l - 1 :])


def variational(values: Sequence[Any], whole: Sequence[Any]) -> float:
    p, q = Counter(values), Counter(whole)
    return sum(abs(p[v] / len(values) - q[v] / len(whole)) for v in q) / 2


def earth_mover(values: Sequence[Any], whole: Sequence[Any]) -> float:
    p, q = Counter(values), Counter(whole)
    have = need = total = 0.0
    for v in sorted(q):
        have += p[v] / len(values)
        need += q[v] / len(whole)
        total += abs(have - need)
    return total / (len(q) - 1) if len(q) > 1 else 0.0


Class = list[tuple[int, Any]]
"""The records of a class with units: the unit and the sensitive value of each. None is a missing value."""


def held_by(rows: Class) -> dict[int, set[Any]]:
    """The different known values of every unit that has some."""
    found: dict[int, set[Any]] = defaultdict(set)
    for unit, value in rows:
        if value is not None:
            found[unit].add(value)
    return dict(found)


def held_by_all(rows: Class) -> bool:
    held = held_by(rows)
    return any(all(value in some for some in held.values()) for value in set().union(*held.values()))


def distinct_of_units(rows: Class) -> int:
    """The most l such that, whatever value is ruled out, the units without it have l - 1 others."""
    held = held_by(rows)
    return min(
        (
            1 + len(set().union(*(some for some in held.values() if value not in some)))
            for value in set().union(*held.values())
        ),
        default=0,
    )


def alpha_of_units(rows: Class) -> float:
    """The largest share of one value; 1 where none is known."""
    held = held_by(rows)
    return max(
        (sum(value in some for some in held.values()) / len(held) for value in set().union(*held.values())), default=1.0
    )


def spread_weights(rows: Class) -> dict[Any, float]:
    """Shares of values where each unit has a weight of 1, over its different values: None is one where it is among the rows."""
    held: dict[int, set[Any]] = defaultdict(set)
    for unit, value in rows:
        held[unit].add(value)
    found: dict[Any, float] = defaultdict(float)
    for some in held.values():
        for value in some:
            found[value] += 1 / len(some) / len(held)
    return dict(found)


def known_rows(rows: Class) -> Class:
    return [row for row in rows if row[1] is not None]


def entropy_of_units(rows: Class) -> float:
    if not known_rows(rows):
        return 0.0
    if held_by_all(rows):
        return 1.0
    return math.exp(-sum(share * math.log(share) for share in spread_weights(known_rows(rows)).values()))


def recursive_of_units(rows: Class, c: float, l: int) -> bool:  # noqa: E741
    held = held_by(rows)
    numbers = sorted(
        (sum(value in some for some in held.values()) for value in set().union(*held.values())), reverse=True
    )
    return bool(numbers) and not held_by_all(rows) and numbers[0] < c * sum(numbers[l - 1 :])


def closeness(rows: Class, whole: Class, *, ordered: bool) -> float:
    """The known values alone, and the share of missing ones; without an order, all of it with missing as a value."""
    here, overall = spread_weights(known_rows(rows)), spread_weights(known_rows(whole))
    alone = (moved if ordered else apart)(here, overall) if here else 0.0
    here, overall = spread_weights(rows), spread_weights(whole)
    gaps = abs(here.get(None, 0.0) - overall.get(None, 0.0))
    return max(alone, gaps) if ordered else max(alone, gaps, apart(here, overall))


def apart(one: dict[Any, float], other: dict[Any, float]) -> float:
    """Half the sum of the differences of shares."""
    return sum(abs(one.get(value, 0.0) - other.get(value, 0.0)) for value in {*one, *other}) / 2


def moved(one: dict[Any, float], other: dict[Any, float]) -> float:
    """The earth mover's distance on a line of values one step apart; all occur in the other."""
    have = total = 0.0
    for value in sorted(other):
        have += one.get(value, 0.0) - other[value]
        total += abs(have)
    return total / max(1, len(other) - 1)
