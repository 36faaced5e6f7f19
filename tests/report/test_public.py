"""The public report against somebody who knows all records but one: what it tells of that one beyond the release."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey import risk
from covey.columns.coordinates import Scaler
from covey.columns.values import read_values
from covey.evidence import Evidence, look_alike
from covey.measures.published import LISTED, NARROWED, coarse
from covey.report.render import to_html, to_json, to_text
from covey.risk.linkage import linkage
from covey.utility.distributions import distributions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from covey.columns.aggregation import Aggregate
    from covey.columns.values import Values

N = 120
GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "report.md"
FIXED: dict[str, Any] = {"entropy": "ab" * 32, "shuffle": False}
PLAIN = {
    *(
        "covey",
        "promise",
        "k_asked",
        "k_achieved",
        "of_few",
        "counted_in",
        "counted_over",
        "tables",
        "rows_linked",
        "records_in",
        "records_out",
        "suppressed",
    ),
    *(
        "classes",
        "class_sizes",
        "roles",
        "groups",
        "left_out",
        "own_values",
        "totals",
        "sensitive",
        "requirements",
        "notes",
        "strata",
    ),
    *("coding", "reasons", "internal"),
    *("title", "publisher", "made", "file", "source", "kinds", "settings", "columns", "riskiest", "domains"),
}


def people(**changed: tuple[int, Any]) -> pa.Table:
    """A table with the value of one record replaced, in some columns."""
    rng = np.random.default_rng(3)
    columns = {
        "income": rng.normal(3000, 500, N).round(2).tolist(),
        "age": rng.integers(18, 90, N).tolist(),
        "ward": rng.choice(["east", "west", "north"], N).tolist(),
        "site": ["a"] * (N - 3) + ["b"] * 3,
        "ill": rng.choice(["flu", "cold", "none"], N).tolist(),
    }
    for name, (row, value) in changed.items():
        columns[name][row] = value
    return pa.table(columns)


def in_memory(table: pa.Table, _folder: Path, **choices: Any) -> tuple[pa.Table, list[str]]:
    done = covey.release(table, measuring=covey.Measuring(), **FIXED, **choices)
    public = done.report.public()
    return done.arrow, [to_html(public), to_json(public), to_text(public), done.certificate.to_json()]


def from_file(table: pa.Table, folder: Path, **choices: Any) -> tuple[pa.Table, list[str]]:
    pq.write_table(table, folder / "in.parquet")
    done = covey.release_file(
        folder / "in.parquet",
        folder / "out.parquet",
        measuring=covey.Measuring(),
        ledger=False,
        force=True,
        **FIXED,
        **choices,
    )
    public = done.report.public()
    texts = [to_html(public), to_json(public), to_text(public), done.certificate.to_json()]
    return pq.read_table(folder / "out.parquet"), texts


ENGINES = pytest.mark.parametrize("engine", [in_memory, from_file])


def said(
    engine: Callable[..., tuple[pa.Table, list[str]]],
    folder: Path,
    tables: Sequence[pa.Table],
    choices: dict[str, Any],
    needed: int,
) -> None:
    """All tables that are released alike, at least so many, are reported alike: no number tells them apart."""
    made = [engine(table, folder, **choices) for table in tables]
    alike = [texts for table, texts in made if table.equals(made[0][0])]
    assert len(alike) >= needed
    assert all(texts == alike[0] for texts in alike)


@ENGINES
@pytest.mark.parametrize("top", [4000, "98%"])
def test_coded_values_are_not_narrowed(engine: Any, top: Any, tmp_path: Path) -> None:
    tables = [people(income=(7, value)) for value in (1_234_567.0, 1_200_000.0, 4500.0, 5000.0, 1e9)]
    said(engine, tmp_path, tables, {"k": 5, "quasi": ["income", "age"], "top": {"income": top}, "drop_rest": True}, 5)
    low = [people(income=(7, value)) for value in (-1e9, -5.0, 100.0)]
    choices: dict[str, Any] = {"k": 5, "quasi": ["income", "age"], "bottom": {"income": "2%"}, "drop_rest": True}
    said(engine, tmp_path, low, choices, 3)


@ENGINES
def test_nothing_is_said_of_originals_within_labels(engine: Any, tmp_path: Path) -> None:
    """They would all count as missing, and more would be lost than there is."""
    wards = {"east": ["sunny"], "west": ["rainy"], "north": ["rainy"]}
    choices: dict[str, Any] = {"k": 5, "quasi": ["age", "ward"], "hierarchy": {"ward": wards}, "drop_rest": True}
    _, texts = engine(people(), tmp_path, **choices)
    said_of = {one["measure"] for part in ("risk", "utility") for one in json.loads(texts[1])[part]}
    assert not said_of & {"record linkage", "group linkage", "information loss"}
    assert {"prosecutor risk", "categories changed"} <= said_of
    assert "3 values, 2 levels above them" not in texts[0]
    assert "ward" in texts[0]


@ENGINES
def test_suppressed_values_are_not_narrowed(engine: Any, tmp_path: Path) -> None:
    choices: dict[str, Any] = {
        "k": 5,
        "quasi": ["income", "age"],
        "strata": ["site"],
        "small_strata": "suppress",
        "drop_rest": True,
        "scale": "rank",  # the file's scale is that of all records, and ranks of others stay
    }
    tables = [people(income=(N - 1, value)) for value in (1e6, 2e6, 1e9)]
    said(engine, tmp_path, tables, choices, 3)


def test_values_beyond_the_release_are_not_narrowed(tmp_path: Path) -> None:
    """A median does not tell how large the largest value is: neither does the report, whose losses it would make."""
    choices: dict[str, Any] = {"k": 5, "quasi": ["income"], "aggregates": {"income": "median"}, "drop_rest": True}
    tables = [people(income=(7, value)) for value in (1e4, 2e4, 1e5, 1_234_567.0, 1e9)]
    said(in_memory, tmp_path, tables, choices, 5)


def test_categories_that_are_not_released_are_not_narrowed(tmp_path: Path) -> None:
    choices: dict[str, Any] = {
        "k": 5,
        "quasi": ["age", "ward"],
        "drop_rest": True,
        "scale": "range",
        "categories": "match",
    }
    rare = [people(ward=(11, value)) for value in ("moon", "mars", "mark")]
    said(in_memory, tmp_path, rare, choices, 3)


def test_without_rounding_to_k_records_a_share_would_tell() -> None:
    one = risk.small_classes(_evidence(people()))[0]
    for share in np.linspace(0, 1, 41).tolist():
        shown = coarse(_with(one, share), 5 / N).value
        assert abs(shown - share) <= 0.05 / 2 + 1e-12
        assert shown * 20 == pytest.approx(round(shown * 20))  # 5 of 120 are 0.042: multiples of 0.05
    assert coarse(_with(one, 12.3456), 1e-9).value == 12.0
    assert coarse(_with(one, 0.0), 0.0).value == 0.0


def test_the_losses_of_a_column_are_hidden_where_one_record_makes_them() -> None:
    """Its own group is of one kind with it: with the release the loss would tell what it was."""
    done = covey.release(
        people(income=(7, 1_234_567.0)), k=5, quasi=["income", "age"], drop_rest=True, measuring=covey.Measuring()
    )
    shown = {(one.label, one.column) for one in done.report.public().utility}
    assert shown == {("variation lost", "age")}
    assert ("variation lost", "income") in {(one.label, one.column) for one in done.report.utility}


def test_a_unit_that_makes_most_of_a_column_is_not_told() -> None:
    """Every record makes little of a column, half of them, which belong to one unit, half of it."""
    rng = np.random.default_rng(4)
    table = pa.table({"income": rng.uniform(size=400), "unit": np.maximum(np.arange(400) - 199, 0)})
    choices: dict[str, Any] = {"k": 5, "quasi": ["income"], "drop_rest": True, "measuring": covey.Measuring()}
    told = [covey.release(table, unit=unit, **choices).report.public().utility for unit in (None, "unit")]
    assert [{one.column for one in found} for found in told] == [{None, "income"}, set()]


def test_scales_are_those_of_the_release() -> None:
    """Distances do not tell how far beyond the release a value lies."""
    shown = [
        replace(_evidence(people()), original=original, scaler=Scaler(list(original.values()))).published()
        for original in (_columns(people(income=(7, value))) for value in (1e4, 1e9))
    ]
    every = np.arange(N)
    assert np.array_equal(shown[0].points(every), shown[1].points(every))
    assert np.array_equal(shown[0].released_points(every), shown[1].released_points(every))


def test_every_public_number_follows_from_the_release_or_is_listed() -> None:
    done = covey.release(
        people(),
        k=5,
        quasi=["income", "age", "ward"],
        sensitive=["ill"],
        drop_rest=True,
        top={"income": "98%"},
        measuring=covey.Measuring(regressions=("income ~ age",)),
        **FIXED,
    )
    public = json.loads(to_json(done.report.public()))
    assert set(public) == PLAIN | {"risk", "utility", "distributions"}
    assert [public[name] for name in ("records_in", "suppressed", "own_values", "totals", "notes", "strata")] == [
        *(None, None),
        *([], [], [], []),
    ]
    told = {name for group in public["groups"] for name, value in group.items() if value is not None}
    assert told == {"columns", "method", "cost"}
    assert public["coding"] == [{"column": "income", "end": "top", "asked": "98%"}]
    alone = [one.as_dict() for measure in risk.COUNTED for one in measure(_evidence(done.arrow, ill="ill"))]
    values = {(one["measure"], one.get("column")): one["value"] for one in alone}
    for one in (*public["risk"], *public["utility"]):
        assert "original" not in one
        if one["measure"] not in LISTED:  # then the released table alone says it
            assert one["value"] == pytest.approx(values[one["measure"], one.get("column")], rel=5e-3)
    assert {one["measure"] for one in (*public["risk"], *public["utility"])} > set(LISTED) - {"class sizes in units"}
    assert {one["measure"] for one in public["utility"]} <= set(LISTED)
    assert [set(one) for one in public["distributions"]] == [{"column", "edges", "after"}] * 3


def test_the_bins_of_public_distributions_follow_from_the_release() -> None:
    done = covey.release(people(), 7, quasi=["income", "age"], drop_rest=True, measuring=covey.Measuring(), **FIXED)
    columns = {name: read_values(name, done.arrow[name].combine_chunks()) for name in ("income", "age")}
    for shown, alone in zip(done.report.public().distributions, distributions(columns, columns, 7), strict=True):
        assert (shown.column, shown.edges) == (alone.column, alone.edges)
        assert shown.after == pytest.approx(alone.after, rel=5e-3)
        assert min(alone.after) >= 7 / N
    assert [one.edges for one in done.report.public().distributions] != [one.edges for one in done.report.distributions]


@pytest.mark.parametrize(("seed", "n", "k"), [(0, 60, 5), (2, 40, 3), (5, 60, 5)])
def test_other_values_are_narrowed_by_less_than_the_guide_says(seed: int, n: int, k: int) -> None:
    """Medians leave room for a value: how much of it is left by the report."""
    rng = np.random.default_rng(seed)
    income, age = rng.lognormal(8, 0.7, n).round(2), rng.integers(18, 90, n)
    row = int(rng.integers(0, n))
    span = float(np.ptp(income))

    def released(value: float, measuring: covey.Measuring | None) -> covey.Release:
        values = income.copy()
        values[row] = value
        table = pa.table({"income": values, "age": age})
        medians: dict[str, Aggregate] = {"income": "median", "age": "median"}
        return covey.release(
            table, k, quasi=["income", "age"], method="mdav", aggregates=medians, measuring=measuring, **FIXED
        )

    own = float(income[row])
    true = released(own, covey.Measuring())
    room = [own + span * step / 200 for step in range(-50, 51)]
    room = [value for value in room if released(value, None).arrow.equals(true.arrow)]
    left = sum(
        to_json(released(value, covey.Measuring()).report.public()) == to_json(true.report.public()) for value in room
    )
    assert len(room) >= 5
    assert len(room) <= NARROWED * left


def test_the_guide_lists_what_is_published_beyond_the_release() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for name, what in LISTED.items():
        assert f"| {name} | {what} |" in text
    table = text[text.index("| beyond the release |") :].split("\n\n")[0]
    assert len(re.findall(r"^\| ", table, flags=re.MULTILINE)) == len(LISTED) + 1
    assert f"factor of {NARROWED}" in text


def test_quantiles_of_coding_are_round_numbers_that_follow_from_no_single_value() -> None:
    table = people(income=(7, 987654.25))
    done = covey.release(table, 5, quasi=["income"], top={"income": "95%"}, bottom={"income": "5%"}, drop_rest=True)
    ends = [float(end(np.array(done.arrow["income"]))) for end in (np.min, np.max)]
    assert ends == [round(end / 50) * 50 for end in ends]
    assert not set(ends) & set(table["income"].to_pylist())
    assert done.certificate.public["top"] == {"income": "95%"}
    assert done.certificate.public["bottom"] == {"income": "5%"}
    assert "top coding of income at 95%" in to_text(done.report.public())


def _with(measured: Any, value: float) -> Any:
    return type(measured)(measured.name, value, measured.meaning, measured.attacker)


def _columns(table: pa.Table) -> dict[str, Values]:
    return {name: read_values(name, table[name].combine_chunks()) for name in ("income", "age", "ward")}


def _evidence(table: pa.Table, **sensitive: str) -> Evidence:
    """A table beside itself: all that a stranger can take."""
    columns = _columns(table)
    codes = {name: np.unique(table[name], return_inverse=True)[1] for name in sensitive.values()}
    classes = look_alike(columns, None, None, table.num_rows)
    found = Evidence(columns, columns, Scaler(list(columns.values())), classes, 5, sensitive=codes)
    assert linkage(found)[1].value == 1.0
    return found
