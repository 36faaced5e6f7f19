"""The second step: what the columns are, and which role each has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.web.choices import ROLES
from covey.web.loading import read_uploaded
from covey.web.rows import original_rows
from covey.web.shelf import ORDERS, PAGE, arranged, filters
from covey.web.ui import ui
from covey.web.views.column import NAMES, column_row
from covey.web.views.elements import action, card, folded, message, sentence, show_rows
from covey.web.views.recipes import NEEDED, load_recipe
from covey.web.wording import as_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.web.session import Session


def columns(session: Session) -> Callable[[], object]:
    """Show the second step; returns what shows anew what a preview found against columns."""
    with card("What is each column to someone who tries to recognise a record?", 1):
        sentence(
            f"{session.rows:,} records, {len(session.columns)} columns. The roles are suggestions, each with its reason: you know "
            "what others can know, this program does not."
        )
        message(session.message)
        _notes(session)
        with folded("What the roles mean"):
            for title, text in ROLES.values():
                sentence(f"{title}: {text}")
        _original(session)
        _recipe(session)
        shown = ColumnList(session)
        action("Go on: protect", "arrow_forward", lambda: session.go("protect"), main=True)
    return shown.look


def _notes(session: Session) -> None:
    """What was noticed while reading, folded into one line."""
    number = len(session.notes)
    if number:
        with folded(f"{number} {'thing was' if number == 1 else 'things were'} noticed while reading"):
            for note in session.notes:
                sentence(as_sentence(note))


def _original(session: Session) -> None:
    """Ten rows of the original. They are sent to the browser when they are asked for, and not before."""
    sample = session.previews.sample
    if sample is None:
        return

    def fill() -> None:
        place.clear()
        button.set_text("Hide the rows of the original" if session.shows_rows else "Show ten rows of the original")
        if session.shows_rows:
            with place:
                show_rows("Rows of the original", original_rows(sample, session.identifiers))
                sentence("Not to be published. What may name a record is masked.")

    def turn() -> None:
        session.shows_rows = not session.shows_rows
        fill()

    button = action("", "table_rows", turn)
    place = ui.column().classes("w-full")
    fill()


def _recipe(session: Session) -> None:
    """Take roles and all other choices from a recipe of an earlier release."""
    load_recipe(session, lambda path: session.load(read_uploaded(path)))
    sentence(f"Roles, types and all other choices of an earlier release: {NEEDED}. Its secret is not taken.")


class ColumnList:
    """The columns, page by page, with what filters and sorts them and gives many of them one role."""

    def __init__(self, session: Session) -> None:
        self.session, self.shelf = session, session.shelf
        self.doubts = sentence("", "covey-bad").props("role=status")
        if len(session.columns) > 1:
            self._tools()
        self.number = sentence("").props("role=status")
        with ui.element("div").classes("covey-column covey-names covey-muted"):
            for name in ("", "Column", "Type", "Different", "Missing", "Shape", "Role"):
                ui.label(name).classes("covey-number" if name in ("Different", "Missing") else "")
        self.rows = ui.element("div").classes("w-full")
        self.pages = ui.element("div").classes("w-full")
        self.exposed = dict(session.previews.exposed)
        self.fill()

    def look(self) -> None:
        """Show the columns anew where a preview found something else against them than was known."""
        if self.exposed != self.session.previews.exposed:
            self.exposed = dict(self.session.previews.exposed)
            self.fill()

    def _tools(self) -> None:
        """What filters and sorts, and what gives the ticked columns a role."""
        shelf = self.shelf
        with ui.element("div").classes("covey-tools").props('role=search aria-label="Columns that are shown"'):
            words = ui.input("Find columns", value=shelf.words).props("outlined dense clearable debounce=200")
            self.only = only = ui.select(self._filters(), value=shelf.only, label="Show")
            order = ui.select(list(ORDERS), value=shelf.order, label="Sort")
            for field in (only, order):
                field.props("outlined dense options-dense")
        words.on_value_change(lambda: self._show(words=words.value or ""))
        only.on_value_change(lambda: self._show(only=only.value))
        order.on_value_change(lambda: self._show(order=order.value))
        with ui.element("div").classes("covey-tools").props('role=group aria-label="Roles of several columns"'):
            self.every = ui.checkbox("Tick all that are shown", on_change=lambda event: self._tick_all(event.value))
            role = ui.select(NAMES, value="drop", label="Role of the ticked columns")
            role.props("outlined dense options-dense")
            self.give = action("", "done_all", lambda: self._give(str(role.value)))

    def _filters(self) -> list[str]:
        """What can be chosen now, with what is chosen: a filter stays when the last column of its role has another one."""
        return list(dict.fromkeys((*filters(self.session.roles), self.shelf.only)))

    def _show(self, **chosen: str) -> None:
        for name, value in chosen.items():
            setattr(self.shelf, name, value)
        self.shelf.page = 1
        self.fill()

    def _tick_all(self, on: bool) -> None:  # noqa: FBT001
        names = {column.name for column in self.shown}
        self.shelf.ticked = self.shelf.ticked | names if on else self.shelf.ticked - names
        self.fill()

    def _tick(self, name: str, on: bool) -> None:  # noqa: FBT001
        (self.shelf.ticked.add if on else self.shelf.ticked.discard)(name)
        self.follow()

    def _give(self, role: str) -> None:
        self.session.give_all(sorted(self.shelf.ticked), role)
        self.shelf.ticked.clear()
        self.every.set_value(False)
        self.fill()

    def follow(self) -> None:
        """Say how many columns are in doubt, and how many are ticked."""
        session, ticked = self.session, len(self.shelf.ticked)
        doubts = len(session.doubtful)
        self.doubts.set_visibility(doubts > 0)
        are = "1 column is" if doubts == 1 else f"{doubts} columns are"
        self.doubts.set_text(f"{are} in doubt: answer the questions there before there can be a release.")
        if len(session.columns) > 1:
            self.give.set_text(f"Give it to {ticked} {'column' if ticked == 1 else 'columns'}")
            self.give.set_enabled(ticked > 0)
            if self.only.options != self._filters():
                self.only.set_options(self._filters())

    def fill(self) -> None:
        """Show the columns that are asked for."""
        session, shelf = self.session, self.shelf
        self.shown = arranged(session.columns, session.roles, session.doubtful, shelf)
        self.number.set_text(
            f"{len(self.shown)} of {len(session.columns)} columns {'is' if len(self.shown) == 1 else 'are'} shown."
        )
        self.number.set_visibility(len(self.shown) < len(session.columns))
        self.rows.clear()
        with self.rows:
            for column in self.shown[(shelf.page - 1) * PAGE : shelf.page * PAGE]:
                column_row(session, column, self._tick, self.follow)
        self._fill_pages(-(-len(self.shown) // PAGE))
        self.follow()

    def _fill_pages(self, pages: int) -> None:
        self.pages.clear()

        def turn(page: int) -> None:
            self.shelf.page = page
            self.fill()

        if pages > 1:
            with self.pages:
                ui.pagination(
                    1, pages, value=self.shelf.page, direction_links=True, on_change=lambda event: turn(event.value)
                )
