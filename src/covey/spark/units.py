"""Linked units of a distributed table: brought together in a shuffle, so that none is torn, looked at, and sent to their parts as wholes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.units import unit_numbers
from covey.parts import survey as surveys
from covey.parts.linked import UnitPlan, UnitsSeen, count_kinds, planned_units, unit_order
from covey.parts.unit_kinds import UnitKindCount
from covey.spark.content import in_order
from covey.spark.refine import PART, PIECE
from covey.spark.shipping import collect, map_groups, map_tables, packed, unpacked
from covey.spark.sql import types
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame

    from covey.parts.plan import Plan
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Numbers

BUCKET = PART
"""Until rows are sent to their parts."""


class UnitsOnCluster:
    """The rows of a table by bucket, all of a unit in one; each pass over them is a shuffle."""

    def __init__(self, hashed: DataFrame, plan: Plan, most: int) -> None:
        self.plan, self.most, self.buckets = plan, most, max(1, -(-plan.rows // most))
        schema = types.StructType([*hashed.schema.fields]).add(BUCKET, "long")
        self.rows = map_tables(hashed, partial(_with_buckets, plan.recipe, self.buckets), schema)

    def planned(self) -> tuple[Plan, UnitPlan] | None:
        """The plan for units as wholes, and where they go; None where all have one row, and are released as rows.

        The driver gets what was seen of every bucket: a sample, and the compositions.
        """
        return planned_units(self.plan, self, self.most)

    def seen(self, plan: Plan) -> UnitsSeen:
        """What is seen of all units."""
        share = min(1.0, surveys.SAMPLE / max(1, plan.rows))
        seen = UnitsSeen(plan.recipe, share)
        for found in self._looked(partial(_look, plan, share)):
            seen.merge(found)
        return seen

    def kinds(self, plan: Plan, seen: UnitsSeen) -> UnitKindCount:
        """The kinds of all units."""
        kinds = UnitKindCount()
        for found in self._looked(partial(_count, plan, replace(seen, sample=[]))):
            kinds.merge(found)
        return kinds

    def first(self, plan: Plan, whole: UnitPlan) -> list[Numbers]:
        """From each bucket the units that may be the few of their composition that are left out."""
        return list(self._looked(partial(_first, plan, whole)))

    def _looked(self, look: Callable[[Table], Table]) -> Iterator[Any]:
        """What is found in every bucket, in their order."""
        found = map_groups(self.rows, BUCKET, look, "bucket long, found binary", self.buckets)
        return (unpacked(row["found"]) for row in sorted(collect(found)))

    def sent(self, plan: Plan, whole: UnitPlan) -> DataFrame:
        """The rows that are released, with their pieces and parts."""
        schema = types.StructType([field for field in self.rows.schema.fields if field.name != BUCKET])
        if plan.recipe.merge_roles:
            roles = plan.recipe.roles.member_role
            fields = [types.StructField(one.name, types.StringType()) if one.name == roles else one for one in schema]
            schema = types.StructType(fields)
        schema = types.StructType([*schema]).add(PIECE, "long").add(PART, "long")
        return map_groups(self.rows, BUCKET, partial(_send, plan, whole), schema, self.buckets)


def _with_buckets(recipe: Recipe, buckets: int, table: Table) -> Table:
    order = unit_order(recipe, unit_numbers(table.column(str(recipe.roles.unit))))
    return table.append_column(BUCKET, pa.array((order % np.uint64(buckets)).astype(np.int64)))


def _look(plan: Plan, share: float, table: Table) -> Table:
    seen = UnitsSeen(plan.recipe, share)
    seen.add(plan, in_order(table))
    return _result(table, seen)


def _count(plan: Plan, seen: UnitsSeen, table: Table) -> Table:
    return _result(table, count_kinds(plan, seen, in_order(table)))


def _first(plan: Plan, whole: UnitPlan, table: Table) -> Table:
    return _result(table, whole.first_of(plan, table))


def _result(table: Table, result: object) -> Table:
    return pa.table(
        {"bucket": table.column(BUCKET).slice(0, 1), "found": pa.array([packed(result)], pa.binary())},
    )


def _send(plan: Plan, whole: UnitPlan, table: Table) -> Table:
    """Rows by their content, so that a task that is done again sends every unit to the same part."""
    rows, piece = whole.placed(plan, in_order(table).drop_columns([BUCKET]))
    sent = rows.append_column(PIECE, pa.array(piece)).append_column(PART, pa.array(whole.pieces.part[piece]))
    return sent.filter(pa.array(piece >= 0))
