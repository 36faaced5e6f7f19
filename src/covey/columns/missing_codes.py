"""Values that were declared to stand for a missing one: they are missing before anything else is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.utils.arrow import DataType, Table, is_text, pa, pc
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def without_codes(table: Table, codes: Mapping[str, Sequence[str]]) -> tuple[Table, dict[str, int]]:
    """An Arrow table whose declared codes are missing, and how many there were in each of its columns.

    >>> import pyarrow
    >>> table, number = without_codes(pyarrow.table({"x": [1, 99, 2]}), {"x": ("99", ".")})
    >>> table.column("x").to_pylist(), number
    ([1, None, 2], {'x': 1})
    """
    numbers = {}
    for name in (one for one in table.column_names if one in codes):
        column = table.column(name)
        plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        looked = pc.utf8_trim_whitespace(plain) if is_text(plain.type) else plain
        hit = pc.fill_null(pc.is_in(looked, value_set=as_values(name, codes[name], plain.type)), fill_value=False)
        numbers[name] = int(pc.sum(hit).as_py() or 0)
        if numbers[name]:
            place = table.column_names.index(name)
            table = table.set_column(place, name, pc.if_else(hit, pa.scalar(None, plain.type), plain).cast(column.type))
    return table, numbers


def as_values(name: str, codes: Sequence[str], kind: DataType) -> Any:
    """The codes that can be values of a type; an error where none can."""
    values = [value for value in (_value(code, kind) for code in codes) if value is not None]
    if not values and not pa.types.is_null(kind):
        raise InputError(
            f"none of the missing codes of column {name!r} can be a value of it, for it holds {kind}; needed: codes that occur; "
            "correct them (missing_codes, --missing-codes)"
        )
    return pa.array(values, kind)


def _value(code: str, kind: DataType) -> Any:
    try:
        return pa.scalar(code).cast(kind).as_py()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        pass
    try:  # 99.0 is 99
        return pa.scalar(float(code)).cast(kind).as_py()
    except (ValueError, pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def code_notes(numbers: Mapping[str, int]) -> list[Note]:
    """What to report of declared codes."""
    return [
        Note(NoteKind.READING, f"column {name!r}: {number} cells held a declared missing code")
        for name, number in numbers.items()
    ]
