"""Excel workbooks: the first sheet in, one plain sheet out. Needs the extra `excel` (fastexcel, XlsxWriter)."""

from __future__ import annotations

import datetime as dt
import errno
import logging
import math
import tempfile
from typing import TYPE_CHECKING

from covey.errors import InputError, OutputError
from covey.io.header import check_names, check_values
from covey.io.inference import Found, infer, tidy
from covey.io.loaded import Loaded
from covey.utils.arrow import Table, is_text, pa, pc
from covey.utils.extras import load
from covey.utils.names import refuse_blanks, refuse_doubles
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from pathlib import Path

    from fastexcel import ExcelReader
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from covey.io.inputs import Inputs


_MOST_ROWS = 1_048_575
_MOST_CHARACTERS = 32_767
_FIRST_DAY = dt.date(1900, 3, 1)  # before it, Excel's calendar is off by a day


def read(inputs: Inputs, *, header: bool | None = None) -> Loaded:
    """Read the first sheet. A first row that may be a record is an error that asks, as in a text file."""
    excel = load("fastexcel")
    logging.getLogger("fastexcel").setLevel(logging.ERROR)
    reader = excel.read_excel(str(inputs.one.path))
    notes: list[Note] = []
    if len(reader.sheet_names) > 1:
        text = f"the workbook has {len(reader.sheet_names)} sheets; only the first was read"
        notes.append(Note(NoteKind.READING, text))
    names = _header(inputs.name, reader, header=header)
    plain = {"header_row": None, "column_names": names} if header is False else {}
    batch, errors = reader.load_sheet(0, schema_sample_rows=None, **plain).to_arrow_with_errors()
    if errors is not None and errors.errors:
        text = f"{len(errors.errors)} cells hold errors such as #DIV/0! and were read as missing"
        notes.append(Note(NoteKind.READING, text))
    table = pa.table(batch)
    columns = [tidy(column) for column in table.columns]
    texts = [i for i, c in enumerate(columns) if is_text(c.type)]
    cells = pa.table(
        [columns[i].cast(pa.string()).fill_null("") for i in texts], names=[table.column_names[i] for i in texts]
    )
    noticed = infer(cells, comma=False)[0] if texts else Found()
    if header is None:
        check_values(inputs.name, noticed, len(columns))
    return Loaded(pa.table(columns, names=table.column_names), notes=notes, mixed=noticed.mixed)


def _header(name: str, reader: ExcelReader, *, header: bool | None) -> list[str]:
    """Names as they stand in the first row, or numbered where that is a record: the reader would make them different and fill the blanks."""
    first = reader.load_sheet(0, header_row=None, n_rows=1, dtypes="string")
    names = list(pa.table(first.to_arrow()).to_pylist()[0].values()) if first.height else []
    if not names:
        raise InputError(f"the first sheet of {name!r} is empty; needed: a header and rows")
    if header is False:
        return [f"column{number}" for number in range(1, len(names) + 1)]
    written = [name or "" for name in names]
    if header is None:
        check_names(name, written)
    refuse_doubles(written)
    refuse_blanks(written)
    return written


def write(table: Table, path: Path) -> list[Note]:
    """Write a workbook of one sheet, without properties; text is text, whatever it starts with."""
    if table.num_rows > _MOST_ROWS:
        msg = f"the release has {table.num_rows} rows, and a sheet holds {_MOST_ROWS}; choose another format"
        raise OutputError(msg)
    _check_texts(table)
    with tempfile.TemporaryDirectory(prefix=".covey-") as folder:  # where rows wait until it is closed
        options = {
            "constant_memory": True,
            "tmpdir": folder,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "default_date_format": "yyyy-mm-dd",
        }
        book = load("xlsxwriter").Workbook(str(path), options)
        try:
            as_text = _fill(book, table)
            book.close()
        except load("xlsxwriter.exceptions").XlsxWriterException as error:
            raise OSError(errno.ENOSPC, "the workbook could not be closed") from error
    texts = ["xlsx keeps 16 digits of a number and milliseconds of a time"]
    if as_text:
        texts.append(f"written as text, which xlsx has no cell for: values of {', '.join(sorted(as_text))}")
    return [Note(NoteKind.WRITING, text, public=True) for text in texts]


def _check_texts(table: Table) -> None:
    """Longer text would be cut in silence."""
    for column in table.columns:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        if is_text(kind) or pa.types.is_string_view(kind):
            longest = pc.max(pc.utf8_length(column.cast(pa.large_string()))).as_py() or 0
            if longest > _MOST_CHARACTERS:
                msg = f"a cell holds text of {longest} characters, and xlsx keeps {_MOST_CHARACTERS}; choose another format"
                raise OutputError(msg)


def _fill(book: Workbook, table: Table) -> set[str]:
    """Write the sheet; the names of columns that had values which became text."""
    book.set_properties({"created": dt.datetime(2000, 1, 1, tzinfo=dt.UTC).replace(tzinfo=None)})
    stamp = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss.000"})
    sheet = book.add_worksheet()
    for number, name in enumerate(table.column_names):
        sheet.write_string(0, number, name)
    as_text: set[str] = set()
    fine = [
        c.cast(pa.timestamp("us", c.type.tz), safe=False) if pa.types.is_timestamp(c.type) else c for c in table.columns
    ]
    row = 0
    for batch in pa.table(fine, names=table.column_names).to_batches(max_chunksize=10_000):
        for record in batch.to_pylist():
            row += 1
            for number, (name, value) in enumerate(record.items()):
                if _write_cell(sheet, row, number, value, stamp):
                    as_text.add(name)
    return as_text


def _write_cell(sheet: Worksheet, row: int, number: int, value: object, stamp: Format) -> bool:
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
