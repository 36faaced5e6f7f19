"""IMHM: the transport problem against looking at everything, and the whole against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import OptionError
from covey.space import Imhm, Mdav
from covey.space.imhm import TOLERANCE, _assign
from covey.space.method import mean_square
from covey.utils.arrays import as_coordinates
from tests.space import oracle, refining
from tests.space.tables import hard_tables


def costs(points: np.ndarray, centres: np.ndarray) -> list[list[float]]:
    return [[math.sqrt(oracle.squared(x, centre)) for centre in centres.tolist()] for x in points.tolist()]


def cost_of(points: np.ndarray, centres: np.ndarray, labels: np.ndarray) -> float:
    return math.fsum(row[g] for row, g in zip(costs(points, centres), labels.tolist(), strict=True))


@given(st.integers(1, 3), st.integers(0, 3), st.integers(0, 3), st.data())
@settings(max_examples=200)
def test_no_assignment_costs_less(clusters: int, least: int, more: int, data: st.DataObject) -> None:
    assume(clusters * least <= 7)
    most = max(1, least + more)
    records = data.draw(st.integers(max(1, clusters * least), min(7, clusters * most)))
    numbers = st.lists(st.integers(0, 4).map(float), min_size=2, max_size=2)
    points = np.array(data.draw(st.lists(numbers, min_size=records, max_size=records)))
    centres = np.array(data.draw(st.lists(numbers, min_size=clusters, max_size=clusters)))
    start = data.draw(st.lists(st.integers(0, clusters - 1), min_size=records, max_size=records))
    labels = kernels.assign(points, centres, np.array(start, dtype=np.uint32), least, most)
    sizes = np.bincount(labels, minlength=clusters)
    assert least <= sizes.min()
    assert sizes.max() <= most
    best = refining.cheapest_assignment(costs(points, centres), least, most)
    assert cost_of(points, centres, labels) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_an_assignment_is_the_one_of_another_solver(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(20, 120)), int(rng.integers(2, 9))
    points = rng.normal(size=(n, 3)) ** 3 + 1e9 * (seed % 2)
    start = Mdav().partition(points, k)
    found = _assign(points, start.labels.astype(np.uint32), k)
    expected = refining.assign(points.tolist(), [group.tolist() for group in start.groups()], k)
    assert as_sets([np.flatnonzero(found == g).tolist() for g in range(len(start))]) == as_sets(expected)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_assignments_of_hard_tables(k: int) -> None:
    for name, table in hard_tables(k).items():
        points = as_coordinates(table).values
        start = Mdav().partition(points, k)
        groups = [group.tolist() for group in start.groups()]
        centres = np.array([oracle.centroid(points.tolist(), group) for group in groups])
        labels = kernels.assign(points, centres, start.labels.astype(np.uint32), k, 2 * k - 1)
        sizes = np.bincount(labels, minlength=len(groups))
        assert k <= sizes.min() <= sizes.max() < 2 * k, name
        other = np.empty(len(points), dtype=np.uint32)
        for g, group in enumerate(refining.assign(points.tolist(), groups, k)):
            other[group] = g
        assert cost_of(points, centres, labels) <= cost_of(points, centres, other) * (1 + 1e-12), name


def test_no_start_changes_what_an_assignment_costs() -> None:
    rng = np.random.default_rng(4)
    points, centres = np.where(rng.random((90, 3)) < 0.6, 0.0, rng.lognormal(size=(90, 3))), rng.normal(size=(12, 3))
    starts = [rng.integers(0, most, 90).astype(np.uint32) for most in (1, 2, 12)]
    answers = [kernels.assign(points, centres, start, 5, 9) for start in starts]
    answers += [kernels.assign(points, centres, answer, 5, 9) for answer in answers]
    assert all(np.bincount(answer, minlength=12).min() >= 5 for answer in answers)
    expected = cost_of(points, centres, answers[0])
    assert [cost_of(points, centres, answer) for answer in answers] == pytest.approx([expected] * 6, abs=1e-12)


def as_sets(groups: list[list[int]]) -> list[list[int]]:
    return sorted(map(sorted, groups))


@pytest.mark.parametrize("seed", range(15))
def test_imhm_follows_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(8, 60)), int(rng.integers(2, 5))
    points = rng.normal(size=(n, 2)) ** (1 + 2 * (seed % 2))
    expected = refining.imhm(points.tolist(), k, TOLERANCE * mean_square(points))
    found = [group.tolist() for group in Imhm().partition(points, k).groups()]
    assert as_sets(found) == as_sets(expected)


def test_imhm_never_loses_more_than_mdav() -> None:
    for seed, k in enumerate((2, 3, 5, 10, 40)):
        table = np.random.default_rng(seed).normal(size=(200, 3))
        assert Imhm().solve(table, k).loss <= Mdav().solve(table, k).loss * (1 + 1e-12)


def test_blocks_are_improved_by_themselves() -> None:
    table = np.random.default_rng(1).normal(size=(120, 2))
    start = Mdav().partition(table, 4)
    blocks = Imhm(blocks=3)._blocks(table, start.labels.astype(np.uint32))
    assert sorted(np.concatenate(blocks).tolist()) == list(range(120))
    assert [len(block) for block in blocks] == [40, 40, 40]
    labels = Imhm(blocks=3)._group(table, 4)
    for block in blocks:
        _, own = np.unique(start.labels[block], return_inverse=True)
        one = np.ascontiguousarray(table[block])
        assert set(labels[block]).isdisjoint(np.delete(labels, block))
        assert kernels.loss(one, Partition(labels[block]).labels.astype(np.uint32)) <= kernels.loss(
            one, own.astype(np.uint32)
        )
    centres = np.array([table[group].mean(axis=0) for group in start.groups()])
    outermost = centres[np.argmax(((centres - table.mean(axis=0)) ** 2).sum(axis=1))]
    ways = [np.sqrt(((centres[np.unique(start.labels[block])] - outermost) ** 2).sum(axis=1)) for block in blocks]
    assert ways[0].max() <= ways[1].min()
    assert ways[1].max() <= ways[2].min()


def test_more_blocks_than_groups() -> None:
    table = np.random.default_rng(2).normal(size=(20, 2))
    assert Imhm(blocks=50).partition(table, 4).smallest >= 4
    with pytest.raises(OptionError, match="blocks is 0; needed: at least 1"):
        Imhm(blocks=0)


def test_a_large_table_has_several_blocks() -> None:
    table = np.random.default_rng(3).normal(size=(2300, 2))
    start = Mdav().partition(table, 50).labels.astype(np.uint32)
    assert len(Imhm()._blocks(table, start)) == 3
    assert len(Imhm()._blocks(table[:1000], start[:1000])) == 1
