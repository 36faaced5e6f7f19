"""Missing values, strata, weights, coding, zeros, edit rules and blocks, from table to release."""

from __future__ import annotations

import datetime as dt
import decimal
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import covey
from covey.errors import InfeasibleError, InputError, OptionError, RefusedError


def table(n: int = 60, seed: int = 0, **more: Any) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table({"age": rng.integers(18, 90, n), "income": rng.normal(3000, 800, n).round(2), **more})


def release(given: pa.Table, k: int = 3, **choices: Any) -> covey.Release:
    quasi = [name for name in ("age", "income") if name in given.column_names]
    settled: dict[str, Any] = {"quasi": quasi, "shuffle": False}
    return covey.release(given, k=k, **(settled | choices))


def classes(done: covey.Release, names: list[str]) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(done.arrow[name].to_pylist() for name in names), strict=True))


# -- missing values


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
    assert any("rule own-group: income (6)" in note for note in done.report.notes)


def test_a_rare_pattern_follows_the_small_stratum_rule() -> None:
    with pytest.raises(InfeasibleError, match="1 patterns of missing values or zeros hold fewer than k = 7"):
        release(gaps(), k=7, missing="own-group")
    merged = release(gaps(), k=7, missing="own-group", small_strata="merge")
    assert merged.arrow["income"].null_count == 0  # the group's value, for all
    assert merged.arrow.num_rows == 40
    suppressed = release(gaps(), k=7, missing="own-group", small_strata="suppress")
    assert suppressed.arrow.num_rows == 34
    assert suppressed.report.suppressed == 6
    assert any("below k (6 records) were not published" in note for note in suppressed.report.notes)


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


# -- strata


def regions(small: int = 2) -> pa.Table:
    return table(40, region=["north"] * 20 + ["south"] * (20 - small) + ["west"] * small)


def test_groups_never_cross_strata() -> None:
    given = regions(small=10)
    done = release(given, strata=["region"], method="mdav")
    seen: dict[tuple[Any, ...], set[str]] = {}
    for age, income, region in zip(*(done.arrow[c].to_pylist() for c in ("age", "income", "region")), strict=True):
        seen.setdefault((age, income), set()).add(region)
    assert done.arrow["region"].to_pylist() == given["region"].to_pylist()
    assert min(classes(done, ["age", "income", "region"]).values()) >= 3
    assert sum(len(found) > 1 for found in seen.values()) <= 1  # equal means by chance apart


def test_small_strata() -> None:
    with pytest.raises(InfeasibleError, match=r"1 strata hold fewer than k = 3 records \(2 records\).*--small-strata"):
        release(regions(), strata=["region"])
    suppressed = release(regions(), strata=["region"], small_strata="suppress")
    assert "west" not in suppressed.arrow["region"].to_pylist()
    assert suppressed.arrow.num_rows == 38
    merged = release(regions(), strata=["region"], small_strata="merge")
    labels = set(merged.arrow["region"].to_pylist())
    assert "west" not in labels
    assert labels & {"north + west", "south + west"}
    assert len(labels) == 2
    assert merged.arrow.num_rows == 40
    assert any("1 strata below k (2 records) were merged with the nearest" in note for note in merged.report.notes)


def test_the_nearest_stratum_takes_the_small_one() -> None:
    given = pa.table({"age": [1, 2, 3, 2, 50, 51, 52, 53], "region": ["a", "a", "a", "s", "b", "b", "b", "b"]})
    done = covey.release(given, k=2, quasi=["age"], strata=["region"], small_strata="merge", shuffle=False)
    assert done.arrow["region"].to_pylist() == ["a + s"] * 4 + ["b"] * 4


