"""Several columns out of memory: types, cells, requirements and measures as in memory."""

from __future__ import annotations

import datetime as dt
import decimal
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import CoveyError, InfeasibleError, InputError, OptionError, RefusedError
from covey.measures.measures import Measuring
from covey.parts import part
from covey.recount.readings import Units
from covey.recount.release import recount_release
from covey.utils.notes import NoteKind
from tests.files.tables import in_memory, people, released, small

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)


def typed(n: int = 700) -> pa.Table:
    rng = np.random.default_rng(3)
    days = rng.integers(0, 9000, n)
    return pa.table(
        {
            "whole": pa.array(rng.integers(-50, 50, n), pa.int16()),
            "single": pa.array(rng.normal(size=n).astype(np.float32)),
            "exact": pa.array(
                [decimal.Decimal(int(v)).scaleb(-2) for v in rng.integers(0, 10**6, n)], pa.decimal128(12, 2)
            ),
            "day": pa.array([dt.date(2000, 1, 1) + dt.timedelta(int(d)) for d in days]),
            "moment": pa.array((days * 86_400_000_000).tolist(), pa.timestamp("us", "Europe/Berlin")),
            "yes": pa.array(rng.random(n) < 0.3),
            "colour": pa.array(rng.choice(["red", "green", "blue"], n)),
            "grade": pa.array(rng.choice(["low", "middle", "high"], n)).dictionary_encode(),
        }
    )


@pytest.mark.parametrize("method", ["auto", "split", "mdav"])
def test_types(method: str, tmp_path: Path) -> None:
    table = typed()
    chosen: dict[str, Any] = {
        "quasi": table.column_names,
        "ordinal": {"grade": ("low", "middle", "high")},
        "method": method,
    }
    done, out = released(table, tmp_path, **chosen)
    there = in_memory(table, **chosen)
    assert covey.verify(out, table.column_names, 5).rows == 700
    assert [str(field.type) for field in out.schema] == [str(field.type) for field in there.arrow.schema]
    assert {moment.astimezone(dt.UTC).hour for moment in out["moment"].to_pylist()} == {0}
    mine, theirs = (one.report.groups[0].loss_percent for one in (done, there))
    assert mine < 1.3 * theirs  # pieces of 120 records
    assert set(out["colour"].to_pylist()) <= {"red", "green", "blue"}


