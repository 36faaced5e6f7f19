"""The methods in space from their definitions: slow, obvious, with the same order of additions as the kernels."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Points = list[list[float]]
Groups = list[list[int]]


def squared(a: Sequence[float], b: Sequence[float]) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += (x - y) * (x - y)
    return total


def centroid(points: Points, members: Iterable[int]) -> list[float]:
    rows = [points[i] for i in members]
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def sse(points: Points, groups: Groups) -> float:
    return math.fsum(squared(points[i], centroid(points, group)) for group in groups for i in group)


def farthest(points: Points, left: Sequence[int], q: Sequence[float]) -> int:
    return min(left, key=lambda i: (-squared(points[i], q), i))


def nearest(points: Points, left: Sequence[int], q: Sequence[float], count: int) -> list[int]:
    return sorted(left, key=lambda i: (squared(points[i], q), i))[:count]


def mdav(points: Points, k: int) -> Groups:
    left = list(range(len(points)))
    groups: Groups = []

    def close_around(r: int) -> None:
        left.remove(r)
        group = [r, *nearest(points, left, points[r], k - 1)]
        for i in group[1:]:
            left.remove(i)
        groups.append(group)

    while len(left) >= 3 * k:
        r = farthest(points, left, centroid(points, left))
        close_around(r)
        close_around(farthest(points, left, points[r]))
    if len(left) >= 2 * k:
        close_around(farthest(points, left, centroid(points, left)))
    return [*groups, left]


def spread(points: Points, groups: Groups, left: Sequence[int]) -> Groups:
    centres = [centroid(points, group) for group in groups]
    result = [list(group) for group in groups]
    for i in left:
        result[min(range(len(groups)), key=lambda g: (squared(points[i], centres[g]), g))].append(i)
    return result


def cbfs(points: Points, k: int) -> Groups:
    left = list(range(len(points)))
    groups: Groups = []
    while len(left) >= k:
        group = [farthest(points, left, centroid(points, left))]
        left.remove(group[0])
        while len(group) < k:
            group.append(nearest(points, left, centroid(points, group), 1)[0])
            left.remove(group[-1])
        groups.append(group)
    return spread(points, groups, left)


def vmdav(points: Points, k: int, gamma: float) -> Groups:
    centre = centroid(points, range(len(points)))
    left = list(range(len(points)))
    groups: Groups = []
    while len(left) >= k:
        r = farthest(points, left, centre)
        left.remove(r)
        group = [r, *nearest(points, left, points[r], k - 1)]
        left = [i for i in left if i not in group]
        while len(group) < 2 * k - 1 and left:
            inward, e = min((min(squared(points[m], points[i]) for m in group), i) for i in left)
            others = [squared(points[i], points[e]) for i in left if i != e]
            if not math.sqrt(inward) < gamma * math.sqrt(min(others, default=math.inf)):
                break
            group.append(e)
            left.remove(e)
        groups.append(group)
    return spread(points, groups, left)


def nearest_point_next(points: Points) -> list[int]:
    left = list(range(len(points)))
    path = [farthest(points, left, centroid(points, left))]
    left.remove(path[0])
    while left:
        path.append(nearest(points, left, points[path[-1]], 1)[0])
        left.remove(path[-1])
    return path


def cuts(n: int, k: int) -> Iterator[list[int]]:
    """All ways to cut n records in a row into groups of k to 2k-1 (all n, if there are fewer than 2k)."""
    if n == 0:
        yield []
    for size in range(k, max(n, 2 * k - 1) + 1 if n < 2 * k else 2 * k):
        if size <= n:
            for rest in cuts(n - size, k):
                yield [size, *rest]


def best_cut(points: Points, order: Sequence[int], k: int) -> float:
    def groups(sizes: Sequence[int]) -> Groups:
        ends = np.cumsum(sizes)
        return [list(order[end - size : end]) for size, end in zip(sizes, ends, strict=True)]

    return min(sse(points, groups(sizes)) for sizes in cuts(len(order), k))


def halves(points: Points, records: list[int]) -> list[int]:
    if len(records) < 2:
        return records
    spans = [max(points[i][j] for i in records) - min(points[i][j] for i in records) for j in range(len(points[0]))]
    axis = spans.index(max(spans))
    ordered = sorted(records, key=lambda i: (points[i][axis], i))
    middle = len(records) // 2
    return halves(points, ordered[:middle]) + halves(points, ordered[middle:])


def group_by_group(points: Points, labels: Sequence[int]) -> list[int]:
    """Algorithm 1 of Mortazavi 2020, steps 2 to 12."""

    def distance(a: int, b: int) -> float:
        return math.sqrt(squared(points[a], points[b]))

    left = set(range(len(points)))
    current = farthest(points, sorted(left), centroid(points, left))
    sequence: list[int] = []
    while True:
        group = [i for i in sorted(left) if labels[i] == labels[current]]
        path = [current]
        if len(group) > 1:
            path.append(min((i for i in group if i != current), key=lambda i: (-distance(i, current), i)))
            waiting = [i for i in group if i not in path]
            while waiting:
                _cost, t, at = min(
                    (distance(a, t) + distance(t, b) - distance(a, b), t, at)
                    for t in waiting
                    for at, (a, b) in enumerate(pairwise(path))
                )
                path.insert(at + 1, t)
                waiting.remove(t)
        sequence += path
        left -= set(path)
        if not left:
            return sequence
        current = nearest(points, sorted(left), points[sequence[-1]], 1)[0]


def partitions(records: Sequence[int], k: int) -> Iterator[Groups]:
    """All partitions into groups of k to 2k-1 (or one group of fewer than 2k)."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for size in range(k, 2 * k):
        for others in combinations(rest, size - 1):
            remaining = [i for i in rest if i not in others]
            if remaining and len(remaining) < k:
                continue
            for more in partitions(remaining, k):
                yield [[first, *others], *more]


def optimum(points: Points, k: int) -> float:
    return min(sse(points, groups) for groups in partitions(range(len(points)), k))
