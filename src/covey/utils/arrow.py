"""pyarrow, with types for whoever reads, imported when one of its names is first used: `import covey` stays quick.

`pa` and `pc` are pyarrow and its compute functions, by the names that every text about Arrow gives them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from covey.utils.extras import Lazy

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import Array, DataType, Field, RecordBatch, Scalar, Schema, Table, feather, ipc, parquet
    from pyarrow import csv as arrow_csv

    Column: TypeAlias = pa.ChunkedArray | Array
    """Of a table, in several pieces, or in one."""
else:
    pa, pc = Lazy("pyarrow"), Lazy("pyarrow.compute")
    arrow_csv, feather = Lazy("pyarrow.csv"), Lazy("pyarrow.feather")
    ipc, parquet = Lazy("pyarrow.ipc"), Lazy("pyarrow.parquet")
    # Names for annotations, which nobody evaluates; whoever asks for the kind of a value asks for `pa.Table`.
    Array = Column = DataType = Field = RecordBatch = Scalar = Schema = Table = Any

__all__ = [
    "Array",
    "Column",
    "DataType",
    "Field",
    "RecordBatch",
    "Scalar",
    "Schema",
    "Table",
    "array_of",
    "arrow_csv",
    "decoded",
    "decoded_type",
    "feather",
    "ipc",
    "is_number",
    "is_text",
    "pa",
    "parquet",
    "pc",
]


def array_of(column: Column) -> Array:
    """The values of a column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def decoded(column: Column) -> Array:
    """The values of a column in one piece, each written out where the column refers to a dictionary."""
    array = array_of(column)
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def decoded_type(kind: DataType) -> DataType:
    """The type of the values of a column, each written out."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_text(kind: DataType) -> bool:
    """Whether values of a type are texts that the string functions of pyarrow take."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def is_number(kind: DataType) -> bool:
    """Whether values of a type are numbers: whole, floating or decimal ones."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))
