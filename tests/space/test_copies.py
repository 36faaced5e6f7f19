"""Equal records: the definitions with heavy ties, and no more work than without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from covey._kernels import space as kernels
from covey.space.method import labels_of
from covey.space.sampled_gap import sampled_gap
from tests.space import oracle

if TYPE_CHECKING:
    from collections.abc import Callable

Table = np.ndarray
KINDS = ("all equal", "90 % equal", "zero-inflated", "one-hot", "binary", "signed zeros", "copies", "grid", "tiny")


def tied(kind: str, n: int, seed: int) -> Table:
    """A table of n rows, many of them equal."""
    rng = np.random.default_rng(seed)
    d = 1 + seed % 3
    plain = rng.normal(size=(n, d))
    if kind == "all equal":
        return np.full((n, d), 1.7)
    if kind == "90 % equal":
        return np.where(rng.random((n, 1)) < 0.9, 0.25, plain)
    if kind == "zero-inflated":
        return np.where(rng.random((n, d)) < 0.7, 0.0, plain)
    if kind == "one-hot":
        return np.eye(5)[rng.integers(0, 5, n)]
    if kind == "binary":
        return rng.integers(0, 2, size=(n, d)).astype(float)
    if kind == "signed zeros":
        return np.where(rng.random((n, d)) < 0.5, 0.0, -0.0) + (rng.random((n, 1)) < 0.2)
    if kind == "tiny":
        return rng.integers(0, 60, size=(n, d)) * 5e-324 + (
            rng.random((n, 1)) < 0.1
        )  # squares of the differences are 0
    if kind == "copies":
        return plain[rng.integers(0, max(2, n // 6), n)]
    return rng.integers(0, 4, size=(n, d)).astype(float)


def as_sets(groups: list[list[int]]) -> list[list[int]]:
    return sorted(sorted(group) for group in groups)


def groups_of(found: tuple[Table, Table]) -> list[list[int]]:
    order, sizes = found
    return [part.tolist() for part in np.split(order, np.cumsum(sizes)[:-1])]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_method_gives_the_groups_of_its_definition(kind: str, seed: int) -> None:
    points = tied(kind, 25 + 11 * seed, seed)
    for k in (2, 3, 5):
        for kernel in (kernels.mdav, kernels.mdav_by_tree, kernels.mdav_by_passes, kernels.mdav_by_scan):
            assert as_sets(groups_of(kernel(points, k))) == as_sets(oracle.mdav(points.tolist(), k))
        assert groups_of(kernels.cbfs(points, k)) == oracle.cbfs(points.tolist(), k)
        assert groups_of(kernels.cbfs_growing(points, k)) == oracle.cbfs_growing(points.tolist(), k)
        for gamma in (0.2, 1.1):
            assert groups_of(kernels.vmdav(points, k, gamma)) == oracle.vmdav(points.tolist(), k, gamma)
        assert as_sets(groups_of(kernels.components(points, k))) == as_sets(oracle.components(points.tolist(), k))
    assert kernels.nearest_point_next(points).tolist() == oracle.nearest_point_next(points.tolist())


@pytest.mark.parametrize("kind", [*KINDS, "plain"])
@pytest.mark.parametrize("seed", range(2))
def test_components_of_larger_tables(kind: str, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(90, 2)) if kind == "plain" else tied(kind, 90, 1 + seed)
    for k in (2, 5, 8):
        assert as_sets(groups_of(kernels.components(points, k))) == as_sets(oracle.components(points.tolist(), k))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_repeated_ordering_follows_algorithm_1(kind: str, seed: int) -> None:
    n, k = 20 + 9 * seed, 2 + seed % 3
    points = tied(kind, n, seed)
    _, start = np.unique(np.random.default_rng(seed).integers(0, 1 + seed, n), return_inverse=True)
    labels, best = start.astype(np.uint32), np.array([], dtype=np.uint32)
    losses: list[float] = []
    while True:
        order = np.array(oracle.group_by_group(points.tolist(), labels.tolist()), dtype=np.uint32)
        sizes, loss = kernels.cut(points, order, k)
        if not losses or loss < min(losses):
            best = order
        losses.append(loss)
        if len(losses) > 1 and not loss < min(losses[:-1]) * (1 - 1e-12):
            break
        labels = labels_of(order, sizes)
    found, _, (run,) = kernels.repeated_ordering(points, start.astype(np.uint32).reshape(1, -1), k)
    assert run == losses
    assert found.tolist() == best.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_and_the_bound(kind: str) -> None:
    for seed, m in ((0, 1), (1, 4), (2, 9), (3, 39)):
        points = tied(kind, 40, seed)
        rows, every = points.tolist(), range(len(points))
        lists = kernels.neighbours(points, m).reshape(-1, m)
        expected = [oracle.nearest(rows, [j for j in every if j != i], rows[i], m) for i in every]
        assert lists.tolist() == expected
        sums = [sum(oracle.squared(rows[i], rows[j]) for j in near) for i, near in zip(every, expected, strict=True)]
        some = np.array([3, 3, 17, 0], dtype=np.uint32)
        assert kernels.neighbour_sums(points, some, m).tolist() == [sums[i] for i in some]
        assert kernels.neighbour_bound(points, m + 1) == sum(sums) / (2 * (m + 1))
        losses, cells = np.full(40, sum(sums) or 1.0), np.arange(40) % 2
        inside = [[j for j in every if j % 2 == i % 2 and j != i] for i in every]
        paid = sum(
            sum(oracle.squared(rows[i], rows[j]) for j in oracle.nearest(rows, inside[i], rows[i], m)) for i in every
        )
        gap = sampled_gap(points, cells, m + 1, losses, sample=40)
        assert gap.value == pytest.approx(1 - min(1.0, paid / (2 * (m + 1)) / losses.sum()), abs=1e-12)


def fives(points: Table) -> Table:
    """Groups of five, without a tree."""
    return labels_of(*kernels.mdav_by_scan(points, 5))


KERNELS: dict[str, Callable[[Table], object]] = {
    "mdav": lambda points: kernels.mdav_by_tree(points, 5),
    "vmdav": lambda points: kernels.vmdav(points, 5, 0.2),
    "cbfs": lambda points: kernels.cbfs(points, 5),
    "cbfs-growing": lambda points: kernels.cbfs_growing(points, 5),
    "walk by records": lambda points: kernels.walk_by_records(points, fives(points)),
    "walk by centroids": lambda points: kernels.walk_by_centroids(points, fives(points)),
    "nearest-neighbour": lambda points: kernels.components(points, 5),
    "npn": kernels.nearest_point_next,
    "neighbours": lambda points: kernels.neighbours(points, 10),
    "bound": lambda points: kernels.neighbour_bound(points, 5),
}


@pytest.mark.parametrize("name", KERNELS)
def test_equal_records_are_no_more_work(name: str) -> None:
    """Leaves of the tree that are looked at, beside those of a Gaussian table of the same size."""

    def work(points: Table) -> int:
        before = kernels.leaves_scanned()
        KERNELS[name](points)
        return kernels.leaves_scanned() - before

    plain = work(np.random.default_rng(0).normal(size=(2000, 3)))
    for kind in ("all equal", "90 % equal", "zero-inflated", "one-hot", "binary"):
        assert 0 < work(tied(kind, 2000, 2)) <= 2 * plain, kind
