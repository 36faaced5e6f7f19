"""What the sensitive values of the classes of a distributed table satisfy: whole classes meet in an executor and are judged there.

Shares nothing with the methods: the judges are those of `covey.held` and `covey.privacy`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.extras import load
from covey.held import Held, Order, Overall, held_by
from covey.privacy import least_different
from covey.requirement import CLOSENESS, Requirement
from covey.spark.shipping import collect, map_groups, packed, unpacked
from covey.verify import classes_of, codes_of, is_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.recipe import Recipe

TOGETHER = 250_000
"""Rows that an executor judges at a time, more or less."""
MOST_VALUES = 2**18
"""Different values of a column that the driver takes to compare distributions."""


def quoted(name: str) -> str:
    """A column's name as Spark takes it, dots and all."""
    return f"`{name.replace('`', '``')}`"


def reached(
    df: Any,
    counted: Sequence[str],
    asked: Sequence[Requirement],
    rows: int,
    unit: str | None,
    orders: Mapping[str, Order],
) -> list[Held]:
    """What the worst class reaches of every requirement."""
    overall = {one.column: _overall(df, one.column, orders.get(one.column)) for one in asked if one.kind == CLOSENESS}

    def held(table: Any) -> list[Held]:
        classes = classes_of([table.column(name) for name in counted], table.num_rows)
        units = None if unit is None else codes_of(table.column(unit))
        return [
            held_by(table.column(one.column), classes, units, one, orders.get(one.column), overall.get(one.column))
            for one in asked
        ]

    wanted = [*counted, *(one.column for one in asked), *([unit] if unit else [])]
    found = _by_classes(df, counted, wanted, rows, held)
    return [_worst([part[place] for part in found]) for place in range(len(asked))]


def judge(df: Any, recipe: Recipe, rows: int) -> list[dict[str, Any]]:
    """For the report: how many different values of each sensitive column a class has at least, and how far one is from the whole.

    None stands for the distance where a column has too many different values to compare.
    """
    sensitive, known = recipe.roles.sensitive, [*recipe.roles.quasi, *recipe.roles.strata]
    if not sensitive:
        return []
    functions = load("pyspark.sql.functions")
    different = df.agg(
        *[functions.approx_count_distinct(df[quoted(name)]).alias(str(at)) for at, name in enumerate(sensitive)]
    )
    (numbers,) = collect(different)
    overall = {name: _overall(df, name, None) for at, name in enumerate(sensitive) if numbers[str(at)] <= MOST_VALUES}

    def held(table: Any) -> list[Held]:
        classes = classes_of([table.column(name) for name in known], table.num_rows)
        found = []
        for name in sensitive:
            column = table.column(name)
            least = float(least_different(classes, codes_of(column), ~is_missing(column)))
            found.append(Held(Requirement(name, "distinct", 1.0), least))
            if name in overall:
                found.append(held_by(column, classes, None, Requirement(name, CLOSENESS, 1.0), None, overall[name]))
        return found

    parts = _by_classes(df, known, [*known, *sensitive], rows, held)
    worst = [_worst([part[place] for part in parts]) for place in range(len(parts[0]))]
    measured: dict[str, dict[str, Any]] = {}
    for one in worst:
        row = measured.setdefault(one.asked.column, {"column": one.asked.column, "t_closeness": None, "distance": None})
        if one.asked.kind == CLOSENESS:
            row |= {"t_closeness": one.reached, "distance": one.distance}
        else:
            row["distinct_l"] = int(one.reached)
    return list(measured.values())


def _worst(found: list[Held]) -> Held:
    larger_is_worse = found[0].asked.kind in ("recursive", CLOSENESS)
    return max(found, key=lambda one: one.reached if larger_is_worse else -one.reached)


def _overall(df: Any, name: str, order: Order | None) -> Overall:
    """How often each value of a column occurs, on the driver."""
    functions = load("pyspark.sql.functions")
    counted = (
        df.groupBy(df[quoted(name)].alias("value")).agg(functions.count(functions.lit(1)).alias("number")).toArrow()
    )
    column = counted.column("value").combine_chunks()
    return Overall.of(column, counted.column("number").to_numpy().astype(np.int64), order, name)


def _by_classes(
    df: Any, counted: Sequence[str], wanted: Sequence[str], rows: int, judge_part: Callable[[Any], list[Held]]
) -> list[list[Held]]:
    """Judge whole classes, some at a time; what was found of each."""
    functions = load("pyspark.sql.functions")
    keys = [_plain(functions, df, name) for name in counted]
    bucket = functions.pmod(functions.xxhash64(*keys), functions.lit(-(-rows // TOGETHER))).alias("covey part")
    columns = [df[quoted(name)] for name in dict.fromkeys(wanted)]

    def run(table: Any) -> Any:
        pa = load("pyarrow")
        return pa.table({"found": pa.array([packed(judge_part(table.drop_columns(["covey part"])))], pa.binary())})

    judged = map_groups(df.select(*columns, bucket), "covey part", run, "found binary")
    return [unpacked(row["found"]) for row in collect(judged)]


def _plain(functions: Any, df: Any, name: str) -> Any:
    """A column as it is hashed: zeros have one sign."""
    column = df[quoted(name)]
    floats = df.schema[name].dataType.typeName() in ("float", "double")
    return functions.when(column == 0, functions.lit(0.0)).otherwise(column) if floats else column
