"""The third step: k, what is asked of sensitive columns, the method; and at once what that costs."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from covey.web.choices import LEAST_K, METHODS, MISSING, MOST_K, OTHERS, SMALL, has_gaps
from covey.web.drawings import before_and_after, swatch
from covey.web.sentences import figures
from covey.web.ui import ui
from covey.web.views.elements import action, card, choice, heading, message, running, sentence, show_figures, whole

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
    with ui.expansion("What the methods are").classes("w-full"):
        for name, text in METHODS.items():
            sentence(f"{name}: {text}")
    sensitive = [name for name, role in session.roles.items() if role == "sensitive"]
    if sensitive:
        _requirements(session, sensitive)
    gaps = has_gaps(session.roles, session.columns)
    if gaps:
        _choice(session, "missing", "Missing values", MISSING)
    if gaps or "strata" in session.roles.values():
        _choice(session, "small_strata", "Small strata", SMALL)
    published = [name for name, role in session.roles.items() if role in ("keep", "sensitive")]
    if published:
        _accept(session, published)
    with ui.expansion("All other choices").classes("w-full"):
        _others(session)
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
    accept = ui.select(published, value=now, multiple=True, label="Publish although it tells")
    accept.props("outlined use-chips").classes("w-full")
    accept.on_value_change(lambda: session.choose(accept=tuple(accept.value)))
    sentence(
        "Kept columns that are nearly unique, or that give a quasi-identifier away, are refused unless you name them here."
    )


def _others(session: Session) -> None:
    """Show every choice that has no place of its own: words to choose from, or a field to type as on the command line."""
    for name, chosen in OTHERS.items():
        now, words = session.settings.others.get(name, ""), chosen.form.words
        words = ("true", "false") if chosen.form.type is bool else words
        shown: ui.select | ui.textarea
        if words:
            shown = ui.select(list(words), value=now or None, label=name, clearable=True)
        else:
            shown = ui.textarea(name, value=now, placeholder=chosen.form.metavar).props("autogrow rows=1 debounce=500")
        shown.props("outlined").classes("w-full")
        shown.on_value_change(
            lambda event, name=name: session.choose(others={**session.settings.others, name: event.value or ""})
        )
        sentence(chosen.text)


def _range(k: int, turn: int) -> str:
    """The slider; another turn is another text, so that the browser takes it though k is one that it had before."""
    return (
        f'<input type="range" class="covey-range" aria-label="k by slider" min="{LEAST_K}" max="{MOST_K}" '
        f'value="{min(k, MOST_K)}" data-turn="{turn}">'
    )


def _requirements(session: Session, sensitive: list[str]) -> None:
    heading(f"Asked of {', '.join(sensitive)}", 2)
    least = whole("l: different values in each class", session.settings.l_diversity, 2)
    least.props("outlined clearable").classes("w-full")
    least.on_value_change(lambda: session.choose(l_diversity=None if least.value is None else int(least.value)))
    sentence("Without it, all records of a class may share one sensitive value: who finds the class then knows it.")
    most = ui.number(
        "t: distance of a class from the whole", value=session.settings.t_closeness, min=0, max=1, step=0.05
    )
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
        for note in report["notes"]:
            sentence(f"Note: {note}")


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
