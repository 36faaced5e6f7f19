"""Quotes in delimited files that are never closed, or too late: they would swallow records in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.errors import InputError
from covey.utils.arrow import RecordBatch, Table, pc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.io.inputs import InputFile

_FEW = 3  # cells of several lines
_UNLIKE = 5  # times as many lines as in the other cells
_NEEDED = (
    "needed: a quote behind every cell that begins with one; correct it, or, where cells do hold such lines, give the table in a format "
    "that needs no quotes, such as Parquet"
)


def check_quotes(path: InputFile, table: Table | RecordBatch, delimiter: str) -> bool:
    """An error where a quote that is never closed, or too late, makes one cell of several lines of the file, or of its end.

    True where a cell may be of two lines: then `check_closed` tells.
    """
    width = table.num_columns
    alike: list[int] = []  # lines that look like records, of each cell of several lines
    in_doubt = False
    for column in table.columns:
        for cell in column.filter(pc.match_substring(column, "\n")).to_pylist():
            alike.append(sum(line.count(delimiter) + 1 >= width for line in cell.splitlines()[1:]))
            in_doubt = in_doubt or delimiter in cell
    swallowed = _swallowed(alike)
    last = table.columns[-1][-1].as_py() if table.num_rows else ""
    if swallowed > (width < 3) or (last.endswith("\n") and not _ends_with_a_quote(path)):
        what = f"holds {swallowed} lines that look like records" if swallowed else "goes on to the end of the file"
        raise InputError(f"a quoted cell of {path.name!r} {what}; {_NEEDED}")
    return in_doubt


def _swallowed(alike: list[int]) -> int:
    """How many lines that look like records a quote has swallowed: all in a few cells; of many cells, remarks as a rule, those of one unlike the others."""
    most, total = max(alike, default=0), sum(alike)
    if len(alike) <= _FEW:
        return total
    return most if most > _UNLIKE * (total - most) / (len(alike) - 1) + 1 else 0


def check_closed(path: InputFile, delimiter: str, encoding: str) -> None:
    """An error where the quote of a cell is closed by that of another, on another line."""
    torn = list(torn_cells(path, delimiter, encoding))
    if torn:
        raise InputError(
            f"quoted cells of {path.name!r} end on another line, before other text in place of a delimiter: {len(torn)} of them, the first of "
            f"which begins in line {torn[0]}; {_NEEDED}"
        )


def torn_cells(path: InputFile, delimiter: str, encoding: str) -> Iterator[int]:
    """The lines in which cells begin that go over the end of a line, and whose closing quote stands before neither a delimiter nor another end.

    Such a quote begins another cell: that of this one is missing. The file is read in pieces.
    """
    ends, before, begin, line = f"{delimiter}\r\n", "\n", 0, 1
    inside = closing = False
    for text, quoted in _between_quotes(path, encoding):
        if closing and not text and quoted:  # two quotes in a cell are one
            closing, before = False, '"'
            continue
        if closing:
            if text and text[0] not in ends and begin < line:
                yield begin
            inside = closing = False
        line += text.count("\n")
        if inside:
            closing = True
        elif (text[-1:] or before) in ends:
            inside, begin = True, line
        before = '"'


def _between_quotes(path: InputFile, encoding: str) -> Iterator[tuple[str, bool]]:
    """What stands between the quotes of a file, and whether a quote follows."""
    rest = ""
    with path.text(encoding, newline="") as file:
        while piece := file.read(1 << 20):
            *parts, rest = (rest + piece).split('"')
            yield from ((part, True) for part in parts)
    yield rest, False


def _ends_with_a_quote(path: InputFile) -> bool:
    tail = b""
    with path.open() as file:
        while piece := file.read(1 << 20):
            tail = (tail + piece)[-64:]
    return tail.replace(b"\0", b"").rstrip().endswith(b'"')
