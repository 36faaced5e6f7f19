"""From an Arrow table and a recipe to the released table: cells, groups, aggregates, edit rules, order.

The steps `group`, `aggregate` and `publish` are those of every engine; `protect` is all of them for a table in memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.columns.aggregation import COST_OF, aggregate_members, members
from covey.columns.cells import counts
from covey.columns.coordinates import NumberPlace, Scaler
from covey.columns.edits import check_edits, enforce
from covey.columns.identifiers import random_ids
from covey.columns.own_values import OwnValues, own_values
from covey.columns.purpose import MEANS, Purpose, grid_units, is_exact, is_line, purpose_of
from covey.columns.strata import stratum_names
from covey.columns.values import AMOUNTS, NUMBERS, Values, read_kept
from covey.columns.weights import released_weights, weight_column
from covey.errors import OptionError
from covey.evidence import Evidence
from covey.measures.measures import Measures, Measuring, measure
from covey.methods import METHODS
from covey.protect.context import Context, make_context
from covey.protect.demands import read_demands
from covey.protect.facts import Facts, own_value_notes
from covey.protect.group import Goal, Grouped, group_cells
from covey.protect.joined import without_failing_classes
from covey.protect.linked import with_merged_roles
from covey.protect.prepare import identifier_codes, prepare, total
from covey.protect.slots import group_linked, groups_of_units, linked_order
from covey.report.records import GroupFacts
from covey.risk.records import RecordRisk, record_risk
from covey.utility import terms
from covey.utility.distributions import Distribution, distributions
from covey.utils.arrow import Array, Table, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.core.partition import Partition
    from covey.recipe.recipe import Recipe
    from covey.recount.readings import Units
    from covey.utils.typing import Floats, Progress, Rows


class Block(NamedTuple):
    """The groups of a block of columns, and what they were made for."""

    columns: Sequence[str]
    grouped: Grouped
    purpose: Purpose


class Aggregated(NamedTuple):
    """The values that are released, and what there is to say of them."""

    values: dict[str, Values]
    own: dict[str, OwnValues]
    """Groups whose value gives one member away, counted column by column."""
    weights: Floats | None
    """The published weights, where there are some."""
    notes: list[Note]


class Protected(NamedTuple):
    """The released table, the numbers of its rows' units where k counts units, and what there is to say about it."""

    table: Table
    units: Units | None
    facts: Facts


def protect(
    table: Table, recipe: Recipe, step: Progress, measuring: Measuring | None = None, *, typed: Table | None = None
) -> Protected:
    """Protect a table whose columns all have a role; and measure what that costs, where that is asked for.

    `typed` is the same table with the types in which sensitive columns are judged, where they are published as other ones.
    """
    table = with_merged_roles(table, recipe)
    ready = prepare(table, recipe, step)
    demands = read_demands(table if typed is None else typed, table, recipe, ready)
    for formula in () if measuring is None else measuring.regressions:
        terms(formula, ready.columns)  # a mistake is said before the work
    step("grouping")
    context, notes = make_context(table, recipe, ready, demands)
    sample = None if measuring is None else measuring.sample
    blocks = [group(context, number, step, sample) for number in range(len(recipe.parts))]
    step("aggregating")
    blocks, aggregated = aggregate_classes(context, blocks)
    own = own_value_notes(recipe, aggregated.own)
    measured = _measured(context, aggregated, measuring, step)
    context = _in_order(context, aggregated)
    released, of_columns = publish(context, aggregated)
    after = totals_after(context, aggregated)
    of_blocks = [note for block in blocks for note in block_notes(context, block)]
    facts = Facts(
        table.num_rows,
        suppressed=table.num_rows - len(context.rows),
        notes=[*ready.notes, *notes, *of_blocks, *own, *aggregated.notes, *of_columns],
        groups=[_block_facts(context, block, with_gap=sample is not None) for block in blocks],
        own=aggregated.own,
        totals={name: (before, after[name]) for name, before in ready.totals.items()},
        measures=measured.measures,
        distributions=measured.distributions,
        released_distributions=measured.released,
        record_risk=measured.record_risk,
        orders={} if demands is None else demands.orders(),
        checked=[] if demands is None else [asked for asked, _ in demands.amounts],
        withheld=ready.withheld,
        rows_out=len(context.rows),
    )
    units = None if context.units is None else context.units.among(context.order).numbered()
    return Protected(released, units, facts)


# -- groups


