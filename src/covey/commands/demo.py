"""`covey demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from covey import demo


def demo_command(
    folder: Annotated[Path, typer.Option(help="Where to write the release.")] = Path("covey-demo"),
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Make a release of the bundled table and show what was lost."""
    demo.run(folder, force=force)
