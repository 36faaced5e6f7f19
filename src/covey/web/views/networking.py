"""The step of networks: what is asked of clusters, both drawings side by side, and the downloads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from covey.network.publish.report import shown
from covey.web.downloads import NETWORK
from covey.web.networks import COUNTS, KEPT, METHODS, SENTENCES, SMALL, SUFFIXES, further, read_uploaded
from covey.web.sentences import Figure
from covey.web.ui import ui
from covey.web.views.elements import action, card, choice, heading, message, running, sentence, show_figures, whole
from covey.web.views.recipes import NEEDED, load_recipe
from covey.web.views.releasing import CHANGED, downloads
from covey.web.wording import as_sentence, title_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from covey.web.session import Session

TITLES = {"original": "The original: not to be published", "released": "What is published"}


def networking(session: Session) -> None:
    """Show the step of networks."""
    with card("Clusters of a network", 1):
        for note in session.notes:
            sentence(as_sentence(note))
        _recipe(session)
        with ui.element("div").classes("covey-fields"):
            _controls(session)
        if session.run is not None:
            running(session.run, session.cancel)
        message(session.message)
    if session.released is not None:
        _drawings(session.released)
        _recounted(session, session.released)


def _recipe(session: Session) -> None:
    """Take all choices from a recipe of an earlier release, and say those that have no place of their own."""

    def take(path: Path) -> None:
        session.network = read_uploaded(path)
        session.show()

    load_recipe(session, take)
    sentence(f"All choices of an earlier release: {NEEDED}. Its secret is not taken.")
    for chosen in further(session.network):
        sentence(f"Also chosen by the recipe. {chosen}")


def _controls(session: Session) -> None:
    asked = session.network

    def choose(**changes: Any) -> None:
        session.network = replace(session.network, **changes)

    with ui.column().classes("gap-1"):
        lower = whole(title_of("lower"), asked.lower, 2).props("outlined").classes("w-full")
        lower.on_value_change(lambda: None if lower.value is None else choose(lower=int(lower.value)))
        lower.on("blur", lambda: lower.set_value(session.network.lower))
        sentence(SENTENCES["lower"])
    with ui.column().classes("gap-1"):
        upper = whole(title_of("upper"), asked.upper, 2).props("outlined clearable").classes("w-full")
        upper.on_value_change(lambda: choose(upper=None if upper.value is None else int(upper.value)))
        sentence(SENTENCES["upper"])
    with ui.column().classes("gap-1"):
        seconds = ui.number(title_of("time_limit"), value=asked.time_limit, min=0).props("outlined").classes("w-full")
        seconds.on_value_change(lambda: None if seconds.value is None else choose(time_limit=float(seconds.value)))
        seconds.on("blur", lambda: seconds.set_value(session.network.time_limit))
        sentence(SENTENCES["time_limit"])
    with ui.column().classes("gap-1"):
        connected = ui.switch(title_of("connected"), value=asked.connected)
        connected.on_value_change(lambda: choose(connected=bool(connected.value)))
        sentence(SENTENCES["connected"])
    _how(session, choose)


def _how(session: Session, choose: Callable[..., None]) -> None:
    """The method, small components, counts, what is kept, and the format."""
    for name, sentences in (("method", METHODS), ("small_components", SMALL), ("counts", COUNTS)):
        now = getattr(session.network, name)
        offered = sentences if now in sentences else {now: "As the recipe says.", **sentences}
        with ui.column().classes("gap-1"):
            choice(title_of(name), offered, now, _chooser(choose, name))
    for name, meaning in KEPT.items():
        with ui.column().classes("gap-1"):
            kept = ui.switch(f"Keep {name} for samples", value=name in session.network.keep)
            kept.on_value_change(_keeper(session, choose, name))
            sentence(meaning)
    with ui.column():
        suffix = ui.select(list(SUFFIXES), value=session.suffix, label="Format").props("outlined").classes("w-full")
        suffix.bind_value_to(session, "suffix")
        if session.run is None:
            action("Make the release", "verified", lambda: _start(session), main=True)


def _chooser(choose: Callable[..., None], name: str) -> Callable[[str], None]:
    """Chooses it, and drops what a recipe chose for another: options of its method, how its counts are hidden."""
    with_it: dict[str, dict[str, object]] = {"method": {"options": {}}, "counts": {"base": None, "threshold": None}}
    return lambda value: choose(**{name: value}, **with_it.get(name, {}))


def _keeper(session: Session, choose: Callable[..., None], name: str) -> Callable[[], None]:
    """Keeps what was not kept, or the other way round."""

    def turn() -> None:
        choose(keep=tuple(one for one in KEPT if (one in session.network.keep) != (one == name)))

    return turn


def _start(session: Session) -> None:
    session.release("released_network", session.network, session.suffix, asked=session.network)


def _drawings(released: dict[str, Any]) -> None:
    with card("The network and its release"), ui.element("div").classes("covey-pair"):
        for name, title in TITLES.items():
            with ui.column().classes("gap-1"):
                heading(title, 3)
                if released["drawings"][name]:
                    ui.html(released["drawings"][name], sanitize=False).classes(f"covey-drawing covey-{name} w-full")
                else:
                    sentence("Too large to be read as a drawing.")


def _recounted(session: Session, released: dict[str, Any]) -> None:
    facts = released["facts"]
    with card("Recounted"):
        changed = sentence(CHANGED, "covey-bad")
        changed.bind_visibility_from(session, "network", lambda now: now != released["asked"])
        with ui.row().classes("items-center no-wrap"):
            ui.icon("verified").classes("covey-good text-2xl")
            ui.label(released["promise"])
        published = f"{facts['vertices']} vertices are published as this many clusters."
        smallest = f"At least {facts['lower_asked']} were asked for."
        linked = "Pairs of clusters that are published as linked."
        figures = [
            Figure("Clusters", str(facts["clusters"]), published),
            Figure("Smallest cluster", str(facts["smallest_cluster"]), smallest),
            Figure("Links", str(facts["linked_pairs_of_clusters"]), linked),
        ]
        show_figures(figures)
        _measures(released["measures"])
        for note in released["notes"]:
            sentence(f"Note: {as_sentence(note)}")
        sentence(released["limits"])
    offered = {name: download for name, download in NETWORK.items() if name != "edges" or released["has_edges"]}
    downloads(session, offered, released["suffix"])
    with card("The same on the command line"):
        sentence("With the original and the recipe, this makes the very same file:")
        ui.label(released["command"]).classes("covey-code")


def _measures(measured: list[dict[str, Any]]) -> None:
    with (
        ui.element("div").classes("w-full overflow-auto"),
        ui.element("table").classes("covey-table covey-stacked").props('aria-label="The network before and after"'),
    ):
        rows = [(row["measure"], shown(row["before"]), shown(row["after"]), row["meaning"]) for row in measured]
        for place, row in enumerate([("Measure", "Original", "Released", "What it means"), *rows]):
            with ui.element("tr"):
                for text in row:
                    with ui.element("td" if place else "th").props("" if place else "scope=col"):
                        ui.label(text)
