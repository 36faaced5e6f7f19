"""Groups across the borders of pieces, on a cluster: further rounds, each a shuffle. See `covey.parts.borders`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.parts.borders import Earlier, one_round, turned_pieces
from covey.spark.content import FIRST, GROUP, SECOND, in_order
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from covey.parts.pieces import Pieces
    from covey.parts.plan import Plan
    from covey.utils.typing import Codes

PIECE, PART, TOUCHES = "covey piece", "covey part", "covey touches a border"
SENT = (PIECE, PART, GROUP, TOUCHES, FIRST, SECOND)
ROWS, LEAST_ROWS, MOST_ROWS, MOST_PIECES = 16_000, 50_000, 250_000, 100_000
"""Rows of a piece for each coordinate, at least, and at most; more only where there would be too many pieces."""
FEW = 5
"""Coordinates with which one further round is enough: with more, much of a piece lies at its borders."""


def piece_rows_for(plan: Plan) -> int:
    """About how many rows are grouped together: the more coordinates, the more of them lie at a border; and not too many pieces."""
    most = MOST_ROWS if plan.is_line else min(max(LEAST_ROWS, ROWS * _width(plan)), MOST_ROWS)
    return max(most, plan.rows // MOST_PIECES, 2 * plan.recipe.k)


def _width(plan: Plan) -> int:
    """The number of coordinates of a record."""
    return sum(place.width for place in plan.scaler.places)


def further_rounds(plan: Plan, pieces: Pieces, sample: Table, most: int) -> list[Pieces]:
    """The pieces of the further rounds; none where there are none: here, units and what is required stay within pieces."""
    recipe = plan.recipe
    if recipe.method != "auto" or recipe.seed is not None or plan.asked or recipe.roles.unit is not None:
        return []
    rounds, sizes = 1 if _width(plan) <= FEW else 2, plan.settled_cells.sizes()
    turned = [turned_pieces(plan, pieces, sample, most, times) for times in range(1, rounds + 1)]
    secret = str(recipe.entropy)  # groups come whole, so that every piece holds k
    return [one.packed(one.expected(sizes), most, secret, sure=True) for one in turned if one is not None]


def group_part(plan: Plan, pieces: Pieces, turned: Pieces, times: int, table: Table) -> Table:
    """Group the pieces of a part, or improve the groups that came, and say where each group goes on to: to the pieces turned so often."""
    table = in_order(table)
    rows, piece, earlier = opened(table)
    groups = one_round(plan, pieces, turned, rows, piece, lambda _what: None, earlier=earlier, times=times)
    changed = {PIECE: groups.place, PART: turned.part[groups.place], GROUP: groups.group, TOUCHES: groups.touches}
    kept = [name for name in table.column_names if name not in changed]
    return pa.table({name: table.column(name) for name in kept} | changed)


def opened(table: Table) -> tuple[Table, Codes, Earlier | None]:
    """The rows of a part as they are in the table, their pieces, and what the round before found of them."""
    rows = table.drop_columns([name for name in table.column_names if name in SENT])
    groups = [table.column(name).to_numpy() for name in (GROUP, TOUCHES) if name in table.column_names]
    return rows, table.column(PIECE).to_numpy(), Earlier(*groups) if groups else None
