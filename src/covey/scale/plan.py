"""`Plan`: everything that a part of a table needs to know of the whole to be released like it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregation import aggregates_for
from covey.coding import coded, limits
from covey.coordinates import (
    MOST_CATEGORIES,
    CornerPlace,
    FrequencyPlace,
    NumberPlace,
    Scaler,
    category_place,
    floats_above,
    line_fitted,
)
from covey.demands import Demands, cannot_hold, check_kind, without_empty
from covey.edits import check_kinds, refuse_broken
from covey.effects import check_effects
from covey.errors import InfeasibleError, InputError, OptionError
from covey.exposure import exposures, refuse_exposed
from covey.extras import load
from covey.fingerprint import numbers_of
from covey.prepare import Prepared, missing_notes
from covey.requirement import CLOSENESS, SPREAD
from covey.scale.combos import CellPlan, Combos, combos_of, needs_centroids, pattern_keys, settle_combos
from covey.values import AMOUNTS, NUMBERS, read_values
from covey.weights import read_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.coordinates import Place
    from covey.recipe import Recipe
    from covey.requirement import Requirement
    from covey.scale.shape import Shape, ShapeSurvey
    from covey.scale.survey import Survey
    from covey.values import Values

    Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Plan:
    """Shapes, ends, scales, cells and distributions of the whole table. Can be pickled; holds no row of it."""

    recipe: Recipe
    rows: int
    shapes: Mapping[str, Shape]
    ends: Mapping[str, Mapping[str, Any]]
    scaler: Scaler
    overall: Mapping[str, tuple[NDArray[Any], Codes]]
    notes: tuple[str, ...]
    withheld: tuple[str, ...]
    totals: Mapping[str, float]
    sizes: Mapping[str, float]
    """The sums of amounts without their signs."""
    cells: CellPlan | None = None

    def read(self, table: Any) -> Prepared:
        """The columns of a part, in the numbers and codes of the whole."""
        roles = self.recipe.roles
        uncoded = {name: self.shapes[name].read(table.column(name)) for name in roles.quasi}
        columns, moved = {}, {}
        for name, column in uncoded.items():
            columns[name], moved[name] = coded(column, self.ends.get(name, {}))
        strata = {name: self.shapes[name].read(table.column(name)) for name in roles.strata}
        unit = None if roles.unit is None else _compact(numbers_of(table.column(roles.unit)))
        weight = None if roles.weight is None else read_weights(table, roles.weight)
        return Prepared(columns, strata, unit, weight, uncoded=uncoded, moved=moved)

    def points(self, columns: Mapping[str, Values]) -> NDArray[np.float64]:
        """The coordinates of the records of a part."""
        return self.scaler([columns[name] for name in self.recipe.roles.quasi])

    def cells_of(self, ready: Prepared, rows: int) -> tuple[Codes, Codes]:
        """The combination and the cell of every record of a part: cell -1 is not published."""
        if self.cells is None:
            msg = "the plan has no cells yet"
            raise InputError(msg)
        return self.cells.cells(*self.combos_of(ready, rows))

    def combos_of(self, ready: Prepared, rows: int) -> tuple[list[tuple[int, ...]], Codes]:
        """The combinations of a part, and the place of each record's."""
        return combos_of(ready.strata, pattern_keys(self.recipe, ready.columns), rows)

    def demands(self, table: Any, unit: Codes | None) -> Demands | None:
        """The requirements on the sensitive values of a part; closeness is to the whole."""
        if not self.recipe.requirements:
            return None
        columns = [
            (asked, without_empty(self.shapes[asked.column].read(table.column(asked.column))))
            for asked in self.recipe.requirements
        ]
        return Demands(columns, unit, np.arange(table.num_rows), self.overall)

    def demands_of_nothing(self) -> Demands | None:
        """The requirements on no rows: how each column is judged."""
        if not self.recipe.requirements:
            return None
        columns = []
        for asked in self.recipe.requirements:
            shape = self.shapes[asked.column]
            columns.append((asked, shape.read(load("pyarrow").array([], shape.type))))
        return Demands(columns, None, np.arange(0), self.overall)

    @property
    def is_line(self) -> bool:
        """Whether one column is grouped, exactly: its values lie on a line, and records are counted by themselves."""
        quasi = self.recipe.roles.quasi
        if self.recipe.roles.unit is not None or self.recipe.requirements:
            return False
        alone = len(quasi) == 1 and self.shapes[quasi[0]].kind in (*NUMBERS, "ordinal")
        return alone and self.recipe.method in ("auto", "optimal-line")