def test_merged_numbers_become_text_and_that_is_reported() -> None:
    given = pa.table({"age": [1, 2, 3, 2, 50, 51, 52, 53], "year": [2001, 2001, 2001, 2002, 2003, 2003, 2003, 2003]})
    done = covey.release(given, k=2, quasi=["age"], strata=["year"], small_strata="merge", shuffle=False)
    assert done.arrow["year"].to_pylist()[0] == "2001 + 2002"
    assert any("published as text" in note for note in done.report.notes)
    two = given.append_column("site", pa.array(["x"] * 8))
    both = covey.release(two, k=2, quasi=["age"], strata=["year", "site"], small_strata="merge", shuffle=False)
    assert set(both.arrow["site"].to_pylist()) == {"x"}


def test_nothing_left_is_an_error() -> None:
    given = table(4, region=list("abcd"))
    with pytest.raises(InfeasibleError, match="every stratum holds fewer than k"):
        release(given, strata=["region"], small_strata="suppress")


# -- weights


def test_weights_enter_the_means_as_repeated_rows() -> None:
    rng = np.random.default_rng(2)
    weight = rng.integers(1, 5, 30)
    given = table(30, weight=weight)
    done = release(given, weight="weight", weights="drop")
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, key in enumerate(zip(done.arrow["age"].to_pylist(), done.arrow["income"].to_pylist(), strict=True)):
        groups.setdefault(key, []).append(i)
    for (_, income), rows in groups.items():
        expanded = np.repeat(given["income"].to_numpy()[rows], weight[rows])
        assert income == pytest.approx(expanded.mean())


def test_group_weights_keep_weighted_totals() -> None:
    given = table(50, weight=np.random.default_rng(3).gamma(2, 2, 50))
    done = release(given, weight="weight")
    (income,) = [t for t in done.report.totals if t["column"] == "income"]
    assert income["before"] == pytest.approx(float((given["income"].to_numpy() * given["weight"].to_numpy()).sum()))
    assert income["after"] == pytest.approx(income["before"])
    assert income["after"] == pytest.approx(
        float((done.arrow["income"].to_numpy() * done.arrow["weight"].to_numpy()).sum())
    )
    assert min(classes(done, ["age", "income", "weight"]).values()) >= 3


def test_k_counts_records_never_weights() -> None:
    given = table(12, weight=[1000.0] * 12)
    assert min(classes(release(given, k=4, weight="weight"), ["age", "income"]).values()) >= 4


def test_published_weights_count_as_known() -> None:
    given = table(50, weight=np.random.default_rng(3).gamma(2, 2, 50))
    with pytest.raises(RefusedError, match="published weights can be known; round them"):
        release(given, weight="weight", weights="keep")
    done = release(given, weight="weight", weights="keep", round_weights=1000)
    assert set(done.arrow["weight"].to_pylist()) == {1000.0}
    assert any("rounded to multiples of 1000" in note for note in done.report.notes)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1.0, None, *[1.0] * 10], "the weight 'weight' is missing in 1 records"),
        ([1.0, 0.0, *[1.0] * 10], "the weight 'weight' is not positive, or beyond 1e\\+100, in 1 records"),
        (["a"] * 12, "the weight 'weight' is nominal; needed: numbers"),
    ],
)
def test_bad_weights(weight: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        release(table(12, weight=weight), weight="weight")


def test_integer_weights_that_become_fractions_are_reported() -> None:
    done = release(table(30, weight=np.arange(1, 31)), weight="weight")
    assert done.arrow.schema.field("weight").type == pa.float64()
    assert any("published as float64" in note for note in done.report.notes)


# -- cost and aggregate


def test_one_column_is_grouped_for_its_aggregate() -> None:
    values = [0, 0, 0, 10, 11, 30, 31, 32, 33, 90.0]
    given = pa.table({"income": values})
    for how, cost in (
        ("mean", "sse"),
        ("median", "sae"),
        ("midrange", "maxdist"),
        ("max", "roundup"),
        ("min", "rounddown"),
    ):
        done = release(given, aggregates={"income": how})
        partition = covey.partition(values, 3, cost=cost)
        expected = {tuple(group) for group in partition.groups()}
        seen: dict[Any, list[int]] = {}
        for i, value in enumerate(done.arrow["income"].to_pylist()):
            seen.setdefault(value, []).append(i)
        assert {tuple(rows) for rows in seen.values()} == expected, how
        assert done.report.groups[0]["status"] == "optimal"


def test_own_values_can_be_refused() -> None:
    given = table(9)
    done = release(given, aggregates={"income": "max"})
    assert any("one member's own: income (own value 3" in note for note in done.report.notes)
    with pytest.raises(RefusedError, match=r"income \(own value 3.*refused as asked"):
        release(given, aggregates={"income": "max"}, refuse_own_values=True)
    rich = table(9).set_column(1, "income", pa.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e6]))
    with pytest.raises(RefusedError, match=r"income \(own value 0, p % 1, dominated 1\)"):
        release(rich, refuse_own_values=True)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (
            {"aggregates": {"ward": "mean"}},
            "the aggregate of 'ward' is 'mean', and the column is nominal; needed: one of mode",
        ),
        ({"aggregates": {"age": "average"}}, "the aggregate of 'age' is 'average'"),
        ({"top": {"ward": "99%"}}, "top coding of 'ward', which is nominal"),
        ({"top": {"age": "199%"}}, "a quantile from 0% to 100%"),
        ({"top": {"age": "many"}}, "a value of type int64, or a quantile"),
        ({"zeros_apart": ["ward"]}, "zeros_apart names 'ward', which is nominal"),
        ({"edits": ["ward >= 0"]}, "an edit rule speaks of 'ward'; needed: quasi-identifiers that are numbers"),
        ({"edits": ["age = income + age"]}, "differ in type"),
    ],
)
def test_choices_that_do_not_fit_the_column(choices: dict[str, Any], message: str) -> None:
    given = table(12, ward=["x", "y"] * 6)
    with pytest.raises(OptionError, match=message):
        release(given, quasi=["age", "income", "ward"], **choices)


