"""CSV and TSV as found in the wild: any delimiter, encoding, decimal comma; types inferred from all rows, never from a sample."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, TypeVar

from covey.errors import InputError
from covey.io.formulas import disarm
from covey.io.header import check_names, check_values
from covey.io.inference import Declared, infer
from covey.io.inputs import guarded
from covey.io.loaded import Loaded
from covey.io.quotes import check_closed, check_quotes
from covey.io.staging import written
from covey.io.together import beside, check_same_columns, with_folders
from covey.utils.arrow import Table, arrow_csv, pa, pc
from covey.utils.encoding import WINDOWS, encoding_of
from covey.utils.names import refuse_blanks, refuse_doubles
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyarrow.csv import InvalidRow

    from covey.io.inputs import InputFile, Inputs

    Answer = TypeVar("Answer")

BLOCK = 1 << 24
"""Bytes that are parsed at a time."""
_DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Dialect:
    """How a file is written: encoding, delimiter, lines before the header."""

    encoding: str
    delimiter: str
    skip: int
    notes: list[Note]


def read(
    inputs: Inputs,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    declared: Declared | None = None,
) -> Loaded:
    """Read delimited files; their dialect is found by looking, unless it is given. A header that may be a record is an error that asks."""
    cells = Cells(inputs, delimiter, header=header)
    noticed, columns = infer(cells.whole(), comma=cells.dialect.delimiter != ",", decimal=decimal, declared=declared)
    if header is None:
        check_values(inputs.name, noticed, len(columns))
    return Loaded(
        pa.table(columns, names=cells.names),
        notes=cells.notes + noticed.notes,
        mixed=noticed.mixed,
        texts=noticed.texts,
        dialect={"delimiter": cells.dialect.delimiter, "decimal": decimal or noticed.decimal},
    )


class Cells:
    """The cells of delimited files as text, under names without spaces around them: all at once (`whole`), or in parts.

    The dialect is found by looking at the start of each file, the encoding at all of it. What the names of folders say are cells, too.
    """

    def __init__(self, inputs: Inputs, delimiter: str | None = None, *, header: bool | None = None) -> None:
        self.header, self._format = header, inputs.format
        self._looked: set[str] = set()  # files whose quotes were looked at, one by one
        files = [file for file in inputs.files if not _is_empty(file)]  # without rows and without a header
        self._files = [
            (file, guarded(file.name, partial(_dialect, file, delimiter), inputs.format))
            for file in files or inputs.files[:1]
        ]
        first, self.dialect = self._files[0]
        names = [_header(file, dialect, header=header) for file, dialect in self._files]
        self._own = [name.strip() for name in names[0]]
        for (file, dialect), others in zip(self._files, names, strict=True):
            if dialect.delimiter != self.dialect.delimiter:
                msg = f"{file.name!r} has another delimiter than {first.name!r}; needed: the same in all files; write them in one way"
                raise InputError(msg)
            check_same_columns(first.name, self._own, file.name, [name.strip() for name in others])
        self._keys, twice = beside(inputs, self._own)
        self.names = [*self._own, *self._keys]
        noticed = [note for _, dialect in self._files for note in dialect.notes]
        empty = len(inputs.files) - len(self._files)
        text = f"{empty} of {len(inputs.files)} files are empty, without names of columns, and were passed over"
        self.notes = [*dict.fromkeys(noticed), *twice, *([Note(NoteKind.READING, text)] if empty else [])]

    def whole(self) -> Table:
        """All cells."""
        return pa.concat_tables([self._whole(*one) for one in self._files])

    def _whole(self, file: InputFile, dialect: Dialect) -> Table:
        cells = guarded(file.name, lambda: _cells(file, dialect, header=self.header), self._format)
        return self._in_order(cells, file)

    def __iter__(self) -> Iterator[Table]:
        """Tables of cells, one after the other."""
        for file, dialect in self._files:
            parts = self._parts(file, dialect)
            while (part := guarded(file.name, partial(next, parts, None), self._format)) is not None:
                yield part

    def _parts(self, file: InputFile, dialect: Dialect) -> Iterator[Table]:
        uneven: list[tuple[int, int]] = []
        names = _header(file, dialect, header=self.header)
        bare = self.header is False
        for batch in _parsed(arrow_csv.open_csv, file, dialect, names, uneven, BLOCK, bare=bare):
            _check_even(file, uneven)
            if check_quotes(file, batch, dialect.delimiter) and file.name not in self._looked:
                check_closed(file, dialect.delimiter, dialect.encoding)
                self._looked.add(file.name)
            part = pa.Table.from_batches([batch]).rename_columns([name.strip() for name in names])
            yield self._in_order(part, file)
        _check_even(file, uneven)

    def _in_order(self, part: Table, file: InputFile) -> Table:
        return with_folders(part.select(self._own), file, self._keys)


def read_text(inputs: Inputs, delimiter: str | None = None, *, header: bool | None = True) -> Table:
    """Read delimited files as a stranger would: every cell as text."""
    return Cells(inputs, delimiter, header=header).whole()


def _is_empty(file: InputFile) -> bool:
    def look() -> bool:
        with file.open() as stream:
            return not stream.read(1)

    return guarded(file.name, look)


def _dialect(path: InputFile, delimiter: str | None) -> Dialect:
    encoding, notes = _encoding(path)
    with path.text(encoding, newline="") as file:
        head = file.read(1 << 16)
    if not head.strip():
        raise InputError(f"the file {path.name!r} is empty; needed: a header and rows")
    if "\0" in head:
        raise InputError(f"the file {path.name!r} holds binary data; needed: text with a header and rows")
    lines = head.splitlines(keepends=True)
    skip = next(number for number, line in enumerate(lines) if line.strip())
    named = re.fullmatch(r"sep=(.)\s*", lines[skip])  # as Excel writes it
    if named:
        skip, delimiter = skip + 1, delimiter or named[1]
    return Dialect(encoding, delimiter or _delimiter("".join(lines[skip:])), skip, notes)


def _encoding(path: InputFile) -> tuple[str, list[Note]]:
    with path.open() as file:
        encoding = encoding_of(file)
    text = "the file is not UTF-8 and was read as Windows-1252; a release is written as UTF-8"
    return encoding, [Note(NoteKind.READING, text)] if encoding == WINDOWS else []


def _delimiter(head: str) -> str:
    """The delimiter that cuts the first lines into the same number of fields, none with a quote inside; the more the better."""
    best, most = ",", 1
    for candidate in _DELIMITERS:
        try:
            rows = [row for row in csv.reader(io.StringIO(head), delimiter=candidate) if row][:100]
        except csv.Error:
            continue
        rows = rows[:-1] if len(rows) > 2 else rows  # the last may be cut off
        width = len(rows[0])
        torn = any(cell.count('"') % 2 for row in rows for cell in row)
        if width > most and not torn and all(len(row) == width for row in rows):
            best, most = candidate, width
    if most == 1:  # not even: by the header alone
        first = head.splitlines()[0]
        counts = {candidate: first.count(candidate) for candidate in _DELIMITERS}
        best = max(_DELIMITERS, key=lambda candidate: counts[candidate]) if any(counts.values()) else ","
    return best


def _cells(path: InputFile, dialect: Dialect, *, header: bool | None) -> Table:
    """All cells as text, under names without spaces around them."""
    names = _header(path, dialect, header=header)
    uneven: list[tuple[int, int]] = []
    try:
        table = _parsed(arrow_csv.read_csv, path, dialect, names, uneven, BLOCK, bare=header is False)
    except pa.ArrowInvalid as error:
        if "straddling" not in str(error):
            raise
        uneven.clear()
        table = _parsed(arrow_csv.read_csv, path, dialect, names, uneven, 1 << 30, bare=header is False)
    _check_even(path, uneven)
    if check_quotes(path, table, dialect.delimiter):
        check_closed(path, dialect.delimiter, dialect.encoding)
    return table.rename_columns([name.strip() for name in names])


def _check_even(path: InputFile, uneven: list[tuple[int, int]]) -> None:
    if uneven:
        expected, actual = uneven[0]
        raise InputError(
            f"{len(uneven)} lines of {path.name!r} do not have the {expected} fields of the header (the first has {actual}); "
            "needed: the same number in each; is the delimiter quoted where it is part of a value?"
        )


def _header(path: InputFile, dialect: Dialect, *, header: bool | None) -> list[str]:
    """The names of the columns: of the first line, or numbered where that is a record; an error where it may be one."""
    with path.text(dialect.encoding, newline="") as file:
        for _ in range(dialect.skip):
            file.readline()
        names = next(csv.reader(file, delimiter=dialect.delimiter), [])
    if header is False:
        return [f"column{number}" for number in range(1, len(names) + 1)]
    if header is None:
        check_names(path.name, names)
    stripped = [name.strip() for name in names]
    refuse_doubles(stripped)
    refuse_blanks(stripped)
    return names


def _parsed(
    parse: Callable[..., Answer],
    path: InputFile,
    dialect: Dialect,
    names: list[str],
    uneven: list[tuple[int, int]],
    block: int,
    *,
    bare: bool,
) -> Answer:
    """Parse a file; a bare one has no line of names."""

    def note(row: InvalidRow) -> str:
        uneven.append((row.expected_columns, row.actual_columns))
        return "skip"

    alone = len(names) == 1  # an empty line is a missing value there
    source = path.open()
    if dialect.encoding == "utf-8-sig":
        source.read(3)
    return parse(
        source,
        read_options=arrow_csv.ReadOptions(
            encoding="utf-8" if dialect.encoding == "utf-8-sig" else dialect.encoding,
            block_size=block,
            skip_rows=dialect.skip,
            column_names=names if bare else None,
        ),
        parse_options=arrow_csv.ParseOptions(
            delimiter=dialect.delimiter, newlines_in_values=True, invalid_row_handler=note, ignore_empty_lines=not alone
        ),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, check_utf8=True
        ),
    )


def write(
    table: Table,
    path: Path,
    *,
    delimiter: str = ",",
    decimal: str = ".",
    formulas: str = "disarm",
    compression: str | None = None,
) -> list[Note]:
    """Write a delimited file in UTF-8. Text that a spreadsheet would run as a formula gets a leading apostrophe."""
    with written(path, compression) as file:
        return append(table, file, delimiter=delimiter, decimal=decimal, formulas=formulas)


def append(
    table: Table,
    file: IO[bytes],
    *,
    delimiter: str = ",",
    decimal: str = ".",
    formulas: str = "disarm",
    header: bool = True,
) -> list[Note]:
    """Append rows to an open file."""
    notes: list[Note] = []
    if formulas == "disarm":
        table, notes = disarm(table)
    columns = []
    alone = table.num_columns == 1  # where a missing value would be an empty line
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
        columns.append(plain.cast(pa.string()).fill_null("") if alone and plain.null_count else plain)
    options = arrow_csv.WriteOptions(delimiter=delimiter, include_header=header)
    arrow_csv.write_csv(pa.table(columns, names=table.column_names), file, options)
    return notes
