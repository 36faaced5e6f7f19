"""Types in, same types out: from pandas, polars and pyarrow, for every kind of column."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.columns.values import read_values
from covey.errors import InputError

N = 24


def columns() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    days = [dt.date(1850, 1, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 90000, N)]
    moments = [dt.datetime(2020, 1, 1) + dt.timedelta(hours=int(h)) for h in rng.integers(0, 9000, N)]
    return {
        "int8": pa.array(rng.integers(-100, 100, N), pa.int8()),
        "uint32": pa.array(rng.integers(0, 2**32, N), pa.uint32()),
        "int64": pa.array(rng.integers(2**60, 2**61, N), pa.int64()),
        "float32": pa.array(rng.normal(size=N), pa.float32()),
        "float64": pa.array(rng.normal(size=N) + 1e9, pa.float64()),
        "decimal": pa.array(
            [decimal.Decimal(int(v)).scaleb(-2) for v in rng.integers(-999, 999, N)], pa.decimal128(10, 2)
        ),
        "bool": pa.array(rng.random(N) < 0.5),
        "date": pa.array(days, pa.date32()),
        "naive": pa.array(moments, pa.timestamp("us")),
        "zoned": pa.array(moments, pa.timestamp("us", "Europe/Berlin")),
        "text": pa.array(rng.choice(["x", "y", "ü"], N).tolist()),
        "nominal": pa.array(rng.choice(["p", "q"], N).tolist()).dictionary_encode(),
        "ordered": pa.DictionaryArray.from_arrays(
            pa.array(rng.integers(0, 3, N), pa.int32()), pa.array(["low", "mid", "high", "never"]), ordered=True
        ),
        "time": pa.array(rng.integers(0, 86400, N), pa.int32()).cast(pa.time32("s")),
    }


@pytest.mark.parametrize("name", columns())
def test_every_type_of_arrow_comes_back(name: str) -> None:
    column = columns()[name]
    values = read_values(name, column)
    if name != "ordered":  # which has a category that does not occur
        assert values.build().equals(column) or values.build().to_pylist() == column.to_pylist()
    done = covey.release(pa.table({name: column}), k=3, quasi=[name])
    out = done.arrow.schema.field(name).type
    same_dictionary = (
        pa.types.is_dictionary(out) and out.value_type == column.type.value_type and out.ordered == column.type.ordered
    )
    assert out == column.type or same_dictionary
    seen = done.arrow.column(name).to_pylist()
    assert min(seen.count(value) for value in seen) >= 3
    if name in ("bool", "text", "nominal", "ordered"):
        assert set(seen) <= set(column.to_pylist())
    elif name not in ("zoned", "naive", "date", "time"):
        assert min(column.to_pylist()) <= min(seen) <= max(seen) <= max(column.to_pylist())


def test_pandas_in_pandas_out() -> None:
    given = pa.table(columns()).select(
        ["int8", "float32", "decimal", "bool", "date", "naive", "zoned", "text", "ordered"]
    )
    frame = given.to_pandas()
    frame["Int64"] = pd.array([None if i % 5 == 0 else i for i in range(N)], dtype="Int64")
    frame["string"] = frame["text"].astype("string")
    frame["object"] = frame["text"].astype(object)
    frame["arrow"] = frame["int8"].astype("int64[pyarrow]")
    frame = frame.set_index(pd.Index([f"secret {i}" for i in range(N)]))
    done = covey.release(frame, k=4, quasi=list(frame.columns), missing="own-group", small_strata="merge")
    assert isinstance(done.table, pd.DataFrame)
    assert list(done.table.columns) == list(frame.columns)
    assert list(done.table.index) == list(range(N))
    for name in frame.columns:
        if name == "ordered":
            assert done.table[name].dtype.ordered
            assert "never" not in done.table[name].cat.categories
        else:
            assert done.table[name].dtype == frame[name].dtype, name
    assert any("index" in str(note) for note in done.report.notes)


def test_a_pandas_index_may_have_a_role() -> None:
    frame = pd.DataFrame({"age": [20, 21, 22, 50, 51, 52]}, index=pd.Index(list("aabbaa"), name="ward"))
    done = covey.release(frame, k=2, quasi=["age"], strata=["ward"], method="mdav")
    assert list(done.table.columns) == ["ward", "age"]
    assert list(covey.release(frame, k=3, quasi=["age"]).table.columns) == ["age"]


def test_polars_in_polars_out() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "i": pl.Series(rng.integers(0, 50, N), dtype=pl.UInt16),
            "e": pl.Series(rng.choice(["lo", "hi"], N), dtype=pl.Enum(["lo", "mid", "hi"])),
            "c": pl.Series(rng.choice(["u", "v"], N), dtype=pl.Categorical),
            "t": pl.Series([dt.datetime(2020, 1, 1, h % 24) for h in range(N)]).dt.replace_time_zone("Asia/Tokyo"),
            "d": pl.Series(
                [decimal.Decimal(int(v)).scaleb(-2) for v in rng.integers(0, 99, N)], dtype=pl.Decimal(8, 2)
            ),
            "s": rng.choice(["a", "b"], N),
        }
    )
    done = covey.release(frame, k=3, quasi=frame.columns)
    assert isinstance(done.table, pl.DataFrame)
    assert done.table.columns == frame.columns
    for name in frame.columns:
        if name != "e":
            assert done.table.schema[name] == frame.schema[name], name
    kind = done.table.schema["e"]
    assert isinstance(kind, pl.Enum)
    assert "mid" not in kind.categories.to_list()


def test_integers_are_rounded_to_the_nearest_halves_to_even() -> None:
    done = covey.release(pa.table({"x": [1, 2, 7, 8, 100, 102]}), k=2, quasi=["x"], shuffle=False, method="mdav")
    assert done.arrow["x"].to_pylist() == [2, 2, 8, 8, 101, 101]
    days = pa.array([0, 1, 2, 3], pa.date32())
    assert [
        d.day
        for d in covey.release(pa.table({"x": days}), k=2, quasi=["x"], shuffle=False, method="mdav")
        .arrow["x"]
        .to_pylist()
    ] == [1, 1, 3, 3]


def test_times_keep_their_grain() -> None:
    midnights = pa.array([dt.datetime(2020, 1, d) for d in (1, 2, 9, 11)], pa.timestamp("ns"))
    done = covey.release(pa.table({"x": midnights}), k=2, quasi=["x"], shuffle=False, method="mdav")
    assert [value.hour for value in done.arrow["x"].to_pylist()] == [0] * 4


def test_ties_of_the_mode_follow_the_stated_rule() -> None:
    table = pa.table({"g": ["b", "a", "b", "c", "b", "c"], "x": [1, 1, 1, 50, 50, 50]})
    done = covey.release(
        table, k=2, quasi=["g", "x"], shuffle=False, blocks=[["g"], ["x"]], allow_blocks=True, method="mdav"
    )
    assert set(done.arrow["g"].to_pylist()) <= {"a", "b", "c"}


def test_numbers_can_be_declared_categories() -> None:
    table = pa.table({"code": [1, 1, 900, 900, 7, 7] * 4, "size": list(range(24))})
    done = covey.release(table, k=3, quasi=["code", "size"], nominal=["code"])
    assert set(done.arrow["code"].to_pylist()) <= {1, 7, 900}
    assert done.arrow.schema.field("code").type == pa.int64()
    ordered = covey.release(
        pa.table({"edu": ["low", "high", "mid", "low", "mid", "high"]}),
        k=3,
        quasi=["edu"],
        ordinal={"edu": ["low", "mid", "high"]},
    )
    assert sorted(ordered.arrow["edu"].to_pylist()) == ["high"] * 3 + ["low"] * 3
    with pytest.raises(InputError, match="every category once"):
        covey.release(table, k=3, quasi=["code", "size"], ordinal={"code": ["1", "7"]})


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([[1], [2], [3]]), "column 'x' has the type list"),
        (pa.array([1.0, float("inf"), 2.0]), "column 'x' holds 1 infinite values"),
        (pa.array([2**63 + 1, 2, 3], pa.uint64()), "column 'x' holds integers of 2\\^63 or more"),
        (pa.array([decimal.Decimal(10) ** 30] * 3), "column 'x' holds decimals of more than 18 digits"),
        (pa.array([b"a", b"b", b"c"]), "column 'x' has the type binary"),
    ],
)
def test_types_that_cannot_be_grouped(column: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        covey.release(pa.table({"x": column}), k=2, quasi=["x"])


def test_bad_dataframes() -> None:
    with pytest.raises(InputError, match="the table is a list; needed: a dataframe"):
        covey.release([1, 2, 3], k=2, quasi=["x"])
    doubled = pd.DataFrame([[1, 2]] * 4, columns=["x", "x"])
    with pytest.raises(InputError, match="columns named more than once: x"):
        covey.release(doubled, k=2, quasi=["x"])
    mixed = pd.DataFrame({"x": pd.Series([1, "private value", 3.0, None], dtype=object)})
    with pytest.raises(InputError, match="column 'x' mixes types") as caught:
        covey.release(mixed, k=2, quasi=["x"])
    assert "private" not in str(caught.value)
    numbered = pd.DataFrame({0: [1, 2, 3, 4]})
    assert list(covey.release(numbered, k=2, quasi=["0"], method="mdav").table.columns) == [0]


def test_an_index_named_like_a_column_is_dropped() -> None:
    frame = pd.DataFrame({"age": [1, 2, 3, 4]}, index=pd.Index([9, 8, 7, 6], name="age"))
    assert list(covey.release(frame, k=2, quasi=["age"]).table.columns) == ["age"]


def test_roles_as_an_object_and_columns_named_by_numbers() -> None:
    frame = pd.DataFrame({0: [1, 2, 3, 4], 1: [1, 1, 1, 1]})
    done = covey.release(frame, k=2, quasi=[0, 1])
    assert list(done.table.columns) == [0, 1]
    assert covey.release(frame, k=2, roles=covey.Roles(quasi=("0", "1"))).certificate.k >= 2


@pytest.mark.parametrize("table", [pd.Series([1, 2]), pl.Series([1, 2]), {"x": [1, 2]}, None])
def test_what_is_no_table(table: Any) -> None:
    with pytest.raises(InputError, match="needed: a dataframe"):
        covey.release(table, k=2, quasi=["x"])


def test_types_of_pandas_that_cannot_be_published() -> None:
    frame = pd.DataFrame({"x": range(8), "cut": pd.cut(pd.Series(range(8)), 2)})
    given: list[dict[str, Any]] = [{"quasi": ["x", "cut"]}, {"quasi": ["x"], "keep": ["cut"]}]
    for choices in given:
        with pytest.raises(InputError, match="'cut'"):
            covey.release(frame, k=2, **choices)
