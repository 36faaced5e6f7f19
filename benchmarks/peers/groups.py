"""Groups tables with the Covey of this environment, on request. Spoken to by benchmarks.large.run, for this and for another commit.

One JSON object a line in: kind, n, d, k, method, options; how often, and the values of a table that has no kind.
One out: seconds of the clock and of the processor, the loss, the smallest group, and how much memory the process held at most, beside the table.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

import covey
from benchmarks.data.large import table


def resident(what: str) -> float:
    """MiB, as Linux counts them; 0 elsewhere."""
    if sys.platform != "linux":
        return 0.0
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(what))


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    covey.solve(np.random.default_rng(0).normal(size=(100, 3)), 5, method="auto")  # what is loaded late is loaded
    print(json.dumps({"version": covey.__version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        given = request.get("values")
        X = table(request["kind"], request["n"], request["d"]) if given is None else np.array(given)
        repeats = request.get("repeats", 1)
        before = resident("VmRSS")
        if sys.platform == "linux":
            Path("/proc/self/clear_refs").write_text("5")
        clock, spent = time.perf_counter(), processor()
        for _ in range(repeats):
            solution = covey.solve(X, request["k"], method=request["method"], **request["options"])
        took, used = time.perf_counter() - clock, processor() - spent
        answer = {"seconds": took / repeats, "processor": used / repeats, "loss": solution.loss}
        answer |= {"smallest": int(solution.partition.smallest), "mib": resident("VmHWM") - before}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
