"""The recount of a distributed release by Spark SQL: group by what an observer may know, count, group by the counts.

Shares nothing with the methods, nor with the kernels: it would see a mistake of theirs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import RefusedError
from covey.recount.classes import Recount, refuse_lost, refuse_missing, refuse_small
from covey.recount.links import Links, columns_of, few_of
from covey.recount.release import hint_of
from covey.recount.requirements import Order, failures
from covey.spark.sensitive import quoted, reached
from covey.spark.shipping import collect
from covey.spark.sql import functions
from covey.spark.tasks import ROWS, tasks_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import DataFrame

    from covey.recipe.recipe import Recipe


def recount(
    df: DataFrame,
    recipe: Recipe,
    rows: int,
    unit: str | None = None,
    *,
    spelled: str | None = None,
    orders: Mapping[str, Order] | None = None,
) -> Recount:
    """Recount a dataframe over what an observer may know, and refuse it if it falls short of the recipe.

    `unit` is the column that numbers the rows' units, `spelled` the one that does so as their ids are written. To the driver come class sizes and how often each occurs.
    """
    linked = unit is not None and recipe.is_linked
    try:
        counted = _counted(df, recipe.counted, recipe.k, unit, linked=linked, rows=rows)
        if unit is not None and not linked:
            _links(df if spelled in (None, unit) else df.drop(str(spelled)), unit, recipe.k).refuse(recipe.refuse_links)
        if not recipe.requirements:
            return counted
        units = None if unit is None else (unit, spelled or unit)
        reaches = reached(df, recipe.counted, recipe.requirements, rows, units, orders or {}, linked=linked)
        failures(reaches)
    except RefusedError as error:
        raise RefusedError(f"{error}{hint_of(recipe)}") from None
    return replace(counted, held=tuple(reaches))


def sizes(df: DataFrame, columns: Sequence[str]) -> list[int]:
    """The number of rows of every combination of these columns."""
    known = [df[quoted(name)].alias(f"c{place}") for place, name in enumerate(columns)]
    counted = df.groupBy(*known).agg(functions.count(functions.lit(1)).alias("size"))
    return [int(row["size"]) for row in collect(counted.select("size"), tasks=1)]


def _counted(df: DataFrame, columns: Sequence[str], k: int, unit: str | None, *, linked: bool, rows: int) -> Recount:
    refuse_missing(columns, df.columns)
    known = [df[quoted(name)].alias(f"c{place}") for place, name in enumerate(columns)]  # one may be named size
    classes = _histogram(df.groupBy(*known).agg(*_size_of(df, unit)), rows)
    refuse_lost(sum(one.rows for one in classes), rows)
    found = {one.size: one.number for one in classes}
    if linked and min(found) >= k:
        found = {one.size: one.number for one in _histogram(_tracks(df, columns, str(unit)), rows)}
    counted = Recount(min(found), rows, sum(found.values()), found)
    refuse_small(counted, k, columns, "records" if unit is None else "units")
    return counted


class Classes(NamedTuple):
    """All classes of one size: their number, and the rows in them."""

    size: int
    number: int
    rows: int


def _size_of(df: DataFrame, unit: str | None) -> list[Any]:
    """The size of a class, in units where there are some, and its rows."""
    size = functions.count(functions.lit(1)) if unit is None else functions.count_distinct(df[quoted(unit)])
    return [size.alias("size"), functions.count(functions.lit(1)).alias("rows")]


def _tracks(df: DataFrame, columns: Sequence[str], unit: str) -> DataFrame:
    """One row for each track, the classes of all rows of a unit: how many units share it."""
    seen = functions.struct(*[df[quoted(name)].alias(f"c{place}") for place, name in enumerate(columns)])
    each = df.groupBy(df[quoted(unit)]).agg(functions.sort_array(functions.collect_list(seen)).alias("track"))
    return each.groupBy("track").agg(*_size_of(df, None))


def _links(df: DataFrame, unit: str, k: int) -> Links:
    """What links the rows of units whose ids are not published: see `covey.recount.links`."""
    number, published = functions.count(functions.lit(1)), [name for name in df.columns if name != unit]
    values = [df[quoted(name)] for name in published]
    known = [functions.count(value) for value in values]
    same = [
        (functions.min(value).eqNullSafe(functions.max(value)) & ((there == 0) | (there == number))).cast("long")
        for value, there in zip(values, known, strict=True)
    ]
    named = [one.alias(f"c{place}") for place, one in enumerate(same)]
    several = df.groupBy(df[quoted(unit)].alias("unit")).agg(number.alias("number"), *named).where("number > 1")
    sums = [functions.sum(f"c{place}") for place in range(len(named))]
    units, *alike = (int(value or 0) for value in collect(several.agg(functions.count(functions.lit(1)), *sums), 1)[0])
    columns = columns_of(published, alike, units) if units else []
    if not columns:
        return Links((), 0, units)
    key = functions.xxhash64(*[df[quoted(name)] for name in columns]).alias("class")
    pairs = df.groupBy(df[quoted(unit)].alias("unit"), key).agg(number.alias("number"))
    sizes = pairs.groupBy("class").agg(number.alias("size"))
    whole = pairs.groupBy("unit").agg(
        number.alias("classes"), functions.sum("number").alias("rows"), functions.max("class").alias("class")
    )
    apart = whole.where("classes = 1 AND rows > 1").join(sizes, "class").where(f"size < {few_of(k)}")
    return Links(tuple(columns), int(collect(apart.agg(number), 1)[0][0]), units)


def _histogram(sizes: DataFrame, rows: int) -> list[Classes]:
    number = functions.count(functions.lit(1)).alias("number")
    found = sizes.groupBy("size").agg(number, functions.sum("rows").alias("rows"))
    return [Classes(*map(int, row)) for row in sorted(collect(found, tasks_for(-(-rows // ROWS))))]
