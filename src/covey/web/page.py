"""The page: its frame, its steps, and how it follows its session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from covey.extras import load
from covey.web.theme import style
from covey.web.views.columns import columns
from covey.web.views.comparing import comparing
from covey.web.views.networking import networking
from covey.web.views.opening import opening
from covey.web.views.protecting import protecting
from covey.web.views.releasing import releasing

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.web.session import Session
    from covey.web.source import Source

STEPS = {"open": "Open", "columns": "Columns", "protect": "Protect", "compare": "Compare", "release": "Release"}
NETWORK_STEPS = {"open": "Open", "network": "Clusters"}
REST = 60.0
"""Idle processes of a session end when nobody has looked at it for so long, in seconds."""
LOOK = 0.1
"""How often the page looks whether its session changed, in seconds."""


def page(session: Session, given: Source | None, most_bytes: int) -> None:
    """Build the page of a session: a header, the steps, and the one that is shown."""
    ui = load("nicegui.ui")
    ui.add_css(style())
    dark = ui.dark_mode(session.dark)
    follow: list[Callable[[], Any]] = []
    _count_clients(session)

    @ui.refreshable  # type: ignore[untyped-decorator]
    def body() -> None:
        follow.clear()
        _header(session, dark)
        with ui.element("main").classes("covey-main column"):
            if session.step == "open" or session.source is None:
                opening(session, given, most_bytes)
            elif session.step == "protect":
                follow.append(protecting(session))
            else:
                {"columns": columns, "compare": comparing, "release": releasing, "network": networking}[session.step](
                    session
                )

    body()
    _follow(session, body, follow)


def _count_clients(session: Session) -> None:
    client = load("nicegui.ui").context.client

    def left() -> None:
        session.clients -= 1
        asyncio.get_running_loop().call_later(REST, session.rest)

    session.clients += 1
    client.on_delete(left)


def _header(session: Session, dark: Any) -> None:
    ui = load("nicegui.ui")
    with ui.element("header").classes("covey-head row items-center w-full"):
        ui.label("Covey").classes("text-lg font-bold q-mr-md")
        steps = NETWORK_STEPS if session.source is not None and session.source.kind == "network" else STEPS
        with (
            ui.tabs(value=session.step)
            .props("dense no-caps inline-label outside-arrows mobile-arrows")
            .classes("col") as tabs
        ):
            for name, title in steps.items():
                tab = ui.tab(name, title)
                if session.source is None and name != "open":
                    tab.disable()
        tabs.on_value_change(lambda event: session.go(event.value))
        if session.source is not None:
            ui.label(session.source.name).classes("covey-muted ellipsis gt-sm").style("max-width: 14rem")
        names = {None: ("contrast", "as the system"), False: ("light_mode", "light"), True: ("dark_mode", "dark")}
        icon, word = names[session.dark]
        turn = ui.button(icon=icon, on_click=lambda: _turn(session, dark)).props("flat round")
        turn.props["aria-label"] = f"Colours: {word}; change"
        turn.tooltip(f"Colours: {word}")


def _turn(session: Session, dark: Any) -> None:
    """Colours as the system has them, then light, then dark."""
    session.dark = {None: False, False: True, True: None}[session.dark]
    dark.set_value(session.dark)
    session.show()


def _follow(session: Session, body: Any, follow: list[Callable[[], Any]]) -> None:
    """Show the session anew when it changed: all of it when the step is another one, else what depends on runs."""
    seen = [session.layout, session.version]

    def look() -> None:
        if session.version == seen[1]:
            return
        whole = session.layout != seen[0] or not follow
        if session.step == "columns" and session.layout == seen[0]:
            whole = False  # nothing there depends on what is running
        seen[:] = [session.layout, session.version]
        if whole:
            body.refresh()
        else:
            for refresh in follow:
                refresh()

    load("nicegui.ui").timer(LOOK, look)
