"""The fourth step: the risk-utility plane over k and methods; a click on a point takes its setting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError
from covey.web.choices import METHODS
from covey.web.plane import MARKS, Plane, rooms, ticks
from covey.web.sentences import recommendation
from covey.web.ui import ui
from covey.web.views.elements import action, card, message, running, sentence
from covey.web.wording import as_sentence

if TYPE_CHECKING:
    from covey.web.session import Session

    Setting = dict[str, Any]
    """A setting as plain values, and whether it is on the front."""

KS = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50]
HALF = 50.0
"""A release that loses more than half of the information is taken by nobody."""
SHAPES = dict(zip(METHODS, MARKS, strict=True))


def comparing(session: Session) -> None:
    """Show the fourth step."""
    with card("Which setting is better?", 1):
        sentence(
            "Every k with every method, each with its loss and its risk. Nothing is released. Points to the left lose less, points "
            "further down link fewer records."
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
            sentence(recommendation(session.compared), "covey-strong")
            _plane(session, session.compared)
        with card("The same as a table"):
            _table(session, session.compared)


def is_worth_it(setting: Setting) -> bool:
    """Whether anybody would take a setting: no other has less of both risk and loss, and half of the information stays.

    >>> [is_worth_it({"front": front, "loss": loss, "error": None}) for front, loss in ((True, 9.0), (True, 51.0), (False, 9.0))]
    [True, False, False]
    """
    return setting["error"] is None and bool(setting["front"]) and setting["loss"] <= HALF


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
        choices = session.decided().as_dict()
    except CoveyError as error:
        session.tell(str(error))
        return
    choices = {name: value for name, value in choices.items() if name not in ("k", "method")}

    def take_over(answer: dict[str, Any]) -> None:
        session.compared = answer

    session.start("Comparing", "compared", session.previews.sample, *session.grid, choices, then=take_over)


def _take(session: Session, setting: Setting) -> None:
    session.choose(k=setting["k"], method=setting["method"])
    session.go("protect")


def _plane(session: Session, compared: dict[str, Any]) -> None:
    """The plane of what anybody would take, with the rest in grey where it lies within."""
    done = [setting for setting in compared["settings"] if setting["error"] is None]
    best = next(setting for setting in done if _is_best(setting, compared))
    worth = [setting for setting in done if is_worth_it(setting)] or [best]
    right = ticks(max(0.1, *(setting["loss"] for setting in worth), 0.0))
    shown = [setting for setting in done if setting["loss"] <= right[-1]]
    plane = Plane(right, ticks(max([0.1, *(100 * setting["risk"] for setting in shown)])))
    shown.sort(key=lambda setting: (not _is_best(setting, compared), not is_worth_it(setting), setting["k"]))
    paths: dict[str, list[tuple[float, float]]] = {}
    for setting in sorted(shown, key=lambda setting: setting["k"]):
        paths.setdefault(setting["method"], []).append((setting["loss"], 100 * setting["risk"]))
    _legend(list(paths))
    points = [plane.place(setting["loss"], 100 * setting["risk"]) for setting in shown]
    named = [setting for setting in shown if is_worth_it(setting) or setting is best]
    with ui.element("div").classes("covey-plane").props('role=group aria-label="Settings by loss and risk"'):
        ui.html(plane.drawn(paths), sanitize=False)
        for setting, (left, bottom) in zip(shown, points, strict=True):
            _point(session, setting, f"left: {left:.2f}%; bottom: {bottom:.2f}%", is_best=setting is best)
        places = rooms(points, [str(setting["k"]) for setting in named])
        for setting, (left, bottom), place in zip(named, points, places, strict=False):
            if place is not None:
                label = ui.label(str(setting["k"])).classes("covey-point-name").props("aria-hidden=true")
                label.style(f"left: calc({left:.2f}% + {place[0]}px); bottom: calc({bottom:.2f}% - {place[1]}px)")
    left_out = len(done) - len(shown)
    beyond = f" {left_out} settings that lose more are in the table only." if left_out else ""
    sentence(
        "The number is k, the shape is the method. With a ring: recommended. Grey: another setting has both less loss and less risk, or more than half of the "
        f"information is lost. Choose a point to take its setting.{beyond}"
    )


def _is_best(setting: Setting, compared: dict[str, Any]) -> bool:
    return (setting["k"], setting["method"]) == tuple(compared["best"])


def _legend(methods: list[str]) -> None:
    with ui.row().classes("items-center gap-4"):
        for method in methods:
            with ui.row().classes("items-center gap-1 no-wrap"):
                ui.element("span").classes(f"covey-mark covey-mark-{SHAPES[method]}").props("aria-hidden=true")
                ui.label(method)


def _point(session: Session, setting: Setting, style: str, *, is_best: bool) -> None:
    name = (
        f"{setting['method']}, k = {setting['k']}: loss {setting['loss']:.2f} %, linkage {100 * setting['risk']:.1f} %"
    )
    with ui.button(on_click=partial(_take, session, setting)).props("flat round dense").style(style) as point:
        grey = "" if is_worth_it(setting) else " covey-mark-grey"
        ui.element("span").classes(f"covey-mark covey-mark-{SHAPES[setting['method']]}{grey}")
    point.classes("covey-point" + (" covey-best" if is_best else ""))
    point.props["aria-label"] = f"Take {name}"
    point.tooltip(name + ("; recommended" if is_best else ""))


def _table(session: Session, compared: dict[str, Any]) -> None:
    with (
        ui.element("div").classes("w-full overflow-auto"),
        ui.element("table")
        .classes("covey-table covey-settings")
        .props('aria-label="Settings, with their loss and risk"'),
    ):
        with ui.element("tr"):
            for text in ("k", "Method", "Loss, %", "Linkage, %", ""):
                with ui.element("th").props("scope=col"):
                    ui.label(text)
        for setting in compared["settings"]:
            _row(session, setting, is_best=_is_best(setting, compared))


def _row(session: Session, setting: Setting, *, is_best: bool) -> None:
    failed = setting["error"] is not None
    numbers = ("", "") if failed else (f"{setting['loss']:.2f}", f"{100 * setting['risk']:.1f}")
    mark = as_sentence(setting["error"]) if failed else "recommended" if is_best else ""
    with ui.element("tr").classes("" if is_best or is_worth_it(setting) else "covey-grey"):
        for text in (str(setting["k"]), setting["method"], *numbers):
            with ui.element("td"):
                ui.label(text)
                if text == setting["method"] and mark:
                    sentence(mark, "covey-mini")
        with ui.element("td"):
            if not failed:
                take = ui.button("Take", on_click=partial(_take, session, setting)).props('outline padding="xs sm"')
                take.props["aria-label"] = f"Take k = {setting['k']}, {setting['method']}"
