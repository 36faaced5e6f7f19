"""What goes wrong is said in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from covey import cli
from tests.commands.running import ROLES, fails

if TYPE_CHECKING:
    from pathlib import Path


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
        (["release", "people.csv", "-k", "1", "-o", "o.csv", *ROLES], "k is 1; needed: at least 2"),
        (["release", "people.csv", "-k", "500", "-o", "o.csv", *ROLES], "the table has 300 records, and k is 500"),
        (["release", "none.csv", "-k", "5", "-o", "o.csv", *ROLES], "there is no file 'none.csv'"),
        (["release", "people.csv", "-k", "5", "-o", "people.csv", *ROLES], "would replace the input"),
        (["release", "people.csv", "-k", "5", "-o", "nowhere/o.csv", *ROLES], "the folder does not exist"),
        (["release", "people.csv", "-k", "5", "-o", "o.xyz", *ROLES], "suffix '.xyz', which tells no format"),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--top", "age"], "needed: NAME=VALUE"),
        (
            ["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--dominance", "1"],
            "dominance is 1; needed: a number of members",
        ),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--formulas", "run"], "formulas is 'run'"),
        (
            ["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--method", "magic"],
            "there is no method 'magic'",
        ),
        (["release", "people.csv", "-k", "5", "-o", "o.csv", *ROLES, "--options", "gamma=1"], "has no option 'gamma'"),
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
    assert "'r.html' exists already" in fails(capsys, *base, "-o", "r.html", "--output-format", "csv")
    assert "would replace the input" in fails(capsys, *base, "-o", "people.csv", "--force")
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
