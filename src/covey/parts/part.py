"""The release of a part of a table, by the plan for the whole: the same steps as in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.cells import SmallCells, counts, settle
from covey.columns.compositions import compositions
from covey.columns.edits import check_edits
from covey.columns.recoded import recoded
from covey.columns.units import unit_numbers
from covey.core.partition import Partition
from covey.errors import InfeasibleError
from covey.parts.linked import linked_rows
from covey.parts.measures import draw
from covey.parts.tally import Tally
from covey.protect.context import Context
from covey.protect.derived import derived_differences
from covey.protect.group import Grouped, losses_of
from covey.protect.improve import improve_cells
from covey.protect.linked import all_in_one, vectors_of
from covey.protect.slots import groups_of_units
from covey.protect.work import (
    Aggregated,
    Block,
    aggregate_classes,
    block_notes,
    goal_of,
    group,
    in_order,
    publish,
    totals_after,
)
from covey.recipe.engines import MANY_KINDS
from covey.utils import randomness
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.coordinates import Place
    from covey.parts.leaving.others import Inside
    from covey.parts.plan import Plan
    from covey.protect.demands import Demands
    from covey.protect.linked import LinkedUnits
    from covey.protect.prepare import Prepared
    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import Table
    from covey.utils.typing import Codes, Flags, Numbers, Points, Progress

COUNTED_OVER_ALL_PARTS = (NoteKind.WHOLE_UNITS, NoteKind.RARE_WEIGHTS)


class Part(NamedTuple):
    """The released rows, the numbers of their units where k counts units (as read, as written), and what there is to say of them."""

    table: Table
    units: tuple[Numbers, Numbers] | None
    tally: Tally


def release_part(
    plan: Plan,
    table: Table,
    number: int,
    *,
    pieces: Codes | None = None,
    labels: Codes | None = None,
    across: Flags | None = None,
    drawn: float = 0.0,
) -> Part:
    """Release a part of a table: rows of whole pieces, which are grouped each by itself, or groups that were made already.

    Parameters
    ----------
    number
        The number of the part; with the secret it decides the order of its rows.
    pieces
        The piece of every row: `Splits.assign`, a cell or part of one. Nothing is grouped across pieces.
    labels
        The group of every row, where groups were made already: an optimal grouping of one column, or the first of two rounds.
    across
        The rows whose groups, which hold what is asked, are improved in their pieces: a further round, across the borders of the one before.
    drawn
        The share of the rows that measures look at; 0: there are none.

    The same part gives the same release on every run, whatever the machine.
    """
    table, moved = recoded(table, plan.recipe)
    ready = _read(plan, table)
    context = _context(plan, table, number, ready, pieces, settled=labels is not None)
    block = _grouped(context, labels, across, lambda _what: None)
    (block,), aggregated = aggregate_classes(context, [block])
    context = in_order(context, aggregated)
    released, of_columns = publish(context, aggregated)
    notes = [*block_notes(context, block), *aggregated.notes, *of_columns]
    tally = replace(
        _tally(context, block, aggregated, notes),
        moved={name: ends for name, ends in (moved | dict(ready.moved)).items() if ends},
        drawn=draw(plan, context, aggregated, number, drawn) if drawn > 0 else None,
        inside=_inside(context, plan, block),
    )
    return Part(released, _unit_numbers(context), tally)


def _inside(context: Context, plan: Plan, block: Block) -> Inside | None:
    """What the groups lose, where some records left since they cost most."""
    if plan.before is None:
        return None
    return plan.before.inside(context.table, block.grouped.partition.labels, context.points(block.columns))


def group_part(
    plan: Plan,
    table: Table,
    pieces: Codes,
    step: Progress,
    *,
    labels: Codes | None = None,
    across: Flags | None = None,
) -> tuple[Context, Grouped]:
    """The groups of a part that is not released yet: a round that is not the last."""
    context = _context(plan, table, None, _read(plan, table), pieces, settled=labels is not None)
    return context, _grouped(context, labels, across, step).grouped


def _grouped(context: Context, labels: Codes | None, across: Flags | None, step: Progress) -> Block:
    """The groups of a part: found here, or made before."""
    return group(context, 0, step) if labels is None else _made_already(context, labels, across)


def _read(plan: Plan, table: Table) -> Prepared:
    ready = plan.read(table)
    if plan.ends:
        check_edits(plan.recipe.rules_of_rows, ready.columns, when="after top and bottom coding")
    return ready


def _context(
    plan: Plan, table: Table, number: int | None, ready: Prepared, pieces: Codes | None, *, settled: bool
) -> Context:
    """The context of a part, in the numbers of the whole; pieces are settled unless the groups are made already."""
    recipe, n = plan.recipe, table.num_rows
    combination, cell = plan.cells_of(ready, n)
    if (cell < 0).any():
        raise InfeasibleError("a part holds records that are not published")
    demands, points = plan.demands(table, ready.units), plan.points(ready.columns)
    blocks = np.unique(cell if pieces is None else pieces, return_inverse=True)[1].astype(np.int64)
    linked = linked_rows(plan, table, ready, cell)
    if linked is not None:
        cell = compositions(linked.kinds, linked.unit)
    if not settled:
        blocks = _settle(plan, ready, demands, blocks, cell, points, linked)

    order = np.arange(n)
    if recipe.shuffle and number is not None:
        order = randomness.part_order(str(recipe.entropy), number, n)

    def placed(names: Sequence[str]) -> Points:
        return points if list(names) == list(recipe.roles.quasi) else plan.points_of(points, names)

    def place(name: str) -> Place:
        return plan.scaler.places[list(recipe.roles.quasi).index(name)]

    return Context(
        recipe=recipe,
        table=table,
        rows=np.arange(n),
        order=order,
        columns=ready.columns,
        uncoded=ready.uncoded,
        points=placed,
        place=place,
        blocks=[blocks],
        strata=plan.stratum_values(),
        merged=plan.settled_cells.stratum,
        combination=combination,
        units=ready.units,
        weight=ready.weight,
        demands=demands,
        linked=linked,
    )


def _settle(
    plan: Plan,
    ready: Prepared,
    demands: Demands | None,
    pieces: Codes,
    cell: Codes,
    points: Points,
    linked: LinkedUnits | None,
) -> Codes:
    """Pieces that hold k, and what is required: those that do not join the nearest of their cell."""
    recipe, small = plan.recipe, SmallCells(plan.recipe.k, "merge")
    unit = None if ready.units is None else ready.units.number
    hold = None if demands is None else demands.hold
    if demands is not None and linked is not None:
        vectors = vectors_of(linked, recipe.roles.quasi, plan.scaler.places, lambda: points)
        hold = lambda rows: all_in_one(demands, vectors(rows).rows)  # noqa: E731
    try:
        return settle(pieces, small, lambda: points, unit, what="pieces", within=cell, hold=hold).cells
    except InfeasibleError:
        if not plan.settled_cells.judged:
            raise InfeasibleError(MANY_KINDS.message()) from None
        raise _falls_short(recipe, more=demands is not None) from None


def _falls_short(recipe: Recipe, *, more: bool) -> InfeasibleError:
    also = ", or does not satisfy what is required" if more else ""
    what = "records" if recipe.roles.unit is None else "units"
    return InfeasibleError(
        f"a part of the table holds fewer than k = {recipe.k} {what}{also}, even as one group; needed: larger parts; allow more memory "
        "(--memory, piece_rows on Spark), or release it in memory"
    )


def _made_already(context: Context, labels: Codes, across: Flags | None) -> Block:
    """The groups of a part that were made elsewhere, as they are or improved in their pieces."""
    names, recipe = context.recipe.roles.quasi, context.recipe
    goal, points, partition, units = goal_of(context, names), context.points(names), Partition(labels), None
    if across is not None:
        demands = None if context.demands is None else context.demands.about(names)
        unit = context.unit
        partition, units = improve_cells(points, context.blocks[0], labels, recipe.k, unit, demands, goal, across)
    loss = float(losses_of(points, partition).sum())
    status = "optimal" if (goal.exact and goal.weights is None and across is None) or loss == 0.0 else "feasible"
    return Block(names, Grouped(partition, status, loss, 0.0, units), goal.purpose)


def _unit_numbers(context: Context) -> tuple[Numbers, Numbers] | None:
    """The numbers of the units of the released rows, as read and as written."""
    unit = context.recipe.roles.unit
    if unit is None:
        return None
    column = context.table.column(unit)
    return unit_numbers(column)[context.order], unit_numbers(column, spelled=True)[context.order]


def _tally(context: Context, block: Block, aggregated: Aggregated, notes: Sequence[Note]) -> Tally:
    points, grouped = context.points(block.columns), block.grouped
    partition = grouped.partition
    whole, cells = (0, 0) if grouped.units is None else grouped.units
    linked = context.linked
    return Tally(
        rows=len(context.rows),
        groups=len(partition if linked is None else groups_of_units(partition, linked.unit)),
        smallest=int(counts(partition.labels.astype(np.int64), context.unit).min()),
        largest=int(partition.sizes.max()),
        loss=grouped.loss,
        without=grouped.loss if grouped.without is None else grouped.without,
        proven=grouped.status == "optimal",
        points=np.array([points.sum(axis=0), (points**2).sum(axis=0)]),
        own=dict(aggregated.own),
        totals=totals_after(context, aggregated),
        notes=dict.fromkeys(note for note in notes if note.kind not in COUNTED_OVER_ALL_PARTS),
        by_rules=dict(aggregated.moved),
        derived=derived_differences(context),
        whole=whole,
        cells=cells,
    )
