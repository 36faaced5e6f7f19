"""Dataframes in and out. The only file that imports narwhals, and only when a dataframe is at hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

from covey.errors import InputError, OptionError, missing_values, shown
from covey.extras import load

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

FrameKind = Literal["pandas", "polars", "pyarrow"]
_KINDS: tuple[FrameKind, ...] = ("pandas", "polars", "pyarrow")
_SERIES = {"pandas": ("Series", "Index"), "polars": ("Series",), "pyarrow": ("ChunkedArray", "Array")}


def is_series(X: Any) -> bool:
    """Whether X is a column of a dataframe library. Looks at libraries that are imported already, imports none."""
    for kind, classes in _SERIES.items():
        module = sys.modules.get(kind)
        if module is not None and isinstance(X, tuple(getattr(module, name) for name in classes)):
            return True
    return False


def is_frame(X: Any) -> bool:
    """Whether X is a table of a dataframe library."""
    classes = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "Table"}
    return any(
        kind in sys.modules and isinstance(X, getattr(sys.modules[kind], name)) for kind, name in classes.items()
    )


def frame_columns(X: Any) -> list[NDArray[np.generic]]:
    """Return the columns of a table, all numbers; an error if a value is missing."""
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    return [series_to_numpy(frame[name].to_native()) for name in frame.columns]


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
        msg = f"X is a column of type {series.dtype}; needed: numbers; convert it first"
        raise InputError(msg)
    if series.dtype == nw.Decimal:
        msg = "X is a column of decimals; needed: binary numbers; cast it to float64 or scale it to integers first"
        raise InputError(msg)
    values: NDArray[np.generic] = series.to_numpy()
    return values


def build_frame(columns: Mapping[str, Sequence[Any]], dates: Sequence[str], kind: FrameKind) -> Any:
    """Build a native dataframe of the kind asked for. `dates` names the columns that hold dates."""
    if kind not in _KINDS:
        msg = f"there is no kind of dataframe {shown(kind)}; known: {', '.join(_KINDS)}"
        raise OptionError(msg)
    load(kind)
    import narwhals as nw

    frame = nw.from_dict(dict(columns), backend=kind)
    as_date = nw.Datetime("us") if kind == "pandas" else nw.Date()
    return frame.with_columns(*(nw.col(name).cast(as_date) for name in dates)).to_native()
