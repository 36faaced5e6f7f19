"""Many files as one table: the columns that all of them have, in one type each, and those that the names of their folders hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InputError
from covey.io.inference import Declared, Found, infer
from covey.utils.arrow import Column, DataType, Schema, Table, is_text, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from covey.io.inputs import InputFile, Inputs


_UNITS = ("s", "ms", "us", "ns")


def check_same_columns(first: str, names: Sequence[str], other: str, others: Sequence[str]) -> None:
    """An error where two files of a table have not the same columns. Their order does not matter."""
    missing = [name for name in names if name not in others]
    more = [name for name in others if name not in names]
    if missing or more:
        what = [f"lacks {', '.join(missing)}"] if missing else []
        what += [f"has {', '.join(more)} beside the others"] if more else []
        raise InputError(f"{other!r} {' and '.join(what)}, unlike {first!r}; needed: the same columns in all files")


def common_schema(inputs: Inputs, schemas: Sequence[Schema]) -> Schema:
    """The columns that all files have, in the order of the first, in types that hold the values of all."""
    first, entries = inputs.one.name, {field.name: field for field in schemas[0]}
    for file, schema in zip(inputs.files, schemas, strict=True):
        check_same_columns(first, schemas[0].names, file.name, schema.names)
        for entry in schema:
            kind = entries[entry.name].type
            common = _common(kind, entry.type)
            if common is None:
                raise InputError(
                    f"column {entry.name!r} is {entry.type} in {file.name!r} and {kind} in files before it; needed: one type; convert it"
                )
            entries[entry.name] = pa.field(entry.name, common)
    return pa.schema(list(entries.values()))


def _common(kind: DataType, other: DataType) -> DataType | None:
    """The type that holds the values of two; None where there is none without a change of what they are."""
    if kind == other or pa.types.is_null(other):
        return kind
    if pa.types.is_null(kind):
        return other
    families: tuple[tuple[Callable[[DataType], bool], DataType], ...] = (
        (pa.types.is_integer, pa.int64()),
        (pa.types.is_floating, pa.float64()),
        (_is_words, pa.string()),
        (pa.types.is_date, pa.date32()),
    )
    for belongs, widest in families:
        if belongs(kind) and belongs(other):
            return None if pa.uint64() in (kind, other) else widest
    if pa.types.is_timestamp(kind) and pa.types.is_timestamp(other) and kind.tz == other.tz:
        finest: DataType = pa.timestamp(max(kind.unit, other.unit, key=_UNITS.index), kind.tz)
        return finest
    return None


def _is_words(kind: DataType) -> bool:
    return is_text(kind.value_type) if pa.types.is_dictionary(kind) else is_text(kind) or pa.types.is_string_view(kind)


def in_schema(table: Table, schema: Schema) -> Table:
    """A table with its columns in the order and the types of another."""
    return table.select(schema.names).cast(schema) if table.schema != schema else table


@dataclass
class FolderColumns:
    """The columns that the names of folders hold, in the types that all of their values have; one value a file."""

    typed: dict[str, Column] = field(default_factory=dict)
    texts: dict[str, Column] = field(default_factory=dict)
    """Those of them whose type tells less than what is written."""
    found: Found = field(default_factory=Found)

    @classmethod
    def of(cls, inputs: Inputs, names: Sequence[str], declared: Declared | None = None) -> FolderColumns:
        """The columns beside those of the files; a column that is in the files, too, is read there."""
        keys, notes = beside(inputs, names)
        if not keys:
            return cls(found=Found(notes=notes))
        cells = pa.table({key: pa.array([file.folders[key] or "" for file in inputs.files]) for key in keys})
        found, columns = infer(cells, comma=False, declared=declared)
        found.notes += notes
        return cls(dict(zip(keys, columns, strict=True)), dict(found.texts), found)

    def onto(self, table: Table, number: int) -> Table:
        """The rows of a file with them."""
        for name, values in self.typed.items():
            table = table.append_column(name, pa.repeat(values[number], table.num_rows))
        return table

    @staticmethod
    def rows(values: Column, lengths: Sequence[int]) -> Column:
        """A column of one value a file, for files of so many rows."""
        return values.take(pa.array(np.repeat(np.arange(len(lengths)), lengths)))


def beside(inputs: Inputs, names: Sequence[str]) -> tuple[list[str], list[Note]]:
    """The columns that only the names of folders hold, and what to note of the others."""
    twice = [key for key in inputs.keys if key in names]
    text = f"{', '.join(twice)}: told by the names of folders and by the files; what the files say was read"
    return [key for key in inputs.keys if key not in names], [Note(NoteKind.READING, text)] if twice else []


def with_folders(table: Table, file: InputFile, keys: Sequence[str]) -> Table:
    """Cells of a file with what the names of its folders say, all as text."""
    for key in keys:
        table = table.append_column(key, pa.repeat(pa.scalar(file.folders[key] or ""), table.num_rows))
    return table
