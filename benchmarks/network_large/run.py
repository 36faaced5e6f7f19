"""Carving networks of a million vertices, and the certified 2-approximation: each instance in a process of its own.

usage: python -m benchmarks.network_large.run [--only SECTION ...]
Writes benchmarks/results/network-SECTION.json; `make bench` runs all of it.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from benchmarks.harness.measure import in_new_process
from benchmarks.harness.sections import run_sections

MOST_SECONDS = 10.0
MOST_GIB = 2.0
MOST_OVERSIZE = 0.001  # of the clusters


class Case(NamedTuple):
    kind: str
    lower: int
    n: int = 1_000_000
    held: bool = (
        True  # whether the limits are to be held: a cut vertex forbids a partition within `upper` in some shapes
    )


MEASURED = (
    "grid",
    "Watts-Strogatz, degree 4",
    "Watts-Strogatz, degree 6",
    "Barabasi-Albert, m = 3",
    "caterpillar",
)
SHAPES = ("random tree", "star")
CARVING = tuple(Case(kind, lower) for kind in MEASURED for lower in (3, 10)) + tuple(
    Case(kind, lower, held=False) for kind in SHAPES for lower in (3, 10)
)
GATHER = tuple(Case(kind, lower, 90_000) for kind in MEASURED for lower in (3, 10))

CODE = """
import json, resource, time
from benchmarks.data.networks import large_network
from covey.network.methods.carving import Carving
from covey.network.methods.gather import Gather
network = large_network({kind!r}, {n}, 1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start, cpu = time.perf_counter(), time.process_time()
found = {method}.solve(network, {lower})
print(json.dumps({{
    "seconds": time.perf_counter() - start,
    "cpu_seconds": time.process_time() - cpu,
    "gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    "gib_before": before / 2**20,
    "edges": network.m, "clusters": len(found.partition), "oversize": found.oversize,
    "smallest": int(found.partition.sizes.min()), "largest": int(found.partition.sizes.max()),
    "radius": found.radius, "bound": found.bound, "mean": found.total / network.n, "why": found.unnamed_reason,
}}))
"""


def run(case: Case, method: str) -> dict[str, Any]:
    code = CODE.format(kind=case.kind, n=case.n, lower=case.lower, method=method)
    row: dict[str, Any] = case._asdict() | json.loads(in_new_process(code))
    print(
        f"{case.kind} n={case.n} lower={case.lower}: {row['seconds']:.2f} s, cpu {row['cpu_seconds']:.2f}, {row['gib']:.2f} GiB, "
        f"{row['clusters']} clusters of {row['smallest']} to {row['largest']}, {row['oversize']} too large, radius "
        f"{row['radius']:g}, bound {row['bound']:g}, mean distance {row['mean']:.3f}",
        flush=True,
    )
    return row


def run_carving() -> dict[str, Any]:
    rows = [run(case, f"Carving(upper={2 * case.lower - 1}, connected=True)") for case in CARVING]
    return {"rows": rows, "most_seconds": MOST_SECONDS, "most_gib": MOST_GIB, "most_oversize": MOST_OVERSIZE}


def run_gather() -> dict[str, Any]:
    return {"rows": [run(case, f"Gather(upper={2 * case.lower - 1})") for case in GATHER]}


SECTIONS = {"carving": run_carving, "gather": run_gather}


if __name__ == "__main__":
    run_sections("network_large", SECTIONS, __doc__, results="network")
