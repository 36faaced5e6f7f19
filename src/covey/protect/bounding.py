"""How much of the loss of a release is proven necessary, and how long that may take."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.space import lower_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.utils.typing import Points


class Bounding(NamedTuple):
    """How the gap is found: from how many records, where there are many; or from all, with a bound that is raised for some seconds."""

    sample: int
    seconds: float | None = None


class BoundClock:
    """Seconds for tight bounds, which cells share by their records; what one does not need is left to the next."""

    def __init__(self, seconds: float | None, records: int, step: Callable[[str], Any]) -> None:
        self._left, self._records, self._step = seconds, records, step

    def tight_bound(self, points: Points, k: int) -> float:
        """What groups of at least k of a cell's records lose at least, as far as its share of the time shows; 0 without any time."""
        if self._left is None:
            return 0.0
        share, start = max(self._left, 0.0) * len(points) / self._records, time.monotonic()
        self._step(f"bounding the loss for at most {math.ceil(share)} s (Ctrl-C: with what is proven until then)")
        bound = lower_bound(points, k, method="tight", time_limit=share)
        self._left -= time.monotonic() - start
        self._records -= len(points)
        return bound
