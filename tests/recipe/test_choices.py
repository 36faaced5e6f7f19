"""A choice is defined once: the command line, keyword arguments, checks and the reference have the same ones."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

import covey
from covey.cli import app
from covey.commands.options import CHOICES
from covey.errors import OptionError
from covey.recipe.choice import choices_of
from covey.recipe.keywords import Choices
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
WIDER = {  # what is kept, and what may be given for it
    "tuple[tuple[str, ...], ...]": "Sequence[Names]",
    "tuple[str, ...]": "Names",
    "tuple[int, float]": "Sequence[float]",
    "Share": "float | str",
    "Hierarchy": "Any",
}
NOT_OPTIONS = {"roles", "entropy"}  # its fields are; a secret


def accepted(kind: str) -> str:
    for kept, given in WIDER.items():
        kind = kind.replace(kept, given)
    return f"{kind} | Mapping[str, Any]" if kind == "Roles" else kind


def test_keyword_arguments_are_the_fields_name_by_name_and_type_by_type() -> None:
    kept = {field.name: str(field.type) for kind in (Roles, Recipe) for field in fields(kind)}
    kept.pop("k")
    given = {name: kind.__forward_arg__ for name, kind in Choices.__annotations__.items()}
    assert given == {name: accepted(kind) for name, kind in kept.items()}


@pytest.mark.parametrize("function", [covey.release, covey.release_file, covey.compare])
def test_signatures_name_every_choice(function: Callable[..., object]) -> None:
    parameters = inspect.signature(function).parameters
    assert set(Choices.__annotations__) <= set(parameters)
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters.values())


def test_a_type_checker_knows_every_choice(tmp_path: Path) -> None:
    """Which also is what an editor completes by."""
    snippet = tmp_path / "snippet.py"
    snippet.write_text(
        "import covey\n"
        "covey.release(None, 5, quasi=['age'], sensitive='illness', top={'age': 90}, missing='own-group')\n"
        "covey.release(None, 5, quaasi=['age'])\n"
        "covey.release(None, 5, quasi=5)\n"
        "covey.release(None, 5, missing='own_group')\n"
        "covey.compare(None, [5], quaasi=['age'])\n"
        "covey.release_file('a.csv', 'b.csv', 5, drop_rest='yes')\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--config-file", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*command, str(snippet)], cwd=ROOT, capture_output=True, text=True, check=False)
    wrong = [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line]
    assert wrong == ["3", "4", "5", "6", "7"], done.stdout + done.stderr
    assert 'Unexpected keyword argument "quaasi"' in done.stdout


def options_of(command: str) -> set[str]:
    """The choices that a command takes."""
    group = typer.main.get_command(app)
    return {str(parameter.name) for parameter in group.commands[command].params} & set(CHOICES)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", ["release", "compare", "recipe"])
def test_commands_take_every_choice(command: str) -> None:
    assert set(CHOICES) == set(choices_of(Roles, Recipe)) - NOT_OPTIONS
    assert options_of(command) == set(CHOICES)


def test_every_choice_is_a_choice_with_help() -> None:
    for kind in (Roles, Recipe):
        assert [field.name for field in fields(kind)] == list(choices_of(kind))
        for name, chosen in choices_of(kind).items():
            assert chosen.text.endswith("."), name
            assert f"\n{name}\n    {chosen.text}\n" in (kind.__doc__ or "")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"quaasi": ["age"]}, "there is no choice 'quaasi' in a recipe; did you mean 'quasi'?; known: "),
        ({"missing": "own_group"}, "missing is 'own_group'; did you mean 'own-group'?; needed: one of "),
        ({"aggregates": {"age": "meen"}}, "the aggregate of 'age' is 'meen'; did you mean 'mean'?; needed: one of "),
        ({"roles": {"quasy": ["age"]}}, "there is no role 'quasy'; did you mean 'quasi'?; known: "),
        ({"method": "mdavv"}, "there is no method 'mdavv'; did you mean 'mdav'?; known: "),
        (
            {"method": "search", "options": {"efort": 3}},
            "method 'search' has no option 'efort'; did you mean 'effort'?; it has: ",
        ),
    ],
)
def test_the_nearest_name_is_told(choices: dict[str, object], message: str) -> None:
    table = covey.datasets.load_patients("pyarrow").slice(0, 20).select(["age", "charge"])
    with pytest.raises(OptionError) as caught:
        covey.release(table, **({"k": 3, "quasi": ["age", "charge"]} | choices))  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_only_public_names_are_shown() -> None:
    assert dir(covey) == sorted(covey.__all__)
    assert "memory" not in dir(covey)
