"""Steps as addresses, so that Back and Forward of the browser go through them; and what is shown until the page is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.web.theme import DARK, LIGHT
from covey.web.ui import ui

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

    from covey.web.session import Session

STEPS = {
    "open": "Open",
    "columns": "Columns",
    "protect": "Protect",
    "compare": "Compare",
    "release": "Release",
    "network": "Clusters",
}
EVENT = "covey-step"
LISTEN = (
    f"if (!window.coveyListens) {{ window.coveyListens = true; addEventListener('popstate', () => emitEvent('{EVENT}', "
    "new URLSearchParams(location.search).get('step'))); }"
)
FIRST = """<style>
#covey-first {{ font-family: system-ui, sans-serif; padding: 1rem; min-height: 100vh; background: {light_ground}; color: {light_text}; }}
{dark_rule}
body:has(#app > *) #covey-first {{ display: none; }}
</style><div id="covey-first" role="status"><strong>Covey</strong><p>{step}: the page is being loaded.</p></div>"""
"""Shown as soon as the address is answered, until the scripts of the page have run."""


class Address:
    """The address of a tab follows the step that its session shows, and the session the address that Back leads to."""

    def __init__(self, session: Session, look: Callable[[], object]) -> None:
        self.session, self.step, self._look = session, session.step, look
        ui.on(EVENT, self._arrive)
        ui.run_javascript(f"{LISTEN} history.replaceState(null, '', '?step={self.step}'); {_titled(self.step)}")

    def follow(self) -> None:
        """Enter the step of now into the history of the browser."""
        if self.session.step != self.step:
            self.step = self.session.step
            ui.run_javascript(f"history.pushState(null, '', '?step={self.step}'); {_titled(self.step)}")

    def _arrive(self, event: GenericEventArguments) -> None:
        step = event.args if isinstance(event.args, str) else "open"
        if is_step(self.session, step):
            self.step = step
            self.session.go(step)
            ui.run_javascript(_titled(step))
        self._look()


def is_step(session: Session, step: str) -> bool:
    """Whether a session has that step now: an address may be of another table, or of none."""
    if session.source is None:
        return step == "open"
    return step in STEPS and (step == "open" or (step == "network") == (session.source.kind == "network"))


def first_paint(session: Session) -> str:
    """What is shown before the scripts of the page have run, in its colours.

    >>> from types import SimpleNamespace
    >>> "<p>Protect: the page" in first_paint(SimpleNamespace(step="protect", dark=None))
    True
    """
    dark = f"#covey-first {{ background: {DARK['ground']}; color: {DARK['text']}; }}"
    rule = {None: f"@media (prefers-color-scheme: dark) {{ {dark} }}", True: dark, False: ""}[session.dark]
    return FIRST.format(
        light_ground=LIGHT["ground"], light_text=LIGHT["text"], dark_rule=rule, step=STEPS[session.step]
    )


def _titled(step: str) -> str:
    return f"document.title = '{STEPS[step]} - Covey';"
