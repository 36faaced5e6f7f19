"""`covey recipe`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

from covey.columns.codes import looked_at, undeclared
from covey.columns.profile import NESTED, profile
from covey.columns.suggest import Suggestion, suggest
from covey.columns.values import read_values
from covey.commands import shared
from covey.commands.options import RecipeOptions, grouped
from covey.commands.shared import Reading
from covey.memory import code_signs
from covey.recipe.recipe import Recipe
from covey.recipe.roles import unknown_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.io import Loaded

USUAL_K = 5


@grouped
def recipe_command(
    source: shared.Source, choices: Annotated[dict[str, Any], RecipeOptions()], reading: Reading
) -> None:
    """Print a recipe to start from: the choices that were given; columns, types and suggestions with their reasons as comments."""
    chosen = Recipe.from_dict(({} if "k_for" in choices else {"k": USUAL_K}) | choices)
    loaded = reading.read(source, chosen.as_dict())
    columns = loaded.table.column_names
    for name, roles in chosen.roles.named().items():
        if name not in columns:
            raise unknown_column(name, columns, roles[0])
    rest = [] if chosen.drop_rest else [name for name in columns if name not in chosen.roles.named()]
    looked = {column.name: column for column in profile(loaded.table)}
    suggested = suggest(list(looked.values()))
    lines = [_line(loaded, name, suggested[name] if name in rest else None) for name in columns]
    lines += [f"# noticed: {note}" for note in loaded.notes]
    lines += [f"# {name} has no clear type: {why}" for name, why in loaded.mixed.items()]
    likely = [*undeclared(chosen), *(name for name in rest if suggested[name].role == "quasi")]
    known = [name for name in likely if looked[name].type != NESTED and name not in loaded.nominal]
    lines += _suggestions(loaded, known)
    sys.stdout.write("\n".join([*lines, "", chosen.to_toml()]))


def _line(loaded: Loaded, name: str, suggestion: Suggestion | None) -> str:
    role = f"; no role yet; suggested: {suggestion.role}, because {suggestion.reason}" if suggestion else ""
    return f"# {name}: {loaded.table.schema.field(name).type}{role}"


def _suggestions(loaded: Loaded, likely: Sequence[str]) -> list[str]:
    """What may be codes, and what may stand for missing values, with lines of TOML that answer."""
    lines, asked, marks = [], [], {}
    for name in likely:
        signs = code_signs(loaded, name)
        if signs:
            asked.append(name)
            lines.append(f"# {name} looks like codes: {', '.join(sign.value for sign in signs)}")
        far = looked_at(read_values(name, loaded.table.column(name))).far_marks
        if far:
            marks[name] = [str(mark) for mark in far]
    if asked:
        lines += [
            "# say what these are, in one of the two lines:",
            f"# nominal = {_toml(asked)}",
            f"# number = {_toml(asked)}",
        ]
    if marks:
        pairs = ", ".join(f"{_toml(name)} = {_toml(codes)}" for name, codes in marks.items())
        lines += ["# if these stand for missing values:", f"# missing_codes = {{ {pairs} }}"]
    return lines


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
