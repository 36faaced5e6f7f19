"""The table of those that stay: rows that leave are left out as they are read, and all that follows is planned without them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.weights import read_weights
from covey.core.partition import Partition
from covey.parts.leaving.absence import strata_of, sums_of
from covey.parts.leaving.named import keys_of
from covey.parts.make_plan import make_plan
from covey.parts.plan import combos_in
from covey.protect.group import losses_of
from covey.protect.leave_out import left_notes, percent_of_total, weight_notes
from covey.report.records import LeftOutFacts
from covey.utils.arrow import Table, pa, pc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.parts.combos import CellPlan, Key
    from covey.parts.leaving.absence import Absence
    from covey.parts.plan import Plan
    from covey.parts.survey import Survey
    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import DataType
    from covey.utils.notes import Note
    from covey.utils.typing import Flags, Floats, Labels, Numbers, Points


@dataclass(frozen=True, eq=False)
class Losses:
    """What groups lose in some coordinates: how many records they have, the loss, the sums of coordinates and of their squares."""

    rows: int = 0
    loss: float = 0.0
    sums: Floats = field(default_factory=lambda: np.zeros((2, 1)))

    def merged(self, other: Losses) -> Losses:
        """With those of another part."""
        return Losses(self.rows + other.rows, self.loss + other.loss, self.sums + other.sums)

    @classmethod
    def of(cls, points: Points, labels: Labels, some: Flags) -> Losses:
        """The losses of the groups of some rows, in these coordinates."""
        points, labels = points[some], np.unique(labels[some], return_inverse=True)[1].astype(np.uint32)
        loss = float(losses_of(points, Partition(labels)).sum()) if len(points) else 0.0
        return cls(len(points), loss, sums_of(points))

    @property
    def variation(self) -> float:
        """How far the coordinates of the records lie from their mean, squared."""
        total, squares = self.sums
        return float((squares - total**2 / max(1, self.rows)).sum())


@dataclass(frozen=True, eq=False)
class Inside:
    """What groups lose in the coordinates of all records, and in those that follow from the others."""

    of_all: Losses
    own: Losses

    def merged(self, other: Inside) -> Inside:
        """With those of another part."""
        return Inside(self.of_all.merged(other.of_all), self.own.merged(other.own))


@dataclass(frozen=True, eq=False)
class Before:
    """What is known of a table before some of it left: its plan, who leaves, and what was counted. Can be pickled."""

    plan: Plan
    chosen: Numbers
    absence: Absence
    weight_type: DataType | None = None
    """The type in which the weights came, where there are some."""

    @property
    def recipe(self) -> Recipe:
        """The recipe by which the others are read: those without quasi-identifiers are a pattern of their own."""
        asked = self.plan.recipe
        return asked.with_changes(missing="own-group") if asked.suppress_cells else asked

    @property
    def rows(self) -> int:
        """How many rows there are without those that leave."""
        return self.plan.rows - (0 if self.plan.recipe.suppress_cells else self.absence.records)

    @property
    def multiplies(self) -> bool:
        """Whether weights are multiplied, and become floating numbers."""
        recipe = self.plan.recipe
        return (
            recipe.roles.weight is not None and not recipe.suppress_cells and bool((self.absence.factors != 1.0).any())
        )

    def others(self, table: Table, numbers: Numbers) -> Table:
        """The rows of a part that stay, with their new weights; or all, of which those that leave lack their quasi-identifiers."""
        plan = self.plan
        leaves = np.isin(keys_of(plan, table, numbers), self.chosen)
        if leaves.any():
            leaves &= plan.cells_of(plan.located(table), table.num_rows)[1] >= 0
        if plan.recipe.suppress_cells:
            return _without_quasi(table, plan.recipe.roles.quasi, leaves)
        if self.multiplies:
            table = self._weighed(table)
        return table.filter(pa.array(~leaves)) if leaves.any() else table

    def _weighed(self, table: Table) -> Table:
        """The table with other weights, as floating numbers."""
        plan, name, factors = self.plan, str(self.plan.recipe.roles.weight), self.absence.factors
        stratum = strata_of(plan)[plan.cells_of(plan.located(table), table.num_rows)[0]]
        weights: Floats = read_weights(table, name) * np.where(stratum < 0, 1.0, factors[stratum])
        return table.set_column(table.column_names.index(name), name, pa.array(weights))

    @property
    def notes(self) -> list[Note]:
        """What there is to report of those that leave."""
        recipe, absence = self.plan.recipe, self.absence
        notes = left_notes(recipe, absence.records, absence.stands)
        if self.multiplies and self.weight_type is not None:
            notes += weight_notes(recipe, self.weight_type)
        return notes

    @property
    def units(self) -> int:
        """How many units leave."""
        return self.absence.records if self.plan.recipe.roles.unit is None else len(self.chosen)

    def inside(self, table: Table, labels: Labels, own: Points) -> Inside:
        """What the groups of a released part lose, whose coordinates are its `own`, without those that lack their quasi-identifiers."""
        ready = self.plan.located(table)
        some = np.ones(len(own), dtype=bool)
        if self.plan.recipe.suppress_cells:
            some = np.logical_or.reduce([column.valid for column in ready.columns.values()])
        known = np.flatnonzero(
            some
        )  # a column that lacked nothing before has no place for the values that it lacks now
        here = self.plan.points({name: column.take(known) for name, column in ready.columns.items()})
        points = np.zeros((len(own), here.shape[1]))
        points[known] = here
        return Inside(Losses.of(points, labels, some), Losses.of(own, labels, some))

    def facts(self, inside: Inside) -> LeftOutFacts:
        """What leaving them out bought, from what all parts lose together."""
        whole = inside.of_all
        rows, (total, squares) = whole.rows + self.absence.records, whole.sums + self.absence.sums
        mean = total / rows
        (gone, gone_squares), number = self.absence.sums, self.absence.records
        variation = float((squares - rows * mean**2).sum())
        apart = float((gone_squares - 2.0 * mean * gone + number * mean**2).sum())
        return LeftOutFacts(
            records=number,
            units=self.units,
            best=False,
            loss_percent=percent_of_total(whole.loss, variation),
            loss_percent_charged=percent_of_total(whole.loss + apart, variation),
            loss_percent_of_published=percent_of_total(inside.own.loss, inside.own.variation),
            as_missing=self.plan.recipe.suppress_cells,
        )

    def planned(self, survey: Survey) -> Plan:
        """The plan for the others, by their survey: scaled as if nobody else had ever been there, in the cells that they have."""
        plan = make_plan(survey)
        strata = {name: self.plan.shapes[name] for name in self.plan.recipe.roles.strata}
        plan = replace(plan, shapes={**plan.shapes, **strata}, notes=(*self.plan.notes, *self.notes), before=self)
        counted, old = combos_in(plan, survey).rows, self.plan.settled_cells
        if self.plan.recipe.suppress_cells:
            return replace(plan, cells=self._with_own_cells(counted))
        rows = np.array([counted.get(key, 0) for key in old.keys], dtype=np.int64)
        return replace(plan, cells=replace(old, rows=rows))

    def _with_own_cells(self, counted: Mapping[Key, int]) -> CellPlan:
        """The cells, and one in each stratum for those without quasi-identifiers where at least k became so."""
        recipe, old = self.plan.recipe, self.plan.settled_cells
        strata, columns = len(recipe.roles.strata), len(recipe.roles.quasi)
        stratum_of = dict(zip([key[:strata] for key in old.keys], strata_of(self.plan).tolist(), strict=True))
        cell_of = dict(zip(old.keys, old.cell.tolist(), strict=True))
        lacking = {one for one in stratum_of.values() if one >= 0 and self._lacks(one)}
        apart = {one: int(old.cell.max()) + 1 + place for place, one in enumerate(sorted(lacking))}
        keys, cells = sorted(counted), []
        for key in keys:
            pattern, stratum = key[strata : strata + columns], stratum_of[key[:strata]]
            came = key if recipe.missing == "own-group" else (*key[:strata], *key[strata + columns :])
            bare = not any(pattern) and stratum in apart
            cells.append(apart[stratum] if bare else cell_of.get(came, -1))
        cell = np.array(cells, dtype=np.int64)
        stratum = np.array([stratum_of[key[:strata]] for key in keys], dtype=np.int64)
        rows = np.array([counted[key] for key in keys], dtype=np.int64)
        return replace(old, keys=tuple(keys), cell=cell, stratum=np.where(cell >= 0, stratum, -1), rows=rows)

    def _lacks(self, stratum: int) -> bool:
        """Whether some of a stratum lose their quasi-identifiers."""
        cells = self.plan.settled_cells
        return any(one in self.absence.leave for one in cells.cell[cells.stratum == stratum].tolist())


def _without_quasi(table: Table, names: tuple[str, ...], leaves: Flags) -> Table:
    """The table in which some rows have no quasi-identifiers."""
    if leaves.any():
        for name in names:
            column = table.column(name)
            missing = pa.scalar(None, column.type)
            table = table.set_column(
                table.column_names.index(name), name, pc.if_else(pa.array(leaves), missing, column)
            )
    return table
