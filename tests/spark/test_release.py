"""A release on a cluster is the release of one machine: roles, types, rules, losses, recount and certificate."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.core.requirement import Requirement
from covey.errors import InfeasibleError, InputError, OptionError
from covey.measures.measures import Measuring
from covey.report.render import to_json
from covey.spark import release
from covey.spark.refine import further_rounds
from covey.spark.sql import functions
from covey.spark.survey import size_of, take_survey
from covey.spark.tasks import planned
from tests.parts.test_kinds import wards
from tests.protect import firms
from tests.spark.tables import mixed_table, one_column

SECRET = "5e" * 32
QUASI = ["age", "charge.x", "price", "born", "seen", "local", "ward", "smokes"]


def lost(table: Any, released: Any, power: int = 2) -> float:
    """What was lost, row by row."""
    before, after = (one.sort_by("row").column("income").to_numpy() for one in (table, released))
    return float((np.abs(before - after) ** power).sum())


def sizes_of_parts(spark: Any, done: Any) -> list[int]:
    """The number of rows of each part."""
    with planned(spark, 1):  # else Spark reads several parts in one task
        return [row["count"] for row in done.table.groupBy(functions.spark_partition_id()).count().collect()]


@pytest.mark.parametrize("partitions", [1, 7])
def test_one_column_is_exact_whatever_the_partitions(spark: Any, partitions: int) -> None:
    table = one_column(6000)
    choices: dict[str, Any] = {"k": 3, "quasi": ["income"], "keep": ["row"], "accept": ["row"]}
    wanted = covey.release(table, **choices)
    found = release(spark.createDataFrame(table).repartition(partitions), piece_rows=700, **choices)
    assert found.report.groups[0].status == "optimal"
    released = found.table.toArrow()
    found.close()
    assert lost(table, released) == pytest.approx(lost(table, wanted.arrow), rel=1e-12)


@pytest.mark.parametrize(("aggregate", "alone"), [("mean", True), ("mean", False), ("median", False)])
def test_a_value_that_many_rows_share_is_many_pieces(spark: Any, aggregate: str, *, alone: bool) -> None:
    """As exact as ever, and no part is as large as the rows of a value; with and without a column that tells rows apart."""
    rng = np.random.default_rng(8)
    few = np.concatenate([rng.choice([20.0, 40.0, 41.0], 11_000, p=[0.5, 0.4, 0.1]), rng.random(1000) * 60])
    table = pa.table({"income": rng.permutation(few), "row": np.arange(12_000)})
    kept: dict[str, Any] = {"drop": ["row"]} if alone else {"keep": ["row"], "accept": ["row"]}
    choices: dict[str, Any] = {"k": 3, "quasi": ["income"], "aggregates": {"income": aggregate}} | kept
    wanted = covey.release(table, **choices)
    found = release(spark.createDataFrame(table).repartition(3), piece_rows=700, **choices)
    assert max(sizes_of_parts(spark, found)) < 2500  # 5500 rows have one value
    assert found.report.groups[0].status == "optimal"
    released = found.table.toArrow()
    found.close()
    assert released.num_rows == 12_000
    if alone:
        assert found.report.groups[0].loss_percent == pytest.approx(wanted.report.groups[0].loss_percent, rel=1e-9)
    else:
        power = 2 if aggregate == "mean" else 1
        assert lost(table, released, power) == pytest.approx(lost(table, wanted.arrow, power), rel=1e-9)


def test_equal_rows_of_several_columns_are_dealt_out(spark: Any) -> None:
    """Rows that are the same in all columns went to one piece, however many there were."""
    rng = np.random.default_rng(9)
    table = pa.table({"age": rng.choice([20, 40], 6000, p=[0.9, 0.1]), "rent": np.zeros(6000)})
    df = spark.createDataFrame(table).repartition(3)
    found = release(df, 3, quasi=["age", "rent"], piece_rows=700, ledger=False)
    sizes = sizes_of_parts(spark, found)
    found.close()
    assert sum(sizes) == 6000
    assert max(sizes) < 3500  # two pieces, which may fall short by chance; 5400 rows are the same


def test_weights_of_one_column_count_across_pieces(spark: Any) -> None:
    rng = np.random.default_rng(4)
    x, weights = rng.lognormal(10, 1, 4000), rng.integers(1, 40, 4000)
    table = pa.table({"income": x, "weight": weights, "row": np.arange(4000)})
    choices: dict[str, Any] = {
        "quasi": ["income"],
        "weight": "weight",
        "weights": "drop",
        "keep": ["row"],
        "accept": ["row"],
    }
    found = release(spark.createDataFrame(table).repartition(3), k=3, piece_rows=700, **choices)
    assert found.report.groups[0].status == "feasible"
    released = found.table.toArrow()
    found.close()
    published = released["income"].to_numpy()[np.argsort(released["row"].to_numpy())]
    best = covey.solve(x, 3, weights=weights)
    assert np.sum(weights * (x - published) ** 2) == pytest.approx(best.loss, rel=1e-9)


def test_the_cost_goes_with_the_aggregate(spark: Any) -> None:
    table = one_column(4000)
    choices: dict[str, Any] = {"k": 3, "quasi": ["income"], "aggregates": {"income": "median"}, "drop_rest": True}
    wanted = covey.release(table, **choices)
    found = release(spark.createDataFrame(table).repartition(2), piece_rows=700, **choices)
    assert found.report.groups[0].cost == "sae"
    sums = [incomes.to_pandas().groupby("income").size().size for incomes in (found.table.toArrow(), wanted.arrow)]
    found.close()
    assert sums[0] == sums[1]


def test_types_roles_and_rules_are_those_of_one_machine(spark: Any) -> None:
    table = mixed_table()
    choices: dict[str, Any] = {
        "k": 5,
        "quasi": QUASI,
        "strata": ["region"],
        "weight": "weight",
        "random_ids": ["name"],
        "sensitive": ["diagnosis"],
        "keep": ["note"],
        "missing": "own-group",
        "small_strata": "merge",
        "entropy": SECRET,
    }
    wanted = covey.release(table, **choices)
    df = spark.createDataFrame(table).repartition(3)
    df = df.withColumn("local", df["local"].cast("timestamp_ntz"))
    found = release(df, piece_rows=200, **choices)
    released = found.table.toArrow()
    assert released.column_names == wanted.arrow.column_names
    for name in (*QUASI, "region", "diagnosis", "note"):
        assert released.schema.field(name).type == table.schema.field(name).type, name
    for name in ("region", "diagnosis", "note"):
        assert sorted(map(str, released.column(name).to_pylist())) == sorted(map(str, table.column(name).to_pylist()))
    assert released.column("charge.x").null_count == table.column("charge.x").null_count
    assert len(set(released.column("name").to_pylist())) == table.num_rows
    assert not set(released.column("name").to_pylist()) & set(table.column("name").to_pylist())
    assert found.certificate.k >= 5
    assert set(found.certificate.public) == set(wanted.certificate.public)
    assert set(found.certificate.internal) == set(wanted.certificate.internal)
    assert found.report.groups[0].loss_percent < 2 * wanted.report.groups[0].loss_percent
    totals = {one.column: one.change_percent for one in found.report.totals}
    assert set(totals) == {one.column for one in wanted.report.totals}
    assert all(abs(change) < 0.5 for change in totals.values())
    found.close()


@pytest.mark.parametrize("columns", [2, 6])
def test_groups_are_improved_across_the_borders_of_pieces(
    spark: Any, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one further round, and with the two of six coordinates."""
    rng = np.random.default_rng(3)
    table = pa.table({f"q{place}": rng.uniform(size=3000) for place in range(columns)})
    choices: dict[str, Any] = {"k": 3, "quasi": table.column_names, "entropy": SECRET}
    df = spark.createDataFrame(table).repartition(2)
    losses = []
    for rounds in (further_rounds, mock.Mock(return_value=[])):
        monkeypatch.setattr(import_module("covey.spark.release"), "further_rounds", rounds)
        found = release(df, piece_rows=150, ledger=False, **choices)
        losses.append(found.report.groups[0].loss_percent)
        assert found.table.count() == 3000
        found.close()
    whole = covey.release(table, **choices).report.groups[0].loss_percent
    assert losses[1] > 1.03 * whole  # else this shows nothing
    assert losses[0] - whole < 0.7 * (losses[1] - whole)


