"""The recount of a distributed release by Spark SQL: group by what an observer may know, count, group by the counts.

Shares nothing with the methods, nor with the kernels: it would see a mistake of theirs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from covey.errors import RefusedError
from covey.recount.classes import Recount, refuse_lost, refuse_missing, refuse_small
from covey.recount.release import hint_of
from covey.recount.requirements import Order, failures
from covey.spark.sensitive import quoted, reached
from covey.spark.sql import functions

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
    refuse_lost(df.count(), rows)
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
    found = _histogram(_sizes(df, columns, unit))
    if linked and min(found) >= k:
        found = _histogram(_tracks(df, columns, str(unit)))
    counted = Recount(min(found), rows, sum(found.values()), found)
    refuse_small(counted, k, columns, "records" if unit is None else "units")
    return counted


def _sizes(df: DataFrame, columns: Sequence[str], unit: str | None) -> DataFrame:
    """One row for each class: its size, in units where there are some."""
    size = functions.count(functions.lit(1)) if unit is None else functions.count_distinct(df[quoted(unit)])
    known = [df[quoted(name)].alias(f"c{place}") for place, name in enumerate(columns)]  # one may be named size
    return df.groupBy(*known).agg(size.alias("size")).select("size")


def _tracks(df: DataFrame, columns: Sequence[str], unit: str) -> DataFrame:
    """One row for each track, the classes of all rows of a unit: how many units share it."""
    seen = functions.struct(*[df[quoted(name)].alias(f"c{place}") for place, name in enumerate(columns)])
    each = df.groupBy(df[quoted(unit)]).agg(functions.sort_array(functions.collect_list(seen)).alias("track"))
    return each.groupBy("track").agg(functions.count(functions.lit(1)).alias("size")).select("size")


def _histogram(sizes: DataFrame) -> dict[int, int]:
    rows = sizes.groupBy("size").agg(functions.count(functions.lit(1)).alias("number")).collect()
    return {int(row["size"]): int(row["number"]) for row in sorted(rows)}