def make_plan(survey: Survey, column_names: list[str]) -> Plan:
    """The plan for a table that was surveyed; an error for what cannot be released as it is."""
    recipe = survey.recipe
    check_recipe(recipe, column_names)
    _check_rows(recipe, survey.rows)
    shapes = {name: found.shape() for name, found in survey.shapes.items()}
    shapes |= {asked.column: _asked_shape(survey, asked) for asked in recipe.requirements}
    sample = survey.sampled()
    columns = {name: shapes[name].read(sample.column(name)) for name in recipe.roles.quasi}
    _check_columns(recipe, shapes)
    check_kinds(recipe.rules, columns)
    refuse_broken(recipe.rules, survey.broken, when="of the table")
    notes = [*_category_notes(recipe, shapes), *_missing(survey)]
    moments = {name: survey.moments[name] for name in columns if shapes[name].kind in AMOUNTS}
    withheld = [name for name, found in moments.items() if found.one_makes_half]
    if withheld:
        notes.append(f"totals are not shown where one record makes more than half: {', '.join(withheld)}")
    ends = {
        name: limits(column, top=recipe.top.get(name), bottom=recipe.bottom.get(name))
        for name, column in columns.items()
        if name in recipe.top or name in recipe.bottom
    }
    notes += _sampled_notes(recipe, survey, len(sample))
    within = {name: coded(column, ends.get(name, {}))[0] for name, column in columns.items()}
    notes += _exposed(survey, columns)
    scales = {name: 10.0 ** -getattr(shapes[name].type, "scale", 0) for name in moments}
    return Plan(
        recipe=recipe,
        rows=survey.rows,
        shapes=shapes,
        ends=ends,
        scaler=_scaler(survey, shapes, within, ends),
        overall=overall_of(survey.asked, recipe, shapes),
        notes=tuple(notes),
        withheld=tuple(withheld),
        totals={name: found.total * scales[name] for name, found in moments.items()},
        sizes={name: found.size * scales[name] for name, found in moments.items()},
    )


def point_sums(plan: Plan, table: Any) -> dict[tuple[int, ...], NDArray[np.float64]]:
    """The sums of the coordinates of every combination in a part, from which cells find their nearest."""
    ready = plan.read(table)
    keys, place = plan.combos_of(ready, table.num_rows)
    points = plan.points(ready.columns)
    total = np.zeros((len(keys), points.shape[1]))
    np.add.at(total, place, points)
    return dict(zip(keys, total, strict=True))


def needs_points(plan: Plan, survey: Survey) -> bool:
    """Whether cells are to be merged with their nearest, so that `with_cells` needs the sums of `point_sums` of all parts."""
    return needs_centroids(_combos(plan, survey), plan.recipe)


def with_cells(plan: Plan, survey: Survey, sums: Mapping[tuple[int, ...], NDArray[np.float64]] | None = None) -> Plan:
    """The plan with its cells of at least k; an error where there are none by the recipe's rule."""
    combos = _combos(plan, survey)
    centroids = None if sums is None else {key: total / combos.rows[key] for key, total in sums.items()}
    cells = settle_combos(combos, plan.recipe, centroids)
    return replace(plan, cells=cells, notes=(*plan.notes, *cells.notes))