def test_missing_values_and_zeros(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    table = people()
    gaps = pa.array(rng.random(900) < 0.2)
    income = pa.array(
        [None if gap.as_py() else value for gap, value in zip(gaps, table["income"].to_pylist(), strict=True)]
    )
    table = table.set_column(1, "income", income).set_column(
        0, "age", pa.array(np.maximum(0, table["age"].to_numpy() - 40))
    )
    for chosen in (
        {"missing": "own-group"},
        {"missing": "coordinate"},
        {"missing": "own-group", "zeros_apart": ["age"]},
    ):
        done, out = released(table, tmp_path, **chosen)
        there = in_memory(table, **chosen)
        assert covey.verify(out, ["age", "income"], 5).rows == 900
        notes = [[note for note in one.report.notes if note.kind is not NoteKind.OWN_VALUES] for one in (done, there)]
        assert notes[0] == notes[1]
        if chosen["missing"] == "own-group":
            assert out["income"].null_count == there.arrow["income"].null_count
        if "zeros_apart" in chosen:
            zeros = (table["age"].to_numpy() == 0).sum()
            assert Counter(out["age"].to_pylist())[0] == zeros
    with pytest.raises(InputError, match="missing values: income"):
        released(table, tmp_path)


def test_strata(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    region = rng.choice(["north", "east", "isle", "rock"], 900, p=[0.6, 0.392, 0.004, 0.004])
    region[:3], region[3:5] = "isle", "rock"
    table = people(region=pa.array(region), year=pa.array(rng.integers(2020, 2022, 900)))
    for rule in ("merge", "suppress"):
        chosen: dict[str, Any] = {"strata": ["region", "year"], "small_strata": rule}
        done, out = released(table, tmp_path, **chosen)
        there = in_memory(table, **chosen)
        labels = [
            Counter(zip(one["region"].to_pylist(), one["year"].to_pylist(), strict=True)) for one in (out, there.arrow)
        ]
        assert labels[0] == labels[1]
        assert done.report.suppressed == there.report.suppressed
        assert [str(field.type) for field in out.schema] == [str(field.type) for field in there.arrow.schema]
        assert done.report.notes == there.report.notes
        assert covey.verify(out, ["age", "income", "region", "year"], 5).rows == len(out)
    with pytest.raises(InfeasibleError, match="(strata hold|stratum holds) fewer than k"):
        released(table, tmp_path, strata=["region", "year"])


def test_units(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    table = people(person=pa.array(rng.integers(0, 200, 900)))
    done, out = released(table, tmp_path, unit="person", drop=["person"])
    assert "person" not in out.column_names
    assert done.certificate.public["counted_in"] == "units"
    assert done.certificate.k >= 5
    assert [note.kind for note in done.report.notes].count(NoteKind.WHOLE_UNITS) == 1
    there = in_memory(table, unit="person", drop=["person"])
    assert done.report.groups[0].loss_percent < 1.3 * there.report.groups[0].loss_percent
    with pytest.raises(InfeasibleError, match="compositions"):
        released(table, tmp_path, k=2, unit="person", random_ids=["person"])
    alone = people(person=pa.array(np.arange(900)))
    linked, out = released(alone, tmp_path, unit="person", random_ids=["person"])
    assert linked.certificate.k >= 5
    assert len(set(out["person"].to_pylist())) == 900


def test_weights(tmp_path: Path) -> None:
    table = people(weight=pa.array(np.random.default_rng(7).integers(1, 9, 900)))
    with pytest.raises(RefusedError, match="published weights count as known"):
        released(table, tmp_path, weight="weight", weights="keep")
    rules: list[dict[str, Any]] = [{}, {"weights": "keep", "round_weights": 40.0}, {"weights": "drop"}]
    for chosen in rules:
        done, out = released(table, tmp_path, weight="weight", **chosen)
        there = in_memory(table, weight="weight", **chosen)
        assert ("weight" in out.column_names) == ("weight" in there.arrow.column_names)
        if not chosen:
            assert sum(out["weight"].to_pylist()) == pytest.approx(sum(table["weight"].to_pylist()))
        before = {one.column: one.before for one in there.report.totals}
        assert {one.column: one.before for one in done.report.totals} == pytest.approx(before)


def test_coding_and_edits(tmp_path: Path) -> None:
    table = people()
    both = table.append_column("both", pa.array(table["age"].to_numpy() + table["age"].to_numpy()))
    chosen: dict[str, Any] = {"top": {"income": 9000.0}, "bottom": {"age": "5%"}}
    done, out = released(table, tmp_path, **chosen)
    there = in_memory(table, **chosen)
    assert done.report.notes == there.report.notes
    assert max(out["income"].to_pylist()) <= 9000
    done, out = released(both, tmp_path, quasi=["age", "both"], edits=["age >= 0", "age <= both"])
    assert all(age <= twice for age, twice in zip(out["age"].to_pylist(), out["both"].to_pylist(), strict=True))
    with pytest.raises(InputError, match=f"{both.num_rows} records of the table break the edit rule both < age"):
        released(both, tmp_path, quasi=["age", "both"], edits=["both < age"])
    low = table.set_column(0, "age", pa.array(table["age"].to_numpy() - 50))
    with pytest.raises(InputError, match="break the edit rule age >= 0"):
        released(low, tmp_path, edits=["age >= 0"])


def test_random_ids(tmp_path: Path) -> None:
    names = [f"person {number}" for number in range(900)]
    table = people(name=pa.array(names))
    recipe: dict[str, Any] = {"random_ids": ["name"], "entropy": "ab" * 32}
    _, out = released(table, tmp_path, **recipe)
    assert len(set(out["name"].to_pylist())) == 900
    assert not set(out["name"].to_pylist()) & set(names)
    _, again = released(table, tmp_path, **recipe)
    assert out.equals(again)
    twice = table.set_column(3, "name", pa.array(["same"] * 900))
    with pytest.raises(InputError, match="repeats"):
        released(twice, tmp_path, random_ids=["name"])


REQUIREMENTS: list[dict[str, Any]] = [
    {"l_diversity": 3},
    {"l_diversity": 2.5, "diversity": "entropy"},
    {"l_diversity": 2, "diversity": "recursive", "recursive_c": 2.0},
    {"t_closeness": 0.35},
    {"l_diversity": 2, "t_closeness": 0.5},
]


@pytest.mark.parametrize("asked", REQUIREMENTS)
def test_requirements(asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covey.recount.duckdb.BATCH_ROWS", 200)
    table = people()
    done, out = released(table, tmp_path, sensitive=["illness"], **asked)
    there = in_memory(table, sensitive=["illness"], **asked)
    recipe = done.recipe
    found = recount_release(out, recipe, None, 900, there.orders)
    assert [held.reached for held in found.held] == pytest.approx([one.worst_class for one in done.report.requirements])
    assert done.report.sensitive[0].distinct_l >= 1


def test_closeness_and_spread_of_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covey.recount.duckdb.BATCH_ROWS", 300)
    table = people(pay=pa.array(np.random.default_rng(8).integers(0, 60, 900)))
    done, out = released(table, tmp_path, sensitive=["pay"], t_closeness=0.2, spread={"pay": 5})
    orders = in_memory(table, sensitive=["pay"], t_closeness=0.2).orders
    found = recount_release(out, done.recipe, None, 900, orders)
    assert [held.reached for held in found.held] == pytest.approx([one.worst_class for one in done.report.requirements])
    with pytest.raises(OptionError, match="continuous"):
        released(table, tmp_path, sensitive=["pay"], l_diversity=2)
    with pytest.raises(InfeasibleError, match="cannot hold"):
        released(table, tmp_path, sensitive=["illness"], l_diversity=9)


def test_exposed_columns_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, sample=100)
    number = np.arange(900)
    table = people(code=pa.array(number), half=pa.array(number // 2))
    for name in ("code", "half"):
        with pytest.raises(InputError, match="nearly unique"):
            released(table, tmp_path, keep=[name])
    twin = people(twin=people()["income"])
    with pytest.raises(InputError, match="determines the quasi-identifier income"):
        released(twin, tmp_path, keep=["twin"])
    done, _ = released(twin, tmp_path, keep=["twin"], accept=["twin"])
    assert any("twin" in str(note) for note in done.report.notes)


def test_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of all rows are those in memory of the same release; those of a sample have intervals, most of which hold them."""
    table = people(2000)
    chosen: dict[str, Any] = {"sensitive": ["illness"], "entropy": "cd" * 32}
    whole, _ = released(table, tmp_path, measuring=Measuring(sample=500), **chosen)
    small(monkeypatch)
    some, _ = released(table, tmp_path, measuring=Measuring(sample=100), **chosen)
    exact = {(one.label, one.column): one for one in (*whole.report.risk, *whole.report.utility)}
    assert all(one.interval is None or one.label.startswith("journalist") for one in exact.values())
    drawn = {(one.label, one.column): one for one in (*some.report.risk, *some.report.utility)}
    assert exact.keys() == drawn.keys()
    intervals = {key: one.interval for key, one in drawn.items() if one.interval}
    held = sum(low - 1e-9 <= exact[key].value <= high + 1e-9 for key, (low, high) in intervals.items())
    assert len(intervals) >= 10
    assert held >= 0.7 * len(intervals)
    there = in_memory(table, measuring=Measuring(), **chosen)
    loss = {one.label: one.value for one in there.report.utility}["information loss"]
    assert exact["information loss", None].value == pytest.approx(loss, rel=0.25)
    for done, found in ((whole, exact), (some, drawn)):  # counted on all rows, however many parts
        assert found["expected re-identifications", None].value == pytest.approx(done.report.classes)
        assert found["marketer risk", None].value == pytest.approx(done.report.classes / 2000)
        assert found["records below 3", None].value == 0
    before = {one.label: one.original for one in there.report.risk if one.original is not None}
    for name in ("expected re-identifications", "records below 3", "prosecutor risk", "record linkage"):
        assert exact[name, None].original == pytest.approx(before[name], rel=0.02)
        assert drawn[name, None].original == pytest.approx(before[name], rel=0.1)
    public = {one.label: one.value for one in some.report.public().risk}
    assert public["expected re-identifications"] == pytest.approx(some.report.classes, rel=5e-3)


def test_the_public_report_is_scaled_by_what_is_published(tmp_path: Path) -> None:
    """Two columns, so that distances depend on their scales; a coded value must not move them."""
    rng = np.random.default_rng(6)
    income, age = rng.normal(3000, 500, 120).round(2), rng.normal(45, 15, 120).round(2)
    chosen: dict[str, Any] = {"k": 5, "quasi": ["income", "age"], "top": {"income": "95%"}, "entropy": "ab" * 32}
    told = []
    for number, value in enumerate((1_234_567.0, 9000.0)):
        income[7] = value
        path, folder = tmp_path / f"{number}.parquet", tmp_path / str(number)
        folder.mkdir()
        pq.write_table(pa.table({"income": income, "age": age}), path)
        done = covey.release_file(path, folder / "out.parquet", ledger=False, measuring=Measuring(), **chosen)
        told.append({one.label: one.value for one in done.report.public().risk})
    assert "record linkage" in told[0]
    assert told[0] == told[1]


@pytest.mark.parametrize("mean", [1.0, 7.0])
def test_normalised_weights_are_noticed_in_the_whole(
    mean: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    weights = np.where(people(900)["age"].to_numpy() < 40, 0.2, 1.0)  # parts have means of their own
    table = people(900, weight=pa.array(weights * mean / weights.mean()))
    done, _ = released(table, tmp_path, measuring=Measuring(), weight="weight", weights="group")
    risks = {one.label: one.value for one in done.report.risk}
    normalised = mean == 1.0
    assert any("normalised weights" in str(note) for note in done.report.notes) is normalised
    assert (risks["individual risk"] == risks["prosecutor risk"]) is normalised
    assert not any("normalised" in str(note) for note in done.report.public().notes)


def test_rows_keep_their_order_where_asked(tmp_path: Path) -> None:
    table = people(number=pa.array(np.arange(900)))
    for quasi in (["age"], ["age", "income"]):
        _, out = released(table, tmp_path, quasi=quasi, keep=["number"], accept=["number"], shuffle=False)
        assert out["number"].to_pylist() == list(range(900))
        ages = np.corrcoef(out["age"].to_numpy(), table["age"].to_numpy())[0, 1]
        assert ages > 0.9


def test_the_same_recipe_gives_the_same_file(tmp_path: Path) -> None:
    done, _ = released(people(), tmp_path, sensitive=["illness"])
    first = (tmp_path / "out.parquet").read_bytes()
    released(people(), tmp_path, recipe=done.recipe)
    assert (tmp_path / "out.parquet").read_bytes() == first
    released(people(), tmp_path, recipe=done.recipe.with_changes(entropy="ef" * 32))
    assert (tmp_path / "out.parquet").read_bytes() != first


def test_what_cannot_be_done_in_parts(tmp_path: Path) -> None:
    table = people()
    with pytest.raises(OptionError, match="blocks"):
        released(table, tmp_path, blocks=[["age"], ["income"]])
    with pytest.raises(OptionError, match="exact measures"):
        released(table, tmp_path, measuring=Measuring(sample=2**62))
    with pytest.raises(OptionError, match="the risk of each record is asked for, and in parts, it is not kept"):
        released(table, tmp_path, measuring=Measuring(records=True))
    with pytest.raises(InfeasibleError, match="needed: at least k"):
        released(table, tmp_path, k=901)
    with pytest.raises(OptionError, match="memory is"):
        released(table, tmp_path, memory="much")


def broken(monkeypatch: pytest.MonkeyPatch, change: Callable[[pa.Table], pa.Table]) -> None:
    """Parts whose tables are changed after they were made."""

    def changed(*given: Any, **more: Any) -> part.Part:
        found = part.release_part(*given, **more)
        return found._replace(table=change(found.table))

    monkeypatch.setattr("covey.files.passes.release_part", changed)


def test_a_release_below_k_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_is_different(table: pa.Table) -> pa.Table:
        ages = table["age"].to_numpy().copy()
        ages[0] = -7
        return table.set_column(0, "age", pa.array(ages))

    broken(monkeypatch, one_is_different)
    with pytest.raises(RefusedError, match="classes below k = 5"):
        released(people(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_classes_of_few_units_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of k rows are not groups of k units."""
    monkeypatch.setattr(Units, "of_column", lambda column: Units(np.arange(len(column)), None))
    table = people(person=pa.array(np.arange(900) // 4))
    with pytest.raises(RefusedError, match="units? in classes below k = 5"):
        released(table, tmp_path, unit="person", drop=["person"], quasi=["age", "income"])


def test_lost_rows_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, lambda table: table.slice(1))
    with pytest.raises(RefusedError, match="rows, and 900 were released"):
        released(people(), tmp_path)


def test_errors_are_covey_errors(tmp_path: Path) -> None:
    with pytest.raises(CoveyError, match="no file"):
        covey.release_file(tmp_path / "nothing.parquet", tmp_path / "out.parquet", 5, quasi=["age"])


def test_one_large_record_keeps_losses_internal(tmp_path: Path) -> None:
    """Whoever makes most of a loss could be told from it."""
    table = people()
    for outlier in (False, True):
        income = np.random.default_rng(9).normal(3000.0, 500.0, 900)
        income[0] = 1e9 if outlier else income[0]
        given = table.set_column(1, "income", pa.array(income))
        done, _ = released(given, tmp_path, measuring=Measuring())
        shown = {one.label for one in done.report.public().utility}
        assert ("information loss" in shown) is not outlier


def test_equal_modes_go_to_the_more_frequent_value_of_the_table(tmp_path: Path) -> None:
    """Not of the part: parts would disagree."""
    colour = np.array(["blue"] * 200 + ["red", "blue", "red", "blue"] * 100 + ["red"] * 50)
    place = np.concatenate([np.zeros(200), np.repeat(np.arange(1.0, 101.0) * 100, 4), np.full(50, 20_000.0)])
    table = pa.table({"place": place, "colour": colour})
    _, out = released(table, tmp_path, k=4, quasi=["place", "colour"], importance={"colour": 1e-6})
    tied = {
        colour
        for where, colour in zip(out["place"].to_pylist(), out["colour"].to_pylist(), strict=True)
        if 0 < where < 20_000
    }
    assert tied == {"blue"}


def test_closeness_is_to_what_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not to records that are suppressed."""
    plans = []

    def watched(plan: Any, *given: Any, **more: Any) -> part.Part:
        plans.append(plan)
        return part.release_part(plan, *given, **more)

    monkeypatch.setattr("covey.files.passes.release_part", watched)
    table = people(region=pa.array(["rock"] * 4 + ["land"] * 896))
    illness = ["plague"] * 4 + table["illness"].to_pylist()[4:]
    table = table.set_column(2, "illness", pa.array(illness))
    chosen: dict[str, Any] = {
        "strata": ["region"],
        "small_strata": "suppress",
        "sensitive": ["illness"],
        "t_closeness": 0.4,
    }
    done, out = released(table, tmp_path, **chosen)
    assert len(out) == 896
    assert plans[0].overall["illness"][1].sum() == 896
    assert "plague" not in out["illness"].to_pylist()
    found = recount_release(out, done.recipe, None, 896, in_memory(table, **chosen).orders)
    assert found.held[0].reached == pytest.approx(done.report.requirements[0].worst_class)


def test_names_that_a_spreadsheet_would_run(tmp_path: Path) -> None:
    table = people().rename_columns(["=age", "income", "illness"])
    pq.write_table(table, tmp_path / "in.parquet")
    covey.release_file(tmp_path / "in.parquet", tmp_path / "out.csv", 5, quasi=["=age", "income"], drop_rest=True)
    assert (tmp_path / "out.csv").read_text().startswith('"\'=age","income"\n')
