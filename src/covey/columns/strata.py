"""The labels of strata as they are published: merged strata get a label of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.values import read_values
from covey.utils.extras import load
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.columns.values import Values

    Cells = NDArray[np.int64]


def stratum_columns(
    columns: Mapping[str, Values], first: Cells, merged: Cells, rows: NDArray[np.int64]
) -> tuple[dict[str, Any], list[Note]]:
    """The stratum columns of these rows as Arrow arrays, and what there is to report.

    Where strata were merged, their records carry the labels of all of them, "East + North", in each column; a column of numbers
    or dates then becomes text, since no number stands for two.
    """
    grown = np.bincount(np.unique(np.column_stack([merged[rows], first[rows]]), axis=0)[:, 0]) > 1
    joined = grown[merged[rows]]
    built: dict[str, Any] = {}
    notes: list[Note] = []
    for name, column in columns.items():
        if not joined.any():
            built[name] = column.take(rows).build()
            continue
        built[name], changed = _joined(column.take(rows), merged[rows], joined)
        if changed:
            text = f"the stratum {name!r} was of type {column.type} and is published as text: merged strata have no {column.type}"
            notes.append(Note(NoteKind.TYPES, text))
    return built, notes


def stratum_names(columns: Mapping[str, Values], merged: Cells, rows: NDArray[np.int64]) -> dict[int, str]:
    """How every stratum is called: the labels of each column, those of merged strata with a plus between them."""
    cells = merged[rows]
    everyone = np.ones(len(rows), dtype=bool)
    found = [_labels(column.take(rows), cells, everyone) for column in columns.values()]
    return {cell: ", ".join(" + ".join(labels[cell]) for labels in found) for cell in np.unique(cells).tolist()}


def _names(column: Values) -> list[str]:
    return [str(value) for value in column.categories.to_pylist()]


def _labels(column: Values, cells: Cells, among: NDArray[np.bool_]) -> dict[int, list[str]]:
    """The labels that the records of each cell have in a column, among these records."""
    names = _names(column)
    pairs = np.unique(np.column_stack([cells, np.where(column.valid, column.physical, -1)])[among], axis=0)
    labels: dict[int, list[str]] = {}
    for cell, code in pairs.tolist():
        labels.setdefault(cell, []).append("(missing)" if code < 0 else names[code])
    return labels


def _joined(column: Values, cells: Cells, joined: NDArray[np.bool_]) -> tuple[Any, bool]:
    pa = load("pyarrow")
    names = _names(column)
    labels = _labels(column, cells, joined)
    if all(len(label) == 1 for label in labels.values()):
        return column.build(), False
    texts: list[str | None] = [
        " + ".join(labels[cell]) if cell in labels else (names[code] if known else None)
        for cell, code, known in zip(cells.tolist(), column.physical.tolist(), column.valid.tolist(), strict=True)
    ]
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    array = pa.array(texts, type=pa.string())
    if not text:
        return array, True
    if not pa.types.is_dictionary(column.type):
        return array.cast(column.type), False
    return read_values(
        column.name, array.dictionary_encode()
    ).build(), False  # categories sorted: their order tells nothing
