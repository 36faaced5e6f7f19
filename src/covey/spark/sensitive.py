"""What the sensitive values of the classes of a distributed table satisfy: whole classes meet in an executor and are judged there.

Shares nothing with the methods: the judges are those of `covey.recount.requirements` and `covey.privacy`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core.requirement import CLOSENESS, Requirement
from covey.recount.requirements import ClassesShow, Held, Order, declared, held_of, shown, to_show
from covey.spark.shipping import collect, map_groups, packed, unpacked
from covey.spark.sql import functions
from covey.spark.tasks import ROWS, tasks_for
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import DataFrame

    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Integers

TRACK, WHOLE = "covey track", "covey unit of a track"


def quoted(name: str) -> str:
    """A column's name as Spark takes it, dots and all."""
    return f"`{name.replace('`', '``')}`"


def reached(
    df: DataFrame,
    counted: Sequence[str],
    asked: Sequence[Requirement],
    rows: int,
    unit: tuple[str, str] | None,
    orders: Mapping[str, Order],
    *,
    linked: bool = False,
) -> list[Held]:
    """What the worst class reaches of every requirement; `unit` names the columns that number units, as read and as written.

    Where units are `linked`: of all rows of those that look the same, and of those of their rows that do.
    """
    overall = {one.column: _overall(df, one.column) for one in asked if one.kind == CLOSENESS}
    seen = [list(counted)]
    if linked and unit is not None:
        df, seen = _with_tracks(df, counted, unit[0]), [[TRACK], [TRACK, *counted]]

    def held(table: Table) -> list[Held]:
        several = [held_of(table, known, unit, asked, orders, overall) for known in seen]
        return [functools.reduce(Held.worse, some) for some in zip(*several, strict=True)]

    wanted = [*seen[-1], *(one.column for one in asked), *(unit or ())]
    found = _by_classes(df, seen[0], wanted, rows, held)
    return [functools.reduce(Held.worse, several) for several in zip(*found, strict=True)]


def _with_tracks(df: DataFrame, counted: Sequence[str], unit: str) -> DataFrame:
    """A dataframe with a number of what is seen of all rows of each unit."""
    row = functions.struct(*[_plain(df, name).alias(f"c{place}") for place, name in enumerate(counted)])
    track = functions.xxhash64(functions.sort_array(functions.collect_list(row))).alias(TRACK)
    tracks = df.groupBy(df[quoted(unit)].alias(WHOLE)).agg(track)
    return df.join(tracks, df[quoted(unit)] == tracks[quoted(WHOLE)]).drop(WHOLE)


def judge(
    df: DataFrame, recipe: Recipe, rows: int, unit: tuple[str, str] | None, orders: Mapping[str, Order]
) -> list[ClassesShow]:
    """For the report: how many different values of each sensitive column a class has at least, and how far one is from the whole.

    None stands for the distance where a column has too many different values to compare, or k counts units.
    """
    sensitive, known = recipe.roles.sensitive, [*recipe.roles.quasi, *recipe.roles.strata, *recipe.places]
    if not sensitive:
        return []
    numbers = dict(zip(sensitive, different(df, sensitive), strict=True))
    asked = to_show(numbers, close=unit is None)  # closeness is to records, in parts
    orders = declared(sensitive, recipe.nominal, recipe.ordinal) | dict(orders)
    return shown(reached(df, known, asked, rows, unit, orders, linked=recipe.is_linked))


def repeats(df: DataFrame, name: str) -> bool:
    """Whether a value of a column occurs more than once."""
    return bool(_sizes(df, name).where(functions.col("size") > 1).limit(1).count())


def different(df: DataFrame, names: Sequence[str]) -> list[int]:
    """How many different values columns have."""
    counted = [functions.count_distinct(df[quoted(name)]).alias(str(at)) for at, name in enumerate(names)]
    return [int(number) for number in collect(df.agg(*counted))[0]]


def rare_share(df: DataFrame, name: str, k: int) -> float:
    """The share of rows whose value of a column fewer than k share."""
    rare = (
        _sizes(df, name).where(functions.col("size") < k).agg(functions.sum("size").alias("rare")).collect()[0]["rare"]
        or 0
    )
    return float(rare / max(1, df.count()))


def _overall(df: DataFrame, name: str) -> tuple[Any, Integers]:
    """The values of a column and how often each occurs, on the driver."""
    table = _sizes(df, name).toArrow()
    return table.column("value").combine_chunks(), table.column("size").to_numpy().astype(np.int64)


def _sizes(df: DataFrame, name: str) -> DataFrame:
    """The values of a column and how often each occurs."""
    return df.groupBy(df[quoted(name)].alias("value")).agg(functions.count(functions.lit(1)).alias("size"))


def _by_classes(
    df: DataFrame, counted: Sequence[str], wanted: Sequence[str], rows: int, judge_part: Callable[[Any], list[Held]]
) -> list[list[Held]]:
    """Judge whole classes, some at a time; what was found of each."""
    keys, parts = [_plain(df, name) for name in counted], -(-rows // ROWS)
    bucket = functions.pmod(functions.xxhash64(*keys), functions.lit(parts)).alias("covey part")
    columns = [df[quoted(name)] for name in dict.fromkeys(wanted)]

    def run(table: Table) -> Any:
        return pa.table({"found": pa.array([packed(judge_part(table.drop_columns(["covey part"])))], pa.binary())})

    judged = map_groups(df.select(*columns, bucket), "covey part", run, "found binary", parts)
    return [unpacked(row["found"]) for row in collect(judged, tasks_for(parts))]


def _plain(df: DataFrame, name: str) -> Any:
    """A column as it is hashed: zeros have one sign."""
    column = df[quoted(name)]
    floats = df.schema[name].dataType.typeName() in ("float", "double")
    return functions.when(column == 0, functions.lit(0.0)).otherwise(column) if floats else column
