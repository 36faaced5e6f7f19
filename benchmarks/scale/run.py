"""Releases beyond memory: time beside DuckDB sorting the same file in the same run, peak memory, loss, and how they grow.

usage: python -m benchmarks.scale.run [--only SECTION ...] [--folder FOLDER]
Writes benchmarks/results/scale-SECTION.json; `make bench` runs all of it. Needs about 15 GB of disk in the folder.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import covey
from benchmarks.harness.sections import section_parser, write_sections

MEMORY = "2GiB"
MOST_MB = 2048
TARGETS = {1: 3.0, 4: 15.0}
LOSSES = (
    (10**6, 1, "auto", 0.0),
    (10**6, 4, "split", None),
    (3 * 10**5, 4, "auto", None),
    (10**6, 4, "auto", 0.7),
    (5 * 10**5, 10, "auto", 0.7),
    (10**5, 13, "auto", None),
)
"""Rows, columns, method, and how many % more may be lost than in memory, where that is set."""
K = 5

SORT = """
import duckdb, sys
con = duckdb.connect(config={"memory_limit": "2GiB", "temp_directory": sys.argv[3]})
con.execute("SET enable_progress_bar = false")
con.execute(f"COPY (SELECT * FROM read_parquet('{sys.argv[1]}') ORDER BY ALL) TO '{sys.argv[2]}' (FORMAT parquet, COMPRESSION zstd)")
"""


def make_table(path: Path, n: int, columns: int) -> list[str]:
    """A file of random numbers: one lognormal column, or several that are correlated."""
    names = [f"q{number}" for number in range(columns)]
    if path.exists():
        return names
    random = np.random.default_rng(1)
    mix = np.eye(columns) + 0.3
    with pq.ParquetWriter(str(path), pa.schema([(name, pa.float64()) for name in names]), compression="zstd") as writer:
        for start in range(0, n, 10**6):
            points = random.standard_normal((min(10**6, n - start), columns)) @ mix
            values = np.exp(points) if columns == 1 else points
            writer.write_table(pa.table({name: values[:, place] for place, name in enumerate(names)}))
    return names


class Used(NamedTuple):
    """What a process took: seconds by the clock, megabytes at its peak, seconds of all cores together."""

    seconds: float
    mb: float
    cpu: float


def run(command: list[str]) -> Used:
    """Run a process to its end."""
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ | {"COVEY_LEDGER": "off"})
    _, status, used = os.wait4(process, 0)
    if status:
        message = f"{command} ended with {status}"
        raise RuntimeError(message)
    return Used(time.perf_counter() - start, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)


def released(source: Path, target: Path, names: list[str], method: str, memory: str | None = MEMORY) -> Used:
    """A release by the command line, with so much memory; None: from memory."""
    program = [sys.executable, "-m", "covey", "release", str(source), "-o", str(target), "--quiet", "--force"]
    options = ["-k", str(K), "--quasi", ",".join(names), "--method", method]
    return run([*program, *options, *([] if memory is None else ["--memory", memory])])


def case(folder: Path, n: int, columns: int, *, sort: bool) -> dict[str, Any]:
    source, target = folder / f"{n}x{columns}.parquet", folder / "out.parquet"
    names = make_table(source, n, columns)
    row: dict[str, Any] = {"n": n, "columns": columns, "method": "auto" if columns == 1 else "split"}
    if sort:
        spill = folder / "spill"
        row["sort_seconds"], row["sort_mb"], _ = run([sys.executable, "-c", SORT, str(source), str(target), str(spill)])
        shutil.rmtree(spill, ignore_errors=True)
        target.unlink()
    row["seconds"], row["mb"], _ = released(source, target, names, row["method"])
    if sort:
        row |= {"ratio": row["seconds"] / row["sort_seconds"], "target": TARGETS[columns]}
    found = pq.ParquetFile(target).metadata.num_rows
    assert found == n
    target.unlink()
    source.unlink()
    print(row, flush=True)
    return row


def run_large(folder: Path) -> dict[str, Any]:
    rows = [case(folder, 200_000_000, 1, sort=True), case(folder, 50_000_000, 4, sort=True)]
    return {"rows": rows, "k": K, "memory": MEMORY, "most_mb": MOST_MB}


def run_growth(folder: Path) -> dict[str, Any]:
    sizes = {1: (10**5, 10**6, 10**7, 5 * 10**7), 4: (10**5, 10**6, 10**7)}
    return {"rows": [case(folder, n, columns, sort=True) for columns, some in sizes.items() for n in some], "k": K}


def run_loss(folder: Path) -> dict[str, Any]:
    """What the borders of pieces cost: beside the same method in memory."""
    rows = []
    for n, columns, method, most in LOSSES:
        source, target = folder / "loss.parquet", folder / "out.parquet"
        source.unlink(missing_ok=True)
        names = make_table(source, n, columns)
        chosen: dict[str, Any] = {"quasi": names, "method": method}
        apart = covey.release_file(source, target, K, memory=MEMORY, force=True, ledger=False, **chosen)
        whole = covey.release(source, K, **chosen)
        losses = [float(one.report.groups[0].loss_percent) for one in (apart, whole)]
        row = {"n": n, "columns": columns, "method": method, "parts": losses[0], "memory": losses[1]}
        rows.append(row | {"excess_percent": 100 * (losses[0] / losses[1] - 1), "most_percent": most})
        print(rows[-1], flush=True)
        source.unlink()
    return {"rows": rows, "k": K}


def run_memory(folder: Path) -> dict[str, Any]:
    """The same release from memory and from file to file: the time of all cores together, one after the other, three times."""
    rows = []
    for n, columns, method in ((2 * 10**6, 4, "split"), (2 * 10**7, 1, "auto")):
        source, target = folder / "both.parquet", folder / "out.parquet"
        names = make_table(source, n, columns)
        tried = [[released(source, target, names, method, memory) for memory in (None, MEMORY)] for _ in range(3)]
        source.unlink()
        memory, parts = (min(pair[place].cpu for pair in tried) for place in (0, 1))
        row = {"n": n, "columns": columns, "method": method, "memory_cpu": memory, "parts_cpu": parts}
        row |= {"memory_mb": max(pair[0].mb for pair in tried), "ratio": memory / parts, "target": 1.0}
        rows.append(row)
        print(row, flush=True)
    return {"rows": rows, "k": K, "memory": MEMORY}


SECTIONS = {"large": run_large, "growth": run_growth, "loss": run_loss, "memory": run_memory}


def main() -> None:
    parser = section_parser(__doc__, SECTIONS)
    parser.add_argument("--folder", type=Path, default=None)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        write_sections("scale", chosen.only, lambda section: SECTIONS[section](Path(folder)))


if __name__ == "__main__":
    main()
