"""Combinations of stratum labels, missing values and zeros: counted in parts, then made into cells of at least k."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.cells import PATTERNS, STRATA, Settled, SmallCells, combine, merge_cells

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.parts.kinds import Judge
    from covey.recipe.recipe import Recipe
    from covey.utils.notes import Note
    from covey.utils.typing import Codes, Floats

    Key = tuple[int, ...]


def combos_of(strata: Mapping[str, Values], patterns: list[NDArray[Any]], n: int) -> tuple[list[Key], Codes]:
    """The combinations that occur in some rows, as tuples of codes (-1: missing), and the place of each row's."""
    keys = [np.where(column.valid, column.physical, -1) for column in strata.values()]
    keys += [pattern.astype(np.int64) for pattern in patterns]
    if not keys:
        return [()], np.zeros(n, dtype=np.int64)
    place = combine(keys, n)
    first = np.unique(place, return_index=True)[1]
    rows = np.column_stack([key[first] for key in keys])
    return [tuple(row) for row in rows.tolist()], place


@dataclass
class Combos:
    """How many records each combination has, and up to k of its units."""

    strata: int
    k: int
    rows: dict[Key, int] = field(default_factory=dict)
    units: dict[Key, set[int]] = field(default_factory=dict)

    def add(self, keys: list[Key], place: Codes, units: Codes | None) -> None:
        """Count the rows of a part."""
        for key, number in zip(keys, np.bincount(place, minlength=len(keys)).tolist(), strict=True):
            self.rows[key] = self.rows.get(key, 0) + number
        if units is None:
            return
        for at, key in enumerate(keys):
            held = self.units.setdefault(key, set())
            if len(held) < self.k:
                held.update(np.unique(units[place == at])[: self.k].tolist())

    def recoded(self, codes: list[list[int]]) -> Combos:
        """The same with other codes for the labels of each stratum."""

        def renamed(key: Key) -> Key:
            labels = [code[at] if at >= 0 else -1 for code, at in zip(codes, key[: self.strata], strict=True)]
            return (*labels, *key[self.strata :])

        rows = {renamed(key): number for key, number in self.rows.items()}
        return Combos(self.strata, self.k, rows, {renamed(key): held for key, held in self.units.items()})

    def merge(self, other: Combos) -> None:
        """Count the rows of another part."""
        for key, number in other.rows.items():
            self.rows[key] = self.rows.get(key, 0) + number
        for key, held in other.units.items():
            self.units.setdefault(key, set()).update(held)


@dataclass(frozen=True, eq=False)
class CellPlan:
    """Which cell each combination belongs to (-1: not published), and its stratum; what there is to report."""

    keys: tuple[Key, ...]
    cell: Codes
    stratum: Codes
    rows: Codes
    notes: tuple[Note, ...] = ()
    judged: bool = True
    """Whether all that is required of cells was seen to hold, and not k alone."""

    def cells(self, keys: list[Key], place: Codes) -> tuple[Codes, Codes]:
        """The combination and the cell of each row."""
        if len(self.keys) == 1:
            return place, np.full(len(place), self.cell[0])
        at = {key: number for number, key in enumerate(self.keys)}
        combo = np.array([at[key] for key in keys], dtype=np.int64)[place]
        return combo, self.cell[combo]

    @property
    def suppressed(self) -> int:
        """The number of records that are not published."""
        return int(self.rows[self.cell < 0].sum())

    def sizes(self) -> Codes:
        """The number of records of every cell."""
        kept = self.cell >= 0
        return np.bincount(self.cell[kept], weights=self.rows[kept]).astype(np.int64)


def needs_centroids(combos: Combos, recipe: Recipe, judge: Judge | None = None) -> bool:
    """Whether cells must be merged with their nearest, so that the centroids of all are needed."""
    if recipe.small_strata != "merge":
        return False
    if judge is not None:  # a union of cells that share a unit may fail where both hold
        keys = sorted(combos.rows)
        if recipe.roles.unit is not None or judge.among(keys).failing(np.arange(len(keys))).any():
            return True
    return any(number < recipe.k for number in _sizes(combos, recipe).values())


