"""The release of the parts of a distributed table, each in the executor that holds it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.derived import derived_type
from covey.columns.weights import published_type
from covey.parts.part import release_part
from covey.parts.tally import Tally
from covey.spark.content import GROUP, in_order, numbered, to_deal
from covey.spark.refine import PART, PIECE, SENT, TOUCHES, group_part, opened
from covey.spark.sensitive import TRACK, WHOLE, quoted
from covey.spark.shipping import collect, map_batches, map_groups, packed, unpacked
from covey.spark.sql import types
from covey.utils.arrow import Schema, Table, pa
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyspark.sql import DataFrame

    from covey.parts.pieces import Pieces
    from covey.parts.plan import Plan

TALLY, UNIT, SPELLED = "covey tally", "covey unit", "covey unit as written"
OURS = (*SENT, TALLY, UNIT, SPELLED, TRACK, WHOLE)
"""Columns that travel beside those of the table, and are never published."""


def release_parts(
    hashed: DataFrame, plan: Plan, pieces: Pieces, drawn: float, turned: Sequence[Pieces] = ()
) -> tuple[Any, Tally]:
    """Send every row to its part and release the parts there; persisted on the executors' disks.

    For each of the `turned` pieces groups are sent on by where they lie, and improved across the borders of the pieces before.

    A part depends on the content of its rows, not on the order in which they arrive: an executor that is lost can be replaced.
    """
    sent = types.StructType([*hashed.schema.fields]).add(PIECE, "long").add(PART, "long")
    with_groups = types.StructType([*sent.fields]).add(GROUP, "long").add(TOUCHES, "boolean")
    with_parts = map_batches(to_deal(hashed, pieces), partial(_sent, plan, pieces), sent)
    for times, to in enumerate(turned, 1):
        grouping = partial(group_part, plan, pieces, to, times)
        with_parts, pieces = map_groups(with_parts, PART, grouping, with_groups, number_of_parts(pieces)), to
    return release_sent(with_parts, plan, number_of_parts(pieces), drawn)


def release_sent(with_parts: DataFrame, plan: Plan, parts: int, drawn: float) -> tuple[Any, Tally]:
    """Release parts where their rows were sent to."""
    own = [with_parts[quoted(name)] for name in with_parts.columns if name not in SENT]
    arrow, spark = _released_types(plan, with_parts.select(*own))
    grouped = map_groups(with_parts, PART, partial(_release, plan, arrow, drawn), spark, parts)
    done = grouped.persist(load("pyspark").StorageLevel.DISK_ONLY)
    tallies = collect(done.where(done[quoted(TALLY)].isNotNull()).select(quoted(TALLY)), tasks=1)
    total = Tally()
    for _, one in sorted((unpacked(row[TALLY]) for row in tallies), key=lambda pair: pair[0]):
        total.merge(one)
    return done, total


def number_of_parts(pieces: Pieces) -> int:
    """How many parts rows are sent to."""
    return int(pieces.part.max()) + 1


def _sent(plan: Plan, pieces: Pieces, tables: Iterable[Table]) -> Iterator[Table]:
    """Rows with their pieces and parts."""
    for table, numbers in numbered(pieces, tables):
        piece = pieces.assign(plan, table, numbers)
        sent = table.append_column(PIECE, pa.array(piece)).append_column(PART, pa.array(pieces.part[piece]))
        yield sent.filter(pa.array(piece >= 0))


def _release(plan: Plan, schema: Schema, drawn: float, table: Table) -> Table:
    table = in_order(table)
    number, (rows, piece, earlier) = table.column(PART)[0].as_py(), opened(table)
    labels, across = (None, None) if earlier is None else earlier
    part = release_part(plan, rows, number, pieces=piece, labels=labels, across=across, drawn=drawn)
    columns = {name: part.table.column(name).cast(schema.field(name).type) for name in part.table.column_names}
    if part.units is not None:
        columns |= {name: pa.array(one.view(np.int64)) for name, one in zip((UNIT, SPELLED), part.units, strict=True)}
    told = [packed((number, part.tally)), *[None] * (part.table.num_rows - 1)]
    columns[TALLY] = pa.array(told, pa.binary())
    return pa.table(columns, schema=schema)


def _released_types(plan: Plan, df: DataFrame) -> tuple[Schema, types.StructType]:
    """The types of the released columns for Arrow and for Spark, the same in all parts: their own, but for merged strata, ids and weights."""
    roles = plan.recipe.roles
    came, labels = df.limit(0).toArrow().schema, plan.published_labels()
    kinds: dict[str, tuple[Any, Any]] = {}
    for name in df.columns:
        role, own = roles.of(name), (came.field(name).type, df.schema[name].dataType)
        if role == "strata":
            merged = labels[name].type != own[0] and pa.types.is_string(labels[name].type)
            kinds[name] = (pa.string(), types.StringType()) if merged else own
        elif role == "random_ids":
            kinds[name] = (pa.string(), types.StringType())
        elif role == "weight" and plan.recipe.weights != "drop":
            same = published_type(own[0], plan.recipe) == own[0]
            kinds[name] = own if same else (pa.float64(), types.DoubleType())
        elif role in ("quasi", "keep", "sensitive", "member_role", "time"):
            labelled = name in plan.recipe.hierarchy and not pa.types.is_string(own[0])
            kinds[name] = (pa.string(), types.StringType()) if labelled else own
        elif name in plan.recipe.derive:
            kinds[name] = _derived_type(plan, df, name)
    kinds |= {name: _derived_type(plan, df, name) for name in plan.recipe.derive if name not in df.columns}
    if roles.unit is not None:
        kinds |= dict.fromkeys((UNIT, SPELLED), (pa.int64(), types.LongType()))
    kinds[TALLY] = (pa.binary(), types.BinaryType())
    fields = [types.StructField(name, spark) for name, (_, spark) in kinds.items()]
    return pa.schema([(name, arrow) for name, (arrow, _) in kinds.items()]), types.StructType(fields)


def _derived_type(plan: Plan, df: DataFrame, name: str) -> tuple[Any, Any]:
    """The type of a derived column for Arrow and for Spark."""
    how = plan.recipe.derived[name]
    columns = {column.name: column for column in plan.empty_columns}
    kind = derived_type(how, None if how.column is None else columns[how.column])
    if how.how in ("min", "max"):
        return kind, df.schema[str(how.column)].dataType
    if pa.types.is_decimal(kind):
        return kind, types.DecimalType(kind.precision, kind.scale)
    return kind, types.LongType() if pa.types.is_integer(kind) else types.DoubleType()