# -- coding, zeros, edit rules


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
    assert "top coding of column 'age': 9 values moved" in done.report.notes
    assert "bottom coding of column 'age': 10 values moved" in done.report.notes
    assert "top coding of column 'day': 40 values moved" in done.report.notes


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


# -- blocks


def test_blocks_are_grouped_separately_and_k_is_stated_jointly() -> None:
    given = table(60, seed=6)
    with pytest.raises(RefusedError, match="blocks reach k each by itself; allow a lower k jointly"):
        release(given, blocks=[["age"], ["income"]])
    done = release(given, blocks=[["age"], ["income"]], allow_blocks=True)
    assert min(classes(done, ["age"]).values()) >= 3
    assert min(classes(done, ["income"]).values()) >= 3
    joint = min(classes(done, ["age", "income"]).values())
    assert done.certificate.k == joint < 3
    assert done.certificate.public["blocks"] == [["age"], ["income"]]
    with pytest.raises(OptionError, match="a weight belongs to one grouping"):
        release(table(60, w=[1.0] * 60), weight="w", blocks=[["age"], ["income"]])


@pytest.mark.parametrize(
    "method", ["mdav", "vmdav", "cbfs", "split", "pca", "search", "kmeans", "tour", "nearest-neighbour"]
)
def test_methods_by_name(method: str) -> None:
    options = {"effort": 20} if method == "search" else {}
    done = release(table(40), method=method, options=options)
    assert done.certificate.public["method"] == method
    assert min(classes(done, ["age", "income"]).values()) >= 3


def test_a_seed_reaches_the_method() -> None:
    given = table(80, seed=9)
    released = {
        seed: release(given, method="random-projection", seed=seed, options={"projections": 1}).arrow for seed in (1, 2)
    }
    assert not released[1].equals(released[2])


@pytest.mark.parametrize("n", [3, 5, 6])
def test_k_rows_and_a_few_more(n: int) -> None:
    done = release(table(n))
    assert done.arrow.num_rows == n
    assert min(classes(done, ["age", "income"]).values()) >= 3


def test_one_row_and_no_row() -> None:
    with pytest.raises(InfeasibleError, match="the table has 1 records, and k is 3"):
        release(table(1))
    with pytest.raises(InputError, match="the table has no rows"):
        release(table(0))


