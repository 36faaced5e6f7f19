"""A table whose columns are recoded as a recipe declares, whatever the values of others are: on grids, and kept ones within their ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from covey.columns.places import on_grids
from covey.columns.top_coding import coded, limits
from covey.columns.values import read_values
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from covey.recipe.recipe import Recipe


class Recoded(NamedTuple):
    """The table, and how many values of each kept or sensitive column were moved to either end."""

    table: Table
    moved: dict[str, dict[str, int]]


def recoded(table: Table, recipe: Recipe) -> Recoded:
    """The table as it is grouped and published; the same again is the same. The ends of quasi-identifiers are coded later."""
    table, moved = on_grids(table, recipe.grid), {}
    for name in recipe.coded_beside:
        if name not in table.column_names:
            continue
        nominal = name in recipe.nominal or name in recipe.ordinal
        column = read_values(name, table.column(name), nominal=nominal)
        ends = limits(column, top=recipe.top.get(name), bottom=recipe.bottom.get(name))
        column, moved[name] = coded(column, ends)
        table = table.set_column(table.column_names.index(name), name, pa.chunked_array([column.build()]))
    return Recoded(table, moved)
