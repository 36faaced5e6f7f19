"""`covey release --spark`: the same command on a cluster."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from covey.commands import shared
from covey.errors import OptionError
from covey.io.inference import Declared
from covey.ledger import ReleasedBeforeWarning
from covey.memory import SmallGroupsWarning
from covey.report.render import to_text
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.measures.measures import Measuring
    from covey.recipe.recipe import Recipe


def release_on_spark(
    master: str,
    source: str,
    output: str,
    recipe: Recipe,
    options: dict[str, Any],
    unused: Mapping[str, str | None],
    *,
    format: str | None,  # noqa: A002
    measuring: Measuring | None,
    quiet: bool,
    header: bool | None,
) -> None:
    """Read a folder with Spark, release it there and write a folder of Parquet files."""
    unused = dict(unused) | {"formulas": None if options["formulas"] == "disarm" else options["formulas"]}
    options = {name: given for name, given in options.items() if name != "formulas"}
    for name, given in unused.items():
        if given is not None:
            msg = f"--{name} has no effect with --spark, which reads Parquet or CSV and writes Parquet; leave it out"
            raise OptionError(msg)
    for package in ("pyspark", "pandas"):  # what is missing is said before the work
        load(package)
    from covey.spark.release import release
    from covey.spark.session import running

    with shared.progress() as step, running(master) as session:
        step("reading")
        declared = Declared(recipe.missing_codes, recipe.dates)
        reading = load("covey.spark.reading")
        found = reading.read_folder(session, source, format=format, header=header, declared=declared)
        recipe, notes = found.settled(recipe)
        with warnings.catch_warnings():
            for kind in (SmallGroupsWarning, ReleasedBeforeWarning, FutureWarning):
                warnings.simplefilter("ignore", kind)
            past = {name: options[name] for name in ("ledger", "refuse_overlap")}
            done = release(found.df, recipe=recipe, progress=step, measuring=measuring, origin=found.origin, **past)
            try:
                notes += done.write(output, progress=step, **options)
            finally:
                done.close()
    if not quiet:
        shared.errors.print(to_text(done.report.with_notes(notes), brief=True), end="")
        files = [options[name] for name in ("report", "internal_report", "certificate", "internal")]
        shared.errors.print(f"written: {', '.join(str(path) for path in (output, *files) if path is not None)}")
        return
    shared.print_warnings([*done.report.notes, *notes])
