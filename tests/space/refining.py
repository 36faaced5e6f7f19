"""What refines groups, from its definition: walks and cuts, the transport problem, IMHM and IGD."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

from tests.space import oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.space.oracle import Groups, Points


def walk_by_records(points: Points, groups: Groups) -> list[int]:
    left = list(range(len(points)))
    current = oracle.farthest(points, left, oracle.centroid(points, left))
    path: list[int] = []
    while True:
        waiting = list(next(group for group in groups if current in group))
        left = [i for i in left if i not in waiting]
        while True:
            path.append(current)
            waiting.remove(current)
            if not waiting:
                break
            (current,) = oracle.nearest(points, waiting, points[current], 1)
        if not left:
            return path
        (current,) = oracle.nearest(points, left, points[current], 1)


def walk_by_centroids(points: Points, groups: Groups) -> list[int]:
    centres = [oracle.centroid(points, group) for group in groups]
    every = range(len(points))
    outermost = oracle.farthest(points, every, oracle.centroid(points, every))
    current = next(g for g, group in enumerate(groups) if outermost in group)
    unseen = [g for g in range(len(groups)) if g != current]
    path: list[int] = []
    while unseen:
        _, following = min((oracle.squared(points[i], centres[g]), g) for i in groups[current] for g in unseen)
        path += sorted(groups[current], key=lambda i: (-oracle.squared(points[i], centres[following]), i))
        unseen.remove(following)
        current = following
    return path + sorted(groups[current], key=lambda i: (oracle.squared(points[i], centres[current]), i))


def cut(points: Points, order: Sequence[int], k: int) -> Groups:
    """The best groups of k to 2k-1 records in a row, from the shortest rest to the whole row."""
    n = len(order)
    best: dict[int, tuple[float, Groups]] = {n: (0.0, [])}
    for start in range(n - k, -1, -1):
        ends = [end for end in range(start + k, min(n, start + (2 * k - 1)) + 1) if end in best]
        if ends:
            best[start] = min(
                (oracle.sse(points, [list(order[start:end])]) + best[end][0], [list(order[start:end]), *best[end][1]])
                for end in ends
            )
    return best[0][1]


def cheapest_assignment(costs: Points, least: int, most: int) -> float:
    """The least cost of all assignments with `least` to `most` records a cluster, by looking at all of them."""
    records, clusters = len(costs), len(costs[0])
    return min(
        math.fsum(costs[i][g] for i, g in enumerate(choice))
        for choice in itertools.product(range(clusters), repeat=records)
        if all(least <= choice.count(g) <= most for g in range(clusters))
    )


def assign(points: Points, groups: Groups, k: int) -> Groups:
    """Records to centroids, k to 2k-1 each: places of a centroid are columns of an assignment, the first k of them a must."""
    centres = [oracle.centroid(points, group) for group in groups]
    costs = np.array([[math.sqrt(oracle.squared(x, centre)) for centre in centres] for x in points])
    must = costs.sum() + 1.0
    places = np.hstack([np.repeat(costs - must, k, axis=1), np.repeat(costs, k - 1, axis=1)])
    owner = np.concatenate([np.repeat(np.arange(len(groups)), k), np.repeat(np.arange(len(groups)), k - 1)])
    _, chosen = linear_sum_assignment(places)
    return [[i for i in range(len(points)) if owner[chosen[i]] == g] for g in range(len(groups))]


def imhm(points: Points, k: int, least_fall: float) -> Groups:
    """One block."""

    def reorder(points: Points, groups: Groups, k: int) -> Groups:
        return cut(points, walk_by_centroids(points, groups), k)

    def while_it_helps(step: Callable[[Points, Groups, int], Groups], groups: Groups) -> Groups:
        while True:
            after = step(points, groups, k)
            fall = oracle.sse(points, groups) - oracle.sse(points, after)
            if fall > 0:
                groups = after
            if not fall > least_fall:
                return groups

    groups = oracle.mdav(points, k)
    while True:
        before = oracle.sse(points, groups)
        groups = while_it_helps(reorder, while_it_helps(assign, groups))
        if not before - oracle.sse(points, groups) > least_fall:
            return groups


def split(points: Points, group: list[int], k: int) -> Groups:
    if len(group) < 2 * k:
        return [group]
    left = sorted(group)
    parts: Groups = []
    while len(left) >= k:
        parts.append([oracle.farthest(points, left, oracle.centroid(points, left))])
        left.remove(parts[-1][0])
        while len(parts[-1]) < k:
            parts[-1] += oracle.nearest(points, left, oracle.centroid(points, parts[-1]), 1)
            left.remove(parts[-1][-1])
    for i in left:
        min(parts, key=lambda part: oracle.squared(points[i], oracle.centroid(points, part))).append(i)
    return parts


def dissolve(points: Points, groups: Groups, k: int) -> None:
    g = 0
    while g < len(groups) and len(groups) > 1:
        centres = [oracle.centroid(points, group) for group in groups]
        joined: dict[int, list[int]] = {}
        for i in groups[g]:
            h = min((h for h in range(len(groups)) if h != g), key=lambda h: (oracle.squared(points[i], centres[h]), h))
            joined.setdefault(h, list(groups[h])).append(i)
        parts = {h: split(points, group, k) for h, group in joined.items()}
        before = oracle.sse(points, [groups[g], *(groups[h] for h in joined)])
        if not oracle.sse(points, [part for some in parts.values() for part in some]) < before * (1 - 1e-12):
            g += 1
            continue
        for h, some in parts.items():
            groups[h] = some[0]
            groups.extend(some[1:])
        del groups[g]


def best_move(points: Points, groups: Groups, g: int) -> tuple[float, int, int]:
    """What the best move out of a group gains, the record, and where it goes."""
    a, centres = len(groups[g]), [oracle.centroid(points, group) for group in groups]

    def gain(i: int, h: int) -> float:
        b = len(groups[h])
        return a / (a - 1) * oracle.squared(points[i], centres[g]) - b / (b + 1) * oracle.squared(points[i], centres[h])

    moves = [(gain(i, h), i, h) for i in groups[g] for h in range(len(groups)) if h != g]
    return max(moves, key=lambda move: move[0], default=(0.0, 0, 0))


def shrink(points: Points, groups: Groups, k: int) -> None:
    for g in range(len(groups)):
        while len(groups[g]) > k:
            gain, i, h = best_move(points, groups, g)
            if not gain > 1e-12 * oracle.sse(points, [groups[g]]):
                break
            groups[h] = [*groups[h], i]
            groups[g] = [m for m in groups[g] if m != i]


def igd(points: Points, groups: Groups, k: int) -> Groups:
    """Iterative group decomposition."""
    groups = [part for group in groups for part in split(points, group, k)]
    while True:
        before = oracle.sse(points, groups)
        dissolve(points, groups, k)
        shrink(points, groups, k)
        groups = [part for group in groups for part in split(points, group, k)]
        if not oracle.sse(points, groups) < before * (1 - 1e-12):
            return groups
