"""Linked units in a release: which are released, as wholes, and how their rows are grouped, ordered and told apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import STRATA, SmallCells, check_enough, combine, counts, pattern_keys, rows_of_cells, settle
from covey.columns.compositions import columns_of_units, compositions
from covey.columns.coordinates import Scaler
from covey.columns.values import read_values
from covey.errors import InfeasibleError, InputError, OptionError
from covey.units.patterns import common_patterns
from covey.units.vectors import UnitVectors
from covey.utils.arrow import decoded, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.protect.demands import Demands
    from covey.protect.prepare import Prepared
    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import Table
    from covey.utils.typing import Codes, Flags, Rows

COMPOSITION = "composition (the number of rows by role, time, stratum and pattern of missing values)"


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
    if len(np.unique(unit)) == n and roles.member_role is None and roles.time is None:
        return None
    if len(recipe.blocks) > 1:
        raise OptionError(
            "blocks and linked units are given; needed: one grouping of whole units; leave out the blocks"
        )
    if not recipe.shuffle and len(np.unique(unit)) < n:
        raise OptionError(
            "rows in their order (shuffle is off, --no-shuffle) and linked units are given, and the place of a row in its unit may tell "
            "whose it is; leave the order to chance"
        )
    keys = [_codes(table, name) for name in recipe.places]
    if roles.time is not None:
        _check_times(unit, keys[-1])
    place = combine(keys, n)
    return LinkedUnits(unit, place, place, common)


def with_merged_roles(table: Table, recipe: Recipe) -> Table:
    """The table with the roles of members as they are published: coarser ones, where the recipe says so."""
    name = recipe.roles.member_role
    if name is None or not recipe.merge_roles:
        return table
    encoded = decoded(table.column(name)).cast(pa.string()).dictionary_encode()
    roles = encoded.dictionary.to_pylist()
    unknown = [role for role in recipe.merge_roles if role not in roles]
    if unknown:
        raise OptionError(
            f"merge_roles names {', '.join(map(repr, unknown))}, which no row has in {name!r}, so that has no effect; correct it, or leave "
            "it out"
        )
    merged = pa.array([recipe.merge_roles.get(role, role) for role in roles], pa.string()).take(encoded.indices)
    return table.set_column(table.column_names.index(name), name, merged)


def _codes(table: Table, name: str) -> Codes:
    values = read_values(name, table.column(name), nominal=True)
    return np.where(values.valid, values.physical, -1)


def _check_times(unit: Codes, time: Codes) -> None:
    missing = int((time < 0).sum())
    twice = int((np.unique(combine([unit, time], len(unit)), return_counts=True)[1] > 1).sum())
    if missing or twice:
        raise InputError(
            f"the time is missing in {missing} rows, and stands {twice} times in several rows of a unit; needed: every time once in a "
            "unit; correct it, or leave time out"
        )


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
        self.recipe, self.linked, self.demands, self.vectors = recipe, linked, demands, vectors
        self.composition = compositions(linked.kinds, linked.unit)
        self.is_out = np.zeros(len(stratum), dtype=bool)
        """The rows of units that are left out."""
        self.is_cut = np.zeros(len(stratum), dtype=bool)
        """The rows that others lose, so that at least k units have their pattern of times."""
        self.notes: list[Note] = []
        self._leave_out(stratum < 0, "in strata that are not published")
        if recipe.max_rows is not None:
            rows = np.bincount(linked.unit)[linked.unit]
            self._leave_out(rows > recipe.max_rows, f"with more than {recipe.max_rows} rows (max_rows)")
        if recipe.small_units == "cut":
            self._cut()
        while (fails := self._failing()).any():
            self._judge(fails)
            self._leave_out(fails, f"whose {COMPOSITION} fewer than k have{self._also}")
        self._at_least_k()

    @property
    def rows(self) -> Rows:
        """The rows of the units that are released."""
        return np.flatnonzero(~(self.is_out | self.is_cut))

    @property
    def _also(self) -> str:
        return "" if self.demands is None else ", or which do not hold what is required"

    def _units(self, rows: Flags) -> int:
        return len(np.unique(self.linked.unit[rows]))

    def _leave_out(self, rows: Flags, why: str) -> None:
        """Leave the units of these rows out, as wholes."""
        whole = np.isin(self.linked.unit, self.linked.unit[rows & ~self.is_out]) & ~self.is_out
        if whole.any():
            text = f"{self._units(whole)} units ({int((whole & ~self.is_cut).sum())} records) {why} were not published"
            self.notes.append(Note(NoteKind.SMALL_CELLS, text))
        self.is_out |= whole
        if self.is_out.all():
            raise SmallCells.of(self.recipe).nothing_left()

    def _cut(self) -> None:
        """Cut panels whose pattern of times fewer than k have back to one that they share with others."""
        rows = self.rows
        unit = np.unique(self.linked.unit[rows], return_inverse=True)[1]
        kind = np.unique(self.linked.kinds[rows], return_inverse=True)[1]
        has = np.zeros((int(unit.max()) + 1, int(kind.max()) + 1), dtype=bool)
        has[unit, kind] = True
        patterns, at, units = np.unique(has, axis=0, return_inverse=True, return_counts=True)
        kept = common_patterns(patterns, units, self.recipe.k)[at.reshape(-1)]
        stays = (kept.sum(axis=1) > 0)[unit]  # units that share nothing are judged as wholes
        self.is_cut[rows[stays & ~kept[unit, kind]]] = True
        cut = np.unique(unit[stays & ~kept[unit, kind]])
        if len(cut):
            text = (
                f"{len(cut)} units had a pattern of times that fewer than k have, and were cut back to one of "
                f"{len(np.unique(kept[cut], axis=0))} that at least k have: {int(self.is_cut.sum())} of their records were not published"
            )
            self.notes.append(Note(NoteKind.SMALL_CELLS, text))
            self.composition = np.full(len(self.is_out), -1, dtype=np.int64)
            self.composition[self.rows] = compositions(self.linked.kinds[self.rows], self.linked.unit[self.rows])

    def _failing(self) -> Flags:
        """The rows of compositions that fewer than k units have, or that do not hold what is required even as one group."""
        rows = self.rows
        cells = np.unique(self.composition[rows], return_inverse=True)[1].astype(np.int64)
        fails = counts(cells, self.linked.unit[rows]) < self.recipe.k
        whole = None if self.demands is None else self.demands.restricted(rows)
        for cell, inside in enumerate(rows_of_cells(cells) if whole is not None else ()):
            fails[cell] = fails[cell] or (whole is not None and not self._holds(whole, rows[inside]))
        flags = np.zeros(len(self.is_out), dtype=bool)
        flags[rows[fails[cells]]] = True
        return flags

    def _holds(self, demands: Demands, rows: Rows) -> bool:
        """Whether units of one composition hold what is required as one group: over all of their rows, and in every slot."""
        if not demands.hold(rows):
            return False
        slots = self.vectors(rows).rows
        return bool(demands.of_slots(slots).deficit(np.arange(len(slots), dtype=np.uint32)) == 0.0)

    def _judge(self, fails: Flags) -> None:
        """An error for small compositions where units are not to be left out."""
        if self.recipe.small_units == "error":
            number = len(np.unique(self.composition[fails]))
            raise InfeasibleError(
                f"{self._units(fails)} units ({int(fails.sum())} records) have one of {number} compositions (the number of rows by role, time, "
                f"stratum and pattern of missing values) that fewer than k = {self.recipe.k} units have{self._also}; needed: at least k "
                "units of each; merge roles (merge_roles, --merge-roles), leave such units out (small_units, --small-units suppress), or "
                "choose a smaller k"
            )

    def _at_least_k(self) -> None:
        """None or at least k units are left out: whoever is not among those that are released is one of so many."""
        while 0 < (short := self.recipe.k - self._units(self.is_out)) < self.recipe.k:
            rows = self.rows
            cells = np.unique(self.composition[rows], return_inverse=True)[1].astype(np.int64)
            size = counts(cells, self.linked.unit[rows])
            flags = np.zeros(len(self.is_out), dtype=bool)
            if self.demands is None and size.max() >= self.recipe.k + short:
                inside = rows[cells == int(size.argmax())]
                flags[inside[np.isin(self.linked.unit[inside], np.unique(self.linked.unit[inside])[:short])]] = True
            else:
                flags[rows[cells == int(size.argmin())]] = True
            self._leave_out(flags, "more, so that at least k are left out,")
            while (fails := self._failing()).any():
                self._leave_out(fails, f"whose {COMPOSITION} fewer than k have{self._also}")


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

    def vectors(rows: Rows) -> UnitVectors:
        widths = [
            (column.name in linked.common, place.width) for column, place in zip(columns, scaler().places, strict=True)
        ]
        is_common = np.concatenate([np.full(width, common) for common, width in widths])
        return UnitVectors.of(rows, linked.unit, linked.kinds, points(), is_common)

    settled = SettledUnits(recipe, linked, stratum, demands, vectors)
    rows = settled.rows
    cells = np.unique(settled.composition[rows], return_inverse=True)[1].astype(np.int64)
    units = len(np.unique(linked.unit[rows]))
    text = f"k counts units of equal appearance: {units} units of {int(cells.max()) + 1} compositions are released as wholes"
    return rows, [cells], stratum, [*notes, *settled.notes, Note(NoteKind.LINKED_UNITS, text)], linked.among(rows)
