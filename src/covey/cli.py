"""The command line: thin. It builds a recipe, calls `release`, and says what happened in one line where it goes wrong."""

from __future__ import annotations

import contextlib
import csv
import os
import signal
import sys
import tomllib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from covey import cli_check, demo
from covey.certificate import version
from covey.errors import CoveyError, OptionError
from covey.io import read
from covey.io.location import locate
from covey.recipe import Recipe, read_recipe
from covey.release import SmallGroupsWarning, release
from covey.roles import unknown_column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

app = typer.Typer(
    name="covey",
    help="Microaggregation: publish every record as one of at least k.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

Names = Annotated[list[str] | None, typer.Option(metavar="COL,...")]


def names(given: Sequence[str] | None) -> list[str]:
    """Column names given as a,b or by repeating the option; a name with a comma stands in double quotes."""
    rows = csv.reader(given or (), skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """Pairs given as col=value, by repeating the option."""
    found = {}
    for text in given or ():
        name, sign, value = text.rpartition("=")
        if not sign or not name.strip() or not value.strip():
            msg = f"--{option} is given {text!r}; needed: COLUMN=VALUE"
            raise OptionError(msg)
        found[name.strip()] = value.strip()
    return found


def plain(text: str) -> Any:
    """A number, a date or true/false where the text is one, else the text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


@app.command("release")
def release_command(
    source: Annotated[str, typer.Argument(metavar="TABLE", help="A file, - for standard input, or a database URL.")],
    output: Annotated[
        str, typer.Option("-o", "--output", help="A file, - for standard output, or a database URL#table.")
    ],
    k: Annotated[
        int | None, typer.Option("-k", help="The least number of records (units) that share their values.")
    ] = None,
    quasi: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Quasi-identifiers: grouped.")] = None,
    sensitive: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Kept as it is, and checked.")] = None,
    drop: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Identifiers: not published.")] = None,
    random_ids: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="Identifiers: replaced by random ids.")
    ] = None,
    unit: Annotated[str | None, typer.Option(metavar="COL", help="Rows belong to these: k counts units.")] = None,
    stratum: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="Group within these, never across.")
    ] = None,
    weight: Annotated[str | None, typer.Option(metavar="COL", help="The weight: enters the means, never k.")] = None,
    keep: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Published as it is.")] = None,
    *,
    drop_rest: Annotated[bool, typer.Option("--drop-rest", help="Drop columns without a role.")] = False,
    accept: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="Publish these although they may undo the grouping.")
    ] = None,
    recipe: Annotated[Path | None, typer.Option(help="A recipe file; options beside it change it.")] = None,
    method: Annotated[str | None, typer.Option(help="How to group: see covey methods.")] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the method.")] = None,
    seed: Annotated[int | None, typer.Option(help="For a method with randomness.")] = None,
    missing: Annotated[
        str | None, typer.Option(help="Where a quasi-identifier is missing: error, own-group or coordinate.")
    ] = None,
    penalty: Annotated[float | None, typer.Option(help="How far beyond the median a missing value lies.")] = None,
    small_strata: Annotated[str | None, typer.Option(help="Strata below k: error, merge or suppress.")] = None,
    scale: Annotated[str | None, typer.Option(help="How columns become comparable: zscore, range or rank.")] = None,
    categories: Annotated[str | None, typer.Option(help="Distances of categories: match or frequency.")] = None,
    importance: Annotated[
        list[str] | None, typer.Option(metavar="COL=NUMBER", help="How much a column counts; 1 by default.")
    ] = None,
    nominal: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Treat as unordered categories.")] = None,
    ordinal: Annotated[
        list[str] | None, typer.Option(metavar="COL=LOW<...<HIGH", help="Treat as ordered categories.")
    ] = None,
    aggregate: Annotated[
        list[str] | None, typer.Option(metavar="COL=NAME", help="mean, median, midrange, min, max, mode, trimmed-mean.")
    ] = None,
    trim: Annotated[float | None, typer.Option(help="The share a trimmed mean cuts at either end.")] = None,
    weights: Annotated[str | None, typer.Option(help="What becomes of the weight: group, keep or drop.")] = None,
    round_weights: Annotated[float | None, typer.Option(help="Round kept weights to multiples of this.")] = None,
    top: Annotated[
        list[str] | None, typer.Option(metavar="COL=VALUE", help="The largest value told apart, or a quantile: 99%.")
    ] = None,
    bottom: Annotated[
        list[str] | None, typer.Option(metavar="COL=VALUE", help="The smallest value told apart, or a quantile: 1%.")
    ] = None,
    zeros_apart: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="Group zeros among themselves.")
    ] = None,
    edit: Annotated[list[str] | None, typer.Option(metavar="RULE", help="'income >= 0' or 'total = a + b'.")] = None,
    block: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="Columns to group by themselves.")] = None,
    allow_blocks: Annotated[bool, typer.Option("--allow-blocks", help="Allow blocks to be below k jointly.")] = False,
    p_percent: Annotated[float | None, typer.Option(help="The p of the p % rule.")] = None,
    dominance: Annotated[str | None, typer.Option(metavar="N,PERCENT", help="The (n, k) dominance rule.")] = None,
    refuse_own_values: Annotated[
        bool, typer.Option("--refuse-own-values", help="Refuse values that are one member's own.")
    ] = False,
    keep_order: Annotated[bool, typer.Option("--keep-order", help="Do not shuffle the rows.")] = False,
    query: Annotated[str | None, typer.Option(help="A query to read from the database.")] = None,
    format: Annotated[str | None, typer.Option(help="The format of the input where its name does not tell.")] = None,  # noqa: A002
    output_format: Annotated[
        str | None, typer.Option(help="The format of the output where its name does not tell.")
    ] = None,
    decimal: Annotated[str | None, typer.Option(help="The decimal sign of a text file: . or ,")] = None,
    formulas: Annotated[str, typer.Option(help="disarm or keep text that a spreadsheet would run.")] = "disarm",
    report: Annotated[Path | None, typer.Option(help="Write the report: .html, .json or .txt.")] = None,
    certificate: Annotated[Path | None, typer.Option(help="Write the public certificate (JSON).")] = None,
    internal: Annotated[Path | None, typer.Option(help="Write the internal certificate: not to be published.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files and tables that exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No summary.")] = False,
) -> None:
    """Protect a table and publish it: every record becomes one of at least k."""
    given = _given(locals())
    chosen = read_recipe(recipe).as_dict() if recipe is not None else {}
    with _progress() as step:
        step("reading")
        loaded = read(source, format=format, query=query, decimal=decimal)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallGroupsWarning)  # it is a note of the report
            done = release(loaded, recipe=Recipe.from_dict(chosen | given), progress=step)
        notes = done.write(
            output,
            force=force,
            format=output_format,
            formulas=formulas,
            report=report,
            certificate=certificate,
            internal=internal,
            progress=step,
        )
    if not quiet:
        demo.summarise(done.report.with_notes(notes), errors)
        places = [locate(output, format=output_format).public, report, certificate, internal]
        errors.print(f"written: {', '.join(str(place) for place in places if place is not None)}")
    elif done.recipe.k == 2:
        errors.print("k is 2: each of two who share a group knows the other; 3 or more is usual")


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The choices of a recipe that the options make."""
    lists = ("quasi", "sensitive", "drop", "random_ids", "keep", "accept", "nominal", "zeros_apart")
    given: dict[str, Any] = {name: names(options[name]) for name in lists if options[name]}
    single = [
        "k",
        "unit",
        "weight",
        "method",
        "seed",
        "missing",
        "penalty",
        "small_strata",
        "scale",
        "categories",
        "trim",
    ]
    single += ["weights", "round_weights", "p_percent"]
    given |= {name: options[name] for name in single if options[name] is not None}
    given |= {name: True for name in ("drop_rest", "allow_blocks", "refuse_own_values") if options[name]}
    if options["stratum"]:
        given["strata"] = names(options["stratum"])
    for name, key in (("importance", "importance"), ("top", "top"), ("bottom", "bottom"), ("option", "options")):
        if options[name]:
            given[key] = {column: plain(value) for column, value in pairs(options[name], name).items()}
    if options["aggregate"]:
        given["aggregates"] = pairs(options["aggregate"], "aggregate")
    if options["ordinal"]:
        given["ordinal"] = {column: value.split("<") for column, value in pairs(options["ordinal"], "ordinal").items()}
    if options["edit"]:
        given["edits"] = options["edit"]
    if options["block"]:
        given["blocks"] = [names([text]) for text in options["block"]]
    if options["dominance"]:
        given["dominance"] = [plain(part) for part in options["dominance"].split(",")]
    if options["keep_order"]:
        given["shuffle"] = False
    return given


@app.command("check")
def check_command(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A published table: a file, - or a database URL#table.")
    ],
    k: Annotated[int, typer.Option("-k", help="The least class that is asked for.")],
    quasi: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="The columns that others may know.")
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Count different values of this column instead of rows.")] = None,
    sensitive: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="The columns to measure.")] = None,
    l_diversity: Annotated[
        float | None, typer.Option(help="The least number of different sensitive values in a class.")
    ] = None,
    entropy_l: Annotated[float | None, typer.Option(help="The least entropy l-diversity.")] = None,
    recursive: Annotated[str | None, typer.Option(metavar="C,L", help="Recursive (c, l)-diversity.")] = None,
    t_closeness: Annotated[
        float | None, typer.Option(help="The largest t (ordered distance for numbers, else equal).")
    ] = None,
    alpha: Annotated[float | None, typer.Option(help="The largest share of one sensitive value in a class.")] = None,
    beta: Annotated[float | None, typer.Option(help="The largest basic beta-likeness.")] = None,
    enhanced_beta: Annotated[float | None, typer.Option(help="The largest enhanced beta-likeness.")] = None,
    delta: Annotated[float | None, typer.Option(help="The largest delta-disclosure.")] = None,
    distance: Annotated[str, typer.Option(help="Of t-closeness: auto, ordered or equal.")] = "auto",
    against: Annotated[str | None, typer.Option(metavar="OTHER", help="Another release of the same records.")] = None,
    link: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="Columns that link the two releases.")
    ] = None,
    format: Annotated[str | None, typer.Option(help="The format where the name does not tell.")] = None,  # noqa: A002
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Recount any published table. Exit code 1 if it falls short."""
    asked = cli_check.Asked(
        k=k,
        quasi=tuple(names(quasi)),
        unit=unit,
        sensitive=tuple(names(sensitive)),
        l_diversity=l_diversity,
        entropy_l=entropy_l,
        recursive=recursive,
        t_closeness=t_closeness,
        alpha=alpha,
        beta=beta,
        enhanced_beta=enhanced_beta,
        delta=delta,
        distance=distance,
        link=tuple(names(link)),
    )
    found = cli_check.check(source, asked, against=against, format=format)
    sys.stdout.write(found.to_json() if json else found.to_text())
    if not found.passed:
        raise typer.Exit(1)


@app.command("demo")
def demo_command(
    folder: Annotated[Path, typer.Option(help="Where to write the release.")] = Path("covey-demo"),
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Make a release of the bundled table and show what was lost."""
    demo.run(folder, force=force)


