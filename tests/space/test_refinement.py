"""Refinement: local search, decomposition, components, k-means: what they promise, and their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.space import Auto, Decompose, KMeans, Mdav, NearestNeighbour, Search, Split
from covey.space.kmeans import merge_small
from covey.utils.arrays import as_coordinates
from tests.space import oracle, refining
from tests.space.tables import benchmark_table, hard_tables


def sse(points: np.ndarray, labels: np.ndarray) -> float:
    return float(sum(((points[labels == g] - points[labels == g].mean(axis=0)) ** 2).sum() for g in np.unique(labels)))


@pytest.mark.parametrize("seed", range(12))
def test_local_search_ends_where_no_move_or_exchange_pays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(12, 40)), int(rng.integers(2, 5))
    points = rng.normal(size=(n, 2)) if seed % 3 else rng.integers(0, 4, size=(n, 2)).astype(float)
    start = Mdav()._group(points, k)
    labels = kernels.local_search(points, start, k, neighbours=n - 1, steps=0)
    sizes = np.bincount(labels)
    loss = sse(points, labels)
    assert sizes[sizes > 0].min() >= k
    assert sizes.max() < 2 * k
    assert loss <= sse(points, start) * (1 + 1e-12)
    for i in range(n):
        for g in np.unique(labels):
            if g != labels[i] and sizes[labels[i]] > k and sizes[g] < 2 * k - 1:
                other = labels.copy()
                other[i] = g
                assert sse(points, other) > loss * (1 - 1e-9) - 1e-12
    for i, j in itertools.combinations(range(n), 2):
        if labels[i] != labels[j]:
            other = labels.copy()
            other[i], other[j] = labels[j], labels[i]
            assert sse(points, other) > loss * (1 - 1e-9) - 1e-12


def test_local_search_dissolves_and_founds_groups() -> None:
    # A pair torn between two clusters that have room.
    points = np.array([[0.0], [0.1], [0.2], [10.0], [10.1], [10.2]])
    labels = kernels.local_search(points, np.array([0, 0, 2, 1, 1, 2], dtype=np.uint32), 2, neighbours=5, steps=0)
    assert sse(points, labels) < 0.1
    # Five and five, where two groups of three would do better with a third between them.
    points = np.array([[0.0], [0.1], [5.0], [5.1], [9.9], [10.0]])
    labels = kernels.local_search(points, np.array([0, 0, 0, 1, 1, 1], dtype=np.uint32), 2, neighbours=5, steps=0)
    assert len(np.unique(labels)) == 3


@pytest.mark.parametrize("start", [Mdav(), Split()])
def test_decompose_never_loses_more_than_its_start(start: Mdav | Split) -> None:
    rng = np.random.default_rng(1)
    for n, k in ((20, 3), (60, 4), (200, 5)):
        table = rng.normal(size=(n, 3)) ** 3
        solution = Decompose(start=start).solve(table, k)
        assert solution.partition.smallest >= k
        assert solution.loss <= start.solve(table, k).loss * (1 + 1e-12)
        assert Decompose(start=start).solve(table, k).loss < start.solve(table, k).loss or n == 20


def test_decompose_shrinks_and_dissolves() -> None:
    # Shrink: the far record of the first group belongs to the second.
    points = np.array([[0.0], [0.1], [9.0], [10.0], [10.1]])
    order, sizes = kernels.decompose(points, np.array([0, 0, 0, 1, 1], dtype=np.uint32), 2)
    assert sorted(map(sorted, np.split(order, np.cumsum(sizes)[:-1]))) == [[0, 1], [2, 3, 4]]
    # Dissolve: a pair torn between two clusters.
    points = np.array([[0.0], [0.1], [0.2], [10.0], [10.1], [10.2]])
    order, sizes = kernels.decompose(points, np.array([0, 0, 2, 1, 1, 2], dtype=np.uint32), 2)
    assert sorted(map(sorted, np.split(order, np.cumsum(sizes)[:-1]))) == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("seed", range(20))
def test_components_grow_by_their_shortest_edge(seed: int) -> None:
    """Before the split, the components are those of the definition."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 40)), int(rng.integers(2, 5))
    points = rng.normal(size=(n, 2))
    label = list(range(n))
    for i in range(n):
        while (own := [m for m in range(n) if label[m] == label[i]]) and len(own) < min(k, n):
            _, outside = min(
                (oracle.squared(points[a], points[b]), b) for a in own for b in range(n) if label[b] != label[i]
            )
            old, new = label[i], label[outside]
            label = [new if current == old else current for current in label]
    components = Partition(np.array(label))
    found = NearestNeighbour().partition(points, k)
    if n >= 2 * k:
        for group in found.groups():
            assert len(set(components.labels[group])) == 1, "a group leaves its component"
        assert found.smallest >= k
        assert found.sizes.max() <= max(2 * k - 1, 3 * k - 5)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 9])
