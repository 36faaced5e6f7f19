"""SPSS, Stata and SAS files by pyreadstat. Needs the extra `statistical`.

Labels of variables are kept for the columns that are published, labels of values for the values that occur in the release.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import OutputError
from covey.io.inference import tidy
from covey.io.loaded import Labels, Loaded
from covey.utils.arrow import Column, Table, is_text, pa, pc
from covey.utils.extras import load
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pandas as pd

    from covey.io.inputs import Inputs


_READERS = {"sav": "read_sav", "por": "read_por", "dta": "read_dta", "xpt": "read_xport", "sas7bdat": "read_sas7bdat"}
_WRITERS = {"sav": "write_sav", "dta": "write_dta", "xpt": "write_xport"}
_LARGEST_SAS = 7.2e75
_STAMPS = {
    "sav": (rb"\d\d \w{3} \d\d\d\d:\d\d:\d\d", b"01 Jan 8000:00:00"),
    "dta": (rb"(?<=<timestamp>\x11)[ \d]\d \w{3} \d{4} \d\d:\d\d(?=</timestamp>)", b"01 Jan 1980 00:00"),
    "xpt": (rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d", b"01JAN80:00:00:00"),
}
"""What the time of writing looks like in the head of a file, and what stands there instead."""
_HEAD = 496


def read(inputs: Inputs) -> Loaded:
    """Read a file with its labels. Columns whose values all have labels are codes of categories."""
    load("pandas")
    frame, meta = getattr(load("pyreadstat"), _READERS[inputs.format])(str(inputs.one.path))
    table = pa.table({name: _column(frame[name]) for name in frame.columns})
    labels = Labels(
        columns={name: text for name, text in meta.column_names_to_labels.items() if text},
        texts={name: dict(texts) for name, texts in meta.variable_value_labels.items()},
        measures=dict(getattr(meta, "variable_measure", {})),
    )
    nominal = []
    for name, texts in labels.texts.items():
        used = set(table.column(name).drop_null().unique().to_pylist())
        if used and used <= set(texts) and labels.measures.get(name) != "scale":
            nominal.append(name)
    text = f"columns whose values all have labels are categories: {', '.join(nominal)}"
    notes = [Note(NoteKind.READING, text)] if nominal else []
    return Loaded(table, notes=notes, nominal=nominal, labels=labels)


def _column(series: pd.Series[Any]) -> Column:
    """Whole numbers are integers (these formats know floats only); an empty text is missing."""
    array = pa.array(series, from_pandas=True)
    if is_text(array.type):
        return pc.if_else(pc.equal(array, ""), None, array)
    return tidy(array)


def write(table: Table, path: Path, kind: str, labels: Labels) -> list[Note]:
    """Write a file of the format, with the labels that are still true."""
    if kind not in _WRITERS:
        raise OutputError(f"{kind} files can be read but not written; needed: one of {', '.join(_WRITERS)}")
    load("pandas")  # Arrow makes tables of it
    written = getattr(load("pyreadstat"), _WRITERS[kind])
    texts = list[str]()
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        plain, changes = _writable(name, column, kind)
        columns.append(plain)
        texts += changes
    plain_table = pa.table(columns, names=table.column_names)
    frame = plain_table.to_pandas(date_as_object=True)
    options: dict[str, Any] = {"column_labels": {n: t for n, t in labels.columns.items() if n in frame.columns}}
    if kind in ("sav", "dta"):
        options["variable_value_labels"] = _value_labels(plain_table, labels.texts)
    try:
        written(frame, str(path), **options)
    except OSError:
        raise
    except Exception as error:
        msg = f"the release does not fit a {kind} file ({type(error).__name__}): names, text lengths, types, or a full disk; choose another format"
        raise OutputError(msg) from None
    _forget_time(path, kind)
    return [Note(NoteKind.WRITING, text, public=True) for text in texts]


def _forget_time(path: Path, kind: str) -> None:
    """Take the time of writing out of the head of a file: a recipe replays to the same bytes."""
    pattern, stamp = _STAMPS[kind]
    with path.open("r+b") as file:
        head = file.read(_HEAD)
        file.seek(0)
        file.write(re.sub(pattern, stamp, head, count=0 if kind == "xpt" else 1))  # labels may follow


def _value_labels(table: Table, labels: Mapping[str, Mapping[Any, str]]) -> dict[str, dict[Any, str]]:
    """Labels of values that occur; labels of others would tell of values that were there before."""
    kept: dict[str, dict[Any, str]] = {}
    for name, texts in labels.items():
        if name in table.column_names:
            used = set(table.column(name).drop_null().unique().to_pylist())
            still = {value: text for value, text in texts.items() if value in used}
            if still:
                kept[name] = still
    return kept


def _writable(name: str, column: Column, kind: str) -> tuple[Column, list[str]]:
    """The column in a type that the format has, and what that changes."""
    t = column.type
    if pa.types.is_dictionary(t):
        column = column.cast(t.value_type)
        t = column.type
    if pa.types.is_boolean(t):
        return column.cast(pa.int8()).cast(pa.float64()), [
            f"column {name!r} is written as 0 and 1: the format has no booleans"
        ]
    if pa.types.is_decimal(t):
        return column.cast(pa.float64()), [f"column {name!r} is written as binary numbers: the format has no decimals"]
    if pa.types.is_timestamp(t) and t.tz is not None:
        return column.cast(pa.timestamp("us", "UTC")).cast(pa.timestamp("us")), [
            f"column {name!r} is written in UTC: the format has no time zones"
        ]
    if pa.types.is_duration(t) or pa.types.is_time(t):
        return column.cast(pa.string()), [f"column {name!r} is written as text"]
    if pa.types.is_null(t):
        return column.cast(pa.float64()), []
    if pa.types.is_integer(t) or pa.types.is_floating(t):
        _check_range(name, column, kind)
        return column.cast(pa.float64()), []
    if pa.types.is_string_view(t):
        return column.cast(pa.string()), []
    return column, []


def _check_range(name: str, column: Column, kind: str) -> None:
    """Numbers that the format would change in silence."""
    largest = np.abs(column.cast(pa.float64(), safe=False).fill_null(0.0).to_numpy()).max(initial=0.0)
    if pa.types.is_integer(column.type) and largest >= 2.0**53:
        raise OutputError(f"column {name!r} holds integers of 2^53 or more, which {kind} rounds; choose another format")
    if kind == "xpt" and largest > _LARGEST_SAS:
        msg = f"column {name!r} holds numbers beyond 7.2e75, which {kind} makes infinite; choose another format"
        raise OutputError(msg)
