"""Two reports, HTML and JSON: the internal one says all, the public one nothing about original records."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.columns.values import read_values
from covey.core.measure import Measure, Unit
from covey.errors import OutputError
from covey.protect import group
from covey.report import numbers
from covey.report.records import above_best
from covey.report.render import to_html, to_json, to_text
from covey.report.settings import settings_of
from covey.risk.dominance import RULES
from covey.space.sampled_gap import sampled_gap
from covey.utility.distributions import distributions
from covey.utils.words import as_text

if TYPE_CHECKING:
    from pathlib import Path

N = 400
OF_THE_LOSS = {
    *("information loss", "IL1s", "categories changed", "shares moved", "correlations changed, mean"),
    *("correlations changed, worst", "eigenvalues changed", "coefficient moved", "coefficient overlap"),
}
SENTINELS = ("987654", "123.456789", "SENTINELNAME", "SENTINELWARD", "SENTINELILL")


def people(*, planted: bool = True) -> pa.Table:
    rng = np.random.default_rng(0)
    income = rng.normal(3000, 500, N).round(2)
    weight = rng.normal(80, 10, N).round(2)
    ward = rng.choice(["east", "west", "north"], N).tolist()
    if planted:
        income[7], weight[9], ward[11] = 987654.25, 123.456789, "SENTINELWARD"
    return pa.table(
        {
            "name": [f"SENTINELNAME{i}" for i in range(N)],
            "age": rng.integers(18, 90, N),
            "income": income,
            "weight": weight,
            "ward": ward,
            "ill": rng.choice(["flu", "cold"], N).tolist(),
        }
    )


@pytest.fixture(scope="module")
def done() -> covey.Release:
    return covey.release(
        people(),
        k=5,
        quasi=["age", "income", "weight", "ward"],
        sensitive=["ill"],
        drop=["name"],
        measuring=covey.Measuring(regressions=("income ~ age",)),
    )


def test_the_public_report_tells_nothing_of_original_records(done: covey.Release, tmp_path: Path) -> None:
    paths = [tmp_path / f"r.{suffix}" for suffix in ("html", "json", "txt")]
    for number, path in enumerate(paths):
        done.write(tmp_path / f"out{number}.csv", report=path)
        text = path.read_text()
        for sentinel in SENTINELS:
            assert sentinel not in text, f"{sentinel} in {path.name}"
        assert "nternal" not in text.replace('"internal": false', "")
    public = json.loads(paths[1].read_text())
    assert public["records_in"] is None
    assert public["suppressed"] is None
    assert all(set(one) == {"column", "edges", "after"} for one in public["distributions"])
    numbers = [value for value in _floats(public) if value]
    assert all(value == float(f"{value:.3g}") for value in numbers)


def test_public_totals_say_nothing_of_suppressed_records() -> None:
    given = people().append_column("site", pa.array(["a"] * (N - 2) + ["b"] * 2))
    cut = covey.release(given, k=5, quasi=["income"], strata=["site"], small_strata="suppress", drop_rest=True)
    assert cut.report.suppressed == 2
    assert cut.report.public().totals == []
    assert cut.report.public().own_values == []


def test_the_public_report_has_no_measure_that_gives_a_record_back(done: covey.Release) -> None:
    """With the release, the change of a total or of a variance gives an extreme value back."""
    names = {one.label for one in done.report.public().utility}
    assert not {
        name for name in names if name.startswith(("total", "mean", "variance", "quantiles")) or "stratum" in name
    }
    lost = {one.column for one in done.report.public().utility if one.label == "variation lost"}
    assert lost == {"age", "weight"}  # one record makes nearly all of the income's
    assert not {one.label for one in done.report.public().risk} & {rule[0] for rule in RULES}
    assert done.report.public().totals == []
    assert done.report.public().notes == []


def test_losses_are_public_where_nobody_makes_much_of_them() -> None:
    done = covey.release(
        people(planted=False),
        k=5,
        quasi=["age", "income", "weight", "ward"],
        drop_rest=True,
        measuring=covey.Measuring(regressions=("income ~ age",)),
    )
    public = {(one.label, one.column): one.value for one in done.report.public().utility}
    internal = {(one.label, one.column): one.value for one in done.report.utility}
    assert {name for name, _ in public} == {"information loss", "variation lost", "categories changed"}
    for key, value in public.items():  # of values within the release, by its scale
        assert value == pytest.approx(internal[key], rel=0.35, abs=0.02)
        assert value == float(f"{value:.2g}")
    assert done.report.public().groups == []


@pytest.mark.parametrize("choices", [{}, {"top": {"income": 4000}}, {"unit": "person"}])
def test_the_public_report_does_not_give_an_outlier_back(choices: dict[str, Any]) -> None:
    """With the released values any of these numbers gives it: what one group lost is what all lost."""
    rng = np.random.default_rng(0)
    income = rng.normal(3000, 500, 200).round(2)
    income[:1] = 1234567.0
    if "unit" in choices:
        income[:10] = 100_000.0  # no single row makes much, its person does
    given = pa.table(
        {"income": income, "age": rng.integers(18, 90, 200), "person": [max(0, i - 9) for i in range(200)]}
    )
    done = covey.release(
        given,
        k=5,
        quasi=["income", "age"],
        drop_rest=True,
        measuring=covey.Measuring(regressions=("income ~ age",)),
        **choices,
    )
    public = done.report.public()
    shown = {one.label for one in public.utility if one.column != "age"}
    assert shown <= ({"information loss", "variation lost"} if "top" in choices else set())  # of what is coded nothing
    assert public.groups == []
    assert [choice.columns for choice in public.choices] == [group.columns for group in done.report.groups]
    assert "lost by grouping" not in to_html(public)
    assert to_text(public)


def test_the_public_report_does_not_tell_of_a_rare_category() -> None:
    rng = np.random.default_rng(0)
    given = pa.table({"age": rng.integers(18, 90, 200), "rare": ["yes"] + ["no"] * 199})
    done = covey.release(given, k=5, quasi=["age", "rare"], measuring=covey.Measuring())
    assert set(done.arrow["rare"].to_pylist()) == {"no"}
    (told,) = [one for one in done.report.public().utility if one.label == "categories changed"]
    assert told.value == 0.0  # of fewer than k nothing is told
    (known,) = [one for one in done.report.utility if one.label == "categories changed"]
    assert known.value == 1 / 200


def test_large_whole_numbers_are_measured_like_small_ones() -> None:
    rng = np.random.default_rng(0)
    small = rng.integers(0, 500, 60)
    found: list[tuple[dict[Any, float], Any]] = []
    for base in (0, 2**60):
        given = pa.table({"x": small + base, "y": rng.integers(0, 7, 60) if base == 0 else found[0][1]})
        done = covey.release(given, k=4, quasi=["x", "y"], measuring=covey.Measuring(), shuffle=False, number=["y"])
        measured = {
            (one.label, one.column): one.value
            for one in (*done.report.risk, *done.report.utility)
            if "total" not in one.label and one.label not in ("p % rule broken", "dominated groups")  # amounts above 0
        }
        found.append((measured, given["y"]))
    for key, value in found[0][0].items():
        assert found[1][0][key] == pytest.approx(value, rel=1e-9, abs=1e-12), key


def test_the_internal_report_is_named_so_and_says_more(done: covey.Release, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="needed: a name that says so, with 'internal' in it"):
        done.write(tmp_path / "out.csv", internal_report=tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / "report-internal.html"
    done.write(tmp_path / "out.csv", internal_report=path)
    assert path.stat().st_mode & 0o077 == 0
    assert "Internal: not to be published." in path.read_text()
    assert f"{N} records came in" in path.read_text()
    assert "SENTINELNAME" not in path.read_text()  # identifiers reach no report


def unit_of(label: str) -> Unit:
    """The unit of a measure by its name in reports."""
    return Measure(label.rstrip(" 0123456789") if label.startswith("records below") else label).unit


@pytest.mark.parametrize("version", ["public", "internal"])
def test_html_and_json_have_the_same_numbers(done: covey.Release, version: str) -> None:
    report = done.report if version == "internal" else done.report.public()
    page, data = to_html(report), json.loads(to_json(report))
    for one in (*data["risk"], *data["utility"]):
        shown = numbers.measured(one["value"], unit_of(one["measure"]))
        assert f">{shown}<" in page or f"{shown}" in page, one["measure"]
        assert one["meaning"].split(",")[0].replace("'", "&#39;") in page
        assert one["better"] in ("higher", "lower")
        assert f": {shown}" in to_text(report)
    assert all(one["attacker"] for one in data["risk"])
    names = {one["measure"] for one in (*data["risk"], *data["utility"])}
    assert names >= {
        *("record linkage", "group linkage", "records below 2", "records below 3", "records below 5"),
        *("prosecutor risk", "journalist risk", "individual risk", "marketer risk", "expected re-identifications"),
        *("homogeneous classes", "attribute guess"),
    }
    if version == "internal":
        assert names >= OF_THE_LOSS
        assert names >= {"rank interval disclosure", "deviation interval disclosure", "propensity score"}
        for one in data["risk"]:
            assert ("original" in one) == (one["measure"] not in {rule[0] for rule in RULES})
            before = numbers.measured(one.get("original"), unit_of(one["measure"]))
            assert "original" not in one or f">{before}<" in page or f">{before} →" in page
            assert "original" not in one or f", {before} in the original" in to_text(report)
        assert names >= {"mean moved", "variance changed", "quantiles moved", "total changed", "variation lost"}
        assert names >= {rule[0] for rule in RULES}


def test_the_page_needs_nothing_else_and_prints(done: covey.Release) -> None:
    page = to_html(done.report)
    assert "@media print" in page
    assert "<script" not in page
    assert not re.search(r"(src|href)=\"?https?:", page)
    assert not re.search(r"url\(['\"]?http|@import|<link", page)
    assert page.count("<svg") == 4  # three columns of numbers, and the class sizes: once
    assert page.count("Class sizes</h2>") == 1
    for title in (
        "Records found",
        "Variation lost, of numbers",
        "Columns, original and released",
        "Settings",
        "Method",
    ):
        assert title in page
    assert page.index("Records found") < page.index("<table") < page.index("Settings")  # the answer first
    assert to_html(done.report) == page  # the same again


def test_the_method_is_explained(done: covey.Release) -> None:
    page = to_html(done.report.public())
    assert "The attacker knows all quasi-identifiers" in page
    assert "others may know it, so it is grouped" in page
    assert "What k-anonymity does not prevent" in page
    assert "residual risk" in page
    assert not re.search(r"\b(safe|anonymous|anonymised)\b", page)


def test_the_gap_stands_beside_the_loss(done: covey.Release) -> None:
    (group,) = done.report.groups
    assert 0.0 < (group.gap_percent or 0.0) < 100.0
    assert "above the best possible for this k" in to_html(done.report)
    one = covey.release(people(), k=5, quasi=["age"], drop_rest=True, measuring=covey.Measuring())
    assert one.report.groups[0].gap_percent == pytest.approx(0.0, abs=1e-6)
    assert "the least possible" in to_html(one.report)


def test_a_report_without_measures_is_a_report_still() -> None:
    plain = covey.release(people(), k=5, quasi=["age"], drop_rest=True)
    assert plain.report.risk == []
    assert "Records found" not in to_html(plain.report)
    assert to_html(plain.report).count("<svg") == 1  # the class sizes
    assert "k = 5" in to_text(plain.report) or "k = " in to_text(plain.report)


@pytest.mark.parametrize("unit", [None, "name"])
def test_the_gap_from_a_sample_has_an_interval_that_holds_the_truth(
    unit: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices: dict[str, Any] = {"k": 5, "quasi": ["age", "income", "weight"], "drop_rest": True, "method": "mdav"}
    choices |= {"unit": unit}
    (matched,) = covey.release(people(), measuring=covey.Measuring(), **choices).report.groups
    monkeypatch.setattr(group, "MOST_FOR_BOUNDS", 10)
    (exact,) = covey.release(people(), measuring=covey.Measuring(sample=2**62), **choices).report.groups
    assert exact.gap_interval is None
    assert 0.0 < (matched.gap_percent or 0.0) < (exact.gap_percent or 0.0), "each record chooses alone: a lower bound"
    done = covey.release(people(), measuring=covey.Measuring(sample=100), **choices)
    (sampled,) = done.report.groups
    assert sampled.gap_interval is not None
    low, high = sampled.gap_interval
    assert low <= (exact.gap_percent or 0.0) <= high
    assert high - low > 1.0
    assert "from a sample" in to_html(done.report)
    assert "from a sample" in to_text(done.report)


def test_the_sampled_gap_covers_the_truth_on_heavy_tails() -> None:
    inside = 0
    for seed in range(40):
        points = np.exp(1.5 * np.random.default_rng(seed).normal(size=(600, 2)))
        labels = covey.partition(points, 4, method="mdav").labels
        losses = np.empty(600)
        for number in range(int(labels.max()) + 1):
            rows = labels == number
            losses[rows] = ((points[rows] - points[rows].mean(axis=0)) ** 2).sum(axis=1)
        cells = np.zeros(600, dtype=np.int64)
        truth = sampled_gap(points, cells, 4, losses, 600).value
        found = sampled_gap(points, cells, 4, losses, 100)
        assert found.interval is not None
        inside += found.interval[0] <= truth <= found.interval[1]
    assert inside >= 34


def test_strata_are_named_in_the_internal_report_only() -> None:
    given = people(planted=False)
    done = covey.release(
        given, k=5, quasi=["age", "income"], strata=["ward"], drop_rest=True, measuring=covey.Measuring()
    )
    rows = done.report.strata
    assert {row.stratum for row in rows} == {"east", "west", "north"}
    assert {row.column for row in rows} == {"age", "income", None}
    worst = [one for one in done.report.utility if one.label == "quantiles moved by stratum"]
    for one in worst:
        values = {
            row.stratum: row.changes[Measure.QUANTILES_MOVED_BY_STRATUM] for row in rows if row.column == one.column
        }
        assert one.value == max(values.values()) == values[one.stratum]
    page = to_html(done.report)
    assert "Changes by stratum" in page
    assert numbers.number(rows[0].changes[Measure.MEAN_MOVED_BY_STRATUM]) in page
    assert done.report.public().strata == []
    assert "Changes by stratum" not in to_html(done.report.public())


def test_the_reasons_for_roles_stand_in_both_reports() -> None:
    reasons = {"age": "It stands in the public register of voters."}
    done = covey.release(people(), k=5, quasi=["age"], drop_rest=True, reasons=reasons, measuring=covey.Measuring())
    for report in (done.report, done.report.public()):
        assert reasons["age"] in to_html(report)
        assert json.loads(to_json(report))["reasons"] == reasons
    with pytest.raises(covey.CoveyError, match="reasons names the column 'agee'"):
        covey.release(people(), k=5, quasi=["age"], drop_rest=True, reasons={"agee": "x"})
    with pytest.raises(covey.CoveyError, match="needed: a sentence"):
        covey.release(people(), k=5, quasi=["age"], drop_rest=True, reasons={"age": 5})  # type: ignore[dict-item]


def test_a_wrong_regression_is_said_before_the_work() -> None:
    steps: list[str] = []
    with pytest.raises(covey.CoveyError, match="is not understood"):
        covey.release(
            people(),
            k=5,
            quasi=["age"],
            drop_rest=True,
            measuring=covey.Measuring(regressions=("age ~ nothing",)),
            progress=steps.append,
        )
    assert "grouping" not in steps


@pytest.mark.parametrize("k", [3, 10, 60])
def test_bins_hold_at_least_k_records(k: int) -> None:
    table = people()
    names = ("age", "income", "ward")
    original = {name: read_values(name, table[name]) for name in names}
    done = covey.release(table.select(names), k=k, quasi=list(names), shuffle=False)
    released = {name: read_values(name, done.arrow[name]) for name in names}
    for one in distributions(original, released, k):
        for shares in (one.before or (), one.after):
            assert min(shares) * N >= k - 1e-6
            assert sum(shares) == pytest.approx(1.0)
        if one.column == "ward":
            assert "SENTINELWARD" not in one.edges


def test_samples_have_intervals_and_exact_measures_none() -> None:
    given = people(planted=False)
    choices: dict[str, Any] = {"k": 5, "quasi": ["age", "income"], "drop_rest": True}
    sampled = covey.release(given, measuring=covey.Measuring(sample=50), **choices).report
    exact = covey.release(given, measuring=covey.Measuring(sample=2**62), **choices).report
    assert any(one.interval for one in sampled.risk)
    assert not any(one.interval for one in exact.risk)


@pytest.mark.parametrize(
    "choices",
    [
        {"strata": ["ward"], "small_strata": "merge"},
        {"unit": "name"},
        {"top": {"income": 4000}},
        {"blocks": [["age"], ["income"]], "allow_blocks": True},
        {"missing": "coordinate"},
        {"scale": "rank"},
    ],
)
def test_measures_of_every_kind_of_release(choices: dict[str, Any]) -> None:
    given = people().drop(["weight"])
    if choices.get("missing"):
        given = given.set_column(2, "income", pa.array([None, *given["income"].to_pylist()[1:]]))
    done = covey.release(
        given, k=5, quasi=["age", "income"], sensitive=["ill"], drop_rest=True, measuring=covey.Measuring(), **choices
    )
    for one in (*done.report.risk, *done.report.utility):
        assert one.finite is not None, one
    assert to_html(done.report.public())


def _floats(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for inner in value.values() for number in _floats(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in _floats(inner)]
    return [value] if isinstance(value, float) else []


def test_of_many_columns_the_first_are_drawn_and_that_is_said() -> None:
    rng = np.random.default_rng(0)
    table = pa.table({f"c{number:02}": rng.normal(size=60) for number in range(33)})
    report = covey.release(table, k=5, quasi=table.column_names, measuring=covey.Measuring()).report
    page = to_html(report)
    assert "The first 30 of 33 columns." in page
    assert "The first 8 of 33 columns; all are below." in page
    assert page.count("<svg") <= 31
    assert len(report.distributions) == 33


def test_how_far_above_the_best_is_rounded_up() -> None:
    for gap in np.random.default_rng(0).uniform(0.0, 99.0, size=300):
        said = above_best(gap)
        assert said is not None
        above = 100.0 / (1.0 - gap / 100.0) - 100.0
        assert 0.0 <= float(said.removesuffix(" %")) - above <= (1.0 if above > 9.9 else 0.1 + 1e-9)
    assert above_best(100.0) is None


# -- how numbers are written

FORMATS = (
    (r"\d[eE][+-]?\d", "a power of e"),
    (r"(?<![\d.])-0(\.0+)?(?![\d.])", "a negative zero"),
    (r"\b1 (times|records|groups|classes|values|strata|categories|columns)\b", "one of several"),
    (r"\b(nan|inf|None|True|False)\b", "a word of the machine"),
    (r"\d\.\d{8,}", "digits that say nothing"),
    (r"(?<![\d,.])\d{7,}(?![\d.])", "a long number without marks"),
)
"""How no number of a report is written."""


def read_by_a_person(page: str) -> str:
    """The text of a page, without its style."""
    body = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", body)


@pytest.mark.parametrize("scale", [1.0, 1e-12, 1e9])
def test_every_number_is_written_for_a_person(scale: float) -> None:
    rng = np.random.default_rng(2)
    given = pa.table(
        {
            "income": rng.lognormal(8, 1, 90) * scale,
            "change": rng.normal(0, 1e-9, 90) * scale,
            "flat": [5.0] * 90,
            "ward": rng.choice(["east", "west"], 90).tolist(),
            "site": ["a"] * 89 + ["b"],
            "born": pa.array(rng.integers(0, 9000, 90).astype("int32")).cast(pa.date32()),
            "ill": rng.choice(["flu", "cold"], 90).tolist(),
        }
    )
    report = covey.release(
        given,
        k=5,
        quasi=["income", "change", "flat", "ward", "site", "born"],
        sensitive=["ill"],
        measuring=covey.Measuring(regressions=("income ~ change",), domains=("ward",), originals=True),
        title="A survey",
        publisher="An office",
    ).report
    for version in (report, report.public()):
        made = version.covey  # a version is no number
        for text in (read_by_a_person(to_html(version)), to_text(version)):
            for pattern, what in FORMATS:
                assert not re.search(pattern, text.replace(made, "")), (
                    what,
                    re.search(f".{{40}}{pattern}.{{20}}", text),
                )


# -- the head, the columns, the domains and the riskiest combinations


def test_the_head_says_what_the_data_are_and_how_they_were_made(tmp_path: Path) -> None:
    choices: dict[str, Any] = {"title": "Income survey", "publisher": "Office of Statistics", "missing": "coordinate"}
    choices |= {"missing_codes": {"ward": ["SENTINELWARD"]}, "edits": ["income >= 0"]}
    done = covey.release(
        people(), k=5, quasi=["age", "income", "ward"], drop_rest=True, number=["age"], top={"income": "99%"}, **choices
    )
    done.write(tmp_path / "income-2026.csv", report=tmp_path / "r.json", internal_report=tmp_path / "r-internal.html")
    public, page = json.loads((tmp_path / "r.json").read_text()), (tmp_path / "r-internal.html").read_text()
    settings = {one["name"]: one["value"] for one in public["settings"]}
    assert (public["title"], public["publisher"], public["file"]) == (*list(choices.values())[:2], "income-2026.csv")
    assert settings["missing"] == "grouped with the others and replaced by the values of their groups"
    assert settings["missing_codes"] == "ward"  # not which value stood for it
    assert settings["top"] == "income: 99%"
    assert "edits" not in settings
    assert "entropy" not in settings
    assert public["kinds"] == {
        "numbers": ["age", "income"],
        "categories": ["ward"],
        "numbers although they look like codes": ["age"],
    }
    assert public["source"] is None
    for text in (
        "Income survey",
        "Office of Statistics",
        "income-2026.csv",
        "income &gt;= 0",
        "ward: SENTINELWARD",
    ):
        assert text in page
    assert '<div class="mark">Internal: not to be published</div>' in page  # printed on each page
    assert done.certificate.internal["recipe"]["title"] == "Income survey"


def test_every_choice_of_a_recipe_is_in_the_head() -> None:
    """A choice that is added to the recipe appears by itself."""
    named: dict[str, Any] = {
        "zeros_apart": ["income"],
        "trim": 0.2,
        "aggregates": {"income": "trimmed-mean"},
        "importance": {"age": 2},
    }
    report = covey.release(people(), k=5, quasi=["age", "income"], drop_rest=True, **named).report
    assert {one.name for one in report.settings} >= set(named)
    assert all(one.meaning.endswith(".") for one in report.settings)


def test_columns_in_their_order_with_what_vanished() -> None:
    names = [f"place {number}" for number in range(15)]
    places = [*[name for name in names for _ in range(20 - names.index(name))], "SENTINELPLACE"]
    given = pa.table({"place": places, "income": np.arange(len(places)) * 10.0})
    done = covey.release(
        given, k=5, quasi=["place", "income"], measuring=covey.Measuring(originals=True), top={"income": 1500}
    )
    place, income = done.report.columns
    shown = [category.value for category in place.categories]
    assert shown[:-1] == sorted(shown[:-1])
    assert (len(shown), shown[-1]) == (13, "others")
    assert sum(category.after for category in place.categories) == done.report.records_out
    assert sum(category.before or 0 for category in place.categories) == len(places)
    assert (place.vanished, place.vanished_records, place.vanished_values) == (1, 1, ("SENTINELPLACE",))
    assert income.before is not None
    public = done.report.public()
    assert "SENTINELPLACE" not in to_html(public) + to_json(public)
    assert all(column.before is None and column.vanished is None for column in public.columns)


def test_a_quartile_is_nobodys_own() -> None:
    values = (np.arange(100) ** 2 + 0.5).tolist()
    done = covey.release(pa.table({"x": values}), k=5, quasi=["x"], measuring=covey.Measuring())
    (column,) = done.report.columns
    assert column.before is not None
    assert column.before.quartiles == ("578.5", "2,404", "5,478")  # means of the five around 24, 49 and 74


def test_the_riskiest_combinations_are_shown_where_asked_for() -> None:
    choices: dict[str, Any] = {"k": 5, "quasi": ["age", "income"], "drop_rest": True, "shuffle": False}
    without = covey.release(people(), measuring=covey.Measuring(), **choices).report
    assert without.riskiest == []
    assert "987654" not in to_html(without) + to_json(without)
    assert "covey.Measuring(originals=True)" in to_html(without)
    done = covey.release(people(), measuring=covey.Measuring(originals=True), **choices)
    first = done.report.riskiest[0]
    assert (first.values["income"], first.size, first.risk) == ("987,654", 1, 1.0)
    assert (first.size_after >= 5, first.risk_after) == (True, 1 / first.size_after)
    assert first.became["income"] == as_text(done.arrow["income"][7].as_py())
    assert len(done.report.riskiest) == 10
    assert "987,654" not in to_html(done.report.public())


def test_domains_are_compared_unless_they_would_tell() -> None:
    rng = np.random.default_rng(0)
    region = np.repeat(["north", "south", "rich", "tiny", "coded"], [60, 60, 40, 9, 30])
    income = rng.uniform(100, 200, len(region)).round(2)
    income[120:122] = (1e6, 1e5)  # of the rich one member makes nearly all
    income[-1] = 900.0
    given = pa.table({"region": region, "income": income, "size": rng.choice(["s", "l"], len(region))})
    report = covey.release(
        given,
        k=3,
        quasi=["income", "size"],
        strata=["region"],
        top={"income": 1.2e6},
        measuring=covey.Measuring(domains=("region",)),
        categories="match",
    ).report
    means = {one.value: one for one in report.domains if one.figure == "mean of income"}
    assert set(means) == {"north", "south", "coded"}  # not the dominated one, not the one of nine
    assert means["north"].before == pytest.approx(income[:60].mean())
    assert means["north"].after == pytest.approx(means["north"].before, rel=1e-4)  # rounded means
    assert {one.value for one in report.domains} == {"north", "south", "rich", "coded"}  # shares of sizes
    assert report.public().domains == []
    coded = covey.release(
        given,
        k=3,
        quasi=["income"],
        strata=["region"],
        drop_rest=True,
        top={"income": 800},
        measuring=covey.Measuring(domains=("region",)),
    ).report
    assert {one.value for one in coded.domains} == {"north", "south"}
    with pytest.raises(covey.CoveyError, match="domains names 'income', whose values are numbers"):
        covey.release(given, k=3, quasi=["income"], drop_rest=True, measuring=covey.Measuring(domains=("income",)))
    with pytest.raises(covey.CoveyError, match="domains names 'region', which is not a published column"):
        covey.release(given, k=3, quasi=["income"], drop_rest=True, measuring=covey.Measuring(domains=("region",)))


def test_a_hierarchy_is_said_in_short() -> None:
    wards = (("east", "sunny"), ("west", "rainy"), ("north", "rainy"))
    roles = covey.Roles(quasi=("ward", "age", "code"))
    recipe = covey.Recipe(
        k=2, roles=roles, hierarchy={"ward": wards, "age": ((20.0, 40.0), (40.0,)), "code": "prefix:2"}
    )
    (setting,) = (one for one in settings_of(recipe) if one.name == "hierarchy")
    assert setting.value == "ward: 3 values, 1 level above them; age: 20, 40; 40; code: prefix:2"
    assert setting.public_value == "ward, age, code"
