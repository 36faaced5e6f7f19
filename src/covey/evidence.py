"""`Evidence`: a release beside its original, row by row, from which measures are taken; and `Measured`, what they say.

Lives as long as a release is being made and no longer: a `Release` holds what was measured, not this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.coordinates import Scaler
    from covey.dominance import OwnValues
    from covey.values import Values

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

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

    @property
    def rows(self) -> int:
        """The number of published rows."""
        return len(self.classes)

    def numbers(self, name: str) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """A column of numbers before and after, in units in which nothing overflows, and which rows have both."""
        before, after = self.original[name], self.released[name]
        known = before.valid & after.valid
        values = before.physical.astype(np.float64)
        power = int(np.frexp(np.abs(values[known]).max(initial=0.0))[1])
        return np.ldexp(values, -power), np.ldexp(after.physical.astype(np.float64), -power), known

    def points(self, rows: Codes) -> Floats:
        """The coordinates of these rows of the original: of some, since all of them may be large."""
        return self.scaler([column.take(rows) for column in self.original.values()])

    def released_points(self, rows: Codes) -> Floats:
        """The coordinates of these rows of the release, by the same scale."""
        return self.scaler([self.released[name].take(rows) for name in self.original])

    def is_spread(self, name: str, contributions: Floats) -> bool:
        """Whether an aggregate of a column is one of many: no record makes more than one k-th of it, and none was coded."""
        largest = float(contributions.max(initial=0.0))
        return name not in self.coded and largest * self.k <= float(contributions.sum())

    def drawn(self) -> NDArray[np.int64]:
        """The rows an estimate looks at: all, or a sample that is always the same."""
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
