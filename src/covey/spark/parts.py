"""The release of the parts of a distributed table, each in the executor that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.extras import load
from covey.scale.part import release_part
from covey.scale.plan import stratum_labels
from covey.scale.tally import Tally
from covey.spark.judging import quoted
from covey.spark.parting import PIECE
from covey.spark.shipping import collect, discreet, discreetly, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from covey.scale.plan import Plan
    from covey.spark.pieces import Pieces

PART, TALLY, UNIT, FIRST, SECOND = "covey part", "covey tally", "covey unit", "covey first", "covey second"
OURS = (PIECE, PART, TALLY, UNIT, FIRST, SECOND)
"""Columns that travel beside those of the table, and are never published."""


def release_parts(df: Any, plan: Plan, pieces: Pieces, drawn: float) -> tuple[Any, Tally]:
    """Send every row to its part, once, and release the parts there; persisted on the executors' disks.

    A part depends on the content of its rows, not on the order in which they arrive: an executor that is lost can be replaced.
    """
    functions, types = load("pyspark.sql.functions"), load("pyspark.sql.types")
    every = [df[quoted(name)] for name in df.columns]
    seeds = [int(str(plan.recipe.entropy)[start : start + 15], 16) for start in (0, 15)]
    hashed = df.select(
        *every,
        *[
            functions.xxhash64(functions.lit(seed), *every).alias(n)
            for seed, n in zip(seeds, (FIRST, SECOND), strict=True)
        ],
    )
    sent = types.StructType([*hashed.schema.fields]).add(PIECE, "long").add(PART, "long")
    with_parts = hashed.mapInArrow(discreetly(_sent(plan, pieces)), sent)
    schema = released_schema(plan, df)
    grouped = with_parts.groupBy(quoted(PART)).applyInArrow(
        discreet(_release(plan, schema, drawn)), _spark_schema(schema)
    )
    done = grouped.persist(load("pyspark").StorageLevel.DISK_ONLY)
    tallies = [
        unpacked(row[TALLY]) for row in collect(done.where(done[quoted(TALLY)].isNotNull()).select(quoted(TALLY)))
    ]
    total = Tally()
    for _, one in sorted(tallies, key=lambda pair: pair[0]):
        total.merge(one)
    return done, total


def _sent(plan: Plan, pieces: Pieces) -> Callable[[Iterable[Any]], Iterator[Any]]:
    def send(batches: Iterable[Any]) -> Iterator[Any]:
        pa = load("pyarrow")
        for batch in batches:
            table = pa.Table.from_batches([batch])
            piece = pieces.assign(plan, table.drop_columns([FIRST, SECOND]))
            table = table.append_column(PIECE, pa.array(piece)).append_column(PART, pa.array(pieces.part[piece]))
            yield from table.filter(pa.array(piece >= 0)).to_batches()

    return send


def _release(plan: Plan, schema: Any, drawn: float) -> Callable[[Any], Any]:
    def run(table: Any) -> Any:
        pa = load("pyarrow")
        keys = [table.column(name).to_numpy() for name in (SECOND, FIRST)]
        table = table.take(pa.array(np.lexsort(keys)))  # by content: equal rows may change places
        number, piece = table.column(PART)[0].as_py(), table.column(PIECE).to_numpy()
        part = release_part(plan, table.drop_columns([PIECE, PART, FIRST, SECOND]), number, pieces=piece, drawn=drawn)
        columns = {name: part.table.column(name).cast(schema.field(name).type) for name in part.table.column_names}
        if UNIT in schema.names:
            columns[UNIT] = pa.array(part.units.view(np.int64))
        told = [packed((number, part.tally)), *[None] * (part.table.num_rows - 1)]
        columns[TALLY] = pa.array(told, pa.binary())
        return pa.table(columns, schema=schema)

    return run


def released_schema(plan: Plan, df: Any) -> Any:
    """The types of the released columns, the same in all parts: their own, but for merged strata, ids and weights."""
    pa, roles = load("pyarrow"), plan.recipe.roles
    came = load("pyspark.sql.pandas.types").to_arrow_schema(df.schema)
    strata, _ = stratum_labels(plan)
    types = {}
    for name in df.columns:
        role, own = roles.of(name), came.field(name).type
        if role == "strata":
            types[name] = strata[name].type
        elif role == "random_ids":
            types[name] = pa.string()
        elif role == "weight" and plan.recipe.weights != "drop":
            as_it_came = plan.recipe.weights == "keep" and plan.recipe.round_weights is None
            types[name] = own if pa.types.is_floating(own) or as_it_came else pa.float64()
        elif role in ("quasi", "keep", "sensitive"):
            types[name] = own
    if roles.unit is not None:
        types[UNIT] = pa.int64()
    types[TALLY] = pa.binary()
    return pa.schema(list(types.items()))


def _spark_schema(schema: Any) -> Any:
    return load("pyspark.sql.pandas.types").from_arrow_schema(schema)
