"""The hierarchies of columns, as they are declared: a file or table of levels, prefixes of codes, or cuts of numbers.

As a recipe holds them: rows of texts (a value and its labels, the lowest first), "prefix" or "prefix:2,3" (after how many
characters), or levels of cuts (the finest first).
"""

from __future__ import annotations

import collections
import csv
import datetime as dt
import itertools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from covey.columns.hierarchy.tree import ROOT, Tree, tree_of_parents, tree_of_rows
from covey.errors import InputError, OptionError, shown
from covey.utils.encoding import encoding_of

if TYPE_CHECKING:
    from collections.abc import Iterable

Rows = tuple[tuple[str, ...], ...]
Cuts = tuple[tuple[float, ...], ...]
Hierarchy = str | Rows | Cuts
PREFIX, CUTS = "prefix", "cuts"
DELIMITERS = ";\t|,"
HEADERS = ("value", "")
"""What stands above the values where a file has a header, beside the name of the column."""


def is_cuts(hierarchy: Hierarchy) -> bool:
    """Whether numbers are cut."""
    return not isinstance(hierarchy, str) and all(not isinstance(cell, str) for level in hierarchy for cell in level)


def is_file(value: object) -> bool:
    """Whether a choice is the path of a file."""
    return isinstance(value, os.PathLike) or (isinstance(value, str) and value.partition(":")[0] not in (PREFIX, CUTS))


def as_hierarchy(value: object, label: str) -> Hierarchy:
    """A hierarchy as a recipe holds it, from a path, a mapping from value to labels, rows, or a text."""
    if is_file(value):
        return read_levels(Path(str(value)), label)
    if isinstance(value, str):
        return _of_text(value, label)
    if isinstance(value, Mapping):
        rows: list[object] = [[one, *([above] if isinstance(above, str) else above)] for one, above in value.items()]
    elif isinstance(value, Sequence):
        rows = list(value)
    else:
        rows = _of_frame(value, label)
    if any(all(map(_is_day, row if isinstance(row, list | tuple) and row else [row])) for row in rows):
        raise OptionError(
            f"{label} has days as cuts; needed: numbers; give labels for days as a file, or as a mapping from day to labels"
        )
    if rows and all(_is_number(cell) for cell in rows):
        return as_cuts([rows], label)
    if rows and all(isinstance(row, Sequence) and row and all(map(_is_number, row)) for row in rows):
        return as_cuts(rows, label)  # type: ignore[arg-type]
    return _as_rows(rows, label)


def _of_text(value: str, label: str) -> Hierarchy:
    kind, colon, text = value.partition(":")
    try:
        if kind == CUTS:
            return as_cuts([[_number(cut) for cut in level.split(",")] for level in text.split(";")], label)
        lengths = [int(length) for length in text.split(",")] if colon else []
    except ValueError:
        lengths = [0]
    if any(length < 1 for length in lengths) or len({*lengths}) < len(lengths):
        msg = f"{label} is {shown(value)}; needed: prefix, prefix:2,3 (characters, each number once), cuts:20,40,60 or the path of a file"
        raise OptionError(msg)
    return value


def _number(text: str) -> float:
    return int(text) if text.strip().lstrip("+-").isdigit() else float(text)


def _is_day(cell: object) -> bool:
    return isinstance(cell, dt.date | dt.time)


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def as_cuts(levels: Sequence[Sequence[object]], label: str) -> Cuts:
    """Levels of cuts, the finest first: each holds some of the cuts of the one before."""
    cuts = tuple(tuple(cut.item() if hasattr(cut, "item") else cut for cut in level) for level in levels)
    rising = all(level and all(a < b for a, b in itertools.pairwise(level)) for level in cuts)  # type: ignore[operator]
    finite = all(abs(cut) < 1e300 for level in cuts for cut in level)  # type: ignore[arg-type]
    if not rising or not finite or not all(set(upper) < set(lower) for lower, upper in itertools.pairwise(cuts)):
        raise OptionError(
            f"{label} has cuts that do not rise, or that the level before does not have; needed: rising numbers, the finest level first, "
            "and in each further level some of those before, such as [[20, 40, 60], [40]]"
        )
    return cuts  # type: ignore[return-value]


def _as_rows(rows: Iterable[object], label: str) -> Rows:
    texts = tuple(
        tuple("" if cell is None else str(cell) for cell in row) if isinstance(row, Sequence) else () for row in rows
    )
    if not texts or not all(texts):
        raise OptionError(
            f"{label} is empty, or has an empty line; needed: numbers, or rows of a value and the labels that stand for it"
        )
    if any(len(row) < 2 or not row[0].strip() for row in texts):
        raise OptionError(
            f"{label} has a line without a value or without a label; needed: in each a value and the labels that stand for it, the "
            "lowest first"
        )
    return texts


def _of_frame(value: object, label: str) -> list[object]:
    """The rows of a dataframe: values in the first column, labels in the others."""
    columns = [str(name) for name in getattr(value, "columns", ())]
    if len(columns) < 2 or not hasattr(value, "shape"):
        raise OptionError(
            f"{label} is {shown(value)}; needed: the path of a file, a mapping from value to labels, a dataframe, rows of texts, prefix, "
            "or levels of cuts"
        )
    arrays = [value[name] for name in value.columns]  # type: ignore[index, attr-defined]
    return [["" if cell != cell else cell for cell in row] for row in zip(*arrays, strict=True)]  # noqa: PLR0124


