"""Which linked units are released: those whose composition at least k have. One rule for all engines, by compositions alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.cells import SmallCells
from covey.errors import InfeasibleError
from covey.utils.notes import Note, NoteKind
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes, Flags

COMPOSITION = "composition (the number of rows by role, time, stratum and pattern of missing values)"


class Compositions(NamedTuple):
    """What units are made of. Of every composition: how many units have it, how many rows each of these has, whether its strata are published."""

    units: Codes
    rows: Codes
    is_published: Flags


class ReleasedCompositions:
    """The compositions whose units are released. `fails` says of those that are left which do not hold what is required, where something is."""

    def __init__(self, recipe: Recipe, made_of: Compositions, fails: Callable[[Flags], Flags] | None = None) -> None:
        self.recipe, self.made_of, self._also_fails = recipe, made_of, fails
        self.is_out = np.zeros(len(made_of.units), dtype=bool)
        self.few = (0, 0)
        """A composition of which not all units are released, and how many are not."""
        self.notes: list[Note] = []
        self._leave_out(~made_of.is_published, "in strata that are not published")
        if recipe.max_rows is not None:
            self._leave_out(made_of.rows > recipe.max_rows, f"with more than {recipe.max_rows} rows (max_rows)")
        while (failing := self._failing()).any():
            self._judge(failing)
            self._leave_out(failing, f"whose {COMPOSITION} fewer than k have{self._also}")
        self._at_least_k()

    @property
    def units(self) -> int:
        """The number of units that are released."""
        return int(self.made_of.units[~self.is_out].sum()) - self.few[1]

    @property
    def _also(self) -> str:
        return "" if self._also_fails is None else ", or which do not hold what is required"

    def _size_of(self, some: Flags) -> tuple[int, int]:
        """The number of units and rows of some compositions."""
        units, rows, _ = self.made_of
        return int(units[some].sum()), int((units * rows)[some].sum())

    def _note(self, units: int, rows: int, why: str) -> None:
        were = "was" if units == 1 else "were"
        text = f"{counted(units, 'unit')} ({counted(rows, 'record')}) {why} {were} not published"
        self.notes.append(Note(NoteKind.SMALL_CELLS, text))

    def _leave_out(self, some: Flags, why: str) -> None:
        some = some & ~self.is_out
        if some.any():
            self._note(*self._size_of(some), why)
        self.is_out |= some
        if self.is_out.all():
            raise SmallCells.of(self.recipe).nothing_left()

    def _failing(self) -> Flags:
        """The compositions that fewer than k units have, or that do not hold what is required even as one group."""
        small = self.made_of.units < self.recipe.k
        also = np.zeros_like(small) if self._also_fails is None else self._also_fails(~self.is_out)
        return np.asarray(~self.is_out & (small | also))

    def _judge(self, failing: Flags) -> None:
        """An error for small compositions where units are not to be left out."""
        if self.recipe.small_units == "error":
            (units, rows), number = self._size_of(failing), int(failing.sum())
            has, of = (
                "has" if units == 1 else "have",
                "a composition" if number == 1 else f"one of {number} compositions",
            )
            raise InfeasibleError(
                f"{counted(units, 'unit')} ({counted(rows, 'record')}) {has} {of} (the number of rows by role, time, "
                f"stratum and pattern of missing values) that fewer than k = {self.recipe.k} units have{self._also}; needed: at least k "
                "units of each; merge roles (merge_roles, --merge-roles), leave such units out (small_units, --small-units suppress), or "
                "choose a smaller k"
            )

    def _at_least_k(self) -> None:
        """None or at least k units are left out: whoever is not among those that are released is one of so many."""
        why = "more, so that at least k are left out,"
        while 0 < (short := self.recipe.k - self._size_of(self.is_out)[0]) < self.recipe.k:
            size = np.where(self.is_out, -1, self.made_of.units)
            largest = int(size.argmax())
            if self._also_fails is None and size[largest] >= self.recipe.k + short:
                self.few = largest, short
                self._note(short, short * int(self.made_of.rows[largest]), why)
                return
            self._leave_out(np.arange(len(size)) == np.where(self.is_out, size.max() + 1, size).argmin(), why)
            while (failing := self._failing()).any():
                self._leave_out(failing, f"whose {COMPOSITION} fewer than k have{self._also}")
