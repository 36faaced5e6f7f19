"""From an Arrow table and a recipe to the released table: cells, groups, aggregates, edit rules, order.

The steps `group`, `aggregate` and `publish` are those of every engine; `protect` is all of them for a table in memory.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.columns.aggregation import COST_OF, aggregate_members
from covey.columns.cells import counts
from covey.columns.coordinates import NumberPlace, Scaler
from covey.columns.derived import role_texts
from covey.columns.edits import check_edits, enforce, moved_notes
from covey.columns.hierarchy.labels import medoids
from covey.columns.identifiers import random_ids
from covey.columns.members import Members, members
from covey.columns.of_table import OfTable, own_values_of
from covey.columns.order_rules import UnitMembers, check_named_roles
from covey.columns.own_values import OwnValues, own_values
from covey.columns.places import check_places, on_grid
from covey.columns.purpose import MEANS, Purpose, grid_units, is_exact, is_line, purpose_of
from covey.columns.recoded import recoded
from covey.columns.strata import stratum_names
from covey.columns.top_coding import coding_notes
from covey.columns.values import NUMBERS, Values, read_kept
from covey.columns.weights import read_weights, released_replicates, released_weights, weight_column
from covey.core.partition import Partition
from covey.errors import OptionError
from covey.evidence import Evidence
from covey.measures.measures import Measures, Measuring, measure
from covey.methods import METHODS
from covey.protect.bounding import Bounding
from covey.protect.context import Context, make_context
from covey.protect.demands import read_demands
from covey.protect.derived import derived_columns, derived_differences, derived_notes
from covey.protect.domains import check_domains, domain_figures
from covey.protect.facts import Facts, own_value_notes
from covey.protect.few_columns import few_alike, loss_of_labels
from covey.protect.group import Goal, Grouped, group_cells, losses_of, percent_of
from covey.protect.joined import without_failing_classes
from covey.protect.leave_out import leave_out
from covey.protect.linked import with_merged_roles
from covey.protect.on_a_tree import OF_LABELS, best_on_tree
from covey.protect.prepare import identifier_codes, prepare, totals_of
from covey.protect.slots import group_linked, groups_of_units, linked_order
from covey.report.records import GroupFacts
from covey.risk.records import RecordRisk, record_risk
from covey.space.sampled_gap import Gap
from covey.utility import terms
from covey.utility.distributions import Distribution, distributions
from covey.utils.arrow import Array, Table, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.recipe.recipe import Recipe
    from covey.recount.readings import Units
    from covey.utils.typing import Flags, Floats, Progress, Rows


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
    replicates: Mapping[str, Floats] = MappingProxyType({})
    """The published replicate weights."""
    moved: Mapping[str, int] = MappingProxyType({})
    """How many values were moved so that each edit rule of order holds."""


class Protected(NamedTuple):
    """The released table, the numbers of its rows' units where k counts units, and what there is to say about it."""

    table: Table
    units: Units | None
    facts: Facts


def protect(
    table: Table,
    recipe: Recipe,
    step: Progress,
    measuring: Measuring | None = None,
    *,
    typed: Table | None = None,
    tables: Sequence[OfTable] = (),
) -> Protected:
    """Protect a table whose columns all have a role; and measure what that costs, where that is asked for.

    `typed` is the same table with the types in which sensitive columns are judged, where they are published as other ones; `tables` are
    those that it was joined of, where it was.
    """
    check_places(table, recipe)
    table, moved = recoded(with_merged_roles(table, recipe), recipe)
    typed = None if typed is None else recoded(typed, recipe).table
    ready = prepare(table, recipe, step, tables)
    demands = read_demands(table if typed is None else typed, table, recipe, ready)
    for formula in () if measuring is None else measuring.regressions:
        terms(formula, ready.columns)  # a mistake is said before the work
    check_domains(() if measuring is None else measuring.domains, recipe, ready.columns)
    step("grouping")
    context, notes = make_context(table, recipe, ready, demands)
    role = recipe.roles.member_role
    check_named_roles(recipe, set() if role is None else {*role_texts(table, role, context.rows).tolist()})
    left = None
    if recipe.suppress is not None:
        left = leave_out(context, ready, goal_of(context, recipe.parts[0]), step)
        context, notes = left.context, [*notes, *left.notes]
    bounding = None if measuring is None else Bounding(measuring.sample, measuring.bound_seconds)
    blocks = (
        grouped_few(context, step)
        if recipe.k_for
        else [group(context, number, step, bounding) for number in range(len(recipe.parts))]
    )
    step("aggregating")
    blocks, aggregated = aggregate_classes(context, blocks)
    own = own_value_notes(recipe, aggregated.own)
    tables = [one.take(context.rows) for one in tables]
    measured = _measured(context, aggregated, measuring, step, tables)
    after = totals_after(context, aggregated, tables)
    context = in_order(context, aggregated)
    released, of_columns = publish(context, aggregated)
    of_ends = [note for name, ends in moved.items() for note in coding_notes(name, ends)]
    of_blocks = [note for block in blocks for note in block_notes(context, block)]
    facts = Facts(
        table.num_rows,
        suppressed=table.num_rows - len(context.rows),
        notes=[
            *ready.notes,
            *of_ends,
            *notes,
            *of_blocks,
            *own,
            *moved_notes(aggregated.moved),
            *aggregated.notes,
            *of_columns,
            *derived_notes(recipe, derived_differences(context)),
        ],
        groups=[_block_facts(context, block, with_gap=bounding is not None) for block in blocks],
        own=aggregated.own,
        totals={name: (before, after[name]) for name, before in ready.totals.items()},
        measures=measured.measures,
        distributions=measured.distributions,
        released_distributions=measured.released,
        record_risk=measured.record_risk,
        orders={} if demands is None else demands.orders(),
        checked=[] if demands is None else [asked for asked, _ in demands.amounts],
        withheld=ready.withheld,
        left_out=None if left is None else left.facts(blocks[0].grouped.partition),
        absent=() if left is None or recipe.suppress_cells else left.absent,
        rows_out=len(context.rows),
        tables=[one.take(context.order) for one in tables],
        kinds={name: str(column.kind) for name, column in ready.columns.items()},
    )
    units = None if context.units is None else context.units.among(context.order).numbered()
    return Protected(released, units, facts)


