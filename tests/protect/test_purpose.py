"""What a release groups for is the loss of what it publishes, and "optimal" is said of nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.columns.coordinates import Scaler
from covey.columns.purpose import grid_units, is_exact
from covey.columns.values import read_values
from covey.costs import COSTS
from covey.line import OptimalLine
from tests.protect.releases import release

RNG = np.random.default_rng(7)
AGES = RNG.integers(0, 30, 60)
MONEY = np.round(RNG.exponential(30.0, 60), 1)


def squares(before: Any, after: Any, weights: Any = 1.0) -> float:
    return float(np.sum(weights * (np.asarray(before, float) - np.asarray(after, float)) ** 2))


@pytest.mark.parametrize(
    ("column", "units"),
    [
        (pa.array(AGES), AGES),
        (pa.array(MONEY), MONEY * 10),
        (pa.array(1_000_000_000 + AGES), AGES),
        (pa.array(AGES * 86_400_000, pa.timestamp("ms")), AGES),
    ],
    ids=["whole numbers", "tenths", "offset", "days"],
)
def test_means_are_best_after_rounding(column: Any, units: np.ndarray) -> None:
    done = release(pa.table({"x": column}), k=5, quasi=["x"])
    unit = float(np.ptp(column.cast(pa.int64()).to_numpy() if pa.types.is_timestamp(column.type) else column)) / np.ptp(
        units
    )
    after = done.arrow["x"]
    numbers = [
        np.asarray(values.cast(pa.int64()) if pa.types.is_timestamp(column.type) else values, float)
        for values in (column, after)
    ]
    best = OptimalLine(cost="rounded").solve(np.rint(units).astype(float), 5)
    assert squares(*numbers) == pytest.approx(best.loss * unit**2, rel=1e-9)
    (group,) = done.report.groups
    assert (group.status, group.cost) == ("optimal", "rounded")


def test_decimals_that_are_asked_for_are_what_is_minimised() -> None:
    done = release(pa.table({"x": MONEY}), k=4, quasi=["x"], decimals={"x": 0})
    best = OptimalLine(cost="rounded").solve(MONEY, 4)
    assert squares(MONEY, done.arrow["x"]) == pytest.approx(best.loss)
    full = release(pa.table({"x": RNG.normal(size=60)}), k=4, quasi=["x"])
    assert full.report.groups[0].cost == "sse"


def weighted_squares(given: pa.Table, released: covey.Release, weights: np.ndarray) -> float:
    """Around the weighted means of the classes, in variances."""
    keys = list(zip(*(released.arrow[name].to_pylist() for name in ("age", "money")), strict=True))
    total = 0.0
    for key in set(keys):
        rows = [row for row, other in enumerate(keys) if other == key]
        for name in ("age", "money"):
            column = np.asarray(given[name], float)
            mean = np.average(column[rows], weights=weights[rows])
            total += squares(column[rows], mean, weights[rows]) / column.var()
    return total


def test_weights_enter_the_means_that_are_published() -> None:
    weights = RNG.integers(1, 20, 60)
    given = pa.table({"age": AGES, "money": MONEY, "weight": weights})
    for quasi in (["age"], ["age", "money"]):
        done = release(given.select([*quasi, "weight"]), k=4, quasi=quasi, weight="weight")
        plain = release(given.select(quasi), k=4, quasi=quasi)
        assert done.report.groups[0].status == "feasible"
        assert done.report.groups[0].gap_percent is None
        if len(quasi) == 1:
            best = covey.solve(AGES.astype(float), 4, cost="rounded", weights=weights)
            assert squares(AGES, done.arrow["age"], weights) == pytest.approx(best.loss)
            assert best.loss <= squares(AGES, plain.arrow["age"], weights)
        else:
            assert weighted_squares(given, done, weights) < weighted_squares(given, plain, weights)


@pytest.mark.parametrize(("how", "cost"), [("median", "sae"), ("max", "roundup"), ("min", "rounddown")])
@pytest.mark.parametrize("method", ["auto", "search"])
def test_several_columns_are_grouped_for_what_they_publish(how: str, cost: str, method: str) -> None:
    given = pa.table({"a": RNG.normal(size=80).round(3), "b": RNG.normal(size=80).round(3)})
    options = {"effort": 20_000} if method == "search" else {}
    done = release(given, quasi=["a", "b"], aggregates={"a": how, "b": how}, method=method, options=options)
    means = release(given, quasi=["a", "b"], method=method, options=options)
    assert not any("made for means" in str(note) for note in done.report.notes)
    assert done.report.groups[0].cost == cost
    assert done.report.groups[0].gap_percent is None

    def lost(released: covey.Release) -> float:
        """By the cost of the aggregate, in standard deviations, of the classes of a release."""
        keys = list(zip(*(released.arrow[name].to_pylist() for name in ("a", "b")), strict=True))
        total = 0.0
        for name in ("a", "b"):
            column = np.asarray(given[name])
            for key in set(keys):
                rows = [row for row, other in enumerate(keys) if other == key]
                total += COSTS[cost].loss(column[rows] / column.std())
        return total

    assert lost(done) < lost(means)


def test_each_column_has_the_cost_of_its_aggregate() -> None:
    given = pa.table({"a": RNG.normal(size=60), "b": RNG.normal(size=60), "c": ["x", "y", "z"] * 20})
    done = release(given, quasi=["a", "b", "c"], aggregates={"a": "median"})
    assert done.report.groups[0].cost == "sae, sse"
    assert not any("made for means" in str(note) for note in done.report.notes)
    by_name = release(given, quasi=["a", "b", "c"], aggregates={"a": "median"}, method="mdav")
    assert by_name.report.groups[0].cost == "sse"
    assert any("made for means (sse), whatever the aggregates of a" in str(note) for note in by_name.report.notes)


@pytest.mark.parametrize(
    ("choices", "status"),
    [
        ({}, "optimal"),
        ({"aggregates": {"x": "median"}}, "optimal"),
        ({"aggregates": {"x": "max"}}, "optimal"),
        ({"aggregates": {"x": "midrange"}}, "feasible"),
        ({"aggregates": {"x": "mode"}}, "feasible"),
        ({"aggregates": {"x": "trimmed-mean"}}, "feasible"),
        ({"scale": "rank"}, "feasible"),
    ],
)
def test_optimal_is_said_of_what_is_published_alone(choices: dict[str, Any], status: str) -> None:
    assert release(pa.table({"x": AGES}), quasi=["x"], **choices).report.groups[0].status == status


def test_missing_values_that_have_a_place_are_no_part_of_what_is_proven() -> None:
    gaps = [None if row % 7 == 0 else int(age) for row, age in enumerate(AGES)]
    apart = release(pa.table({"x": gaps}), quasi=["x"], missing="own-group")
    placed = release(pa.table({"x": gaps}), quasi=["x"], missing="coordinate")
    assert (apart.report.groups[0].status, placed.report.groups[0].status) == ("optimal", "feasible")


def test_units_of_the_grid() -> None:
    values = read_values("x", pa.chunked_array([pa.array([0.29, 0.255, None, 1.3])])).with_decimals(2)
    (place,) = Scaler([values]).places
    units = grid_units(values, place)  # type: ignore[arg-type]
    assert units[[0, 1, 3]].tolist() == [29.0, 25.5, 130.0]
    assert units[2] == np.rint(units[2])
    assert is_exact(values, "mean", place, mixed=False)  # type: ignore[arg-type]
    assert not is_exact(values, "mean", place, mixed=True)  # type: ignore[arg-type]
    assert not is_exact(values, "median", place, mixed=False)  # type: ignore[arg-type]


def test_values_near_the_largest_float_have_no_grid_and_no_overflow() -> None:
    column = pa.array([1.5e308, -1.5e308, 1e308, -1e308, 2.5, 1.5, 0.5, 3.5])
    done = release(pa.table({"x": column}), k=2, quasi=["x"], decimals={"x": 1})
    assert done.report.groups[0].cost == "sse"
