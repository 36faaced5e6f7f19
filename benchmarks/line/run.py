"""Speed, memory and loss of grouping on a line, against microagg1d and kmeans1d in the same run.

usage: python -m benchmarks.line.run --peer PYTHON [--only SECTION ...]
where PYTHON has microagg1d and kmeans1d installed. Writes benchmarks/results/line-SECTION.json; `make bench` runs all of it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import covey
from benchmarks.data.columns import KS, column
from benchmarks.harness.measure import Peer, best_of, in_new_process, seconds
from benchmarks.harness.sections import section_parser, write_sections
from benchmarks.line.figures import run_figures, run_sums
from benchmarks.line.kmeans import run_kmeans
from covey.line import OptimalLine

COSTS = ("sae", "maxdist", "roundup", "rounddown")
HARD = ("constant", "ages 0..99", "money", "arange", "arange, shuffled", "1e9 + uniform")
REPEATS = 5
WARM = 10**6  # up to here a column fits the cache, if nobody else was there
DEFAULT = {"method": "auto", "stable": 1}


def exact_mode(k: int) -> dict[str, Any]:
    """The settings with which microagg1d is right on most data."""
    return {"method": "simple", "stable": 3} if k <= 21 else {"method": "staggered", "stable": 1}


def against(
    peer: Peer,
    kind: str,
    n: int,
    k: int,
    cost: str = "sse",
    *,
    mode: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Interleaved calls, best of `REPEATS` each."""
    x = cached_column(kind, n)
    ours, theirs = [], []
    answer: dict[str, Any] = {}
    for _ in range(REPEATS):
        if n <= WARM:  # each side makes the same call once before its clock starts
            covey.partition(x, k, cost=cost)
        ours.append(seconds(lambda: covey.partition(x, k, cost=cost).labels))
        answer = peer.ask(kind=kind, n=n, k=k, cost=cost, warm=n <= WARM, **(mode or DEFAULT))
        theirs.append(answer["seconds"])
    row = {
        "kind": kind,
        "n": n,
        "k": k,
        "cost": cost,
        "covey_ns": 1e9 * min(ours) / n,
        "peer_ns": 1e9 * min(theirs) / n,
    }
    row["ratio"] = row["peer_ns"] / row["covey_ns"]
    if cost == "sse":
        loss = covey.solve(x, k).loss
        row["peer_excess"] = answer["sse"] / loss - 1 if loss > 0 else 0.0
        row["peer_smallest"] = answer["smallest"]
    print(
        f"{kind:16} n={n:<9} k={k:<6} {cost:9} {row['covey_ns']:7.1f} ns  {row['peer_ns']:7.1f} ns  x{row['ratio']:.1f}"
    )
    return row


@functools.lru_cache(maxsize=1)
def cached_column(kind: str, n: int) -> np.ndarray:
    return column(kind, n)


def speed_target(row: dict[str, Any]) -> float:
    if row["cost"] != "sse":
        return 4.0
    if "sorted" in row["kind"]:
        return 25.0
    k = row["k"]
    return 8.0 if k == 2 else 10.0 if k < 30 else 20.0 if k <= 300 else 15.0


def run_speed(peer: Peer) -> dict[str, Any]:
    rows = [against(peer, kind, n, k) for n in (10**6, 10**7) for kind in ("uniform", "uniform, sorted") for k in KS]
    for row in rows:
        row["target"] = speed_target(row)
    return {"rows": rows}


def run_costs(peer: Peer) -> dict[str, Any]:
    rows = [against(peer, "uniform", n, k, cost) for n in (10**6, 10**7) for cost in COSTS for k in KS]
    for row in rows:
        row["target"] = speed_target(row)
    return {"rows": rows}


def run_exact(peer: Peer) -> dict[str, Any]:
    rows = [against(peer, "uniform", n, k, mode=exact_mode(k)) | exact_mode(k) for n in (10**6, 10**7) for k in KS]
    return {"rows": rows}


