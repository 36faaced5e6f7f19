"""The fourth step: the risk-utility plane over k and methods; a click on a point takes its setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError
from covey.utils.extras import load
from covey.web.choices import METHODS
from covey.web.drawings import Plane, ticks
from covey.web.views.parts import action, card, message, running, sentence

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
    ui = load("nicegui.ui")
    with ui.row().classes("items-center w-full"):
        ks = ui.select(KS, value=session.grid[0], multiple=True, label="Values of k")
        methods = ui.select(list(METHODS), value=session.grid[1], multiple=True, label="Methods")

        def keep() -> None:
            session.grid = (sorted(ks.value), list(methods.value))

        for one in (ks, methods):
            one.props("outlined use-chips").classes("min-w-64").on_value_change(keep)
        action("Compare", "insights", lambda: _start(session), main=True)


def _start(session: Session) -> None:
    try:
        choices = session.recipe().as_dict()
    except CoveyError as error:
        session.tell(str(error))
        return
    choices = {name: value for name, value in choices.items() if name not in ("k", "method")}

    def found(answer: dict[str, Any]) -> None:
        session.compared = answer

    session.start("Comparing", "compared", session.previews.sample, *session.grid, choices, then=found)


def _take(session: Session, one: dict[str, Any]) -> None:
    session.choose(k=one["k"], method=one["method"])
    session.go("protect")


def _plane(session: Session, compared: dict[str, Any]) -> None:
    ui = load("nicegui.ui")
    done = [one for one in compared["settings"] if one["error"] is None]
    plane = Plane(
        ticks(max([0.1, *(one["loss"] for one in done)])), ticks(max([0.1, *(100 * one["risk"] for one in done)]))
    )
    paths: dict[str, list[tuple[float, float]]] = {}
    for one in sorted(done, key=lambda one: one["k"]):
        paths.setdefault(one["method"], []).append((one["loss"], 100 * one["risk"]))
    with ui.element("div").classes("covey-plane"):
        ui.html(plane.drawn(paths), sanitize=False)
        for one in done:
            left, bottom = plane.place(one["loss"], 100 * one["risk"])
            best = (one["k"], one["method"]) == tuple(compared["best"])
            name = f"{one['method']}, k = {one['k']}: loss {one['loss']:.2f} %, linkage {100 * one['risk']:.1f} %"
            point = ui.button(str(one["k"]), on_click=lambda one=one: _take(session, one)).classes("covey-point")
            point.props("round dense " + ("text-color=on-primary" if one["front"] else "outline"))
            point.style(f"left: {left:.2f}%; bottom: {bottom:.2f}%").classes("covey-best" if best else "")
            point.props["aria-label"] = f"Take {name}"
            point.tooltip(name + ("; recommended" if best else "; on the front" if one["front"] else ""))
    sentence(
        "The number is k; a line joins the settings of one method. Filled: on the front; with a ring: recommended. Choose a point to take its setting."
    )


def _table(session: Session, compared: dict[str, Any]) -> None:
    ui = load("nicegui.ui")
    with ui.element("div").classes("w-full overflow-auto"), ui.element("table").classes("covey-table"):
        with ui.element("tr"):
            for text in ("k", "Method", "Loss, %", "Linkage, %", "", ""):
                with ui.element("th").props("scope=col"):
                    ui.label(text)
        for one in compared["settings"]:
            _row(session, one, best=(one["k"], one["method"]) == tuple(compared["best"]))


def _row(session: Session, one: dict[str, Any], *, best: bool) -> None:
    ui = load("nicegui.ui")
    failed = one["error"] is not None
    numbers = ("", "") if failed else (f"{one['loss']:.2f}", f"{100 * one['risk']:.1f}")
    mark = one["error"] if failed else "recommended" if best else "front" if one["front"] else ""
    with ui.element("tr"):
        for text in (str(one["k"]), one["method"], *numbers, mark):
            with ui.element("td"):
                ui.label(text)
        with ui.element("td"):
            if not failed:
                take = ui.button("Take", on_click=lambda: _take(session, one)).props('outline padding="xs sm"')
                take.props["aria-label"] = f"Take k = {one['k']}, {one['method']}"
