"""Panels that are cut back: units whose pattern of times fewer than k have lose rows until at least k share what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.units.patterns import common_patterns
from covey.utils.notes import Note, NoteKind
from covey.utils.words import counted

if TYPE_CHECKING:
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes, Flags


def cut_rows(recipe: Recipe, unit: Codes, kinds: Codes, stratum: Codes) -> tuple[Flags, list[Note]]:
    """Which rows are dropped, and what there is to report; none, unless the recipe asks for it.

    Units that are left out whatever their pattern, by their strata or their number of rows, are no help to others. Units that share no row
    with others keep all of theirs, to be left out as wholes.
    """
    is_cut = np.zeros(len(unit), dtype=bool)
    if recipe.small_units != "cut":
        return is_cut, []
    is_large = np.bincount(unit)[unit] > (recipe.max_rows or len(unit))
    rows = np.flatnonzero(~np.isin(unit, unit[(stratum < 0) | is_large]))
    if len(rows) == 0:
        return is_cut, []
    of, kind = (np.unique(codes[rows], return_inverse=True)[1].reshape(-1) for codes in (unit, kinds))
    has = np.zeros((int(of.max()) + 1, int(kind.max()) + 1), dtype=bool)
    has[of, kind] = True
    patterns, at, units = np.unique(has, axis=0, return_inverse=True, return_counts=True)
    kept = common_patterns(patterns, units, recipe.k)[at.reshape(-1)]
    dropped = (kept.sum(axis=1) > 0)[of] & ~kept[of, kind]
    is_cut[rows[dropped]] = True
    cut = np.unique(of[dropped])
    return is_cut, cut_notes(len(cut), len(np.unique(kept[cut], axis=0)), int(dropped.sum()))


def cut_notes(units: int, patterns: int, rows: int) -> list[Note]:
    """What to say of so many units that were cut back to so many patterns, by so many rows."""
    text = (
        f"{counted(units, 'unit')} had a pattern of times that fewer than k have, and {'was' if units == 1 else 'were'} cut back to "
        f"{'one' if patterns == 1 else f'one of {patterns}'} that at least k have: {rows} of {'its' if units == 1 else 'their'} records "
        f"{'was' if rows == 1 else 'were'} not published"
    )
    return [Note(NoteKind.SMALL_CELLS, text)] if units else []