def group(context: Context, number: int, step: Progress, sample: int | None = None) -> Block:
    """Group the rows by a block of columns, within its cells; with a `sample` the gap is said, see `group_cells`."""
    recipe, names = context.recipe, context.recipe.parts[number]
    goal = goal_of(context, names)
    if context.linked is not None:
        goal = Goal(MEANS._replace(weighs=goal.purpose.weighs), None, goal.weights)
    options = dict(recipe.options) | goal.purpose.options
    if recipe.seed is not None:
        kind = METHODS.get(recipe.method)
        if kind is None or not hasattr(kind, "seed"):
            raise OptionError(f"a seed is given, and the method {recipe.method!r} has no randomness; leave it out")
        options["seed"] = recipe.seed
    demands = None if context.demands is None else context.demands.about(names)
    if context.linked is not None:
        points = {name: context.points([name]) for name in names}
        grouped = group_linked(
            context.linked,
            context.blocks[number],
            points,
            recipe.k,
            recipe.method,
            options,
            goal.weights,
            step,
            demands,
        )
        return Block(names, grouped, goal.purpose)
    grouped = group_cells(
        context.points(names),
        context.blocks[number],
        recipe.k,
        context.unit,
        recipe.method,
        options,
        step,
        sample=sample,
        demands=demands,
        goal=goal,
    )
    return Block(names, grouped, goal.purpose)


def goal_of(context: Context, names: Sequence[str]) -> Goal:
    """What groups of these columns are made for: the loss of what is published, where the method can be told."""
    recipe, columns = context.recipe, [context.columns[name] for name in names]
    hows, places = [context.aggregate_of(name) for name in names], [context.place(name) for name in names]
    purpose = purpose_of(columns, hows, places, recipe.method, weighted=context.weight is not None)
    weights = context.weight if purpose.weighs else None
    (place, *_), (column, *_), (how, *_) = places, columns, hows
    if not is_line(columns, recipe.method) or not isinstance(place, NumberPlace):
        return Goal(purpose, None, weights)
    keys = grid_units(column, place).reshape(-1, 1) if purpose.name == "rounded" else None
    unweighted = context.weight is None or how != "median"
    exact = unweighted and is_exact(column, how, place, mixed=recipe.missing != "own-group")
    return Goal(purpose, keys, weights, exact=exact)


def block_notes(context: Context, block: Block) -> list[Note]:
    """What there is to report of groups."""
    notes = [] if block.grouped.units is None else [block.grouped.units.note]
    numbers = [name for name in block.columns if context.columns[name].kind in NUMBERS]
    others = [name for name in numbers if COST_OF[context.aggregate_of(name)] != "sse"]
    if others and block.purpose.name == "sse":
        text = f"the groups are made for means (sse), whatever the aggregates of {', '.join(others)}"
        notes.append(Note(NoteKind.DISTANCES, text))
    return notes


def _block_facts(context: Context, block: Block, *, with_gap: bool) -> GroupFacts:
    grouped, linked = block.grouped, context.linked
    number = grouped.partition if linked is None else groups_of_units(grouped.partition, linked.unit)
    gap = grouped.gap if with_gap else None
    interval = None if gap is None else gap.interval
    return GroupFacts(
        columns=list(block.columns),
        method=context.recipe.method,
        groups=len(number),
        smallest=int(counts(grouped.partition.labels.astype(np.int64), context.unit).min()),
        largest=int(grouped.partition.sizes.max()),
        status=grouped.status,
        cost=block.purpose.name,
        loss_percent=grouped.loss_percent,
        loss_percent_without=None if grouped.without is None else grouped.percent(grouped.without),
        gap_percent=None if gap is None else 100 * gap.value,
        gap_interval=None if interval is None else (100 * interval[0], 100 * interval[1]),
        gap_with_requirements=gap is not None and gap.knows,
    )


# -- released values


def _in_order(context: Context, aggregated: Aggregated) -> Context:
    """The same, where rows of linked units leave in an order that their released values tell."""
    if context.linked is None:
        return context
    strata = [context.labels[0][name].take(context.combination) for name in context.recipe.roles.strata]
    known = [key for column in (*aggregated.values.values(), *strata) for key in (column.valid, column.physical)]
    known += [] if aggregated.weights is None else [aggregated.weights]
    return replace(context, order=linked_order(context.linked, context.order, known))


def aggregate_classes(context: Context, blocks: list[Block]) -> tuple[list[Block], Aggregated]:
    """The values that groups publish, and the groups: others where those of the same values together fail what each of them holds."""
    aggregated, times = aggregate(context, [block.grouped.partition for block in blocks]), 0
    while len(blocks) == 1:
        released = list(aggregated.values.values())
        other = without_failing_classes(context, blocks[0].grouped, released, aggregated.weights, times)
        if other is None:
            break
        blocks, times = [blocks[0]._replace(grouped=other)], times + 1
        aggregated = aggregate(context, [other.partition])
    return blocks, aggregated


