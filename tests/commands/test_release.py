"""`covey release`, and the other commands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import covey
from covey import cli
from covey.errors import OptionError
from covey.io import read, read_published
from tests.commands.running import ROLES, fails

if TYPE_CHECKING:
    from pathlib import Path


def test_the_example_of_the_readme(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    extra = ["--report", "report.html", "--certificate", "c.json", "--internal", "internal.json"]
    assert cli.main(["release", "people.csv", "-k", "5", *ROLES, "-o", "out.parquet", *extra]) == 0
    out, err = capsys.readouterr()
    assert out == ""  # all of it goes to stderr
    assert "k = 5 achieved" in err
    assert "written: out.parquet, report.html, c.json, internal.json" in err
    assert covey.verify(read_published("out.parquet"), ["age", "charge"], 5).rows == 300
    assert "<title>Release report" in (people / "report.html").read_text()
    assert json.loads((people / "c.json").read_text())["k_achieved"] >= 5
    assert json.loads((people / "internal.json").read_text())["input"]["source"] == "people.csv"
    assert sorted(path.name for path in people.iterdir()) == [
        "c.json",
        "internal.json",
        "out.parquet",
        "people.csv",
        "report.html",
    ]


def test_the_risk_of_each_record_by_input_row(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["release", "people.csv", "-k", "5", *ROLES, "-o", "out.csv", "--no-shuffle"]
    for name in ("risk.csv", "out-internal.csv"):
        assert cli.main([*base, "--record-risk", name]) == (2 if name == "risk.csv" else 0)
    assert "written: out.csv, out-internal.csv" in capsys.readouterr().err
    path = people / "out-internal.csv"
    assert path.stat().st_mode & 0o077 == 0
    head, *lines = path.read_text().splitlines()
    assert head == "row,class_size,people,individual_risk"
    table = read_published("out.csv")
    keys = list(zip(table["age"].to_pylist(), table["charge"].to_pylist(), strict=True))
    assert len(lines) == len(keys) == 300
    for place, (line, key) in enumerate(zip(lines, keys, strict=True)):
        size = keys.count(key)
        assert line == f"{place + 1},{size},{size},{1 / size:.12g}"
    assert cli.main([*base, "--force", "--memory", "1GiB", "--record-risk", "out-internal.csv"]) == 2
    assert "in parts, it is not kept" in capsys.readouterr().err
    assert cli.main([*base, "--force", "--report", "r.html", "--regression", "charge ~ age"]) == 2
    assert "--regression has no effect without --internal-report" in capsys.readouterr().err
    done = covey.release(read("people.csv"), 5, quasi=["age"], drop_rest=True)
    with pytest.raises(OptionError, match=r"needed: measuring=covey.Measuring\(records=True\)"):
        done.write("new.csv", record_risk="new-internal.csv")
    assert not (people / "new.csv").exists()


def test_what_must_be_said_is_a_sentence(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["release", "people.csv", "-k", "2", *ROLES, "-o", "out.csv", "--quiet", "--no-ledger"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith("note: k is 2: in a class of two")
    assert people.exists()


def test_the_internal_recipe_replays_to_the_identical_file(people: Path) -> None:
    assert (
        cli.main(
            ["release", "people.csv", "-k", "5", *ROLES, "-o", "one.csv", "--internal", "internal.json", "--quiet"]
        )
        == 0
    )
    recipe = covey.Recipe.from_dict(json.loads((people / "internal.json").read_text())["recipe"])
    (people / "recipe.toml").write_text(recipe.to_toml())
    assert cli.main(["release", "people.csv", "--recipe", "recipe.toml", "-o", "two.csv", "--quiet"]) == 0
    assert (people / "one.csv").read_bytes() == (people / "two.csv").read_bytes()
    assert cli.main(["release", "people.csv", "--recipe", "recipe.toml", "-k", "9", "-o", "three.csv", "--quiet"]) == 0
    assert covey.verify(read_published("three.csv"), ["age", "charge"], 9).k >= 9


def test_every_option_reaches_the_recipe(people: Path) -> None:
    arguments = [
        *(
            "release",
            "people.csv",
            "-o",
            "out.csv",
            "-k",
            "4",
            "--quasi",
            "age,charge,income",
            "--quasi",
            "sex,region,visits",
        ),
        *("--random-ids", "patient", "--keep", "diagnosis", "--accept", "diagnosis", "--drop", "admitted,discharged"),
        *("--method", "random-projection", "--seed", "7", "--options", "projections=3", "--missing", "coordinate"),
        *("--penalty", "1.5", "--small-strata", "merge", "--scale", "rank", "--categories", "frequency"),
        *("--importance", "age=2", "--nominal", "region", "--ordinal", "sex=male<female<other"),
        *("--aggregates", "charge=trimmed-mean", "--trim", "0.2", "--top", "income=99%", "--bottom", "age=18"),
        *(
            "--zeros-apart",
            "visits",
            "--edits",
            "charge >= 0",
            "--p-percent",
            "5",
            "--dominance",
            "2,90",
            "--no-shuffle",
        ),
        *("--internal", "internal.json", "--formulas", "keep"),
    ]
    assert cli.main(arguments) == 0
    recipe = json.loads((people / "internal.json").read_text())["recipe"]
    expected = {
        "k": 4,
        "method": "random-projection",
        "seed": 7,
        "options": {"projections": 3},
        "missing": "coordinate",
        "penalty": 1.5,
        "small_strata": "merge",
        "scale": "rank",
        "categories": "frequency",
        "importance": {"age": 2},
        "nominal": ["region"],
        "ordinal": {"sex": ["male", "female", "other"]},
        "aggregates": {"charge": "trimmed-mean"},
        "trim": 0.2,
        "top": {"income": "99%"},
        "bottom": {"age": 18},
        "zeros_apart": ["visits"],
        "edits": ["charge >= 0"],
        "p_percent": 5.0,
        "dominance": [2, 90.0],
        "shuffle": False,
        "accept": ["diagnosis"],
    }
    assert {name: recipe[name] for name in expected} == expected
    assert recipe["roles"]["random_ids"] == ["patient"]
    more = ["--quasi", "age,charge", "--unit", "patient", "--strata", "region", "--weight", "visits", "--drop-rest"]
    rest = [
        "--weights",
        "keep",
        "--round-weights",
        "100",
        "--refuse-own-values",
        "--dominance",
        "1,99.9",
        "--p-percent",
        "0",
    ]
    assert (
        cli.main(["release", "people.csv", "-o", "b.csv", "-k", "3", *more, *rest, "--internal", "internal-2.json"])
        == 0
    )
    recipe = json.loads((people / "internal-2.json").read_text())["recipe"]
    assert (recipe["roles"]["unit"], recipe["roles"]["strata"], recipe["roles"]["weight"]) == (
        "patient",
        ["region"],
        "visits",
    )
    assert (recipe["weights"], recipe["round_weights"], recipe["refuse_own_values"]) == ("keep", 100.0, True)
    blocks = ["--quasi", "age,charge", "--drop-rest", "--blocks", "age", "--blocks", "charge", "--allow-blocks"]
    assert cli.main(["release", "people.csv", "-o", "c.csv", "-k", "3", *blocks, "--internal", "internal-3.json"]) == 0
    assert json.loads((people / "internal-3.json").read_text())["recipe"]["blocks"] == [["age"], ["charge"]]


def test_the_other_commands(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"covey {covey.__version__}\n"
    assert cli.main(["methods"]) == 0
    assert "mdav" in capsys.readouterr().out
    assert cli.main(["demo", "--folder", "shown"]) == 0
    assert "report: shown/report.html" in capsys.readouterr().out
    assert cli.main(["recipe", "people.csv", "-k", "7", "--quasi", "age", "--drop", "patient"]) == 0
    out = capsys.readouterr().out
    assert "# age: int64" in out
    assert "# sex: string; no role yet; suggested: quasi, because its name sounds like what others may know" in out
    recipe = covey.Recipe.from_toml(out)
    assert (recipe.k, recipe.roles.quasi) == (7, ("age",))
    (people / "r.toml").write_text(out)
    assert cli.main(["release", "people.csv", "--recipe", "r.toml", "--drop-rest", "-o", "o.csv", "--quiet"]) == 0
    assert cli.main(["recipe", "people.csv", "--quasi", "age", "--drop-rest"]) == 0
    whole = capsys.readouterr().out
    assert "without a role" not in whole
    (people / "r.toml").write_text(whole)
    assert cli.main(["release", "people.csv", "--recipe", "r.toml", "-o", "p.csv", "--quiet"]) == 0


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl", "arrow", "xlsx", "sav", "dta", "xpt"])
def test_every_format_in_and_out(suffix: str, people: Path) -> None:
    given = [*ROLES, "-k", "5", "--quiet"]
    assert cli.main(["release", "people.csv", *given, "-o", f"one.{suffix}"]) == 0
    again = ["--quasi", "age,charge", "--sensitive", "diagnosis", "-k", "10", "--quiet"]
    assert cli.main(["release", f"one.{suffix}", *again, "-o", f"two.{suffix}"]) == 0
    assert read(people / f"two.{suffix}").table.num_rows == 300
    assert cli.main(["check", f"two.{suffix}", "-k", "10", "--quasi", "age,charge"]) == 0


def test_a_database_from_the_command_line(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    url = "sqlite:///r.db"
    assert cli.main(["release", "people.csv", *ROLES, "-k", "5", "--quiet", "-o", f"{url}#one"]) == 0
    again = ["--query", "SELECT age, charge FROM one", "--quasi", "age,charge", "-k", "6", "--quiet"]
    assert cli.main(["release", url, *again, "-o", f"{url}#two"]) == 0
    assert cli.main(["check", f"{url}#two", "-k", "6", "--quasi", "age,charge"]) == 0
    capsys.readouterr()
    assert "exists already" in fails(capsys, "release", url, *again, "-o", f"{url}#two")


def test_the_internal_certificate_is_a_recipe(people: Path) -> None:
    assert (
        cli.main(
            ["release", "people.csv", "-k", "5", *ROLES, "-o", "one.csv", "--internal", "internal.json", "--quiet"]
        )
        == 0
    )
    assert cli.main(["release", "people.csv", "--recipe", "internal.json", "-o", "two.csv", "--quiet"]) == 0
    assert (people / "one.csv").read_bytes() == (people / "two.csv").read_bytes()


def test_names_with_commas_and_brackets(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "t.csv").write_text('"inc, gross",age\n' + "".join(f"{i},{i}\n" for i in range(12)))
    assert cli.main(["release", "t.csv", "-k", "3", "--quasi", '"inc, gross",age', "-o", "rel [final].csv"]) == 0
    assert "written: rel [final].csv" in capsys.readouterr().err
    assert cli.main(["release", "t.csv", "-k", "3", "--quasi", '"inc, gross"', "--quasi", "age", "-o", "d[x].csv"]) == 0


def test_k_2_is_said_even_when_quiet(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    assert cli.main(["release", "people.csv", "-k", "2", *ROLES, "-o", "o.csv", "--quiet"]) == 0
    assert "k is 2" in capsys.readouterr().err


def test_help_without_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    out, err = capsys.readouterr()
    assert "Commands:" in out
    assert err == ""


def test_limits_of_amounts_are_given_for_all_columns_or_for_each(people: Path) -> None:
    base = ["release", "people.csv", "-o", "out.csv", "-k", "3", "--quasi", "age,charge", "--drop-rest", "--force"]
    base += ["--internal", "internal.json"]
    for more, expected in (
        (["--p-percent", "charge=10", "--dominance", "charge=1,80"], {"charge": 10.0}),
        (["--p-percent", "charge=10", "--p-percent", "age=5"], {"charge": 10.0, "age": 5.0}),
        (["--p-percent", "10"], 10.0),
    ):
        assert cli.main([*base, *more]) == 0
        internal = json.loads((people / "internal.json").read_text())
        assert internal["recipe"]["p_percent"] == expected
        assert internal["recipe"].get("dominance", {"charge": [1, 80.0]}) == {"charge": [1, 80.0]}
        assert {one["column"] for one in internal["checked_on_the_original"]} >= {"charge"}
    assert cli.main([*base, "--dominance", "charge=80"]) == 2
