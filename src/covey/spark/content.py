"""Rows by their content: what a task makes of them is the same in whatever order they came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.parts.ties import numbered_apart
from covey.spark.sensitive import quoted
from covey.spark.sql import functions
from covey.utils.arrow import Table, pa
from covey.utils.extras import load
from covey.utils.hashing import numbers_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame

    from covey.parts.pieces import Pieces
    from covey.utils.typing import Numbers

GROUP, FIRST, SECOND = "covey group", "covey first", "covey second"


def with_hashes(df: DataFrame, entropy: str) -> DataFrame:
    """A dataframe with two hashes of every row, keyed by the secret of a recipe."""
    every = [df[quoted(name)] for name in df.columns]
    seeds = [int(entropy[start : start + 15], 16) for start in (0, 15)]
    hashes = [
        functions.xxhash64(functions.lit(seed), *every).alias(n) for seed, n in zip(seeds, (FIRST, SECOND), strict=True)
    ]
    return df.select(*every, *hashes)


def to_deal(hashed: DataFrame, pieces: Pieces) -> DataFrame:
    """Rows as `numbered` takes them: equal ones of a partition one behind the other, where they are dealt out."""
    return hashed.sortWithinPartitions(FIRST, SECOND) if pieces.deal else hashed


def numbered(pieces: Pieces, tables: Iterable[Table]) -> Iterator[tuple[Table, Numbers]]:
    """The tables of a partition, and numbers by which rows are dealt out: different ones for equal rows, the same in every run."""
    last, partition = (0, 0), int(load("pyspark").TaskContext.get().partitionId())
    for table in tables:
        numbers = rows_of(map(numbers_of, table.drop_columns([FIRST, SECOND]).columns)) if pieces.deal else None
        if numbers is None:
            numbers = np.zeros(table.num_rows, dtype=np.uint64)
        else:
            numbers, last = numbered_apart(numbers, last, partition)
        yield table, numbers


def in_order(table: Table) -> Table:
    """The rows of a part by their content, whatever order they came in: equal rows may change places."""
    names = [name for name in (GROUP, SECOND, FIRST) if name in table.column_names]
    return table.take(pa.array(np.lexsort([table.column(name).to_numpy() for name in names])))
