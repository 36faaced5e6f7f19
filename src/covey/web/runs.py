"""`Run`: something that takes time, as the page shows it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TypeAlias

Step: TypeAlias = str | tuple[int, int]
"""What a job says of itself: a step in words, or so many of so many."""


@dataclass
class Run:
    """What is being done, at which step, for how long; and how much of it is done, where that is known."""

    title: str
    at: str = ""
    """The step of the page where it was begun, and where its end is shown."""
    step: str = ""
    share: float | None = None
    since: float = field(default_factory=time.monotonic)

    def hear(self, what: Step) -> None:
        """Take what a job says of itself."""
        if isinstance(what, tuple):
            done, of = what
            self.step, self.share = f"{done} of {of} settings", done / max(1, of)
        else:
            percent = re.search(r"(\d+) %$", what)
            self.step, self.share = what, None if percent is None else int(percent[1]) / 100

    @property
    def seconds(self) -> float:
        """For how long it has been running."""
        return time.monotonic() - self.since

    @property
    def said(self) -> str:
        """What is done, without the seconds: a screen reader reads it anew whenever it changes.

        >>> Run("Releasing", step="grouping").said
        'Releasing: grouping'
        """
        return f"{self.title}: {self.step or 'starting'}"
