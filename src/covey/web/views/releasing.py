"""The last step: the release of the whole table, recounted, and its downloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError
from covey.extras import load
from covey.web.choices import recipe_of
from covey.web.downloads import NETWORK, TABLE, Download
from covey.web.sentences import figures
from covey.web.views.parts import card, message, running, sentence, show_figures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.web.session import Session

FORMATS = (".csv", ".tsv", ".parquet", ".arrow", ".jsonl", ".xlsx", ".sav", ".dta")


def releasing(session: Session) -> None:
    """Show the last step."""
    ui = load("nicegui.ui")
    settings = session.settings
    with card("Release", 1):
        sentence(
            f"All {session.rows:,} records with k = {settings.k} by {settings.method}. The file is written, read back as a stranger would "
            "read it and recounted before you can download it."
        )
        if session.run is not None:
            running(session.run, session.cancel)
        else:
            with ui.row().classes("items-center"):
                suffix = ui.select(list(FORMATS), value=_suffix(session), label="Format").props("outlined dense").classes("min-w-32")
                ui.button("Make the release", icon="verified", on_click=lambda: _start(session, suffix.value)).props("color=primary")
        message(session.message)
    if session.released is not None:
        _done(session, session.released)


def _suffix(session: Session) -> str:
    own = "" if session.source is None else session.source.suffix
    return own if own in FORMATS else ".csv"


def _start(session: Session, suffix: str) -> None:
    source = session.source
    if source is None:
        return
    try:
        recipe = recipe_of(session.roles, session.settings, session.columns)
    except CoveyError as error:
        session.message = str(error)
        session.changed()
        return

    def done(report: dict[str, Any]) -> None:
        session.released = report | {"suffix": suffix}

    session.start("Releasing", "released", source.path, recipe, str(session.folder), suffix, not source.is_example, then=done)


def _done(session: Session, report: dict[str, Any]) -> None:
    ui = load("nicegui.ui")
    with card("Recounted"):
        with ui.row().classes("items-center no-wrap"):
            ui.icon("verified").classes("covey-good text-2xl")
            ui.label(report["promise"]).mark("promise")
        show_figures(figures(report))
        for one in report["requirements"]:
            sentence(f"Asked: {one['asked']}; the worst class reaches {one['worst_class']:.4g}.")
        if report["suppressed"]:
            sentence(f"{report['suppressed']} of {report['records_in']} records are not published.")
        for note in report["notes"]:
            sentence(f"Note: {note}")
    downloads(session, TABLE, report["suffix"])
    name = "" if session.source is None else session.source.name
    with card("The same on the command line"):
        sentence("With the original and the recipe, this makes the very same file:")
        ui.code(f"covey release '{name}' --recipe recipe-internal.toml -o release{report['suffix']}", language="bash").classes("w-full")


def downloads(session: Session, offered: Mapping[str, Download], suffix: str) -> None:
    """The files of a release, those to hand out and those to keep."""
    ui = load("nicegui.ui")
    with ui.element("div").classes("covey-pair"):
        for public, title in ((True, "To hand out"), (False, "To keep: not to be published")):
            with card(title):
                for name, one in offered.items():
                    if one.public is public:
                        link = ui.button(one.title, icon="download").props(f"outline color=primary tag=a href=/t/{session.id}/download/{name}")
                        link.props["download"] = one.file.format(suffix=suffix)
                        sentence(one.sentence)
                if session.source is not None and session.source.is_example and not public:
                    ui.button("The example itself", icon="download").props(f"outline color=primary tag=a href=/t/{session.id}/download/original")
                    sentence("The original table, to replay the recipe with.")


OFFERED = {"table": TABLE, "network": NETWORK}
