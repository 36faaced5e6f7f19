"""`Plan`: everything that a part of a table needs to know of the whole to be released like it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.aggregation import aggregates_for
from covey.columns.cells import pattern_keys
from covey.columns.own_values import contributions, limits_of
from covey.columns.places import on_grids
from covey.columns.purpose import Purpose, is_line, purpose_of
from covey.columns.recoded import recoded
from covey.columns.strata import published_labels
from covey.columns.top_coding import coded
from covey.columns.weights import read_weights
from covey.core.requirement import CLOSENESS, Requirement
from covey.errors import InputError
from covey.parts.combos import CellPlan, Combos, combos_of, needs_centroids, settle_combos
from covey.parts.kinds import Judge, KindCount
from covey.protect.demands import Demands, without_empty
from covey.protect.prepare import Prepared
from covey.recount.readings import Units
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.columns.coordinates import Scaler
    from covey.columns.values import Values
    from covey.parts.cut_units import Cut
    from covey.parts.leaving.others import Before
    from covey.parts.shape import Shape, ShapeSurvey
    from covey.parts.survey import Survey
    from covey.recipe.recipe import Recipe
    from covey.recount.absent import Absent
    from covey.recount.requirements import Order
    from covey.utils.notes import Note
    from covey.utils.typing import Codes, Floats, Points


@dataclass(frozen=True, eq=False)
class Plan:
    """Shapes, ends, scales, cells and distributions of the whole table. Can be pickled; holds no row of it."""

    recipe: Recipe
    rows: int
    shapes: Mapping[str, Shape]
    ends: Mapping[str, Mapping[str, Any]]
    scaler: Scaler
    overall: Mapping[str, tuple[NDArray[Any], Codes]]
    notes: tuple[Note, ...]
    withheld: tuple[str, ...]
    totals: Mapping[str, float]
    sizes: Mapping[str, float]
    """The sums of amounts without their signs."""
    mean_weight: float | None = None
    cells: CellPlan | None = None
    common: frozenset[str] | None = None
    """The columns with one value a unit, where others may link the rows of units, which are grouped as wholes then."""
    cut: Cut | None = None
    """The rows that panels lose, where they are cut back."""
    before: Before | None = None
    """What the table was before some left since they cost most, where that was asked for: this is the plan for the others."""

    def located(self, table: Table) -> Prepared:
        """What cells and coordinates of a part are found from: quasi-identifiers and strata alone, in the numbers and codes of the whole."""
        roles = self.recipe.roles
        table = on_grids(table, self.recipe.grid)
        uncoded = {name: self.shapes[name].read(table.column(name)) for name in roles.quasi}
        columns, moved = {}, {}
        for name, column in uncoded.items():
            columns[name], moved[name] = coded(column, self.ends.get(name, {}))
        strata = {name: self.shapes[name].read(table.column(name)) for name in roles.strata}
        return Prepared(columns, strata, None, None, uncoded=uncoded, moved=moved)

    def read(self, table: Table) -> Prepared:
        """The same with units and weights."""
        roles = self.recipe.roles
        units = None if roles.unit is None else Units.of_column(table.column(roles.unit))
        weight = None if roles.weight is None else read_weights(table, roles.weight)
        return replace(self.located(table), units=units, weight=weight)

    def points(self, columns: Mapping[str, Values]) -> Floats:
        """The coordinates of the records of a part."""
        return self.scaler([columns[name] for name in self.recipe.roles.quasi])

    def points_of(self, points: Points, names: Sequence[str]) -> Points:
        """The coordinates of some columns, out of those of all."""
        stops = np.cumsum([place.width for place in self.scaler.places])
        inside = dict(zip(self.recipe.roles.quasi, np.split(points, stops[:-1], axis=1), strict=True))
        return np.hstack([inside[name] for name in names])

    def cells_of(self, ready: Prepared, rows: int) -> tuple[Codes, Codes]:
        """The combination and the cell of every record of a part: cell -1 is not published."""
        return self.settled_cells.cells(*self.combos_of(ready, rows))

    @property
    def absent(self) -> Sequence[Absent]:
        """Who is absent of every published stratum, where records are left out since they cost most."""
        return () if self.before is None or self.recipe.suppress_cells else self.before.absence.absent

    @property
    def settled_cells(self) -> CellPlan:
        """The cells, which are found last."""
        if self.cells is None:
            raise InputError("the plan has no cells yet")
        return self.cells

    def published_labels(self) -> dict[str, Values]:
        """The labels under which combinations of strata are published."""
        return published_labels(self.stratum_values(), self.settled_cells.stratum, self.recipe)[0]

    def stratum_values(self) -> dict[str, Values]:
        """The labels of every combination of strata, column by column."""
        keys, values = self.settled_cells.keys, {}
        for place, name in enumerate(self.recipe.roles.strata):
            shape, codes = self.shapes[name], np.array([key[place] for key in keys], dtype=np.int64)
            values[name] = shape.read(pa.array([], shape.type)).replaced(codes, codes >= 0)
        return values

    def combos_of(self, ready: Prepared, rows: int) -> tuple[list[tuple[int, ...]], Codes]:
        """The combinations of a part, and the place of each record's."""
        return combos_of(
            ready.strata,
            pattern_keys(self.recipe, {name: ready.columns[name] for name in self.recipe.roles.quasi}),
            rows,
        )

    def demands(self, table: Table, units: Units | None) -> Demands | None:
        """The requirements on a part; closeness is to the whole."""
        if not self.asked:
            return None
        columns = list(zip(self.recipe.requirements, self.asked_values(table), strict=True))
        return Demands(columns, units, np.arange(table.num_rows), self.overall, self.amounts(table))

    def asked_values(self, table: Table) -> list[Values]:
        """The sensitive values of a part that each requirement looks at, in the codes of the whole."""
        columns, table = [asked.column for asked in self.recipe.requirements], recoded(table, self.recipe).table
        return [without_empty(self.shapes[name].read(table.column(name))) for name in columns]

    @property
    def limits(self) -> list[Requirement]:
        """What is asked of the amounts behind means."""
        return limits_of(self.recipe, {name: self.shapes[name].kind for name in self.recipe.roles.quasi})

    @property
    def asked(self) -> list[Requirement]:
        """All that is asked of groups beside k."""
        return [*self.recipe.requirements, *self.limits]

    def amounts(self, table: Table) -> list[tuple[Requirement, Floats]]:
        """What the records of a part contribute to columns whose means they must not dominate."""
        weight, amounts = self.recipe.roles.weight, []
        table = on_grids(table, self.recipe.grid)
        weights = None if weight is None else read_weights(table, weight)
        for asked in self.limits:
            column = self.shapes[asked.column].read(table.column(asked.column))
            amounts.append((asked, contributions(coded(column, self.ends.get(asked.column, {}))[0], weights)))
        return amounts

    @property
    def orders(self) -> dict[str, Order]:
        """How the sensitive columns with a requirement are judged."""
        shapes = [(asked, self.shapes[asked.column]) for asked in self.recipe.requirements]
        columns = [(asked, shape.read(pa.array([], shape.type))) for asked, shape in shapes]
        return Demands(columns, None, np.arange(0), self.overall).orders()

    @property
    def is_line(self) -> bool:
        """Whether one column is grouped, exactly: its values lie on a line, and records are counted by themselves."""
        if self.recipe.roles.unit is not None or self.asked:
            return False
        return is_line(self.empty_columns, self.recipe.method)

    def weights(self, table: Table) -> Floats | None:
        """What the rows of a part weigh in what groups are made for; None where they do not."""
        weight = self.recipe.roles.weight
        return read_weights(table, weight) if weight is not None and self.purpose.weighs else None

    @property
    def empty_columns(self) -> list[Values]:
        """The quasi-identifiers without a row."""
        shapes = [self.shapes[name] for name in self.recipe.roles.quasi]
        return [shape.read(pa.array([], shape.type)) for shape in shapes]

    @property
    def purpose(self) -> Purpose:
        """What groups are made for, as in memory."""
        recipe, columns = self.recipe, self.empty_columns
        hows = [recipe.aggregates.get(column.name) or aggregates_for(column.kind)[0] for column in columns]
        return purpose_of(columns, hows, self.scaler.places, recipe.method, weighted=recipe.roles.weight is not None)


