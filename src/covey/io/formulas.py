"""Cells that a spreadsheet would run: text that starts with = + - @, a tab or a carriage return."""

from __future__ import annotations

from covey.utils.arrow import Table, is_text, pa, pc
from covey.utils.notes import Note, NoteKind

LIVE = r"^[=+\-@\t\r]"


def disarm(table: Table) -> tuple[Table, list[Note]]:
    """The table with an apostrophe before such text, in cells and in names, and what was changed.

    Numbers are left alone: a negative number is no formula.
    """
    quote, nothing = pa.scalar("'", pa.large_string()), pa.scalar("", pa.large_string())
    columns, texts = [], []
    for name, column in zip(table.column_names, table.columns, strict=True):
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        if not (is_text(kind) or pa.types.is_string_view(kind)):
            columns.append(column)
            continue
        text = column.cast(pa.large_string())
        live = pc.fill_null(pc.match_substring_regex(text, LIVE), False)  # noqa: FBT003
        number = int(pc.sum(live).as_py() or 0)
        if number:
            texts.append(f"column {name!r}: {number} cells that a spreadsheet would run got a leading apostrophe")
            text = pc.if_else(live, pc.binary_join_element_wise(quote, text, nothing), text)
        columns.append(text if number else column)
    names = [f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name for name in table.column_names]
    if names != table.column_names:
        texts.append("names of columns that a spreadsheet would run got a leading apostrophe")
    return pa.table(columns, names=names), [Note(NoteKind.WRITING, text, public=True) for text in texts]
