"""Reach of l-diversity clustering on the line: the proven optimum, on one core, each instance in a process of its own.

usage: python -m benchmarks.diversity.run [--only SECTION ...]
Writes benchmarks/results/diversity-SECTION.json; `make bench` runs all of it.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from benchmarks.diversity.releases import run_releases
from benchmarks.harness.measure import in_new_process
from benchmarks.harness.sections import run_sections

MOST_GIB = 2.0


class Case(NamedTuple):
    """Uniform points, random colours; the first has a share of its own if `share` is above 0. `limit` in seconds, if any."""

    n: int
    m: int
    l: int  # noqa: E741
    objective: str = "max"
    limit: float | None = None
    share: float = 0.0
    method: str = "window"
    points: str = "uniform"
    time_limit: float | None = None


REACH = (
    Case(100_000, 3, 2, limit=10),
    Case(100_000, 5, 2, limit=25),
    Case(10_000, 20, 3, limit=6),
    Case(1_000, 20, 5, limit=5),
    Case(10_000, 3, 2, "sum", limit=6),
    Case(10_000, 3, 2, "sse", limit=6),
)
FURTHER = (
    Case(1_000_000, 5, 2),
    Case(100_000, 20, 3),
    Case(100_000, 3, 2, share=0.45),
    Case(10_000, 5, 2, share=0.49),
    Case(10_000, 4, 3),
    Case(1_000, 6, 5),
    Case(300, 20, 8, method="milp", time_limit=60),
    Case(100_000, 3, 2, "sum"),
    Case(10_000, 5, 2, "sum"),
    Case(10_000, 8, 2, "sum"),
    Case(10_000, 3, 2, "sum", share=0.45),
    Case(10_000, 5, 2, "sse"),
    Case(1_000, 8, 3, "sum"),
    Case(1_000, 8, 3, "sse", time_limit=60),
    Case(10_000, 20, 3, "sum", time_limit=30),
    Case(100_000, 4, 2, points="ages", time_limit=60),
    Case(100_000, 4, 2, "sse", points="ages", time_limit=60),
)

CODE = """
import json, os, resource, time
os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
import numpy as np
from covey.line import diverse
rng = np.random.default_rng({seed})
x = rng.random({n}) if {points!r} == "uniform" else np.floor(rng.random({n}) * 100)
colours = rng.integers(0, {m}, {n})
if {share}:
    colours = np.where(rng.random({n}) < {share}, 0, 1 + rng.integers(0, {m} - 1, {n}))
start, cpu = time.perf_counter(), time.process_time()
solution = diverse(x, colours, {l}, {objective!r}, {method!r}, {time_limit})
print(json.dumps({{
    "seconds": time.perf_counter() - start,
    "cpu_seconds": time.process_time() - cpu,
    "gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    "loss": solution.loss, "bound": solution.bound, "status": solution.status,
}}))
"""


def run(case: Case, seeds: int) -> dict[str, Any]:
    """The median of some seeds by time; the largest memory; optimal only if all are."""
    answers = [json.loads(in_new_process(CODE.format(**case._asdict(), seed=seed))) for seed in range(seeds)]
    answers.sort(key=lambda answer: float(answer["seconds"]))
    row: dict[str, Any] = (
        case._asdict() | answers[len(answers) // 2] | {"slowest": answers[-1]["seconds"], "seeds": seeds}
    )
    row["gib"] = max(answer["gib"] for answer in answers)
    row["proven"] = sum(answer["status"] == "optimal" for answer in answers)
    row["gap"] = max(1 - answer["bound"] / answer["loss"] if answer["loss"] else 0.0 for answer in answers)
    print(
        f"n={case.n} m={case.m} l={case.l} {case.objective} share={case.share} {case.points}: {row['seconds']:.2f} s, cpu "
        f"{row['cpu_seconds']:.2f}, slowest {row['slowest']:.2f}, {row['gib']:.2f} GiB, proven {row['proven']} of {seeds}, "
        f"gap {row['gap']:.4f}",
        flush=True,
    )
    return row


def run_reach() -> dict[str, Any]:
    return {"rows": [run(case, 5) for case in REACH], "most_gib": MOST_GIB}


def run_further() -> dict[str, Any]:
    return {"rows": [run(case, 1) for case in FURTHER], "most_gib": MOST_GIB}


SECTIONS = {"reach": run_reach, "further": run_further, "releases": run_releases}


if __name__ == "__main__":
    run_sections("diversity", SECTIONS, __doc__)
