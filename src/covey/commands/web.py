"""`covey web`."""

from __future__ import annotations

from typing import Annotated

import typer


def web_command(
    source: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A table or a network to open: a file or a database URL#table."),
    ] = None,
    port: Annotated[int, typer.Option(help="The port on 127.0.0.1; 0 takes any that is free.")] = 0,
    *,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link, and open no browser.")] = False,
) -> None:
    """Open a page in the browser, on this machine only: from a table or a network to its release."""
    from covey.web.server import run  # NiceGUI and networks take a while to load
    from covey.web.source import from_command_line

    run(None if source is None else from_command_line(source), port, browser=not no_browser)
