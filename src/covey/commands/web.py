"""`covey web`."""

from __future__ import annotations

from typing import Annotated

import typer

from covey.errors import OptionError


def web_command(
    source: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A table or a network to open: a file or a database URL#table."),
    ] = None,
    *,
    network: Annotated[
        bool, typer.Option("--network", help="FILE is a table of edges: open it as a network, not as a table.")
    ] = False,
    port: Annotated[int, typer.Option(help="The port on 127.0.0.1; 0 takes any that is free.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link, and open no browser.")] = False,
) -> None:
    """Open a page in the browser, on this machine only: from a table or a network to its release."""
    from covey.web.server import run  # NiceGUI and networks take a while to load
    from covey.web.source import from_command_line

    if network and source is None:
        msg = "--network is given without a file; needed: a table of edges; name it, or choose a network on the page"
        raise OptionError(msg)
    given = None if source is None else from_command_line(source, network=network)
    run(given, port, browser=not no_browser)
