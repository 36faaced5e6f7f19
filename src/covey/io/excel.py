"""Excel workbooks: the first sheet in, one plain sheet out. Needs the extra `excel` (fastexcel, XlsxWriter)."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any

from covey.errors import InputError, OutputError
from covey.extras import load
from covey.io.inference import infer, tidy

if TYPE_CHECKING:
    from pathlib import Path

_MOST_ROWS = 1_048_575
_FIRST_DAY = dt.date(1900, 3, 1)  # before it, Excel's calendar is off by a day


def read(path: Path) -> dict[str, Any]:
    """Read the first sheet."""
    with path.open("rb"):
        pass
    pa = load("pyarrow")
    reader = load("fastexcel").read_excel(str(path))
    notes = []
    if len(reader.sheet_names) > 1:
        notes.append(f"the workbook has {len(reader.sheet_names)} sheets; only the first was read")
    sheet = reader.load_sheet(0, schema_sample_rows=None)
    if sheet.width == 0:
        msg = f"the first sheet of {path.name!r} is empty; needed: a header and rows"
        raise InputError(msg)
    table = pa.table(sheet.to_arrow())
    columns = [tidy(column) for column in table.columns]
    texts = [
        i
        for i, column in enumerate(columns)
        if pa.types.is_large_string(column.type) or pa.types.is_string(column.type)
    ]
    cells = pa.table(
        [columns[i].cast(pa.string()).fill_null("") for i in texts], names=[table.column_names[i] for i in texts]
    )
    mixed = infer(cells, comma=False)[0].mixed if texts else {}
    return {"table": pa.table(columns, names=table.column_names), "notes": notes, "mixed": mixed}


def write(table: Any, path: Path) -> list[str]:
    """Write a workbook of one sheet, without properties; text is text, whatever it starts with."""
    if table.num_rows > _MOST_ROWS:
        msg = f"the release has {table.num_rows} rows, and a sheet holds {_MOST_ROWS}; choose another format"
        raise OutputError(msg)
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "default_date_format": "yyyy-mm-dd",
    }
    book = load("xlsxwriter").Workbook(str(path), options)
    book.set_properties({"created": dt.datetime(2000, 1, 1, tzinfo=dt.UTC).replace(tzinfo=None)})
    stamp = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    sheet = book.add_worksheet()
    for number, name in enumerate(table.column_names):
        sheet.write_string(0, number, name)
    as_text: set[str] = set()
    row = 0
    pa = load("pyarrow")
    fine = [
        c.cast(pa.timestamp("us", c.type.tz), safe=False) if pa.types.is_timestamp(c.type) else c for c in table.columns
    ]
    for batch in pa.table(fine, names=table.column_names).to_batches(max_chunksize=10_000):
        for record in batch.to_pylist():
            row += 1
            for number, (name, value) in enumerate(record.items()):
                if _write_cell(sheet, row, number, value, stamp):
                    as_text.add(name)
    book.close()
    notes = ["xlsx keeps 16 digits of a number"]
    if as_text:
        notes.append(f"written as text, which xlsx has no cell for: values of {', '.join(sorted(as_text))}")
    return notes


def _write_cell(sheet: Any, row: int, number: int, value: Any, stamp: Any) -> bool:
    """Write one value; whether it had to become text."""
    if value is None:
        return False
    if isinstance(value, bool):
        sheet.write_boolean(row, number, value)
    elif (isinstance(value, int | float) and abs(value) < 2**53 and math.isfinite(value)) or isinstance(value, float):
        sheet.write_number(row, number, value)
    elif isinstance(value, dt.datetime) and value.tzinfo is None and value.date() >= _FIRST_DAY:
        sheet.write_datetime(row, number, value, stamp)
    elif isinstance(value, dt.date) and not isinstance(value, dt.datetime) and value >= _FIRST_DAY:
        sheet.write_datetime(row, number, value)
    elif isinstance(value, str):
        sheet.write_string(row, number, value)
    else:
        text = value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)
        sheet.write_string(row, number, text)
        return True
    return False
