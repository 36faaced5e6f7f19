"""`covey release --with` and `covey check --with`: two tables that a key links."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import csv

import covey
from covey import cli
from tests.commands.running import fails
from tests.tables.test_release import tables

if TYPE_CHECKING:
    from pathlib import Path

RELEASE = [
    "release",
    "persons.csv",
    "--with",
    "visits.csv",
    "--key",
    "person",
    "-k",
    "3",
    "--quasi",
    "age,sex,ward,days",
]
RELEASE += ["--drop", "job", "--no-ledger", "-o", "p.csv", "--with-output", "v.csv"]


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for table, name in zip(tables(), ("persons.csv", "visits.csv"), strict=True):
        csv.write_csv(table, name)
    return tmp_path


def test_two_files_are_released_and_checked(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*RELEASE, "--certificate", "c.json"]) == 0
    assert "written: p.csv, v.csv, c.json" in capsys.readouterr().err
    assert csv.read_csv("p.csv").column_names == ["person", "age", "sex"]
    assert csv.read_csv("v.csv").column_names == ["person", "ward", "days"]
    check = ["check", "p.csv", "--with", "v.csv"]
    asked = ["--key", "person", "--quasi", "age,sex,ward,days"]
    assert cli.main([*check, *asked, "-k", "3"]) == 0
    assert "units in classes below 3 = 0" in capsys.readouterr().out
    assert cli.main([*check, *asked, "-k", "30", "--sensitive", "days"]) == 1
    assert "distinct l-diversity of days = 0" in capsys.readouterr().out  # who has no visit has no days
    assert cli.main([*check, "--certificate", "c.json"]) == 0
    assert "records = 40 and" in capsys.readouterr().out
    whole = csv.read_csv("v.csv")
    csv.write_csv(whole.set_column(2, "days", pa.array(sorted(whole["days"].to_pylist()))), both / "v.csv")
    assert cli.main([*check, "--certificate", "c.json"]) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--memory", "1GiB"], "two tables that a key links are given, and in parts, one table is read"),
        (["--partition-by", "sex"], "--partition-by is given, and has no effect on linked tables"),
        (["--unit", "sex"], "unit is 'sex'"),
        (["--with-output", "p.csv"], "two outputs have the same name"),
        (["-o", "visits.csv", "--force"], "visits.csv"),
        (["-o", "-"], "an output is standard output; needed, for linked tables: two files"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(
    both: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in fails(capsys, *RELEASE, *more)
    assert sorted(path.name for path in both.iterdir()) == ["persons.csv", "visits.csv"]


def test_the_internal_certificate_replays_without_the_key(both: Path) -> None:
    assert cli.main([*RELEASE, "--internal", "internal.json"]) == 0
    replay = ["release", "persons.csv", "--with", "visits.csv", "--recipe", "internal.json", "--no-ledger"]
    assert cli.main([*replay, "-o", "again.csv", "--with-output", "more.csv"]) == 0
    assert (both / "again.csv").read_bytes() == (both / "p.csv").read_bytes()
    assert (both / "more.csv").read_bytes() == (both / "v.csv").read_bytes()


def test_half_of_what_is_needed_is_an_error(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert both.exists()
    release = ["release", "persons.csv", "-k", "3", "--quasi", "age", "--drop-rest", "-o", "p.csv", "--key", "person"]
    assert "linked tables need --with, --key and --with-output" in fails(capsys, *release)
    check = ["check", "persons.csv", "-k", "3", "--quasi", "age"]
    assert "--key is given without --with" in fails(capsys, *check, "--key", "person")
    assert "--with is given without --key" in fails(capsys, *check, "--with", "visits.csv")
    swapped = ["check", "visits.csv", "--with", "persons.csv", "--key", "person", "-k", "3", "--quasi", "age"]
    assert "repeats a key in" in fails(capsys, *swapped)


def test_two_tables_are_compared_as_they_are_released(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--with", "visits.csv", "--key", "person", "--quasi", "age,sex,ward,days", "--drop", "job"]
    grid = ["compare", "persons.csv", "-k", "3,5", "--method", "mdav", *asked, "-o", "grid-internal.json"]
    assert cli.main(grid) == 0
    assert "recommended" in capsys.readouterr().out
    settings = json.loads((both / "grid-internal.json").read_text(encoding="utf-8"))["settings"]
    done = covey.release_tables(
        "persons.csv",
        "visits.csv",
        3,
        key="person",
        method="mdav",
        quasi=["age", "sex", "ward", "days"],
        drop=["job"],
        measuring=covey.Measuring(),
        ledger=False,
    )
    losses = {measured.name.value: measured.value for measured in done.report.utility if measured.column is None}
    assert [setting["k"] for setting in settings] == [3, 5]
    assert settings[0]["loss"] == pytest.approx(losses["information loss"])
    assert settings[0]["k_achieved"] == done.certificate.k
    assert settings[1]["k_achieved"] >= 5
    alone = [*grid[:4], "--with", "visits.csv", "--quasi", "age", "--drop-rest"]
    assert "linked tables need second and key" in fails(capsys, *alone)


def test_a_recipe_to_start_from_is_of_both_tables(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    linked = ["persons.csv", "--with", "visits.csv", "--key", "person"]
    assert cli.main(["recipe", *linked, "-k", "3", "--quasi", "age,days", "--missing-codes", "days=7"]) == 0
    out = capsys.readouterr().out
    first, second = (
        out.index("# the first table, with one row"),
        out.index("# the second table, with any number of rows"),
    )
    assert first < out.index("# age: int64\n") < second < out.index("# days: int64\n")
    assert out.count("# person: string\n") == 2
    assert "# sex: string; no role yet; suggested: quasi" in out[first:second]
    assert "# noticed: column 'days'" in out[second:]
    recipe = covey.Recipe.from_toml(out)
    assert (recipe.k, recipe.roles.quasi) == (3, ("age", "days"))
    assert (recipe.roles.unit, recipe.roles.random_ids) == ("person", ("person",))
    (both / "r.toml").write_text(recipe.with_changes(missing_codes={}).to_toml())
    follow = ["--recipe", "r.toml", "--drop-rest", "-o", "p.csv", "--with-output", "v.csv", "--no-ledger", "--quiet"]
    assert cli.main(["release", *linked[:3], *follow]) == 0
    assert csv.read_csv("v.csv").column_names == ["person", "days"]


def test_suggestions_are_roles_that_linked_tables_have(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No unit but the key, no weight of the second table."""
    visits = csv.read_csv("visits.csv")
    home, weight = (pa.array([one % 9 + 1 for one in range(len(visits))]) for _ in range(2))
    csv.write_csv(
        visits.append_column("household_id", home).append_column("survey_weight", weight), both / "visits.csv"
    )
    assert cli.main(["recipe", "persons.csv", "--with", "visits.csv", "--key", "person"]) == 0
    out = capsys.readouterr().out
    assert "# household_id: int64; no role yet; suggested: drop" in out
    assert "# survey_weight: int64; no role yet; suggested: drop, because its name is that of a sampling weight" in out
    assert cli.main(["recipe", "visits.csv"]) == 0
    assert "suggested: weight" in (alone := capsys.readouterr().out)
    assert "suggested: unit" in alone


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["persons.csv", "--with", "visits.csv"], "linked tables need --with and --key"),
        (["persons.csv", "--key", "person"], "linked tables need --with and --key"),
        (["visits.csv", "--with", "persons.csv", "--key", "person"], "the same value as an earlier row"),
        (["persons.csv", "--with", "visits.csv", "--key", "person", "--quasi", "agee"], "'agee'"),
        (["persons.csv", "--with", "visits.csv", "--key", "person", "--query", "select 1"], "--query is given"),
    ],
)
def test_a_recipe_is_of_tables_that_the_key_links(
    both: Path, given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert both.exists()
    assert said in fails(capsys, "recipe", *given)