@app.command("methods")
def methods_command() -> None:
    """List the methods of grouping and their options."""
    console = Console(highlight=False)
    table = Table("method", "what it is", "options", box=None, pad_edge=False)
    for name, (text, options) in demo.methods().items():
        table.add_row(name, text, ", ".join(options))
    console.print(table)


@app.command("recipe")
def recipe_command(
    source: Annotated[str, typer.Argument(metavar="TABLE", help="A file, - for standard input, or a database URL.")],
    k: Annotated[int, typer.Option("-k", help="The least number of records in a group.")] = 5,
    quasi: Names = None,
    sensitive: Names = None,
    drop: Names = None,
    random_ids: Names = None,
    unit: Annotated[str | None, typer.Option(metavar="COL")] = None,
    stratum: Names = None,
    weight: Annotated[str | None, typer.Option(metavar="COL")] = None,
    keep: Names = None,
    query: Annotated[str | None, typer.Option(help="A query to read from the database.")] = None,
    format: Annotated[str | None, typer.Option(help="The format where the name does not tell.")] = None,  # noqa: A002
) -> None:
    """Print a recipe to start from: the columns of the table, their types, and the roles that were given."""
    loaded = read(source, query=query, format=format)
    lists = {
        "quasi": quasi,
        "sensitive": sensitive,
        "drop": drop,
        "random_ids": random_ids,
        "strata": stratum,
        "keep": keep,
    }
    given = {role: names(columns) for role, columns in lists.items()} | {"unit": unit, "weight": weight}
    chosen = Recipe.from_dict({"k": k} | given)
    columns = loaded.table.column_names
    for name, roles in chosen.roles.named().items():
        if name not in columns:
            raise unknown_column(name, columns, roles[0])
    lines = [f"# {name}: {loaded.table.schema.field(name).type}" for name in columns]
    rest = [name for name in columns if name not in chosen.roles.named()]
    if rest:
        lines.append(f"# without a role yet: {', '.join(rest)}")
    sys.stdout.write("\n".join([*lines, "", chosen.to_toml()]))


