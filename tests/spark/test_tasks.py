"""The number of tasks follows the data, and each has as much to do as any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from covey.spark import release
from covey.spark.tasks import MOST_APART, _hash, dealt, lanes_of, planned, tasks_for
from covey.utils.extras import load

if TYPE_CHECKING:
    from pathlib import Path


def work_of(spark: Any, first: int) -> dict[str, int]:
    """Jobs from a number on, and the stages and tasks that ran in them."""
    jobs = spark.sparkContext._jsc.sc().statusStore().jobsList(None)
    ran = [job for job in (jobs.apply(at) for at in range(jobs.size())) if job.jobId() >= first]
    stages = [stage for job in ran for stage in _stages(job)]
    known = spark.sparkContext.statusTracker()
    most = max(known.getStageInfo(stage).numTasks for stage in stages if known.getStageInfo(stage) is not None)
    done = sum(job.numCompletedStages() for job in ran), sum(job.numCompletedTasks() for job in ran)
    return {"jobs": len(ran), "stages": done[0], "tasks": done[1], "most": most}


def _stages(job: Any) -> list[int]:
    return [int(job.stageIds().apply(at)) for at in range(job.stageIds().size())]


def next_job(spark: Any) -> int:
    jobs = spark.sparkContext._jsc.sc().statusStore().jobsList(None)
    return 1 + max((jobs.apply(at).jobId() for at in range(jobs.size())), default=-1)


def test_numbers_are_hashed_as_spark_does(spark: Any) -> None:
    functions = load("pyspark.sql.functions")
    numbers = np.array([0, 1, -1, 2**31, -(2**40), 2**62, 123_456_789_012], dtype=np.int64)
    df = spark.createDataFrame(pa.table({"x": numbers}))
    assert [row[0] for row in df.select(functions.hash("x")).collect()] == _hash(numbers).tolist()


def test_every_task_has_a_lane() -> None:
    for tasks in (1, 2, 3, 7, 50, MOST_APART):
        lanes = np.array(lanes_of(tasks))
        assert (_hash(lanes).astype(np.int64) % tasks).tolist() == list(range(tasks))


def test_as_many_groups_for_each_task(spark: Any) -> None:
    functions = load("pyspark.sql.functions")
    df = spark.range(14_000).select((functions.col("id") % 14).alias("c0"))
    for tasks, each in ((14, 1), (7, 2)):
        apart = dealt(df, "c0", tasks).withColumn("task", functions.spark_partition_id())
        rows = apart.groupBy("task").agg(functions.count_distinct("c0").alias("groups")).collect()
        assert [row["groups"] for row in rows] == [each] * tasks
    assert tasks_for(100 * MOST_APART) < 100 * MOST_APART


def test_the_session_is_as_it_was_after_a_query(spark: Any) -> None:
    names = ("spark.sql.adaptive.enabled", "spark.sql.shuffle.partitions")
    before = [spark.conf.get(name) for name in names]
    with planned(spark, 3):
        assert [spark.conf.get(name) for name in names] == ["false", "3"]
    assert [spark.conf.get(name) for name in names] == before


def test_a_release_takes_few_jobs_and_as_many_tasks_as_it_has_parts(spark: Any, tmp_path: Path) -> None:
    """Of the 24 jobs, 23 stages and 1026 tasks that it took, with 200 tasks in a stage: whatever the session is set to."""
    rng = np.random.default_rng(1)
    table = pa.table({name: rng.standard_normal(4000) for name in ("a", "b", "c")})
    for part in range(2):
        pq.write_table(table.slice(2000 * part, 2000), tmp_path / f"{part}.parquet")
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "200")
    try:
        df = spark.read.parquet(str(tmp_path))
        first = next_job(spark)
        done = release(df, 5, quasi=["a", "b", "c"], piece_rows=1000, ledger=False)
        done.write(str(tmp_path / "out"), ledger=False)
        seen = work_of(spark, first)
        with planned(spark, 1):  # else Spark reads several parts in one task
            parts = done.table.rdd.getNumPartitions()
        done.close()
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", before)
    assert parts == 4
    assert seen["jobs"] <= 11
    assert seen["stages"] <= 14
    assert seen["most"] <= parts
    assert seen["tasks"] <= 40