def needs_published(plan: Plan) -> bool:
    """Whether closeness must be to fewer records than the survey saw: some are not published."""
    return bool(plan.overall) and plan.cells is not None and plan.cells.suppressed > 0


def count_published(plan: Plan, table: Any, surveys: Mapping[str, ShapeSurvey]) -> None:
    """Count the sensitive values of the rows of a part that are published."""
    kept = plan.cells_of(plan.read(table), table.num_rows)[1] >= 0
    rows = table.filter(load("pyarrow").array(kept))
    for name, survey in surveys.items():
        survey.add(rows.column(name))


def close_to(plan: Plan, surveys: Mapping[str, ShapeSurvey]) -> Plan:
    """The plan with closeness to what was counted."""
    return replace(plan, overall=overall_of(surveys, plan.recipe, plan.shapes))


def _combos(plan: Plan, survey: Survey) -> Combos:
    """The combinations in the codes of the shapes."""
    codes = []
    for name, labels in survey.labels.items():
        place = {label: code for code, label in enumerate(plan.shapes[name].categories.to_pylist())}
        codes.append([place[label] for label in labels])
    return survey.combos.recoded(codes)


def _compact(numbers: NDArray[np.uint64]) -> Codes:
    """Numbers of units, from 0."""
    return np.unique(numbers, return_inverse=True)[1].astype(np.int64)


def _check_rows(recipe: Recipe, rows: int) -> None:
    if rows == 0:
        msg = "the table has no rows; needed: at least k"
        raise InputError(msg)
    if rows < recipe.k:
        msg = f"the table has {rows} records, and k is {recipe.k}; needed: at least k; choose a smaller k"
        raise InfeasibleError(msg)


def check_recipe(recipe: Recipe, column_names: Sequence[str]) -> None:
    """An error for choices that have no effect, or that a release in parts does not know: before the work."""
    check_effects(recipe, column_names)
    hidden = [name for name in column_names if "\0" in name]
    if hidden:
        msg = f"{len(hidden)} columns have names with a NUL character; needed: names without; rename them first"
        raise InputError(msg)
    both = [name for name in recipe.zeros_apart if name in recipe.top or name in recipe.bottom]
    if both:
        msg = (
            f"zeros_apart and top or bottom coding of {', '.join(both)} are given; in parts, zeros are told apart before values are "
            "coded; leave one of them out, or release in memory"
        )
        raise OptionError(msg)
    if recipe.blocks:
        msg = (
            "blocks are given, and a release in parts groups all columns together; leave them out, or release in memory"
        )
        raise OptionError(msg)
    if recipe.roles.unit is not None and any(asked.kind == CLOSENESS for asked in recipe.requirements):
        msg = "t_closeness and a unit are given; in parts, closeness is counted in records only; release in memory"
        raise OptionError(msg)


def _check_columns(recipe: Recipe, shapes: Mapping[str, Shape]) -> None:
    for name in recipe.roles.quasi:
        how, kind = recipe.aggregates.get(name), shapes[name].kind
        if how is not None and how not in aggregates_for(kind):
            msg = f"the aggregate of {name!r} is {how!r}, and the column is {kind}; needed: one of {', '.join(aggregates_for(kind))}"
            raise OptionError(msg)
    if recipe.categories != "match" and not any(
        shapes[name].kind in ("nominal", "boolean") for name in recipe.roles.quasi
    ):
        msg = (
            "categories is given, and no quasi-identifier is an unordered category, so that has no effect; leave it out"
        )
        raise OptionError(msg)


def _category_notes(recipe: Recipe, shapes: Mapping[str, Shape]) -> list[str]:
    return [
        f"column {name!r} has {len(shapes[name].categories)} categories: distances between them are approximate, a projection to "
        f"{MOST_CATEGORIES} coordinates"
        for name in recipe.roles.quasi
        if shapes[name].kind == "nominal"
        and len(shapes[name].categories) > MOST_CATEGORIES
        and recipe.categories == "match"
    ]