def settle_combos(
    combos: Combos,
    recipe: Recipe,
    centroids: Mapping[Key, Floats] | None,
    judge: Judge | None = None,
    *,
    required: bool = False,
    whole_units: bool = False,
) -> CellPlan:
    """Make cells of the combinations by the recipe's rule: strata first, then patterns within them, until all have k and what is required.

    Of strata alone for `whole_units`, whose rows may differ in their patterns.
    """
    keys = sorted(combos.rows)
    rows = np.array([combos.rows[key] for key in keys], dtype=np.int64)
    small = SmallCells.of(recipe, required=required)
    level = _Level(combos, recipe, small, keys, rows, centroids, judge)
    labels = _numbered([key[: combos.strata] for key in keys])
    stratum, notes = level.settled(labels, np.zeros(len(keys), dtype=np.int64), STRATA)
    if whole_units:
        return CellPlan(tuple(keys), stratum, stratum, rows, tuple(notes))
    alive = np.flatnonzero(stratum >= 0)
    cell = np.full(len(keys), -1, dtype=np.int64)
    while len(alive):  # closeness is to what is published
        inner = _Level(combos, recipe, small, [keys[at] for at in alive], rows[alive], centroids, judge)
        patterns = [(int(stratum[at]), *keys[at][combos.strata :]) for at in alive.tolist()]
        cell[alive], more = inner.settled(_numbered(patterns), stratum[alive], PATTERNS)
        notes, before, alive = notes + more, len(alive), np.flatnonzero(cell >= 0)
        if len(alive) == before:
            break
    if not len(alive):
        raise small.nothing_left()
    return CellPlan(tuple(keys), cell, np.where(cell >= 0, stratum, -1), rows, tuple(notes))


def _sizes(combos: Combos, recipe: Recipe) -> dict[Key, int]:
    if recipe.roles.unit is None:
        return combos.rows
    return {key: len(held) for key, held in combos.units.items()}


class _Level:
    """Cells made of combinations, at one of the two levels."""

    def __init__(
        self,
        combos: Combos,
        recipe: Recipe,
        small: SmallCells,
        keys: list[Key],
        rows: Codes,
        centroids: Mapping[Key, Floats] | None,
        judge: Judge | None,
    ) -> None:
        self.combos, self.recipe, self.small, self.keys = combos, recipe, small, keys
        self.rows, self.centroids = rows, centroids
        self.judge = None if judge is None else judge.among(keys)

    def settled(self, labels: Codes, home: Codes, what: str) -> Settled:
        """The labels of cells that hold k, by the rule: numbered 0, 1, ..., or -1."""
        n, k = int(labels.max()) + 1, self.recipe.k
        rows = np.bincount(labels, weights=self.rows, minlength=n).astype(np.float64)
        inside = self._units(labels, n)
        size = rows if inside is None else np.array([len(units) for units in inside])
        fails = size < k
        hold = None
        if self.judge is not None:
            fails |= self.judge.failing(labels)
            hold = self.judge.holding(labels)
        homes = np.zeros(n, dtype=np.int64)
        homes[labels] = home
        cells, notes = self.small.settle(
            labels,
            fails,
            rows,
            lambda: merge_cells(self._totals(labels, n), rows, homes, k, inside, fails, hold)[labels],
            what,
        )
        return Settled(_renumbered(cells), notes)

    def _units(self, labels: Codes, n: int) -> list[set[int]] | None:
        if self.recipe.roles.unit is None:
            return None
        if self.judge is not None:
            return self.judge.units_of(labels, n)
        inside: list[set[int]] = [set() for _ in range(n)]
        for key, label in zip(self.keys, labels.tolist(), strict=True):
            inside[label] |= self.combos.units[key]
        return inside

    def _totals(self, labels: Codes, n: int) -> Floats:
        centroids = self.centroids or {}
        width = len(next(iter(centroids.values())))
        total = np.zeros((n, width))
        for key, label, rows in zip(self.keys, labels.tolist(), self.rows.tolist(), strict=True):
            total[label] += centroids[key] * rows
        return total


def _numbered(keys: list[Key]) -> Codes:
    number = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([number[key] for key in keys], dtype=np.int64)


def _renumbered(labels: Codes) -> Codes:
    used, places = np.unique(labels, return_inverse=True)
    return places.astype(np.int64) - int(used[0] < 0)
