"""Records that are not published, or only without their quasi-identifiers, because that lowers the loss of the others most.

None or at least k units leave each published stratum (and each published pattern of missing values or zeros within it), and who leaves is
decided by quasi-identifiers alone: their absence says that they cost much to group, of no fewer than k of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import combine, rows_of_cells
from covey.columns.hierarchy.reading import with_own_tree
from covey.columns.weights import read_weights
from covey.errors import InfeasibleError
from covey.evidence import NORMALISED
from covey.line.leave_out import leave_out_on_lines
from covey.protect.absence import Absence
from covey.protect.context import coordinates_of, order_of
from covey.protect.group import Goal, losses_of, percent_of
from covey.report.records import LeftOutFacts
from covey.space.leave_out import Table, leave_out_in_space
from covey.utils.arrow import DataType, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from covey.core.partition import Partition
    from covey.protect.context import Context
    from covey.protect.prepare import Prepared
    from covey.recipe.recipe import Recipe
    from covey.recount.absent import Absent
    from covey.utils.typing import Codes, Flags, Floats, Points, Progress


@dataclass(frozen=True, eq=False)
class Left:
    """Which rows of a context leave, and in which coordinates that was decided."""

    points: Points
    out: Flags
    """Of the rows that were to be published, those that leave."""
    context: Context
    """Of those that stay; or of all, where those that leave are published without their quasi-identifiers."""
    units: int
    """How many units leave."""
    proven: bool
    notes: list[Note]
    absent: list[Absent]
    """Who is absent of every published stratum."""

    def facts(self, partition: Partition) -> LeftOutFacts:
        """What leaving them out bought: the loss in the coordinates of all rows, and in those that follow from the others."""
        centred = self.points - self.points.mean(axis=0)
        total, gone = float((centred**2).sum()), float((centred[self.out] ** 2).sum())
        stay, here = ~self.out, self.context.points(self.context.recipe.parts[0])
        is_all = len(here) == len(stay)
        inside = type(partition)(partition.labels[stay] if is_all else partition.labels)
        loss = float(losses_of(self.points[stay], inside).sum())
        here = here[stay] if is_all else here
        return LeftOutFacts(
            records=int(self.out.sum()),
            units=self.units,
            best=self.proven,
            loss_percent=percent_of_total(loss, total),
            loss_percent_charged=percent_of_total(loss + gone, total),
            loss_percent_of_published=percent_of(here, float(losses_of(here, inside).sum())),
            as_missing=self.context.recipe.suppress_cells,
        )


def percent_of_total(loss: float, total: float) -> float:
    return 100.0 * loss / total if total > 0.0 else 0.0


def leave_out(context: Context, ready: Prepared, goal: Goal, step: Progress) -> Left:
    """Choose who leaves, by the budget of the recipe, and make the context of the others."""
    recipe, points = context.recipe, context.points(context.recipe.parts[0])
    unit = np.arange(len(points)) if context.unit is None else np.unique(context.unit, return_inverse=True)[1]
    cells = np.unique(context.blocks[0], return_inverse=True)[1].reshape(-1)
    table = Table(points, cells, unit, _take_all(context, unit))
    step("leaving records out")
    out, proven = _choose(context, table, goal, step)
    absence = Absence.of(context, ready, np.zeros_like(out) if recipe.suppress_cells else out)
    absent = absence.strata(recipe.k)
    notes = left_notes(recipe, int(out.sum()), int(table.stays.sum()))
    units = len(np.unique(unit[out]))
    if recipe.suppress_cells:
        others = _with_missing(context, out)
    else:
        others = _without(_weighed(context, ready.weight, absence, notes), out)
    return Left(points, out, others, units, proven and context.demands is None, notes, absent)


def _choose(context: Context, table: Table, goal: Goal, step: Progress) -> tuple[Flags, bool]:
    """Which records leave, and whether that is proven the best choice."""
    recipe, points, k = context.recipe, table.points, context.recipe.k
    budget = budget_of(recipe, len(table.stays))
    is_exact = goal.exact and goal.weights is None and context.unit is None and not table.stays.any()
    if is_exact and points.shape[1] == 1 and recipe.method in ("auto", "optimal-line") and not recipe.options:
        return _on_a_line(points[:, 0] if goal.keys is None else goal.keys[:, 0], table.cell, goal, k, budget)
    found = leave_out_in_space(
        table, k, budget, tell=lambda share: step(f"leaving records out: {round(100 * share)} %")
    )
    return found, False


def budget_of(recipe: Recipe, number: int) -> int:
    """How many of so many units may leave; an error where that are fewer than k."""
    asked = recipe.suppress
    share = asked.endswith("%") if isinstance(asked, str) else False
    budget = int(number * float(str(asked).rstrip("% ")) / 100.0 + 1e-9) if share else int(asked or 0)
    if budget >= recipe.k:
        return min(budget, max(number - recipe.k, 0))
    what = "units" if recipe.roles.unit else "records"
    raise InfeasibleError(
        f"suppress is {asked}, which is {budget} of {number} {what}, and k is {recipe.k}; needed: at least k, since the absence of fewer "
        "would give each of them away; choose a larger budget, or leave suppress out"
    )


def _on_a_line(x: Floats, cells: Codes, goal: Goal, k: int, budget: int) -> tuple[Flags, bool]:
    """The best choice, for the cost that groups are made for."""
    out, rows = np.zeros(len(x), dtype=bool), rows_of_cells(cells)
    best = leave_out_on_lines([x[some] for some in rows], k, budget, goal.purpose.name)
    for some, leaves in zip(rows, best.out, strict=True):
        out[some] = leaves
    return out, best.proven


def _take_all(context: Context, unit: Codes) -> Flags:
    """The units of records that stand for themselves alone: nobody else would stand for them."""
    stays = np.zeros(int(unit.max()) + 1, dtype=bool)
    weight = context.weight
    if weight is not None and float(weight.mean()) > NORMALISED:
        stays[unit[weight <= 1.0]] = True
    return stays


def left_notes(recipe: Recipe, number: int, alone: int) -> list[Note]:
    """What there is to report where so many leave, and so many stand for themselves alone."""
    if recipe.suppress_cells:
        done, meaning = "are published without their quasi-identifiers", "a person who is found without them is unusual"
    else:
        done, meaning = (
            "are not published",
            "whoever knows that somebody was in the table and is not found learns that they are unusual",
        )
    texts = [
        f"{number} records {done}, since that lowers the loss of the others most (suppress = {recipe.suppress}): {meaning}"
        if number
        else f"no record is left out (suppress = {recipe.suppress}): that would not lower the loss, or no stratum can spare k records"
    ]
    if alone:
        texts.append(f"{alone} with a weight of 1 or less stay, since nobody else stands for them")
    return [Note(NoteKind.LEFT_OUT, text) for text in texts]


def _weighed(context: Context, every: Floats | None, absence: Absence, notes: list[Note]) -> Context:
    """The context with weights that stand for all that are absent, stratum by stratum, by those of `every` row of the table."""
    factor = np.ones(1) if every is None else absence.factors(every)
    if every is None or (factor == 1.0).all():
        return context
    table, name, weights = context.table, str(context.recipe.roles.weight), {}
    notes += weight_notes(context.recipe, table.schema.field(name).type)
    for replicate in context.recipe.published_replicates:
        own = read_weights(table, replicate, replicate=True)
        weights[replicate] = own * absence.factors(own)
    weights[name] = every * factor
    for one, multiplied in weights.items():
        table = table.set_column(table.column_names.index(one), one, pa.array(multiplied))
    return replace(context, table=table, weight=weights[name][context.rows])


def _without(context: Context, out: Flags) -> Context:
    """The context of those that stay."""
    if not out.any():
        return context
    stay = np.flatnonzero(~out)
    recipe = context.recipe
    columns, uncoded = (
        {name: with_own_tree(column.take(stay), recipe.hierarchy.get(name)) for name, column in several.items()}
        for several in (context.columns, context.uncoded)
    )
    return replace(
        context,
        rows=context.rows[stay],
        order=order_of(recipe, len(stay)),
        columns=columns,
        uncoded=uncoded,
        **coordinates_of(recipe, columns)._asdict(),
        blocks=[np.unique(cells[stay], return_inverse=True)[1].reshape(-1) for cells in context.blocks],
        combination=context.combination[stay],
        units=None if context.units is None else context.units.among(stay),
        weight=None if context.weight is None else context.weight[stay],
        demands=None if context.demands is None else context.demands.among(stay),
    )


def weight_notes(recipe: Recipe, kind: DataType) -> list[Note]:
    """What there is to report of weights of this type that were multiplied."""
    name = recipe.roles.weight
    names = ", ".join(map(repr, [name, *recipe.published_replicates]))
    text = f"the weights {names} of strata that lack records are multiplied so that their sum stays"
    notes = [Note(NoteKind.WEIGHTS, text)]
    if recipe.weights == "keep" and not pa.types.is_floating(kind):
        text = f"the weight {name!r} was of type {kind} and is published as double, since it was multiplied"
        notes.append(Note(NoteKind.TYPES, text))
    return notes


def _with_missing(context: Context, out: Flags) -> Context:
    """The context in which those that leave have no quasi-identifiers and are grouped among themselves, stratum by stratum."""
    if not out.any():
        return context
    for rows in rows_of_cells(context.stratum[out]) if context.demands is not None else ():
        if context.demands is not None and len(rows) and not context.demands.hold(np.flatnonzero(out)[rows]):
            raise InfeasibleError(
                "the records without quasi-identifiers of a stratum would not satisfy what is required of a class; needed: records that do; "
                "choose another budget, or leave them out (suppress_cells = false)"
            )
    rules = context.recipe.hierarchy
    columns, uncoded = (
        {
            name: with_own_tree(column.replaced(column.physical, column.valid & ~out), rules.get(name))
            for name, column in several.items()
        }
        for several in (context.columns, context.uncoded)
    )
    apart = [
        combine([np.where(out, -1, cells), np.where(out, context.stratum, -1)], len(out)) for cells in context.blocks
    ]
    recipe = context.recipe.with_changes(missing="own-group")
    where = coordinates_of(recipe, columns)._asdict()
    return replace(context, recipe=recipe, columns=columns, uncoded=uncoded, blocks=apart, **where)
