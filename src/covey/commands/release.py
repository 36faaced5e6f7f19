"""`covey release`."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from covey.commands import shared
from covey.commands.options import RecipeOptions, grouped
from covey.commands.shared import Publishing, Reading, option
from covey.commands.spark import release_on_spark
from covey.errors import OptionError
from covey.files.release import fitting_engine, memory_to_take, release_file
from covey.io.apart import check_not_source
from covey.io.location import locate_output
from covey.io.writing import Companions, check_outputs
from covey.ledger import ReleasedBeforeWarning
from covey.measures.measures import EXACT, Measuring
from covey.memory import Release, SmallGroupsWarning, release
from covey.recipe.choice import Panel
from covey.recipe.engines import Engine, Wish, check_engine
from covey.recipe.recipe import Recipe, read_recipe
from covey.recipe.texts import names
from covey.tables.release import release_tables
from covey.tables.writing import check_targets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from covey.files.work import FileRelease
    from covey.utils.notes import Note


@dataclass(frozen=True)
class Measures:
    """What is measured for the files that are asked for."""

    exact_measures: Annotated[bool, option("Measure all records, not a sample.", Panel.OUTPUT, "--exact-measures")] = (
        False
    )
    regression: Annotated[
        list[str] | None, option("Compare the coefficients of this regression.", Panel.OUTPUT, metavar="'Y ~ A + B'")
    ] = None
    domains: Annotated[
        list[str] | None,
        option("Compare means, totals and shares by the values of these columns.", Panel.OUTPUT, metavar="COL,..."),
    ] = None
    record_risk: Annotated[
        Path | None,
        option(
            "Write the risk of each record by input row (CSV): not to be published; its name must contain internal.",
            Panel.OUTPUT,
        ),
    ] = None

    bound_seconds: Annotated[
        float | None,
        option("Seconds to prove more closely how far the loss is from the best possible.", Panel.OUTPUT, metavar="S"),
    ] = None

    def measuring(self, publishing: Publishing) -> Measuring | None:
        """What to measure, if anything."""
        for option_, given in (("--regression", self.regression), ("--domains", self.domains)):
            if given and publishing.internal_report is None:
                msg = f"{option_} has no effect without --internal-report, the only one that has it; leave it out"
                raise OptionError(msg)
        if not publishing.reports and self.record_risk is None:
            return None
        sample = EXACT if self.exact_measures else Measuring().sample
        return Measuring(
            sample,
            tuple(self.regression or ()),
            records=self.record_risk is not None,
            domains=tuple(names(self.domains)),
            originals=publishing.internal_report is not None,
            bound_seconds=self.bound_seconds,
        )


@dataclass(frozen=True)
class Where:
    """Where the release is made."""

    memory: Annotated[
        str | None,
        option("Release a file larger than memory, with at most this much: 2GiB.", Panel.ENGINE, metavar="SIZE"),
    ] = None
    spark: Annotated[
        str | None, option("On a Spark cluster, from a folder of files to a folder.", Panel.ENGINE, metavar="MASTER")
    ] = None
    readable_scratch: Annotated[
        bool,
        option("With --spark: accept scratch files and logs that others may read.", Panel.ENGINE, "--readable-scratch"),
    ] = False


@dataclass(frozen=True)
class Beside:
    """A second table, which a key links to the first."""

    second: Annotated[
        str | None,
        option("A second table, with any number of rows for each key.", Panel.INPUT, "--with", metavar="TABLE"),
    ] = None
    key: Annotated[str | None, option("The column of both tables that links them.", Panel.INPUT, metavar="COL")] = None
    second_output: Annotated[
        str | None, option("The file for the second table.", Panel.OUTPUT, "--with-output", metavar="FILE")
    ] = None

    def said_with(self, recipe: Recipe) -> Beside | None:
        """All that is said of one, the key by the recipe of linked tables, too, whose unit it is; an error where not all is said."""
        said = replace(self, key=recipe.roles.unit) if self.key is None and self.second is not None else self
        given = [value is not None for value in (said.second, said.key, said.second_output)]
        if any(given) and not all(given):
            raise OptionError(
                "linked tables need --with, --key and --with-output; needed: all of them: the second table, the column of both (where the recipe "
                "has no unit), and a file for what is released of the second"
            )
        return said if all(given) else None


@dataclass(frozen=True)
class Order:
    """A release that was ordered: from where, to where, by which recipe and with what beside it."""

    source: str
    output: str
    recipe: Recipe
    reading: Reading
    publishing: Publishing
    formulas: str = "disarm"
    partition_by: Sequence[str] = ()
    measuring: Measuring | None = None
    record_risk: Path | None = None

    @property
    def files(self) -> Companions:
        """The files beside the release."""
        return Companions(**self.publishing.companions, record_risk=self.record_risk)

    def in_parts(self) -> Order:
        """The same for engines that keep no values of the original: the internal report says that it lacks them."""
        measuring = None if self.measuring is None else replace(self.measuring, originals=False)
        return replace(self, measuring=measuring)

    @property
    def writing(self) -> dict[str, Any]:
        """How the release is written, by every engine."""
        companions, past = self.publishing.companions, self.publishing.past
        how = {"force": self.publishing.force, "formulas": self.formulas, "partition_by": self.partition_by}
        return {**how, **companions, **past}


@grouped
def release_command(
    source: shared.Source,
    choices: Annotated[dict[str, Any], RecipeOptions()],
    output: Annotated[
        str, option("A file, a folder/ of Parquet, - or a database URL#table.", Panel.NEEDED, "-o", "--output")
    ],
    recipe: Annotated[Path | None, option("A recipe file; options beside it change it.", Panel.INPUT)] = None,
    *,
    reading: Reading,
    beside: Beside,
    publishing: Publishing,
    formulas: Annotated[str, option("disarm or keep text that a spreadsheet would run.", Panel.OUTPUT)] = "disarm",
    partition_by: Annotated[
        list[str] | None,
        option("Write a folder of Parquet files, parted by these columns.", Panel.OUTPUT, metavar="COL,..."),
    ] = None,
    measures: Measures,
    engine: Where,
) -> None:
    """Protect a table and publish it: every record becomes one of at least k."""
    words = {"reasons", "title", "publisher"} & choices.keys()
    if not publishing.reports and (measures.exact_measures or measures.bound_seconds is not None or words):
        msg = (
            "--exact-measures, --bound-seconds, --reasons, --title and --publisher have no effect without --report or --internal-report; "
            "leave them out"
        )
        raise OptionError(msg)
    if engine.readable_scratch and engine.spark is None:
        raise OptionError("--readable-scratch has no effect without --spark; leave it out")
    chosen = (read_recipe(recipe).as_dict() if recipe is not None else {}) | choices
    measuring = measures.measuring(publishing)
    check_not_source([source, recipe], [output, *publishing.companions.values(), measures.record_risk])
    parted = tuple(names(partition_by))
    order = Order(
        source, output, Recipe.from_dict(chosen), reading, publishing, formulas, parted, measuring, measures.record_risk
    )
    linked = beside.said_with(order.recipe)
    if linked is not None:
        _release_tables(order, linked, engine)
        return
    if engine.spark is not None:
        release_on_spark(engine, order.in_parts())
        return
    place = locate_output(output, format=publishing.output_format, partition_by=parted)
    check_outputs(output, order.files, format=publishing.output_format, force=publishing.force, partition_by=parted)
    memory = engine.memory or _memory_for(order)
    with shared.progress() as step, warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallGroupsWarning)  # they are notes of the report
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        done, notes = _in_memory(order, step) if memory is None else _out_of_memory(order.in_parts(), memory, step)
    shared.say_done(done, notes, [place.public, *order.files.files], quiet=publishing.quiet)


def _release_tables(order: Order, beside: Beside, engine: Where) -> None:
    """Two tables that a key links, in memory."""
    second, key, target = str(beside.second), str(beside.key), str(beside.second_output)
    for chosen, given in ((Engine.SPARK, engine.spark), (Engine.FILE, engine.memory), (Engine.MEMORY, True)):
        if given is not None:
            check_engine(chosen, Wish(order.recipe, record_risk=order.record_risk is not None, tables=True))
    publishing, reading = order.publishing, order.reading
    idle = {
        "--partition-by": order.partition_by,
        "--output-format": publishing.output_format,
        "--query": reading.query,
    }
    for name, value in idle.items():
        if value:
            raise OptionError(
                f"{name} is given, and has no effect on linked tables, which are read from files and written to files; leave it out"
            )
    check_not_source([order.source, second], [order.output, target, *order.files.files])
    check_targets([order.output, target], order.files, order.formulas, force=publishing.force)
    with shared.progress() as step, warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallGroupsWarning)
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        step("reading")
        tables = reading.read(order.source, {}), reading.read(second, {})
        done = release_tables(
            *tables, key=key, recipe=order.recipe, progress=step, measuring=order.measuring, **publishing.past
        )
        how = {**publishing.companions, **publishing.past, "formulas": order.formulas, "force": publishing.force}
        notes = done.write(order.output, target, progress=step, **how)
    shared.say_done(done, notes, [order.output, target, *order.files.files], quiet=publishing.quiet)


def _memory_for(order: Order) -> str | None:
    """How much memory to take for a file that does not fit into it; None for one that does."""
    if order.reading.query is not None:
        return None
    formats = order.reading.format, order.publishing.output_format
    engine = fitting_engine(order.source, order.output, *formats, order.partition_by)
    return memory_to_take() if engine is Engine.FILE else None


def _in_memory(order: Order, step: Callable[[str], Any]) -> tuple[Release, Sequence[Note]]:
    step("reading")
    loaded = order.reading.read(order.source, order.recipe.as_dict())
    measuring = order.measuring or False
    done = release(loaded, recipe=order.recipe, progress=step, measuring=measuring, **order.publishing.past)
    writing = order.writing | {"format": order.publishing.output_format, "record_risk": order.record_risk}
    return done, done.write(order.output, progress=step, **writing)


def _out_of_memory(order: Order, memory: str, step: Callable[[str], Any]) -> tuple[FileRelease, Sequence[Note]]:
    reading = order.reading
    done = release_file(
        order.source,
        order.output,
        recipe=order.recipe,
        memory=memory,
        progress=step,
        measuring=order.measuring,
        format=reading.format,
        output_format=order.publishing.output_format,
        decimal=reading.decimal,
        header=reading.header,
        **order.writing,
    )
    return done, done.notes
