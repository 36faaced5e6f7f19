"""Records that cost most leave a table out of memory: one budget for all pieces, counted here on the file alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, RefusedError
from covey.parts.leaving.absence import Absence
from covey.protect.absence import Absence as InMemory
from covey.report.render import to_html, to_text
from tests.files.tables import in_memory, people, released, small

if TYPE_CHECKING:
    from pathlib import Path

    from covey.recount.absent import Absent

N, K = 900, 5
FAR = [5e5, 7e5, 9e5, 12e5, 16e5, 20e5]
KNOWN: dict[str, Any] = {"keep": ["number"], "accept": ["number"], "entropy": "ab" * 32}
CHOICES: dict[str, dict[str, Any]] = {
    "plain": {},
    "line": {"quasi": ["income"]},
    "strata": {"strata": ["region"]},
    "line-strata": {"quasi": ["income"], "strata": ["region"]},
    "weights": {"weight": "weight", "strata": ["region"]},
    "units": {"unit": "household"},
    "units-strata": {"unit": "household", "strata": ["region"]},
    "diverse": {"sensitive": ["illness"], "l_diversity": 2},
    "in-order": {"shuffle": False},
    "categories": {"quasi": ["age", "region"]},
}


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)


def table_of(**more: Any) -> pa.Table:
    rng = np.random.default_rng(2)
    columns: dict[str, Any] = {
        "region": rng.choice(["north", "east", "isle"], N, p=[0.6, 0.3, 0.1]),
        "number": np.arange(N),
        "weight": rng.choice([1.0, 5.0, 7.0], N),
        "household": np.arange(N) // 2,
    }
    table = people(N)
    for name, values in (columns | more).items():
        table = table.drop_columns([name]) if name in table.column_names else table
        table = table.append_column(name, pa.array(values))
    return table


def gone_of(out: pa.Table) -> set[int]:
    return set(range(N)) - set(out["number"].to_pylist())


@pytest.mark.parametrize("name", CHOICES)
def test_none_or_k_leave_all_and_every_stratum(name: str, tmp_path: Path) -> None:
    table, chosen = table_of(), CHOICES[name]
    done, out = released(table, tmp_path, suppress="4%", **KNOWN, **chosen)
    gone = gone_of(out)
    who = table["household"].to_pylist() if "unit" in chosen else list(range(N))
    left = {who[row] for row in gone}
    assert K <= len(left) <= 0.04 * len(set(who))
    assert not left & {who[row] for row in out["number"].to_pylist()}  # units whole
    if "strata" in chosen:
        absent = Counter(table["region"][row].as_py() for row in gone)
        each = Counter(region for _, region in {(who[row], table["region"][row].as_py()) for row in gone})
        assert all(number >= K for number in each.values())
        there = Counter(out["region"].to_pylist())
        assert Counter(table["region"].to_pylist()) == there + absent
    facts = done.report.left_out
    assert facts is not None
    assert (facts.records, facts.units, facts.as_missing) == (len(gone), len(left), False)
    assert (done.report.records_in, done.report.suppressed) == (N, len(gone))
    assert done.certificate.k >= K
    whole = released(table, tmp_path, **KNOWN, **chosen)[0]
    assert facts.loss_percent < whole.report.groups[0].loss_percent < facts.loss_percent_charged


def test_pieces_share_the_budget_so_that_those_that_cost_most_leave(tmp_path: Path) -> None:
    """All of them lie in one or two pieces of nine."""
    income = table_of()["income"].to_numpy().copy()
    income[:6] = FAR
    for quasi in (["age", "income"], ["income"]):
        chosen: dict[str, Any] = {"suppress": 6, "quasi": quasi, **KNOWN}
        done, out = released(table_of(income=income), tmp_path, **chosen)
        assert gone_of(out) == set(range(6))
        there = in_memory(table_of(income=income), **chosen)
        assert gone_of(there.arrow) == set(range(6))
        assert done.report.left_out is not None
        assert there.report.left_out is not None
        mine, theirs = done.report.left_out, there.report.left_out
        assert mine.loss_percent_charged == pytest.approx(theirs.loss_percent_charged, abs=0.5)
        assert [note.text for note in done.report.notes] == [note.text for note in there.report.notes]


@pytest.mark.parametrize("quasi", [["age", "income"], ["income"]])
def test_the_others_are_released_as_if_those_had_never_been_there(quasi: list[str], tmp_path: Path) -> None:
    table = table_of()
    _, out = released(table, tmp_path, suppress="4%", quasi=quasi, **KNOWN)
    stay = [row not in gone_of(out) for row in range(N)]
    _, rest = released(table.filter(pa.array(stay)), tmp_path, quasi=quasi, **KNOWN)
    assert out.equals(rest)


def test_a_table_of_one_piece_loses_those_that_it_would_in_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small(monkeypatch, rows=5000)
    chosen: dict[str, Any] = {"quasi": ["income"], "strata": ["region"], "suppress": "2%", **KNOWN}
    _, out = released(table_of(), tmp_path, **chosen)
    assert gone_of(out) == gone_of(in_memory(table_of(), **chosen).arrow)


def test_weights_of_the_others_stand_for_those_that_left(tmp_path: Path) -> None:
    table = table_of()
    done, out = released(table, tmp_path, suppress="4%", weight="weight", strata=["region"], **KNOWN)
    assert not {row for row in gone_of(out) if table["weight"][row].as_py() == 1.0}
    regions, weight = (np.array(table[name].to_pylist()) for name in ("region", "weight"))
    for region in set(regions.tolist()):
        after = np.array(out["weight"].to_pylist())[np.array(out["region"].to_pylist()) == region].sum()
        assert after == pytest.approx(weight[regions == region].sum(), rel=1e-6)
    assert any("with a weight of 1 or less stay" in note.text for note in done.report.notes)


@pytest.mark.parametrize("strata", [[], ["region"]])
def test_quasi_identifiers_instead_of_records(strata: list[str], tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"suppress": "4%", "strata": strata, **KNOWN}
    done, out = released(table_of(), tmp_path, suppress_cells=True, **chosen)
    gone = {row["number"] for row in out.to_pylist() if row["age"] is None and row["income"] is None}
    assert out.num_rows == N
    assert gone == gone_of(released(table_of(), tmp_path, **chosen)[1])
    assert all((row["age"] is None) == (row["income"] is None) for row in out.to_pylist())
    assert covey.verify(out, ["age", "income", *strata], K).k >= K
    assert done.report.left_out is not None
    assert (done.report.left_out.as_missing, done.report.suppressed) == (True, 0)


def test_few_of_a_small_pattern_beside_are_refused(tmp_path: Path) -> None:
    income = table_of()["income"].to_pylist()
    for region in ("north", "east", "isle"):
        income[table_of()["region"].to_pylist().index(region)] = None
    chosen: dict[str, Any] = {"suppress": 5, "missing": "own-group", "small_strata": "suppress", "strata": ["region"]}
    for run in (
        lambda **asked: released(table_of(income=income), tmp_path, **asked),
        lambda **asked: in_memory(table_of(income=income), **asked),
    ):
        with pytest.raises(InfeasibleError, match="fewer than k = 5 records out of (1 stratum|[0-9]+ strata),"):
            run(**chosen, **KNOWN)


@pytest.mark.parametrize("cells", [{}, {"suppress_cells": True}])
def test_there_is_one_figure_for_the_loss_of_those_that_stay(cells: dict[str, Any], tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"suppress": "4%", **KNOWN, **cells}
    done, out = released(table_of(), tmp_path, **chosen)
    assert done.report.left_out is not None
    shares = []
    for name in ("age", "income"):
        became = dict(zip(out["number"].to_pylist(), out[name].to_pylist(), strict=True))
        came = dict(zip(table_of()["number"].to_pylist(), table_of()[name].to_pylist(), strict=True))
        pairs = np.array([(came[number], value) for number, value in became.items() if value is not None])
        shares.append(((pairs[:, 0] - pairs[:, 1]) ** 2).sum() / ((pairs[:, 0] - pairs[:, 0].mean()) ** 2).sum())
    figure = done.report.left_out.loss_percent_of_published
    assert figure == pytest.approx(50.0 * sum(shares), rel=0.02)
    if not cells:
        assert figure == pytest.approx(done.report.groups[0].loss_percent, rel=1e-6)


SMALL: dict[str, Any] = {"missing": "own-group", "small_strata": "suppress", **KNOWN}


def without_income(*rows: int) -> pa.Table:
    income = table_of()["income"].to_pylist()
    for row in rows:
        income[row] = None
    return table_of(income=income)


def test_one_record_of_a_small_pattern_beside_cells_is_refused(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"suppress": "4%", "suppress_cells": True, **SMALL}
    for run in (
        lambda: released(without_income(600), tmp_path, **chosen),
        lambda: in_memory(without_income(600), **chosen),
    ):
        with pytest.raises(InfeasibleError, match="fewer than k = 5 records out of 1 stratum,"):
            run()


def test_a_small_stratum_alone_is_refused(tmp_path: Path) -> None:
    table = table_of(region=["far", *["near"] * (N - 1)], age=[40] * N, income=[1.0] * N)
    chosen: dict[str, Any] = {"suppress": "4%", "strata": ["region"], **SMALL}
    for run in (lambda: released(table, tmp_path, **chosen), lambda: in_memory(table, **chosen)):
        with pytest.raises(InfeasibleError, match="fewer than k = 5 records out of the table,"):
            run()


def test_units_that_would_be_torn_are_refused_unless_they_leave(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"suppress": "4%", "unit": "household", **SMALL}
    age = table_of()["age"].to_pylist()
    age[700:708:2] = [None] * 4
    many = without_income(600, 602, 604, 606)
    many = many.set_column(many.column_names.index("age"), "age", pa.array(age))
    for run, units in (
        (lambda **asked: released(without_income(601), tmp_path, **asked), 1),
        (lambda **asked: in_memory(without_income(601), **asked), 1),
        (lambda **asked: released(many, tmp_path, suppress_cells=True, **asked), 8),
        (lambda **asked: in_memory(many, suppress_cells=True, **asked), 8),
    ):
        with pytest.raises(InfeasibleError, match=f"some rows of {units} units?, those in strata"):
            run(**chosen)
    farthest = int(np.argmax(table_of()["income"].to_numpy()))
    partner = farthest ^ 1  # the other row of its household
    gone = gone_of(released(without_income(partner), tmp_path, **chosen)[1])
    assert {farthest, partner} <= gone
    assert all(row ^ 1 in gone for row in gone)


def test_weights_stand_for_those_of_small_patterns_too(tmp_path: Path) -> None:
    table = without_income(600, 601)
    out = released(table, tmp_path, suppress="4%", weight="weight", **SMALL)[1]
    assert {600, 601} < gone_of(out)
    before = sum(table["weight"].to_pylist())
    assert sum(out["weight"].to_pylist()) == pytest.approx(before, rel=1e-6)
    assert before == pytest.approx(
        sum(in_memory(table, suppress="4%", weight="weight", **SMALL).arrow["weight"].to_pylist())
    )


def test_budgets_below_k_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InfeasibleError, match="suppress is 0.5%, which is 4 of 900 records, and k is 5"):
        released(table_of(), tmp_path, suppress="0.5%", **KNOWN)
    with pytest.raises(InfeasibleError, match="suppress is 1%, which is 4 of 450 units, and k is 5"):
        released(table_of(), tmp_path, suppress="1%", unit="household", **KNOWN)


def test_the_recount_looks_for_those_that_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    right = Absence.absent.fget  # type: ignore[attr-defined]

    def wrong(absence: Absence) -> list[Absent]:
        first, *others = right(absence)
        return [first._replace(gone=first.gone + 1), *others]

    monkeypatch.setattr(Absence, "absent", property(wrong))
    with pytest.raises(RefusedError, match="other numbers of records in the strata"):
        released(table_of(), tmp_path, suppress="4%", strata=["region"], **KNOWN)
    assert not (tmp_path / "out.parquet").exists()
    known = InMemory.strata
    monkeypatch.setattr(
        InMemory,
        "strata",
        lambda *given: [one._replace(gone=one.gone + 1) for one in known(*given)],
    )
    with pytest.raises(RefusedError, match="other numbers of records in the strata"):
        in_memory(table_of(), suppress="4%", strata=["region"], **KNOWN)


def test_all_others_known_tells_that_a_record_is_unusual_and_no_more(tmp_path: Path) -> None:
    """The all-but-one attack: whatever the value of a record that is left out, release and public report are the same."""
    texts, tables = [], []
    for value in (1.1e6, 1.3e6):
        income = table_of()["income"].to_numpy().copy()
        income[:6] = FAR
        income[3] = value
        done, out = released(table_of(income=income), tmp_path, suppress=6, measuring=covey.Measuring(), **KNOWN)
        assert gone_of(out) == set(range(6))
        public = done.report.public()
        texts.append((to_text(public), to_html(public), done.certificate.to_json()))
        tables.append(out)
    assert tables[0].equals(tables[1])
    assert texts[0] == texts[1]


def test_categories_that_lacked_nothing_may_lack_something_now(tmp_path: Path) -> None:
    """The cells of those that cost most are missing in a column of categories that had no missing value."""
    rng = np.random.default_rng(8)
    table = pa.table({"town": [f"t{i}" for i in rng.integers(0, 30, 400)]})
    given: dict[str, Any] = {"quasi": ["town"], "suppress": 8, "suppress_cells": True, "missing": "own-group"}
    done, out = released(table, tmp_path, **given)
    assert 5 <= out["town"].null_count <= 8
    assert done.report.left_out is not None
