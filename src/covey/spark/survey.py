"""The survey of a distributed table: one for each partition, merged where they are until one is left."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.parts import survey as surveys
from covey.parts.kinds import KindCount
from covey.parts.plan import Plan, add_sums, count_published, point_sums
from covey.parts.survey import Survey
from covey.spark.shipping import collect, map_batches, map_groups, one_row, packed, unpacked
from covey.spark.sql import functions
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyspark.sql import DataFrame

    from covey.parts.shape import ShapeSurvey
    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import Table
    from covey.utils.typing import Floats

TOGETHER = 8
"""Surveys that one executor merges at a time."""


def size_of(df: DataFrame) -> tuple[int, int]:
    """The number of rows, and of partitions up to the last that has some."""
    parts = df.select(functions.spark_partition_id().alias("part"))
    (row,) = collect(parts.agg(functions.count("part").alias("rows"), functions.max("part").alias("last")))
    return int(row["rows"]), 0 if row["last"] is None else int(row["last"]) + 1


def take_survey(df: DataFrame, recipe: Recipe, rows: int, partitions: int) -> Survey:
    """Survey a dataframe of that size. The driver gets one survey, whose size does not grow with the table."""
    share = min(1.0, surveys.SAMPLE / max(1, rows))
    looked = map_batches(df, partial(_look, recipe, share), "number long, found binary")
    parts = _few(looked, partitions, _one_of)
    if not parts:
        raise InputError("the table has no rows; needed: at least k")
    return _one_of(parts)  # one, unless Spark parted the table in another way than when it counted


def count_kinds(df: DataFrame, plan: Plan, partitions: int) -> KindCount:
    """The kinds of records that requirements tell apart, from all partitions."""
    looked = map_batches(df, partial(_add_kinds, plan), "number long, found binary")
    together = partial(_all_kinds, plan)
    return together(_few(looked, partitions, together))


def _few(looked: DataFrame, partitions: int, together: Callable[[list[Any]], Any]) -> list[Any]:
    """What was found in partitions, joined where it is until one is left."""
    left = partitions
    while left > 1:
        left = -(-left // TOGETHER)
        looked = looked.withColumn("bucket", functions.pmod(functions.col("number"), functions.lit(left)))
        looked = map_groups(looked, "bucket", partial(_joined, together), "number long, found binary")
    return [unpacked(row["found"]) for row in sorted(collect(looked))]


def sums_of_points(df: DataFrame, plan: Plan) -> dict[tuple[int, ...], Floats]:
    """The sums of the coordinates of every combination of strata and patterns, from all partitions."""
    looked = map_batches(df, partial(_add_points, plan), "number long, sums binary")
    total: dict[tuple[int, ...], Floats] = {}
    for row in sorted(collect(looked)):
        add_sums(total, unpacked(row["sums"]))
    return total


def published_values(df: DataFrame, plan: Plan) -> dict[str, ShapeSurvey]:
    """How often each sensitive value occurs among the rows that are published, from all partitions."""
    looked = map_batches(df, partial(_count_published, plan), "number long, found binary")
    total = surveys.asked_surveys(plan.recipe)
    for row in sorted(collect(looked)):
        for name, one in unpacked(row["found"]).items():
            total[name].merge(one)
    return total


def _count_published(plan: Plan, batches: Iterable[Any]) -> Iterator[Any]:
    values = surveys.asked_surveys(plan.recipe)
    for table in batches:
        if table.num_rows:
            count_published(plan, table, values)
    yield one_row(number=load("pyspark").TaskContext.get().partitionId(), found=packed(values))


def _add_points(plan: Plan, batches: Iterable[Any]) -> Iterator[Any]:
    total: dict[tuple[int, ...], Floats] = {}
    for table in batches:
        if table.num_rows:
            add_sums(total, point_sums(plan, table))
    yield one_row(number=load("pyspark").TaskContext.get().partitionId(), sums=packed(total))


def _add_kinds(plan: Plan, batches: Iterable[Any]) -> Iterator[Any]:
    kinds = KindCount()
    for table in batches:
        if table.num_rows:
            kinds.add(plan, table)
    yield one_row(number=load("pyspark").TaskContext.get().partitionId(), found=packed(kinds))


def _all_kinds(plan: Plan, several: list[KindCount]) -> KindCount:
    kinds = KindCount()
    for some in several:
        kinds.merge(plan, some)
    kinds.whole(plan)  # as few as there are
    return kinds


def _look(recipe: Recipe, share: float, batches: Iterable[Any]) -> Iterator[Any]:
    number = load("pyspark").TaskContext.get().partitionId()
    survey = Survey(recipe, share)
    for place, table in enumerate(batches):
        if table.num_rows:
            survey.add(table, (number, place))
    if survey.rows:
        yield one_row(number=number, found=packed(survey))


def _joined(together: Callable[[list[Any]], Any], table: Table) -> Any:
    """What several found as one; in the order of their partitions, so that it does not matter who was first."""
    table = table.sort_by("number")
    found = together([unpacked(data.as_py()) for data in table.column("found")])
    return one_row(number=table.column("number")[0].as_py(), found=packed(found))


def _one_of(several: list[Survey]) -> Survey:
    first, *others = several
    for other in others:
        first.merge(other)
    return first
