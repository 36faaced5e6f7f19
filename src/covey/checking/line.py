"""A line of a check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Line:
    """One measure: its value, what was asked, and whether it holds (None: nothing was asked)."""

    measure: str
    value: float
    asked: float | None = None
    holds: bool | None = None
    less_is_worse: bool = False

    @property
    def badness(self) -> float:
        """Larger where the measure is worse."""
        return -self.value if self.less_is_worse else self.value
