"""How work is dealt out to tasks: as many as the data ask for, whatever number the session is set to, and evenly."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.spark.sql import functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import Column, DataFrame, SparkSession

    from covey.utils.typing import Numbers

ROWS = 2**18
"""Rows of a table that a task counts."""
MOST_APART = 1000
"""Up to so many groups each has a task of its own; of more, eight share one."""
LANE = "covey lane"
_WORD = np.uint64(0xFFFFFFFF)


def tasks_for(groups: int) -> int:
    """How many tasks so many groups get.

    >>> tasks_for(0), tasks_for(7), tasks_for(80_000)
    (1, 7, 10000)
    """
    return max(1, groups if groups <= MOST_APART else max(MOST_APART, -(-groups // 8)))


def dealt(df: DataFrame, key: str, groups: int) -> DataFrame:
    """A dataframe in as many partitions as its groups ask for, with the column `LANE`; `key` numbers the groups from 0.

    Spark deals out by a hash, which sends several groups to one task and none to another. So rows are sent by a number that is chosen for
    its hash. If Spark hashed in another way, tasks would be uneven, and results the same.
    """
    tasks = tasks_for(groups)
    lane: Column = df[key]
    if 1 < tasks <= MOST_APART:
        lanes = ",".join(f"{lane}L" for lane in lanes_of(tasks))
        lane = functions.expr(f"element_at(array({lanes}), cast(pmod({key}, {tasks}) as int) + 1)")
    return df.withColumn(LANE, lane).repartition(tasks, LANE)


def lanes_of(tasks: int) -> list[int]:
    """For every task a number that Spark sends to it: found by trying, about n log n of them.

    >>> lanes_of(3)
    [3, 0, 1]
    """
    lanes = np.full(tasks, -1, dtype=np.int64)
    start, many = 0, 16 * tasks
    while (lanes < 0).any():
        numbers = np.arange(start, start + many, dtype=np.int64)
        task, first = np.unique(_hash(numbers).astype(np.int64) % tasks, return_index=True)
        new = lanes[task] < 0
        lanes[task[new]] = numbers[first[new]]
        start += many
    return lanes.tolist()


def _hash(numbers: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Spark's hash of long integers: MurmurHash3 of 32 bits (Appleby, in the public domain), seed 42."""
    state: Numbers = np.full(len(numbers), 42, dtype=np.uint64)
    wide = numbers.astype(np.uint64)
    for word in (wide & _WORD, wide >> np.uint64(32)):
        mixed = _rotated(_times(word, 0xCC9E2D51), 15)
        state = _rotated(state ^ _times(mixed, 0x1B873593), 13)
        state = (_times(state, 5) + np.uint64(0xE6546B64)) & _WORD
    state ^= np.uint64(8)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        state = _times(state ^ (state >> np.uint64(shift)), factor)
    return (state ^ (state >> np.uint64(16))).astype(np.uint32).view(np.int32)


def _times(words: Numbers, factor: int) -> Numbers:
    return (words * np.uint64(factor)) & _WORD


def _rotated(words: Numbers, bits: int) -> Numbers:
    return ((words << np.uint64(bits)) | (words >> np.uint64(32 - bits))) & _WORD


@contextlib.contextmanager
def planned(session: SparkSession, tasks: int) -> Iterator[None]:
    """Within the block queries have so many tasks after a shuffle, and are one job each: for tables of ours, whose sizes are known.

    Nothing is left for Spark to adapt. What others read from the session meanwhile is planned in the same way, and is as right.
    """
    ours = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": str(tasks)}
    before = {name: session.conf.get(name) for name in ours}
    try:
        for name, value in ours.items():
            session.conf.set(name, value)
        yield
    finally:
        for name, old in before.items():
            session.conf.set(name, str(old))
