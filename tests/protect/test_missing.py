"""Records whose quasi-identifiers are missing, from table to release."""

from __future__ import annotations

import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, InputError
from tests.protect.releases import classes, release, table


def gaps() -> pa.Table:
    given = table(40)
    income = given["income"].to_pylist()
    income[3:9] = [None] * 6
    return given.set_column(1, "income", pa.array(income))


def test_missing_values_are_an_error_that_names_columns_and_counts() -> None:
    with pytest.raises(InputError, match=r"missing values: income \(6\)"):
        release(gaps())


def test_own_group_never_mixes_patterns() -> None:
    done = release(gaps(), missing="own-group")
    released = done.arrow["income"].to_pylist()
    assert [i for i, value in enumerate(released) if value is None] == list(range(3, 9))
    assert min(classes(done, ["age", "income"]).values()) >= 3
    assert any("rule own-group: income (6)" in str(note) for note in done.report.notes)


def test_a_rare_pattern_follows_the_small_stratum_rule() -> None:
    with pytest.raises(InfeasibleError, match="1 pattern of missing values or zeros holds fewer than k = 7"):
        release(gaps(), k=7, missing="own-group")
    merged = release(gaps(), k=7, missing="own-group", small_strata="merge")
    assert merged.arrow["income"].null_count == 0  # the group's value, for all
    assert merged.arrow.num_rows == 40
    suppressed = release(gaps(), k=7, missing="own-group", small_strata="suppress")
    assert suppressed.arrow.num_rows == 34
    assert suppressed.report.suppressed == 6
    assert any("below k (6 records) was not published" in str(note) for note in suppressed.report.notes)


def test_coordinate_releases_the_group_s_value_for_all() -> None:
    done = release(gaps(), missing="coordinate")
    assert min(classes(done, ["age", "income"]).values()) >= 3
    far = release(gaps(), missing="coordinate", penalty=1e6)
    near = release(gaps(), missing="coordinate", penalty=0)
    assert far.arrow["income"].null_count >= 3 > near.arrow["income"].null_count  # far away they only meet each other


def test_a_column_without_any_value() -> None:
    given = table(12).append_column("empty", pa.nulls(12, pa.float64()))
    for rule in ("own-group", "coordinate"):
        done = release(given, quasi=["age", "empty"], drop=["income"], missing=rule)
        assert done.arrow["empty"].null_count == 12


def test_a_total_stays_where_a_part_is_missing() -> None:
    b = [None if i % 4 == 0 else i for i in range(40)]
    given = pa.table({"a": list(range(40)), "b": b, "t": [i + (v or 0) for i, v in enumerate(b)]})
    done = covey.release(given, k=4, quasi=["a", "b", "t"], missing="own-group", edits=["t = a + b"])
    assert done.arrow["t"].null_count == 0
    for row in done.arrow.to_pylist():
        assert row["b"] is None or row["t"] == row["a"] + row["b"]
