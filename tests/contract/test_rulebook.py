"""One rulebook: ids, weights, coded times, labels of strata, notes and what is shown are the same in memory and from a file."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError
from tests.contract.recipes import SECRET

if TYPE_CHECKING:
    from pathlib import Path

    from covey.report.collect import Report

N = 120


def table() -> pa.Table:
    random = np.random.default_rng(20)
    days = [dt.datetime(2020, 1, 1) + dt.timedelta(days=int(day)) for day in random.integers(0, 900, N)]
    branch = ["north"] * 50 + ["south"] * 66 + ["east"] * 4
    return pa.table(
        {
            "income": random.lognormal(8, 1, N).round(2),
            "seen": pa.array(days, pa.timestamp("us")),
            "person": [f"p{row}" for row in range(N)],
            "weight": pa.array(random.integers(3, 40, N), pa.int32()),
            "even": pa.array([7] * N, pa.int32()),
            "branch": branch,
            "wide": pa.array(branch, pa.large_string()),
            "known": pa.array(branch).dictionary_encode(),
            "size": pa.array([1] * 50 + [2] * 66 + [3] * 4, pa.int16()),
            "ill": pa.array(random.integers(0, 9, N)),
        }
    )


def both(folder: Path, **choices: Any) -> tuple[tuple[pa.Table, Report], tuple[pa.Table, Report]]:
    """The table and its report, from memory and from a file."""
    given: dict[str, Any] = {"k": 6, "drop_rest": True, "entropy": SECRET, "ledger": False} | choices
    memory = covey.release(table(), **given)
    pq.write_table(table(), folder / "in.parquet")
    file = covey.release_file(folder / "in.parquet", folder / "out.parquet", force=True, **given)
    return (memory.arrow, memory.report), (pq.read_table(file.path), file.report)


def rows(released: pa.Table) -> list[str]:
    return sorted(map(str, released.to_pylist()))


def notes(report: Report) -> set[str]:
    return {str(note) for note in report.notes}


def test_ids_are_the_same(tmp_path: Path) -> None:
    (memory, _), (file, _) = both(tmp_path, quasi="income", random_ids="person")
    assert rows(memory) == rows(file)
    assert len(set(memory["person"].to_pylist())) == N


@pytest.mark.parametrize(
    ("choices", "kind"),
    [
        ({}, pa.float64()),
        ({"weights": "keep", "weight": "even"}, pa.int32()),
        ({"weights": "keep", "round_weights": 50}, pa.int32()),
        ({"weights": "keep", "round_weights": 62.5}, pa.float64()),
    ],
)
def test_weights_have_one_rule_of_types(tmp_path: Path, choices: dict[str, Any], kind: pa.DataType) -> None:
    (memory, told), (file, filed) = both(tmp_path, **{"weight": "weight", "quasi": "income"} | choices)
    assert memory.schema == file.schema
    assert memory.schema.types[1] == kind
    assert rows(memory) == rows(file)
    assert notes(told) == notes(filed)


def test_rounded_weights_that_do_not_fit_are_an_error() -> None:
    small = table().set_column(3, "weight", pa.array([100] * N, pa.int8()))
    with pytest.raises(InputError, match="'weight' is of type int8, which cannot hold its rounded values"):
        covey.release(small, 5, quasi="income", weight="weight", weights="keep", round_weights=200, drop_rest=True)


@pytest.mark.parametrize("end", [{"top": {"seen": "2021-06-01T12:00:00"}}, {"bottom": {"seen": "2020-03-01"}}])
def test_coded_times_have_one_grain(tmp_path: Path, end: dict[str, Any]) -> None:
    (memory, told), (file, filed) = both(tmp_path, quasi="seen", **end)
    assert rows(memory) == rows(file)
    assert notes(told) == notes(filed)
    hours = {moment.hour for moment in memory["seen"].to_pylist()}
    assert (12 in hours) == ("top" in end)
    assert hours <= {*range(24)} if "top" in end else hours == {0}


@pytest.mark.parametrize("name", ["branch", "wide", "known", "size"])
def test_merged_strata_have_one_form(tmp_path: Path, name: str) -> None:
    (memory, told), (file, filed) = both(tmp_path, quasi="income", strata=[name], small_strata="merge")
    assert memory.schema == file.schema
    assert rows(memory) == rows(file)
    assert notes(told) == notes(filed)
    assert any("+" in str(label) for label in memory[name].to_pylist())


def test_closeness_is_shown_up_to_one_number_of_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choices: dict[str, Any] = {"quasi": "income", "sensitive": "ill"}
    for most, is_shown in ((9, True), (8, False)):
        monkeypatch.setattr("covey.recount.requirements.MOST_FOR_CLOSENESS", most)
        (_, told), (_, filed) = both(tmp_path, **choices)
        assert told.sensitive == filed.sensitive
        assert (told.sensitive[0].t_closeness is not None) == is_shown


@pytest.mark.parametrize("engine", ["memory", "file"])
@pytest.mark.parametrize("off", [True, False])
def test_no_ledger_is_made_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, *, off: bool
) -> None:
    monkeypatch.delenv("COVEY_LEDGER", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    if off:
        monkeypatch.setenv("COVEY_LEDGER", "off")
    choices: dict[str, Any] = {"k": 6, "quasi": "income", "drop_rest": True} | ({} if off else {"ledger": False})
    if engine == "memory":
        covey.release(table(), **choices).write(tmp_path / "out.csv", ledger=off)
        covey.release(table(), 6, quasi="income", drop_rest=True)  # a look leaves nothing
    else:
        pq.write_table(table(), tmp_path / "in.parquet")
        covey.release_file(tmp_path / "in.parquet", tmp_path / "out.csv", **choices)
    assert not (tmp_path / "state").exists()


def test_nothing_is_added_to_what_the_caller_holds(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(
        "income,code\n" + "".join(f"{row},{row % 9}.{1 + 9 * (row % 2)}\n" for row in range(60))
    )
    loaded = covey.io.read(tmp_path / "in.csv")
    before = list(loaded.notes)
    choices: dict[str, Any] = {"k": 5, "quasi": "income", "keep": "code", "accept": "code", "ledger": False}
    reports = [covey.release(loaded, **choices).report for _ in range(2)]
    assert loaded.notes == before
    assert notes(reports[0]) == notes(reports[1])
    assert any("as it was written" in note for note in notes(reports[0]))
