"""A recipe, or an internal certificate, that is loaded into the page."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from covey.errors import CoveyError
from covey.web.ui import ui
from covey.web.views.elements import action

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import UploadEventArguments

    from covey.web.session import Session

RECIPES = (".toml", ".json")
NEEDED = "a recipe (.toml) or an internal certificate (.json)"
LARGEST = 2**20
"""Bytes: no recipe is larger."""


def load_recipe(session: Session, take: Callable[[Path], object]) -> None:
    """A button that loads a file, which is taken and then removed; what is wrong with it is told without its place."""

    async def uploaded(event: UploadEventArguments) -> None:
        suffix = Path(event.file.name).suffix.lower()
        path = session.folder / f"recipe-{secrets.token_hex(4)}{suffix if suffix in RECIPES else RECIPES[0]}"
        try:
            await event.file.save(path)
            take(path)
        except CoveyError as error:
            said = str(error).replace(f"the recipe {path.name!r}", "the recipe").replace(repr(path.name), "the file")
            session.tell(said.replace(str(path), "the recipe"))
            session.show()
        finally:
            path.unlink(missing_ok=True)

    chosen = ui.upload(auto_upload=True, max_files=1, max_file_size=LARGEST, on_upload=uploaded).classes("hidden")
    chosen.props(f"accept={','.join(RECIPES)}").on(
        "rejected", lambda: session.tell(f"the file was not taken; {NEEDED}")
    )
    pick = action("Load a recipe", "upload_file")
    pick.on("click", js_handler=f"() => getElement({chosen.id}).$refs.qRef.pickFiles()")