def _missing(survey: Survey) -> list[str]:
    gaps = {name: survey.shapes[name].missing for name in survey.recipe.roles.quasi if survey.shapes[name].missing}
    return missing_notes(gaps, survey.recipe.missing)


def _sampled_notes(recipe: Recipe, survey: Survey, size: int) -> list[str]:
    """What was taken from the sample although it was asked of the whole."""
    if size == survey.rows:
        return []
    notes = []
    if any(str(end).endswith("%") for end in (*recipe.top.values(), *recipe.bottom.values())):
        notes.append(f"the quantiles of top and bottom coding are those of {size} records drawn at random")
    if recipe.scale == "rank":
        notes.append(f"ranks are interpolated between those of {size} records drawn at random")
    if recipe.missing == "coordinate" and any(survey.shapes[name].missing for name in recipe.roles.quasi):
        notes.append(f"the median beside which missing values lie is that of {size} records drawn at random")
    return notes


def _exposed(survey: Survey, columns: Mapping[str, Values]) -> list[str]:
    """Kept columns that undo the grouping: looked for in slices by value, and in the sample."""
    recipe, found = survey.recipe, {}
    sample = survey.sampled()
    notes = [
        f"column {name!r}: {number} values that are not a number are published as missing"
        for name, number in survey.undefined.items()
        if number
    ]
    for name, sliced in survey.slices.items():
        quasi, part = list(columns.values()), sample.column(name)
        reasons = [
            one for one in exposures(name, part, quasi, recipe.k) if len(sample) == survey.rows or "unique" not in one
        ]
        if sliced.table is not None and len(sample) < survey.rows:
            there = [survey.shapes[one].shape().read(sliced.table.column(one)) for one in columns]
            more = exposures(name, sliced.table.column(name), there, recipe.k)
            reasons += [one for one in more if one not in reasons]
        if reasons:
            found[name] = reasons
    return notes + refuse_exposed(found, recipe.accept)


def _asked_shape(survey: Survey, asked: Requirement) -> Shape:
    """The shape of a sensitive column in the type in which it is judged."""
    if asked.kind == SPREAD:
        found, moments = survey.spread[asked.column]
        shape = found.shape()
        check_kind(asked, shape.read(load("pyarrow").array([], shape.type)), 0)
        width = (moments.high - moments.low) * 10.0 ** -getattr(shape.type, "scale", 0)
        if not width >= asked.limit:
            raise cannot_hold(asked, 0)
        return shape
    recipe, counted = survey.recipe, survey.asked[asked.column].shape()
    nominal, order = asked.column in recipe.nominal, recipe.ordinal.get(asked.column)
    try:
        values = read_values(asked.column, counted.categories.cast(counted.type), nominal=nominal, order=order)
    except InputError:
        values = read_values(asked.column, counted.categories, nominal=True)
    values = without_empty(values)
    check_kind(asked, values, len(np.unique(values.physical[values.valid])))
    shape = replace(counted, kind=values.kind, nominal=nominal or values.kind == "nominal", order=order)
    if values.categories is None:
        _check_all(asked, values, survey)
        return replace(shape, categories=None, frequency=None, nominal=False, step=values.step, local=values.local)
    _check_all(asked, values, survey)
    return replace(shape, categories=values.categories, frequency=None)


def _check_all(asked: Requirement, values: Values, survey: Survey) -> None:
    """An error where not even all records together satisfy a requirement."""
    if asked.kind == CLOSENESS:
        return
    counts = survey.asked[asked.column].counts
    names = survey.asked[asked.column].shape().categories.to_pylist()
    numbers = np.array([counts[name] for name in names], dtype=np.int64)
    rows = np.repeat(np.arange(len(values)), np.minimum(numbers, 10_000))  # shares matter, not sizes
    several = values.take(rows)
    if not Demands([(asked, several)], None, np.arange(len(rows))).hold(np.arange(len(rows))):
        raise cannot_hold(asked, int(values.valid.sum()))