def point_sums(plan: Plan, table: Table) -> dict[tuple[int, ...], Floats]:
    """The sums of the coordinates of every combination in a part, from which cells find their nearest."""
    ready = plan.read(table)
    keys, place = plan.combos_of(ready, table.num_rows)
    points = plan.points(ready.columns)
    total = np.zeros((len(keys), points.shape[1]))
    np.add.at(total, place, points)
    return dict(zip(keys, total, strict=True))


def add_sums(total: dict[tuple[int, ...], Floats], more: Mapping[tuple[int, ...], Floats]) -> None:
    """Add the sums of another part."""
    for key, sums in more.items():
        total[key] = total[key] + sums if key in total else sums


def needs_kinds(plan: Plan, survey: Survey, *, whole_units: bool = False) -> bool:
    """Whether something is required of several combinations, so that `judge_of` needs the kinds of records of all parts.

    Of `whole_units` it is required of their compositions.
    """
    return bool(plan.asked) and len(survey.combos.rows) > 1 and not whole_units


def judge_of(plan: Plan, kinds: KindCount) -> Judge | None:
    """Who says whether cells satisfy what is required; None where there are too many kinds of records."""
    whole = kinds.whole(plan)
    return None if whole is None else Judge.of(plan, whole)


def needs_points(plan: Plan, survey: Survey, judge: Judge | None = None) -> bool:
    """Whether cells are to be merged with their nearest, so that `with_cells` needs the sums of `point_sums` of all parts."""
    return needs_centroids(combos_in(plan, survey), plan.recipe, judge)


