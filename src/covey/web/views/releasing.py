"""The last step: the release of the whole table, recounted, and its downloads."""

from __future__ import annotations

import contextlib
import shlex
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError
from covey.recipe.engines import Engine
from covey.web.choices import roles_in_words
from covey.web.downloads import TABLE, Download
from covey.web.sentences import figures
from covey.web.ui import ui
from covey.web.views.elements import action, card, download, message, running, sentence, show_figures, show_rows
from covey.web.wording import as_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.recipe.recipe import Recipe
    from covey.web.session import Session

FORMATS = (".csv", ".tsv", ".parquet", ".arrow", ".jsonl", ".xlsx", ".sav", ".dta")

ENGINES = {
    Engine.MEMORY: "The release was made in memory, where the table fits.",
    Engine.FILE: "The release was made from file to file, in parts: the table is too large for the memory that is free.",
}
CHANGED = "Choices were changed after this release was made: it has those of before."


def releasing(session: Session) -> None:
    """Show the last step."""
    settings = session.settings
    with card("Release", 1):
        sentence(
            f"All {session.rows:,} records with k = {settings.k} by {settings.method}. The file is written, read back from the disk "
            "and recounted before you can download it."
        )
        for title, names in roles_in_words(session.roles).items():
            sentence(f"{title}: {', '.join(names)}.")
        if session.run is not None:
            running(session.run, session.cancel)
        else:
            with ui.row().classes("items-center"):
                suffix = ui.select(list(FORMATS), value=_suffix(session), label="Format").props("outlined dense")
                suffix.classes("min-w-32").bind_value_to(session, "suffix")
                action("Make the release", "verified", lambda: _start(session), main=True)
        message(session.message)
    if session.released is not None:
        _done(session, session.released)


def _suffix(session: Session) -> str:
    return session.suffix if session.suffix in FORMATS else ".csv"


def _start(session: Session) -> None:
    try:
        recipe = session.decided()
    except CoveyError as error:
        session.tell(str(error))
        return
    session.release("released", recipe, _suffix(session), asked=recipe)


def _chosen(session: Session) -> Recipe | None:
    """What is chosen now; None where that is no recipe."""
    with contextlib.suppress(CoveyError):
        return session.recipe()
    return None


def _done(session: Session, report: dict[str, Any]) -> None:
    with card("Recounted"):
        if report["asked"] != _chosen(session):
            sentence(CHANGED, "covey-bad")
        with ui.row().classes("items-center no-wrap"):
            ui.icon("verified").classes("covey-good text-2xl")
            ui.label(report["promise"])
        show_figures(figures(report))
        sizes = {int(size): number for size, number in report["class_sizes"].items()}
        sentence(
            f"{report['classes']:,} classes of {min(sizes)} to {max(sizes)} {report['counted_in']} were counted in the file; "
            f"{sizes[min(sizes)]:,} are as small as {min(sizes)}."
        )
        for asked in report["requirements"]:
            sentence(f"Asked: {asked['asked']}; the worst class reaches {asked['worst_class']:.4g}.")
        sentence(ENGINES[report["engine"]])
        if report["suppressed"]:
            sentence(f"{report['suppressed']} of {report['records_in']} records are not published.")
        if report["left_out"]:
            bought = report["left_out"]
            sentence(
                f"{bought['records']} records cost most and are left out: the others lose {bought['loss_percent']:.2f} % of the variation of all records, "
                f"and {bought['loss_percent_of_published']:.2f} % of their own."
            )
        for note in report["notes"]:
            sentence(f"Note: {as_sentence(note)}")
    with card("Ten released rows, as they stand in the file"):
        show_rows("Released rows", report["rows"])
    downloads(session, TABLE, report["suffix"])
    name = "" if session.source is None else session.source.name
    with card("The same on the command line"):
        sentence("With the original and the recipe, this makes the very same file:")
        command = ["covey", "release", name, "--recipe", "recipe-internal.toml", "-o", f"release{report['suffix']}"]
        ui.label(shlex.join(command)).classes("covey-code")


def downloads(session: Session, offered: Mapping[str, Download], suffix: str) -> None:
    """The files of a release, those to hand out and those to keep."""
    with ui.element("div").classes("covey-pair"):
        for public, title in ((True, "To hand out"), (False, "To keep: not to be published")):
            with card(title):
                for name, file in offered.items():
                    if file.public is public:
                        download(file.title, f"{session.id}/download/{name}", file.file.format(suffix=suffix))
                        sentence(file.sentence)
                if session.source is not None and session.source.is_example and not public:
                    download("The example itself", f"{session.id}/download/original", session.source.name)
                    sentence("What came in, to make the same release of it on the command line.")
