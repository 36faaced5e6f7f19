"""Units: whoever rows belong to, by the coarse reading of their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.values import read_values
from covey.errors import InputError
from covey.recount.readings import Units, coarse, merged
from covey.utils.arrow import Column, Table, decoded, pa
from covey.utils.hashing import numbers_of
from covey.utils.notes import Note, NoteKind
from covey.utils.words import counted

if TYPE_CHECKING:
    from covey.utils.typing import Numbers


def read_units(table: Table, name: str) -> Units:
    """The units of a table; an error where an id is missing, empty or blank."""
    values = read_values(name, table.column(name), nominal=True)
    reading = coarse(values.categories)
    blank = np.isin(values.physical, np.flatnonzero(reading.is_null().to_numpy(zero_copy_only=False)))
    missing = int((blank | ~values.valid).sum())
    if missing:
        msg = f"the unit {name!r} is missing in {counted(missing, 'record')}; needed: one for every record; fill or drop them"
        raise InputError(msg)
    number = merged(np.arange(len(values.categories)), values.categories)[values.physical]
    return Units(number, values.physical if (number != values.physical).any() else None)


def spelling_note(spellings: int, units: int) -> list[Note]:
    """What there is to report where ids are read as the same."""
    if spellings == units:
        return []
    same = "case, blanks, leading zeros and other ways to write a number or a character make no difference"
    return [Note(NoteKind.SPELLINGS, f"the {spellings} spellings of the unit are read as {units} units: {same}")]


def unit_numbers(column: Column, *, spelled: bool = False) -> Numbers:
    """Numbers of 64 bits for the units of a part of a table: the same in all parts, different for different units."""
    array = decoded(column) if spelled else coarse(decoded(column))
    if pa.types.is_integer(array.type):  # a float would take large ones for the same
        whole = array.cast(pa.uint64()) if pa.types.is_unsigned_integer(array.type) else array.cast(pa.int64())
        return np.asarray(whole.to_numpy(zero_copy_only=False)).view(np.uint64)
    return numbers_of(array)
