"""Two tables become one whose units are linked: a row for every row of the second, and one for whoever has none there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.of_table import OfTable
from covey.columns.units import read_units
from covey.errors import InputError, OptionError
from covey.io.loaded import Labels, Loaded
from covey.recipe.roles import unknown_column
from covey.utils.arrow import Array, Column, Table, decoded, is_text, pa, pc
from covey.utils.words import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Flags

ROW = "covey row"
"""The column that tells rows of the second table from those that stand for none, where members have no role."""
OWN, NONE = "row", "no row of the second table"


@dataclass(frozen=True, eq=False)
class Joined:
    """The table of both, and how its recipe differs from that of the two."""

    loaded: Loaded
    recipe: Recipe
    place: str
    """The column that says which rows stand for none: that of the members' roles, or one of ours."""


def join(first: Loaded, second: Loaded, key: str, recipe: Recipe) -> Joined:
    """Both tables as one; an error for keys that repeat in the first, are missing, or stand in the second alone."""
    _check_names(first.table, second.table, key)
    if not len(second.table):
        raise InputError("the second table has no rows; needed: at least one; release the first by itself")
    beside, alone = _places(first.table, second.table, key)
    number, there = len(second.table), np.arange(len(beside) + len(alone)) < len(beside)
    of_first = pa.array(np.append(beside, alone))
    of_second = pa.array(np.append(np.arange(number), np.zeros(len(alone), dtype=np.int64)), mask=~there)
    columns = {name: first.table.column(name).take(of_first) for name in first.table.column_names}
    texts = {name: column.take(of_first) for name, column in first.texts.items()}
    texts |= {name: column.take(of_second) for name, column in second.texts.items() if name != key}
    columns |= {name: second.table.column(name).take(of_second) for name in second.table.column_names if name != key}
    if (
        recipe.roles.time in second.table.column_names
    ):  # which no row may lack: those that stand for none are not published
        columns[str(recipe.roles.time)] = second.table.column(str(recipe.roles.time)).take(of_second.fill_null(0))
    place = recipe.roles.member_role or ROW
    columns[place] = _with_places(columns.get(place), there, place)
    whole = replace(
        first,
        tables=_tables(first.table, second.table, key, of_first.to_numpy(), there),
        table=pa.table(columns),
        notes=[*first.notes, *second.notes],
        mixed=second.mixed | first.mixed,
        nominal=[*first.nominal, *second.nominal],
        texts=texts,
        labels=Labels(
            {**second.labels.columns, **first.labels.columns},
            {**second.labels.texts, **first.labels.texts},
            {**second.labels.measures, **first.labels.measures},
        ),
        origin=first.origin | {f"second_{name}": text for name, text in second.origin.items()},
    )
    return Joined(whole, _recipe_of_both(recipe, key, place), place)


def _tables(first: Table, second: Table, key: str, of_first: NDArray[np.int64], there: Flags) -> tuple[OfTable, ...]:
    """For either table its columns, and one row for each of its rows."""
    once = np.zeros(len(of_first), dtype=bool)
    once[np.unique(of_first, return_index=True)[1]] = True
    return OfTable(frozenset(first.column_names), once), OfTable(frozenset({*second.column_names} - {key}), there)


def _check_names(first: Table, second: Table, key: str) -> None:
    for table in (first, second):
        if key not in table.column_names:
            raise unknown_column(key, table.column_names, "key")
    both = sorted(set(first.column_names) & set(second.column_names) - {key})
    if both:
        raise InputError(
            f"both tables have columns named {', '.join(map(repr, both))}; needed: names of their own for all but the key; rename them"
        )
    for name, table in (("first", first), ("second", second)):
        if ROW in table.column_names:
            raise InputError(
                f"the {name} table has a column named {ROW!r}; needed: another name, for linked tables are joined with this one; rename it"
            )


def _places(first: Table, second: Table, key: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row of the first table for every row of the second, and those that have none there."""
    ids = [decoded(table.column(key)).cast(pa.large_string()) for table in (first, second)]
    unit = read_units(pa.table({key: pa.concat_arrays(ids)}), key).number
    mine, others = unit[: len(first)], unit[len(first) :]
    order = np.argsort(mine, kind="stable")
    repeated = int((np.diff(mine[order]) == 0).sum())
    if repeated:
        raise InputError(
            f"the key {key!r} has the same value as an earlier row in {counted(repeated, 'row')} of the first table; needed: one row for each value; give "
            "the table in which it repeats as the second (--with)"
        )
    at = np.minimum(np.searchsorted(mine[order], others), max(0, len(mine) - 1))
    orphans = int((mine[order][at] != others).sum()) if len(mine) else len(others)
    if orphans:
        raise InputError(
            f"{counted(orphans, 'row')} of the second table {'has' if orphans == 1 else 'have'} a {key!r} that the first lacks; needed: a row of the "
            "first for each; add them there, or drop these rows"
        )
    beside = order[at]
    return beside, np.setdiff1d(np.arange(len(mine)), beside)


def _with_places(roles: Column | None, there: Flags, name: str) -> Array:
    """What every row is in its unit: no row of the second table, or the role that it has there."""
    own = pa.array([OWN] * len(there), pa.string()) if roles is None else decoded(roles)
    if not is_text(own.type):
        raise InputError(f"the member role {name!r} is of type {own.type}; needed, in linked tables: text; convert it")
    places: Array = pc.if_else(pa.array(there), own.cast(pa.string()), NONE)
    return places


def _recipe_of_both(recipe: Recipe, key: str, place: str) -> Recipe:
    """The recipe for the table of both: rows that stand for none miss what the second table has, and are units of their own kind."""
    ids = tuple(dict.fromkeys([*recipe.roles.random_ids, key]))
    return recipe.with_changes(unit=key, random_ids=ids, member_role=place, missing="own-group")


def check_joined(recipe: Recipe, key: str) -> None:
    """An error for choices that make no sense for two tables."""
    if recipe.roles.unit not in (None, key):
        raise OptionError(
            f"unit is {recipe.roles.unit!r}, and the key that links the tables is {key!r}; needed: the key alone, since k counts keys; leave unit out"
        )
    if recipe.linked is False:
        raise OptionError("linked is false, and the key links the tables; leave linked out")
    if not recipe.shuffle:
        raise OptionError(
            "shuffle is off (--no-shuffle), and linked tables are given, whose rows are written key by key and not in their order; leave shuffle on"
        )
    if recipe.derive:
        raise OptionError(
            "derive is given, and linked tables, of which nothing says which one would get the derived column; leave derive out"
        )
    if recipe.missing == "coordinate":
        raise OptionError(
            "missing is coordinate, and linked tables are given, in which rows without any of the second table have missing values; choose "
            "own-group"
        )
