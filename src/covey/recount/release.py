"""The recount of a release in memory against its recipe."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from covey.errors import RefusedError
from covey.recount.classes import Recount, classes_of, verify
from covey.recount.few_columns import recount_few, refuse_small_few
from covey.recount.links import links_of
from covey.recount.readings import Units
from covey.recount.requirements import Order, recount_requirements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import Table


def hint_of(recipe: Recipe) -> str:
    """What may have brought a release below what was asked, and what to do about it: to be said after a refusal."""
    hints = (
        (
            recipe.weights == "keep",
            "published weights count as known to others; round them, or publish the mean weight of each group (weights)",
        ),
        (
            recipe.is_linked and bool(recipe.requirements),
            "rows of a unit that look the same count as one in what is required; ask for less, or align members by role (member_role)",
        ),
        (recipe.publishes_units, "published ids link the rows of a unit; drop the unit"),
    )
    return "".join(f"; {text}" for applies, text in hints if applies)


def recount_release(
    table: Table, recipe: Recipe, units: Units | None, rows: int, orders: Mapping[str, Order] | None = None
) -> Recount:
    """Recount a table over what an observer may know, and refuse it if it falls short of the recipe."""
    unit, linked = recipe.roles.unit, recipe.is_linked
    if recipe.publishes_units and unit in table.column_names:
        units = Units.of_column(table.column(unit))
    number = None if units is None else units.number
    needed = 1 if recipe.allow_blocks or recipe.k_for else recipe.k
    hint = hint_of(recipe)
    try:
        for block in recipe.blocks:
            verify(table, [*block, *recipe.known_beside], recipe.k, units=number, linked=linked, rows=rows)
        if recipe.blocks:
            hint = "; each block reaches k by itself, but not all together; allow a lower k jointly (allow_blocks, --allow-blocks) or join the blocks"
        counted = verify(table, recipe.counted, needed, units=number, linked=linked, rows=rows)
        for few, k in recipe.k_for.items():
            of_few = recount_few(table, recipe.roles.quasi, few)
            refuse_small_few(of_few, k)
            counted = replace(counted, of_few=of_few)
        if number is not None and not linked:
            links_of(table, number, recipe.k).refuse(recipe.refuse_links)
        if not recipe.requirements:
            return counted
        classes = classes_of([table.column(name) for name in recipe.counted], rows)
        held = recount_requirements(table, classes, units, recipe.requirements, orders or {}, linked=linked)
        return replace(counted, held=tuple(held))
    except RefusedError as error:
        raise RefusedError(f"{error}{hint}") from None
