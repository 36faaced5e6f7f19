"""The second step: what the columns are, and which role each has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.web.choices import DECLARED, KINDS, ROLES, UNSAID
from covey.web.drawings import bars
from covey.web.ui import ui
from covey.web.views.elements import action, card, choice, sentence

if TYPE_CHECKING:
    from covey.columns.profile import Column
    from covey.web.session import Session

PAGE = 40
NAMES = {role: title for role, (title, _) in ROLES.items()}


def columns(session: Session) -> None:
    """Show the second step."""
    with card("What is each column to someone who tries to recognise a record?", 1):
        sentence(
            f"{session.rows:,} records, {len(session.columns)} columns. The roles are suggestions, each with its reason: you know "
            "what others can know, this program does not."
        )
        for note in session.notes:
            sentence(f"Noticed while reading: {note}")
        with ui.expansion("What the roles mean").classes("w-full"):
            for title, text in ROLES.values():
                sentence(f"{title}: {text}")
        with ui.element("div").classes("covey-column covey-names covey-muted"):
            for name in ("Column", "Type", "Different", "Missing", "Shape", "Role"):
                ui.label(name).classes("covey-number" if name in ("Different", "Missing") else "")
        pages = -(-len(session.columns) // PAGE)
        rows = ui.element("div").classes("w-full")

        def show(page: int) -> None:
            rows.clear()
            with rows:
                for column in session.columns[(page - 1) * PAGE : page * PAGE]:
                    _row(session, column)

        show(1)
        if pages > 1:
            ui.pagination(1, pages, direction_links=True, on_change=lambda event: show(event.value))
        action("Go on: protect", "arrow_forward", lambda: session.go("protect"), main=True)


def _row(session: Session, column: Column) -> None:
    suggestion = session.suggestions[column.name]
    with ui.element("div").classes("covey-column").props("role=group"):
        ui.label(column.name).classes("font-bold")
        ui.label(column.type)
        for word, number in (("different", column.distinct), ("missing", column.missing)):
            with ui.element("div").classes("covey-number"):
                ui.label(f"{number:,}").classes("inline")
                ui.label(f" {word}").classes("covey-small")
        shape = f"the shape of {column.name}: {len(column.bars)} bars"
        ui.html(bars(column.bars, shape), sanitize=False)
        role = ui.select(NAMES, value=session.roles[column.name], label=f"Role of {column.name}")
        role.props("outlined dense options-dense")
        reason = ui.label().classes("covey-reason covey-muted")

        def tell() -> None:
            chosen = session.roles[column.name]
            why = f"Suggested: {NAMES[suggestion.role]}, because {suggestion.reason}."
            reason.set_text(f"{ROLES[chosen][1]} {why}")

        def give() -> None:
            session.give(column.name, role.value)
            tell()

        role.on_value_change(give)
        tell()
        if column.codes:
            _ask(session, column)


def _ask(session: Session, column: Column) -> None:
    """Ask whether whole numbers are codes or amounts."""
    reasons = ", ".join(sign.value for sign in column.codes)
    with ui.column().classes("covey-reason gap-1"):
        sentence(f"{column.name} looks like codes: {reasons}. As a quasi-identifier: what are they?")
        now = next((word for word, kind in DECLARED.items() if column.name in getattr(session.settings, kind)), UNSAID)
        choice(f"Values of {column.name}", KINDS, now, lambda kind: session.declare(column.name, kind))
