"""From the survey of a table to its plan: what cannot be released as it is is refused, scales and ends are found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.cells import check_enough
from covey.columns.codes import refuse_codes, signs_of
from covey.columns.coordinates import (
    NumberPlace,
    Place,
    Scaler,
    category_place,
    floats_above,
    hierarchy_place,
    line_fitted,
)
from covey.columns.edits import check_kinds, refuse_broken
from covey.columns.exposure import Exposure, exposures, refuse_exposed
from covey.columns.own_values import limits_of
from covey.columns.places import refuse_places
from covey.columns.top_coding import coded, limits
from covey.columns.units import unit_numbers
from covey.columns.values import AMOUNTS, NUMBERS, Values, read_kept, read_values
from covey.core.requirement import CLOSENESS, SPREAD, Requirement
from covey.errors import InputError
from covey.parts.plan import Plan, overall_of
from covey.parts.slices import UNIT
from covey.protect.demands import Demands, cannot_hold, check_kind, without_empty
from covey.protect.prepare import missing_notes, undefined_notes, withheld_notes
from covey.recipe import checks
from covey.utils.arrow import Table, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.parts.shape import Shape
    from covey.parts.survey import Survey
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes


def make_plan(survey: Survey) -> Plan:
    """The plan for a table that was surveyed; an error for what cannot be released as it is."""
    recipe = survey.recipe
    _check_rows(recipe, survey.rows)
    shapes = _shapes(survey)
    sample = survey.sampled()
    columns = {name: shapes[name].read(sample.column(name)) for name in recipe.roles.quasi}
    notes = _checked(survey, columns, shapes)
    moments = {name: survey.moments[name] for name in columns if shapes[name].kind in AMOUNTS}
    withheld = [name for name, found in moments.items() if found.one_makes_half]
    notes += withheld_notes(withheld)
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
        mean_weight=None if recipe.roles.weight is None else survey.weight / survey.rows,
    )


def _shapes(survey: Survey) -> dict[str, Shape]:
    recipe, shapes = survey.recipe, {name: found.shape() for name, found in survey.shapes.items()}
    decimals = {name: grain.digits for name, grain in survey.grains.items()} | dict(recipe.decimals)
    shapes |= {name: replace(shapes[name], decimals=number) for name, number in decimals.items()}
    return shapes | {asked.column: _asked_shape(survey, asked) for asked in recipe.requirements}


def _checked(survey: Survey, columns: Mapping[str, Values], shapes: Mapping[str, Shape]) -> list[Note]:
    """What there is to report of the quasi-identifiers; an error for what they cannot be asked for."""
    recipe = survey.recipe
    refuse_places(survey.places.values())
    refuse_codes({name: signs_of(whole) for name, whole in survey.wholes.items()})
    kinds = {name: column.kind for name, column in columns.items()}
    checks.check_kinds(recipe, kinds)
    limits_of(recipe, kinds)
    check_kinds(recipe.rules, columns)
    refuse_broken(recipe.rules_of_rows, survey.broken, when="of the table")
    nominal = {name: len(column.categories) for name, column in columns.items() if column.kind == "nominal"}
    nominal |= {name: int(np.count_nonzero(np.asarray(shapes[name].frequency))) for name in recipe.hierarchy}
    types = {name: shapes[name].type for name in recipe.hierarchy}
    return [*checks.category_notes(recipe, nominal), *checks.label_notes(recipe, types), *_missing(survey)]


def _check_rows(recipe: Recipe, rows: int) -> None:
    if rows == 0:
        raise InputError("the table has no rows; needed: at least k")
    check_enough(rows, recipe.k, "records")


def check_recipe(recipe: Recipe, column_names: Sequence[str]) -> None:
    """An error for choices that have no effect, and for names that a release in parts cannot take: before the work."""
    checks.check_effects(recipe, column_names)
    hidden = [name for name in column_names if "\0" in name]
    if hidden:
        msg = f"{len(hidden)} columns have names with a NUL character; needed: names without; rename them first"
        raise InputError(msg)


def _missing(survey: Survey) -> list[Note]:
    gaps = {name: survey.shapes[name].missing for name in survey.recipe.roles.quasi if survey.shapes[name].missing}
    return missing_notes(gaps, survey.recipe.missing)


def _sampled_notes(recipe: Recipe, survey: Survey, size: int) -> list[Note]:
    """What was taken from the sample although it was asked of the whole."""
    if size == survey.rows:
        return []
    texts = []
    if any(str(end).endswith("%") for end in (*recipe.top.values(), *recipe.bottom.values())):
        texts.append(f"the quantiles of top and bottom coding are those of {size} records drawn at random")
    if recipe.scale == "rank":
        texts.append(f"ranks are interpolated between those of {size} records drawn at random")
    if recipe.missing == "coordinate" and any(survey.shapes[name].missing for name in recipe.roles.quasi):
        texts.append(f"the median beside which missing values lie is that of {size} records drawn at random")
    return [Note(NoteKind.SAMPLED, text) for text in texts]


def _exposed(survey: Survey, columns: Mapping[str, Values]) -> list[Note]:
    """Kept columns that undo the grouping: in the sample where that is the whole, else in all rows of some values of each of them."""
    recipe, sample = survey.recipe, survey.sampled()
    notes = undefined_notes(survey.undefined)
    unit = recipe.roles.unit
    units = None if unit is None else _in_codes(unit_numbers(sample.column(unit)))
    exposed = exposures(_kept(survey, sample), list(columns.values()), recipe, units=units)
    if len(sample) < survey.rows:
        exposed = [one for one in exposed if one.quasi]  # how many share a value cannot be seen there
        for name, sliced in survey.slices.items():
            if sliced.table is not None:
                there = [survey.shapes[one].shape().read(sliced.table.column(one)) for one in columns]
                units = None if unit is None else _in_codes(sliced.table.column(UNIT).to_numpy())
                exposed += exposures(_kept(survey, sliced.table), there, recipe, units=units, within=name)
        if survey.slices:
            text = "kept columns were judged by rows drawn at random, and by all rows of some of their values"
            notes.append(Note(NoteKind.SAMPLED, text))
    shares = {name: survey.wordy[name] / max(1, number) for name, number in survey.known.items()}
    return notes + refuse_exposed(_largest(exposed), shares, recipe)


def _in_codes(numbers: NDArray[np.generic]) -> Codes:
    """Numbers from 0 in place of larger ones."""
    codes: Codes = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return codes


def _kept(survey: Survey, table: Table) -> dict[str, Values]:
    return {name: read_kept(name, table.column(name)) for name in survey.slices}


def _largest(exposed: Sequence[Exposure]) -> list[Exposure]:
    """Of what was seen more than once, the largest share."""
    best: dict[tuple[tuple[str, ...], str], Exposure] = {}
    for exposure in exposed:
        place = (exposure.columns, exposure.quasi)
        best[place] = max(exposure, best.get(place, exposure), key=lambda seen: seen.share)
    return list(best.values())


def _asked_shape(survey: Survey, asked: Requirement) -> Shape:
    """The shape of a sensitive column in the type in which it is judged."""
    if asked.kind == SPREAD:
        found, moments = survey.spread[asked.column]
        shape = found.shape()
        check_kind(asked, shape.read(pa.array([], shape.type)), 0)
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
    """An error where not even all records together satisfy a requirement; how units share the values is seen in parts."""
    if asked.kind == CLOSENESS:
        return
    if survey.recipe.roles.unit is not None:
        if asked.limit > values.valid.sum():
            raise cannot_hold(asked, int(values.valid.sum()))
        return
    counts = survey.asked[asked.column].counts
    names = survey.asked[asked.column].shape().categories.to_pylist()
    numbers = np.array([counts[name] for name in names], dtype=np.int64)
    rows = np.repeat(np.arange(len(values)), np.minimum(numbers, 10_000))  # shares matter, not sizes
    several = values.take(rows)
    if not Demands([(asked, several)], None, np.arange(len(rows))).hold(np.arange(len(rows))):
        raise cannot_hold(asked, int(values.valid.sum()))


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


def _category_place(survey: Survey, shape: Shape) -> Place:
    recipe = survey.recipe
    codes = np.arange(len(shape.categories))
    counts = np.asarray(shape.frequency)
    missing = survey.shapes[shape.name].missing
    codes, counts = codes[counts > 0], counts[counts > 0]  # a type may know more than occur
    if missing or len(codes) == 0:
        codes, counts = np.append(codes, np.iinfo(np.int64).max), np.append(counts, max(1, missing))
    if shape.tree is not None:
        return hierarchy_place(shape.tree, codes, counts, recipe.scale)
    return category_place(codes, counts, recipe.scale, recipe.categories, recipe.penalty)
