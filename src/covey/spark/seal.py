"""The seal of a folder of Parquet files: found by the executors, as `covey.utils.seal` finds that of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.spark.shipping import collect, map_batches, one_row, packed, unpacked
from covey.spark.sql import functions
from covey.utils.seal import RowSums, Seal, folder_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame

MOST = 2**31 - 1
"""Bytes of a file that Spark can look at; a folder with a larger one is known by its rows alone."""


def seal_of(written: DataFrame, folder: str) -> Seal:
    """The seal of all rows of a folder, as they were read from there, and of the bytes of its files."""
    sums = RowSums()
    for row in collect(map_batches(written, _summed, "sums binary")):
        sums.merge(unpacked(row["sums"]))
    reader = written.sparkSession.read.format("binaryFile").option("recursiveFileLookup", "true")
    files = reader.option("pathGlobFilter", "*.parquet").load(folder)
    if collect(files.agg(functions.max("length").alias("longest")), 1)[0]["longest"] > MOST:
        return Seal(sums.hash())
    rows = collect(files.select("path", functions.sha2("content", 256).alias("hash")))
    place = "/".join(folder.rstrip("/").rsplit("/", 2)[-2:])
    return Seal(sums.hash(), folder_hash((row["path"].rpartition(f"{place}/")[2], row["hash"]) for row in rows))


def _summed(batches: Iterable[Any]) -> Iterator[Any]:
    sums = RowSums()
    for table in batches:
        sums.add(table)
    yield one_row(sums=packed(sums))
