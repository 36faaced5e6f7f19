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
    while len(left) >= 2 * k:
        r = farthest(points, left, centroid(points, left))
        left.remove(r)
        groups.append([r, *nearest(points, left, points[r], k - 1)])
        left = [i for i in left if i not in groups[-1]]
    return [*groups, left]


def cbfs_growing(points: Points, k: int) -> Groups:
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
    """Algorithm 1 of Mortazavi 2020, steps 2 to 12. Records in a row, up to rounding, cost nothing."""

    def distance(a: int, b: int) -> float:
        return math.sqrt(squared(points[a], points[b]))

    def longer(way: float, straight: float) -> float:
        return way - straight if way - straight > 1e-12 * way else 0.0

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
                    (longer(distance(a, t) + distance(t, b), distance(a, b)), t, at)
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


def components(points: Points, k: int) -> Groups:
    """Nearest-neighbour microaggregation: components joined by shortest edges, then split at their longest ones."""
    component = [[i] for i in range(len(points))]
    edges: list[list[int]] = [[] for _ in points]
    for i in range(len(points)):
        while len(own := component[i]) < k:
            others = [b for b in range(len(points)) if b not in own]
            _, b, a = min((squared(points[a], points[b]), b, a) for a in own for b in others)
            edges[a].append(b)
            edges[b].append(a)
            both = own + component[b]
            for member in both:
                component[member] = both
    return [
        group for i, own in enumerate(component) if i == min(own) for group in split_component(points, own, edges, k)
    ]


def branch(start: int, without: int, edges: list[list[int]]) -> list[int]:
    """The records that can be reached from one without passing another."""
    return [start, *(found for to in edges[start] if to != without for found in branch(to, start, edges))]


def split_component(points: Points, tree: list[int], edges: list[list[int]], k: int) -> Groups:
    if len(tree) <= max(2 * k - 1, 3 * k - 5):
        return [tree]
    pairs = [(a, b) for a in tree for b in edges[a] if a < b]
    sides = {(a, b): (branch(a, b, edges), branch(b, a, edges)) for a, b in pairs}
    cuts = [pair for pair in pairs if min(map(len, sides[pair])) >= k]
    if cuts:
        a, b = min(cuts, key=lambda pair: (-squared(points[pair[0]], points[pair[1]]), pair))
        edges[a].remove(b)
        edges[b].remove(a)
        return [group for side in sides[a, b] for group in split_component(points, side, edges, k)]
    centre = next(i for i in tree if all(len(branch(to, i, edges)) < k for to in edges[i]))
    sums: dict[int, list[int]] = {0: []}
    for to in edges[centre]:
        size = len(branch(to, centre, edges))
        for s in sorted(sums, reverse=True):
            sums.setdefault(s + size, [*sums[s], to])
    least = min((s for s in sums if k <= s <= len(tree) - k), default=None)
    if least is None:
        return [tree]
    group = [i for to in sums[least] for i in branch(to, centre, edges)]
    edges[centre] = [to for to in edges[centre] if to not in sums[least]]
    return [group, *split_component(points, [i for i in tree if i not in group], edges, k)]


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
