"""Grouping a sorted stream: time and peak memory beside the search in memory, each run in a process of its own.

usage: python -m benchmarks.stream.run [--only SECTION ...]
Writes benchmarks/results/stream-SECTION.json; `make bench` runs all of it.
"""

from __future__ import annotations

import json
from typing import Any

from benchmarks.harness.measure import in_new_process
from benchmarks.harness.sections import run_sections

KINDS = ("uniform", "lognormal", "ages 0..99", "arange", "constant", "squares")
COSTS = ("sse", "sae", "maxdist", "roundup", "rounddown")
MOST_MB = 200  # of the whole process above what it had before, however long the stream

START = """
import json, time
from pathlib import Path
import numpy as np
from covey.line import OptimalLine, stream
from benchmarks.data.sorted_streams import sorted_stream

def resident(what):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(what))

def loss(x, ends):
    starts = np.concatenate([[0], ends[:-1]])
    sizes = np.diff(np.concatenate([starts, ends[-1:]]))
    away = x - np.repeat(x[starts], sizes)
    sums = np.add.reduceat(away, starts)
    return float(np.sum(np.add.reduceat(away * away, starts) - sums * sums / sizes))

for _ in sorted_stream({kind!r}, 1000):
    pass
list(stream([np.arange(100.0)], 2))
"""

STREAM = """
Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
before = resident("VmRSS")
groups = last = tail = read = 0
making = 0.0  # the blocks themselves

def blocks():
    global read, tail, making
    start = time.process_time()
    for block in sorted_stream({kind!r}, {n}):
        making += time.process_time() - start
        read += len(block)
        yield block
        tail = max(tail, read - last)
        start = time.process_time()

start = time.process_time()
for ends in stream(blocks(), {k}, {cost!r}):
    groups += len(ends)
    last = int(ends[-1])
seconds = time.process_time() - start - making
print(json.dumps({{"seconds": seconds, "mb": resident("VmHWM") - before, "groups": groups, "tail": tail}}))
"""

MEMORY = """
x = np.empty({n})
at = 0
for block in sorted_stream({kind!r}, {n}):
    x[at : at + len(block)] = block
    at += len(block)
Path("/proc/self/clear_refs").write_text("5")
before = resident("VmRSS") - {n} * 8 / 2**20  # the column counts: a stream does not hold it
start = time.process_time()
labels = OptimalLine(cost={cost!r}).partition(x, {k}).labels
seconds = time.process_time() - start
print(json.dumps({{"seconds": seconds, "mb": resident("VmHWM") - before, "groups": int(labels[-1]) + 1}}))
"""

EXCESS = """
x = np.concatenate(list(sorted_stream({kind!r}, {n})))
ends = np.concatenate(list(stream(np.array_split(x, 7), {k})))
labels = OptimalLine().partition(x, {k}).labels
wanted = loss(x, np.append(np.flatnonzero(np.diff(labels)) + 1, len(x)))
found = loss(x, ends)
print(json.dumps({{"loss": found, "excess": (found - wanted) / wanted if wanted else found}}))
"""


def run(code: str, **case: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(in_new_process((START + code).format(**case)))
    return answer


def beside(kind: str, n: int, k: int, cost: str) -> dict[str, Any]:
    case = {"kind": kind, "n": n, "k": k, "cost": cost}
    streamed, held = run(STREAM, **case), run(MEMORY, **case)
    row = case | {
        "ns": 1e9 * streamed["seconds"] / n,
        "mb": streamed["mb"],
        "tail": streamed["tail"],
        "groups": streamed["groups"],
        "memory_ns": 1e9 * held["seconds"] / n,
        "memory_mb": held["mb"],
        "memory_groups": held["groups"],
    }
    print(
        f"{kind:12} n={n:.0e} k={k:<4} {cost:9} stream {row['ns']:5.1f} ns {row['mb']:5.0f} MB, tail {row['tail']:.0e}, "
        f"in memory {row['memory_ns']:5.1f} ns {row['memory_mb']:5.0f} MB",
        flush=True,
    )
    return row


def run_long() -> dict[str, Any]:
    cases = [(kind, n, k) for n in (10**7, 10**8) for kind in KINDS for k in (5, 100)]
    return {"rows": [beside(kind, n, k, "sse") for kind, n, k in cases], "most_mb": MOST_MB}


def run_costs() -> dict[str, Any]:
    rows = [beside("uniform", 10**7, k, cost) for cost in COSTS for k in (3, 10, 30, 1000)]
    return {"rows": rows, "most_mb": MOST_MB}


def run_excess() -> dict[str, Any]:
    rows = []
    for kind in KINDS:
        for k in (3, 10, 50):
            case = {"kind": kind, "n": 10**6, "k": k}
            rows.append(case | run(EXCESS, cost="sse", **case))
            print(rows[-1], flush=True)
    return {"rows": rows}


SECTIONS = {"long": run_long, "costs": run_costs, "excess": run_excess}


if __name__ == "__main__":
    run_sections("stream", SECTIONS, __doc__)