def test_requirements_hold_in_every_piece(spark: Any) -> None:
    table = mixed_table(900)
    found = release(
        spark.createDataFrame(table).repartition(2),
        k=4,
        quasi=["age", "price"],
        sensitive=["diagnosis"],
        l_diversity=3,
        t_closeness=0.5,
        drop_rest=True,
        piece_rows=150,
    )
    reached = {one.kind: one.worst_class for one in found.report.requirements}
    alone = covey.verify(found.table.toArrow(), covey.Recipe(k=4, roles=found.recipe.roles).counted, 4)
    assert alone.k == found.certificate.k
    assert reached["distinct"] >= 3
    assert reached["t-closeness" if "t-closeness" in reached else "closeness"] <= 0.5
    (seen,) = found.report.sensitive
    assert seen.distinct_l == reached["distinct"]
    assert seen.t_closeness == pytest.approx(list(reached.values())[1])
    found.close()


def test_k_counts_units(spark: Any) -> None:
    table = mixed_table(600).append_column("household", pa.array(np.arange(600) // 2))
    found = release(
        spark.createDataFrame(table).repartition(2),
        k=3,
        quasi=["age", "price"],
        unit="household",
        drop_rest=True,
        piece_rows=200,
    )
    assert found.certificate.k >= 3
    assert found.certificate.public["counted_in"] == "units"
    assert found.table.columns == ["age", "price"]
    found.close()


def test_what_cannot_be_released_is_refused_without_a_value(spark: Any) -> None:
    df = spark.createDataFrame(mixed_table(60))
    with pytest.raises(InfeasibleError, match="(strata hold|stratum holds) fewer than k = 25 records"):
        release(df, k=25, quasi=["age"], strata=["region"], drop_rest=True)
    with pytest.raises(InputError, match="missing values: charge.x"):
        release(df, k=3, quasi=["charge.x"], drop_rest=True)
    with pytest.raises(OptionError, match="columns without a role"):
        release(df, k=3, quasi=["age"])
    with pytest.raises(OptionError, match="rows of a cluster have no order"):
        release(df, k=3, quasi=["age"], drop_rest=True, shuffle=False)
    with pytest.raises(OptionError, match="piece_rows is 5"):
        release(df, k=3, quasi=["age"], drop_rest=True, piece_rows=5)
    with pytest.raises(InputError, match="a Table; needed: a Spark dataframe"):
        release(mixed_table(60), k=3, quasi=["age"], drop_rest=True)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="column 'covey part' has a name that Covey needs"):
        release(df.withColumnRenamed("note", "covey part"), k=3, quasi=["age"], drop_rest=True)


def test_closeness_is_to_what_is_published_and_ids_do_not_repeat(spark: Any) -> None:
    rng = np.random.default_rng(4)
    table = pa.table(
        {
            "age": rng.integers(18, 90, 600),
            "region": ["rock"] * 3 + ["land"] * 597,
            "illness": ["plague"] * 3 + rng.choice(["flu", "gout"], 597).tolist(),
            "name": ["same"] * 600,
        }
    )
    rules: dict[str, Any] = {
        "strata": ["region"],
        "small_strata": "suppress",
        "sensitive": ["illness"],
        "t_closeness": 0.4,
    }
    frame = spark.createDataFrame(table).repartition(2)
    found = release(frame, 5, quasi=["age"], drop_rest=True, **rules)
    assert found.table.count() == 597
    assert found.report.requirements[0].worst_class <= 0.4
    found.close()
    with pytest.raises(InputError, match="repeats, and random ids would link"):
        release(frame, 5, quasi=["age"], random_ids=["name"], drop_rest=True)


def test_strata_that_fail_a_requirement_follow_the_rule(spark: Any) -> None:
    table = wards(np.random.default_rng(0), 300)
    for rule in ("merge", "suppress"):
        choices: dict[str, Any] = {"quasi": ["income"], "strata": ["ward"], "sensitive": ["illness"], "drop_rest": True}
        choices |= {"k": 3, "l_diversity": 2, "small_strata": rule}
        wanted = covey.release(table, **choices)
        found = release(spark.createDataFrame(table).repartition(2), piece_rows=150, **choices)
        wards_of = [Counter(out["ward"].to_pylist()) for out in (found.table.toArrow(), wanted.arrow)]
        assert wards_of[0] == wards_of[1]
        assert len(wards_of[0]) < 6
        found.close()


def test_units_that_would_lack_rows_of_small_patterns_are_refused(spark: Any) -> None:
    rng = np.random.default_rng(3)
    income = rng.lognormal(3, 2, 120).tolist()
    income[101] = None
    table = pa.table({"age": rng.integers(18, 90, 120), "income": income, "home": np.arange(120) // 2})
    chosen: dict[str, Any] = {"quasi": ["age", "income"], "unit": "home", "drop_rest": True, "suppress": 6}
    rules: dict[str, Any] = {"missing": "own-group", "small_strata": "suppress"}
    with pytest.raises(InfeasibleError, match="some rows of 1 unit, those in strata"):
        release(spark.createDataFrame(table).repartition(2), k=3, **rules, **chosen)


def test_a_table_that_the_driver_holds_is_surveyed_whole(spark: Any) -> None:
    """Spark counts the rows of such a table on the driver, in one part, and hands it to executors in several."""
    table = mixed_table(300)
    df = spark.createDataFrame(table)
    recipe = covey.Recipe(k=3, roles=covey.Roles(quasi=("age",), strata=("ward",)), entropy=SECRET)
    survey = take_survey(df, recipe, *size_of(df))
    assert survey.rows == 300
    assert sum(survey.combos.rows.values()) == 300


def test_columns_may_have_any_name(spark: Any) -> None:
    table = (
        mixed_table(300).select(["age", "ward", "weight", "name"]).rename_columns(["number", "size", "value", "part"])
    )
    choices: dict[str, Any] = {"quasi": ["number", "size"], "weight": "value", "random_ids": ["part"]}
    found = release(spark.createDataFrame(table), k=3, **choices)
    assert found.certificate.k >= 3
    found.close()
    frame = spark.createDataFrame(table.drop_columns(["part"]))
    kept = release(frame, k=3, quasi=["size"], weight="value", weights="keep", keep=["number"], accept=["number"])
    assert kept.certificate.k >= 3
    kept.close()


def test_nothing_dominates_where_that_is_asked(spark: Any) -> None:
    """The classes of a cluster hold the p % rule by its definition, with weights, in every piece."""
    given = firms.firms(900)
    choices: dict[str, Any] = {"quasi": firms.QUASI, "keep": ["row"], "accept": ["row"], "weight": "weight"}
    df, asked = spark.createDataFrame(given).repartition(3), Requirement("sales", "p_percent", 15.0)
    found = {}
    for p in (None, {"sales": 15}):
        done = release(df, 3, p_percent=p, weights="drop", drop_rest=True, piece_rows=300, **choices)
        found[p is None] = firms.failing(given, done.table.toArrow(), asked, weighted=True)
        told = done.certificate.public["checked_on_the_original"]
        done.close()
    assert found[True] > 0
    assert found[False] == 0
    assert [one["column"] for one in told] == ["sales"]


def test_the_report_tells_nothing_of_coded_values_and_judges_as_declared(spark: Any) -> None:
    rng = np.random.default_rng(6)
    income, code = rng.normal(3000, 500, 120).round(2), rng.choice([1, 2, 9], 120)
    age = rng.normal(45, 15, 120).round(2)  # distances depend on how two columns are scaled
    chosen: dict[str, Any] = {"k": 5, "quasi": ["income", "age"], "sensitive": ["code"], "nominal": ["code"]}
    chosen |= {"top": {"income": "95%"}, "entropy": "ab" * 32, "measuring": Measuring()}
    chosen["method"] = (
        "mdav"  # a local search follows the order of the rows, which is that of their hashes under the secret
    )
    told = []
    for value in (1_234_567.0, 9000.0):
        income[7] = value
        found = release(spark.createDataFrame(pa.table({"income": income, "age": age, "code": code})), **chosen)
        told.append(to_json(found.report.public()))
        risks = {one.label: one for one in found.report.risk}
        assert risks["expected re-identifications"].value == pytest.approx(found.report.classes)
        assert risks["records below 2"].original == 120
        assert [one.distance for one in found.report.sensitive] == ["equal"]
        found.close()
    assert told[0] == told[1]
    with pytest.raises(OptionError, match="the risk of each record is asked for, and in parts, it is not kept"):
        release(found.table, **(chosen | {"measuring": Measuring(records=True)}))
