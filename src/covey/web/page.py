"""The page: its frame, its steps, and how it follows its session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.web.address import STEPS, Address, first_paint
from covey.web.theme import style
from covey.web.ui import ui
from covey.web.views.budgeting import is_here
from covey.web.views.columns import columns
from covey.web.views.comparing import comparing
from covey.web.views.elements import action, card, running
from covey.web.views.networking import networking
from covey.web.views.opening import opening
from covey.web.views.protecting import protecting
from covey.web.views.releasing import releasing

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.web.session import Session

TABLE = ("open", "columns", "protect", "compare", "release")
OFFERED = {"none": TABLE, "table": TABLE, "network": ("open", "network")}
FOLLOWING = {"columns": columns, "protect": protecting}
"""Steps that show what a preview found, and follow it."""
SHOWN = {"compare": comparing, "release": releasing, "network": networking}
FOCUS = "if (document.activeElement === document.body) document.querySelector('.covey-step [role=heading]')?.focus()"
"""Where the step was built anew under the focus, the keyboard goes on at its heading, and a screen reader reads that."""
QUIET = ("columns", "protect")
"""Steps that are not built anew when a run begins or ends: something is being chosen there."""
TURNED = {None: False, False: True, True: None}
"""Colours as the system has them, then light, then dark."""
COLOURS = {None: ("contrast", "as the system"), False: ("light_mode", "light"), True: ("dark_mode", "dark")}
LOOK = 0.05
"""How often the page looks whether its session changed, in seconds."""


def page(session: Session, most_bytes: int) -> None:
    """Build the page of a session: a header, the steps, and the one that is shown."""
    ui.add_css(style())
    ui.add_body_html(first_paint(session))
    dark = ui.dark_mode(session.dark)
    previews: list[Callable[[], object]] = []

    @ui.refreshable
    def elsewhere() -> None:
        _elsewhere(session, go)

    @ui.refreshable
    def body() -> None:
        previews.clear()
        with ui.element("div").classes("covey-main covey-step column").props("role=main"):
            if session.step == "open" or session.source is None:
                opening(session, most_bytes)
            elif session.step in FOLLOWING:
                previews.append(FOLLOWING[session.step](session))
            else:
                SHOWN[session.step](session)

    def look() -> None:
        _look(session, seen, (follow, elsewhere.refresh, body.refresh), previews)
        address.follow()

    def go(step: str) -> None:
        session.go(step)
        look()  # at once: who clicks does not wait for the next look

    seen = _state(session)
    follow = _header(session, dark, go)
    elsewhere()
    body()
    address = Address(session, look)
    ui.timer(LOOK, look)


def _state(session: Session) -> dict[str, int]:
    return {"layout": session.layout, "progress": session.progress, "previews": session.previews.version}


def _elsewhere(session: Session, go: Callable[[str], None]) -> None:
    """What is running, or has ended, at a step that is not shown."""
    away = session.run is not None and session.step in QUIET and not is_here(session)
    if not away and not session.ended:
        return
    with ui.element("div").classes("covey-main column"):
        if session.run is not None:
            running(session.run, session.cancel)
            return
        with card("A run has failed" if session.ended in session.messages else "A run is done"):
            action(f"Show: {STEPS[session.ended]}", "arrow_forward", lambda: go(session.ended))


def _look(
    session: Session, seen: dict[str, int], show: tuple[Callable[[], object], ...], previews: list[Callable[[], object]]
) -> None:
    """Show anew what depends on what changed, and nothing else: what is being typed elsewhere stays."""
    header, elsewhere, body = show
    now = _state(session)
    changed = {name for name, value in now.items() if seen[name] != value}
    seen.update(now)
    if "layout" in changed:
        header()
    if changed & {"layout", "progress"}:
        elsewhere()
    if "layout" in changed or ("progress" in changed and session.step not in QUIET):
        body()
        ui.run_javascript(FOCUS)
    elif "previews" in changed:
        for refresh in previews:
            refresh()


def _header(session: Session, dark: ui.dark_mode, go: Callable[[str], None]) -> Callable[[], None]:
    """Show the header; returns what brings it up to date. It is not built anew: a click on it would be lost."""
    with ui.element("div").classes("covey-head row items-center w-full"):
        ui.label("Covey").classes("covey-brand text-lg font-bold q-mr-md")
        tabs = ui.tabs(value=session.step)  # type: ignore[arg-type]  # a name is taken, too
        with tabs.props("dense no-caps inline-label mobile-arrows").classes("col"):
            shown = {name: ui.tab(name, title) for name, title in STEPS.items()}
        tabs.on_value_change(lambda event: go(event.value))
        name = ui.label().classes("covey-muted ellipsis gt-sm").style("max-width: 14rem")
        turn = ui.button(icon="contrast").props("flat round")

    def follow() -> None:
        kind = "none" if session.source is None else session.source.kind
        for step, tab in shown.items():
            tab.set_visibility(step in OFFERED[kind])
            tab.set_enabled(step == "open" or kind != "none")
        tabs.set_value(session.step)
        name.set_text("" if session.source is None else session.source.name)
        icon, word = COLOURS[session.dark]
        turn.set_icon(icon)
        turn.props["aria-label"] = f"Colours: {word}; change"

    def change() -> None:
        session.dark = TURNED[session.dark]
        dark.set_value(session.dark)
        follow()

    turn.on_click(change)
    follow()
    return follow
