"""`covey compare`."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import Console
from rich.table import Table

from covey.commands import shared
from covey.commands.options import RecipeOptions, grouped
from covey.commands.shared import Reading, option
from covey.comparison import Comparison, compare
from covey.errors import OptionError, OutputError
from covey.io.apart import check_internal_names
from covey.io.staging import writing
from covey.recipe.choice import Panel
from covey.recipe.recipe import read_recipe
from covey.recipe.texts import names, numbers
from covey.report.plots import plane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.io.staging import StagedFile


@grouped
def compare_command(
    source: shared.Source,
    k: Annotated[str, option("The values of k.", Panel.NEEDED, "-k", "--k", metavar="K,...")],
    method: Annotated[
        str, option("The methods, which covey methods lists.", Panel.NEEDED, metavar="NAME,...")
    ] = "auto",
    *,
    choices: Annotated[dict[str, Any], RecipeOptions(without=("k", "method"))],
    recipe: Annotated[Path | None, option("A recipe for all other choices.", Panel.INPUT)] = None,
    reading: Reading,
    second: Annotated[
        str | None,
        option("A second table, with any number of rows for each key.", Panel.INPUT, "--with", metavar="TABLE"),
    ] = None,
    key: Annotated[str | None, option("The column of both tables that links them.", Panel.INPUT, metavar="COL")] = None,
    resume: Annotated[
        Path | None, option("Keep finished settings here, an internal file; go on from there.", Panel.OUTPUT)
    ] = None,
    output: Annotated[
        Path | None,
        option("Write it, an internal file: .json, or .svg for the drawing.", Panel.OUTPUT, "-o", "--output"),
    ] = None,
    force: Annotated[bool, option("Replace a file that exists.", Panel.OUTPUT, "--force")] = False,
    processes: Annotated[int, option("How many cores to use.", Panel.ENGINE)] = 2,
) -> None:
    """Try several k and methods: a table, the risk-utility plane, and a recommendation. Nothing is released."""
    chosen = ({} if recipe is None else read_recipe(recipe).as_dict()) | choices
    ks = [value for value in numbers(k) if isinstance(value, int)]
    if len(ks) < len(numbers(k)):
        raise OptionError(f"-k is given {k!r}; needed: whole numbers with commas between them")
    check_internal_names(resume)
    if resume is not None and output is not None and resume.resolve() == output.resolve():
        raise OutputError("--resume and --output have the same name; needed: a name for each")
    with _staged(output, force=force) as staged, _said_where_it_goes_on(resume):
        with shared.progress() as step:
            step("reading")
            comparison = compare(
                reading.read(source, chosen if second is None else {}),
                ks,
                names([method]),
                second=None if second is None else reading.read(second, {}),
                key=key,
                resume=resume,
                processes=processes,
                progress=lambda done, total: step(f"{done} of {total} settings"),
                **{name: value for name, value in chosen.items() if name not in ("k", "method", "entropy")},
            )
        reason = comparison.reason  # an error where no setting gave a release
        if staged is not None:
            with writing(staged.path):
                staged.temporary.write_text(_text(comparison, staged.path), encoding="utf-8")
            staged.commit()
    _show(comparison)
    sys.stdout.write(f"recommended: {reason}\n")


@contextmanager
def _said_where_it_goes_on(resume: Path | None) -> Iterator[None]:
    """Who interrupts a comparison is told that what is finished is kept."""
    try:
        yield
    except KeyboardInterrupt:
        if resume is not None and resume.exists():
            shared.errors.print(f"finished settings are kept in {resume}; the same command goes on from there")
        raise


@contextmanager
def _staged(output: Path | None, *, force: bool) -> Iterator[StagedFile | None]:
    """The file of the comparison while nobody sees it, gone afterwards unless it was committed."""
    if output is None:
        yield None
        return
    if output.suffix not in (".json", ".svg"):
        msg = f"a comparison cannot be written as {output.suffix or 'a file without a suffix'!r}; needed: .json or .svg"
        raise OutputError(msg)
    with shared.internal_file(output, force=force) as staged:
        yield staged


def _text(comparison: Comparison, output: Path) -> str:
    if output.suffix == ".json":
        return json.dumps(comparison.as_dict(), indent=2) + "\n"
    done = [setting for setting in comparison.settings if setting.error is None]
    points = [(setting.name, setting.loss or 0.0, 100 * (setting.risk or 0.0)) for setting in done]
    return plane(points, [place for place, setting in enumerate(done) if setting in comparison.front])


def _show(comparison: Comparison) -> None:
    titles = ("k", "method", "loss, %", "IL1s", "linkage, %", "prosecutor", "propensity", "")
    table = Table(*titles, box=None, pad_edge=False)
    front, best = comparison.front, comparison.recommended
    for setting in comparison.settings:
        if setting.error is not None:
            table.add_row(str(setting.k), setting.method, "", "", "", "", "", setting.error)
            continue
        mark = "recommended" if setting == best else "front" if setting in front else ""
        risk = 100 * (setting.risk or 0.0)
        numbers = (setting.loss, setting.il1s, risk, setting.prosecutor, setting.propensity)
        shown = ("" if number is None else f"{number:.3g}" for number in numbers)
        table.add_row(str(setting.k), setting.method, *shown, mark)
    Console(highlight=False, markup=False, width=110).print(table)
