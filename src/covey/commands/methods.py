"""`covey methods`."""

from __future__ import annotations

import dataclasses

from rich.console import Console
from rich.table import Table

from covey.methods import METHODS
from covey.space import Auto


def methods_command() -> None:
    """List the methods of grouping and their options."""
    console = Console(highlight=False)
    table = Table("method", "what it is", "options", box=None, pad_edge=False)
    for name, (text, options) in methods().items():
        table.add_row(name, text, ", ".join(options))
    console.print(table)


def methods() -> dict[str, tuple[str, list[str]]]:
    """Every method by name: what it is, and its options."""
    described = {}
    for name, kind in {"auto": Auto, **METHODS}.items():
        text = (kind.__doc__ or "").strip().splitlines()[0]
        text = "one column: optimal; several: fast and good" if name == "auto" else text
        options = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        described[name] = (text, [option for option in options if option not in ("cost", "progress")])
    del described["each-column"]  # not jointly k-anonymous: blocks offer that, recounted
    return described
