"""The labels of strata as they are published: merged strata get a label of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.identifiers import random_ids
from covey.columns.values import Values, read_values
from covey.utils.arrow import DataType, is_text, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes

MISSING = "(missing)"


def published_labels(
    columns: Mapping[str, Values], stratum: Codes, recipe: Recipe
) -> tuple[dict[str, Values], list[Note]]:
    """The labels under which combinations of stratum labels are published, column by column, and what there is to report.

    The columns have one value for each combination; `stratum` is the number of the stratum that it became a part of, or -1 where it
    is not published. Where strata were merged, all of them carry the labels of all, "East + North", in each column; a column of
    numbers or dates then becomes text, since no number stands for two. Of strata with random ids, such as clusters of a survey, the ids
    of these labels are published in their place.
    """
    labels, notes = {}, []
    for name, column in columns.items():
        labels[name] = _merged(column, stratum)
        if name in recipe.roles.random_ids:
            ids = random_ids(labels[name].build(), name, str(recipe.entropy), of_units=False)
            labels[name] = read_values(name, ids, nominal=True)
            text = f"the labels of the stratum {name!r} are replaced by random ids"
            notes.append(Note(NoteKind.IDENTIFIERS, text))
            continue
        if not _is_text(column.type) and _is_text(labels[name].type):
            text = f"the stratum {name!r} was of type {column.type} and is published as text: merged strata have no {column.type}"
            notes.append(Note(NoteKind.TYPES, text))
    return labels, notes


def stratum_names(labels: Mapping[str, Values], stratum: Codes) -> dict[int, str]:
    """How every stratum is called: its published labels, column by column."""
    numbers, first = np.unique(stratum, return_index=True)
    texts = [_texts(column.take(first)) for column in labels.values()]
    return {
        number: ", ".join(column[place] or MISSING for column in texts)
        for place, number in enumerate(numbers.tolist())
        if number >= 0
    }


def _is_text(kind: DataType) -> bool:
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    return is_text(plain) or bool(pa.types.is_string_view(plain))


def _texts(column: Values) -> list[str | None]:
    names = [str(value) for value in column.categories.to_pylist()]
    return [names[code] if known else None for code, known in zip(column.physical, column.valid, strict=True)]


def _merged(column: Values, stratum: Codes) -> Values:
    """The labels of each combination, in the type of the column where that can hold them."""
    codes = np.where(column.valid, column.physical, -1)
    inside: dict[int, list[int]] = {}
    for number, code in np.unique(np.column_stack([stratum, codes])[stratum >= 0], axis=0).tolist():
        inside.setdefault(number, []).append(code)
    if all(len(several) == 1 for several in inside.values()):
        return column
    names = [str(value) for value in column.categories.to_pylist()]
    joined = {
        number: " + ".join(MISSING if code < 0 else names[code] for code in several)
        for number, several in inside.items()
        if len(several) > 1
    }
    texts = [joined.get(number, own) for number, own in zip(stratum.tolist(), _texts(column), strict=True)]
    array = pa.array(texts, pa.string())
    if pa.types.is_dictionary(column.type) and _is_text(column.type):
        array = array.dictionary_encode()  # its categories are sorted: their order tells nothing
    elif _is_text(column.type):
        array = array.cast(column.type)
    return read_values(column.name, array, nominal=True)
