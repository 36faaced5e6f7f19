"""The pieces of a distributed table: split by a sample, on a line moved to anchors, merged where they fall short."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from covey.line import anchor
from covey.parts.line import line_keys
from covey.parts.pieces import Pieces, cut_cells, line_cuts, split_cells
from covey.recount.readings import Units
from covey.spark.refine import PIECE
from covey.spark.sensitive import quoted
from covey.spark.shipping import collect, map_groups, map_tables
from covey.spark.sql import functions, types
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from covey.columns.purpose import Purpose
    from covey.parts.plan import Plan
    from covey.parts.survey import Survey
    from covey.utils.typing import Floats


def make_pieces(df: DataFrame, plan: Plan, survey: Survey, most: int) -> tuple[Pieces, dict[int, int]]:
    """Pieces of about `most` rows, or half as many, and the rows of each. The driver gets one row for each piece.

    On a line the pieces begin at anchors, so that grouping them one by one groups the whole exactly.
    """
    if plan.is_line:
        most = max(most, 64 * plan.recipe.k**2)
    pieces = split_cells(plan, survey.sampled(), most)
    if plan.is_line:
        pieces = cut_cells(pieces, _anchored(df, plan, cut_cells(pieces, line_cuts(pieces))))
    return _merged(df, plan, pieces)


def _anchored(df: DataFrame, plan: Plan, pieces: Pieces) -> dict[int, Floats]:
    """For every cell of a line the values at which its pieces begin: the anchors of its parts. One round, narrow rows."""
    if not any(len(cuts) for cuts in pieces.cuts.values()):
        return {}
    schema = "piece long, place double, key double" + (", weight double" if plan.purpose.weighs else "")
    narrow = map_tables(df, partial(_placed, plan, pieces), schema)
    anchors = collect(
        map_groups(narrow, "piece", partial(_anchor, plan.recipe.k, plan.purpose), "piece long, cut double")
    )
    cuts: dict[int, list[float]] = {one: [] for one in pieces.cuts}
    for row in anchors:
        cell = pieces.cell_of(row["piece"])
        if row["cut"] is not None and row["piece"] > pieces.first[cell]:
            cuts[cell].append(row["cut"])
    return {one: np.sort(values) for one, values in cuts.items()}


def _placed(plan: Plan, pieces: Pieces, table: Table) -> Table:
    piece, ready = pieces.assign(plan, table), plan.located(table)
    points, kept = plan.points(ready.columns)[:, 0], piece >= 0
    keys = line_keys(plan, ready) if plan.purpose.name == "rounded" else points
    columns = {"piece": piece, "place": points, "key": keys}
    if (weights := plan.weights(table)) is not None:
        columns["weight"] = weights
    return pa.table({name: pa.array(values[kept]) for name, values in columns.items()})


def _anchor(k: int, purpose: Purpose, table: Table) -> Table:
    values, keys = np.sort(table.column("place").to_numpy()), table.column("key").to_numpy()
    order = np.argsort(keys)
    weights = table.column("weight").to_numpy()[order] if purpose.weighs else None
    place = anchor(keys[order], k, purpose.name, weights=weights)
    cut = None if place is None else float(values[place])
    return pa.table({"piece": table.column("piece").slice(0, 1), "cut": pa.array([cut], pa.float64())})


# -- pieces that fall short


def _merged(df: DataFrame, plan: Plan, pieces: Pieces) -> tuple[Pieces, dict[int, int]]:
    """Merge pieces without k records or units, or without what is required, with a neighbour of the same cell."""
    while True:
        counted = _count(df, plan, pieces)
        pieces, again = pieces.joined({piece: holds for piece, (_, holds) in counted.items()})
        if not again:
            return pieces, {piece: rows for piece, (rows, _) in counted.items()}


def _count(df: DataFrame, plan: Plan, pieces: Pieces) -> dict[int, tuple[int, bool]]:
    """How many rows every piece has, and whether it holds k and what is required."""
    recipe = plan.recipe
    asked = [one.column for one in plan.asked]
    asked += [recipe.roles.weight] if plan.limits and recipe.roles.weight else []
    beside = list(dict.fromkeys([*asked, *([recipe.roles.unit] if recipe.roles.unit else [])]))
    schema = types.StructType([df.schema[name] for name in beside]).add(PIECE, "long")
    narrow = map_tables(df, partial(_assigned, plan, pieces, beside), schema)
    if beside:
        checked = map_groups(narrow, PIECE, partial(_check, plan), "piece long, size long, holds boolean")
        return {row["piece"]: (row["size"], row["holds"]) for row in collect(checked)}
    sizes = collect(narrow.groupBy(quoted(PIECE)).agg(functions.count(functions.lit(1)).alias("size")))
    return {row[PIECE]: (row["size"], row["size"] >= recipe.k) for row in sizes}


def _assigned(plan: Plan, pieces: Pieces, beside: list[str], table: Table) -> Table:
    piece = pieces.assign(plan, table)
    narrow = table.select(beside).append_column(PIECE, pa.array(piece))
    return narrow.filter(pa.array(piece >= 0))


def _check(plan: Plan, table: Table) -> Table:
    unit = plan.recipe.roles.unit
    units = None if unit is None else Units.of_column(table.column(unit))
    size = table.num_rows if units is None else len(np.unique(units.number))
    demands = plan.demands(table, units)
    holds = size >= plan.recipe.k and (demands is None or demands.hold(np.arange(table.num_rows)))
    piece = table.column(PIECE)[0].as_py()
    return pa.table({"piece": [piece], "size": [table.num_rows], "holds": [holds]})