def test_ten_thousand_categories_and_one() -> None:
    given = pa.table({"zip": [f"z{i % 10000}" for i in range(20000)], "same": ["x"] * 20000})
    done = covey.release(given, k=3, quasi=["zip", "same"], method="split")
    assert done.certificate.k >= 3
    assert set(done.arrow["same"].to_pylist()) == {"x"}
    assert any("10000 categories: distances between them are approximate" in note for note in done.report.notes)


# -- found by reviews


def test_a_published_weight_counts_beside_every_block() -> None:
    given = table(40, w=np.arange(1.0, 41.0))
    blocks = [["age"], ["income"]]
    with pytest.raises(RefusedError, match="the smallest holds 1.*published weights can be known"):
        release(given, weight="w", weights="keep", blocks=blocks, allow_blocks=True)
    with pytest.raises(OptionError, match="allow_blocks is given, and has no effect without two blocks"):
        release(given, drop=["w"], blocks=[["age", "income"]], allow_blocks=True)


def test_published_unit_ids_count_beside_every_block() -> None:
    given = table(40, who=[f"u{i // 2}" for i in range(40)])
    with pytest.raises(RefusedError, match="published ids link the rows of a unit"):
        release(given, unit="who", random_ids=["who"], blocks=[["age"], ["income"]], allow_blocks=True, method="mdav")


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64()])
def test_one_group_s_weights_do_not_touch_another_s(kind: Any) -> None:
    values = pa.array([0, 1, 2, 3, 4, 100, 101, 102, 103, 104]).cast(kind)
    for heavy in (1e12, 1e17):
        given = pa.table({"x": values, "w": [heavy] * 5 + [0.3] * 5})
        for how in ("median", "trimmed-mean", "mean"):
            done = covey.release(
                given, k=5, quasi=["x"], weight="w", weights="drop", aggregates={"x": how}, shuffle=False, method="mdav"
            )
            assert set(done.arrow["x"].to_pylist()) == {2, 102}, how


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"top": {"income": float("nan")}}, "top coding of 'income' at nan"),
        ({"top": {"age": float("inf")}}, "top coding of 'age' at inf"),
        ({"top": {"age": 1e400}}, "top coding of 'age' at inf"),
        ({"top": {"age": 20}, "bottom": {"age": 80}}, "bottom coding of 'age' lies above its top coding"),
        ({"categories": "frequency"}, "categories is given, and no quasi-identifier is an unordered category"),
        ({"dominance": [1, "x"]}, "the percentage of dominance is 'x'"),
        ({"ordinal": {"age": 5}}, "the order of age is 5"),
        ({"blocks": [5]}, "a block is 5"),
        ({"seed": "x"}, "seed is 'x'; needed: an integer of at least 0"),
    ],
)
def test_more_choices_that_cannot_be(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        release(table(12), **choices)


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


def test_own_values_of_categories_weights_units_and_trimmed_means() -> None:
    names = pa.table({"name": [f"P{i}" for i in range(30)], "age": list(range(30))})
    with pytest.raises(RefusedError, match=r"name \(own value"):
        covey.release(names, k=5, quasi=["name", "age"], refuse_own_values=True)
    given = pa.table({"x": [0.0, 1.0, 2.0, 3.0, 100.0, 101.0, 102.0, 103.0], "w": [1.0, 5.0, 1.0, 1.0] * 2})
    common: dict[str, Any] = {"k": 4, "quasi": ["x"], "weight": "w", "weights": "drop", "refuse_own_values": True}
    with pytest.raises(RefusedError, match=r"x \(own value 2"):
        covey.release(given, aggregates={"x": "median"}, **common)
    with pytest.raises(RefusedError, match=r"x \(own value"):
        covey.release(
            pa.table({"x": list(range(9))}),
            k=3,
            quasi=["x"],
            aggregates={"x": "trimmed-mean"},
            trim=0.4,
            refuse_own_values=True,
        )
    firms = pa.table({"firm": [f"f{max(0, i - 4)}" for i in range(12)], "x": [1000.0] * 5 + [1.0] * 7})
    with pytest.raises(RefusedError, match=r"x \(own value 0, p % 1, dominated 1\)"):
        covey.release(firms, k=5, quasi=["x"], unit="firm", refuse_own_values=True)


def test_totals_are_compared_with_the_table_that_came_in() -> None:
    given = pa.table({"x": [1.0] * 50 + [30.0] * 50, "s": ["a"] * 98 + ["b"] * 2})
    coded = covey.release(given, k=3, quasi=["x"], drop=["s"], top={"x": 10})
    assert coded.report.totals[0]["before"] == 1550.0
    assert coded.report.totals[0]["after"] == 550.0
    cut = covey.release(given, k=3, quasi=["x"], strata=["s"], small_strata="suppress")
    assert cut.report.totals[0]["before"] == 1550.0
    assert cut.report.totals[0]["after"] == 1490.0
    one = covey.release(pa.table({"x": [0.0] * 99 + [1234567.0]}), k=3, quasi=["x"], aggregates={"x": "median"})
    assert one.report.totals == []  # it would tell of one record
    assert any("totals are not shown" in note for note in one.report.notes)


def test_a_total_stays_where_a_part_is_missing() -> None:
    b = [None if i % 4 == 0 else i for i in range(40)]
    given = pa.table({"a": list(range(40)), "b": b, "t": [i + (v or 0) for i, v in enumerate(b)]})
    done = covey.release(given, k=4, quasi=["a", "b", "t"], missing="own-group", edits=["t = a + b"])
    assert done.arrow["t"].null_count == 0
    for row in done.arrow.to_pylist():
        assert row["b"] is None or row["t"] == row["a"] + row["b"]


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


@pytest.mark.parametrize("kind", [pa.decimal128(5, 2), pa.uint8(), pa.int64()])
def test_weights_of_every_type(kind: Any) -> None:
    given = table(20, w=pa.array([decimal.Decimal(3)] * 20).cast(pa.decimal128(5, 2)).cast(kind))
    assert set(release(given, weight="w", weights="keep").arrow["w"].to_pylist()) == {3}
    rounded = release(given, weight="w", weights="keep", round_weights=300)
    assert set(rounded.arrow["w"].to_pylist()) == {300}
    assert release(given, weight="w").arrow.schema.field("w").type == kind


def test_merged_labels_tell_nothing_of_the_order() -> None:
    region = pa.array(["z"] * 10 + ["a"] * 10 + ["y"]).dictionary_encode()
    done = covey.release(
        pa.table({"x": list(range(21)), "region": region}), k=3, quasi=["x"], strata=["region"], small_strata="merge"
    )
    chunk = done.arrow["region"].combine_chunks()
    assert chunk.dictionary.to_pylist() == sorted(chunk.dictionary.to_pylist())
    assert chunk.type.index_type == region.type.index_type


def test_kept_columns_of_any_size_and_not_a_number() -> None:
    given = table(20, big=pa.array([2**63 + 5, 7] * 10, pa.uint64()), f=[1.0, float("inf"), float("nan"), 2.0, 1.0] * 4)
    done = release(given, keep=["big", "f"], accept=["f"])
    assert sorted(done.arrow["big"].to_pylist()) == sorted(given["big"].to_pylist())
    assert done.arrow["f"].to_pylist().count(float("inf")) == 4
    assert any("'f': 4 values that are not a number are published as missing" in note for note in done.report.notes)


def test_a_method_that_knows_only_means_says_so() -> None:
    done = release(table(12), quasi=["age"], drop=["income"], method="mdav", aggregates={"age": "median"})
    assert any("made for means (sse), whatever the aggregates of age" in note for note in done.report.notes)
    best = release(table(12), quasi=["age"], drop=["income"], aggregates={"age": "median"})
    assert not any("made for means" in note for note in best.report.notes)