def test_components_of_a_star_are_split_around_its_centre(k: int) -> None:
    rays = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 40, endpoint=False)])
    table = np.vstack([[0.0, 0.0], rays * np.linspace(1, 1.5, 40)[:, None]])
    sizes = NearestNeighbour().partition(table, k).sizes
    assert sizes.min() >= k
    assert sizes.max() <= max(2 * k - 1, 3 * k - 5)


def test_branches_are_put_together_so_that_both_parts_hold_k() -> None:
    table: list[list[float]] = [[0, 0], [1, 0], [2, 0], [3, 0], [-1, 1], [-1.5, 1.5], [-1, -1], [-1.5, -1.5]]
    assert NearestNeighbour().partition(table, 4).sizes.tolist() == [4, 4]
    # Rays of 5, 5 and 3: no branches hold 6 or 7 together, 8 is the least.
    rays = [(a, r) for a, length in ((0.0, 5), (2.1, 5), (4.2, 3)) for r in range(1, length + 1)]
    table = [[0.0, 0.0]] + [[r * np.cos(a), r * np.sin(a)] for a, r in rays]
    assert sorted(NearestNeighbour().partition(table, 6).sizes.tolist()) == [6, 8]


def test_decompose_starts_from_any_method() -> None:
    table = np.random.default_rng(5).normal(size=(30, 2))
    for start in (Search(effort=10), Auto(), NearestNeighbour()):
        assert Decompose(start=start).solve(table, 3).loss <= start.solve(table, 3).loss * (1 + 1e-12)


def as_sets(groups: list[list[int]]) -> list[list[int]]:
    return sorted(map(sorted, groups))


def decomposed(points: np.ndarray, start: list[list[int]], k: int) -> list[list[int]]:
    labels = np.empty(len(points), dtype=np.uint32)
    for g, group in enumerate(start):
        labels[group] = g
    order, sizes = kernels.decompose(points, labels, k)
    return as_sets([group.tolist() for group in np.split(order, np.cumsum(sizes)[:-1])])


