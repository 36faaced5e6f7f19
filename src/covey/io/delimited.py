"""CSV and TSV as found in the wild: any delimiter, encoding, decimal comma; types inferred from all rows, never from a sample."""

from __future__ import annotations

import codecs
import csv
import io
from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.extras import load
from covey.io.formulas import disarm
from covey.io.inference import infer

if TYPE_CHECKING:
    from pathlib import Path

_DELIMITERS = (",", ";", "\t", "|")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read(path: Path) -> dict[str, Any]:
    """Read a delimited file; its dialect is found by looking."""
    return _read(path, None)


def read_tabs(path: Path) -> dict[str, Any]:
    """Read a file with tabs between fields."""
    return _read(path, "\t")


def read_text(path: Path) -> Any:
    """Read a delimited file as a stranger would: every cell as text."""
    return _cells(path, *_dialect(path, None)[:2])


def read_text_tabs(path: Path) -> Any:
    """Read a file with tabs as text."""
    return _cells(path, *_dialect(path, "\t")[:2])


def _read(path: Path, delimiter: str | None) -> dict[str, Any]:
    encoding, delimiter, notes = _dialect(path, delimiter)
    table = _cells(path, encoding, delimiter)
    found, columns, decimal = infer(table, comma=delimiter != ",")
    notes += found.notes
    pa = load("pyarrow")
    return {
        "table": pa.table(columns, names=table.column_names),
        "notes": notes,
        "mixed": found.mixed,
        "dialect": {"delimiter": delimiter, "decimal": decimal},
    }


def _dialect(path: Path, delimiter: str | None) -> tuple[str, str, list[str]]:
    encoding, notes = _encoding(path)
    with path.open(encoding=encoding, newline="") as file:
        head = file.read(1 << 16)
    if not head.strip():
        msg = f"the file {path.name!r} is empty; needed: a header and rows"
        raise InputError(msg)
    if "\0" in head:
        msg = f"the file {path.name!r} holds binary data; needed: text with a header and rows"
        raise InputError(msg)
    return encoding, delimiter or _delimiter(head), notes


def _encoding(path: Path) -> tuple[str, list[str]]:
    with path.open("rb") as file:
        start = file.read(4)
        for mark, name in _BOMS:
            if start.startswith(mark):
                return name, []
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while piece := file.read(1 << 20):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252", ["the file is not UTF-8 and was read as Windows-1252; a release is written as UTF-8"]
    return "utf-8", []


def _delimiter(head: str) -> str:
    """The delimiter that cuts the first lines into the same number of fields, the larger the better."""
    best, most = ",", 1
    for candidate in _DELIMITERS:
        try:
            rows = [row for row in csv.reader(io.StringIO(head), delimiter=candidate) if row][:100]
        except csv.Error:
            continue
        rows = rows[:-1] if len(rows) > 2 else rows  # the last may be cut off
        width = len(rows[0])
        if width > most and all(len(row) == width for row in rows):
            best, most = candidate, width
    if most == 1:  # not even: by the header alone
        first = head.splitlines()[0]
        counts = {candidate: first.count(candidate) for candidate in _DELIMITERS}
        best = max(_DELIMITERS, key=lambda candidate: counts[candidate]) if any(counts.values()) else ","
    return best


def _cells(path: Path, encoding: str, delimiter: str) -> Any:
    """All cells as text."""
    pa, arrow_csv = load("pyarrow"), load("pyarrow.csv")
    uneven: list[tuple[int, int]] = []

    def note(row: Any) -> str:
        uneven.append((row.expected_columns, row.actual_columns))
        return "skip"

    parse = arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=note)
    plain = "utf-8" if encoding == "utf-8-sig" else encoding
    with path.open(encoding=encoding, newline="") as file:
        names = next(csv.reader(file, delimiter=delimiter), [])
    convert = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, check_utf8=True
    )
    source: Any = str(path)
    if encoding == "utf-8-sig":
        source = pa.input_stream(str(path))
        source.read(3)
    options = arrow_csv.ReadOptions(encoding=plain, block_size=1 << 24)
    try:
        table = arrow_csv.read_csv(source, read_options=options, parse_options=parse, convert_options=convert)
    except pa.ArrowInvalid as error:
        if "straddling" in str(error):
            options = arrow_csv.ReadOptions(encoding=plain, block_size=1 << 30)
            table = arrow_csv.read_csv(str(path), read_options=options, parse_options=parse, convert_options=convert)
        else:
            raise
    if uneven:
        expected, actual = uneven[0]
        msg = (
            f"{len(uneven)} lines of {path.name!r} do not have the {expected} fields of the header (the first has {actual}); "
            "needed: the same number in each; is the delimiter quoted where it is part of a value?"
        )
        raise InputError(msg)
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        msg = f"columns named more than once: {', '.join(doubles)}; needed: every name once; rename them first"
        raise InputError(msg)
    return table


def write(table: Any, path: Path, *, delimiter: str = ",", decimal: str = ".", formulas: str = "disarm") -> list[str]:
    """Write a delimited file in UTF-8. Text that a spreadsheet would run as a formula gets a leading apostrophe."""
    pa, arrow_csv, pc = load("pyarrow"), load("pyarrow.csv"), load("pyarrow.compute")
    notes: list[str] = []
    if formulas == "disarm":
        table, notes = disarm(table)
    columns = []
    for column in table.columns:
        plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        if pa.types.is_string_view(plain.type):
            plain = plain.cast(pa.large_string())
        if pa.types.is_float16(plain.type):
            plain = plain.cast(pa.float32())
        if pa.types.is_duration(plain.type):
            plain = plain.cast(pa.int64())
        if decimal == "," and (pa.types.is_floating(plain.type) or pa.types.is_decimal(plain.type)):
            plain = pc.replace_substring(plain.cast(pa.string()), ".", ",")
        columns.append(plain)
    options = arrow_csv.WriteOptions(delimiter=delimiter)
    arrow_csv.write_csv(pa.table(columns, names=table.column_names), str(path), options)
    return notes
