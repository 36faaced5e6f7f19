"""Formats of folders: Spark's own readers and writers, and that of Delta where its jar is; folders by the values of columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from covey.errors import CoveyError, OptionError
from covey.io.folder import check_parting, check_told
from covey.spark.sensitive import quoted
from covey.spark.shipping import collect
from covey.utils.arrow import pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

READ = ("parquet", "csv", "delta")
WRITTEN = ("parquet", "delta")
MOST_FOLDERS = 10_000
NAMES_OF_TYPES = ("string", "tinyint", "smallint", "int", "bigint")


def read_as(session: SparkSession, format: str, path: str) -> DataFrame:  # noqa: A002
    """A folder as a reader of its format finds it."""
    return session.read.format(format).load(path)


def without_reader(format: str, error: Exception) -> CoveyError | None:  # noqa: A002
    """The error for a session that does not know a format; None for any other reason."""
    if not re.search(r"DATA_SOURCE_NOT_FOUND|ClassNotFoundException", str(error)):
        return None
    return OptionError(
        f"the Spark session has no reader or writer of {format}; needed: one with its jar (spark.jars.packages, for Delta "
        "io.delta:delta-spark_2.13 of a version for this Spark, and the two settings that Delta asks for); add it to the settings of Spark"
    )


def check_folders(table: DataFrame, names: Sequence[str]) -> None:
    """An error for columns whose values cannot be folders that every reader understands in the same way."""
    check_parting(names, table.columns)
    for name in names:
        if table.schema[name].dataType.simpleString() not in NAMES_OF_TYPES:
            msg = f"partition_by names {name!r}, which is neither text nor whole numbers; needed: columns of text or whole numbers, which names of folders can hold"
            raise OptionError(msg)
    if names:
        rows = collect(table.select(*[table[quoted(name)] for name in names]).distinct().limit(MOST_FOLDERS + 1), 1)
        if len(rows) > MOST_FOLDERS:
            raise OptionError(f"partition_by asks for more than {MOST_FOLDERS} folders; needed: columns of few values")
        for place, name in enumerate(names):
            kind = pa.string() if table.schema[name].dataType.simpleString() == "string" else pa.int64()
            check_told(name, pa.chunked_array([[row[place] for row in rows]], kind))
