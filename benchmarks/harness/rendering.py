"""What the renderers share: the JSON that a benchmark wrote, as tables of a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from benchmarks.harness.measure import RESULTS

Row = dict[str, Any]
Shown = str | Callable[[Row], str]  # a format of the fields of a row, or a function of the row
Columns = list[tuple[str, Shown]]  # with the header of each


class Section(NamedTuple):
    """A section of the page: its title, its text from the JSON, and what draws its figures, if it has any."""

    title: str
    text: Callable[[Row], str]
    draw: Callable[[Row], None] | None = None


def load(name: str) -> Row | None:
    """What a benchmark wrote under this name, or None where it has not been run."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return None
    data: Row = json.loads(path.read_text())
    return data


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def grid(rows: Iterable[Row], columns: Columns) -> str:
    """A table of these rows: a header for each column, and how it shows a row.

    >>> print(grid([{"n": 1000, "k": 5}], [("n", "{n:.0e}"), ("twice k", lambda row: str(2 * row["k"]))]))
    | n | twice k |
    |---|---|
    | 1e+03 | 10 |
    """

    def cell(row: Row, shown: Shown) -> str:
        return shown.format(**row) if isinstance(shown, str) else shown(row)

    return table([header for header, _ in columns], [[cell(row, shown) for _, shown in columns] for row in rows])


def origin(data: Row) -> str:
    machine = ", ".join(f"{name} {value}" for name, value in data["machine"].items())
    return f"`{data['command']}`, commit {data['commit']}, {data['date']}; {machine}."


def verdict(held: bool) -> str:  # noqa: FBT001
    return "yes" if held else "**no**"
