"""`covey recipe`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.columns.codes import looked_at, undeclared
from covey.columns.profile import NESTED, profile
from covey.columns.suggest import suggest
from covey.columns.values import read_values
from covey.commands import shared
from covey.commands.shared import Names, names
from covey.io import read
from covey.memory import code_signs
from covey.recipe.recipe import Recipe
from covey.recipe.roles import unknown_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.suggest import Suggestion
    from covey.io import Loaded


def recipe_command(
    source: Annotated[str, typer.Argument(metavar="TABLE", help="A file, - for standard input, or a database URL.")],
    k: Annotated[int, typer.Option("-k", help="The least number of records in a group.")] = 5,
    quasi: Names = None,
    sensitive: Names = None,
    drop: Names = None,
    random_ids: Names = None,
    unit: Annotated[str | None, typer.Option(metavar="COL")] = None,
    stratum: Names = None,
    weight: Annotated[str | None, typer.Option(metavar="COL")] = None,
    keep: Names = None,
    nominal: shared.Nominal = None,
    number: shared.Number = None,
    missing_code: shared.MissingCode = None,
    date: shared.Date = None,
    *,
    drop_rest: Annotated[bool, typer.Option("--drop-rest", help="Drop columns without a role.")] = False,
    query: Annotated[str | None, typer.Option(help="A query to read from the database.")] = None,
    format: Annotated[str | None, typer.Option(help="The format where the name does not tell.")] = None,  # noqa: A002
    header: shared.Header = None,
) -> None:
    """Print a recipe to start from: the roles that were given; columns, types and suggestions with their reasons as comments."""
    lists = {
        "quasi": quasi,
        "sensitive": sensitive,
        "drop": drop,
        "random_ids": random_ids,
        "strata": stratum,
        "keep": keep,
    }
    given = {role: names(columns) for role, columns in lists.items()} | {"unit": unit, "weight": weight}
    given |= shared.declared(nominal, number, missing_code, date)
    chosen = Recipe.from_dict({"k": k, "drop_rest": drop_rest} | given)
    codes, dates = chosen.missing_codes, chosen.dates
    loaded = read(source, query=query, format=format, header=header, missing_codes=codes, dates=dates)
    columns = loaded.table.column_names
    for name, roles in chosen.roles.named().items():
        if name not in columns:
            raise unknown_column(name, columns, roles[0])
    rest = [] if drop_rest else [name for name in columns if name not in chosen.roles.named()]
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
