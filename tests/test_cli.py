"""The command line: what a user types, what comes out, and one line where it goes wrong."""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import covey
from covey import cli
from covey.commands import shared
from covey.io import read, read_published

ROLES = ["--quasi", "age,charge", "--sensitive", "diagnosis", "--drop", "patient", "--drop-rest"]


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table in it, which is the current one."""
    covey.datasets.load_patients().head(300).to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program() -> str:
    found = shutil.which("covey", path=str(Path(sys.executable).parent))
    assert found is not None
    return found


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail: exit code 2, one line on stderr, nothing on stdout."""
    before = {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    assert cli.main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("covey: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before
    return err


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
        *("--method", "random-projection", "--seed", "7", "--option", "projections=3", "--missing", "coordinate"),
        *("--penalty", "1.5", "--small-strata", "merge", "--scale", "rank", "--categories", "frequency"),
        *("--importance", "age=2", "--nominal", "region", "--ordinal", "sex=male<female<other"),
        *("--aggregate", "charge=trimmed-mean", "--trim", "0.2", "--top", "income=99%", "--bottom", "age=18"),
        *(
            "--zeros-apart",
            "visits",
            "--edit",
            "charge >= 0",
            "--p-percent",
            "5",
            "--dominance",
            "2,90",
            "--keep-order",
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
    more = ["--quasi", "age,charge", "--unit", "patient", "--stratum", "region", "--weight", "visits", "--drop-rest"]
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
    blocks = ["--quasi", "age,charge", "--drop-rest", "--block", "age", "--block", "charge", "--allow-blocks"]
    assert cli.main(["release", "people.csv", "-o", "c.csv", "-k", "3", *blocks, "--internal", "internal-3.json"]) == 0
    assert json.loads((people / "internal-3.json").read_text())["recipe"]["blocks"] == [["age"], ["charge"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["release"], "Missing argument 'TABLE'"),
        (["release", "people.csv", "-k", "5"], "Missing option"),
        (["nonsense"], "No such command 'nonsense'"),
        (["release", "people.csv", "-k", "five", "-o", "o.csv"], "Invalid value for '-k'"),
        (["release", "people.csv", "-o", "o.csv", *ROLES], "k is not given"),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", "--quasi", "age"], "columns without a role: patient, sex"),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", "--quasi", "agee", "--drop-rest"], "did you mean 'age'"),
        (["release", "people.csv", "-k", "1", "-o", "o.csv", *ROLES], "a group of one hides nobody"),
        (["release", "people.csv", "-k", "500", "-o", "o.csv", *ROLES], "the table has 300 records, and k is 500"),
        (["release", "none.csv", "-k", "5", "-o", "o.csv", *ROLES], "there is no file 'none.csv'"),
        (["release", "people.csv", "-k", "5", "-o", "people.csv", *ROLES], "exists already"),
        (["release", "people.csv", "-k", "5", "-o", "nowhere/o.csv", *ROLES], "the folder does not exist"),
        (["release", "people.csv", "-k", "5", "-o", "o.xyz", *ROLES], "no suffix that tells its format"),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--top", "age"], "needed: COLUMN=VALUE"),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--formulas", "run"], "formulas is 'run'"),
        (
            ["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--method", "magic"],
            "there is no method 'magic'",
        ),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--option", "gamma=1"], "has no option 'gamma'"),
        (
            ["release", "people.csv", "-k", "5", "-o", "o.csv", "--recipe", "none.toml"],
            "the recipe 'none.toml' cannot be read",
        ),
        (
            ["release", "people.csv", "-k", "5", "-o", "o.csv", "--quasi", "age,income", "--drop-rest"],
            r"missing values: income \(",
        ),
        (["check", "people.csv", "-k", "5"], "no quasi-identifier is given"),
        (["check", "people.csv", "-k", "5", "--quasi", "agee"], "did you mean 'age'"),
        (["check", "people.csv", "-k", "5", "--quasi", "age", "--l-diversity", "3"], "no sensitive column is given"),
        (["check", "people.csv", "-k", "5", "--quasi", "age", "--link", "sex"], "without --against"),
        (["check", "people.csv", "-k", "0", "--quasi", "age"], "k is 0"),
        (["recipe", "none.csv"], "there is no file"),
    ],
)
def test_mistakes_are_one_line(
    people: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    import re

    assert re.search(message, fails(capsys, *arguments))
    assert [path.name for path in people.iterdir()] == ["people.csv"]


def test_an_output_that_exists_is_refused_before_the_work(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        pytest.fail("the table was grouped")

    monkeypatch.setattr("covey.commands.release.release", never)
    (people / "r.html").write_text("mine")
    base = ["release", "people.csv", "-k", "5", *ROLES]
    assert "'people.csv' exists already" in fails(capsys, *base, "-o", "people.csv")
    assert "'r.html' exists already" in fails(capsys, *base, "-o", "o.csv", "--report", "r.html")
    assert "the folder does not exist" in fails(capsys, *base, "-o", "none/o.csv")


def test_a_bug_is_one_line_without_values(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        message = "SECRET VALUE"
        raise ZeroDivisionError(message)

    monkeypatch.setattr("covey.commands.release.release", broken)
    err = fails(capsys, "release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES)
    assert "a bug in covey (ZeroDivisionError)" in err
    assert "SECRET" not in err
    monkeypatch.setenv("COVEY_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES])
    assert people.exists()


def test_pipes(people: Path) -> None:
    data = (people / "people.csv").read_bytes()
    done = subprocess.run(
        [program(), "release", "-", "-k", "5", *ROLES, "-o", "-"], input=data, capture_output=True, check=True
    )
    (people / "out.csv").write_bytes(done.stdout)
    assert covey.verify(read_published("out.csv"), ["age", "charge"], 5).rows == 300
    assert b"k = 5 achieved" in done.stderr
    checked = subprocess.run(
        [program(), "check", "-", "-k", "5", "--quasi", "age,charge"],
        input=done.stdout,
        capture_output=True,
        check=True,
    )
    assert b"holds" in checked.stdout
    assert sorted(path.name for path in people.iterdir()) == ["out.csv", "people.csv"]


def test_a_full_disk_and_a_file_too_large(people: Path) -> None:
    command = [program(), "release", "people.csv", "-k", "5", *ROLES, "--quiet"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*command, "-o", "-"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == "covey: '-' cannot be written: the disk is full; make room\n"

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    done = subprocess.run([*command, "-o", "out.csv"], capture_output=True, check=False, preexec_fn=small)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert [path.name for path in people.iterdir()] == ["people.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_no_permission(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "locked").mkdir(mode=0o500)
    err = fails(capsys, "release", "people.csv", "-k", "5", "-o", "locked/out.csv", *ROLES)
    assert "not permitted" in err


def test_no_permission_said_in_one_line(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    err = fails(capsys, "release", "people.csv", "-k", "5", "-o", "out.csv", *ROLES)
    assert "'out.csv' cannot be written: writing there is not permitted" in err
    assert people.exists()


def test_ctrl_c_leaves_nothing(people: Path) -> None:
    options = ["--quasi", "age,charge,visits", "--drop-rest", "--method", "search", "--option", "effort=100000000"]
    process = subprocess.Popen(
        [program(), "release", "people.csv", "-k", "5", *options, "-o", "out.csv"], stderr=subprocess.PIPE
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == b"covey: interrupted; no output was written\n"
    assert [path.name for path in people.iterdir()] == ["people.csv"]


def test_check_exits_1_when_it_fails(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    assert cli.main(["check", "people.csv", "-k", "5", "--quasi", "age,charge"]) == 1
    assert "k = 1 (asked: 5): FAILS" in capsys.readouterr().out
    assert cli.main(["release", "people.csv", "-k", "5", *ROLES, "-o", "out.csv", "--quiet"]) == 0
    assert cli.main(["check", "out.csv", "-k", "5", "--quasi", "age,charge"]) == 0
    asked = [
        "--sensitive",
        "diagnosis",
        "--l-diversity",
        "2",
        "--t-closeness",
        "0.2",
        "--alpha",
        "0.9",
        "--recursive",
        "3,2",
    ]
    assert (
        cli.main(
            [
                "check",
                "out.csv",
                "-k",
                "5",
                "--quasi",
                "age,charge",
                *asked,
                "--entropy-l",
                "9",
                "--beta",
                "1",
                "--delta",
                "1",
                "--json",
            ]
        )
        == 1
    )
    found = json.loads(capsys.readouterr().out.split("\n{", maxsplit=1)[-1].join(["{", ""]))
    assert found["passed"] is False
    assert {line["measure"].split(" of ")[0] for line in found["measures"]} == {
        *("k", "alpha", "distinct l-diversity", "entropy l-diversity", "recursive c", "t-closeness"),
        *("basic beta-likeness", "enhanced beta-likeness", "delta-disclosure"),
    }
    assert [line["holds"] for line in found["measures"] if line["measure"].startswith("entropy")] == [False]


def test_check_counts_units_and_missing_values(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "t.csv").write_text("zip,who,ill\n1,a,x\n1,a,y\n1,b,x\n,c,x\n,d,\n")
    assert cli.main(["check", "t.csv", "-k", "2", "--quasi", "zip"]) == 0
    assert cli.main(["check", "t.csv", "-k", "3", "--quasi", "zip", "--unit", "who"]) == 1
    assert "k = 2 (asked: 3)" in capsys.readouterr().out
    assert cli.main(["check", "t.csv", "-k", "2", "--quasi", "zip", "--sensitive", "ill", "--l-diversity", "2"]) == 1
    assert "distinct l-diversity of ill = 1" in capsys.readouterr().out  # a missing value never counts


def test_two_releases_against_each_other(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    common = ["--keep", "charge", "--accept", "charge", "--drop-rest", "--quiet"]
    assert cli.main(["release", "people.csv", "-k", "5", "--quasi", "age,visits", *common, "-o", "a.csv"]) == 0
    other = ["--method", "pca", "--importance", "visits=9"]
    assert cli.main(["release", "people.csv", "-k", "5", "--quasi", "age,visits", *common, *other, "-o", "b.csv"]) == 0
    assert cli.main(["check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", "b.csv"]) == 1
    out = capsys.readouterr().out
    assert "records singled out together (linked by charge)" in out
    assert cli.main(["check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", "a.csv"]) == 0  # nothing new


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
    assert "# without a role yet: sex" in out
    recipe = covey.Recipe.from_toml(out)
    assert (recipe.k, recipe.roles.quasi) == (7, ("age",))
    (people / "r.toml").write_text(out)
    assert cli.main(["release", "people.csv", "--recipe", "r.toml", "--drop-rest", "-o", "o.csv", "--quiet"]) == 0


def test_progress_on_a_terminal_and_quiet_in_a_pipe(
    people: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.console import Console

    terminal = io.StringIO()
    monkeypatch.setattr(shared, "errors", Console(file=terminal, force_terminal=True))
    assert cli.main(["release", "people.csv", "-k", "5", *ROLES, "-o", "o.csv", "--quiet"]) == 0
    assert all(step in terminal.getvalue() for step in ("reading", "grouping", "aggregating", "recounting"))
    monkeypatch.undo()
    monkeypatch.chdir(people)
    assert cli.main(["release", "people.csv", "-k", "5", *ROLES, "-o", "p.csv", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


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


# -- found by reviews


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_standard_input_leaves_nothing_behind_when_interrupted(number: int, people: Path) -> None:
    (people / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(people / "tmp")}
    command = [program(), "release", "-", "-k", "5", *ROLES, "-o", "out.csv"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert process.stdin is not None
    process.stdin.write((people / "people.csv").read_bytes())
    process.stdin.flush()
    for _ in range(100):
        time.sleep(0.1)
        if list((people / "tmp").iterdir()):
            break
    process.send_signal(number)
    process.wait(timeout=60)
    process.stdin.close()
    assert process.stderr is not None
    process.stderr.close()
    assert process.returncode == 130
    assert list((people / "tmp").iterdir()) == []
    assert not (people / "out.csv").exists()


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


def test_releases_with_random_ids_against_each_other(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "b.jsonl").unlink(missing_ok=True)
    common = [
        "--quasi",
        "age,visits",
        "--random-ids",
        "patient",
        "--keep",
        "charge,admitted",
        "--accept",
        "charge",
        "--accept",
        "admitted",
    ]
    rest = ["--drop-rest", "--quiet", "-k", "5"]
    assert cli.main(["release", "people.csv", *common, *rest, "-o", "a.csv"]) == 0
    assert cli.main(["release", "people.csv", *common, *rest, "--method", "pca", "-o", "b.jsonl"]) == 0
    assert cli.main(["release", "people.csv", *common, *rest, "--method", "pca", "-o", "b.xlsx"]) == 0
    for other in ("b.jsonl", "b.xlsx"):
        assert cli.main(["check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", other]) == 1
        assert "linked by admitted, charge" in capsys.readouterr().out.replace("charge, admitted", "admitted, charge")
    assert "no counterpart by patient" in fails(
        capsys, "check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", "b.jsonl", "--link", "patient"
    )


def test_distances_and_enhanced_likeness_can_be_asked_for(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    base = ["check", "people.csv", "-k", "1", "--quasi", "sex", "--sensitive", "visits"]
    assert cli.main([*base, "--distance", "equal"]) == 0
    assert "(equal distance)" in capsys.readouterr().out
    assert cli.main(base) == 0
    assert "(ordered distance)" in capsys.readouterr().out
    assert cli.main([*base, "--enhanced-beta", "0"]) == 1
    capsys.readouterr()
    assert "needed: auto, ordered or equal" in fails(capsys, *base, "--distance", "far")
    assert "needed: C,L" in fails(capsys, *base, "--recursive", "2,0")