def with_cells(
    plan: Plan,
    survey: Survey,
    sums: Mapping[tuple[int, ...], Floats] | None = None,
    judge: Judge | None = None,
    *,
    whole_units: bool = False,
) -> Plan:
    """The plan with its cells of at least k that satisfy what is required; an error where there are none by the recipe's rule.

    For `whole_units` cells are strata; what units are made of is seen in `covey.parts.linked`.
    """
    combos = combos_in(plan, survey)
    centroids = None if sums is None else {key: total / combos.rows[key] for key, total in sums.items()}
    required = bool(plan.asked) and not whole_units
    cells = settle_combos(combos, plan.recipe, centroids, judge, required=required, whole_units=whole_units)
    judged = judge is not None or not needs_kinds(plan, survey, whole_units=whole_units)
    return replace(plan, cells=replace(cells, judged=judged), notes=(*plan.notes, *cells.notes))


def needs_published(plan: Plan) -> bool:
    """Whether closeness must be to fewer records than the survey saw: some are not published."""
    return bool(plan.overall) and plan.cells is not None and plan.cells.suppressed > 0


def count_published(plan: Plan, table: Table, surveys: Mapping[str, ShapeSurvey]) -> None:
    """Count the sensitive values of the rows of a part that are published."""
    table = recoded(table, plan.recipe).table
    kept = plan.cells_of(plan.read(table), table.num_rows)[1] >= 0
    rows = table.filter(pa.array(kept))
    for name, survey in surveys.items():
        survey.add(rows.column(name))


def close_to(plan: Plan, surveys: Mapping[str, ShapeSurvey]) -> Plan:
    """The plan with closeness to what was counted."""
    return replace(plan, overall=overall_of(surveys, plan.recipe, plan.shapes))


def combos_in(plan: Plan, survey: Survey) -> Combos:
    """The combinations in the codes of the shapes."""
    codes = []
    for name, labels in survey.labels.items():
        place = {label: code for code, label in enumerate(plan.shapes[name].categories.to_pylist())}
        codes.append([place[label] for label in labels])
    return survey.combos.recoded(codes)


def overall_of(
    surveys: Mapping[str, ShapeSurvey], recipe: Recipe, shapes: Mapping[str, Shape]
) -> dict[str, tuple[NDArray[Any], Codes]]:
    """For closeness: the values of a column, ascending, and how often each occurs; missing ones last."""
    overall = {}
    for asked in recipe.requirements:
        if asked.kind != CLOSENESS:
            continue
        counted = surveys[asked.column]
        names = counted.shape().categories
        values = without_empty(shapes[asked.column].read(names.cast(shapes[asked.column].type)))
        numbers = np.array([counted.counts[name] for name in names.to_pylist()], dtype=np.int64)
        order = np.argsort(values.physical[values.valid], kind="stable")
        gaps = counted.missing + int(numbers[~values.valid].sum())
        used = values.physical[values.valid][order]
        number = numbers[values.valid][order]
        overall[asked.column] = used, np.append(number, gaps)
    return overall
