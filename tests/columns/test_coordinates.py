"""Coordinates: comparable columns."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from covey.columns.coordinates import MOST_CORNERS, SCALES, Scaler, interpolated
from covey.columns.values import Values, read_values


def coordinates(columns: list[Values], **how: Any) -> np.ndarray:
    return Scaler(columns, **how)(columns)


def mean_squared_distance(points: np.ndarray) -> float:
    return float(2 * points.var(axis=0).sum())


@pytest.mark.parametrize("name", ["number", "date", "two", "few", "many", "ordered"])
def test_two_random_records_differ_alike_in_every_column(name: str) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "number": pa.array(np.exp(rng.normal(size=4000)) * 1e9),
        "date": pa.array(rng.integers(0, 9000, 4000), pa.int32()).cast(pa.date32()),
        "two": pa.array(rng.random(4000) < 0.02),
        "few": pa.array(rng.choice(list("abcde"), 4000, p=[0.6, 0.1, 0.1, 0.1, 0.1]).tolist()),
        "many": pa.array([f"c{i}" for i in rng.integers(0, 500, 4000)]),
        "ordered": pa.DictionaryArray.from_arrays(
            pa.array(rng.integers(0, 5, 4000), pa.int32()), pa.array(list("abcde")), ordered=True
        ),
    }
    points = coordinates([read_values("x", arrays[name])])
    assert mean_squared_distance(points) == pytest.approx(2.0, rel=0.02)
    assert points.shape[1] == {"few": 5, "many": MOST_CORNERS}.get(name, 1)


def test_a_mismatch_is_a_mismatch() -> None:
    column = read_values("x", pa.array(list("aabbccdd")))
    points = coordinates([column], scale="range")
    distances = {round(float(((points[i] - points[j]) ** 2).sum()), 12) for i, j in itertools.combinations(range(8), 2)}
    assert distances == {0.0, 1.0}


def test_projected_categories_are_about_equally_far() -> None:
    points = coordinates([read_values("x", pa.array([f"c{i}" for i in range(300)]))], scale="range")
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=2)[np.triu_indices(300, 1)]
    assert squared.mean() == pytest.approx(1.0, rel=0.05)
    assert squared.std() < 0.35
    assert squared.min() > 0.0


@pytest.mark.parametrize("scale", SCALES)
def test_scales_do_not_depend_on_units(scale: str) -> None:
    values = np.random.default_rng(1).normal(size=50)
    one = coordinates([read_values("x", pa.array(values))], scale=scale)
    other = coordinates([read_values("x", pa.array(values * 1e300))], scale=scale)
    assert one == pytest.approx(other)
    if scale != "zscore":
        assert one.max() - one.min() == pytest.approx(1.0)


def test_importance_multiplies_squared_distances() -> None:
    column = read_values("x", pa.array([1.0, 2.0, 5.0]))
    assert coordinates([column], importance={"x": 4.0}) == pytest.approx(2 * coordinates([column]))


def test_a_missing_value_lies_beyond_the_median() -> None:
    points = coordinates([read_values("x", pa.array([1.0, 2.0, 3.0, None]))], penalty=2.5)
    assert points[3, 0] == pytest.approx(points[1, 0] + 2.5)
    many = coordinates([read_values("x", pa.array(["a", "b", "c", None]))], scale="range")
    assert ((many[3] - many[:3]) ** 2).sum(axis=1) == pytest.approx([1.0] * 3)


def test_frequency_puts_equally_frequent_categories_together() -> None:
    points = coordinates([read_values("x", pa.array(list("aaabbc")))], categories="frequency")
    assert points.shape == (6, 1)
    assert len(np.unique(points.round(9))) == 3


@pytest.mark.parametrize(
    "values",
    [[7.0] * 4, [5e-324, 0.0, 1e-323, 0.0], [1.7e308, -1.7e308, 0.0, 1.0], [2**62, -(2**62), 0, 1], [None] * 4],
)
def test_hard_columns_give_finite_coordinates(values: list[float]) -> None:
    for scale in SCALES:
        points = coordinates([read_values("x", pa.array(values))], scale=scale)
        assert np.isfinite(points).all()
        assert np.abs(points).max() < 1e3


def test_straight_lines_between_known_values() -> None:
    known, levels = np.array([-1.0, 0.0, 5e-324, 2.0]), np.array([1.0, 2.0, 3.0, 4.0])
    values = np.array([-9.0, -1.0, -0.5, 0.0, 5e-324, 1.0, 2.0, 9.0])
    assert interpolated(values, known, levels).tolist() == [1.0, 1.0, 1.5, 2.0, 3.0, 3.5, 4.0, 4.0]
    assert interpolated(values, np.array([3.0]), np.array([7.0])).tolist() == [7.0] * 8
    plain = np.sort(np.random.default_rng(0).normal(size=20))
    asked = np.random.default_rng(1).normal(size=50)
    assert interpolated(asked, plain, np.arange(20.0)) == pytest.approx(np.interp(asked, plain, np.arange(20.0)))
