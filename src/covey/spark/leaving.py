"""Who leaves a distributed table because they cost most: named by the executors, piece by piece, chosen by the driver."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.parts.leaving.absence import Absence, refuse_torn_of, settled_choice
from covey.parts.leaving.named import ALONE, CELL, KEY, PLACE, Named, name_some, narrow, share_of
from covey.parts.leaving.others import Before
from covey.parts.pieces import Pieces, split_cells
from covey.protect.leave_out import budget_of
from covey.spark.content import FIRST, SECOND, numbered, to_deal
from covey.spark.refine import PART, PIECE
from covey.spark.sensitive import quoted
from covey.spark.shipping import collect, map_batches, map_groups, one_row, packed, unpacked
from covey.spark.sql import types
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame

    from covey.parts.plan import Plan
    from covey.utils.typing import Numbers

FOUND = "number long, found binary"


def those_who_leave(hashed: DataFrame, plan: Plan, sample: Table, most: int) -> Before:
    """Who leaves. Records are known again by what they hold: equal ones leave together, or none of them."""
    pieces = split_cells(plan, sample, most)
    pieces = pieces.packed(pieces.expected(plan.settled_cells.sizes()), most, str(plan.recipe.entropy))
    budget = budget_of(plan.recipe, _number(hashed, plan))
    placed = map_batches(to_deal(hashed, pieces), partial(_placed, plan, pieces), _schema(plan))
    several = map_groups(placed, PART, partial(_named, plan, pieces, budget), FOUND, int(pieces.part.max()) + 1)
    named = Named.joined(unpacked(row["found"]) for row in sorted(collect(several)))
    chosen, absence = settled_choice(plan, named, budget, partial(_counted, hashed, plan))
    if plan.recipe.roles.unit is not None and (plan.settled_cells.cell < 0).any():
        refuse_torn_of(plan, _torn(hashed, plan), chosen)
    weight = plan.recipe.roles.weight
    kind = None if weight is None else hashed.select(quoted(weight)).limit(0).toArrow().schema.field(0).type
    return Before(plan, chosen, absence, kind)


def others(df: DataFrame, hashed: DataFrame, before: Before) -> DataFrame:
    """The rows that stay, with the columns that they came with."""
    weight = before.plan.recipe.roles.weight
    fields = [
        types.StructField(
            field.name, types.DoubleType() if before.multiplies and field.name == weight else field.dataType
        )
        for field in df.schema.fields
    ]
    return map_batches(hashed, partial(_others, before), types.StructType(fields))


def _numbers(table: Table) -> Numbers:
    """What rows are known by: a hash of what they hold, keyed by the secret of the recipe."""
    return np.asarray(table.column(FIRST).to_numpy()).astype(np.int64).view(np.uint64)


def _others(before: Before, tables: Iterable[Table]) -> Iterator[Table]:
    for table in tables:
        yield before.others(table.drop_columns([FIRST, SECOND]), _numbers(table))


def _number(hashed: DataFrame, plan: Plan) -> int:
    """How many records, or units, are to be published."""
    if plan.recipe.roles.unit is None:
        return int(plan.settled_cells.sizes().sum())
    return int(map_batches(hashed, partial(_keys, plan, published=True), "key long").distinct().count())


def _torn(hashed: DataFrame, plan: Plan) -> Numbers:
    """The units of which some rows are published and others are not."""
    inside, outside = (
        map_batches(hashed, partial(_keys, plan, published=which), "key long") for which in (True, False)
    )
    keys = np.array([row["key"] for row in collect(inside.intersect(outside))], dtype=np.int64)
    return np.sort(keys.view(np.uint64))


def _keys(plan: Plan, tables: Iterable[Table], *, published: bool) -> Iterator[Table]:
    """The units of the rows that are published, or of those that are not."""
    for table in tables:
        records, cell, _ = narrow(plan, table, _numbers(table))
        yield pa.table({"key": np.unique(records.column(KEY).to_numpy()[(cell >= 0) == published]).view(np.int64)})


def _schema(plan: Plan) -> types.StructType:
    """The types of what is needed of a record, and of its piece and part."""
    kinds: dict[str, Any] = {KEY: types.LongType(), CELL: types.LongType(), ALONE: types.BooleanType()}
    width = 1 if plan.is_line else sum(place.width for place in plan.scaler.places)
    kinds |= {f"{PLACE}{number}": types.DoubleType() for number in range(width)}
    kinds |= {PIECE: types.LongType(), PART: types.LongType()}
    return types.StructType([types.StructField(name, kind) for name, kind in kinds.items()])


def _placed(plan: Plan, pieces: Pieces, tables: Iterable[Table]) -> Iterator[Table]:
    for table, numbers in numbered(pieces, tables):
        records, cell, points = narrow(plan, table, _numbers(table))
        piece = pieces.place(cell, points, numbers)
        keys = pa.array(records.column(KEY).to_numpy().view(np.int64))
        marked = records.set_column(0, KEY, keys).append_column(PIECE, pa.array(piece))
        yield marked.append_column(PART, pa.array(pieces.part[piece])).filter(pa.array(piece >= 0))


def _named(plan: Plan, pieces: Pieces, budget: int, table: Table) -> Table:
    """Whom a part names, in an order that follows from what its records hold."""
    number, keys = table.column(PART)[0].as_py(), table.column(KEY).to_numpy().view(np.uint64)
    order = pa.array(np.argsort(keys, kind="stable"))
    table = table.set_column(0, KEY, pa.array(keys)).take(order)
    sizes = plan.settled_cells.sizes()
    whole = not pieces.splits and len(table) == sizes.sum()
    most = budget if whole else share_of(plan, budget, len(table), int(sizes.sum()))
    found = name_some(plan, table, table.column(PIECE).to_numpy(), most, whole=whole)
    return one_row(number=number, found=packed(found))


def _counted(hashed: DataFrame, plan: Plan, chosen: Numbers) -> Absence:
    """What a choice comes to, from all partitions."""
    total = Absence.of(plan)
    for row in sorted(collect(map_batches(hashed, partial(_count, plan, chosen), FOUND))):
        total.merge(unpacked(row["found"]))
    return total


def _count(plan: Plan, chosen: Numbers, tables: Iterable[Table]) -> Iterator[Table]:
    absence = Absence.of(plan)
    for table in tables:
        if table.num_rows:
            absence.add(plan, table, _numbers(table), chosen)
    yield one_row(number=0, found=packed(absence))
