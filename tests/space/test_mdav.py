"""MDAV and its relatives against their definitions, ties included, and the values of the literature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import space as kernels
from covey.space import CbfsGrowing, Mdav, VMdav
from covey.utils.arrays import as_coordinates
from tests.space import oracle
from tests.space.tables import benchmark_table, hard_tables

INDEXES = ["auto", "tree", "passes", "scan"]

tables = st.integers(1, 3).flatmap(
    lambda d: st.lists(st.lists(st.integers(0, 4), min_size=d, max_size=d), min_size=4, max_size=40)
)


def groups(found: tuple[np.ndarray, np.ndarray]) -> list[list[int]]:
    order, sizes = found
    return [part.tolist() for part in np.split(order, np.cumsum(sizes)[:-1])]


@pytest.mark.parametrize("index", INDEXES)
@given(tables, st.integers(2, 5))
@settings(max_examples=150)
def test_mdav_with_ties(index: str, rows: list[list[int]], k: int) -> None:
    if len(rows) < 2 * k:
        return
    points = np.array(rows, dtype=float)
    kernel = {"auto": kernels.mdav, "tree": kernels.mdav_by_tree, "passes": kernels.mdav_by_passes}.get(
        index, kernels.mdav_by_scan
    )
    assert groups(kernel(points, k))[:-1] == oracle.mdav(points.tolist(), k)[:-1]


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("index", INDEXES)
def test_mdav_on_hard_tables(index: str, k: int) -> None:
    for name, table in hard_tables(k).items():
        points = as_coordinates(table).values
        if len(points) >= 2 * k:
            expected = [sorted(group) for group in oracle.mdav(points.tolist(), k)]
            found = [group.tolist() for group in Mdav(index=index).partition(table, k).groups()]
            assert sorted(found) == sorted(expected), name


@pytest.mark.parametrize(("n", "d"), [(3000, 1), (3000, 2), (3000, 9), (1500, 40)])
def test_every_index_gives_the_same_groups(n: int, d: int) -> None:
    rng = np.random.default_rng(n + d)
    for points in (
        rng.normal(size=(n, d)),
        rng.integers(0, 4, size=(n, d)).astype(float),
        rng.normal(size=(n, d)) ** 3,
    ):
        for k in (3, 10, 100):
            first = kernels.mdav_by_scan(points, k)
            for kernel in (kernels.mdav, kernels.mdav_by_tree, kernels.mdav_by_passes):
                other = kernel(points, k)
                assert np.array_equal(first[0], other[0]), k
                assert np.array_equal(first[1], other[1]), k


def test_passes_on_several_threads() -> None:
    points = np.random.default_rng(1).integers(0, 9, size=(60_000, 20)).astype(float)
    for kernel in (kernels.mdav_by_tree, kernels.mdav_by_passes):
        assert np.array_equal(kernel(points, 2000)[0], kernels.mdav_by_scan(points, 2000)[0])


def test_every_instruction_set_gives_the_same_groups() -> None:
    points = np.random.default_rng(0).normal(size=(4000, 6))
    before = [kernel(points, 5)[0] for kernel in (kernels.mdav_by_tree, kernels.mdav_by_passes)]
    kernels.use_baseline(True)
    try:
        after = [kernel(points, 5)[0] for kernel in (kernels.mdav_by_tree, kernels.mdav_by_passes)]
    finally:
        kernels.use_baseline(False)
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


PUBLISHED = {
    "tarragona": {3: 16.9326, 4: 19.5460, 5: 22.4619, 6: 26.3252, 10: 33.1929},
    "census": {3: 5.6922, 4: 7.4947, 5: 9.0884, 6: 10.3847, 10: 14.1559},
    "eia": {3: 0.4829, 4: 0.6714, 5: 1.6667, 6: 1.3078, 10: 3.8397},
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_mdav_gives_the_published_losses(name: str) -> None:
    table = benchmark_table(name)
    total = ((table - table.mean(axis=0)) ** 2).sum()
    for k, published in PUBLISHED[name].items():
        assert abs(100 * Mdav().solve(table, k).loss / total - published) < 0.001, k


@given(tables, st.integers(2, 5))
@settings(max_examples=100)
def test_cbfs(rows: list[list[int]], k: int) -> None:
    if len(rows) >= 2 * k:
        points = np.array(rows, dtype=float)
        for kernel in (kernels.cbfs, kernels.cbfs_by_scan):
            assert groups(kernel(points, k)) == oracle.cbfs(points.tolist(), k)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_cbfs_on_hard_tables(k: int) -> None:
    for name, table in hard_tables(k).items():
        points = as_coordinates(table).values
        if len(points) >= 2 * k:
            assert groups(kernels.cbfs(points, k)) == oracle.cbfs(points.tolist(), k), name


@pytest.mark.parametrize("d", [2, 9])
def test_cbfs_by_a_tree_gives_the_groups_of_a_scan(d: int) -> None:
    points = np.random.default_rng(d).normal(size=(3000, d)) ** 3
    for k in (3, 100, 1500):
        for found, expected in zip(kernels.cbfs(points, k), kernels.cbfs_by_scan(points, k), strict=True):
            assert np.array_equal(found, expected)


@given(tables, st.integers(2, 5))
@settings(max_examples=100)
def test_cbfs_growing(rows: list[list[int]], k: int) -> None:
    if len(rows) >= 2 * k:
        points = np.array(rows, dtype=float)
        assert groups(kernels.cbfs_growing(points, k)) == oracle.cbfs_growing(points.tolist(), k)


@given(tables, st.integers(2, 5), st.sampled_from([0.0, 0.2, 1.1, 5.0]))
@settings(max_examples=100)
def test_vmdav(rows: list[list[int]], k: int, gamma: float) -> None:
    if len(rows) >= 2 * k:
        points = np.array(rows, dtype=float)
        assert groups(kernels.vmdav(points, k, gamma)) == oracle.vmdav(points.tolist(), k, gamma)


def test_gamma_decides_the_sizes() -> None:
    table = np.concatenate([np.random.default_rng(c).normal(c * 100, 1, size=(7, 2)) for c in range(4)])
    assert set(VMdav(gamma=0.0).partition(table, 4).sizes.tolist()) == {4}
    assert set(VMdav(gamma=1e9).partition(table, 4).sizes.tolist()) == {7}


def test_leftovers_go_to_the_nearest_centroid() -> None:
    assert CbfsGrowing().partition([[0.0], [0.1], [9.0], [9.1], [8.0]], 2).labels.tolist() == [0, 0, 1, 1, 1]
