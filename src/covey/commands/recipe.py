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
from covey.commands.shared import Reading, option
from covey.errors import OptionError
from covey.io.inference import Declared
from covey.io.reading import with_declared
from covey.memory import code_signs
from covey.recipe.choice import Panel
from covey.recipe.recipe import Recipe
from covey.recipe.roles import unknown_column
from covey.tables.join import check_joined, join

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.io import Loaded

USUAL_K = 5
NO_UNIT = Suggestion(
    "drop", "its name is that of an identifier and it repeats, and the unit of linked tables is their key"
)
NO_WEIGHT = Suggestion("drop", "its name is that of a sampling weight, and linked tables have those of the first")
IN_PLACE: tuple[dict[str, Suggestion], ...] = ({"unit": NO_UNIT}, {"unit": NO_UNIT, "weight": NO_WEIGHT})
"""What is suggested in the first and in the second of linked tables in place of roles that their columns cannot have."""
OF_LINKED = (
    "# the first table, with one row for each key:",
    "# the second table, with any number of rows for each key:",
)


@grouped
def recipe_command(
    source: shared.Source,
    choices: Annotated[dict[str, Any], RecipeOptions()],
    reading: Reading,
    beside: Annotated[
        str | None,
        option("A second table, with any number of rows for each key.", Panel.INPUT, "--with", metavar="TABLE"),
    ] = None,
    key: Annotated[str | None, option("The column of both tables that links them.", Panel.INPUT, metavar="COL")] = None,
) -> None:
    """Print a recipe to start from: the choices that were given; columns, types and suggestions with their reasons as comments."""
    chosen = Recipe.from_dict(({} if "k_for" in choices else {"k": USUAL_K}) | choices)
    if (beside is None) != (key is None):
        raise OptionError(
            "linked tables need --with and --key; needed: both, or neither: the second table, and the column of both"
        )
    if beside is None or key is None:
        tables = [reading.read(source, chosen.as_dict())]
    else:
        tables = _linked(reading, [source, beside], key, chosen)
        ids = tuple(dict.fromkeys([*chosen.roles.random_ids, key]))
        chosen = chosen.with_changes(unit=key, random_ids=ids)
    sys.stdout.write("\n".join([*_comments(tables, chosen), "", chosen.to_toml()]))


def _linked(reading: Reading, sources: Sequence[str], key: str, chosen: Recipe) -> list[Loaded]:
    """Two tables, each with what the recipe says of the values of its columns; an error where the key does not link them."""
    if reading.query is not None:
        raise OptionError(
            "--query is given, and has no effect on linked tables, which are read from files; leave it out"
        )
    check_joined(chosen, key)
    first, second = (reading.read(source, {}) for source in sources)
    join(first, second, key, chosen)
    return [_with_said(loaded, chosen) for loaded in (first, second)]


def _with_said(loaded: Loaded, chosen: Recipe) -> Loaded:
    """One of two tables with what is said of its columns: which values stand for a missing one, and how dates are written."""
    there = loaded.table.column_names
    codes = {name: values for name, values in chosen.missing_codes.items() if name in there}
    dates = {name: form for name, form in chosen.dates.items() if name in there}
    return with_declared(loaded, Declared(codes, dates))


def _comments(tables: Sequence[Loaded], chosen: Recipe) -> list[str]:
    """What there is to say of the columns of one table or of two: types, suggestions, doubts."""
    columns = [name for loaded in tables for name in loaded.table.column_names]
    for name, roles in chosen.roles.named().items():
        if name not in columns:
            raise unknown_column(name, columns, roles[0])
    lines: list[str] = []
    likely: dict[str, Loaded] = {}
    for number, loaded in enumerate(tables):
        is_linked = len(tables) > 1
        of_table, names = _of_table(loaded, chosen, IN_PLACE[number] if is_linked else {})
        lines += [OF_LINKED[number], *of_table] if is_linked else of_table
        likely |= dict.fromkeys(names, loaded)
    return [*lines, *_suggestions(likely)]


def _of_table(loaded: Loaded, chosen: Recipe, in_place: Mapping[str, Suggestion]) -> tuple[list[str], list[str]]:
    """The lines on the columns of a table, and which of these are or may be quasi-identifiers; `in_place` of roles that they cannot have."""
    columns = loaded.table.column_names
    rest = [] if chosen.drop_rest else [name for name in columns if name not in chosen.roles.named()]
    looked = {column.name: column for column in profile(loaded.table)}
    suggested = {name: in_place.get(one.role, one) for name, one in suggest(list(looked.values())).items()}
    lines = [_line(loaded, name, suggested[name] if name in rest else None) for name in columns]
    lines += [f"# noticed: {note}" for note in loaded.notes]
    lines += [f"# {name} has no clear type: {why}" for name, why in loaded.mixed.items()]
    likely = [name for name in undeclared(chosen) if name in columns]
    likely += [name for name in rest if suggested[name].role == "quasi"]
    return lines, [name for name in likely if looked[name].type != NESTED and name not in loaded.nominal]


def _line(loaded: Loaded, name: str, suggestion: Suggestion | None) -> str:
    role = f"; no role yet; suggested: {suggestion.role}, because {suggestion.reason}" if suggestion else ""
    return f"# {name}: {loaded.table.schema.field(name).type}{role}"


def _suggestions(likely: Mapping[str, Loaded]) -> list[str]:
    """What may be codes, and what may stand for missing values, with lines of TOML that answer; by column, with its table."""
    lines, asked, marks = [], [], {}
    for name, loaded in likely.items():
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