def _version(value: bool) -> None:  # noqa: FBT001
    if value:
        sys.stdout.write(f"covey {version()}\n")
        raise typer.Exit


@app.callback()
def _main(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str], Any]]:
    """What is being done and for how long, on a terminal; nothing in a pipe."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("", total=None)
        yield lambda what: progress.update(task, description=what, refresh=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 for a check that failed, 2 for an error, 130 when interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(given or ["--help"], standalone_mode=False)
    except CoveyError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except MemoryError:
        return _fail("the memory is not enough for this table; nothing was written")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except Exception as error:
        if hasattr(error, "format_message"):  # a mistake in the options
            return _fail(error.format_message())
        if os.environ.get("COVEY_TRACEBACK"):
            raise
        return _fail(f"a bug in covey ({type(error).__name__}); nothing was written; COVEY_TRACEBACK=1 shows where")
    if code == 130:  # which typer also makes of an interrupt
        _fail("interrupted; nothing was written")
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    sys.stderr.write(f"covey: {' '.join(message.split())}\n")
    return 2


def _stop(number: int, _frame: object) -> None:
    raise KeyboardInterrupt(number)


def run() -> None:
    """The program `covey`."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # ended like an interrupt: what was begun is taken back
            signal.signal(getattr(signal, name), _stop)
    sys.exit(main())
