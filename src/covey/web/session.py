"""`Session`: what one tab works on. It lives on the server, so that a reload loses nothing, and is of one owner."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.columns.suggest import Suggestion, suggest
from covey.errors import CoveyError, InputError
from covey.web.choices import Settings, declare, give_role, recipe_of
from covey.web.networks import NetworkSettings
from covey.web.previews import Previews
from covey.web.runs import Run
from covey.web.worker import Spare, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from covey.columns.profile import Column
    from covey.io import Loaded
    from covey.recipe.recipe import Recipe
    from covey.web.source import Source

    Failed = Callable[[], None] | None

REST = 60.0
"""Idle processes of a session end when nobody has looked at it for so long, in seconds."""


class Session:
    """The state of one tab: its table, what was chosen, what was found, what is running.

    Changes raise `layout` (another step), `progress` (of a run) or the version of `previews`, which the page looks at many times a
    second. Long work goes to `far`, previews to `near`: two processes, so that k can be moved while a release is made.
    """

    def __init__(self, owner: str, folder: Path, spare: Spare, given: Source | None = None) -> None:
        self.id, self.owner, self.given = secrets.token_urlsafe(16), owner, given
        self.folder = folder / self.id
        self.folder.mkdir(mode=0o700)
        self.near, self.far = Worker(spare), Worker(spare)
        self.previews = Previews(self.near, self.spawn)
        self.layout = self.progress = self.clients = 0
        self.dark: bool | None = None
        self.tasks: set[asyncio.Task[Any]] = set()
        self.released: dict[str, Any] | None = None
        self.forget()

    def forget(self) -> None:
        """Begin anew, without a table. `ended` is the step of a run that ended while another step was shown."""
        self.source: Source | None = None
        self.columns: list[Column] = []
        self.notes: list[str] = []
        self.roles: dict[str, str] = {}
        self.suggestions: dict[str, Suggestion] = {}
        self.settings, self.network = Settings(), NetworkSettings()
        self.step, self.suffix = "open", ""
        self.grid: tuple[list[int], list[str]] = ([3, 5, 10, 20], ["auto", "mdav", "pca"])
        self.run: Run | None = None
        self.messages: dict[str, str] = {}
        self.ended = ""
        self.compared: dict[str, Any] | None = None
        self.take_release(None)
        if self.previews.run is not None:
            self.previews.stop()
        self.previews = Previews(self.near, self.spawn)
        self.show()

    @property
    def rows(self) -> int:
        """How many records the table has."""
        return self.columns[0].rows if self.columns else 0

    @property
    def is_sampled(self) -> bool:
        """Whether previews look at some of the records only."""
        return self.sampled < self.rows

    @property
    def sampled(self) -> int:
        """How many records previews look at."""
        return 0 if self.previews.sample is None else int(self.previews.sample.table.num_rows)

    def changed(self) -> None:
        """Let the page know that a run began, ended or failed."""
        self.progress += 1

    @property
    def message(self) -> str:
        """What went wrong at this step."""
        return self.messages.get(self.step, "")

    def tell(self, text: str) -> None:
        """Say what went wrong at this step."""
        self.messages[self.step] = text
        self.changed()

    def show(self) -> None:
        """Let the page be built anew."""
        self.layout += 1

    def go(self, step: str) -> None:
        """Go to another step."""
        if step != self.step and (step == "open" or self.source is not None):
            self.messages.pop(self.step, None)
            self.step, self.ended = step, "" if step == self.ended else self.ended
            self.show()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the page, and keep hold of it."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def start(self, title: str, job: str, *given: object, then: Callable[[Any], None], failed: Failed = None) -> None:
        """Begin a long run, if none is running; `then` takes what it returns, `failed` is called if it returns nothing."""
        if self.run is None:
            self.run, self.ended = Run(title, self.step), ""
            self.messages.pop(self.step, None)
            self.changed()
            self.spawn(self._work(self.run, job, given, then, failed))

    async def _work(
        self, run: Run, job: str, given: tuple[Any, ...], then: Callable[[Any], None], failed: Failed
    ) -> None:
        try:
            then(await self.far.run(job, *given, tell=run.hear))
        except CoveyError as error:
            self.messages[run.at] = str(error)
            if failed is not None:
                failed()
        finally:
            if self.run is run:
                self.run, self.ended = None, "" if run.at == self.step else run.at
            self.changed()

    def cancel(self) -> None:
        """End the long run."""
        if self.run is not None:
            self.run.hear("ending")
            self.spawn(asyncio.to_thread(self.far.end))

    def open(self, source: Source) -> None:
        """Open a table or a network; what was open before stays until that has gone well."""
        self.step = "open"
        self.show()
        job = f"open_{source.kind}"

        def opened(answer: tuple[Any, ...]) -> None:
            before, take = self.source, self._opened_network if source.kind == "network" else self._opened
            take(source, *answer)
            if before is not None:
                self._discard(before)

        self.start(f"Opening {source.name}", job, source, then=opened, failed=lambda: self._discard(source))

    def _opened(self, source: Source, columns: list[Column], sample: Loaded, notes: list[str]) -> None:
        self.forget()
        self.source, self.step, self.suffix = source, "columns", source.suffix
        self.columns, self.previews.sample, self.notes = columns, sample, notes
        self.suggestions = suggest(columns)
        for name, suggestion in self.suggestions.items():
            give_role(self.roles, name, suggestion.role)
        self.ask()

    def _discard(self, source: Source) -> None:
        """Remove an upload that is not needed any more."""
        path = Path(source.path)
        if path.parent == self.folder and (self.source is None or self.source.path != source.path):
            path.unlink(missing_ok=True)

    def _opened_network(self, source: Source, notes: list[str]) -> None:
        self.forget()
        self.source, self.step, self.notes, self.suffix = source, "network", notes, ".graphml"

    def leave(self) -> None:
        """Close what is open and remove its files."""
        source = self.source
        self.forget()
        if source is not None:
            self._discard(source)

    def choose(self, **changes: Any) -> None:
        """Change settings, and ask for a preview of them."""
        self.settings = replace(self.settings, **changes)
        self.ask()

    def give(self, column: str, role: str) -> None:
        """Give a column another role, and ask for a preview of it."""
        give_role(self.roles, column, role)
        self.ask()

    def declare(self, column: str, kind: str) -> None:
        """Say what the whole numbers of a column are, and ask for a preview of it."""
        self.settings = declare(self.settings, column, kind)
        self.ask()

    def recipe(self) -> Recipe:
        """What is chosen now."""
        recipe = recipe_of(self.roles, self.settings, self.columns)
        if not recipe.roles.quasi:
            raise InputError("no column is a quasi-identifier; needed: at least one; give it that role under Columns")
        return recipe

    def ask(self) -> None:
        """Ask for a preview of what is chosen now."""
        try:
            self.previews.ask(self.recipe())
        except CoveyError as error:
            self.previews.stop(str(error))

    def release(self, job: str, settings: Recipe | NetworkSettings, suffix: str, **more: object) -> None:
        """Begin a release, in a folder of its own so that no two are mixed up; what a failed one wrote is removed."""
        if self.run is not None:
            return
        folder = Path(tempfile.mkdtemp(prefix="release-", dir=self.folder))

        def done(report: dict[str, Any]) -> None:
            self.take_release(report | {"suffix": suffix, "folder": folder} | more)

        self.start(
            "Releasing",
            job,
            *(self.source, settings, str(folder), suffix),
            then=done,
            failed=lambda: shutil.rmtree(folder, ignore_errors=True),
        )

    def take_release(self, released: dict[str, Any] | None) -> None:
        """Offer a finished release, or none; the one before is removed."""
        before, self.released = self.released, released
        if before is not None:
            shutil.rmtree(before["folder"], ignore_errors=True)

    def rest(self) -> None:
        """End idle processes where nobody looks any more; they begin again when they are needed."""
        if self.clients:
            return
        if self.run is None and self.previews.run is None:
            self.near.end()
            self.far.end()
        else:
            self.rest_later()

    def rest_later(self) -> None:
        """Look again in a while whether anybody looks."""
        asyncio.get_running_loop().call_later(REST, self.rest)

    def close(self) -> None:
        """End what is running and remove all files."""
        self.near.end()
        self.far.end()
        shutil.rmtree(self.folder, ignore_errors=True)