# -- groups


def group(context: Context, number: int, step: Progress, bounding: Bounding | None = None) -> Block:
    """Group the rows by a block of columns, within its cells; with `bounding` the gap is said, see `group_cells`."""
    recipe, names = context.recipe, context.recipe.parts[number]
    goal = goal_of(context, names)
    if context.linked is not None:
        goal = Goal(MEANS._replace(weighs=goal.purpose.weighs), None, goal.weights)
    options = dict(recipe.options) | goal.purpose.options
    if recipe.seed is not None:
        kind = METHODS.get(recipe.method)
        if kind is None or not hasattr(kind, "seed"):
            raise OptionError(
                f"a seed is given, and the method {recipe.method!r} has no randomness; leave it out (a release is replayed by its secret: the recipe of its internal certificate)"
            )
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
    on_tree = None if options else _on_a_tree(context, number)
    if on_tree is not None:
        return Block(names, on_tree, Purpose((OF_LABELS,)))
    grouped = group_cells(
        context.points(names),
        context.blocks[number],
        recipe.k,
        context.unit,
        recipe.method,
        options,
        step,
        bounding=bounding,
        demands=demands,
        goal=goal,
    )
    return Block(names, grouped, goal.purpose)


def grouped_few(context: Context, step: Progress) -> list[Block]:
    """Groups of each column by itself, so that any few columns are shared by k: those of all columns together, where they lose less."""
    recipe = context.recipe
    ((few, k),) = recipe.k_for.items()
    columns = [context.columns[name] for name in recipe.roles.quasi]
    importance = [recipe.importance.get(column.name, 1.0) for column in columns]
    together = group(replace(context, recipe=recipe.with_changes(k_for={})), 0, step).grouped.partition
    step(f"grouping every {few} columns")
    groups = few_alike(columns, importance, k, few)
    if loss_of_labels(columns, importance, groups) > loss_of_labels(columns, importance, [together] * len(columns)):
        groups = [together] * len(columns)
    blocks = []
    for column, partition in zip(columns, groups, strict=True):
        points = context.points([column.name])
        loss = float(losses_of(points, partition).sum())
        grouped = Grouped(partition, "feasible", loss, percent_of(points, loss))
        blocks.append(Block((column.name,), grouped, Purpose((OF_LABELS,))))
    return blocks


def _on_a_tree(context: Context, number: int) -> Grouped | None:
    """The groups whose lowest common ancestors lose least, where one hierarchy is grouped and nothing else is asked; None elsewhere."""
    names, recipe = context.recipe.parts[number], context.recipe
    column, one_by_one = context.columns[names[0]], context.unit is None and context.weight is None
    plain = one_by_one and context.demands is None and recipe.method == "auto" and recipe.missing != "coordinate"
    if len(names) > 1 or column.tree is None or context.aggregate_of(names[0]) != "ancestor" or not plain:
        return None
    found = best_on_tree(column.tree, column.physical, context.blocks[number], recipe.k)
    if found is None:
        return None
    points, partition = context.points(names), Partition(found)
    loss = float(losses_of(points, partition).sum())
    if recipe.suppress is not None:  # which records are left out is not proven
        return Grouped(partition, "feasible", loss, percent_of(points, loss))
    return Grouped(partition, "optimal", loss, percent_of(points, loss), gap=Gap(0.0))


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
    exact = unweighted and not recipe.grid and is_exact(column, how, place, mixed=recipe.missing != "own-group")
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


