"""Coded ends, zeros that stay zeros, edit rules, totals."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import covey
from covey.columns.top_coding import limits
from covey.columns.values import read_values
from covey.errors import InputError, OptionError
from tests.protect.releases import release, table


def test_top_and_bottom_coding() -> None:
    given = pa.table({"age": list(range(100)), "day": pa.array(range(100), pa.date32())})
    done = covey.release(
        given,
        k=5,
        quasi=["age", "day"],
        top={"age": 90, "day": dt.date(1970, 3, 1)},
        bottom={"age": "10%"},
        shuffle=False,
    )
    assert max(done.arrow["age"].to_pylist()) <= 90
    assert min(done.arrow["age"].to_pylist()) >= 9
    assert max(done.arrow["day"].to_pylist()) <= dt.date(1970, 3, 1)
    assert "top coding of column 'age': 9 values moved" in map(str, done.report.notes)
    assert "bottom coding of column 'age': 10 values moved" in map(str, done.report.notes)
    assert "top coding of column 'day': 40 values moved" in map(str, done.report.notes)


def test_zeros_stay_zeros() -> None:
    rng = np.random.default_rng(4)
    rent = np.where(rng.random(80) < 0.5, 0.0, rng.gamma(2, 300, 80))
    given = table(80, rent=rent)
    done = release(given, quasi=["age", "income", "rent"], zeros_apart=["rent"])
    assert [value == 0.0 for value in done.arrow["rent"].to_pylist()] == (rent == 0).tolist()
    mixed = release(given, quasi=["age", "income", "rent"])
    assert [value == 0.0 for value in mixed.arrow["rent"].to_pylist()] != (rent == 0).tolist()


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.float32(), pa.decimal128(12, 2)])
def test_edit_rules_hold_after_rounding(kind: Any) -> None:
    rng = np.random.default_rng(5)
    wages, rents, gifts = (rng.integers(0, 5000, 60) for _ in range(3))

    def column(values: Any) -> pa.Array:
        return (
            pa.array([decimal.Decimal(int(v)) for v in values], pa.decimal128(12, 2))
            if pa.types.is_decimal(kind)
            else pa.array(values).cast(kind)
        )

    given = pa.table(
        {
            "wages": column(wages),
            "rents": column(rents),
            "gifts": column(gifts),
            "other": column(rents + gifts),
            "total": column(wages + rents + gifts),
        }
    )
    rules = ["total = wages + other", "other = rents + gifts", "wages >= 0"]
    done = covey.release(given, k=4, quasi=given.column_names, edits=rules)
    rows = done.arrow.to_pylist()
    assert all(row["wages"] >= 0 for row in rows)
    for row in rows:
        for total, parts in (("total", ("wages", "other")), ("other", ("rents", "gifts"))):
            expected = sum(row[part] for part in parts)
            assert row[total] == (np.float32(expected) if kind == pa.float32() else expected)
    medians = covey.release(given, k=4, quasi=given.column_names, edits=rules, aggregates={"wages": "median"})
    assert all(
        row["other"]
        == (np.float32(row["rents"] + row["gifts"]) if kind == pa.float32() else row["rents"] + row["gifts"])
        for row in medians.arrow.to_pylist()
    )


def test_records_that_break_a_rule_are_an_error() -> None:
    given = pa.table({"a": [1, 2, 3, 4], "b": [1, 1, 1, 1], "t": [2, 3, 4, 99]})
    with pytest.raises(InputError, match=r"1 records of the table break the edit rule t = a \+ b"):
        covey.release(given, k=2, quasi=["a", "b", "t"], edits=["t = a + b"])
    for rules, message in ((["t = a + b", "t = b + a"], "a second sum"), (["t = a + b", "a = t + b"], "in a circle")):
        with pytest.raises(OptionError, match=message):
            covey.release(given, k=2, quasi=["a", "b", "t"], edits=rules)


def test_ends_of_times_in_their_own_zone() -> None:
    zone = "America/New_York"
    local = pa.array([dt.datetime(2020, 1, d, 12) for d in range(1, 13)]).cast(pa.timestamp("us"))
    given = pa.table({"t": pc.assume_timezone(local, zone)})
    done = covey.release(given, k=3, quasi=["t"], top={"t": "2020-01-06 12:00"}, shuffle=False)
    assert max(done.arrow["t"].to_pylist()).replace(tzinfo=None) == dt.datetime(2020, 1, 6, 12)
    aware = covey.release(given, k=3, quasi=["t"], top={"t": "2020-01-06T17:00:00+00:00"}, shuffle=False)
    assert aware.arrow.equals(done.arrow)
    clock = pa.table({"c": pa.array([3600 * h for h in range(12)], pa.int32()).cast(pa.time32("s"))})
    assert max(covey.release(clock, k=3, quasi=["c"], top={"c": "06:00"}).arrow["c"].to_pylist()) <= dt.time(6)
    lengths = pa.table({"d": pa.array(range(12), pa.int64()).cast(pa.duration("s"))})
    assert max(covey.release(lengths, k=3, quasi=["d"], top={"d": 5}).arrow["d"].to_pylist()) <= dt.timedelta(seconds=5)


def test_local_midnights_stay_midnights() -> None:
    local = pa.array([dt.datetime(2020, m, d) for m in (3, 7) for d in range(1, 9)]).cast(pa.timestamp("us"))
    given = pa.table({"t": pc.assume_timezone(local, "Europe/Berlin")})
    done = covey.release(given, k=4, quasi=["t"])
    assert {(v.hour, v.minute) for v in done.arrow["t"].to_pylist()} == {(0, 0)}
    assert done.arrow.schema.field("t").type == given.schema.field("t").type


def test_a_coded_time_keeps_the_median_between_the_members() -> None:
    given = pa.table({"t": pa.array([dt.datetime(2020, 1, d) for d in range(1, 9)]).cast(pa.timestamp("us"))})
    done = covey.release(
        given, k=4, quasi=["t"], top={"t": "2020-01-02 18:00"}, aggregates={"t": "median"}, shuffle=False
    )
    assert max(done.arrow["t"].to_pylist()) == dt.datetime(2020, 1, 2, 18)


def test_totals_are_compared_with_the_table_that_came_in() -> None:
    given = pa.table({"x": [1.0] * 50 + [30.0] * 50, "s": ["a"] * 98 + ["b"] * 2})
    coded = covey.release(given, k=3, quasi=["x"], drop=["s"], top={"x": 10}, number=["x"])
    assert coded.report.totals[0].before == 1550.0
    assert coded.report.totals[0].after == 550.0
    cut = covey.release(given, k=3, quasi=["x"], strata=["s"], small_strata="suppress", number=["x"])
    assert cut.report.totals[0].before == 1550.0
    assert cut.report.totals[0].after == 1490.0
    outlier = pa.table({"income": [0.0] * 99 + [1234567.0]})
    one = covey.release(outlier, k=3, quasi=["income"], aggregates={"income": "median"})
    assert one.report.totals == []  # it would tell of one record
    assert any("totals are not shown" in str(note) for note in one.report.notes)


def test_sums_that_leave_their_type_are_an_error() -> None:
    given = pa.table(
        {
            "a": pa.array([63, 64] * 4, pa.int8()),
            "b": pa.array([64, 63] * 4, pa.int8()),
            "t": pa.array([127] * 8, pa.int8()),
        }
    )
    with pytest.raises(InputError, match="the sum of the published parts of 't' leaves its type int8"):
        covey.release(given, k=8, quasi=["a", "b", "t"], edits=["t = a + b"])


def test_float32_parts_add_up_as_float32() -> None:
    rng = np.random.default_rng(3)
    a, b, c = (rng.random(200).astype(np.float32) * 1000 for _ in range(3))
    given = pa.table({"a": a, "b": b, "c": c, "t": (a + b) + c})
    done = covey.release(given, k=4, quasi=["a", "b", "c", "t"], edits=["t = a + b + c"])
    a, b, c, t = (done.arrow[name].to_numpy() for name in "abct")
    assert np.array_equal((a + b) + c, t)


@pytest.mark.parametrize("seed", range(3))
def test_quantiles_become_round_numbers_on_the_side_of_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start = dt.datetime(1950, 3, 4)
    seconds = rng.uniform(0, 86400 * 20000, 200)
    columns: dict[str, tuple[pa.Array, Any]] = {
        "float": (pa.array(rng.normal(0, 0.05, 200)), None),
        "whole": (pa.array(rng.integers(-900, 900, 200)), None),
        "decimal": (
            pa.array([decimal.Decimal(int(v)) / 100 for v in rng.integers(0, 10**6, 200)], pa.decimal128(12, 2)),
            None,
        ),
        "date": (
            pa.array([(start + dt.timedelta(seconds=s)).date() for s in seconds]),
            lambda v: (v.month, v.day) == (1, 1),
        ),
        "moment": (
            pa.array([start + dt.timedelta(seconds=s / 4000) for s in seconds], pa.timestamp("us")),
            lambda v: (v.minute, v.second, v.microsecond) == (0, 0, 0),
        ),
        "clock": (
            pa.array((seconds % 86400).astype("int32")).cast(pa.time32("s")),
            lambda v: (v.minute, v.second) == (0, 0),
        ),
        "length": (pa.array(seconds.astype(int)).cast(pa.duration("s")), lambda v: v.seconds == 0),
    }
    for name, (column, is_round) in columns.items():
        values = read_values(name, column)
        ends = limits(values, top="97%", bottom="3%")
        known = np.sort(values.physical)
        spread = float(known[190] - known[9])
        for end, exact in (("top", known[int(0.97 * 199)]), ("bottom", known[6])):
            inwards = exact - ends[end] if end == "top" else ends[end] - exact
            assert 0 <= inwards <= spread / 15, (name, end)
            assert ends[end] not in known, (name, end)
            shown = values.replaced(np.array([ends[end]]).astype(values.physical.dtype), np.array([True])).build()[0]
            digits = (
                len(str(abs(decimal.Decimal(repr(ends[end])))).replace(".", "").strip("0")) if is_round is None else 0
            )
            assert is_round(shown.as_py()) if is_round else digits <= 3, (name, end, shown)


def test_a_quantile_that_nearly_all_share_stays() -> None:
    given = pa.table({"x": [7.3] * 60 + [7.31, 900.0]})
    done = covey.release(given, 5, quasi=["x"], top={"x": "50%"})
    assert set(done.arrow["x"].to_pylist()) == {7.3}
