"""`Context`: the rows that are published and all that their release needs; made once, when their cells are known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.aggregation import Aggregate, aggregates_for
from covey.columns.cells import PATTERNS, STRATA, SmallCells, check_enough, combine, pattern_keys, settle
from covey.columns.coordinates import Scaler
from covey.columns.strata import published_labels
from covey.protect.linked import LinkedUnits, read_linked, settle_linked
from covey.utils import randomness

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.columns.coordinates import Place
    from covey.columns.values import Values
    from covey.protect.demands import Demands
    from covey.protect.prepare import Prepared
    from covey.recipe.recipe import Recipe
    from covey.recount.readings import Units
    from covey.utils.arrow import Table
    from covey.utils.notes import Note
    from covey.utils.typing import Codes, Floats, Points, Rows

    _Cells = tuple[Rows, list[Codes], Codes, list[Note]]


@dataclass(frozen=True, eq=False)
class Context:
    """The rows of a table, or of a part of one, that are published. Engines differ in how they make it, and in nothing that follows."""

    recipe: Recipe
    table: Table
    rows: Rows
    """Their places in the table. All that follows is of these rows alone."""
    order: Rows
    """The order in which they leave."""
    columns: Mapping[str, Values]
    """The quasi-identifiers, coded at their ends."""
    uncoded: Mapping[str, Values]
    """The quasi-identifiers as they came in."""
    points: Callable[[Sequence[str]], Points]
    """From quasi-identifiers to the coordinates in which the rows are grouped."""
    place: Callable[[str], Place]
    """From a quasi-identifier to where its values lie among these."""
    blocks: Sequence[Codes]
    """For each block of columns the cells within which groups are made."""
    strata: Mapping[str, Values]
    """The labels of every combination of strata, column by column."""
    merged: Codes
    """The stratum that every combination became a part of; -1 where it is not published."""
    combination: Codes
    """The combination of each row."""
    units: Units | None
    weight: Floats | None
    demands: Demands | None
    """What is required of groups beside k."""
    linked: LinkedUnits | None = None
    """The units whose rows others may link, where there are some: they are grouped as wholes."""

    @property
    def unit(self) -> Codes | None:
        """The number of each row's unit."""
        return None if self.units is None else self.units.number

    @property
    def stratum(self) -> Codes:
        """The number of each row's stratum."""
        return self.merged[self.combination]

    @cached_property
    def labels(self) -> tuple[dict[str, Values], list[Note]]:
        """The labels under which combinations are published, and what there is to report of them."""
        return published_labels(self.strata, self.merged, self.recipe)

    def aggregate_of(self, name: str) -> Aggregate:
        """What a group publishes of a column."""
        return self.recipe.aggregates.get(name) or aggregates_for(self.columns[name].kind)[0]


def make_context(table: Table, recipe: Recipe, ready: Prepared, demands: Demands | None) -> tuple[Context, list[Note]]:
    """The context of a table in memory, and what there is to report of its cells."""
    n = table.num_rows
    combination = combine([np.where(c.valid, c.physical, -1) for c in ready.strata.values()], n)
    linked = read_linked(table, recipe, ready)
    if linked is None:
        rows, blocks, stratum, notes = _settle(recipe, ready, demands, combination)
    else:
        rows, blocks, stratum, notes, linked = settle_linked(recipe, ready, demands, combination, linked)
    everyone = len(rows) == n
    columns, uncoded = (
        {name: column if everyone else column.take(rows) for name, column in several.items()}
        for several in (ready.columns, ready.uncoded)
    )
    first = np.unique(combination, return_index=True)[1]
    merged = np.full(len(first), -1, dtype=np.int64)
    merged[combination[rows]] = stratum[rows]

    context = Context(
        recipe=recipe,
        table=table,
        rows=rows,
        order=order_of(recipe, len(rows)),
        columns=columns,
        uncoded=uncoded,
        **coordinates_of(recipe, columns)._asdict(),
        blocks=blocks,
        strata={name: column.take(first) for name, column in ready.strata.items()},
        merged=merged,
        combination=combination[rows],
        units=None if ready.units is None else ready.units.among(rows),
        weight=None if ready.weight is None else ready.weight[rows],
        demands=None if demands is None else demands.among(rows),
        linked=linked,
    )
    return context, notes


class Coordinates(NamedTuple):
    """Where columns lie: the fields `points` and `place` of a context."""

    points: Callable[[Sequence[str]], Points]
    place: Callable[[str], Place]


def coordinates_of(recipe: Recipe, columns: Mapping[str, Values]) -> Coordinates:
    """Where columns lie, by a scale that follows from their values; each is looked at when it is asked for."""

    @cache
    def scaler(name: str) -> Scaler:
        return Scaler.of(recipe, [columns[name]])

    def points(names: Sequence[str]) -> Points:
        whole = Scaler.joined([scaler(name) for name in names])
        return whole([columns[name] for name in names])

    return Coordinates(points, lambda name: scaler(name).places[0])


def order_of(recipe: Recipe, rows: int) -> Rows:
    """The order in which so many rows leave."""
    return randomness.random_order(str(recipe.entropy), rows) if recipe.shuffle else np.arange(rows)


def _settle(recipe: Recipe, ready: Prepared, demands: Demands | None, combination: Codes) -> _Cells:
    """Strata first, then patterns within them, until all that is left holds k and what is required.

    The rows that are left, their cells in every block, the stratum of all rows, and what there is to report.
    """
    unit = None if ready.units is None else ready.units.number
    number = len(combination) if unit is None else len(np.unique(unit))
    check_enough(number, recipe.k, "records" if unit is None else "units")
    columns = [ready.columns[name] for name in recipe.roles.quasi]
    points = cache(lambda: Scaler.of(recipe, columns)(columns))
    small = SmallCells.of(recipe, required=demands is not None)
    hold = None if demands is None else demands.hold
    stratum, notes = settle(combination, small, points, unit, what=STRATA, hold=hold)
    rows = np.flatnonzero(stratum >= 0)
    while True:
        before, blocks = len(rows), []
        whole = None if demands is None else demands.restricted(rows)  # closeness is to what is published
        for names in recipe.parts:
            if len(rows) == 0:
                raise small.nothing_left()
            keys = pattern_keys(recipe, {name: ready.columns[name] for name in names})
            cells = combine([key[rows] for key in (stratum, *keys)], len(rows))
            settled, more = settle(
                cells,
                small,
                partial(_among, points, rows),
                None if unit is None else unit[rows],
                what=PATTERNS,
                within=stratum[rows],
                hold=_holding(whole, names, rows),
            )
            notes = [*notes, *more]
            rows = rows[settled >= 0]
            blocks.append(settled[settled >= 0])
        if len(rows) == before:
            return rows, blocks, stratum, notes


def _among(points: Callable[[], Points], rows: Rows) -> Points:
    return points()[rows]


def _holding(demands: Demands | None, names: Sequence[str], rows: Rows) -> Callable[[Rows], bool] | None:
    """Whether some of these rows, all in one group that publishes these columns, satisfy what is required."""
    about = None if demands is None else demands.about(names)
    return None if about is None else lambda some: about.hold(rows[some])
