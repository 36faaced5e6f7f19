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
