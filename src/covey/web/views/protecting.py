"""The third step: k, what is asked of sensitive columns, the method; and at once what that costs."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from covey.web.choices import LEAST_K, METHODS, MISSING, MOST_K, SMALL, has_gaps
from covey.web.drawings import before_and_after, swatch
from covey.web.sentences import figures
from covey.web.ui import ui
from covey.web.views.choosing import more_choices
from covey.web.views.elements import (
    action,
    card,
    choice,
    folded,
    heading,
    message,
    running,
    sentence,
    show_figures,
    show_rows,
    whole,
)
from covey.web.wording import as_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

    from covey.web.session import Session


def protecting(session: Session) -> Callable[[], object]:
    """Show the third step; returns what shows the preview anew."""

    @ui.refreshable
    def shown() -> None:
        _preview(session)

    with ui.element("div").classes("covey-two"):
        with card("How much protection?", 1):
            _controls(session)
        with card("What that costs: a preview"):
            shown()
    return shown.refresh


def _controls(session: Session) -> None:
    _k(session)
    _choice(session, "method", "Method", METHODS)
    with folded("What the methods are"):
        for name, text in METHODS.items():
            sentence(f"{name}: {text}")
    sensitive = [name for name, role in session.roles.items() if role == "sensitive"]
    if sensitive:
        _requirements(session, sensitive)
    gaps = has_gaps(session.roles, session.columns)
    if gaps:
        _choice(session, "missing", "Missing values", MISSING)
    if gaps or {"strata", "strata_ids"} & {*session.roles.values()}:
        _choice(session, "small_strata", "Small strata", SMALL)
    published = [name for name, role in session.roles.items() if role in ("keep", "sensitive")]
    if published:
        _accept(session, published)
    more_choices(session)
    with ui.row():
        action("Compare settings", "insights", lambda: session.go("compare"))
        action("Go on: release", "arrow_forward", lambda: session.go("release"), main=True)


def _k(session: Session) -> None:
    """Show k: by slider, or by number where it is beyond the slider.

    The browser's own slider has its keys and its name. As HTML it is left alone while it is moved: its value is the browser's.
    """
    k = session.settings.k
    slider = ui.html(_range(k, 0), sanitize=False).classes("w-full")
    turns = itertools.count(1)
    number = whole("k", k, LEAST_K).props("outlined").classes("w-full")

    def typed() -> None:
        if number.value is not None and int(number.value) != session.settings.k:
            session.choose(k=int(number.value))
            slider.set_content(_range(session.settings.k, next(turns)))

    def moved(event: GenericEventArguments) -> None:
        session.choose(k=int(event.args))
        number.set_value(session.settings.k)

    slider.on("input", moved, js_handler="(event) => emit(event.target.value)")
    number.on_value_change(typed)
    number.on("blur", lambda: number.set_value(session.settings.k))  # what is in force, where the field was emptied
    sentence(
        "Every record is published as one of at least k that look the same. 3 to 10 are usual; more protects more and loses more."
    )


def _accept(session: Session, published: list[str]) -> None:
    now = [name for name in session.settings.accept if name in published]
    accept = ui.select(published, value=now, multiple=True, label="Publish all the same")
    accept.props("outlined use-chips").classes("w-full")
    accept.on_value_change(lambda: session.choose(accept=tuple(accept.value)))
    sentence(
        "A kept or sensitive column is refused if nearly every value is different or if it gives a quasi-identifier away, unless it is "
        "named here."
    )


def _range(k: int, turn: int) -> str:
    """The slider; another turn is another text, so that the browser takes it though k is one that it had before."""
    return (
        f'<input type="range" class="covey-range" aria-label="k by slider" min="{LEAST_K}" max="{MOST_K}" '
        f'value="{min(k, MOST_K)}" data-turn="{turn}">'
    )


def _requirements(session: Session, sensitive: list[str]) -> None:
    heading(f"Asked of {', '.join(sensitive)}", 2)
    now = session.settings.l_diversity
    least = whole("l: different values in each class", now if isinstance(now, int) else None, 2)
    least.props("outlined clearable").classes("w-full")
    least.on_value_change(lambda: session.choose(l_diversity=None if least.value is None else int(least.value)))
    sentence(
        "Without it, all records of a class may share one sensitive value: whoever knows that somebody is in the class then knows the value."
    )
    now = session.settings.t_closeness
    title, known = "t: distance of a class from the whole", now if isinstance(now, int | float) else None
    most = ui.number(title, value=known, min=0, max=1, step=0.05)
    most.props("outlined clearable").classes("w-full")
    most.on_value_change(lambda: session.choose(t_closeness=None if most.value is None else float(most.value)))
    sentence("From 0 to 1; the smaller, the less a class tells beyond what the whole table tells. Costs much loss.")


def _choice(session: Session, name: str, title: str, sentences: dict[str, str]) -> None:
    choice(title, sentences, getattr(session.settings, name), lambda value: session.choose(**{name: value}))


def _preview(session: Session) -> None:
    previews = session.previews
    if previews.run is not None:
        running(previews.run, previews.stop)
    message(previews.message)
    report = previews.report
    if report is None:
        if previews.run is None and not previews.message:
            sentence("There is no preview yet.")
        return
    if session.is_sampled:
        sentence(
            f"Estimated on {session.sampled:,} of {session.rows:,} records. All of them lie closer together, so the release will "
            "usually lose less."
        )
    with ui.column().classes("covey-preview w-full"):
        show_figures(figures(report))
        if report["distributions"]:
            _plots(report["distributions"])
        heading("Ten released rows, as they would stand in the file", 3)
        show_rows("Released rows", report["rows"])
        for note in report["notes"]:
            sentence(f"Note: {as_sentence(note)}")


def _plots(distributions: list[dict[str, Any]]) -> None:
    heading("Original against released", 3)
    with ui.row().classes("items-center"):
        for kind, text in (("before", "original"), ("after", "released")):
            ui.html(swatch(kind), sanitize=False)
            ui.label(text)
    with ui.element("div").classes("covey-pair"):
        for distribution in distributions:
            with ui.column().classes("gap-0 covey-plot"):
                ui.label(distribution["column"])
                ui.html(before_and_after(distribution), sanitize=False).classes("w-full")
