"""Linked units in a release: which are released, as wholes, and how their rows are grouped, ordered and told apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import STRATA, SmallCells, check_enough, combine, counts, pattern_keys, rows_of_cells, settle
from covey.columns.compositions import columns_of_units, compositions, refuse_differing, units_of_several_values
from covey.columns.coordinates import Scaler
from covey.columns.values import read_values
from covey.errors import InputError, OptionError
from covey.protect.cutting import cut_rows
from covey.protect.small_units import Compositions, ReleasedCompositions
from covey.units.vectors import UnitVectors
from covey.utils.arrow import decoded, pa
from covey.utils.notes import Note, NoteKind
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from covey.columns.coordinates import Place
    from covey.protect.demands import Demands
    from covey.protect.prepare import Prepared
    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import Table
    from covey.utils.typing import Codes, Flags, Points, Rows


@dataclass(frozen=True, eq=False)
class LinkedUnits:
    """The rows of units that others may link: what each is in its unit, and which columns have one value a unit."""

    unit: Codes
    kinds: Codes
    """Rows of the same number may take each other's slot: one role, time, stratum and pattern of missing values."""
    place: Codes
    """The role and the time of each row, as one number: what is published of a row beside quasi-identifiers, stratum and weight."""
    common: frozenset[str]

    def among(self, rows: Rows) -> LinkedUnits:
        """Those of some rows."""
        return replace(self, unit=self.unit[rows], kinds=self.kinds[rows], place=self.place[rows])


def read_linked(table: Table, recipe: Recipe, ready: Prepared) -> LinkedUnits | None:
    """The linked units of a table; None where they are not linked, or all have one row and nothing tells what it is."""
    if ready.units is None or not recipe.is_linked:
        return None
    unit, n, roles = ready.units.number, table.num_rows, recipe.roles
    common = columns_of_units(ready.columns, unit, recipe.unit_columns)
    refuse_differing(differing(table, recipe, unit))
    if len(np.unique(unit)) == n and roles.member_role is None and roles.time is None:
        return None
    if len(recipe.blocks) > 1:
        raise OptionError(
            "blocks and linked units are given; needed: one grouping of whole units; leave out the blocks"
        )
    if not recipe.shuffle and len(np.unique(unit)) < n:
        raise OptionError(
            "shuffle is off (--no-shuffle), and units are linked: the place of a row in its unit may tell whose it is; leave shuffle on"
        )
    keys = [row_codes(table, name) for name in recipe.places]
    if roles.time is not None:
        refuse_times(*wrong_times(unit, keys[-1]))
    place = combine(keys, n)
    return LinkedUnits(unit, place, place, common)


def differing(table: Table, recipe: Recipe, unit: Codes) -> dict[str, int]:
    """In how many units each of the strata and weights has several values."""
    columns = {name: read_values(name, table.column(name), nominal=True) for name in recipe.of_whole_units}
    return {name: units_of_several_values(column, unit) for name, column in columns.items()}


def with_merged_roles(table: Table, recipe: Recipe) -> Table:
    """The table with the roles of members as they are published; an error for roles that no row has."""
    name = recipe.roles.member_role
    if name is not None and recipe.merge_roles:
        check_roles(recipe, decoded(table.column(name)).cast(pa.string()).unique().to_pylist())
    return with_roles(table, recipe)


def with_roles(table: Table, recipe: Recipe) -> Table:
    """A table, or a part of one, with the roles of members as they are published: coarser ones, where the recipe says so."""
    name = recipe.roles.member_role
    if name is None or not recipe.merge_roles:
        return table
    encoded = decoded(table.column(name)).cast(pa.string()).dictionary_encode()
    roles = encoded.dictionary.to_pylist()
    merged = pa.array([recipe.merge_roles.get(role, role) for role in roles], pa.string()).take(encoded.indices)
    return table.set_column(table.column_names.index(name), name, merged)


def check_roles(recipe: Recipe, there: Collection[str | None]) -> None:
    """An error for roles that are to be merged, and that no row has."""
    unknown = [role for role in recipe.merge_roles if role not in there]
    if unknown:
        raise OptionError(
            f"merge_roles names {', '.join(map(repr, unknown))}, which no row has in {recipe.roles.member_role!r}, so that has no effect; "
            "correct it, or leave it out"
        )


def row_codes(table: Table, name: str) -> Codes:
    """The codes of a column that says what rows are; -1 for a missing value."""
    values = read_values(name, table.column(name), nominal=True)
    return np.where(values.valid, values.physical, -1)


def wrong_times(unit: Codes, time: Codes) -> tuple[int, int]:
    """How many rows have no time, and how many times stand in several rows of a unit."""
    twice = int((np.unique(combine([unit, time], len(unit)), return_counts=True)[1] > 1).sum())
    return int((time < 0).sum()), twice


