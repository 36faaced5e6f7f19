"""The first step: a file is dropped or chosen, or an example opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from covey.errors import CoveyError
from covey.io.location import SUFFIXES
from covey.network.formats import SUFFIXES as NETWORK_SUFFIXES
from covey.web.source import example, from_upload
from covey.web.ui import ui
from covey.web.views.elements import action, card, message, running, sentence

if TYPE_CHECKING:
    from nicegui.events import UploadEventArguments

    from covey.web.session import Session

KINDS = {
    "table": ("A table", "Each row is a record: a person, a firm, a stay in hospital.", tuple(SUFFIXES)),
    "network": (
        "A network",
        "Who is linked to whom: a graph file, a list of edges or a table of them.",
        tuple(NETWORK_SUFFIXES),
    ),
}
EXAMPLES = {"table": "3,000 simulated hospital stays", "network": "240 simulated people who meet"}


def opening(session: Session, most_bytes: int) -> None:
    """Show the first step."""
    with card("Open a table or a network", 1):
        sentence(
            "Everything stays on this machine: the file is read here, nothing is sent anywhere, and what was uploaded is removed "
            "when the program ends."
        )
        message(session.message)
        if session.run is not None:
            running(session.run, session.cancel)
            return
        if session.source is not None:
            action(f"Close {session.source.name} and remove its files", "close", session.leave)
        given = session.given
        if given is not None:
            action(f"Open {given.name}", "description", lambda: session.open(given), main=True)
    with ui.element("div").classes("covey-pair"):
        for kind in KINDS:
            _choice(session, kind, most_bytes)


def _choice(session: Session, kind: str, most_bytes: int) -> None:
    title, text, suffixes = KINDS[kind]
    with card(title):
        sentence(text)
        pick = action("Choose a file", "upload_file", main=True)
        chosen = _upload(session, kind, most_bytes)
        pick.on("click", js_handler=f"() => getElement({chosen.id}).$refs.qRef.pickFiles()")
        pick.props["aria-label"] = f"Choose a file: {title.lower()}"
        sentence(f"{', '.join(suffixes)}; up to {most_bytes // 2**20} MB.")
        action(f"Try the example: {EXAMPLES[kind]}", "science", lambda: session.open(example(kind, session.folder)))


def _upload(session: Session, kind: str, most_bytes: int) -> ui.upload:
    """Where files are dropped. What comes gets a name of ours in the folder of the session."""
    suffixes = KINDS[kind][2]

    async def uploaded(event: UploadEventArguments) -> None:
        try:
            source = from_upload(event.file.name, kind, session.folder)
            await event.file.save(Path(source.path))
            session.open(source)
        except CoveyError as error:
            session.tell(str(error))

    refused = (
        f"the file was not taken; needed: one file of up to {most_bytes // 2**20} MB, which is what fits the memory here, with one "
        f"of the suffixes {', '.join(suffixes)}"
    )
    chosen = ui.upload(
        auto_upload=True,
        max_files=1,
        max_file_size=most_bytes,
        on_upload=uploaded,
        on_rejected=lambda: session.tell(refused),
    )
    chosen.on("failed", lambda: session.tell(refused), args=[])
    return chosen.props(f"flat accept={','.join(suffixes)}").classes("covey-drop")
