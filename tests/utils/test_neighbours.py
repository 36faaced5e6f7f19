"""Nearest points against their definition, with few coordinates (a tree) and with many (block by block)."""

from __future__ import annotations

import numpy as np
import pytest

from covey.utils import neighbours
from covey.utils.neighbours import MOST_FOR_A_TREE, nearest_points, neighbour_sums

MANY = MOST_FOR_A_TREE + 1


@pytest.mark.parametrize("width", [1, 3, MANY])
def test_all_points_that_are_nearest(width: int) -> None:
    rng = np.random.default_rng(width)
    points = rng.integers(0, 3, (150, width)).astype(float)
    wanted = np.vstack([rng.integers(0, 3, (90, width)).astype(float), points[:10]])
    for record, near in zip(wanted, nearest_points(points, wanted), strict=True):
        squares = ((points - record) ** 2).sum(axis=1)
        assert sorted(near.tolist()) == np.flatnonzero(squares == squares.min()).tolist()


@pytest.mark.parametrize("width", [2, MANY])
@pytest.mark.parametrize("k", [2, 5])
def test_sums_over_the_nearest_others(width: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "POINTS_AT_A_TIME", 64)
    points = np.random.default_rng(k).normal(size=(200, width))
    records = np.arange(0, 200, 3)
    squares = ((points[records, None] - points[None]) ** 2).sum(axis=2)
    expected = np.sort(squares, axis=1)[:, :k].sum(axis=1)
    assert neighbour_sums(points, records, k) == pytest.approx(expected)


@pytest.mark.parametrize("width", [3, MANY])
def test_points_on_either_side_are_equally_near_whatever_is_rounded(width: int) -> None:
    rng = np.random.default_rng(width)
    for _ in range(20):
        record, apart = rng.normal(size=width) * 1e3, rng.normal(size=width)
        points = np.vstack([record + apart, record + 9 * apart, record - apart])
        (near,) = nearest_points(points, record[None])
        assert sorted(near.tolist()) == [0, 2]