def refuse_times(missing: int, twice: int) -> None:
    """An error where there are such."""
    if missing or twice:
        raise InputError(
            f"the time is missing in {counted(missing, 'row')}, and stands {counted(twice, 'time')} in several rows of a unit; needed: every time once in a "
            "unit; correct it, or leave time out"
        )


def released_note(units: int, number: int) -> Note:
    """What is said of units that are released as wholes."""
    text = f"k counts units whose rows look the same: {units} units of {counted(number, 'composition')} are released as wholes"
    return Note(NoteKind.LINKED_UNITS, text)


class SettledUnits:
    """Which units are released: those whose composition at least k have. Made once, by `settle_linked`."""

    def __init__(
        self,
        recipe: Recipe,
        linked: LinkedUnits,
        stratum: Codes,
        demands: Demands | None,
        vectors: Callable[[Rows], UnitVectors],
    ) -> None:
        self.demands, self.vectors, unit = demands, vectors, linked.unit
        self.is_cut, notes = cut_rows(recipe, unit, linked.kinds, stratum)
        left = np.flatnonzero(~self.is_cut)
        of_unit = np.zeros(int(unit.max()) + 1, dtype=np.int64)
        of_unit[unit[left]] = compositions(linked.kinds[left], unit[left])
        self.composition = of_unit[unit]
        units = counts(self.composition, unit)
        is_published = np.ones(len(units), dtype=bool)
        is_published[self.composition[stratum < 0]] = False
        made_of = Compositions(units, np.bincount(self.composition[left]) // units, is_published)
        released = ReleasedCompositions(recipe, made_of, None if demands is None else self._failing)
        self.notes = [*notes, *released.notes]
        is_out, (composition, few) = released.is_out[self.composition], released.few
        is_out |= np.isin(unit, np.unique(unit[self.composition == composition])[:few])
        self.rows = np.flatnonzero(~(is_out | self.is_cut))
        """The rows of the units that are released."""

    def _failing(self, left: Flags) -> Flags:
        """Which of the compositions that are left do not hold what is required even as one group."""
        fails = np.zeros(len(left), dtype=bool)
        if self.demands is not None:
            rows = np.flatnonzero(left[self.composition] & ~self.is_cut)
            whole = self.demands.restricted(rows)
            for inside in rows_of_cells(self.composition[rows]):
                fails[self.composition[rows[inside[:1]]]] = not all_in_one(whole, self.vectors(rows[inside]).rows)
        return fails


def all_in_one(demands: Demands, slots: NDArray[np.int64]) -> bool:
    """Whether units hold what is required as one group, over all of their rows and in every slot: a unit a row, with its row of the table in each slot."""
    everyone = np.arange(len(slots), dtype=np.uint32)
    return demands.hold(slots.ravel()) and demands.of_slots(slots).deficit(everyone) == 0.0


def vectors_of(
    linked: LinkedUnits, names: Sequence[str], places: Sequence[Place], points: Callable[[], Points]
) -> Callable[[Rows], UnitVectors]:
    """From some rows, all of their units, to these units as points; the columns of these names lie at these places."""

    def vectors(rows: Rows) -> UnitVectors:
        common = [np.full(place.width, name in linked.common) for name, place in zip(names, places, strict=True)]
        return UnitVectors.of(rows, linked.unit, linked.kinds, points(), np.concatenate(common))

    return vectors


def settle_linked(
    recipe: Recipe, ready: Prepared, demands: Demands | None, combination: Codes, linked: LinkedUnits
) -> tuple[Rows, list[Codes], Codes, list[Note], LinkedUnits]:
    """As for rows: the rows that are left, their cells, the stratum of all rows, and notes; and the linked units of those rows."""
    check_enough(len(np.unique(linked.unit)), recipe.k, "units")
    columns = [ready.columns[name] for name in recipe.roles.quasi]
    scaler = cache(lambda: Scaler.of(recipe, columns))
    points = cache(lambda: scaler()(columns))
    stratum, notes = settle(combination, SmallCells.of(recipe), points, linked.unit, what=STRATA)
    keys = [stratum, linked.place, *pattern_keys(recipe, {column.name: column for column in columns})]
    linked = replace(linked, kinds=combine(keys, len(stratum)))
    vectors = vectors_of(linked, recipe.roles.quasi, scaler().places, points)
    settled = SettledUnits(recipe, linked, stratum, demands, vectors)
    rows = settled.rows
    cells = np.unique(settled.composition[rows], return_inverse=True)[1].astype(np.int64)
    units = len(np.unique(linked.unit[rows]))
    notes = [*notes, *settled.notes, released_note(units, int(cells.max()) + 1)]
    return rows, [cells], stratum, notes, linked.among(rows)
