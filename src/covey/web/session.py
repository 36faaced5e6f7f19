"""`Session`: what one tab works on. It lives on the server, so that a reload loses nothing, and is of one owner."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError, InputError
from covey.web.choices import Settings, give_role, recipe_of
from covey.web.networks import NetworkSettings
from covey.web.runs import Run
from covey.web.suggest import Suggestion, suggest
from covey.web.worker import CancelledRunError, Spare, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from covey.io import Loaded
    from covey.recipe import Recipe
    from covey.web.profile import Column
    from covey.web.source import Source

DEBOUNCE = 0.25
"""A preview begins when nothing was changed for so long."""
PATIENCE = 2.0
"""A preview that is out of date is let to end if it began less than this ago: that is quicker than to begin anew."""


class Session:
    """The state of one tab: its table, what was chosen, what was found, what is running.

    Changes raise `layout` (another step), `progress` (of a run) or `previews`, which the page looks at many times a second. Long work
    goes to `far`, previews to `near`: two processes, so that k can be moved while a release is made.
    """

    def __init__(self, owner: str, folder: Path, spare: Spare) -> None:
        self.id, self.owner = secrets.token_urlsafe(16), owner
        self.folder = folder / self.id
        self.folder.mkdir(mode=0o700)
        self.near, self.far = Worker(spare), Worker(spare)
        self.layout = self.progress = self.previews = self.clients = 0
        self.dark: bool | None = None
        self.tasks: set[asyncio.Task[Any]] = set()
        self.forget()

    def forget(self) -> None:
        """Begin anew, without a table."""
        self.source: Source | None = None
        self.columns: list[Column] = []
        self.sample: Loaded | None = None
        self.notes: list[str] = []
        self.roles: dict[str, str] = {}
        self.suggestions: dict[str, Suggestion] = {}
        self.settings, self.network = Settings(), NetworkSettings()
        self.step, self.suffix = "open", ""
        self.grid: tuple[list[int], list[str]] = ([3, 5, 10, 20], ["auto", "mdav", "pca"])
        self.run: Run | None = None
        self.previewing: Run | None = None
        self.message = self.preview_message = ""
        self.preview: dict[str, Any] | None = None
        self.compared: dict[str, Any] | None = None
        self.released: dict[str, Any] | None = None
        self._asked: Any = None
        self._asked_at, self._stopped = 0.0, False
        self.show()

    @property
    def rows(self) -> int:
        """How many records the table has."""
        return self.columns[0].rows if self.columns else 0

    @property
    def is_sampled(self) -> bool:
        """Whether previews look at some of the records only."""
        return self.sample is not None and self.sample.table.num_rows < self.rows

    def changed(self) -> None:
        """Let the page know that a run began, ended or failed."""
        self.progress += 1

    def tell(self, text: str) -> None:
        """Say what went wrong."""
        self.message = text
        self.changed()

    def show(self) -> None:
        """Let the page be built anew."""
        self.layout += 1

    def go(self, step: str) -> None:
        """Go to another step."""
        if step != self.step and (step == "open" or self.source is not None):
            self.step, self.message = step, ""
            self.show()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the page, and keep hold of it."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def start(self, title: str, job: str, *given: Any, then: Callable[[Any], None]) -> None:
        """Begin a long run, if none is running; `then` takes what it returns."""
        if self.run is None:
            self.run, self.message = Run(title), ""
            self.changed()
            self.spawn(self._work(self.run, job, given, then))

    async def _work(self, run: Run, job: str, given: tuple[Any, ...], then: Callable[[Any], None]) -> None:
        try:
            then(await self.far.run(job, *given, told=run.told))
        except CoveyError as error:
            self.message = str(error)
        finally:
            if self.run is run:
                self.run = None
            self.changed()

    def cancel(self) -> None:
        """End the long run."""
        if self.run is not None:
            self.run.told("ending")
            self.spawn(asyncio.to_thread(self.far.end))

    def open(self, source: Source) -> None:
        """Open a table or a network; what was open before stays until that has gone well."""
        self.step = "open"
        self.show()
        title = f"Opening {source.name}"
        if source.kind == "network":
            self.start(title, "open_network", source.path, then=lambda found: self._opened_network(source, found))
        else:
            self.start(title, "open_table", source.path, then=lambda found: self._opened(source, *found))

    def _opened(self, source: Source, columns: list[Column], sample: Loaded, notes: list[str]) -> None:
        self.forget()
        self.source, self.step, self.suffix = source, "columns", source.suffix
        self.columns, self.sample, self.notes = columns, sample, notes
        self.suggestions = suggest(columns)
        for name, one in self.suggestions.items():
            give_role(self.roles, name, one.role)
        self.ask()

    def _opened_network(self, source: Source, notes: list[str]) -> None:
        self.forget()
        self.source, self.step, self.notes, self.suffix = source, "network", notes, ".graphml"

    def choose(self, **changes: Any) -> None:
        """Change settings, and ask for a preview of them."""
        self.settings = replace(self.settings, **changes)
        self.ask()

    def give(self, column: str, role: str) -> None:
        """Give a column another role, and ask for a preview of it."""
        give_role(self.roles, column, role)
        self.ask()

    def recipe(self) -> Recipe:
        """What is chosen now."""
        recipe = recipe_of(self.roles, self.settings, self.columns)
        if not recipe.roles.quasi:
            msg = "no column is a quasi-identifier; needed: at least one; give it that role under Columns"
            raise InputError(msg)
        return recipe

    def ask(self) -> None:
        """Ask for a preview of what is chosen now."""
        try:
            recipe = self.recipe()
        except CoveyError as error:
            self.preview, self.preview_message, self._asked = None, str(error), None
            self.previews += 1
            return
        self._asked, self._asked_at, self._stopped, self.preview_message = recipe, time.monotonic(), False, ""
        if self.previewing is None:
            self.previewing = Run("Preview")
            self.spawn(self._previews())
        elif self.previewing.seconds > PATIENCE:
            self.spawn(asyncio.to_thread(self.near.end))
        self.previews += 1

    async def _previews(self) -> None:
        """Previews, one after the other, until the last one that was asked for is there."""
        try:
            while self._asked is not None:
                await asyncio.sleep(DEBOUNCE)
                if time.monotonic() - self._asked_at < DEBOUNCE or self._asked is None:
                    continue
                recipe, self._asked = self._asked, None
                self.previewing = Run("Preview")
                await self._preview(recipe, self.previewing)
                self.previews += 1
        finally:
            self.previewing = None
            self.previews += 1

    async def _preview(self, recipe: Any, run: Run) -> None:
        try:
            self.preview = await self.near.run("preview", self.sample, recipe, told=run.told)
            self.preview_message = ""
        except CancelledRunError:
            if self._stopped:
                self.preview, self.preview_message = None, "The preview was cancelled; change something to see another."
            elif self._asked is None:  # ended for a newer one, which was this
                self._asked = recipe
        except CoveyError as error:
            if self._asked is None:
                self.preview, self.preview_message = None, str(error)

    def cancel_preview(self) -> None:
        """End the preview that is running."""
        self._asked, self._stopped = None, True
        self.spawn(asyncio.to_thread(self.near.end))

    def new_folder(self) -> Path:
        """A folder for one release, so that no two are mixed up."""
        return Path(tempfile.mkdtemp(prefix="release-", dir=self.folder))

    def take_release(self, found: dict[str, Any]) -> None:
        """Offer a finished release; the one before is removed."""
        before, self.released = self.released, found
        if before is not None:
            shutil.rmtree(before["folder"], ignore_errors=True)

    def rest(self) -> None:
        """End idle processes where nobody looks any more; they begin again when they are needed."""
        if not self.clients and self.run is None and self.previewing is None:
            self.near.end()
            self.far.end()

    def close(self) -> None:
        """End what is running and remove all files."""
        self.near.end()
        self.far.end()
        shutil.rmtree(self.folder, ignore_errors=True)
