"""Releases that leave out the records that cost most: who leaves, what is told of them, and what their weights become."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, OptionError
from covey.report.render import to_html, to_text
from covey.utils.notes import NoteKind

FIXED: dict[str, Any] = {"entropy": "cd" * 32, "shuffle": False, "ledger": False, "drop_rest": True}
N = 120


def firms(**more: Any) -> pa.Table:
    """Firms of which the first six are far larger than the others, five of them in the west."""
    rng = np.random.default_rng(11)
    income, staff = rng.normal(300, 40, N), rng.normal(50, 9, N)
    income[:6] = [5000, 7000, 9000, 12000, 16000, 20000]
    staff[:6] = [900, 400, 1900, 700, 2500, 1200]
    area = np.where(np.arange(N) % 2 == 0, "east", "west")
    area[:6] = ["west", "west", "west", "west", "west", "east"]
    columns = {
        "income": income.round(1),
        "staff": staff.round(0),
        "area": area,
        "number": np.arange(N),
        "ill": rng.choice(["a", "b", "c", "d"], N),
    }
    return pa.table(columns | more)


def released(table: pa.Table | None = None, k: int = 5, **choices: Any) -> covey.Release:
    wanted = {"quasi": ["income", "staff"], "keep": ["number"], "accept": ["number"]} | FIXED | choices
    return covey.release(firms() if table is None else table, k=k, **wanted)


def left_out(done: covey.Release, n: int = N) -> list[int]:
    return sorted(set(range(n)) - set(done.arrow["number"].to_pylist()))


def test_who_leaves_and_what_that_buys() -> None:
    done, whole = released(suppress="5%"), released()
    assert left_out(done) == [0, 1, 2, 3, 4, 5]
    facts = done.report.left_out
    assert facts is not None
    assert (facts.records, facts.units, facts.best) == (6, 6, False)
    assert facts.loss_percent < 0.1 * whole.report.groups[0].loss_percent
    assert facts.loss_percent_charged > 50
    assert facts.loss_percent < facts.loss_percent_of_published < 100
    assert (done.report.records_in, done.report.records_out, done.report.suppressed) == (N, N - 6, 6)
    assert done.certificate.k >= 5
    assert whole.report.left_out is None


def test_the_others_are_released_as_if_those_had_never_been_there() -> None:
    """So nothing of their values is in the release."""
    done = released(suppress=6)
    rest = released(firms().slice(6))
    assert done.arrow.equals(rest.arrow)
    assert done.report.class_sizes == rest.report.class_sizes


@pytest.mark.parametrize("cells", [{}, {"suppress_cells": True}])
def test_prefixes_are_those_of_the_codes_that_stay(cells: dict[str, Any]) -> None:
    """Codes that only those have who leave, longer ones and others of the same beginning, are nowhere in the tree."""
    rng = np.random.default_rng(4)
    codes = [f"{a}{b}{c}" for a, b, c in zip(*(rng.integers(1, size, N) for size in (3, 4, 5)), strict=True)]
    codes[:6] = ["1119", "1128", "1117", "1126", "115", "116"]
    given: dict[str, Any] = {"quasi": ["code", "income"], "hierarchy": {"code": "prefix:1,2"}}
    done = released(firms(code=codes), suppress=6, **given, **cells)
    rest = released(firms(code=codes).slice(6), **given)
    assert {len(label) for label in done.arrow["code"].to_pylist() if label is not None} == {3}
    if not cells:
        assert done.arrow.equals(rest.arrow)


def test_numbers_of_those_left_out_are_internal() -> None:
    done = released(suppress=6, measuring=covey.Measuring())
    public = done.report.public()
    assert (public.left_out, public.records_in, public.suppressed, public.totals) == (None, None, None, [])
    assert not any(note.kind is NoteKind.LEFT_OUT for note in public.notes)
    for text in (to_text(public), to_html(public), done.certificate.to_json()):
        assert "left out" not in text.replace("left_out_where_costly", "")
    assert done.certificate.public["left_out_where_costly"] == "records"
    assert "6 records left out since they cost most" in to_text(done.report)
    assert "6 records left out since they cost most" in to_html(done.report)
    assert "total of income, of all records that came in: -" in to_text(done.report)
    assert "total of income: " in to_text(released().report)
    shown, published = (" ".join(to_html(report).split()) for report in (done.report, public))
    assert "; 6 records are not published." in shown
    assert "Original: of the records that are published." in shown
    assert "Original: of the records" not in published
    assert "left_out_where_costly" not in released().certificate.public


def own_loss(done: covey.Release) -> float:
    """What rows with values lose, of their own variation, each column in its standard deviation: by the table and the release alone."""
    shares = []
    for name in ("income", "staff"):
        before, after = firms()[name].to_numpy(), done.arrow[name].to_pylist()
        pairs = [
            (before[number], value)
            for number, value in zip(done.arrow["number"].to_pylist(), after, strict=True)
            if value is not None
        ]
        came, became = np.array(pairs).T
        shares.append(((came - became) ** 2).sum() / ((came - came.mean()) ** 2).sum())
    return 50.0 * float(sum(shares))


@pytest.mark.parametrize("cells", [{}, {"suppress_cells": True}])
def test_there_is_one_figure_for_the_loss_of_those_that_stay(cells: dict[str, Any]) -> None:
    """In the scales in which they are grouped, not in those of all."""
    done = released(suppress=6, **cells)
    facts = done.report.left_out
    assert facts is not None
    assert facts.loss_percent_of_published == pytest.approx(own_loss(done), rel=0.01)  # the staff is whole
    if not cells:
        assert facts.loss_percent_of_published == pytest.approx(done.report.groups[0].loss_percent, rel=1e-9)


def test_the_note_says_how_those_that_cost_most_are_published() -> None:
    (note,) = [str(note) for note in released(suppress=6).report.notes if note.kind is NoteKind.LEFT_OUT]
    assert "whoever knows that somebody was in the table and is not found" in note
    cells = released(suppress=6, suppress_cells=True)
    (note,) = [str(note) for note in cells.report.notes if note.kind is NoteKind.LEFT_OUT]
    assert "is not found" not in note
    assert "who is found without them is unusual" in note


def test_one_column_is_the_best_choice() -> None:
    table = pa.table({"x": [0, 0, 0, 0, 10, 10, 100, 100, 100, 103], "number": np.arange(10)})
    done = released(table, k=3, quasi=["x"], number=["x"], suppress=3)
    assert left_out(done, 10) == [4, 5, 9]
    assert done.report.left_out is not None
    assert done.report.left_out.best
    assert done.report.left_out.loss_percent == 0.0
    ages = covey.datasets.load_patients()[["age"]].iloc[:300]
    best = covey.release(ages, k=5, quasi=["age"], suppress=9).report.left_out
    assert best is not None
    assert best.best


def test_none_or_k_leave_each_stratum() -> None:
    done = released(strata=["area"], suppress=10)
    gone = firms()["area"].to_numpy()[left_out(done)]
    assert len(gone) >= 5
    assert all(np.sum(gone == area) == 0 or np.sum(gone == area) >= 5 for area in ("east", "west"))
    assert left_out(done)[:5] == [0, 1, 2, 3, 4]


def test_one_stratum_on_a_line_shares_the_budget_with_the_other() -> None:
    done = released(quasi=["income"], strata=["area"], suppress=10)
    assert left_out(done)[:6] == [0, 1, 2, 3, 4, 5]
    assert len(left_out(done)) == 10
    assert done.report.left_out is not None
    assert done.report.left_out.best


def test_requirements_do_not_decide_who_leaves() -> None:
    plain = released(suppress=6)
    done = released(suppress=6, sensitive=["ill"], l_diversity=3)
    other = released(firms(ill=np.roll(firms()["ill"].to_numpy(), 7)), suppress=6, sensitive=["ill"], l_diversity=3)
    assert left_out(plain) == left_out(done) == left_out(other)
    assert done.report.requirements[0].worst_class >= 3


def test_budgets_that_would_tell_of_each() -> None:
    with pytest.raises(OptionError, match="suppress is 4, and k is 5; needed: at least k"):
        released(suppress=4)
    with pytest.raises(
        InfeasibleError, match="suppress is 2%, which is 2 of 120 records, and k is 5; needed: at least k"
    ):
        released(suppress="2%")
    for wrong in ("0%", "100%", "x", 0, -3, 1.5, True, "1"):
        if wrong == "1":
            assert covey.Recipe(k=2, roles=covey.Roles(quasi=("a",)), suppress="12").suppress == 12
            continue
        with pytest.raises(
            OptionError, match="suppress is .*needed: a whole number of records above 0, or a percentage"
        ):
            released(suppress=wrong)
    with pytest.raises(OptionError, match="suppress_cells is given, and has no effect without suppress"):
        released(suppress_cells=True)
    with pytest.raises(OptionError, match="suppress is given beside several blocks"):
        released(suppress=6, blocks=[["income"], ["staff"]], allow_blocks=True)


def test_few_of_a_small_pattern_beside_are_refused() -> None:
    income = firms()["income"].to_pylist()
    income[100] = income[101] = None
    with pytest.raises(InfeasibleError, match="fewer than k = 5 records out of 1 stratum,"):
        released(
            firms(income=income),
            strata=["area"],
            missing="own-group",
            small_strata="suppress",
            suppress=5,
            quasi=["staff", "income"],
        )


def test_units_leave_whole() -> None:
    table = firms(firm=np.arange(N) // 2)
    done = released(table, k=3, unit="firm", suppress=3)
    assert left_out(done) == [0, 1, 2, 3, 4, 5]
    assert done.report.left_out is not None
    assert (done.report.left_out.records, done.report.left_out.units) == (6, 3)
    with pytest.raises(OptionError, match="suppress is given beside linked units"):
        released(table, k=3, unit="firm", linked=True, suppress=3)


def test_weights_of_the_others_stand_for_those_that_left() -> None:
    areas = firms()["area"].to_numpy()
    weight = np.where(areas == "west", 20.0, 10.0)
    table = firms(w=weight)
    for rule in ("group", "keep"):
        done = released(table, strata=["area"], weight="w", weights=rule, suppress=6)
        for area in ("east", "west"):
            inside = np.array(done.arrow["area"]) == area
            before = weight[areas == area].sum()
            assert np.array(done.arrow["w"])[inside].sum() == pytest.approx(before, rel=1e-6)
    replicate = np.where(np.arange(N) % 3 == 0, 0.0, 1.5 * weight)
    done = released(firms(w=weight, r=replicate), strata=["area"], weight="w", suppress=6, replicate_weights=["r"])
    for area in np.unique(areas):
        inside = np.array(done.arrow["area"]) == area
        assert np.array(done.arrow["r"])[inside].sum() == pytest.approx(replicate[areas == area].sum())
    assert any("the weights 'w', 'r' of strata" in str(note) for note in done.report.notes)
    whole = released(firms(w=weight.astype(int)), strata=["area"], weight="w", weights="keep", suppress=6)
    assert whole.arrow["w"].type == pa.float64()
    assert any("is published as double" in str(note) for note in whole.report.notes)


def test_records_that_stand_for_themselves_alone_stay() -> None:
    weight = np.full(N, 15.0)
    weight[:3] = 1.0
    done = released(firms(w=weight), weight="w", suppress=6)
    assert not {0, 1, 2} & set(left_out(done))
    assert any("3 with a weight of 1 or less stay" in str(note) for note in done.report.notes)
    normalised = released(firms(w=np.ones(N)), weight="w", suppress=6)
    assert left_out(normalised) == [0, 1, 2, 3, 4, 5]


def test_quasi_identifiers_instead_of_records() -> None:
    done = released(suppress=6, suppress_cells=True, sensitive=["ill"], l_diversity=2)
    assert left_out(done) == []
    missing = [row["number"] for row in done.arrow.to_pylist() if row["income"] is None]
    assert sorted(missing) == [0, 1, 2, 3, 4, 5]
    assert all(row["staff"] is None for row in done.arrow.to_pylist() if row["number"] < 6)
    assert done.certificate.k >= 5
    assert done.certificate.public["left_out_where_costly"] == "quasi-identifiers"
    assert covey.verify(done.arrow, ["income", "staff"], 5).k >= 5
    shown = to_text(done.report)
    assert "6 records published without quasi-identifiers since they cost most" in shown


def test_a_class_without_quasi_identifiers_satisfies_what_is_required() -> None:
    ill = np.array(["a", "b", "c"])[np.arange(N) % 3]
    ill[:6] = "a"
    with pytest.raises(InfeasibleError, match="the records without quasi-identifiers of a stratum would not satisfy"):
        released(firms(ill=ill), suppress=6, suppress_cells=True, sensitive=["ill"], l_diversity=2)
    assert released(firms(ill=ill), suppress=6, sensitive=["ill"], l_diversity=2).certificate.k >= 5


def test_nobody_leaves_where_that_buys_nothing() -> None:
    table = pa.table({"x": [1.0] * 40, "number": np.arange(40)})
    done = released(table, quasi=["x"], suppress=5)
    assert left_out(done, 40) == []
    assert any("no record is left out" in str(note) for note in done.report.notes)


def test_the_risk_of_each_record_is_that_of_its_row() -> None:
    done = released(suppress=6, measuring=covey.Measuring(records=True))
    assert done.record_risk is not None
    assert sorted(done.record_risk.row.tolist()) == list(range(7, N + 1))


def test_all_others_known_tells_that_a_record_is_unusual_and_no_more() -> None:
    """The all-but-one attack: whatever the value of a record that is left out, release and public report are the same."""
    texts, tables = [], []
    for value in (4500.0, 6100.0):
        income = firms()["income"].to_numpy().copy()
        income[0] = value
        done = released(firms(income=income), suppress=6, measuring=covey.Measuring())
        assert left_out(done) == [0, 1, 2, 3, 4, 5]
        public = done.report.public()
        texts.append((to_text(public), to_html(public), done.certificate.to_json()))
        tables.append(done.arrow)
    assert all(table.equals(tables[0]) for table in tables)
    assert all(text == texts[0] for text in texts)


@pytest.mark.parametrize(
    "asked", [{"l_diversity": 3}, {"alpha": 0.5}, {"t_closeness": 0.5}], ids=["l_diversity", "alpha", "t_closeness"]
)
def test_all_others_known_absence_tells_nothing_of_a_diagnosis(asked: dict[str, Any]) -> None:
    """The all-but-one attack on a sensitive column: whatever one has, the same records leave, and groups that fail are joined instead.

    All who lie near it have the same diagnosis, so that no group of them holds what is required; none of them leaves for that.
    """
    income = firms()["income"].to_numpy()
    near = np.argsort(income)[20:50]
    gone = set()
    for value in ("a", "b", "d"):
        ill = firms()["ill"].to_numpy(zero_copy_only=False).copy()
        ill[near], ill[near[7]] = "c", value
        done = released(firms(ill=ill), quasi=["income"], suppress=6, sensitive=["ill"], **asked)
        assert not set(near.tolist()) & set(left_out(done))
        gone.add(tuple(left_out(done)))
    assert len(gone) == 1
