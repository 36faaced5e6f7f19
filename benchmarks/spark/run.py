"""A release on a Spark cluster beside one in memory: the loss of several columns, and of one, exactly.

usage: python -m benchmarks.spark.run [--rows N]
       python -m benchmarks.spark.run --work [--rows N]: jobs, tasks and CPU instead

Starts a cluster of its own (local-cluster: two executor processes of one core).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import covey
from benchmarks.harness.measure import write
from benchmarks.spark.work import measure_work
from covey.spark import release
from tests.space.tables import load_table
from tests.spark.cluster import cluster

K = 5
PARTITIONS = (1, 2, 7)


def stretched(n: int) -> pa.Table:
    """Records of Census drawn with replacement, moved by a tenth of a standard deviation in every column."""
    census = load_table("census")
    if census is None:
        sys.exit("census.csv is not in ../shared/data")
    rng = np.random.default_rng(1)
    moved = census[rng.integers(0, len(census), n)] + rng.normal(0, 0.1, (n, census.shape[1])) * census.std(axis=0)
    return pa.table({f"x{place}": moved[:, place] for place in range(census.shape[1])})


def measured(spark: Any, path: Path, names: list[str], **more: Any) -> dict[str, float]:
    start = time.perf_counter()
    done = release(spark.read.parquet(str(path)), k=K, quasi=names, drop_rest=True, **more)
    group = done.report.groups[0]
    done.close()
    return {"seconds": time.perf_counter() - start, "loss": group.loss_percent, "k": done.certificate.k}


def in_memory(table: pa.Table, names: list[str]) -> dict[str, float]:
    start = time.perf_counter()
    done = covey.release(table.select(names), k=K, quasi=names)
    return {"seconds": time.perf_counter() - start, "loss": done.report.groups[0].loss_percent}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--work", action="store_true")
    given = parser.parse_args()
    os.environ["COVEY_LEDGER"] = "off"
    if given.work:
        measure_work(given.rows or 500_000)
        return
    rows = given.rows or 10**6
    table = stretched(rows)
    several: list[dict[str, Any]] = []
    one: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder, cluster(**{"spark.driver.maxResultSize": "1g"}) as spark:
        for parts in PARTITIONS:
            (path := Path(folder) / str(parts)).mkdir()
            size = -(-rows // parts)
            for part in range(parts):
                pq.write_table(table.slice(part * size, size), path / f"{part}.parquet")
        exact = in_memory(table, ["x0"])
        for parts in PARTITIONS:
            found = measured(spark, Path(folder) / str(parts), ["x0"], piece_rows=100_000)
            one.append({"files": parts, **found, "excess": found["loss"] / exact["loss"] - 1})
            print(one[-1], flush=True)
        found = measured(spark, Path(folder) / str(PARTITIONS[-1]), table.column_names)
        print(found, flush=True)
    alone = in_memory(table, table.column_names)
    several.append({**found, "memory_loss": alone["loss"], "memory_seconds": alone["seconds"], "most": 0.05})
    print(several, flush=True)
    write("spark-census", "spark", {"rows": several, "one": one, "n": rows, "k_asked": K})


if __name__ == "__main__":
    main()
