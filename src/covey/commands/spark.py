"""`covey release --spark`: the same command on a cluster."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from covey.commands import shared
from covey.errors import OptionError
from covey.io.inference import Declared
from covey.ledger import ReleasedBeforeWarning
from covey.memory import SmallGroupsWarning
from covey.utils.extras import load

if TYPE_CHECKING:
    from covey.commands.release import Order, Where


def release_on_spark(engine: Where, order: Order) -> None:
    """Read a folder with Spark, release it there and write a folder."""
    _check_effects(order, engine.memory)
    for package in ("pyspark", "pandas"):  # what is missing is said before the work
        load(package)
    from covey.spark.release import release
    from covey.spark.session import running

    reading, publishing = order.reading, order.publishing
    scratch = {"readable_scratch": engine.readable_scratch}
    with shared.progress() as step, running(str(engine.spark), **scratch) as session:
        load("covey.spark.folder").StagedFolder(session, order.output, force=publishing.force).close()
        step("reading")
        declared = Declared(order.recipe.missing_codes, order.recipe.dates)
        folder = load("covey.spark.reading").read_folder(
            session, order.source, format=reading.format, header=reading.header, declared=declared
        )
        recipe, notes = folder.settled(order.recipe)
        with warnings.catch_warnings():
            for kind in (SmallGroupsWarning, ReleasedBeforeWarning, FutureWarning):
                warnings.simplefilter("ignore", kind)
            how = {"progress": step, "measuring": order.measuring, "origin": folder.origin}
            how |= publishing.past | scratch
            done = release(folder.df, recipe=recipe, **how)
            try:
                writing = {name: value for name, value in order.writing.items() if name != "formulas"}
                writing["format"] = publishing.output_format or "parquet"
                notes += done.write(order.output, progress=step, **writing)
            finally:
                done.close()
    shared.say_done(done, notes, [order.output, *publishing.companions.values()], quiet=publishing.quiet)


def _check_effects(order: Order, memory: str | None) -> None:
    """An error for options that Spark has no use for."""
    unused = {
        "query": order.reading.query,
        "decimal": order.reading.decimal,
        "memory": memory,
        "formulas": None if order.formulas == "disarm" else order.formulas,
    }
    for name, value in unused.items():
        if value is not None:
            msg = f"--{name} has no effect with --spark, which reads Parquet, CSV or Delta and writes Parquet or Delta; leave it out"
            raise OptionError(msg)
