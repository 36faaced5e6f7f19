"""What is being done, in a terminal or a notebook; nothing in a pipe."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console


def console_of_errors() -> Console:
    """Where progress is shown: standard error, or the cell of a notebook."""
    from rich.console import Console

    return Console(stderr=True)


@contextmanager
def steps(console: Console | None = None) -> Iterator[Callable[[str], object]]:
    """The step that is being done and for how long, until the block ends."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = console or console_of_errors()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not _is_seen(console)) as shown:
        task = shown.add_task("", total=None)
        yield lambda what: shown.update(task, description=what, refresh=True)


@contextmanager
def bar(console: Console | None = None) -> Iterator[Callable[[int, int], object]]:
    """A bar of how many are done, until the block ends."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    console = console or console_of_errors()
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not _is_seen(console)) as shown:
        task = shown.add_task("", total=None)
        yield lambda done, of: shown.update(task, completed=done, total=of, refresh=True)


@contextmanager
def following(progress: Callable[[str], object] | bool | None) -> Iterator[Callable[[str], object]]:  # noqa: FBT001
    """Who is told each step: who was given, a terminal or notebook for True, else nobody."""
    if progress is True:
        with steps() as shown:
            yield shown
    else:
        yield progress if callable(progress) else (lambda _what: None)


def _is_seen(console: Console) -> bool:
    return console.is_terminal or console.is_jupyter
