"""The problems that are reduced to networks, decided by trying: small ones only."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from covey.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    Coloured = tuple[int, int]
    ColouredEdge = tuple[Coloured, Coloured]


def has_subset(vectors: Sequence[Sequence[int]], target: Sequence[int]) -> bool:
    """Whether some of the vectors add up to the target: all sums that can be reached, one vector after the other."""
    sums = {(0,) * len(target)}
    for vector in vectors:
        larger = {tuple(a + b for a, b in zip(total, vector, strict=True)) for total in sums}
        sums |= {total for total in larger if all(a <= c for a, c in zip(total, target, strict=True))}
    return tuple(target) in sums


def has_independent_set(sizes: Sequence[int], edges: Iterable[ColouredEdge]) -> bool:
    """Whether a vertex of each colour can be chosen so that no two are adjacent."""
    adjacent = {frozenset(edge) for edge in edges}
    return _chooses(sizes, lambda pair: pair not in adjacent)


def has_clique(sizes: Sequence[int], edges: Iterable[ColouredEdge]) -> bool:
    """Whether a vertex of each colour can be chosen so that every two are adjacent."""
    adjacent = {frozenset(edge) for edge in edges}
    return _chooses(sizes, lambda pair: pair in adjacent)


def _chooses(sizes: Sequence[int], fits: Callable[[frozenset[Coloured]], bool]) -> bool:
    """Whether a vertex of each colour can be chosen so that every pair fits; colours one after the other."""
    choices: list[tuple[Coloured, ...]] = [()]
    for colour, size in enumerate(sizes):
        choices = [
            (*chosen, (colour, index))
            for chosen in choices
            for index in range(size)
            if all(fits(frozenset(((colour, index), other))) for other in chosen)
        ]
    return bool(choices)


def has_equal_parts(neighbours: dict[Hashable, set[Hashable]], size: int) -> bool:
    """Whether the vertices can be cut into connected parts of that size: all parts of the first vertex, then the rest."""
    if not neighbours:
        return True
    first, *others = neighbours
    for more in itertools.combinations(others, size - 1):
        part = {first, *more}
        if _is_connected(part, neighbours):
            rest = {vertex: near - part for vertex, near in neighbours.items() if vertex not in part}
            if has_equal_parts(rest, size):
                return True
    return False


def _is_connected(part: set[Hashable], neighbours: dict[Hashable, set[Hashable]]) -> bool:
    reached, waiting = set(), [next(iter(part))]
    while waiting:
        vertex = waiting.pop()
        if vertex not in reached:
            reached.add(vertex)
            waiting.extend(neighbours[vertex] & part)
    return reached == part


def check_coloured(sizes: Sequence[int], edges: Sequence[ColouredEdge]) -> None:
    """There are two colours, each with a vertex, and edges join vertices of different colours."""
    if len(sizes) < 2 or min(sizes) < 1:
        msg = f"there are {len(sizes)} colours, the smallest with {min(sizes, default=0)} vertices; needed: two colours with a vertex each"
        raise InputError(msg)
    for (colour, index), (other, place) in edges:
        in_range = all(0 <= c < len(sizes) and 0 <= v < sizes[c] for c, v in ((colour, index), (other, place)))
        if colour == other or not in_range:
            msg = "an edge joins vertices of one colour, or names a vertex that is not there; needed: ((colour, index), (other colour, index)), counted from 0"
            raise InputError(msg)


def check_vectors(vectors: Sequence[Sequence[int]], target: Sequence[int]) -> None:
    """Vectors have as many coordinates as the target, and these are whole numbers of at least 0."""
    if not target or any(len(vector) != len(target) for vector in vectors):
        msg = f"the target has {len(target)} coordinates and a vector has others; needed: the same number, at least 1"
        raise InputError(msg)
    if min(itertools.chain(target, *vectors)) < 0:
        raise InputError("a coordinate is negative; needed: whole numbers of at least 0")
