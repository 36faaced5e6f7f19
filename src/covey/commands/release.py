"""`covey release`."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.commands import shared
from covey.commands.shared import names, pairs, plain
from covey.commands.spark import release_on_spark
from covey.errors import OptionError
from covey.files.release import fitting_engine, memory_to_take, release_file
from covey.files.work import FileRelease
from covey.io import read
from covey.io.location import locate
from covey.io.writing import check_not_source, check_outputs
from covey.ledger import ReleasedBeforeWarning
from covey.measures.measures import EXACT, Measuring
from covey.memory import Release, SmallGroupsWarning, release
from covey.recipe.engines import Engine
from covey.recipe.recipe import Recipe, read_recipe
from covey.report.render import to_text

if TYPE_CHECKING:
    from collections.abc import Callable


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
    nominal: shared.Nominal = None,
    number: shared.Number = None,
    missing_code: shared.MissingCode = None,
    date: shared.Date = None,
    ordinal: Annotated[
        list[str] | None, typer.Option(metavar="COL=LOW<...<HIGH", help="Treat as ordered categories.")
    ] = None,
    aggregate: Annotated[
        list[str] | None, typer.Option(metavar="COL=NAME", help="mean, median, midrange, min, max, mode, trimmed-mean.")
    ] = None,
    decimals: Annotated[
        list[str] | None, typer.Option(metavar="COL=NUMBER", help="Release means with so many decimals.")
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
    p_percent: Annotated[
        list[str] | None,
        typer.Option(metavar="P or COL=P", help="No mean tells the largest amount within P % (p % rule)."),
    ] = None,
    dominance: Annotated[
        list[str] | None,
        typer.Option(metavar="N,PERCENT or COL=N,PERCENT", help="The largest N make at most PERCENT % of a mean."),
    ] = None,
    refuse_own_values: Annotated[
        bool, typer.Option("--refuse-own-values", help="Refuse values that are one member's own.")
    ] = False,
    l_diversity: Annotated[
        list[str] | None,
        typer.Option(metavar="L or COL=L", help="Every class has that many values of the sensitive columns."),
    ] = None,
    diversity: Annotated[str | None, typer.Option(help="Of l-diversity: distinct, entropy or recursive.")] = None,
    recursive_c: Annotated[float | None, typer.Option(help="The c of recursive (c, l)-diversity.")] = None,
    t_closeness: Annotated[
        list[str] | None,
        typer.Option(
            metavar="T or COL=T", help="Every class is that close to the whole table in the sensitive columns."
        ),
    ] = None,
    spread: Annotated[
        list[str] | None,
        typer.Option(metavar="COL=NUMBER", help="Sensitive numbers of a class are spread over that much."),
    ] = None,
    reason: Annotated[
        list[str] | None, typer.Option(metavar="COL=TEXT", help="Why a column has its role, for the report.")
    ] = None,
    keep_order: Annotated[bool, typer.Option("--keep-order", help="Do not shuffle the rows.")] = False,
    query: Annotated[str | None, typer.Option(help="A query to read from the database.")] = None,
    format: Annotated[str | None, typer.Option(help="The format of the input where its name does not tell.")] = None,  # noqa: A002
    output_format: Annotated[
        str | None, typer.Option(help="The format of the output where its name does not tell.")
    ] = None,
    decimal: Annotated[str | None, typer.Option(help="The decimal sign of a text file: . or ,")] = None,
    header: shared.Header = None,
    formulas: Annotated[str, typer.Option(help="disarm or keep text that a spreadsheet would run.")] = "disarm",
    report: Annotated[Path | None, typer.Option(help="Write the report: .html, .json or .txt.")] = None,
    internal_report: Annotated[
        Path | None, typer.Option(help="Write the internal report: not to be published, and named so.")
    ] = None,
    exact_measures: Annotated[
        bool, typer.Option("--exact-measures", help="Measure all records, not a sample.")
    ] = False,
    regression: Annotated[
        list[str] | None, typer.Option(metavar="'Y ~ A + B'", help="Compare its coefficients.")
    ] = None,
    record_risk: Annotated[
        Path | None,
        typer.Option(help="Write the risk of each record by input row (CSV): not to be published, and named so."),
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="Write the public certificate (JSON).")] = None,
    internal: Annotated[Path | None, typer.Option(help="Write the internal certificate: not to be published.")] = None,
    no_ledger: Annotated[
        bool, typer.Option("--no-ledger", help="Do not look for earlier releases of the same records.")
    ] = False,
    refuse_overlap: Annotated[
        bool, typer.Option("--refuse-overlap", help="Refuse records that were released before, or some of them.")
    ] = False,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Release a file larger than memory, with at most this much: 2GiB."),
    ] = None,
    spark: Annotated[
        str | None, typer.Option(metavar="MASTER", help="On a Spark cluster, from a folder of files to a folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files and tables that exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No summary.")] = False,
) -> None:
    """Protect a table and publish it: every record becomes one of at least k."""
    given = _given(locals())
    chosen = read_recipe(recipe).as_dict() if recipe is not None else {}
    reports = [path for path in (report, internal_report) if path is not None]
    if not reports and (exact_measures or reason):
        msg = "--exact-measures and --reason have no effect without --report or --internal-report; leave them out"
        raise OptionError(msg)
    if regression and internal_report is None:
        msg = "--regression has no effect without --internal-report, the only one that has it; leave it out"
        raise OptionError(msg)
    measuring = _measuring(reports, record_risk, regression, exact=exact_measures)
    private: list[str | Path | None] = [internal_report, internal, record_risk]
    files: list[str | Path | None] = [report, certificate, *private]
    check_not_source([source, recipe], [output, *files])
    made = Recipe.from_dict(chosen | given)
    writing: dict[str, Any] = {
        "force": force,
        "formulas": formulas,
        "report": report,
        "internal_report": internal_report,
        "certificate": certificate,
        "internal": internal,
        "ledger": not no_ledger,
        "refuse_overlap": refuse_overlap,
    }
    if spark is not None:
        unused = {"query": query, "output-format": output_format, "decimal": decimal, "memory": memory}
        how: dict[str, Any] = {"format": format, "measuring": measuring, "quiet": quiet, "header": header}
        release_on_spark(spark, source, output, made, writing, unused, **how)
        return
    check_outputs(output, files, private, format=output_format, force=force)
    if memory is None and query is None and fitting_engine(source, output, format, output_format) is Engine.FILE:
        memory = memory_to_take()
    with shared.progress() as step, warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallGroupsWarning)  # they are notes of the report
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        if memory is not None:
            filed = release_file(
                source,
                output,
                recipe=made,
                memory=memory,
                progress=step,
                measuring=measuring,
                format=format,
                output_format=output_format,
                decimal=decimal,
                header=header,
                **writing,
            )
            done: Release | FileRelease = filed
            notes = filed.notes
        else:
            step("reading")
            loaded = read(
                source,
                format=format,
                query=query,
                decimal=decimal,
                header=header,
                missing_codes=made.missing_codes,
                dates=made.dates,
            )
            past = {name: writing[name] for name in ("ledger", "refuse_overlap")}
            kept = release(loaded, recipe=made, progress=step, measuring=measuring, **past)
            writing["record_risk"] = record_risk
            done, notes = kept, kept.write(output, format=output_format, progress=step, **writing)
    if not quiet:
        shared.errors.print(to_text(done.report.with_notes(notes), brief=True), end="")
        places = [locate(output, format=output_format).public, *files]
        shared.errors.print(f"written: {', '.join(str(place) for place in places if place is not None)}")
    else:  # what must be said even then
        shared.print_warnings([*done.report.notes, *notes])


def _measuring(
    reports: list[Path], record_risk: Path | None, regressions: list[str] | None, *, exact: bool
) -> Measuring | None:
    """What to measure for the files that were asked for."""
    if not reports and record_risk is None:
        return None
    sample = EXACT if exact else Measuring().sample
    return Measuring(sample, tuple(regressions or ()), records=record_risk is not None)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The choices of a recipe that the options make."""
    lists = ("quasi", "sensitive", "drop", "random_ids", "keep", "accept", "zeros_apart")
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
    single += ["weights", "round_weights", "diversity", "recursive_c"]
    given |= {name: options[name] for name in single if options[name] is not None}
    given |= {name: True for name in ("drop_rest", "allow_blocks", "refuse_own_values") if options[name]}
    if options["stratum"]:
        given["strata"] = names(options["stratum"])
    given |= shared.declared(*(options[name] for name in ("nominal", "number", "missing_code", "date")))
    given |= _mappings(options)
    if options["edit"]:
        given["edits"] = options["edit"]
    if options["block"]:
        given["blocks"] = [names([text]) for text in options["block"]]
    if options["keep_order"]:
        given["shuffle"] = False
    return given


