"""`covey compare`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from covey.commands import shared
from covey.commands.shared import names, plain
from covey.comparison import Comparison, compare
from covey.errors import OptionError, OutputError
from covey.io import read
from covey.io.staging import StagedFile, writing
from covey.io.writing import check_internal_names
from covey.recipe.recipe import read_recipe
from covey.report.plots import plane


def compare_command(
    source: Annotated[str, typer.Argument(metavar="TABLE", help="A file, - for standard input, or a database URL.")],
    k: Annotated[str, typer.Option("-k", "--k", metavar="K,...", help="The values of k.")],
    method: Annotated[str, typer.Option(metavar="NAME,...", help="The methods: see covey methods.")] = "auto",
    quasi: shared.Names = None,
    sensitive: shared.Names = None,
    drop: shared.Names = None,
    unit: Annotated[str | None, typer.Option(metavar="COL")] = None,
    stratum: shared.Names = None,
    weight: Annotated[str | None, typer.Option(metavar="COL")] = None,
    keep: shared.Names = None,
    accept: shared.Names = None,
    nominal: shared.Nominal = None,
    number: shared.Number = None,
    missing_code: shared.MissingCode = None,
    date: shared.Date = None,
    *,
    drop_rest: Annotated[bool, typer.Option("--drop-rest", help="Drop columns without a role.")] = False,
    missing: Annotated[str | None, typer.Option(help="error, own-group or coordinate.")] = None,
    small_strata: Annotated[str | None, typer.Option(help="error, merge or suppress.")] = None,
    recipe: Annotated[Path | None, typer.Option(help="A recipe for all other choices.")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Keep finished settings here, an internal file; go on from there.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write it, an internal file: .json, or .svg for the drawing.")
    ] = None,
    processes: Annotated[int, typer.Option(help="How many cores to use.")] = 2,
    query: Annotated[str | None, typer.Option(help="A query to read from the database.")] = None,
    format: Annotated[str | None, typer.Option(help="The format where the name does not tell.")] = None,  # noqa: A002
    header: shared.Header = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Try several k and methods: a table, the risk-utility plane, and a recommendation. Nothing is released."""
    choices: dict[str, Any] = {} if recipe is None else read_recipe(recipe).as_dict()
    lists = {"quasi": quasi, "sensitive": sensitive, "drop": drop, "strata": stratum, "keep": keep, "accept": accept}
    choices |= {role: names(columns) for role, columns in lists.items() if columns}
    single = {"unit": unit, "weight": weight, "missing": missing, "small_strata": small_strata}
    choices |= {name: value for name, value in single.items() if value is not None}
    choices |= {"drop_rest": True} if drop_rest else {}
    choices |= shared.declared(nominal, number, missing_code, date)
    ks = [plain(text) for text in k.split(",")]
    if not all(isinstance(one, int) for one in ks):
        msg = f"-k is given {k!r}; needed: whole numbers with commas between them"
        raise OptionError(msg)
    check_internal_names(resume)
    if resume is not None and output is not None and resume.resolve() == output.resolve():
        msg = "--resume and --output have the same name; needed: a name for each"
        raise OutputError(msg)
    staged = _stage(output, force=force)
    try:
        with shared.progress() as step:
            step("reading")
            codes, dates = choices.get("missing_codes"), choices.get("dates")
            loaded = read(source, query=query, format=format, header=header, missing_codes=codes, dates=dates)
            found = compare(
                loaded,
                ks,
                names([method]),
                resume=resume,
                processes=processes,
                progress=lambda done, total: step(f"{done} of {total} settings"),
                **{name: value for name, value in choices.items() if name not in ("k", "method", "entropy")},
            )
        reason = found.reason  # an error where no setting gave a release
        if staged is not None:
            with writing(staged.path):
                staged.temporary.write_text(_text(found, staged.path), encoding="utf-8")
            staged.commit()
    except KeyboardInterrupt:
        if resume is not None and resume.exists():
            shared.errors.print(f"finished settings are kept in {resume}; the same command goes on from there")
        raise
    finally:
        if staged is not None:
            staged.close()
    _show(found)
    sys.stdout.write(f"recommended: {reason}\n")


def _stage(output: Path | None, *, force: bool) -> StagedFile | None:
    if output is None:
        return None
    if output.suffix not in (".json", ".svg"):
        msg = f"a comparison cannot be written as {output.suffix or 'a file without a suffix'!r}; needed: .json or .svg"
        raise OutputError(msg)
    check_internal_names(output)
    return StagedFile(output, force=force, private=True)


def _text(found: Comparison, output: Path) -> str:
    if output.suffix == ".json":
        return json.dumps(found.as_dict(), indent=2) + "\n"
    done = [one for one in found.settings if one.error is None]
    points = [(one.name, one.loss or 0.0, 100 * (one.risk or 0.0)) for one in done]
    return plane(points, [place for place, one in enumerate(done) if one in found.front])


def _show(found: Comparison) -> None:
    table = Table(
        "k", "method", "loss, %", "IL1s", "linkage, %", "prosecutor", "propensity", "", box=None, pad_edge=False
    )
    front = found.front
    for one in found.settings:
        if one.error is not None:
            table.add_row(str(one.k), one.method, "", "", "", "", "", one.error)
            continue
        marks = "recommended" if one == found.recommended else "front" if one in front else ""
        numbers = (one.loss, one.il1s, 100 * (one.risk or 0.0), one.prosecutor, one.propensity)
        table.add_row(str(one.k), one.method, *("" if number is None else f"{number:.3g}" for number in numbers), marks)
    Console(highlight=False, markup=False, width=110).print(table)
