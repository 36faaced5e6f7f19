"""Walks through groups against their definitions, and the two methods that cut them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.errors import OptionError
from covey.space import Cbfs, CbfsMhm, Mdav, MdavMhm
from covey.space.group_walk import WALKS
from covey.utils.arrays import as_coordinates
from tests.space import oracle, refining
from tests.space.tables import hard_tables

WALK = {
    "centroids": (kernels.walk_by_centroids, refining.walk_by_centroids),
    "records": (kernels.walk_by_records, refining.walk_by_records),
}


@st.composite
def groups_of_records(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    d = draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(st.integers(0, 4), min_size=d, max_size=d), min_size=1, max_size=30))
    labels = draw(st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows)))
    return np.array(rows, dtype=float), Partition(labels).labels.astype(np.uint32)


@pytest.mark.parametrize("walk", WALK)
@given(groups_of_records())
@settings(max_examples=150)
def test_a_walk_follows_its_definition(walk: str, grouped: tuple[np.ndarray, np.ndarray]) -> None:
    points, labels = grouped
    kernel, definition = WALK[walk]
    groups = [np.flatnonzero(labels == g).tolist() for g in range(int(labels.max()) + 1)]
    assert kernel(points, labels).tolist() == definition(points.tolist(), groups)


@pytest.mark.parametrize("walk", WALK)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_a_walk_through_hard_tables(walk: str, k: int) -> None:
    kernel, definition = WALK[walk]
    for name, table in hard_tables(k).items():
        points = as_coordinates(table).values
        groups = oracle.mdav(points.tolist(), k) if len(points) >= 2 * k else [list(range(len(points)))]
        labels = np.empty(len(points), dtype=np.uint32)
        for g, group in enumerate(groups):
            labels[group] = g
        assert kernel(points, labels).tolist() == definition(points.tolist(), groups), name


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize(("walked", "start"), [(MdavMhm, oracle.mdav), (CbfsMhm, oracle.cbfs)])
def test_the_methods_cut_the_walk(walked: type[MdavMhm], start: type, walk: str) -> None:
    for seed, (n, k) in enumerate(((12, 2), (31, 3), (44, 5))):
        table = np.random.default_rng(seed).normal(size=(n, 3))
        groups = start(table.tolist(), k)
        best = oracle.sse(table.tolist(), refining.cut(table.tolist(), WALK[walk][1](table.tolist(), groups), k))
        assert walked(walk=walk).solve(table, k).loss == pytest.approx(best, rel=1e-12)


def test_a_walk_never_loses_more_than_the_groups() -> None:
    table = np.random.default_rng(5).normal(size=(121, 3))
    for walk in WALKS:
        assert MdavMhm(walk=walk).solve(table, 4).loss <= Mdav().solve(table, 4).loss * (1 + 1e-12)
        assert CbfsMhm(walk=walk).solve(table, 4).loss <= Cbfs().solve(table, 4).loss * (1 + 1e-12)


def test_only_walks_that_there_are() -> None:
    with pytest.raises(OptionError, match="walk is 'random'; needed: one of centroids, records"):
        MdavMhm(walk="random")
