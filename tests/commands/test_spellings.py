"""Options are called as in Python; earlier spellings are taken with a warning, and change nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from covey import cli
from covey.commands.options import CHOICES, PanelCommand
from tests.commands.running import fails

if TYPE_CHECKING:
    from pathlib import Path

BASE = ["release", "people.csv", "-k", "3", "--quasi", "age,charge", "--drop-rest", "--quiet", "--no-ledger"]
RENAMED = [
    (("--stratum", "region"), ("--strata", "region")),
    (("--aggregate", "charge=median"), ("--aggregates", "charge=median")),
    (("--edit", "charge >= 0"), ("--edits", "charge >= 0")),
    (
        ("--block", "age", "--block", "charge", "--allow-blocks"),
        ("--blocks", "age", "--blocks", "charge", "--allow-blocks"),
    ),
    (("--method", "search", "--option", "effort=1"), ("--method", "search", "--options", "effort=1")),
    (("--missing-code", "age=99,."), ("--missing-codes", "age=99,.", "--missing", "own-group")),
    (("--keep-order",), ("--no-shuffle",)),
]


def recipe_of(folder: Path, *more: str) -> dict[str, object]:
    """The recipe of a release, but for its secret."""
    name = "made-internal.json"
    assert cli.main([*BASE, "-o", "out.csv", "--force", "--internal", name, *more]) == 0
    recipe: dict[str, object] = json.loads((folder / name).read_text())["recipe"]
    recipe.pop("entropy")
    return recipe


@pytest.mark.parametrize(("old", "new"), RENAMED, ids=lambda words: words[0])
def test_an_earlier_spelling_is_taken_with_a_warning(
    people: Path, capsys: pytest.CaptureFixture[str], old: tuple[str, ...], new: tuple[str, ...]
) -> None:
    if "age=99,." in old:
        old = (*old, "--missing", "own-group")
    expected = recipe_of(people, *new)
    assert capsys.readouterr() == ("", "")
    assert recipe_of(people, *old) == expected
    out, err = capsys.readouterr()
    assert out == ""
    spelled = [word for word in old if word.startswith("--") and word not in new]
    assert err.startswith(f"covey: {spelled[0]} is now {next(w for w in new if w.startswith('--') and w not in old)};")
    assert err.count("\n") == 1


def test_earlier_spellings_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["release", "--help"]) == 0
    shown = capsys.readouterr().out
    for name, chosen in CHOICES.items():
        assert (chosen.flag or f"--{name.replace('_', '-')}") in shown
        for old in chosen.old:
            assert f"--{old} " not in shown


def test_help_has_panels_and_first_what_everybody_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["release", "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    panels = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert panels == [
        "Arguments:",
        "What everybody needs:",
        "Roles:",
        "Types:",
        "Protection:",
        "Requirements:",
        "Input:",
        "Output:",
        "Engine:",
        "Options:",
    ]
    first = lines[lines.index("What everybody needs:") + 1 : lines.index("Roles:")]
    flags = [line.split()[0].rstrip(",") for line in first if line.startswith("  -")]
    assert flags == ["-k", "--quasi", "--sensitive", "--drop-rest", "-o"]


def test_a_flag_of_a_recipe_can_be_taken_back(people: Path) -> None:
    (people / "r.toml").write_text("k = 3\nshuffle = false\n[roles]\nquasi = ['age']\n")
    assert recipe_of(people, "--recipe", "r.toml")["shuffle"] is False
    assert "shuffle" not in recipe_of(people, "--recipe", "r.toml", "--shuffle")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["release", "people.csv", "--quaasi", "age"], "No such option: --quaasi; did you mean '--quasi'?"),
        (["release", "people.csv", "--stratumm", "age"], "No such option: --stratumm; did you mean '--strata'?"),
        (["releese"], "Did you mean 'release'?"),
        (
            ["release", "people.csv", "-k", "3", "--quasi", "age", "--drop-rest", "-o", "o.csv", "--method", "mdaw"],
            "there is no method 'mdaw'; did you mean 'mdav'?",
        ),
    ],
)
def test_the_nearest_name_is_told(
    people: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert people.exists()
    assert message in fails(capsys, *arguments)


def test_a_shell_completes_words() -> None:
    environment = {"_COVEY_COMPLETE": "complete_bash", "COMP_WORDS": "covey release --missing ", "COMP_CWORD": "3"}
    command = [sys.executable, "-m", "covey"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["error", "own-group", "coordinate"]


def test_every_command_has_panels() -> None:
    import typer

    for command in typer.main.get_command(cli.app).commands.values():  # type: ignore[attr-defined]
        for inner in getattr(command, "commands", {"": command}).values():
            assert isinstance(inner, PanelCommand)


def test_check_takes_a_requirement_for_each_column(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    base = ["check", "people.csv", "-k", "1", "--quasi", "sex", "--sensitive", "visits,diagnosis"]
    assert cli.main([*base, "--l-diversity", "visits=2", "--l-diversity", "diagnosis=999"]) == 1
    out = capsys.readouterr().out
    assert "distinct l-diversity of diagnosis" in out
    assert out.count("(asked: 2)") == out.count("(asked: 999)") == 1
    assert "l_diversity names 'age', which is not sensitive" in fails(capsys, *base, "--l-diversity", "age=2")
    assert "l_diversity is 'x'; needed: a number" in fails(capsys, *base, "--l-diversity", "x")
