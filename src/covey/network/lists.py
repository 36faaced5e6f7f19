"""Lists of edges in plain text: an edge a line, spaces or tabs between, comments after # or %, as SNAP, KONECT and networkx write them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.io.header import no_header
from covey.io.inputs import opened
from covey.utils.arrow import Column, Table, arrow_csv, pa, pc

if TYPE_CHECKING:
    from covey.io.location import Location

LENGTHS = ("length", "weight")
"""What the third column is called, if there is one: either will do."""
_SEPARATORS = (",", ";", "|")
_START = 1 << 16
_ENDS = ("source", "target")


def is_list(place: Location) -> bool:
    """Whether a text file looks like a list of edges: it begins with a comment, or nothing but spaces and tabs separates."""
    with opened(place) as inputs, inputs.files[0].open() as stream:
        lines = stream.read(_START).decode("utf-8", "replace").splitlines()
    full = [line for line in lines if line.strip()]
    if not full:
        return False
    if full[0].lstrip()[0] in "#%":
        return True
    return not any(sign in full[0] for sign in _SEPARATORS) and "\t" not in full[0] and len(full[0].split()) > 1


def read_list(place: Location, name: str, *, header: bool | None = None) -> Table:
    """The edges as a table with the columns source and target, and length where lines have a third number.

    Lines may end in a dictionary of attributes, as networkx writes them; the names in it are columns. There is no line of names
    unless `header` says so; where the first line alone is no pair of numbers, that is an error that asks.
    """
    lines = _lines(place)
    if header:
        lines = lines.partition(b"\n")[2]
    if not lines:
        raise InputError(f"the file {name!r} holds no edges; needed: a line for each, such as `1 2`")
    table = _with_attributes(lines, name) if b"{" in lines else _parsed(lines, name)
    if header is None:
        _check_first(table, name)
    for place_of, end in enumerate(_ENDS):
        table = table.set_column(place_of, end, _as_numbers(table.column(end)))
    return table


def _lines(place: Location) -> bytes:
    """The lines without comments, spaces around them and empty ones; one tab between fields."""
    with opened(place) as inputs, inputs.files[0].open() as stream:
        text = bytes(stream.read()).removeprefix(b"\xef\xbb\xbf")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"#" in text or b"%" in text:
        text = re.sub(rb"(?m)^[ \t]*[#%].*\n?|[ \t]#.*$", b"", text)
    if b"  " in text or b" \t" in text or b"\t " in text or b"\t\t" in text or b" \n" in text or b"\n " in text:
        text = re.sub(rb"(?m)^[ \t]+|[ \t]+$", b"", text)
        text = re.sub(rb"[ \t]+", b"\t", text)
    return text.replace(b" ", b"\t").strip(b"\t\n")


def _parsed(lines: bytes, name: str) -> Table:
    fields = lines.partition(b"\n")[0].count(b"\t") + 1
    if fields not in (2, 3, 4):
        raise _uneven(name, f"the first has {fields} field{'' if fields == 1 else 's'}")
    names = [*_ENDS, *LENGTHS][:fields] if fields < 4 else [*_ENDS, LENGTHS[0], "time"]
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(lines),
            read_options=arrow_csv.ReadOptions(column_names=names),
            parse_options=arrow_csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        raise _uneven(name, f"the first has {fields} fields, and others have more or fewer") from None
    return _with_lengths(table)


def _with_lengths(table: Table) -> Table:
    """The third column as numbers, where all of it are some; under both names that it goes by."""
    if LENGTHS[0] not in table.column_names:
        return table
    texts = table.column(LENGTHS[0])
    try:
        numbers = texts.cast(pa.float64())
    except pa.ArrowInvalid:
        return table
    table = table.select(list(_ENDS))
    for name in LENGTHS:
        table = table.append_column(name, numbers)
    return table


def _with_attributes(lines: bytes, name: str) -> Table:
    """Lines that end in a dictionary: slower, for there are few such files and they are small."""
    rows: list[dict[str, Any]] = []
    for line in lines.decode("utf-8").splitlines():
        ends, brace, rest = line.replace("\t", " ").partition("{")
        pair = ends.split()
        try:
            data = ast.literal_eval(brace + rest) if brace else {}
        except (ValueError, SyntaxError):
            raise _uneven(name, "some end with something other than a dictionary of attributes") from None
        if len(pair) != 2 or not isinstance(data, dict):
            raise _uneven(name, f"some have {len(pair)} fields before their attributes")
        rows.append({**{str(key): value for key, value in data.items()}, _ENDS[0]: pair[0], _ENDS[1]: pair[1]})
    names = [*_ENDS, *dict.fromkeys(key for row in rows for key in row if key not in _ENDS)]
    return pa.table({key: pa.array([row.get(key) for row in rows]) for key in names})


def _uneven(name: str, what: str) -> InputError:
    return InputError(
        f"the lines of {name!r} cannot be read as edges: {what}; needed: two vertices in each, and after them nothing, a length, a "
        "length and a time, or a dictionary of attributes"
    )


def _check_first(table: Table, name: str) -> None:
    """An error where the first line alone holds no numbers."""
    column = table.column(_ENDS[0])
    number = pc.match_substring_regex(column, "^-?[0-9]+$")
    if len(column) > 1 and not number[0].as_py() and pc.all(number[1:]).as_py():
        raise no_header(name, "it holds no numbers, and all lines below do")


def _as_numbers(column: Column) -> Column:
    """Vertices as whole numbers where all of them are written as such: 1, but not 01, which is another vertex."""
    if not pc.all(pc.match_substring_regex(column, "^(0|-?[1-9][0-9]{0,17})$")).as_py():
        return column
    return column.cast(pa.int64())
