"""The recount of a distributed release by Spark SQL: group by what an observer may know, count, group by the counts.

Shares nothing with the methods, nor with the kernels: it would see a mistake of theirs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import RefusedError
from covey.recount.classes import Recount, refuse_lost, refuse_missing, refuse_small
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
    linked = unit is not None and recipe.roles.unit in recipe.roles.random_ids
    try:
        counted = _counted(df, recipe.counted, recipe.k, unit, linked=linked, rows=rows)
        if not recipe.requirements:
            return counted
        units = None if unit is None else (unit, spelled or unit)
        reaches = reached(df, recipe.counted, recipe.requirements, rows, units, orders or {})
        failures(reaches)
    except RefusedError as error:
        raise RefusedError(f"{error}{hint_of(recipe)}") from None
    return replace(counted, held=tuple(reaches))


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


def _histogram(sizes: DataFrame, rows: int) -> list[Classes]:
    number = functions.count(functions.lit(1)).alias("number")
    found = sizes.groupBy("size").agg(number, functions.sum("rows").alias("rows"))
    return [Classes(*map(int, row)) for row in sorted(collect(found, tasks_for(-(-rows // ROWS))))]
