"""What linked units show, by the definition: slow and obvious, shared with nothing."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Tuple = tuple[Any, ...]


def tuples_of_units(rows: Sequence[Mapping[str, Any]], unit: str, known: Sequence[str]) -> list[list[Tuple]]:
    """The published tuples of the rows of every unit."""
    units: dict[Any, list[Tuple]] = {}
    for row in rows:
        units.setdefault(row[unit], []).append(tuple(row[name] for name in known))
    return list(units.values())


def appearances(units: Sequence[Sequence[Tuple]]) -> Counter[Tuple]:
    """How many units have each multiset of tuples."""
    return Counter(tuple(sorted(map(repr, unit))) for unit in units)


def attackers(unit: Sequence[Tuple]) -> Iterator[Counter[Tuple]]:
    """What may be known of a unit's rows: every subset of them, all included."""
    for number in range(1, len(unit) + 1):
        for some in itertools.combinations(unit, number):
            yield Counter(some)


def candidates(units: Sequence[Sequence[Tuple]], known: Counter[Tuple], rows: int | None = None) -> int:
    """How many units have such rows among theirs, and so many rows where that is known."""
    fits = [Counter(unit) >= known and (rows is None or len(unit) == rows) for unit in units]
    return sum(fits)


def fewest_candidates(units: Sequence[Sequence[Tuple]]) -> int:
    """The fewest units that any attacker is left with: who knows some rows, or all, and the size of the unit or not."""
    left = [candidates(units, known, rows) for unit in units for known in attackers(unit) for rows in (None, len(unit))]
    return min(left)


def least_alignment(members: Sequence[Sequence[float]], slots: Sequence[Sequence[float]]) -> float:
    """The least sum of squared distances of members to slots, over all ways to give each a slot of its own."""
    ways = itertools.permutations(range(len(slots)))
    return min(
        sum(sum((a - b) ** 2 for a, b in zip(members[at], slots[slot], strict=True)) for slot, at in enumerate(way))
        for way in ways
    )
