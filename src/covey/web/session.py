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
from covey.io.inference import Declared
from covey.web.choices import Settings, give_role, recipe_of
from covey.web.kinds import READ_AGAIN, with_kind
from covey.web.loading import loaded_recipe
from covey.web.networks import START
from covey.web.previews import Previews
from covey.web.problems import Repair, asked_first, open_questions
from covey.web.running import Running
from covey.web.sentences import listed
from covey.web.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.profile import Column
    from covey.io import Loaded
    from covey.network.publish.recipe import NetworkRecipe
    from covey.recipe.recipe import Recipe
    from covey.web.budgets import Bought
    from covey.web.source import Source
    from covey.web.worker import Spare

REST = 60.0
"""Idle processes of a session end when nobody has looked at it for so long, in seconds."""


class Session(Running):
    """The state of one tab: its table, what was chosen, what was found, what is running."""

    def __init__(self, owner: str, folder: Path, spare: Spare, given: Source | None = None) -> None:
        self.id, self.owner, self.given = secrets.token_urlsafe(16), owner, given
        self.folder = folder / self.id
        self.folder.mkdir(mode=0o700)
        super().__init__(spare)
        self.previews = Previews(self.near, self.spawn)
        self.clients = 0
        self.dark: bool | None = None
        self.released: dict[str, Any] | None = None
        self.forget()

    def forget(self) -> None:
        """Begin anew, without a table."""
        self.source: Source | None = None
        self.columns: list[Column] = []
        self.notes: list[str] = []
        self.roles: dict[str, str] = {}
        self.suggestions: dict[str, Suggestion] = {}
        self.settings, self.network = Settings(), START
        self.shelf, self.shows_rows = Shelf(), False
        self.step, self.suffix = "open", ""
        self.grid: tuple[list[int], list[str]] = ([3, 5, 10, 20], ["auto", "mdav", "pca"])
        self.run, self.messages, self.ended = None, {}, ""
        self.compared: dict[str, Any] | None = None
        self.bought: Bought | None = None
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
    def identifiers(self) -> list[str]:
        """The columns whose values are masked where rows of the original are shown: those that name a record, or seem to."""
        naming = ("drop", "random_ids", "unit")
        suggested = [name for name, suggestion in self.suggestions.items() if suggestion.role in naming]
        return [name for name, role in self.roles.items() if role in naming or name in suggested]

    @property
    def is_sampled(self) -> bool:
        """Whether previews look at some of the records only."""
        return self.sampled < self.rows

    @property
    def sampled(self) -> int:
        """How many records previews look at."""
        return 0 if self.previews.sample is None else int(self.previews.sample.table.num_rows)

    def go(self, step: str) -> None:
        """Go to another step."""
        if step != self.step and (step == "open" or self.source is not None):
            self.messages.pop(self.step, None)
            self.step, self.ended = step, "" if step == self.ended else self.ended
            self.show()

    def open(self, source: Source) -> None:
        """Open a table or a network; what was open before stays until that has gone well."""
        self.step = "open"
        self.show()
        job, given = f"open_{source.kind}", (source, *([Declared()] if source.kind == "table" else []))

        def opened(answer: tuple[Any, ...]) -> None:
            before, take = self.source, self._opened_network if source.kind == "network" else self._opened
            take(source, *answer)
            if before is not None:
                self._discard(before)

        self.start(f"Opening {source.name}", job, *given, then=opened, failed=lambda: self._discard(source))

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

    def give_all(self, columns: Sequence[str], role: str) -> None:
        """Give several columns one role, and ask for a preview of it."""
        for column in columns:
            give_role(self.roles, column, role)
        self.ask()

    def set_kind(self, column: Column, kind: str) -> None:
        """Say what the values of a column are, and ask for a preview of it."""
        self._at_column(with_kind(self.settings, column, kind))

    def set_choice(self, name: str, column: str, value: object) -> None:
        """Change a choice about a column, or take it back by None, and ask for a preview of it."""
        self._at_column(self.settings.with_choice(name, column, value))

    def repair(self, column: Column, repair: Repair) -> None:
        """Answer a question about a column."""
        if repair.changes == "role":
            self.give(column.name, str(repair.value))
        elif repair.changes == "accept":
            self.choose(accept=(*self.settings.accept, column.name))
        elif repair.changes == "kind":
            self.set_kind(column, str(repair.value))
        else:
            self.set_choice(repair.changes, column.name, repair.value)

    def _at_column(self, settings: Settings) -> None:
        before, self.settings = self.settings, settings
        if all(before.at.get(name) == settings.at.get(name) for name in READ_AGAIN):
            self.ask()
        elif self.run is not None:
            self.settings = before
            self.tell("something is still running; wait until it is done, or cancel it")
            self.show()
        else:
            self._read_again(before)

    def _read_again(self, before: Settings) -> None:
        """Read the table with other missing codes or forms of dates; where that fails, they are those of before."""

        def opened(answer: tuple[list[Column], Loaded, list[str]]) -> None:
            self.columns, self.previews.sample, self.notes = answer
            self.show()
            self.ask()

        def failed() -> None:
            self.settings = before
            self.show()

        codes, dates = (dict(self.settings.at.get(name, {})) for name in ("missing_codes", "dates"))
        declared = Declared(codes, dates)  # type: ignore[arg-type]  # the reader checks them
        self.start("Reading again", "open_table", self.source, declared, then=opened, failed=failed)

    def load(self, recipe: Recipe) -> None:
        """Take over roles and settings of a recipe; columns that it does not name keep the roles that they have."""
        loaded = loaded_recipe(recipe, list(self.roles))
        self.roles |= loaded.roles
        self._at_column(loaded.settings)
        if loaded.unnamed:
            self.tell(f"the recipe says nothing of {listed(loaded.unnamed)}; look at the roles that they have")
        self.show()

    def recipe(self, settings: Settings | None = None) -> Recipe:
        """What is chosen now, or with other settings."""
        recipe = recipe_of(self.roles, settings or self.settings, self.columns)
        if not recipe.roles.quasi:
            raise InputError("no column is a quasi-identifier; needed: at least one; give it that role under Columns")
        return recipe

    @property
    def doubtful(self) -> list[str]:
        """The columns about which something is to be decided, with those that the latest preview was refused for."""
        return open_questions(self.columns, self.roles, self.settings, self.previews.exposed)

    def decided(self, settings: Settings | None = None) -> Recipe:
        """What is chosen now, or with other settings, where nothing about a column is in doubt."""
        asked = open_questions(self.columns, self.roles, self.settings)
        if asked:
            raise InputError(asked_first(asked))
        return self.recipe(settings)

    def ask(self) -> None:
        """Ask for a preview of what is chosen now."""
        try:
            self.previews.ask(self.decided())
        except CoveyError as error:
            self.previews.stop(str(error))

    def release(self, job: str, settings: Recipe | NetworkRecipe, suffix: str, **more: object) -> None:
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
