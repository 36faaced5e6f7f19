"""`Survey`: what must be known of a whole table before a part of it can be released; found in parts and added up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.cells import pattern_keys
from covey.columns.codes import WholeNumbers, undeclared
from covey.columns.edits import broken_rules
from covey.columns.exposure import wordy
from covey.columns.grain import surveyed
from covey.columns.places import named_places
from covey.columns.recoded import recoded
from covey.columns.units import read_units, unit_numbers
from covey.columns.values import NUMBERS, Values, read_kept
from covey.columns.weights import read_weights
from covey.core.requirement import SPREAD
from covey.parts.combos import Combos, combos_of
from covey.parts.moments import Moments
from covey.parts.shape import ShapeSurvey
from covey.parts.slices import MOST_ROWS, UNIT, Slice, without_texts
from covey.utils.arrow import Column, Table, pa, pc
from covey.utils.hashing import Sums, numbers_of
from covey.utils.sketch import TableSketches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Integers

ROW = "\0row"
"""The name of a column of row numbers: no column of a table has it."""
SAMPLE = 2**18
"""Rows that medians, ranks, quantiles and splits are taken from."""


def asked_surveys(recipe: Recipe) -> dict[str, ShapeSurvey]:
    """For every sensitive column whose values are counted: how often each occurs."""
    return {
        asked.column: ShapeSurvey(asked.column, nominal=True) for asked in recipe.requirements if asked.kind != SPREAD
    }


class Survey:
    """Shapes, moments, combinations, samples and fingerprints of the columns of a table.

    `add` looks at a part, `merge` takes over what another survey saw: the result does not depend on the parts but for the
    sample. `share` is the share of the rows that go into the sample.
    """

    def __init__(self, recipe: Recipe, share: float, sliced: int = MOST_ROWS) -> None:
        roles = recipe.roles
        self.recipe, self.share = recipe, share
        self.shapes = {
            name: ShapeSurvey(
                name,
                nominal=name in recipe.nominal,
                order=recipe.ordinal.get(name),
                hierarchy=recipe.hierarchy.get(name),
            )
            for name in roles.quasi
        }
        self.shapes |= {name: ShapeSurvey(name, nominal=True) for name in roles.strata}
        self.moments = {name: Moments() for name in roles.quasi}
        self.grains = surveyed(recipe)
        self.wholes = {name: WholeNumbers(name) for name in undeclared(recipe)}
        self.places = named_places(recipe)
        self.combos = Combos(len(roles.strata), recipe.k)
        self.asked = asked_surveys(recipe)
        spread = [asked.column for asked in recipe.requirements if asked.kind == SPREAD]
        self.spread = {name: (ShapeSurvey(name), Moments()) for name in spread}
        kept = (*roles.keep, *roles.sensitive)
        self.slices = {name: Slice(name, salt, sliced, kept) for salt, name in enumerate(kept)}
        self.wordy = dict.fromkeys(kept, 0)
        """How many values of a column are text of several words, and how many there are."""
        self.known = dict.fromkeys(kept, 0)
        self.undefined = dict.fromkeys((*roles.keep, *roles.sensitive), 0)
        self.broken = [0] * len(recipe.rules_of_rows)
        self.table_sums = Sums()
        self.column_sums = {name: Sums() for name in roles.quasi}
        self.sketches = TableSketches()
        self.sample: list[Any] = []
        self.rows, self.weight = 0, 0.0
        self.labels: dict[str, list[Any]] = {name: [] for name in roles.strata}

    def add(self, table: Table, seed: Sequence[int], first: int | None = None) -> None:
        """Look at a part; `seed` numbers the part, and decides which of its rows are in the sample.

        With `first`, the number of its first row, the sample has the numbers of its rows in the column `ROW`.
        """
        roles, came = self.recipe.roles, table
        for name, signs in self.places.items():
            signs.add(read_kept(name, table.column(name)))
        table = recoded(table, self.recipe).table
        columns = {name: self.shapes[name].add(table.column(name)) for name in roles.quasi}
        strata = {name: self._stratum(name, table.column(name)) for name in roles.strata}
        weights = None if roles.weight is None else read_weights(table, roles.weight)
        units = None
        if roles.unit is not None:
            read_units(table, roles.unit)
            units = unit_numbers(table.column(roles.unit)).view(np.int64)
        for name, column in columns.items():
            if column.kind in NUMBERS or column.kind == "ordinal":
                self.moments[name].add(column, weights)
        for name, whole in self.wholes.items():
            whole.add(columns[name])
        for name, grain in self.grains.items():
            grain.add(columns[name], units)
        patterns = pattern_keys(self.recipe, columns)
        self.combos.add(*combos_of(strata, patterns, table.num_rows), units)
        broken = broken_rules(self.recipe.rules_of_rows, columns)
        self.broken = [a + b for a, b in zip(self.broken, broken, strict=True)]
        for name, survey in self.asked.items():
            survey.add(table.column(name))
        for name, (shape, moments) in self.spread.items():
            moments.add(shape.add(table.column(name)), None)
        self._look_at_kept(table, units)
        read = self.recipe.read_columns
        numbers = {name: numbers_of(came.column(name)) for name in came.column_names if name in read}
        self.table_sums.add_numbers(numbers.values())
        for name in roles.quasi:
            self.column_sums[name].add_numbers([numbers[name]])
        self.sketches.add_table(came, numbers, roles)
        self._draw(table, seed, first)
        self.rows += table.num_rows
        self.weight += 0.0 if weights is None else float(weights.sum())

    def _stratum(self, name: str, column: Column) -> Values:
        """The labels of a stratum in codes by first appearance, which are the same for all parts of this survey."""
        labels = self.shapes[name].add(column)
        known = {label: code for code, label in enumerate(self.labels[name])}
        for label in labels.categories.to_pylist():
            if label not in known:
                known[label] = len(known)
                self.labels[name].append(label)
        code = np.array([known[label] for label in labels.categories.to_pylist()] or [0], dtype=np.int64)
        return labels.replaced(code[labels.physical], labels.valid)

    def _look_at_kept(self, table: Table, units: Integers | None) -> None:
        looked_at = table.select([*self.recipe.roles.quasi, *self.slices])
        if units is not None:
            looked_at = looked_at.append_column(UNIT, pa.array(units))
        for name, sliced in self.slices.items():
            sliced.add(looked_at)
            self.wordy[name] += wordy(table.column(name))
            self.known[name] += table.num_rows - table.column(name).null_count
            if pa.types.is_floating(table.column(name).type):
                self.undefined[name] += int(pc.sum(pc.is_nan(table.column(name))).as_py() or 0)

    def _draw(self, table: Table, seed: Sequence[int], first: int | None) -> None:
        random = np.random.default_rng([*seed, int(str(self.recipe.entropy)[:8], 16)])
        if self.share >= 1.0:
            rows = np.arange(table.num_rows)
        else:
            rows = np.flatnonzero(random.random(table.num_rows) < self.share)
        if len(rows):
            roles = self.recipe.roles
            others = [name for name in (roles.unit, roles.weight) if name is not None]
            names = list(dict.fromkeys((*roles.quasi, *roles.strata, *self.slices, *others)))
            drawn = without_texts(table.select(names).take(pa.array(rows)), list(self.slices))
            self.sample.append(drawn if first is None else drawn.append_column(ROW, pa.array(first + rows)))

    def merge(self, other: Survey) -> None:
        """Take over what another survey of the same recipe saw."""
        self._merge_combos(other)
        for name, shape in self.shapes.items():
            shape.merge(other.shapes[name])
        for name, asked in self.asked.items():
            asked.merge(other.asked[name])
        for name, (shape, moments) in self.spread.items():
            shape.merge(other.spread[name][0])
            moments.merge(other.spread[name][1])
        for name, moments in self.moments.items():
            moments.merge(other.moments[name])
        for name, whole in self.wholes.items():
            whole.merge(other.wholes[name])
        for name, grain in self.grains.items():
            grain.merge(other.grains[name])
        for name, signs in self.places.items():
            signs.merge(other.places[name])
        for name, sliced in self.slices.items():
            sliced.merge(other.slices[name])
            self.undefined[name] += other.undefined[name]
            self.wordy[name] += other.wordy[name]
            self.known[name] += other.known[name]
        self.broken = [a + b for a, b in zip(self.broken, other.broken, strict=True)]
        self.table_sums.merge(other.table_sums)
        for name, sums in self.column_sums.items():
            sums.merge(other.column_sums[name])
        self.sketches.merge(other.sketches)
        self.sample += other.sample
        self.rows, self.weight = self.rows + other.rows, self.weight + other.weight

    def _merge_combos(self, other: Survey) -> None:
        """The labels of the other survey get this one's codes."""
        codes = []
        for name, labels in self.labels.items():
            known = {label: code for code, label in enumerate(labels)}
            for label in other.labels[name]:
                if label not in known:
                    known[label] = len(known)
                    labels.append(label)
            codes.append([known[label] for label in other.labels[name]])
        self.combos.merge(other.combos.recoded(codes))

    def sampled(self) -> Any:
        """The sample as one table."""
        return pa.concat_tables(self.sample)
