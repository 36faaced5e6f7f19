"""`Previews`: what the choices of now would cost, on the sample of one table; the latest one that was asked for wins."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from covey.columns.exposure import ExposedError
from covey.errors import CoveyError
from covey.web.runs import Run
from covey.web.worker import CancelledRunError, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from covey.io import Loaded
    from covey.recipe.recipe import Recipe

DEBOUNCE = 0.25
"""A preview begins when nothing was changed for so long."""
PATIENCE = 2.0
"""A preview that is out of date is let to end if it began less than this ago: that is quicker than to begin anew."""
CANCELLED = "The preview was cancelled; change something to see another."


class Previews:
    """The previews of one table, one after the other, by a worker of their own.

    `report` is the latest, as plain values, `message` why there is none, `run` what is running; `version` rises when one of them
    changes. While choices change quickly only the last is computed, and one that takes long is ended when it is out of date.
    """

    def __init__(self, worker: Worker, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._worker, self._spawn = worker, spawn
        self.sample: Loaded | None = None
        self.run: Run | None = None
        self.report: dict[str, Any] | None = None
        self.message, self.version = "", 0
        self.exposed: dict[str, str] = {}
        """The published columns that the latest one was refused for, and why."""
        self._asked: Recipe | None = None
        self._asked_at, self._stopped = 0.0, False

    def ask(self, recipe: Recipe) -> None:
        """Ask for a preview."""
        self._asked, self._asked_at, self._stopped, self.message = recipe, time.monotonic(), False, ""
        if self.run is None:
            self.run = Run("Preview")
            self._spawn(self._work())
        elif self.run.seconds > PATIENCE:
            self._spawn(asyncio.to_thread(self._worker.end))
        self.version += 1

    def stop(self, why: str = CANCELLED) -> None:
        """End the one that is running, and say why there is none."""
        self._asked, self._stopped = None, True
        self.report, self.message = None, why
        if self.run is not None:
            self._spawn(asyncio.to_thread(self._worker.end))
        self.version += 1

    async def _work(self) -> None:
        """Until the last one that was asked for is there."""
        try:
            while self._asked is not None:
                await asyncio.sleep(DEBOUNCE)
                if self._asked is not None and time.monotonic() - self._asked_at >= DEBOUNCE:
                    recipe, self._asked = self._asked, None
                    self.run = Run("Preview")
                    await self._one(recipe, self.run)
                    self.version += 1
        finally:
            self.run = None
            self.version += 1

    async def _one(self, recipe: Recipe, run: Run) -> None:
        try:
            found, why = await self._worker.run("preview", self.sample, recipe, tell=run.hear), ""
            self.exposed = {}
        except CancelledRunError:
            if self._asked is None and not self._stopped:  # ended for a newer one, which was this
                self._asked = recipe
            found, why = self.report, ""
        except CoveyError as error:
            found, why = None, str(error)
            self.exposed = error.by_column if isinstance(error, ExposedError) else {}
        if not self._stopped and (not why or self._asked is None):  # else it is not what is chosen now
            self.report, self.message = found, why