def overall_of(
    surveys: Mapping[str, ShapeSurvey], recipe: Recipe, shapes: Mapping[str, Shape]
) -> dict[str, tuple[NDArray[Any], Codes]]:
    """For closeness: the values of a column, ascending, and how often each occurs; missing ones last."""
    found = {}
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
        found[asked.column] = used, np.append(number, gaps) if gaps else number
    return found


def _scaler(
    survey: Survey, shapes: Mapping[str, Shape], sample: Mapping[str, Values], ends: Mapping[str, Any]
) -> Scaler:
    recipe = survey.recipe
    places: list[Place] = []
    for name, column in sample.items():
        if shapes[name].kind in NUMBERS or shapes[name].kind == "ordinal":
            places.append(_number_place(survey, column, coded_ends=name in ends))
        else:
            places.append(_category_place(survey, shapes[name]))
    return Scaler.placed(places, [recipe.importance.get(name, 1.0) for name in sample])


def _number_place(survey: Survey, column: Values, *, coded_ends: bool) -> NumberPlace:
    recipe, moments = survey.recipe, survey.moments[column.name]
    low = moments.least or 0
    line = line_fitted(floats_above(column, low)[column.valid], recipe.scale, recipe.penalty)
    if recipe.scale == "rank" or coded_ends or moments.count == 0:
        return NumberPlace(low, line)
    size = moments.deviation if recipe.scale == "zscore" else moments.high - moments.low
    return NumberPlace(low, line.with_size(float(np.ldexp(size, -line.power)), 0.0, recipe.penalty))


def _category_place(survey: Survey, shape: Shape) -> CornerPlace | FrequencyPlace:
    recipe = survey.recipe
    codes = np.arange(len(shape.categories))
    counts = np.asarray(shape.frequency)
    missing = survey.shapes[shape.name].missing
    codes, counts = codes[counts > 0], counts[counts > 0]  # a type may know more than occur
    if missing or len(codes) == 0:
        codes, counts = np.append(codes, np.iinfo(np.int64).max), np.append(counts, max(1, missing))
    place = category_place(codes, counts, recipe.scale, recipe.categories, recipe.penalty)
    if not isinstance(place, CornerPlace | FrequencyPlace):
        raise TypeError
    return place


def stratum_labels(plan: Plan) -> tuple[dict[str, Any], list[str]]:
    """For every stratum column the label that each combination is published under, and what there is to report.

    As `covey.strata` does it: merged strata carry the labels of all, with a plus between them.
    """
    pa = load("pyarrow")
    cells = plan.cells
    if cells is None:
        return {}, []
    labels, notes = {}, []
    for place, name in enumerate(plan.recipe.roles.strata):
        shape = plan.shapes[name]
        names = [str(value) for value in shape.categories.to_pylist()]
        codes = np.array([key[place] for key in cells.keys], dtype=np.int64)
        held: dict[int, list[int]] = {}
        for stratum, code in zip(cells.stratum.tolist(), codes.tolist(), strict=True):
            held.setdefault(stratum, [])
            if code not in held[stratum]:
                held[stratum].append(code)
        indices = pa.array([None if code < 0 else code for code in codes.tolist()], pa.int64())
        plain = shape.categories.take(indices)
        if all(len(several) == 1 for stratum, several in held.items() if stratum >= 0):
            labels[name] = plain
            continue
        texts = [
            " + ".join("(missing)" if one < 0 else names[one] for one in sorted(held[stratum]))
            if len(held[stratum]) > 1
            else (None if code < 0 else names[code])
            for stratum, code in zip(cells.stratum.tolist(), codes.tolist(), strict=True)
        ]
        labels[name] = pa.array(texts, pa.string())
        if not pa.types.is_string(plain.type) and not pa.types.is_large_string(plain.type):
            notes.append(
                f"the stratum {name!r} was of type {shape.type} and is published as text: merged strata have no {shape.type}"
            )
    return labels, notes
