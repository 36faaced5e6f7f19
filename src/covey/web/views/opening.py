"""The first step: a file is dropped or chosen, or an example opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError
from covey.extras import load
from covey.io.location import SUFFIXES
from covey.web.source import NETWORK_SUFFIXES, example, from_upload
from covey.web.views.parts import card, message, running, sentence

if TYPE_CHECKING:
    from covey.web.session import Session
    from covey.web.source import Source

KINDS = {
    "table": ("A table", "Each row is a record: a person, a firm, a stay in hospital.", tuple(SUFFIXES)),
    "network": ("A network", "Who is linked to whom: GraphML, GEXF, GML, or a table of edges.", NETWORK_SUFFIXES),
}


def opening(session: Session, given: Source | None, most_bytes: int) -> None:
    """Show the first step."""
    ui = load("nicegui.ui")
    with card("Open a table or a network", 1):
        sentence(
            "Everything stays on this machine: the file is read here, nothing is sent anywhere, and what was uploaded is removed "
            "when the program ends."
        )
        if session.run is not None:
            running(session.run, session.cancel)
            return
        message(session.message)
        if given is not None:
            ui.button(f"Open {given.name}", icon="description", on_click=lambda: session.open(given)).props("color=primary")
    with ui.element("div").classes("covey-pair"):
        for kind in KINDS:
            _choice(session, kind, most_bytes)


def _choice(session: Session, kind: str, most_bytes: int) -> None:
    ui = load("nicegui.ui")
    title, text, suffixes = KINDS[kind]

    async def uploaded(event: Any) -> None:
        try:
            source = from_upload(event.file.name, kind, session.folder)
            await event.file.save(Path(source.path))
            session.open(source)
        except CoveyError as error:
            session.message = str(error)
            session.changed()

    def rejected() -> None:
        session.message = (
            f"the file was not taken; needed: one of up to {most_bytes // 2**20} MB, which is what fits the memory here, with one of "
            f"the suffixes {', '.join(suffixes)}"
        )
        session.changed()

    with card(title):
        sentence(text)
        chosen = ui.upload(
            label="Drop a file here, or choose one", auto_upload=True, max_files=1, max_file_size=most_bytes,
            on_upload=uploaded, on_rejected=rejected,
        )
        chosen.props(f"flat accept={','.join(suffixes)}").classes("covey-drop").mark(f"upload-{kind}")
        sentence(f"{', '.join(suffixes)}; up to {most_bytes // 2**20} MB")
        name = "3,000 simulated hospital stays" if kind == "table" else "240 simulated people who meet"
        ui.button(
            f"Try the example: {name}", icon="science", on_click=lambda: session.open(example(kind, session.folder))
        ).props("outline color=primary").mark(f"example-{kind}")
