"""Dataframes in and out. The only file that imports narwhals, and only when a dataframe is at hand."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

from covey.errors import CoveyError, InputError, MissingExtraError, OptionError, missing_values, shown
from covey.utils.arrow import Column, DataType, Table, pa, parquet
from covey.utils.extras import load
from covey.utils.names import refuse_doubles
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import narwhals as nw
    import numpy as np
    from numpy.typing import NDArray


FrameKind = Literal["pandas", "polars", "pyarrow"]
_KINDS: tuple[FrameKind, ...] = ("pandas", "polars", "pyarrow")
_SERIES = {"pandas": ("Series", "Index"), "polars": ("Series",), "pyarrow": ("ChunkedArray", "Array")}


def is_series(X: object) -> TypeGuard[Any]:
    """Whether X is a column of a dataframe library. Looks at libraries that are imported already, imports none."""
    for kind, classes in _SERIES.items():
        module = sys.modules.get(kind)
        if module is not None and isinstance(X, tuple(getattr(module, name) for name in classes)):
            return True
    return False


def is_frame(X: object) -> TypeGuard[Any]:
    """Whether X is a table of a dataframe library."""
    classes = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "Table"}
    return any(
        kind in sys.modules and isinstance(X, getattr(sys.modules[kind], name)) for kind, name in classes.items()
    )


def frame_columns(X: Any) -> list[NDArray[np.generic]]:
    """Return the columns of a table, all numbers; an error if a value is missing."""
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    return [series_to_numpy(column.to_native()) for column in frame.iter_columns()]  # names may be numbers


def series_to_numpy(X: Any) -> NDArray[np.generic]:
    """Return the values of a dataframe column; an error if any is missing."""
    import narwhals as nw

    module = type(X).__module__.split(".")[0]
    if module == "pandas" and type(X).__name__ != "Series" and hasattr(X, "to_series"):
        X = X.to_series()
    elif module == "pyarrow" and not hasattr(X, "chunks"):
        X = sys.modules["pyarrow"].chunked_array([X])
    series = nw.from_native(X, series_only=True)
    missing = int(series.null_count())
    if missing:
        raise missing_values(missing)
    if not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
        raise InputError(f"X is a column of type {series.dtype}; needed: numbers; convert it first")
    if series.dtype == nw.Decimal:
        msg = "X is a column of decimals; needed: binary numbers; cast it to float64 or scale it to integers first"
        raise InputError(msg)
    values: NDArray[np.generic] = series.to_numpy()
    return values


def to_arrow(table: Any, index: Sequence[str]) -> tuple[Table, Callable[[Table], Any], list[Note]]:
    """An Arrow table of plain columns, the way back to the same kind of dataframe, and what there is to report.

    Levels of a pandas index that are named in `index` become columns; others are dropped.
    """
    import narwhals as nw

    table = _evaluated(table)
    notes: list[Note] = []
    if "pandas" in sys.modules and isinstance(table, sys.modules["pandas"].DataFrame):
        levels = [
            name for name in table.index.names if name is not None and name in index and name not in table.columns
        ]
        plain = table.index.names == [None] and type(table.index).__name__ == "RangeIndex"
        if not plain and len(levels) < len(table.index.names):
            notes.append(Note(NoteKind.READING, "the index of the dataframe has no role and is not published"))
        table = table.reset_index(level=levels) if levels else table
        table = table.reset_index(drop=True)
    frame = nw.from_native(_with_names(table), eager_only=True, pass_through=True) if is_frame(table) else None
    if not isinstance(frame, nw.DataFrame):
        raise no_table(table)
    try:
        arrow = frame.to_arrow()
    except Exception as error:  # its message may hold values
        column = next((name for name in frame.columns if _fails(frame[name])), "?")
        msg = f"column {column!r} mixes types, or has one that Arrow does not know; needed: one type; convert it first"
        raise InputError(msg) from (error if isinstance(error, MissingExtraError) else None)
    names = list(table.columns) if hasattr(table, "reset_index") else []
    return arrow.replace_schema_metadata(None), lambda released: _native(released, frame, arrow, names), notes


def _evaluated(table: object) -> Any:
    """What is computed when it is asked for, or comes in batches, as a table: of polars where it was, else of pyarrow."""
    if is_frame(table):
        return table
    with _computing():
        if _is_lazy(table):
            return table.collect()
        reader = _reader(table)
        return table if reader is None else reader.read_all()


def store_rows(table: object, path: Path) -> None:
    """Write what is computed when it is asked for, or comes in batches, to a Parquet file, in bounded memory."""
    if is_frame(table):
        msg = f"the table is {shown(table)}, which memory holds; needed: a file, or what comes in batches; release it by covey.release"
        raise InputError(msg)
    with _computing():
        if _is_lazy(table):
            table.sink_parquet(path)
            return
        reader = _reader(table)
        if reader is not None:
            with parquet.ParquetWriter(str(path), reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
            return
    raise no_table(table)


def no_table(table: object) -> InputError:
    """The error for what is no table."""
    return InputError(
        f"the table is {shown(table)}; needed: a dataframe of pandas or polars, a table or dataset of pyarrow, a relation of DuckDB, "
        "anything else that hands its rows to Arrow (__arrow_c_stream__), or the path of a file"
    )


def _is_lazy(table: object) -> TypeGuard[Any]:
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(table, polars.LazyFrame)


def _reader(table: Any) -> Any:
    """The rows of what comes in batches; None for anything else."""
    dataset = sys.modules.get("pyarrow.dataset")
    if dataset is not None and isinstance(table, dataset.Dataset | dataset.Scanner):
        return (table.scanner() if isinstance(table, dataset.Dataset) else table).to_reader()
    if isinstance(table, pa.RecordBatch):
        return pa.RecordBatchReader.from_batches(table.schema, [table])
    if hasattr(table, "__arrow_c_stream__") and not is_series(table):
        return pa.RecordBatchReader.from_stream(table)
    return None


@contextlib.contextmanager
def _computing() -> Iterator[None]:
    """What goes wrong while rows are computed becomes an error without values."""
    try:
        yield
    except (CoveyError, MemoryError):
        raise
    except Exception as error:  # its message may hold values
        msg = f"the rows of the table cannot be had ({type(error).__name__}); needed: one that can be computed; try it by itself"
        raise InputError(msg) from None


def _with_names(table: Any) -> Any:
    """The table with columns named by strings, each once."""
    columns = table.column_names if isinstance(table, pa.Table) else table.columns
    names = [str(name) for name in columns]
    refuse_doubles(names)
    if type(table).__module__.startswith("pandas") and hasattr(table, "set_axis"):
        return table.set_axis(names, axis=1)
    return table


def _fails(series: nw.Series[Any]) -> bool:
    try:
        series.to_arrow()
    except Exception:
        return True
    return False


def _native(released: Table, original: nw.DataFrame[Any], arrow: Table, original_names: Sequence[Any]) -> Any:
    """The released Arrow table as the kind of dataframe that came in, column types as they were."""
    kind = original.implementation.value
    if kind == "pyarrow":
        return released
    native = original.to_native()
    if kind == "polars":
        polars = load("polars")
        frame = polars.from_arrow(released)
        enums = [c for c in frame.columns if c in native.columns and isinstance(native.schema[c], polars.Enum)]
        order = {c: [v for v in native.schema[c].categories if v in set(frame[c].drop_nulls())] for c in enums}
        return frame.with_columns(
            polars.col(c).cast(polars.String).cast(polars.Enum(order[c]))
            for c in enums
            if frame.schema[c] != polars.String
        )
    pandas = load("pandas")
    columns = {}
    for name in released.column_names:
        column = released.column(name)
        same = name in arrow.column_names and _alike(arrow.schema.field(name).type, column.type)
        columns[name] = _pandas_series(pandas, column, native[name].dtype if same else None)
    return pandas.DataFrame(columns).rename(columns={str(name): name for name in original_names})


def _alike(before: DataType, after: DataType) -> bool:
    """Whether a released column may have the type that it came in: the types are the same, or both are of categories."""
    return before == after or (pa.types.is_dictionary(before) and hasattr(after, "value_type"))


def _pandas_series(pandas: Any, column: Column, dtype: Any) -> Any:
    if dtype is None or isinstance(dtype, pandas.CategoricalDtype):
        return pandas.Series(column.to_pandas())
    if hasattr(dtype, "__from_arrow__"):
        return pandas.Series(dtype.__from_arrow__(column), dtype=dtype)
    series = pandas.Series(column.to_pandas())
    gaps = column.null_count and dtype.kind in "iub"  # types of numpy that know none
    return series if series.dtype == dtype or gaps else series.astype(dtype)


def build_frame(columns: Mapping[str, Sequence[Any]], dates: Sequence[str], kind: FrameKind) -> Any:
    """Build a native dataframe of the kind asked for. `dates` names the columns that hold dates."""
    if kind not in _KINDS:
        raise OptionError(f"there is no kind of dataframe {shown(kind)}; known: {', '.join(_KINDS)}")
    load(kind)
    import narwhals as nw

    frame = nw.from_dict(dict(columns), backend=kind)
    as_date = nw.Datetime("us") if kind == "pandas" else nw.Date()
    return frame.with_columns(*(nw.col(name).cast(as_date) for name in dates)).to_native()