def aggregate(context: Context, partitions: Sequence[Partition]) -> Aggregated:
    """The values that groups publish, one partition for each block, and the weights."""
    recipe, weights = context.recipe, context.weight
    asked = [] if context.demands is None else [requirement for requirement, _ in context.demands.amounts]
    values: dict[str, Values] = {}
    own: dict[str, OwnValues] = {}
    for names, partition in zip(recipe.parts, partitions, strict=True):
        for name in names:
            column, how = context.columns[name], context.aggregate_of(name)
            inside = members(column, _groups_of(context, name, partition), weights)
            values[name] = aggregate_members(column, inside, how, trim=recipe.trim)
            own[name] = own_values(
                column, values[name], inside, how, asked=asked, trim=recipe.trim, weights=weights, units=context.unit
            )
    enforce(recipe.rules, values)
    check_edits(recipe.rules, values, when="of the release")
    if weights is None or recipe.weights == "drop":
        return Aggregated(values, own, None, [])
    return Aggregated(values, own, *released_weights(weights, partitions[0], recipe))


def _groups_of(context: Context, name: str, partition: Partition) -> Partition:
    """The groups that share a value of a column: those of units where it has one value in each, whatever their rows weigh."""
    linked = context.linked
    if linked is None or name not in linked.common:
        return partition
    return groups_of_units(partition, linked.unit)


def totals_after(context: Context, aggregated: Aggregated) -> dict[str, float]:
    """The (weighted) totals of released amounts."""
    weights = context.weight if aggregated.weights is None else aggregated.weights
    return {name: total(column, weights) for name, column in aggregated.values.items() if column.kind in AMOUNTS}


def publish(context: Context, aggregated: Aggregated) -> tuple[Table, list[Note]]:
    """The released table, its rows in their order, and what there is to report of its columns."""
    roles, order, (labels, notes) = context.recipe.roles, context.order, context.labels
    rows, notes = context.rows[order], [*notes]
    columns: dict[str, Array] = {}
    for name in context.table.column_names:
        role = roles.of(name)
        if role == "quasi":
            columns[name] = aggregated.values[name].take(order).build()
        elif role == "strata":
            columns[name] = labels[name].take(context.combination[order]).build()
        elif role == "random_ids":
            columns[name] = _ids(context, name, rows)
            notes.append(Note(NoteKind.IDENTIFIERS, f"the identifier {name!r} is replaced by random ids"))
        elif role == "weight" and aggregated.weights is not None:
            came = context.table.column(name).take(pa.array(rows))
            columns[name], more = weight_column(name, came, aggregated.weights[order], context.recipe)
            notes += more
        elif role in ("keep", "sensitive", "member_role", "time"):
            columns[name] = read_kept(name, context.table.column(name)).take(rows).build()
    return pa.table(columns), notes


def _ids(context: Context, name: str, rows: Rows) -> Array:
    column, recipe = context.table.column(name).take(pa.array(rows)), context.recipe
    return random_ids(column, name, str(recipe.entropy), of_units=name == recipe.roles.unit)


# -- measures


class _Measured(NamedTuple):
    """What was measured, where that was asked for."""

    measures: Measures | None = None
    distributions: Sequence[Distribution] = ()
    released: Sequence[Distribution] = ()
    record_risk: RecordRisk | None = None


def _measured(context: Context, aggregated: Aggregated, measuring: Measuring | None, step: Progress) -> _Measured:
    if measuring is None:
        return _Measured()
    step("measuring")
    k, original, released = context.recipe.k, context.uncoded, aggregated.values
    evidence = evidence_of(
        context, aggregated, Scaler.of(context.recipe, list(original.values())), sample=measuring.sample
    )
    return _Measured(
        measure(evidence, measuring),
        distributions(original, released, k),
        distributions(released, released, k),
        record_risk(evidence, context.rows) if measuring.records else None,
    )


def evidence_of(context: Context, aggregated: Aggregated, scaler: Scaler, **more: Any) -> Evidence:
    """The release of the rows beside their original, for measures; `more` are the fields that engines fill in other ways."""
    roles, sensitive = context.recipe.roles, context.recipe.roles.sensitive
    strata = context.stratum if roles.strata else None
    return Evidence.of(
        context.recipe,
        context.uncoded,
        aggregated.values,
        scaler,
        strata,
        weights=context.weight,
        released_weights=aggregated.weights,
        stratum_names=stratum_names(context.labels[0], context.merged) if roles.strata else {},
        own=aggregated.own,
        sensitive={name: identifier_codes(context.table, name)[context.rows] for name in sensitive},
        units=context.unit,
        places=None if context.linked is None else context.linked.place,
        **more,
    )