def read_levels(path: Path, label: str) -> Rows:
    """The rows of a file: a value and its labels in each line, with any of the usual delimiters and encodings; a header is left out."""
    try:
        with path.open("rb") as file:
            encoding = encoding_of(file)
        text = path.read_text(encoding=encoding)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        msg = f"{label}, {str(path)!r}, cannot be read: {reason}; needed: a file with a line value;label;label for each value"
        raise InputError(msg) from None
    lines = [line for line in text.splitlines() if line.strip()]
    found = [list(csv.reader(lines, delimiter=delimiter)) for delimiter in DELIMITERS]
    fitting = [rows for rows in found if rows and min(map(len, rows)) > 1]
    if not fitting:
        raise InputError(
            f"{label}, {str(path)!r}, is no table of levels; needed: a line value;label;label for each value, parted by ; , | or tabs"
        )
    even = [rows for rows in fitting if len(set(map(len, rows))) == 1]
    rows = [[cell.strip() for cell in row] for row in (even or fitting)[0]]
    above = rows[0][0].casefold()
    if above in HEADERS or label.casefold().endswith(repr(above)):
        return _as_rows(rows[1:], label)
    _check_first(rows, label)
    return _as_rows(rows, label)


def _check_first(rows: list[list[str]], label: str) -> None:
    """An error where the first line stands alone, as names of columns do: every other line shares a label with another one."""
    often = collections.Counter(cell for row in rows for cell in set(row))
    if len(rows) > 2 and all(often[cell] == 1 for cell in rows[0]) and all(_shares(row, often) for row in rows[1:]):
        raise InputError(
            f"{label} has a first line of which no cell stands in another one, as names of columns do not; needed: to know what it is; delete "
            "it if it holds names, or begin it with value; if it is a value and its labels, put it below another line"
        )


def _shares(row: list[str], often: Mapping[str, int]) -> bool:
    return any(often[cell] > 1 for cell in row[1:])


def tree_of(column: str, hierarchy: Hierarchy, values: Iterable[str], *, whole: bool = False) -> Tree:
    """The tree of a column with these values, all of which must be known to it; `whole` says that numbers are whole ones."""
    if isinstance(hierarchy, str):
        return tree_of_rows(column, _prefixes(column, hierarchy, values))
    if is_cuts(hierarchy):
        return _tree_of_cuts(column, hierarchy, whole=whole)  # type: ignore[arg-type]
    return tree_of_rows(column, hierarchy)  # type: ignore[arg-type]


def _prefixes(column: str, hierarchy: str, values: Iterable[str]) -> list[list[str]]:
    """Rows of codes and what they begin with: the rest of a code, as long as the longest, is stars."""
    texts = sorted(set(values))
    longest = max(map(len, texts), default=1)
    asked = hierarchy.partition(":")[2]
    lengths = sorted(map(int, asked.split(",")), reverse=True) if asked else list(range(longest - 1, 0, -1))
    idle = [length for length in lengths if length >= longest] if texts else []
    if idle:
        raise OptionError(
            f"hierarchy of {column!r} is {hierarchy!r}, and its longest code has {longest} characters, so that {idle[-1]} has no effect; needed: "
            "numbers below; leave it out"
        )
    return [
        [text, *(text[:length] + ROOT * (longest - length) for length in lengths if length < len(text)), ROOT * longest]
        for text in texts
    ]


def intervals(cuts: Sequence[float], *, whole: bool) -> list[str]:
    """The labels of the intervals between cuts, each of which begins one.

    >>> intervals([18, 65], whole=True), intervals([0.5], whole=False)
    (['under 18', '18 to 64', '65 or more'], ['under 0.5', '0.5 or more'])
    """
    between = [_between(low, high, whole=whole) for low, high in itertools.pairwise(cuts)]
    return [f"under {cuts[0]}", *between, f"{cuts[-1]} or more"]


def _between(low: float, high: float, *, whole: bool) -> str:
    if not whole or low != int(low) or high != int(high):
        return f"{low} to under {high}"
    return f"{low}" if high - low == 1 else f"{low} to {int(high) - 1}"


def _tree_of_cuts(column: str, levels: Cuts, *, whole: bool) -> Tree:
    """Intervals within intervals. An interval without an end counts as wide as the one beside it."""
    finest, parents = levels[0], dict[str, str | None]()
    ends = [b - a for a, b in itertools.pairwise(finest)] or [1.0]
    widths = dict(zip(intervals(finest, whole=whole), [ends[0], *ends, ends[-1]], strict=False))
    if len(finest) == 1:
        widths = dict.fromkeys(intervals(finest, whole=whole), 1.0)
    for level, upper in itertools.zip_longest(levels, levels[1:]):
        for start, label in zip([None, *level], intervals(level, whole=whole), strict=True):
            over = None
            if upper is not None:
                place = 0 if start is None else sum(cut <= start for cut in upper)
                over = intervals(upper, whole=whole)[place]
            if over != label:
                parents[label] = over
    return tree_of_parents(column, parents, widths)
