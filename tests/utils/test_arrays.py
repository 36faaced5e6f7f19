"""What may come through the door, and what an error says about what may not."""

from __future__ import annotations

import array
import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.errors import InputError
from covey.utils.arrays import as_column

VALUES = [5, 1, 2, 6, 1, 2, 7]
EXPECTED = covey.partition([float(v) for v in VALUES], 3)


@pytest.mark.parametrize(
    "x",
    [
        VALUES,
        tuple(VALUES),
        array.array("d", VALUES),
        np.array(VALUES, dtype=np.int8),
        np.array(VALUES, dtype=np.uint64),
        np.array(VALUES, dtype=np.int64),
        np.array(VALUES, dtype=np.float16),
        np.array(VALUES, dtype=np.float32),
        np.array(VALUES, dtype=">f8"),
        np.array(VALUES, dtype=np.longdouble),
        np.repeat(np.array(VALUES, dtype=np.float64), 2)[::2],
        np.array(VALUES[::-1], dtype=np.float64)[::-1],
        np.ma.masked_array(VALUES, mask=[False] * 7),
        pd.Series(VALUES),
        pd.Series(VALUES, index=list("gfedcba")),
        pd.Series(VALUES, dtype="Int64"),
        pd.Series(VALUES, dtype="float64[pyarrow]"),
        pd.Index(VALUES),
        pl.Series(VALUES),
        pl.Series(VALUES, dtype=pl.Float32),
        pa.array(VALUES),
        pa.chunked_array([VALUES[:3], VALUES[3:]]),
    ],
    ids=lambda x: f"{type(x).__module__}.{type(x).__name__}-{getattr(x, 'dtype', '')}",
)
def test_anything_that_holds_numbers(x: Any) -> None:
    assert covey.partition(x, 3) == EXPECTED


def test_booleans_are_zero_and_one() -> None:
    labels = covey.partition(np.array([True, False, True, False]), 2).labels.tolist()
    assert labels == [0, 1, 0, 1]
    assert covey.partition(pl.Series([True, False, True, False]), 2).labels.tolist() == labels


def test_the_input_is_left_alone() -> None:
    x = np.array([3.0, 1.0, 2.0, 9.0])
    x.flags.writeable = False
    covey.partition(x, 2)
    assert x.tolist() == [3.0, 1.0, 2.0, 9.0]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([], "X is empty"),
        (np.array([]), "X is empty"),
        (3.0, "X has 0 dimensions"),
        (np.zeros((2, 3, 1)), "X has 3 dimensions"),
        (np.zeros((2, 3, 4)), "X has 3 dimensions"),
        ([1.0, float("nan"), float("nan")], "X holds 2 missing values"),
        ([1.0, float("nan"), 3.0], "X holds 1 missing values"),
        ([float("nan"), 1.0, 3.0], "X holds 1 missing values"),
        ([float("nan")], "X holds 1 missing values"),
        ([1.0, float("inf")], "X holds 1 infinite values"),
        ([1.0, float("-inf"), float("inf")], "X holds 2 infinite values"),
        ([1e308, 1e308, float("nan")], "X holds 1 missing values"),
        ([1 + 2j], "X holds complex numbers"),
        (["a", "b"], "X holds strings"),
        ([b"a"], "X holds bytes"),
        ([1, None], "X holds Python objects"),
        ([decimal.Decimal(1)], "X holds Python objects"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "X holds dates"),
        (np.array([1], dtype="timedelta64[D]"), "X holds durations"),
        (np.zeros(2, dtype=[("a", float)]), "X holds records with fields"),
        ([[1.0], [1.0, 2.0]], "unequal lengths"),
        (np.ma.masked_array([1.0, 2.0], mask=[True, False]), "X holds 1 missing values"),
        (pd.Series([1, None], dtype="Int64"), "X holds 1 missing values"),
        (pd.Series([1.0, None]), "X holds 1 missing values"),
        (pd.Series(["a", "b"]), "X is a column of type String"),
        (pd.Series(pd.Categorical(["a", "b"])), "X is a column of type Categorical"),
        (pl.Series([1, None]), "X holds 1 missing values"),
        (pl.Series([decimal.Decimal("1.5")]), "X is a column of decimals"),
        (pa.array([1, None]), "X holds 1 missing values"),
        (pa.array(["a"]), "X is a column of type String"),
        (np.array([0, 2**63 - 1]), "float64 cannot tell apart"),
        (np.array([np.longdouble(1) + np.finfo(np.longdouble).eps]), "that float64 would round"),
    ],
    ids=str,
)
def test_bad_input(x: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        covey.partition(x, 1)
    assert message in str(caught.value)
    assert "needed" in str(caught.value)


def test_errors_hold_no_value_of_the_data() -> None:
    for bad in (
        [123456.75, float("nan")],
        [123456.75, float("inf")],
        ["123456.75"],
        np.array([-(2**62), 2**62 + 123456]),
    ):
        with pytest.raises(InputError) as caught:
            covey.partition(bad, 1)
        assert "123456" not in str(caught.value)


def test_nanosecond_timestamps_are_exact() -> None:
    origin = 1_700_000_000_000_000_000
    close = np.array([3, 0, 1, 2, 10, 11], dtype=np.int64)
    assert covey.partition(origin + close, 2) == covey.partition(close, 2)
    assert covey.solve(origin + close, 2).loss == covey.solve(close, 2).loss
    low = np.array([-(2**63), -(2**63) + 1, -(2**63) + 9, -(2**63) + 10])
    assert covey.partition(low, 2).labels.tolist() == [0, 0, 1, 1]


def test_a_cost_of_ones_own_gets_true_values_or_none() -> None:
    with pytest.raises(InputError, match="float64 cannot tell apart"):
        as_column(np.array([2**60, 2**60 + 1]), shift_integers=False)
