"""What must be known of the numbers of a whole column, added up from parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from covey.columns.values import Values
    from covey.utils.typing import Floats

Wide = np.longdouble
"""Squares of the largest doubles do not overflow it where it is wider."""
_ZERO = Wide(0)


@dataclass
class Moments:
    """Number, ends, mean and sum of squares around it; sums of sizes (with weights), and the largest of them."""

    count: int = 0
    low: float = np.inf
    high: float = -np.inf
    least: int | None = None
    """The least whole number, exactly."""
    mean: Wide = _ZERO
    squares: Wide = _ZERO
    total: float = 0.0
    size: float = 0.0
    largest: float = 0.0

    def add(self, column: Values, weights: Floats | None) -> None:
        """Count the values of a part."""
        known = column.physical[column.valid]
        if len(known) == 0:
            return
        if known.dtype.kind == "i":
            self.least = int(known.min()) if self.least is None else min(self.least, int(known.min()))
        floats = known.astype(np.float64)
        low, high = float(floats.min()), float(floats.max())
        wide = floats.astype(Wide) if max(-low, high) > 1e150 else floats
        mean = wide.mean()
        off = wide - mean  # squared and added up by numpy itself: the last bits of BLAS differ between machines
        part = Moments(len(floats), low, high, None, Wide(mean), Wide(np.square(off).sum()))
        with np.errstate(over="ignore", invalid="ignore"):
            amounts = floats if weights is None else floats * weights[column.valid]
            sizes = np.abs(amounts)
            part.total, part.size, part.largest = float(amounts.sum()), float(sizes.sum()), float(sizes.max())
        self.merge(part)

    def merge(self, other: Moments) -> None:
        """Count the values of another part (Chan, Golub & LeVeque 1979)."""
        if other.count == 0:
            return
        both = self.count + other.count
        apart = other.mean - self.mean
        self.squares += other.squares + apart * apart * (Wide(self.count) * Wide(other.count) / Wide(both))
        self.mean += apart * (Wide(other.count) / Wide(both))
        self.count = both
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        leasts = [one for one in (self.least, other.least) if one is not None]
        self.least = min(leasts) if leasts else None
        self.total, self.size = self.total + other.total, self.size + other.size
        self.largest = max(self.largest, other.largest)

    @property
    def deviation(self) -> Wide:
        """The standard deviation."""
        return np.sqrt(self.squares / self.count) if self.count else Wide(0)

    @property
    def one_makes_half(self) -> bool:
        """Whether one record makes more than half of the sum of sizes."""
        return self.largest > 0.5 * self.size
