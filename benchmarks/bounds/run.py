"""How far below the best losses known the bounds are, by table, k and rung, and how their time grows.

usage: python -m benchmarks.bounds.run [--seconds N] [--most N]
Writes benchmarks/results/bounds.json; `make bench` runs it. Times are of the processor, all threads together.
"""

from __future__ import annotations

import argparse
import functools
import json
import resource
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness.measure import in_new_process, write
from benchmarks.space.run import percent, table
from covey import space

if TYPE_CHECKING:
    from collections.abc import Callable

RUNGS = ("neighbours", "matching", "tight")
BEST = {  # the least losses that we have seen, in % of the variation
    "tarragona": {3: 14.4673, 5: 20.151, 10: 30.109},
    "census": {3: 4.66794, 5: 7.2565, 10: 11.348},
    "eia": {3: 0.3489, 5: 0.7294, 10: 1.9316},
}
D, K = 5, 3
MOST_FOR_TIGHT = 100_000


def timed(bound: Callable[[], float]) -> tuple[float, float]:
    start = time.process_time()
    return bound(), time.process_time() - start


def tables(limit: float) -> list[dict[str, Any]]:
    """Bound, gap and time of every rung."""
    rows = []
    for name, best in BEST.items():
        X = table(name)
        for k, loss in best.items():
            row: dict[str, Any] = {"table": name, "k": k, "best": loss}
            for rung in RUNGS:
                bound, seconds = timed(functools.partial(space.lower_bound, X, k, method=rung, time_limit=limit))
                row[rung] = {"bound": percent(X, bound), "seconds": seconds}
            rows.append(row)
            print(row, flush=True)
    return rows


def proofs(limit: float) -> list[dict[str, Any]]:
    """What "exact" proves for k = 3."""
    rows = []
    for name in BEST:
        X = table(name)
        start, clock = time.process_time(), time.monotonic()
        found = space.Exact(time_limit=limit).solve(X, K)
        rows.append(
            {
                "table": name,
                "k": K,
                "status": found.status,
                "loss": percent(X, found.loss),
                "bound": percent(X, found.bound),
            }
        )
        rows[-1] |= {"seconds": time.process_time() - start, "clock": time.monotonic() - clock}
        print(rows[-1], flush=True)
    return rows


def grown(n: int, limit: float) -> dict[str, Any]:
    """The rungs on n Gaussian records, and the groups of the default method as far as they take minutes."""
    X = np.random.default_rng(n).normal(size=(n, D))
    row: dict[str, Any] = {"n": n}
    for rung in RUNGS if n <= MOST_FOR_TIGHT else RUNGS[:2]:
        bound, seconds = timed(functools.partial(space.lower_bound, X, K, method=rung, time_limit=limit))
        row[rung] = {"bound": percent(X, bound), "seconds": seconds}
    row["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if n <= MOST_FOR_TIGHT:
        row["auto"] = percent(X, space.Auto().solve(X, K).loss)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="for the tight bound, of wall clock")
    parser.add_argument("--most", type=int, default=1_000_000, help="records")
    asked = parser.parse_args()
    growth = []
    for n in (1_000, 10_000, 100_000, 1_000_000):
        if n <= asked.most:
            code = f"import json; from benchmarks.bounds.run import grown; print(json.dumps(grown({n}, {5 * asked.seconds})))"
            growth.append(json.loads(in_new_process(code)))
            print(growth[-1], flush=True)
    found = {"tables": tables(asked.seconds), "growth": growth, "proofs": proofs(10 * asked.seconds)}
    write("bounds", "bounds", {"limit": asked.seconds, "k": K, "d": D} | found)


if __name__ == "__main__":
    main()
