"""Runs the kernels of an instrumented build over small and hard data. Called by test_sanitizers in a process of its own."""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
from typing import Any

import numpy as np


def load(name: str, path: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def columns() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    small = [np.array(v) for n in range(1, 6) for v in itertools.combinations_with_replacement((0.0, 1.0, 3.0), n)]
    large = [rng.random(n) for n in (63, 257, 9000)] + [np.linspace(-1.7, 1.7, 500) * 1e308]
    return [
        *small,
        *large,
        np.full(300, 7.0),
        np.floor(rng.random(400) * 9),
        rng.random(300) * 2e300,
        rng.random(300_000),
    ]


def stream_in_pieces(kernels: Any, x: np.ndarray, k: int, cost: int, weights: np.ndarray | None = None) -> None:
    stream = kernels.Stream(cost, k, 1, weights is not None)
    for rows in [*np.array_split(np.arange(len(x)), 9), np.arange(0)]:
        sizes, _ = stream.push(x[rows], len(rows) == 0, None if weights is None else weights[rows])
        kernels.ends_of(sizes, len(sizes), 0)


def sort_members(kernels: Any, x: Any) -> None:
    """Groups of few members, of many, and one of all."""
    n = len(x)
    for groups in {1, -(-n // 40), -(-n // 3)}:
        labels = (np.arange(n) * 7 % groups).astype(np.int32)
        order, stops = kernels.by_label(labels, groups), np.cumsum(np.bincount(labels, minlength=groups))
        kernels.sorted_runs(x, order, stops)
        kernels.sorted_runs((np.arange(n) % 5).astype(np.int64), order, stops)


def leave_out(kernels: Any, x: Any) -> None:
    """Every number that can be left out, and every price."""
    n, values = len(x), np.sort(x)
    for k, cost in itertools.product((1, 2, 3, 20), range(5)):
        if k > n or n > 500 or np.abs(x).max() > 1e100:
            continue
        most = min(n - k, 30)
        losses = kernels.losses_without(values, k, cost, most)
        for count in np.flatnonzero(np.isfinite(losses)).tolist()[-3:]:
            kernels.groups_without(values, k, cost, count)
        for price in (0.0, 0.1, 1e9):
            kernels.groups_at_price(values, k, cost, price)


def run_line(kernels: Any) -> None:
    named = ("fastest", "simple", "simple_plus", "wilber", "galil_park", "staggered")
    for x in columns():
        n = len(x)
        for k, cost in itertools.product((1, 2, 3, 4, 5, 7, 8, 9, 20, 21, 41, 60), range(5)):
            if k > n or (n > 10_000 and (cost > 1 or k not in (3, 60))) or (n > 5_000 and k not in (3, 8, 21, 60)):
                continue  # what differs there is how columns are cut, not k
            for name in named if n < 10_000 else ("fastest",):
                getattr(kernels, name)(x, kernels.is_sorted(x), k, cost, (k, 2 * k - 1, 0.0, 0.0, 0), 0, True)
            if n < 1000:
                for name in ("fastest", "wilber", "galil_park"):
                    getattr(kernels, name)(x, kernels.is_sorted(x), k, cost, (k, n, 0.1, 0.0, 0), 0, True)
                    getattr(kernels, name)(x, kernels.is_sorted(x), k, cost, (1, n, 0.0, 0.3, k), 2, True)
            if n >= 2 * k and k > 1 and n < 10_000 and x.max() < 1e100:  # these two take scaled values only
                kernels.direct(np.sort(x), k, cost)
                kernels.divide(np.sort(x), k, cost)
            stream_in_pieces(kernels, np.sort(x), k, cost)
        for k in (1, 2, 8, 9, 60):
            if k <= n < 10_000 and np.abs(x).max() < 2.0**51:
                rules = (k, 2 * k - 1, 0.0, 0.0, 0)
                kernels.fastest(x, kernels.is_sorted(x), k, 5, rules, 0, True)
                weights = np.arange(1.0, n + 1.0) / n
                kernels.fastest(x, kernels.is_sorted(x), k, 5, rules, 0, True, weights)
                stream_in_pieces(kernels, np.sort(x), k, 5)
                stream_in_pieces(kernels, np.sort(x), k, 0, weights)
                stream_in_pieces(kernels, np.sort(x), k, 5, weights)
        kernels.sort(x)
        sort_members(kernels, x)
        leave_out(kernels, x)
    kernels.classic(np.arange(200.0), True, 3, 0, (3, 200, 0.0, 0.0, 0), 0, True)
    kernels.classic_own_cost(lambda start, stop: float(stop - start), 20, (3, 20, 0.0, 0.0, 0), 2, False, 0.0)


def run_diverse(kernels: Any) -> None:
    rng = np.random.default_rng(0)
    for n, m, l in (  # noqa: E741
        (1, 1, 1),
        (2, 2, 2),
        (5, 5, 3),
        (9, 3, 2),
        (60, 4, 2),
        (70, 7, 4),
        (130, 3, 2),
        (200, 90, 3),
    ):
        colours = np.arange(n, dtype=np.int32) % m
        ways = [rng.permutation(colours), np.sort(colours)] if n % m == 0 or n // m >= 2 * l else [colours]
        columns = [np.sort(rng.random(n)), np.sort(np.floor(rng.random(n) * 9)), np.zeros(n), np.arange(n) * 1e-3]
        large = n > 64
        for x, of_points, objective in itertools.product(columns[: 2 if large else 4], ways, range(3)):
            if np.bincount(of_points).max() * l > n:
                continue
            kernels.start(x, of_points, m, l, objective)
            kernels.prices(x, of_points, m, l, objective == 2, 1.0, 20)
            kernels.gather(x, l)
            kernels.guess(x, of_points, m, l, 2**22)
            if m < 5:
                kernels.mixed(x, of_points, m, l, min(n, l + 1), objective == 2, objective == 1, 100_000)
            if n > 1:
                kernels.dies(x, of_points, m, l, 0.1, n // 2, n)
            limit = 0.1 if large else 5.0  # some would take minutes
            for seconds, most in ((limit, 2**22), (0.0, 2**22), (limit, 2**14)):
                kernels.window(x, of_points, m, l, objective, seconds, most)
            if math.prod((np.bincount(of_points) + 1).tolist()) < 30_000:
                kernels.table(x, of_points, m, l, objective, 5.0)


def tables() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = ((4, 1), (5, 2), (9, 3), (33, 2), (70, 5), (600, 3), (300, 17))
    return [rng.normal(size=shape) for shape in shapes] + [
        np.zeros((40, 2)),
        rng.integers(0, 3, size=(120, 2)).astype(float),
        rng.normal(size=(150, 3)) ** 9,
    ]


def run_searches(kernels: Any, x: np.ndarray, labels: np.ndarray, k: int, objective: Any) -> None:
    kernels.good_groups(x, k, objective)
    kernels.local_search(x, labels, k, objective, neighbours=9, steps=0.5, block=max(2 * k, len(x) // 3))
    search = kernels.Search(x, labels, k, 12, 2.0, [1, 2, 3], 60, objective)
    while search.done < 60:
        search.run()
    search.finish()
    search.best()


def raise_prices(prices: Any) -> None:
    for _ in range(4):
        prices.round(0.5)
    prices.prices()


def run_space(kernels: Any) -> None:
    for x, k in itertools.product(tables(), (2, 3, 7)):
        n = len(x)
        if n < 2 * k or (n >= 300 and k != 3):
            continue
        names = ("mdav", "mdav_by_tree", "mdav_by_passes", "mdav_by_scan", "cbfs", "cbfs_growing", "components")
        grouped = [kernels.vmdav(x, k, 1.1), *(getattr(kernels, name)(x, k) for name in names)]
        for place, (order, sizes) in enumerate(grouped):
            labels = np.empty(n, dtype=np.uint32)
            labels[order] = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
            kernels.decompose(x, labels, k)
            if sizes.max() < 2 * k and (n < 30 or place in (0, len(names))):  # the starts that differ most
                costs = [(column + k) % 5 for column in range(x.shape[1])]
                other = kernels.Objective(costs, np.arange(1.0, n + 1.0))
                for objective in (None, other) if n < 100 else (None,):
                    run_searches(kernels, x, labels, k, objective)
            kernels.repeated_ordering(x, labels.reshape(1, -1), k)
            kernels.loss(x, labels)
            for walk in (kernels.walk_by_records, kernels.walk_by_centroids):
                kernels.cut(x, walk(x, labels), k)
            if sizes.max() < 2 * k:
                kernels.assign(x, x[order[np.cumsum(sizes) - 1]], labels, k, 2 * k - 1)
        for order in (kernels.nearest_point_next(x), kernels.order_by_halves(x), kernels.tour(x, 6)):
            kernels.cut(x, order, k)
        kernels.neighbours(x, min(n - 1, 5))
        kernels.near_records(x, k, 5)
        kernels.neighbour_bound(x, k)
        (kernels.matching_bound if n < 100 else kernels.matching_duals)(x, k)  # the same rounds
        raise_prices(kernels.GroupPrices(x, k))
        kernels.neighbour_sums(x, np.arange(0, n, 2, dtype=np.uint32), k)
        if n < 100:
            kernels.Pricing(x).price(
                np.full(n, 0.5), k, 0.1, 1000, 5.0, np.arange(2, dtype=np.uint32), np.arange(2, 4, dtype=np.uint32)
            )
    kernels.cut(tables()[3], np.arange(33, dtype=np.uint32), 1)


def networks() -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows of neighbours: no edge, a path, a star, random ones of few and many edges."""
    rng = np.random.default_rng(0)
    edges = [np.zeros((0, 2), dtype=np.int64), np.array([[i, i + 1] for i in range(39)])]
    edges += [np.array([[0, i] for i in range(1, 40)]), *(rng.integers(0, 40, size=(m, 2)) for m in (20, 45, 90, 300))]
    found = []
    for pairs in edges:
        matrix = np.zeros((40, 40), dtype=bool)
        matrix[pairs[:, 0], pairs[:, 1]] = True
        matrix = (matrix | matrix.T) & ~np.eye(40, dtype=bool)
        indptr = np.concatenate([[0], np.cumsum(matrix.sum(axis=1))]).astype(np.int64)
        found.append((indptr, np.nonzero(matrix)[1].astype(np.int32)))
    return found


def run_network(kernels: Any) -> None:
    for indptr, indices in networks():
        kernels.components(indptr, indices)
        for lower, upper in ((1, 1), (2, 3), (3, 5), (7, 9)):
            kernels.blocking_vertex(indptr, indices, lower, upper)
        tails = np.repeat(np.arange(40), np.diff(indptr))
        for lengths in (None, (tails * indices % 7) * 0.3, np.zeros(len(indices))):
            for lower, upper in ((1, 1), (2, 3), (3, 3), (7, 13)) if lengths is None else ((2, 3), (7, 13)):
                for of_sum in (False, True):
                    labels = kernels.carve(indptr, indices, lengths, lower, upper, 1, of_sum)
                    kernels.centres(indptr, indices, lengths, labels, of_sum)
                kernels.least_radius(indptr, indices, lengths, lower)
                kernels.least_sum(indptr, indices, lengths, lower, upper)
                kernels.gather(indptr, indices, lengths, lower, 10**6)
            kernels.distances_from(indptr, indices, lengths, 7)
            for radius, most in itertools.product((0.0, 1.0, np.inf), (20, 10**6)):
                kernels.balls(indptr, indices, lengths, radius, most)
    n = 2050  # above the size up to which all distances are known
    indptr = 3 * np.arange(n + 1)
    across = (np.arange(n) + n // 2) % n
    indices = np.stack([(np.arange(n) - 1) % n, (np.arange(n) + 1) % n, across]).T.astype(np.int32)
    indices.sort(axis=1)
    for lengths, lower, of_sum in ((None, 3, True), (None, 30, False), (np.ones(3 * n), 3, True)):
        labels = kernels.carve(indptr, indices.ravel(), lengths, lower, 2 * lower - 1, 1, of_sum)
        kernels.centres(indptr, indices.ravel(), lengths, labels, of_sum)


def steps_of(indptr: np.ndarray, indices: np.ndarray) -> list[tuple[int, int]]:
    """A nice tree decomposition, one bag after the other: the vertices in order, each forgotten after its last neighbour."""
    last = [max([v, *indices[indptr[v] : indptr[v + 1]].tolist()]) for v in range(len(indptr) - 1)]
    steps, held = [(0, -1)], set()
    for v in range(len(last)):
        held.add(v)
        steps.append((1, v))
        gone = sorted(w for w in held if last[w] <= v)
        steps += [(2, w) for w in gone]
        held -= set(gone)
    return steps


def widest(steps: list[tuple[int, int]]) -> int:
    return max(itertools.accumulate({1: 1, 2: -1}.get(kind, 0) for kind, _ in steps))


def run_treewidth(kernels: Any, network: Any) -> None:
    for indptr, indices in networks():
        one_way = steps_of(indptr, indices)
        if widest(one_way) > kernels.most_in_bag:
            continue
        for steps in (one_way, [*one_way[:1], (0, -1), (3, -1), *one_way[1:]]):  # with a join of two leaves
            kinds, vertices = np.array(steps, dtype=np.int32).T
            for radius, (lower, upper) in itertools.product((0.0, 1.0, 3.0), ((1, 1), (2, 3), (3, 40), (4, 9))):
                start, member, _ = network.balls(indptr, indices, None, radius, 10**6)
                may = np.ones(len(indptr) - 1, dtype=bool)
                for seconds, most in ((5.0, 2**28), (0.0, 2**28), (5.0, 2**12)):
                    rows = np.ascontiguousarray(kinds, dtype=np.int8), np.ascontiguousarray(vertices)
                    kernels.connected(indptr, indices, start, member, *rows, lower, upper, seconds, most)
                    for splits in {upper >= 2 * lower - 1, False}:
                        few = seconds / 50  # without splitting, wide bags have too many states to end
                        kernels.unconnected(start, member, may, *rows, lower, upper, splits, few, most)


def run_uniques(kernels: Any) -> None:
    rng = np.random.default_rng(5)
    for n, columns in itertools.product((1, 2, 40, 300), (1, 2, 6)):
        codes = rng.integers(0, 4, (columns, n), dtype=np.int32)
        for most in {1, columns}:
            kernels.minimal(codes, [4] * columns, most)


def main(line: str, diverse: str, space: str, network: str, treewidth: str, uniques: str) -> None:
    run_line(load("line", line))
    run_diverse(load("diverse", diverse))
    run_space(load("space", space))
    network_kernels = load("network", network)
    run_network(network_kernels)
    run_treewidth(load("treewidth", treewidth), network_kernels)
    run_uniques(load("uniques", uniques))
    print("clean")


if __name__ == "__main__":
    main(*sys.argv[1:])
