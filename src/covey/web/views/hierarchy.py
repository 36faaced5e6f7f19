"""What the values of a column are a part of: typed as a rule, or loaded from a file of levels."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from covey.columns.hierarchy.declared import as_hierarchy, is_cuts, is_file
from covey.errors import CoveyError
from covey.web.choices import AT_COLUMN
from covey.web.kinds import UNSAID
from covey.web.ui import ui
from covey.web.views.elements import action, sentence
from covey.web.wording import as_sentence

if TYPE_CHECKING:
    from nicegui.events import UploadEventArguments

    from covey.columns.profile import Column
    from covey.web.session import Session

RULES = "prefix, prefix:2,3 (after so many characters) or cuts:20,40,60;40 (the finest first)"
LARGEST = 2**22


def hierarchy_field(session: Session, column: Column, now: str) -> None:
    """Show the levels of a column: a field for a rule, and a button that loads a file of levels."""
    if session.roles[column.name] not in AT_COLUMN["hierarchy"] or now == UNSAID:
        return
    said = session.settings.of("hierarchy", column.name)
    with ui.column().classes("gap-1"):
        field = ui.input("Levels above its values", value=in_words(said)).props("outlined dense")
        field.props["hint"] = f"{RULES}. A group publishes the lowest level that holds all of its values."
        field.props["aria-label"] = f"Levels above the values of {column.name}"
        wrong = sentence("", "covey-bad").props("role=alert")
        _file_of_levels(session, column, field, wrong)

    def take() -> None:
        text = (field.value or "").strip()
        if text == in_words(session.settings.of("hierarchy", column.name)):
            return
        try:
            wrong.set_text(f"Needed: {RULES}, or a file of levels." if text and is_file(text) else "")
            if not wrong.text:
                levels = as_hierarchy(text, f"the levels of {column.name!r}") if text else None
                session.set_choice("hierarchy", column.name, levels)
        except CoveyError as error:
            wrong.set_text(as_sentence(str(error)))

    field.on("blur", take)
    field.on("keydown.enter", take)


def in_words(levels: object) -> str:
    """Levels as the field shows them.

    >>> in_words("prefix:2"), in_words(((20, 40), (40,))), in_words((("a", "x"), ("b", "x"))), in_words(None)
    ('prefix:2', 'cuts:20,40;40', 'a file of 2 values', '')
    """
    if not isinstance(levels, list | tuple):
        return "" if levels is None else str(levels)
    if is_cuts(levels):  # type: ignore[arg-type]
        return "cuts:" + ";".join(",".join(map(str, level)) for level in levels)
    return f"a file of {len(levels)} values"


def _file_of_levels(session: Session, column: Column, field: ui.input, wrong: ui.label) -> None:
    async def uploaded(event: UploadEventArguments) -> None:
        path = session.folder / f"levels-{secrets.token_hex(4)}.csv"
        try:
            await event.file.save(path)
            levels = as_hierarchy(path, f"the file of levels of {column.name!r}")
            wrong.set_text("")
            session.set_choice("hierarchy", column.name, levels)
            field.set_value(in_words(levels))
        except CoveyError as error:
            wrong.set_text(as_sentence(str(error).replace(f", {str(path)!r},", "")))
        finally:
            path.unlink(missing_ok=True)

    chosen = ui.upload(auto_upload=True, max_file_size=LARGEST, on_upload=uploaded).classes("hidden")
    pick = action("Load a file of levels", "upload_file").props("dense")
    pick.props["aria-label"] = f"Load a file of levels of {column.name}: a line value;label;label for each value"
    pick.on("click", js_handler=f"() => getElement({chosen.id}).$refs.qRef.pickFiles()")
