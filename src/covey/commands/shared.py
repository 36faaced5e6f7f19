"""What the commands share: lists of columns, pairs, progress, where messages go."""

from __future__ import annotations

import contextlib
import csv
import tomllib
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from covey.errors import OptionError
from covey.utils.notes import NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from covey.utils.notes import Note

errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

Names = Annotated[list[str] | None, typer.Option(metavar="COL,...")]
Nominal = Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Treat as unordered categories.")]
Number = Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Numbers, though they look like codes.")]
MissingCode = Annotated[
    list[str] | None, typer.Option(metavar="COL=CODE,...", help="Values that stand for a missing one: 99,.")
]
Date = Annotated[
    list[str] | None, typer.Option(metavar="COL=FORM", help="How dates are written: dd/mm/yyyy, mm-dd-yyyy, ...")
]
Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="Whether the first line of a text file names its columns."),
]


MUST_BE_SAID = (NoteKind.K_IS_TWO, NoteKind.LEDGER)
"""What is said even where nothing else is."""


def print_warnings(notes: Iterable[Note]) -> None:
    """Print the notes that must be said where nothing else is."""
    for note in notes:
        if note.kind in MUST_BE_SAID:
            errors.print(note)


def names(given: Sequence[str] | None) -> list[str]:
    """Column names given as a,b or by repeating the option; a name with a comma stands in double quotes."""
    rows = csv.reader(given or (), skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def pairs(given: Sequence[str] | None, option: str, *, text_follows: bool = False) -> dict[str, str]:
    """Pairs given as col=value, by repeating the option; text may hold a = of its own."""
    found = {}
    for text in given or ():
        name, sign, value = text.partition("=") if text_follows else text.rpartition("=")
        if not sign or not name.strip() or not value.strip():
            msg = f"--{option} is given {text!r}; needed: COLUMN=VALUE"
            raise OptionError(msg)
        found[name.strip()] = value.strip()
    return found


def declared(
    nominal: Sequence[str] | None,
    number: Sequence[str] | None,
    missing_code: Sequence[str] | None,
    date: Sequence[str] | None,
) -> dict[str, Any]:
    """What the values of columns are, as choices of a recipe."""
    codes = {column: names([text]) for column, text in pairs(missing_code, "missing-code").items()}
    given = {
        "nominal": names(nominal),
        "number": names(number),
        "missing_codes": codes,
        "dates": pairs(date, "date"),
    }
    return {name: value for name, value in given.items() if value}


def plain(text: str) -> Any:
    """A number, a date or true/false where the text is one, else the text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


@contextlib.contextmanager
def progress() -> Iterator[Callable[[str], Any]]:
    """What is being done and for how long, on a terminal; nothing in a pipe."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda what: bar.update(task, description=what, refresh=True)
