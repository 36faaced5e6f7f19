"""Columns as a person reads them: round numbers and dates between bins, quartiles, categories in their order."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from covey.columns.values import read_values
from covey.core.ticks import marks, round_above
from covey.utility.columns import readable, short
from covey.utility.edges import round_edges
from covey.utils.words import as_text


def edges_of(values: Any, kind: Any = None) -> list[Any]:
    column = read_values("x", pa.array(values, type=kind))
    low, high = column.physical.min(), column.physical.max()
    edges = round_edges(column, low, high, 23)
    assert len(edges) <= 23
    assert np.all(np.diff(edges) > 0)
    assert np.all((edges >= low) & (edges <= high)) or column.kind == "float"
    return [*edges.tolist()]


def test_edges_are_round_numbers() -> None:
    assert edges_of([3, 97])[:3] == [5, 10, 15]
    assert edges_of([0.0, 1.0])[:4] == [0.0, 0.05, 0.1, 0.15]
    assert edges_of([400.0, 7310.0])[:3] == [500.0, 1000.0, 1500.0]
    assert edges_of([-12.5, 31.25])[:3] == [-12.0, -10.0, -8.0]
    assert edges_of([2**60 + 3, 2**60 + 40])[1] % 2 == 0


@pytest.mark.parametrize(
    "values",
    [[1e308, -1e308], [5e-324, 1e-323], [0.0, 5e-324], [1e9, 1e9 + 1e-6], [7, 7], [-(2**63), 2**63 - 1], [0.1, 0.1]],
)
def test_edges_of_hard_numbers_stay_in_order(values: list[Any]) -> None:
    column = read_values("x", pa.array(values))
    edges = np.unique(round_edges(column, column.physical.min(), column.physical.max(), 23))
    assert 0 < len(edges) <= 23 or values[0] in (1e9, 0.1)
    assert np.isfinite(edges.astype(float)).all()


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("ns")])
def test_edges_of_dates_are_first_days(kind: Any) -> None:
    for days, first in ((20, "2020-03-05"), (400, "2020-04-01"), (2500, "2020-07-01"), (20000, "2025-01-01")):
        start = dt.date(2020, 3, 5)
        column = read_values("x", pa.array([start, start + dt.timedelta(days)], type=pa.date32()).cast(kind))
        edges = round_edges(column, column.physical[0], column.physical[1], 23)
        assert (
            as_text(pa.array(edges[:1]).cast(kind if kind != pa.date32() else pa.int32()).cast(kind)[0].as_py())
            == first
        )


def test_marks_reach_the_most_in_few_steps() -> None:
    for most in np.random.default_rng(0).lognormal(0, 6, 300):
        shown = marks(float(most))
        assert shown[0] == 0.0
        assert shown[-1] >= most * (1 - 1e-9)
        assert 2 <= len(shown) <= 6
        assert round_above(shown[1]) == pytest.approx(shown[1])


def test_means_are_read_in_the_units_of_the_column() -> None:
    decimals = read_values("x", pa.array(["1.25", "2.75"]).cast(pa.decimal128(5, 2)))
    assert readable(decimals, 125, 75.0) == "2"
    dates = read_values("x", pa.array([dt.date(2024, 2, 28)]))
    assert readable(dates, int(dates.physical[0]), 1.2) == "2024-02-29"
    midnights = read_values("x", pa.array([dt.datetime(2024, 2, 28), dt.datetime(2024, 3, 1)]))
    assert readable(midnights, int(midnights.physical[0]), 0.6 * 86_400e6) == "2024-02-29"
    assert short(0.1 + 0.2) == "0.3"
    assert short(-1e-12) == "0"
