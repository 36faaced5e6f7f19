"""A recipe that was loaded, as roles and settings of the page: the way back from `choices.recipe_of`."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from covey.columns.hierarchy.declared import is_file
from covey.errors import InputError
from covey.recipe.recipe import read_recipe
from covey.web.choices import AT_COLUMN, LISTS, OTHERS, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from covey.recipe.recipe import Recipe

OWN = ("k", "method", "l_diversity", "t_closeness", "missing", "small_strata")
"""Choices with a field of their own in `Settings`, as they are."""


class LoadedRecipe(NamedTuple):
    """The roles that a recipe gives, what else it chooses, and the columns of the table that it does not name."""

    roles: dict[str, str]
    settings: Settings
    unnamed: list[str]


def loaded_recipe(recipe: Recipe, columns: Sequence[str]) -> LoadedRecipe:
    """What a recipe chooses for a table of these columns. Its secret is left out: a new release gets a new one.

    >>> from covey.recipe.recipe import Recipe
    >>> found = loaded_recipe(Recipe.from_dict({"k": 3, "quasi": ["age"], "top": {"age": 90}}), ["age", "sex"])
    >>> found.roles, found.settings.k, found.settings.of("top", "age"), found.unnamed
    ({'age': 'quasi'}, 3, 90, ['sex'])
    """
    unknown = [name for name in recipe.roles.named() if name not in columns]
    if unknown:
        msg = f"the recipe names columns that the table does not have: {', '.join(unknown)}; needed: a recipe of a table with the same columns"
        raise InputError(msg)
    roles = {name: _role(recipe, name) for name in recipe.roles.named()}
    unnamed = [name for name in columns if name not in roles]
    if recipe.drop_rest:
        roles |= dict.fromkeys(unnamed, "drop")
        unnamed = []
    chosen = recipe.as_dict()
    at = {name: _by_column(name, chosen[name]) for name in AT_COLUMN if name in chosen}
    others = {name: as_text(chosen[name]) for name in OTHERS if name in chosen}
    own = {name: getattr(recipe, name) for name in OWN}
    return LoadedRecipe(roles, Settings(accept=recipe.accept, at=at, others=others, **own), unnamed)


def read_uploaded(path: Path) -> Recipe:
    """The recipe in a file that was uploaded. It may hold levels of categories, but not name a file of them: no path from a browser is opened."""
    parsed: object = None
    with contextlib.suppress(ValueError, OSError, KeyError, TypeError):  # said by who reads the recipe
        text = path.read_text(encoding="utf-8")
        parsed = json.loads(text)["recipe"] if path.suffix == ".json" else tomllib.loads(text)
    levels = parsed.get("hierarchy") if isinstance(parsed, dict) else None
    named = [column for column, value in levels.items() if is_file(value)] if isinstance(levels, dict) else []
    if named:
        raise InputError(
            f"the recipe names files for the levels of {', '.join(named)}; needed: the levels themselves, as in the recipe that a release "
            "comes with; load the files at these columns"
        )
    return read_recipe(path)


def _role(recipe: Recipe, column: str) -> str:
    named = recipe.roles.named()[column]
    of_two = next((role for role in ("unit", "strata") if {role, "random_ids"} <= {*named}), None)
    return recipe.roles.of(column) if of_two is None else f"{of_two}_ids"


def _by_column(name: str, value: object) -> dict[str, object]:
    if name in LISTS:
        return dict.fromkeys(map(str, value), True) if isinstance(value, list | tuple) else {}
    columns = value if isinstance(value, Mapping) else {}
    return {str(column): tuple(one) if isinstance(one, list) else one for column, one in columns.items()}


def as_text(value: object) -> str:
    """A choice as it is typed in a field: a line for each column or rule, commas between names.

    >>> as_text({"age": 2}), as_text([["a", "b,c"]]), as_text(["a = b + c"]), as_text(True)
    ('age=2', 'a,"b,c"', 'a = b + c', 'true')
    """
    if isinstance(value, Mapping):
        return "\n".join(f"{column}={_plain(one)}" for column, one in value.items())
    if isinstance(value, list | tuple):
        pair = all(isinstance(one, int | float) for one in value)
        return _plain(value) if pair else "\n".join(map(_plain, value))
    return _plain(value)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(value)
        return line.getvalue()
    return str(value)
