"""Instances of the hardness proofs, whose answers are known: which of them are decided, rightly, in a time limit."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from benchmarks.harness.measure import in_new_process

LIMIT = 20.0  # seconds


class Hard(NamedTuple):
    theorem: str
    instance: str  # how `covey.network.instances` makes it


SUMS = "[(2, 1), (1, 2), (3, 0), (0, 3), (1, 1)]"
EDGES = "[((i, a), (j, b)) for i in range(3) for j in range(i) for a in range({s}) for b in range({s}) if {which}]"
TWISTED = "(a == b if i - j == 1 else a == (b + 1) % {s})"  # no triangle: once around the colours is a step of 1
APART = EDGES.format(s=5, which=f"not {TWISTED.format(s=5)}")
TOGETHER = EDGES.format(s=3, which=TWISTED.format(s=3))
APART_ONCE, TOGETHER_ONCE = EDGES.format(s=5, which="a != b"), EDGES.format(s=3, which="a == b")
PATH = "[(v, v + 1) for v in range(11)] + [(0, 12), (12, 13), (13, 14)]"
COMB = "[(v, v + 1) for v in range(4)] + [(v, 5 + 2 * v + w) for v in range(5) for w in range(2)]"

CASES = (
    Hard("10", f"equitable_partition({PATH}, 5)"),
    Hard("10", f"equitable_partition({COMB}, 3)"),
    Hard("11", f"subset_sum({SUMS}, (4, 4))"),
    Hard("11", f"subset_sum({SUMS}, (4, 3))"),
    Hard("11", f"subset_sum({SUMS} * 2, (10, 1))"),
    Hard("12", f"subset_sum_by_lengths({SUMS}, (4, 4))"),
    Hard("12", f"subset_sum_by_lengths({SUMS}, (4, 3))"),
    Hard("12", f"subset_sum_by_lengths({SUMS} * 2, (10, 1))"),
    Hard("13", f"multicoloured_independent_set([5] * 3, {APART_ONCE})"),
    Hard("13", f"multicoloured_independent_set([5] * 3, {APART})"),
    Hard("14", f"multicoloured_independent_set([5] * 3, {APART_ONCE}, connected=True)"),
    Hard("14", f"multicoloured_independent_set([5] * 3, {APART}, connected=True)"),
    Hard("15", f"multicoloured_clique([3] * 3, {TOGETHER_ONCE})"),
    Hard("15", f"multicoloured_clique([3] * 3, {TOGETHER})"),
)

CODE = """
import json, time
import covey.network
from covey.network.instances import *
it = {instance}
for module in ("scipy.optimize", "scipy.sparse.csgraph", "ortools.sat.python.cp_model"):
    __import__(module)
start = time.perf_counter()
found = covey.network.microaggregate(it.network, it.lower, it.upper, it.distance, connected=it.connected, time_limit={limit})
print(json.dumps({{
    "seconds": time.perf_counter() - start, "n": it.network.n, "m": it.network.m, "lower": it.lower, "upper": it.upper,
    "distance": it.distance, "connected": it.connected, "treewidth": it.treewidth, "cover": it.cover, "answer": it.answer,
    "decided": None if found.status == "unknown" else found.partition is not None, "by": found.method.name,
}}))
"""


def run(case: Hard) -> dict[str, Any]:
    measured: dict[str, Any] = json.loads(in_new_process(CODE.format(instance=case.instance, limit=LIMIT)))
    print(f"{case.theorem}: {measured['seconds']:.2f} s {measured['answer']} {measured['decided']}", flush=True)
    return {"theorem": case.theorem} | measured


def measure() -> dict[str, Any]:
    return {"limit": LIMIT, "rows": [run(case) for case in CASES]}
