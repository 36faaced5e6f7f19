"""Derived columns of a release: made from the released rows of its units, and compared with what the table held."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.derived import derive
from covey.columns.values import AMOUNTS, Values, read_kept
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.protect.context import Context
    from covey.recipe.recipe import Recipe


def derived_columns(context: Context, values: Mapping[str, Values]) -> dict[str, Values]:
    """The derived columns of the rows that are published, from these values of theirs."""
    if not context.recipe.derive or context.unit is None:
        return {}
    return derive(context.table, context.rows, context.unit, values, context.recipe)


class Differing(NamedTuple):
    """In how many units a column of the table is not what its rows give, and of how many."""

    differ: int
    units: int


def derived_differences(context: Context) -> dict[str, Differing]:
    """For every derived column: in how many units the table held another value than its rows give."""
    return {name: _differing(context, name, made) for name, made in derived_columns(context, context.uncoded).items()}


def derived_notes(recipe: Recipe, differences: Mapping[str, Differing]) -> list[Note]:
    """What to say of derived columns: their formula, and in how many units the table held another value than that gives there."""
    notes = []
    for name, (differ, units) in differences.items():
        text = f"column {name!r} is derived from the released rows of a unit: {recipe.derive[name]}"
        if differ:
            text += f"; in {differ} of {units} units the table held another value than its own rows give"
        notes.append(Note(NoteKind.DERIVED, text))
    return notes


def _differing(context: Context, name: str, derived: Values) -> Differing:
    if context.unit is None or name not in context.table.column_names:
        return Differing(0, 0)
    came = read_kept(name, context.table.column(name)).take(context.rows)
    if came.kind not in AMOUNTS or derived.kind not in AMOUNTS:
        return Differing(0, 0)
    one, other = (
        column.physical / 10.0 ** (column.type.scale if column.kind == "decimal" else 0) for column in (came, derived)
    )
    differs = (came.valid != derived.valid) | (came.valid & ~np.isclose(one, other, rtol=1e-9, atol=0.0))
    return Differing(len(np.unique(context.unit[differs])), len(np.unique(context.unit)))
