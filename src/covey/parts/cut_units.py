"""Panels of a table in parts that are cut back: which rows units lose, by what all units are made of, as in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.protect.cutting import cut_notes
from covey.units.patterns import common_patterns
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.recipe.recipe import Recipe
    from covey.utils.notes import Note
    from covey.utils.typing import Flags, Numbers

    Key = tuple[object, ...]


@dataclass
class PatternsSeen:
    """What compositions are made of: of each the kinds of its rows, and of every kind what says its place among others."""

    kinds_of: dict[int, tuple[int, ...]] = field(default_factory=dict)
    key_of: dict[int, Key] = field(default_factory=dict)

    def merge(self, other: PatternsSeen) -> None:
        """Take over what was seen of other units."""
        self.kinds_of |= other.kinds_of
        self.key_of |= other.key_of


@dataclass(frozen=True, eq=False)
class Cut:
    """The rows that units of some compositions lose. Can be pickled."""

    dropped: Numbers
    """A number for each kind of rows of a composition, ascending."""
    notes: tuple[Note, ...]

    def keeps(self, composition: Numbers, kinds: Numbers) -> Flags:
        """Which rows stay, by the composition of their units and what they are in these."""
        return np.asarray(~np.isin(_pairs(composition, kinds), self.dropped), dtype=bool)


def _pairs(composition: Numbers, kinds: Numbers) -> Numbers:
    return mixed(composition ^ mixed(kinds))


def cut_of(recipe: Recipe, made_of: Mapping[int, tuple[int, int, bool]], seen: PatternsSeen) -> Cut:
    """What is dropped: `made_of` says of every composition how many units have it, how many rows these have, and whether its strata are published.

    Units that are left out whatever their pattern, by their strata or their number of rows, are no help to others.
    """
    most = recipe.max_rows
    helps = [one for one, (_, rows, there) in sorted(made_of.items()) if there and (most is None or rows <= most)]
    if not helps:
        return Cut(np.empty(0, dtype=np.uint64), ())
    kinds = sorted({kind for one in helps for kind in seen.kinds_of[one]}, key=lambda kind: seen.key_of[kind])
    place = {kind: at for at, kind in enumerate(kinds)}
    has = np.zeros((len(helps), len(kinds)), dtype=bool)
    for row, one in enumerate(helps):
        has[row, [place[kind] for kind in seen.kinds_of[one]]] = True
    patterns, order = np.unique(has, axis=0, return_index=True)
    units = np.array([made_of[helps[at]][0] for at in order])
    kept = common_patterns(patterns, units, recipe.k)
    dropped = patterns & ~kept & (kept.sum(axis=1) > 0)[:, None]
    cut, lost = dropped.any(axis=1), int((dropped.sum(axis=1) * units).sum())
    notes = cut_notes(int(units[cut].sum()), len(np.unique(kept[cut], axis=0)), lost)
    rows, columns = np.nonzero(dropped)
    numbers = np.array(helps, dtype=np.uint64)[order][rows]
    return Cut(np.sort(_pairs(numbers, np.array(kinds, dtype=np.uint64)[columns])), tuple(notes))