def run_hard(_: Peer) -> dict[str, Any]:
    """Hard data beside uniform data, and the loss of `auto` beside that of two searches of the paper."""
    rows = []
    n = 10**6
    for k in KS:
        uniform = best_of(REPEATS, functools.partial(covey.partition, column("uniform", n), k))
        for kind in HARD:
            x = column(kind, n)
            time = best_of(REPEATS, functools.partial(covey.partition, x, k))
            losses = [OptimalLine(search=search).solve(x, k).loss for search in ("auto", "staggered", "galil-park")]
            spread = (max(losses) - min(losses)) / max(losses) if max(losses) > 0 else 0.0
            rows.append(
                {"kind": kind, "n": n, "k": k, "ns": 1e9 * time / n, "slower": time / uniform, "spread": spread}
            )
            print(
                f"{kind:18} k={k:<6} {1e9 * time / n:7.1f} ns, {time / uniform:.2f} times uniform, spread {spread:.1e}"
            )
    return {"rows": rows}


def run_agree(_: Peer) -> dict[str, Any]:
    """All searches return the same total cost."""
    rows = []
    for n, cost, k in [(n, "sse", k) for n in (10**6, 10**7) for k in (5, 50)] + [(10**6, cost, 30) for cost in COSTS]:
        x = np.sort(column("normal", n))
        for search in ("auto", "simple", "simple+", "wilber", "galil-park", "staggered"):
            loss = OptimalLine(cost=cost, search=search).solve(x, k).loss
            rows.append({"n": n, "k": k, "cost": cost, "search": search, "loss": loss})
            print(f"n={n} k={k} {cost} {search}: {loss!r}")
    return {"rows": rows}


MEMORY = """
from pathlib import Path
import covey
from benchmarks.data.columns import KS, column

def resident(what):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))

x = column({kind!r}, {n})
covey.partition(x[:100], 2)
Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
before = resident("VmRSS")
labels = covey.partition(x, {k}, cost={cost!r}).labels
print((resident("VmHWM") - before) / {n})
"""

STARTUP = """
import time
start = time.perf_counter()
import covey
covey.partition([3.0, 1.0, 2.0, 9.0], 2)
print(time.perf_counter() - start)
"""


def run_memory(_: Peer) -> dict[str, Any]:
    rows = []
    for cost, k in (("sse", 2), ("sse", 5), ("sse", 100), ("sse", 10000), ("sae", 100), ("maxdist", 5)):
        per_record = float(in_new_process(MEMORY.format(kind="uniform", n=10**7, k=k, cost=cost)))
        rows.append({"n": 10**7, "k": k, "cost": cost, "bytes_per_record": per_record})
        print(f"{cost} k={k}: {per_record:.1f} bytes a record")
    startup = min(float(in_new_process(STARTUP)) for _ in range(5))
    print(f"import and first call: {startup:.3f} s")
    return {"rows": rows, "startup_seconds": startup}


def run_growth(_: Peer) -> dict[str, Any]:
    rows = []
    for k in (3, 100):
        times = {n: best_of(3, functools.partial(covey.partition, column("uniform", n), k)) for n in (10**7, 10**8)}
        rows.append(
            {"k": k, "seconds_1e7": times[10**7], "seconds_1e8": times[10**8], "growth": times[10**8] / times[10**7]}
        )
        print(rows[-1])
    return {"rows": rows}


SECTIONS = {
    "speed": run_speed,
    "costs": run_costs,
    "exact": run_exact,
    "hard": run_hard,
    "agree": run_agree,
    "memory": run_memory,
    "growth": run_growth,
    "figures": run_figures,
    "sums": run_sums,
    "kmeans": run_kmeans,
}


def main() -> None:
    parser = section_parser(__doc__, SECTIONS)
    parser.add_argument("--peer", required=True, help="a Python that has microagg1d and kmeans1d")
    chosen = parser.parse_args()
    with Peer(chosen.peer, "microagg1d") as peer:
        write_sections("line", chosen.only, lambda section: SECTIONS[section](peer))


if __name__ == "__main__":
    main()
