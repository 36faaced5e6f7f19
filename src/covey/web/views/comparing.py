"""The fourth step: the risk-utility plane over k and methods; a click on a point takes its setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError
from covey.web.choices import METHODS
from covey.web.drawings import Plane, ticks
from covey.web.ui import ui
from covey.web.views.elements import action, card, message, running, sentence

if TYPE_CHECKING:
    from covey.web.session import Session

KS = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50]


def comparing(session: Session) -> None:
    """Show the fourth step."""
    with card("Which setting is better?", 1):
        sentence(
            "Every k with every method, each with its loss and its risk. Nothing is released. Points to the left lose less, points "
            "further down link fewer records; those on the front are beaten by no other in both."
        )
        if session.is_sampled:
            sentence(f"On a sample of {session.sampled:,} of {session.rows:,} records.")
        if session.run is not None:
            running(session.run, session.cancel)
        else:
            _ask(session)
        message(session.message)
    if session.compared is not None:
        with card("Risk against loss"):
            sentence(f"Recommended: {session.compared['reason']}")
            _plane(session, session.compared)
        with card("The same as a table"):
            _table(session, session.compared)


def _ask(session: Session) -> None:
    with ui.row().classes("items-center w-full"):
        ks = ui.select(KS, value=session.grid[0], multiple=True, label="Values of k")
        methods = ui.select(list(METHODS), value=session.grid[1], multiple=True, label="Methods")

        def keep() -> None:
            session.grid = (sorted(ks.value), list(methods.value))

        for field in (ks, methods):
            field.props("outlined use-chips").classes("min-w-64").on_value_change(keep)
        action("Compare", "insights", lambda: _start(session), main=True)


def _start(session: Session) -> None:
    try:
        choices = session.recipe().as_dict()
    except CoveyError as error:
        session.tell(str(error))
        return
    choices = {name: value for name, value in choices.items() if name not in ("k", "method")}

    def take_over(answer: dict[str, Any]) -> None:
        session.compared = answer

    session.start("Comparing", "compared", session.previews.sample, *session.grid, choices, then=take_over)


def _take(session: Session, setting: dict[str, Any]) -> None:
    session.choose(k=setting["k"], method=setting["method"])
    session.go("protect")


def _plane(session: Session, compared: dict[str, Any]) -> None:
    done = [setting for setting in compared["settings"] if setting["error"] is None]
    plane = Plane(
        ticks(max([0.1, *(setting["loss"] for setting in done)])),
        ticks(max([0.1, *(100 * setting["risk"] for setting in done)])),
    )
    paths: dict[str, list[tuple[float, float]]] = {}
    for setting in sorted(done, key=lambda setting: setting["k"]):
        paths.setdefault(setting["method"], []).append((setting["loss"], 100 * setting["risk"]))
    with ui.element("div").classes("covey-plane"):
        ui.html(plane.drawn(paths), sanitize=False)
        for setting in done:
            left, bottom = plane.place(setting["loss"], 100 * setting["risk"])
            best = (setting["k"], setting["method"]) == tuple(compared["best"])
            name = f"{setting['method']}, k = {setting['k']}: loss {setting['loss']:.2f} %, linkage {100 * setting['risk']:.1f} %"
            point = ui.button(str(setting["k"]), on_click=lambda setting=setting: _take(session, setting)).classes(
                "covey-point"
            )
            point.props("round dense " + ("text-color=on-primary" if setting["front"] else "outline"))
            point.style(f"left: {left:.2f}%; bottom: {bottom:.2f}%").classes("covey-best" if best else "")
            point.props["aria-label"] = f"Take {name}"
            point.tooltip(name + ("; recommended" if best else "; on the front" if setting["front"] else ""))
    sentence(
        "The number is k; a line joins the settings of one method. Filled: on the front; with a ring: recommended. Choose a point to take its setting."
    )


def _table(session: Session, compared: dict[str, Any]) -> None:
    with ui.element("div").classes("w-full overflow-auto"), ui.element("table").classes("covey-table"):
        with ui.element("tr"):
            for text in ("k", "Method", "Loss, %", "Linkage, %", "", ""):
                with ui.element("th").props("scope=col"):
                    ui.label(text)
        for setting in compared["settings"]:
            _row(session, setting, best=(setting["k"], setting["method"]) == tuple(compared["best"]))


def _row(session: Session, setting: dict[str, Any], *, best: bool) -> None:
    failed = setting["error"] is not None
    numbers = ("", "") if failed else (f"{setting['loss']:.2f}", f"{100 * setting['risk']:.1f}")
    mark = setting["error"] if failed else "recommended" if best else "front" if setting["front"] else ""
    with ui.element("tr"):
        for text in (str(setting["k"]), setting["method"], *numbers, mark):
            with ui.element("td"):
                ui.label(text)
        with ui.element("td"):
            if not failed:
                take = ui.button("Take", on_click=lambda: _take(session, setting)).props('outline padding="xs sm"')
                take.props["aria-label"] = f"Take k = {setting['k']}, {setting['method']}"