def in_order(context: Context, aggregated: Aggregated) -> Context:
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
        inside = {name: members(context.columns[name], _groups_of(context, name, partition), weights) for name in names}
        together = {name: one for name, one in inside.items() if context.aggregate_of(name) == "medoid"}
        of_medoids, alike = _medoids(context, together) if together else ({}, None)
        for name in names:
            column, how = context.columns[name], context.aggregate_of(name)
            several = name in of_medoids
            values[name] = (
                of_medoids[name] if several else aggregate_members(column, inside[name], how, trim=recipe.trim)
            )
            own[name] = own_values(
                column,
                values[name],
                inside[name],
                how,
                asked=asked,
                trim=recipe.trim,
                weights=weights,
                units=context.unit,
                alike=alike if several else None,
            )
        for name in [name for name in names if name in recipe.grid]:
            values[name] = on_grid(values[name], recipe.grid[name])
    of_units = UnitMembers.of(context.table, context.unit, recipe, context.rows)
    moved = enforce(recipe.rules, values, of_units)
    check_edits(recipe.rules, values, when="of the release", members=of_units)
    if weights is None or recipe.weights == "drop":
        return Aggregated(values, own, None, [], moved=moved)
    published, more = released_weights(weights, partitions[0], recipe)
    replicates = {
        name: read_weights(context.table, name, replicate=True)[context.rows] for name in recipe.published_replicates
    }
    of_groups = released_replicates(replicates, partitions[0], recipe)
    return Aggregated(values, own, published, more, of_groups, moved)


def _medoids(context: Context, inside: Mapping[str, Members]) -> tuple[dict[str, Values], Flags]:
    """The columns that publish a member's combination, and which records have the one of their group."""
    columns = {name: context.columns[name] for name in inside}
    importance = context.recipe.importance
    several = [(columns[name], m, importance.get(name, 1.0)) for name, m in inside.items()]
    first = next(iter(inside.values())).partition
    rows = medoids(several, len(first.labels))[first.labels]
    values = {name: column.take(rows) for name, column in columns.items()}
    same = [columns[name].physical == values[name].physical for name in columns]
    return values, np.logical_and.reduce(same)


def _groups_of(context: Context, name: str, partition: Partition) -> Partition:
    """The groups that share a value of a column: those of units where it has one value in each, whatever their rows weigh."""
    linked = context.linked
    if linked is None or name not in linked.common:
        return partition
    return groups_of_units(partition, linked.unit)


def totals_after(context: Context, aggregated: Aggregated, tables: Sequence[OfTable] = ()) -> dict[str, float]:
    """The (weighted) totals of released amounts."""
    return totals_of(aggregated.values, context.weight if aggregated.weights is None else aggregated.weights, tables)


def publish(context: Context, aggregated: Aggregated) -> tuple[Table, list[Note]]:
    """The released table, its rows in their order, and what there is to report of its columns."""
    roles, order, (labels, notes) = context.recipe.roles, context.order, context.labels
    rows, notes = context.rows[order], [*notes]
    columns: dict[str, Array] = {}
    derived = derived_columns(context, aggregated.values)
    for name in [*context.table.column_names, *(name for name in derived if name not in context.table.column_names)]:
        role = None if name in derived else roles.of(name)
        if name in derived:
            columns[name] = derived[name].take(order).build()
        elif role == "quasi":
            columns[name] = aggregated.values[name].take(order).build()
        elif name in labels:
            columns[name] = labels[name].take(context.combination[order]).build()
        elif role == "random_ids":
            columns[name] = _ids(context, name, rows)
            notes.append(Note(NoteKind.IDENTIFIERS, f"the identifier {name!r} is replaced by random ids"))
        elif role in ("weight", "replicate_weights") and aggregated.weights is not None:
            came = context.table.column(name).take(pa.array(rows))
            published = aggregated.weights if role == "weight" else aggregated.replicates[name]
            columns[name], more = weight_column(name, came, published[order], context.recipe)
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


def _measured(
    context: Context, aggregated: Aggregated, measuring: Measuring | None, step: Progress, tables: Sequence[OfTable]
) -> _Measured:
    if measuring is None:
        return _Measured()
    step("measuring")
    k, original, released = context.recipe.k, context.uncoded, aggregated.values
    left_out = 1.0 - len(context.rows) / context.table.num_rows
    scaler = Scaler.of(context.recipe, list(original.values()))
    evidence = evidence_of(
        context,
        aggregated,
        scaler,
        sample=measuring.sample,
        suppressed_share=left_out,
        without_cells=context.recipe.suppress_cells,
        tables=tuple(tables),
    )
    measures = measure(evidence, measuring)
    if measuring.domains:
        measures = replace(measures, domains=tuple(domain_figures(context, released, evidence, measuring.domains)))
    original, released = ({name: own_values_of(c, tables) for name, c in of.items()} for of in (original, released))
    return _Measured(
        measures,
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
