"""What the commands share: how a table is read, what is written beside a release, progress, where messages go."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from covey.io import Loaded, read
from covey.io.apart import check_internal_names
from covey.io.staging import StagedFile
from covey.recipe.choice import Panel
from covey.report.render import to_text
from covey.utils.notes import Note, NoteKind
from covey.utils.progress import steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from covey.files.work import FileRelease
    from covey.memory import Release
    from covey.spark.release import SparkRelease
    from covey.tables.release import TablesRelease

errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
MUST_BE_SAID = (NoteKind.K_IS_TWO, NoteKind.LEDGER)
"""What is said even where nothing else is."""


def option(sentence: str, panel: Panel, *flags: str, metavar: str | None = None) -> Any:
    """An option of a command, with a sentence in a panel of its help."""
    return typer.Option(*flags, help=sentence, rich_help_panel=panel, metavar=metavar)


Source = Annotated[str, typer.Argument(metavar="TABLE", help="A file, a folder, 'a/*.pattern', - or a URL.")]
Header = Annotated[
    bool | None,
    option("Whether the first line of a text file or workbook names its columns.", Panel.INPUT, "--header/--no-header"),
]
Format = Annotated[str | None, option("The format of the input where its name does not tell.", Panel.INPUT)]


@dataclass(frozen=True)
class Reading:
    """How a table is read."""

    query: Annotated[str | None, option("A query to read from the database.", Panel.INPUT)] = None
    format: Format = None
    decimal: Annotated[str | None, option("The decimal sign of a text file: . or ,", Panel.INPUT)] = None
    header: Header = None

    def read(self, source: str, choices: Mapping[str, Any]) -> Loaded:
        """Read a table, with what the choices of a recipe say of its values."""
        return read(
            source,
            format=self.format,
            query=self.query,
            decimal=self.decimal,
            header=self.header,
            missing_codes=choices.get("missing_codes"),
            dates=choices.get("dates"),
        )


@dataclass(frozen=True)
class Publishing:
    """What is written beside a release, and what is done about earlier ones."""

    output_format: Annotated[
        str | None, option("The format of the output where its name does not tell.", Panel.OUTPUT)
    ] = None
    report: Annotated[Path | None, option("Write the report: .html, .json or .txt.", Panel.OUTPUT)] = None
    internal_report: Annotated[
        Path | None,
        option("Write the internal report: not to be published; its name must contain internal.", Panel.OUTPUT),
    ] = None
    certificate: Annotated[Path | None, option("Write the public certificate (JSON).", Panel.OUTPUT)] = None
    internal: Annotated[Path | None, option("Write the internal certificate: not to be published.", Panel.OUTPUT)] = (
        None
    )
    no_ledger: Annotated[
        bool, option("Do not look for earlier releases of the same data.", Panel.OUTPUT, "--no-ledger")
    ] = False
    refuse_overlap: Annotated[
        bool, option("Refuse data that were released before, or a part of them.", Panel.OUTPUT, "--refuse-overlap")
    ] = False
    force: Annotated[bool, option("Replace files and tables that exist.", Panel.OUTPUT, "--force")] = False
    quiet: Annotated[bool, option("No summary.", Panel.OUTPUT, "--quiet")] = False

    @property
    def companions(self) -> dict[str, Path | None]:
        """The files beside the release, as `write` takes them."""
        names = ("report", "internal_report", "certificate", "internal")
        return {name: getattr(self, name) for name in names}

    @property
    def past(self) -> dict[str, Any]:
        """What is done about earlier releases."""
        return {"ledger": not self.no_ledger, "refuse_overlap": self.refuse_overlap}

    @property
    def reports(self) -> bool:
        """Whether a report is asked for, which needs measures."""
        return self.report is not None or self.internal_report is not None


def say_done(
    done: Release | FileRelease | SparkRelease | TablesRelease,
    notes: Sequence[Note],
    places: Iterable[object],
    *,
    quiet: bool,
) -> None:
    """Say what a release is and where; if nothing is wanted, what must be said even then."""
    if not quiet:
        errors.print(to_text(done.report.with_notes(notes), brief=True), end="")
        errors.print(f"written: {', '.join(str(place) for place in places if place is not None)}")
        return
    for note in (*done.report.notes, *notes):
        if note.kind in MUST_BE_SAID:
            errors.print(f"note: {note}")


def progress() -> AbstractContextManager[Callable[[str], object]]:
    """What is being done and for how long, on a terminal; nothing in a pipe."""
    return steps(errors)


@contextlib.contextmanager
def internal_file(path: Path | None, *, force: bool) -> Iterator[StagedFile | None]:
    """A file that is not to be published while nobody sees it, gone afterwards unless it was committed; None where none is asked for."""
    if path is None:
        yield None
        return
    check_internal_names(path)
    staged = StagedFile(path, force=force, private=True)
    try:
        yield staged
    finally:
        staged.close()
