"""`NetworkMeasure`: a number of a network and of what is published for it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class NetworkMeasure:
    """One number, what it means and which direction is better. `before` is of the original, `after` of what is published."""

    measure: str
    before: float | None
    after: float
    better: str
    meaning: str
    public: bool = True
    """Whether `after` follows from the release alone, so that everyone may know it. `before` is never for everyone."""

    def published(self) -> NetworkMeasure:
        """The same without what was measured on the original."""
        return replace(self, before=None)