def _mappings(options: dict[str, Any]) -> dict[str, Any]:
    """The choices that are given column by column."""
    given: dict[str, Any] = {}
    for name, key in (
        ("importance", "importance"),
        ("top", "top"),
        ("bottom", "bottom"),
        ("option", "options"),
        ("spread", "spread"),
        ("decimals", "decimals"),
    ):
        if options[name]:
            given[key] = {column: plain(value) for column, value in pairs(options[name], name).items()}
    for name in ("l_diversity", "t_closeness", "p_percent", "dominance"):
        if options[name]:
            read = _numbers if name == "dominance" else plain
            given[name] = _one_or_each(options[name], name.replace("_", "-"), read)
    for name, key in (("aggregate", "aggregates"), ("reason", "reasons")):
        if options[name]:
            given[key] = pairs(options[name], name, text_follows=name == "reason")
    if options["ordinal"]:
        given["ordinal"] = {column: value.split("<") for column, value in pairs(options["ordinal"], "ordinal").items()}
    return given


def _one_or_each(given: list[str], option: str, read: Callable[[str], Any]) -> Any:
    """One value for all columns, or one for each that is named."""
    if len(given) == 1 and "=" not in given[0]:
        return read(given[0])
    return {column: read(value) for column, value in pairs(given, option).items()}


def _numbers(text: str) -> list[Any]:
    return [plain(part) for part in text.split(",")]
