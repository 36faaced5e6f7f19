"""What a release on Spark costs beside one from file to file: jobs, stages, tasks, and the CPU of all processes.

A session of two threads on this machine, as `covey release --spark 'local[2]'` starts it; the first release in it, which compiles, and
the second.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import covey
from benchmarks.harness.measure import write
from covey.spark import release
from covey.spark.session import running

K, COLUMNS, FILES = 5, 4, 4
SECRET = "5e" * 32


def cpu_of_tree() -> float:
    """Seconds of CPU of this process, of what it started, and of what has ended there."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.name))
        ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    total, waiting = 0, [os.getpid()]
    while waiting:
        process = waiting.pop()
        total += ticks.get(process, 0)
        waiting += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def jobs_of(session: Any) -> list[Any]:
    """All jobs that the session remembers."""
    jobs = session.sparkContext._jsc.sc().statusStore().jobsList(None)
    return sorted((jobs.apply(at) for at in range(jobs.size())), key=lambda job: int(job.jobId()))


def on_spark(session: Any, folder: Path, target: Path, choices: dict[str, Any]) -> dict[str, float]:
    """A release from a folder to a folder."""
    known, start = len(jobs_of(session)), cpu_of_tree()
    done = release(session.read.parquet(str(folder)), **choices)
    done.write(str(target), ledger=False)
    done.close()
    ran = jobs_of(session)[known:]
    return {
        "cpu": cpu_of_tree() - start,
        "jobs": len(ran),
        "stages": sum(int(job.numCompletedStages()) for job in ran),
        "tasks": sum(int(job.numCompletedTasks()) for job in ran),
        "loss": done.report.groups[0].loss_percent,
    }


def from_file(folder: Path, choices: dict[str, Any]) -> dict[str, float]:
    """A release from file to file."""
    start = cpu_of_tree()
    target = folder / "out.parquet"
    filed = covey.release_file(folder / "all.parquet", target, memory="2GiB", ledger=False, force=True, **choices)
    print({"cpu": (cpu := cpu_of_tree() - start)}, flush=True)
    return {"cpu": cpu, "loss": filed.report.groups[0].loss_percent}


def measure_work(rows: int) -> None:
    """Measure, and write what was measured."""
    rng = np.random.default_rng(7)
    table = pa.table({f"x{place}": rng.standard_normal(rows) for place in range(COLUMNS)})
    choices: dict[str, Any] = {"k": K, "quasi": table.column_names, "entropy": SECRET}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        size = -(-rows // FILES)
        for part in range(FILES):
            pq.write_table(table.slice(part * size, size), folder / "in" / f"{part}.parquet")
        pq.write_table(table, folder / "all.parquet")
        alone = [from_file(folder, choices)]
        start = cpu_of_tree()
        found: list[dict[str, float]] = []
        with running("local[2]") as session:
            session_cpu = cpu_of_tree() - start
            for run in range(2):
                found.append({"run": run + 1, **on_spark(session, folder / "in", folder / f"{run}", choices)})
                print(found[-1], flush=True)
        alone.append(from_file(folder, choices))
    filed = min(alone, key=lambda one: one["cpu"])
    data = {"rows": found, "n": rows, "columns": COLUMNS, "k_asked": K, "file": filed, "session_cpu": session_cpu}
    write("spark-work", "spark", data, "--work")
