"""`Evidence`: a release beside its original, row by row, from which measures are taken; and `Measured`, what they say.

Lives as long as a release is being made and no longer: a `Release` holds what was measured, not this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.columns.cells import combine
from covey.columns.compositions import compositions
from covey.columns.coordinates import Scaler, floats_above, least_integer
from covey.columns.values import NUMBERS, Values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.columns.of_table import OfTable
    from covey.columns.own_values import OwnValues
    from covey.core.measure import Measure
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes, Flags, Floats

__all__ = ["COUNTED", "NORMALISED", "Evidence", "Measured", "look_alike", "share"]

COUNTED = (*NUMBERS, "ordinal")
"""Kinds of columns whose values are numbers, or ranks that are taken for them."""

Pooled = Literal["mean", "largest", "sum"]

NORMALISED = 1.1
"""Weights with a mean up to this do not say how many people a record stands for."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """The quasi-identifiers of the published rows before and after, in the same order, and what goes with them."""

    original: Mapping[str, Values]
    released: Mapping[str, Values]
    scaler: Scaler
    """From columns to coordinates, by the scale of the original."""
    classes: Codes
    """Records with the same number look the same in the release."""
    k: int
    fit: Callable[[Sequence[Values]], Scaler] = Scaler
    """From columns to the scale that they would have by themselves."""
    weights: Floats | None = None
    released_weights: Floats | None = None
    strata: Codes | None = None
    stratum_names: Mapping[int, str] = field(default_factory=dict)
    """How the strata are called, for internal reports."""
    sensitive: Mapping[str, Codes] = field(default_factory=dict)
    own: Mapping[str, OwnValues] = field(default_factory=dict)
    """Groups whose value gives one member away, counted column by column."""
    units: Codes | None = None
    places: Codes | None = None
    """The role and the time of each row in its unit, where others may link the rows of units: who knows a unit knows all of its rows."""
    sample: int = 5000
    """How many records an estimate looks at; all, where there are no more than four times as many."""
    looked_at: Codes | None = None
    """The rows that estimates look at, where they were chosen already."""
    mean_weight: float | None = None
    """The mean of all weights, where these are the records of a part."""
    suppressed_share: float = 0.0
    """The share of all records that is not published."""
    without_cells: bool = False
    """Whether records that have no quasi-identifier were published without what they had."""

    tables: tuple[OfTable, ...] = ()
    """The two tables that the rows were joined of, where they were: what their columns lose is measured by the rows of each."""

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        original: Mapping[str, Values],
        released: Mapping[str, Values],
        scaler: Scaler,
        strata: Codes | None,
        **others: Any,
    ) -> Evidence:
        """The evidence of a release by a recipe; `others` are further fields."""
        rows = len(next(iter(released.values())))
        classes = look_alike(released, strata, others.get("released_weights"), rows)
        evidence = cls(
            original, released, scaler, classes, recipe.k, partial(Scaler.of, recipe), strata=strata, **others
        )
        return replace(evidence, classes=evidence._within_units(classes))

    @property
    def rows(self) -> int:
        """The number of published rows."""
        return len(self.classes)

    def untouched(self) -> Evidence:
        """The original beside itself: what an attacker would gain, were nothing done."""
        known = self.weights if self.released_weights is not None else None
        classes = look_alike(self.original, self.strata, known, self.rows)
        alike = self._within_units(classes)
        return replace(self, released=self.original, classes=alike, released_weights=known, own={})

    def _within_units(self, classes: Codes) -> Codes:
        """The same where units are linked: records are alike if all rows of their units are, and they are among them."""
        if self.places is None or self.units is None:
            return classes
        alike = combine([classes, self.places], self.rows)
        return combine([compositions(alike, self.units), alike], self.rows)

    def of_each_table(self) -> list[Evidence]:
        """The columns and the rows of either table by themselves, as far as it has some; this, where there is a single table."""
        if not self.tables:
            return [self]
        named = [(table, [name for name in self.original if name in table.columns]) for table in self.tables]
        return [self.among(table.numbers, names) for table, names in named if names and table.rows.any()]

    def of_whom(self) -> Evidence:
        """One row for each row of the first table, alike where all that belongs to them is; this, where there is a single table."""
        if not self.tables or self.units is None:
            return self
        number = np.unique(self.units, return_inverse=True)[1].reshape(-1)
        alike = replace(self, classes=compositions(self.classes, number))
        return alike.among(self.tables[0].numbers, list(self.original))

    def sensitive_of_each_table(self) -> list[Evidence]:
        """The classes of either table by its own rows, with its sensitive columns."""
        of_rows = (self.of_whom(), self.among(self.tables[1].numbers, list(self.original)))
        return [
            replace(one, sensitive={name: codes for name, codes in one.sensitive.items() if name in table.columns})
            for one, table in zip(of_rows, self.tables, strict=True)
        ]

    def among(self, rows: Codes, names: Sequence[str]) -> Evidence:
        """Some rows and columns."""
        before, after = ({name: of[name].take(rows) for name in names} for of in (self.original, self.released))
        by_row = ("classes", "weights", "released_weights", "strata", "units", "places")
        taken = {name: getattr(self, name) for name in by_row if getattr(self, name) is not None}
        return replace(
            self,
            original=before,
            released=after,
            scaler=self.fit(list(before.values())),
            own={name: of for name, of in self.own.items() if name in names},
            sensitive={name: codes[rows] for name, codes in self.sensitive.items()},
            tables=(),
            **{name: values[rows] for name, values in taken.items()},
        )

    def published(self) -> Evidence:
        """What a public report may tell of: the release beside originals that are pulled into it.

        A value beyond the least or the largest that is released becomes that one, a category that is not released a missing one;
        scales and weights are those of the release. So nothing that is measured here depends on how far beyond a value lies.
        """
        original = {name: _within(column, self.released[name]) for name, column in self.original.items()}
        scaler = self.fit([_with_gap(self.released[name]) for name in original])
        return replace(self, original=original, scaler=scaler, weights=self.released_weights, own={})

    @property
    def is_on_a_tree(self) -> bool:
        """Whether a column has a hierarchy: its labels are no values of the original, so that `published` can pull none into them."""
        return any(column.tree is not None for column in self.original.values())

    @property
    def people(self) -> Floats | None:
        """The weights, where they say how many people a record stands for: not where they were normalised to a mean of 1."""
        if self.weights is None:
            return None
        mean = float(self.weights.mean()) if self.mean_weight is None else self.mean_weight
        return self.weights if mean > NORMALISED else None

    def numbers(self, name: str) -> tuple[Floats, Floats, Flags]:
        """A column of numbers before and after, and which rows have both.

        Above its least whole number, so that none is rounded, and in units in which nothing overflows.
        """
        return self._scaled(name, least_integer(self.original[name]))

    def amounts(self, name: str) -> tuple[Floats, Floats, Flags]:
        """The same of amounts that are added up: above 0."""
        return self._scaled(name, 0)

    def _scaled(self, name: str, low: int) -> tuple[Floats, Floats, Flags]:
        before, after = self.original[name], self.released[name]
        known = before.valid & after.valid
        values = floats_above(before, low)
        power = int(np.frexp(np.abs(values[known]).max(initial=0.0))[1])
        return np.ldexp(values, -power), np.ldexp(floats_above(after, low), -power), known

    def points(self, rows: Codes) -> Floats:
        """The coordinates of these rows of the original: of some, since all of them may be large."""
        return self.scaler([column.take(rows) for column in self.original.values()])

    def released_points(self, rows: Codes) -> Floats:
        """The coordinates of these rows of the release, by the same scale."""
        return self.scaler([self.released[name].take(rows) for name in self.original])

    def is_spread(self, contributions: Floats, rows: Flags) -> bool:
        """Whether an aggregate is one of many: no record, or unit, makes more than one k-th of it."""
        if self.units is not None:
            contributions = np.asarray(np.bincount(self.units[rows], weights=contributions), dtype=np.float64)
        return float(contributions.max(initial=0.0)) * self.k <= float(contributions.sum())

    @cached_property
    def spread_columns(self) -> frozenset[str]:
        """Columns whose aggregates may be public: nobody makes more than one k-th of their variation or of what was lost of it."""
        spread = set()
        for name, column in self.original.items():
            if column.kind not in COUNTED:
                continue
            before, after, known = self.numbers(name)
            centred = before[known] - before[known].mean() if known.any() else before[known]
            if self.is_spread((before - after)[known] ** 2, known) and self.is_spread(centred**2, known):
                spread.add(name)
        return frozenset(spread)

    @cached_property
    def is_public(self) -> bool:
        """Whether aggregates over all numbers may be public: those of one column could be subtracted from them."""
        return all(name in self.spread_columns for name, column in self.original.items() if column.kind in COUNTED)

    def drawn(self) -> Codes:
        """The rows an estimate looks at: all, or a sample that is always the same."""
        if self.looked_at is not None:
            return self.looked_at
        if self.rows <= 4 * self.sample:
            return np.arange(self.rows)
        return np.sort(np.random.RandomState(0).permutation(self.rows)[: self.sample])


@dataclass(frozen=True)
class Measured:
    """One number, what it means, which direction is better, and an interval (95 %) where it is an estimate."""

    name: Measure
    value: float
    meaning: str
    attacker: str | None = None
    column: str | None = None
    stratum: str | None = None
    interval: tuple[float, float] | None = None
    original: float | None = None
    """Of a risk: what it would be, were the original published."""
    pooled: Pooled = "mean"
    """How parts of a table become the whole."""
    limit: int | None = None
    """Of records in small classes: how many would be enough."""

    @property
    def label(self) -> str:
        """How it is called in a report."""
        return str(self.name) if self.limit is None else f"{self.name} {self.limit}"

    @property
    def finite(self) -> float | None:
        """The number, where it is one."""
        return float(self.value) if math.isfinite(self.value) else None

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        numbers = {"measure": self.label, "value": self.finite, "better": self.name.better, "meaning": self.meaning}
        others = {name: getattr(self, name) for name in ("original", "column", "stratum", "attacker", "interval")}
        return numbers | {name: _plain(value) for name, value in others.items() if value is not None}


def look_alike(columns: Mapping[str, Values], strata: Codes | None, weights: Floats | None, rows: int) -> Codes:
    """Number the records by what they share of columns, strata and weights."""
    known = [np.where(c.valid, c.physical, 0) for c in columns.values()] + [c.valid for c in columns.values()]
    return combine([*known, *(one for one in (strata, weights) if one is not None)], rows)


def _within(column: Values, released: Values) -> Values:
    """The column within what is released of it."""
    there = released.physical[released.valid]
    if len(there) == 0 or column.kind not in COUNTED:
        return column.replaced(column.physical, column.valid & np.isin(column.physical, there))
    return column.replaced(np.clip(column.physical, there.min(), there.max()), column.valid)


def _with_gap(column: Values) -> Values:
    """A column of categories with a missing value more, so that its scale knows missing ones."""
    if column.kind in COUNTED:
        return column
    return replace(column, physical=np.append(column.physical, 0), valid=np.append(column.valid, False))


def share(hits: float, looked_at: int, of: int) -> tuple[float, tuple[float, float] | None]:
    """A share and, where only a sample was looked at, Wilson's interval."""
    if looked_at == 0:
        return 0.0, None
    p = hits / looked_at
    if looked_at == of:
        return p, None
    z = 1.959964
    middle = (p + z * z / (2 * looked_at)) / (1 + z * z / looked_at)
    half = z / (1 + z * z / looked_at) * math.sqrt(p * (1 - p) / looked_at + z * z / (4 * looked_at**2))
    return p, (max(0.0, middle - half), min(1.0, middle + half))


def _plain(value: str | float | tuple[float, float]) -> object:
    """A text, a number where it is one, or several."""
    if isinstance(value, tuple):
        return [_plain(end) for end in value]
    return value if isinstance(value, str) else float(value) if math.isfinite(value) else None
