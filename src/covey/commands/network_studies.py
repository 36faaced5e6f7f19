"""`covey network check` and `covey network compare`: what is found in a graph, and what survives of it."""

from __future__ import annotations

import json as json_format
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.commands import shared
from covey.commands.network_options import Grid, Reading, Source
from covey.commands.shared import option
from covey.network import check, compare
from covey.recipe.choice import Panel

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_command(
    source: Source,
    k: Annotated[int, option("Count the vertices with fewer candidates than this.", Panel.NEEDED, "-k")],
    reading: Reading,
    json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Count the candidates of every vertex of a published graph, for attackers who know more and more.

    Exit code 1 if some vertex has fewer than k.
    """
    with shared.progress() as step:
        step("reading")
        loaded = reading.read(source)
        step("counting")
        exposures = check(loaded, k)
    if json:
        sys.stdout.write(json_format.dumps([exposure._asdict() for exposure in exposures], indent=2) + "\n")
    else:
        for one in exposures:
            sys.stdout.write(
                f"by {one.known}: {one.unique} unique, {one.below} with fewer than {k} candidates, the fewest {one.least}\n"
            )
    if any(exposure.below for exposure in exposures):
        raise typer.Exit(1)


def compare_command(
    source: Source,
    grid: Grid,
    reading: Reading,
    json: Annotated[bool, typer.Option("--json", help="Print the settings as JSON.")] = False,
) -> None:
    """Cluster a network in several ways: what each loses, and what survives in graphs drawn from it. Not to be published.

    Exit code 1 if there is nothing to compare: no setting has clusters.
    """
    with shared.progress() as step:
        step("reading")
        loaded = reading.read(source, grid.length)
        comparison = compare(loaded, progress=step, **grid.settings())
    rows = comparison.rows()
    if json:
        sys.stdout.write(json_format.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(_lined_up(rows))
    if all(setting.survival is None for setting in comparison.settings):
        raise typer.Exit(1)


def _lined_up(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as a table, columns of one width; an error stands at the end of its line."""
    names = [name for name in rows[0] if name != "error"]
    cells = [[name.replace("_", " ") for name in names], *([_shown(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    ends = ["", *(str(row["error"] or "") for row in rows)]
    lines = [
        "  ".join([*(cell.rjust(width) for cell, width in zip(line, widths, strict=True)), end]).rstrip()
        for line, end in zip(cells, ends, strict=True)
    ]
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
