"""`Evidence`: a release beside its original, row by row, from which measures are taken; and `Measured`, what they say.

Lives as long as a release is being made and no longer: a `Release` holds what was measured, not this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.coordinates import floats_above, least_integer
from covey.values import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.coordinates import Scaler
    from covey.dominance import OwnValues
    from covey.values import Values

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

COUNTED = (*NUMBERS, "ordinal")
"""Kinds of columns whose values are numbers, or ranks that are taken for them."""

Better = Literal["higher", "lower"]


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
    weights: Floats | None = None
    released_weights: Floats | None = None
    strata: Codes | None = None
    stratum_names: Mapping[int, str] = field(default_factory=dict)
    """How the strata are called, for internal reports."""
    sensitive: Mapping[str, Codes] = field(default_factory=dict)
    own: Mapping[str, OwnValues] = field(default_factory=dict)
    """Groups whose value gives one member away, counted column by column."""
    coded: frozenset[str] = frozenset()
    """Columns whose largest or smallest values were coded before grouping."""
    units: Codes | None = None
    sample: int = 5000
    """How many records an estimate looks at; all, where there are no more than four times as many."""
    looked_at: Codes | None = None
    """The rows that estimates look at, where they were chosen already."""
    spread: frozenset[str] | None = None
    """Columns whose aggregates may be public, where that was counted already."""

    @property
    def rows(self) -> int:
        """The number of published rows."""
        return len(self.classes)

    def numbers(self, name: str) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """A column of numbers before and after, and which rows have both.

        Above its least whole number, so that none is rounded, and in units in which nothing overflows.
        """
        return self._scaled(name, least_integer(self.original[name]))

    def amounts(self, name: str) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """The same of amounts that are added up: above 0."""
        return self._scaled(name, 0)

    def _scaled(self, name: str, low: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
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

    def is_spread(self, contributions: Floats, rows: NDArray[np.bool_]) -> bool:
        """Whether an aggregate is one of many: no record, or unit, makes more than one k-th of it."""
        if self.units is not None:
            contributions = np.asarray(np.bincount(self.units[rows], weights=contributions), dtype=np.float64)
        return float(contributions.max(initial=0.0)) * self.k <= float(contributions.sum())

    def is_common(self, rows: NDArray[np.bool_]) -> bool:
        """Whether such records, and the others, are none or at least k: fewer would tell of somebody."""
        return all(count == 0 or count >= self.k for count in (self.number(rows), self.number(~rows)))

    def number(self, rows: NDArray[np.bool_]) -> int:
        """How many these are, in units where there are some."""
        return int(rows.sum()) if self.units is None else len(np.unique(self.units[rows]))

    @cached_property
    def spread_columns(self) -> frozenset[str]:
        """Columns whose aggregates may be public.

        Nobody makes more than one k-th of their variation or of what was lost of it, and no value was coded before grouping.
        """
        if self.spread is not None:
            return self.spread
        found = set()
        for name, column in self.original.items():
            if column.kind not in COUNTED or name in self.coded:
                continue
            before, after, known = self.numbers(name)
            centred = before[known] - before[known].mean() if known.any() else before[known]
            if self.is_spread((before - after)[known] ** 2, known) and self.is_spread(centred**2, known):
                found.add(name)
        return frozenset(found)

    @cached_property
    def is_public(self) -> bool:
        """Whether aggregates over all numbers may be public: those of one column could be subtracted from them."""
        return all(name in self.spread_columns for name, column in self.original.items() if column.kind in COUNTED)

    def drawn(self) -> NDArray[np.int64]:
        """The rows an estimate looks at: all, or a sample that is always the same."""
        if self.looked_at is not None:
            return self.looked_at
        if self.rows <= 4 * self.sample:
            return np.arange(self.rows)
        return np.sort(np.random.RandomState(0).permutation(self.rows)[: self.sample])


@dataclass(frozen=True)
class Measured:
    """One number, what it means, which direction is better, and an interval (95 %) where it is an estimate."""

    name: str
    value: float
    better: Better
    meaning: str
    attacker: str | None = None
    column: str | None = None
    stratum: str | None = None
    interval: tuple[float, float] | None = None
    public: bool = True
    """Whether it may stand in a public report: an aggregate over many records."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        shown: dict[str, Any] = {
            "measure": self.name,
            "value": _plain(self.value),
            "better": self.better,
            "meaning": self.meaning,
        }
        shown["public"] = self.public
        if self.column is not None:
            shown["column"] = self.column
        if self.stratum is not None:
            shown["stratum"] = self.stratum
        if self.attacker is not None:
            shown["attacker"] = self.attacker
        if self.interval is not None:
            shown["interval"] = [_plain(end) for end in self.interval]
        return shown


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


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