@pytest.mark.parametrize("seed", range(25))
def test_decompose_follows_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(8, 50)), int(rng.integers(2, 5))
    points = rng.normal(size=(n, 2)) ** 3
    start = [group.tolist() for group in Mdav().partition(points, k).groups()]
    assert decomposed(points, start, k) == as_sets(refining.igd(points.tolist(), start, k))


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=4, max_size=30), st.integers(2, 4), st.data()
)
@settings(max_examples=100)
def test_decompose_with_ties_from_any_groups(rows: list[list[int]], k: int, data: st.DataObject) -> None:
    points = np.array(rows, dtype=float)
    cuts = [0, *sorted(data.draw(st.sets(st.integers(1, len(rows)).map(lambda c: c // k * k), max_size=4)) - {0})]
    start = [list(range(a, b)) for a, b in itertools.pairwise([c for c in cuts if c <= len(rows) - k] + [len(rows)])]
    assert decomposed(points, start, k) == as_sets(refining.igd(points.tolist(), start, k))


def test_decompose_moves_the_record_that_gains_most() -> None:
    # The record at 5 is farther from the mean of its group, but it has nowhere to go.
    points = np.array([[0.0, 0.0], [0.0, 0.1], [0.0, -5.0], [0.0, 4.0], [0.0, 6.0], [0.0, 6.1]])
    assert decomposed(points, [[0, 1, 2, 3], [4, 5]], 2) == as_sets(
        refining.igd(points.tolist(), [[0, 1, 2, 3], [4, 5]], 2)
    )
    assert refining.best_move(points.tolist(), [[0, 1, 2, 3], [4, 5]], 0)[1] == 3


@pytest.mark.parametrize("k", [2, 3, 5])
def test_decompose_splits_what_is_too_large(k: int) -> None:
    for name, table in hard_tables(k).items():
        points = as_coordinates(table).values
        whole = [list(range(len(points)))]
        found = decomposed(points, whole, k)
        assert all(k <= len(group) < 2 * k for group in found), name


@pytest.mark.parametrize("seed", range(20))
def test_merging_follows_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 40)), int(rng.integers(2, 6))
    points, labels = rng.normal(size=(n, 2)), rng.integers(0, 8, n)
    _, labels = np.unique(labels, return_inverse=True)
    clusters = {c: np.flatnonzero(labels == c).tolist() for c in range(int(labels.max()) + 1)}
    queue = list(np.random.default_rng(1).permutation([c for c, members in clusters.items() if len(members) < k]))
    while queue and len(clusters) > 1:
        small = int(queue.pop())
        if small not in clusters or len(clusters[small]) >= k:
            continue
        centre = points[clusters[small]].mean(axis=0)
        others = [c for c in clusters if c != small]
        into = min(others, key=lambda c: float(((points[clusters[c]].mean(axis=0) - centre) ** 2).sum()))
        clusters[into] += clusters.pop(small)
        if len(clusters[into]) < k:
            queue.insert(0, into)
    found = merge_small(points, labels.astype(np.uint32), k, np.random.default_rng(1))
    expected = np.empty(n, dtype=int)
    for c, members in clusters.items():
        expected[members] = c
    assert Partition(found) == Partition(expected)


def components_oracle(points: np.ndarray, k: int) -> list[list[int]] | None:  # noqa: C901
    """Nearest-neighbour grouping from its definition; None where a component has no edge to cut."""
    n = len(points)
    label, edges = list(range(n)), []
    for i in range(n):
        while (own := [m for m in range(n) if label[m] == label[i]]) and len(own) < k:
            length, b, a = min(
                (oracle.squared(points[a], points[b]), b, a) for a in own for b in range(n) if label[b] != label[i]
            )
            edges.append((length, a, b))
            label = [label[b] if current == label[i] else current for current in label]
    groups: list[list[int]] = []
    pending = [[m for m in range(n) if label[m] == c] for c in sorted(set(label))]

    def side(start: int, without: tuple[float, int, int]) -> list[int]:
        reached = [start]
        for u in reached:
            for edge in edges:
                if edge != without and u in edge[1:]:
                    other = edge[1] if edge[2] == u else edge[2]
                    if other not in reached:
                        reached.append(other)
        return reached

    while pending:
        tree = pending.pop()
        if len(tree) <= max(2 * k - 1, 3 * k - 5):
            groups.append(tree)
            continue
        fit = [e for e in edges if e[1] in tree and k <= len(side(e[1], e)) <= len(tree) - k]
        if not fit:
            return None
        cut = max(fit)
        parts = [side(cut[1], cut), side(cut[2], cut)]
        edges.remove(cut)
        pending += parts
    return groups


def test_components_follow_their_definition() -> None:
    compared = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(6, 26)), int(rng.integers(2, 5))
        points = rng.normal(size=(n, 2))
        expected = components_oracle(points, k) if n >= 2 * k else None
        if expected is not None:
            compared += 1
            found = [group.tolist() for group in NearestNeighbour().partition(points, k).groups()]
            assert sorted(found) == sorted(map(sorted, expected)), seed
    assert compared > 30


def test_small_clusters_merge_with_the_nearest_centroid() -> None:
    points = np.array([[0.0], [0.2], [1.0], [8.0], [9.0], [9.5]])
    labels = merge_small(points, np.array([0, 0, 1, 2, 3, 3], dtype=np.uint32), 2, np.random.default_rng(0))
    assert Partition(labels) == Partition([0, 0, 0, 1, 1, 1])


def test_kmeans_factor_decides_how_many_groups() -> None:
    table = np.random.default_rng(2).normal(size=(300, 2))
    few, many = (len(KMeans(factor=f).partition(table, 5)) for f in (0.25, 1.0))
    assert few < many
    assert KMeans(factor=2.0).partition(table, 5).smallest >= 5


AUTO = {
    "tarragona": {3: 15.1, 5: 20.9, 10: 30.9},
    "census": {3: 5.25, 5: 8.15, 10: 12.5},
    "eia": {3: 0.372, 5: 0.785, 10: 2.03},
}


@pytest.mark.parametrize("name", AUTO)
def test_auto_reaches_its_loss(name: str) -> None:
    table = benchmark_table(name)
    total = ((table - table.mean(axis=0)) ** 2).sum()
    for k, target in AUTO[name].items():
        assert 100 * Auto().solve(table, k).loss / total <= target, k
