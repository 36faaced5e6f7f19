"""Read the columns of a table by their roles and refuse what cannot be released as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.edits import check_edits, check_kinds
from covey.columns.exposure import check_exposure
from covey.columns.grain import grained
from covey.columns.hierarchy.reading import read_hierarchical
from covey.columns.of_table import OfTable, own_rows_of, own_values_of
from covey.columns.order_rules import UnitMembers
from covey.columns.top_coding import code_ends
from covey.columns.units import read_units, spelling_note
from covey.columns.values import AMOUNTS, Values, read_values
from covey.columns.weights import read_weights
from covey.errors import InputError
from covey.recipe import checks
from covey.utils.arrow import Table, pa, pc
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.recipe.recipe import Recipe
    from covey.recipe.roles import Roles
    from covey.recount.readings import Units
    from covey.utils.typing import Floats, Integers


@dataclass
class Prepared:
    """What a release is made from: quasi-identifiers (coded at their ends), strata, unit and weight."""

    columns: dict[str, Values]
    strata: dict[str, Values]
    units: Units | None
    weight: Floats | None
    notes: list[Note] = field(default_factory=list)
    uncoded: dict[str, Values] = field(default_factory=dict)
    """The quasi-identifiers as they came in."""
    totals: dict[str, float] = field(default_factory=dict)
    """The (weighted) totals of amounts, before anything was done to them."""
    moved: dict[str, dict[str, int]] = field(default_factory=dict)
    """Column to how many values were moved to either end."""
    withheld: list[str] = field(default_factory=list)
    """Columns of whose total one record makes more than half: it would tell of that record."""


def prepare(table: Table, recipe: Recipe, step: Callable[[str], Any], tables: Sequence[OfTable] = ()) -> Prepared:
    """Read and check the columns of a table, which all have a role; where it was joined of two, by the rows of either."""
    step("checking columns")
    if table.num_rows == 0:
        raise InputError("the table has no rows; needed: at least k")
    ready = _read(table, recipe)
    check_kinds(recipe.rules, ready.columns)
    unit = None if ready.units is None else ready.units.number
    of_units = UnitMembers.of(table, unit, recipe, np.arange(table.num_rows))
    check_edits(recipe.rules, ready.columns, when="of the table", members=of_units)
    gaps = {name: own_values_of(column, tables).missing for name, column in ready.columns.items()}
    ready.notes += missing_notes({name: number for name, number in gaps.items() if number}, recipe.missing)
    ready.uncoded = dict(ready.columns)
    ready.totals = totals_of(ready.columns, ready.weight, tables)
    ready.withheld = [name for name in ready.totals if _one_makes_half(ready.columns[name], ready.weight, tables)]
    ready.notes += withheld_notes(ready.withheld)
    _code(ready, recipe, of_units)
    step("looking for columns that undo the grouping")
    _check_published(table, ready, recipe, tables)
    return ready


def totals_of(columns: Mapping[str, Values], weights: Floats | None, tables: Sequence[OfTable]) -> dict[str, float]:
    """The totals of the amounts, each over the rows of its own table."""
    amounts = {name: column for name, column in columns.items() if column.kind in AMOUNTS}
    return {name: total(*_own(column, weights, tables)) for name, column in amounts.items()}


def _own(column: Values, weights: Floats | None, tables: Sequence[OfTable]) -> tuple[Values, Floats | None]:
    """A column and the weights, with the rows of its own table."""
    rows = own_rows_of(column.name, tables, len(column))
    return column.take(rows), None if weights is None else weights[rows]


def total(column: Values, weights: Floats | None) -> float:
    """The total of a column of amounts; infinite where that exceeds a float."""
    scale = 10.0**-column.type.scale if column.kind == "decimal" else 1.0
    values = np.where(column.valid, column.physical.astype(np.float64), 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        return float((values if weights is None else values * weights).sum()) * scale


def _one_makes_half(column: Values, weights: Floats | None, tables: Sequence[OfTable]) -> bool:
    column, weights = _own(column, weights, tables)
    size = np.where(column.valid, np.abs(column.physical.astype(np.float64)), 0.0)
    size = size / max(float(size.max()), 1e-300) * (1.0 if weights is None else weights / weights.max())
    return bool(size.max() > 0.5 * size.sum())


def identifier_codes(table: Table, name: str) -> Integers:
    """Number the values of an identifier; a missing one is a value."""
    values = read_values(name, table.column(name), nominal=True)
    return np.where(values.valid, values.physical, -1)


def _read(table: Table, recipe: Recipe) -> Prepared:
    roles = recipe.roles
    columns = {name: _quasi(name, table, recipe) for name in roles.quasi}
    checks.check_kinds(recipe, {name: column.kind for name, column in columns.items()})
    categories = {column.name: len(column.categories) for column in columns.values() if column.kind == "nominal"}
    categories |= {name: len(np.unique(columns[name].physical[columns[name].valid])) for name in recipe.hierarchy}
    notes = checks.category_notes(recipe, categories)
    notes += checks.label_notes(recipe, {name: table.schema.field(name).type for name in recipe.hierarchy})
    units = None if roles.unit is None else read_units(table, roles.unit)
    if units is not None:
        notes += spelling_note(*(len(np.unique(one)) for one in reversed(units.readings)))
    weight = None if roles.weight is None else read_weights(table, roles.weight)
    columns = {
        name: grained(column, recipe, None if units is None else units.number) for name, column in columns.items()
    }
    strata = {name: read_values(name, table.column(name), nominal=True) for name in roles.strata}
    return Prepared(columns, strata, units, weight, notes)


def _quasi(name: str, table: Table, recipe: Recipe) -> Values:
    column = table.column(name)
    if name in recipe.hierarchy:
        return read_hierarchical(name, column, recipe.hierarchy[name])
    return read_values(name, column, nominal=name in recipe.nominal, order=recipe.ordinal.get(name))


def missing_notes(gaps: Mapping[str, int], rule: str) -> list[Note]:
    """What to say of missing values, by column; an error where the rule is that there are none."""
    if not gaps:
        return []
    listed = ", ".join(f"{name} ({number})" for name, number in gaps.items())
    if rule == "error":
        raise InputError(
            f"quasi-identifiers have missing values: {listed}; needed: none, or a rule for them; choose own-group or "
            "coordinate (missing, --missing)"
        )
    return [Note(NoteKind.MISSING, f"missing values of quasi-identifiers, rule {rule}: {listed}")]


def withheld_notes(names: Sequence[str]) -> list[Note]:
    """What to say of columns whose totals would tell of one record."""
    text = f"totals are not shown where one record makes more than half: {', '.join(names)}"
    return [Note(NoteKind.TOTALS, text)] if names else []


def undefined_notes(numbers: Mapping[str, int]) -> list[Note]:
    """What to say of published columns with values that are not a number, by how many they have."""
    return [
        Note(NoteKind.MISSING, f"column {name!r}: {number} values that are not a number are published as missing")
        for name, number in numbers.items()
        if number
    ]


def _code(ready: Prepared, recipe: Recipe, of_units: UnitMembers | None) -> None:
    for name, column in ready.columns.items():
        ready.columns[name], notes = code_ends(column, top=recipe.top.get(name), bottom=recipe.bottom.get(name))
        ready.notes += notes
    if recipe.top or recipe.bottom:
        check_edits(recipe.rules, ready.columns, when="after top and bottom coding", members=of_units)


def _check_published(table: Table, ready: Prepared, recipe: Recipe, tables: Sequence[OfTable]) -> None:
    roles = recipe.roles
    kept = {name: table.column(name) for name in (*roles.keep, *roles.sensitive)}
    floats = {name: column for name, column in kept.items() if pa.types.is_floating(column.type)}
    ready.notes += undefined_notes(
        {name: int(pc.sum(pc.is_nan(column)).as_py() or 0) for name, column in floats.items()}
    )
    ready.notes += check_exposure(
        kept, list(ready.columns.values()), recipe, tables, None if ready.units is None else ready.units.number
    )
    check_identifiers(roles, lambda name: _repeats(table, name, tables))


def _repeats(table: Table, name: str, tables: Sequence[OfTable]) -> bool:
    """Whether an identifier stands in several rows of its own table."""
    codes = identifier_codes(table, name)[own_rows_of(name, tables, table.num_rows)]
    return len(np.unique(codes)) < len(codes)


def check_identifiers(roles: Roles, repeats: Callable[[str], bool]) -> None:
    """An error for an identifier with random ids that stands in several rows and is no unit."""
    for name in roles.random_ids:
        if name not in (roles.unit, *roles.strata) and repeats(name):
            raise InputError(
                f"the identifier {name!r} repeats, and random ids would link those rows; needed: one row for each; declare it as the "
                "unit, or drop it"
            )
