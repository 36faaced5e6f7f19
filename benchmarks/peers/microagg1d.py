"""Answers timing requests with the PyPI package microagg1d, in an environment of its own. Spoken to by benchmarks.line.run.

One JSON object a line in: kind, n, k, cost, method, stable, warm. One out: seconds of one warm call, SSE, smallest group.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from microagg1d import univariate_microaggregation

from benchmarks.data.columns import column


def main() -> None:
    cache: dict[tuple[str, int], np.ndarray] = {}
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        key = (request["kind"], request["n"])
        if key not in cache:
            cache.clear()
            cache[key] = column(*key)
        x = cache[key]
        arguments = {name: request[name] for name in ("method", "stable", "cost")}
        univariate_microaggregation(x[:5000], min(request["k"], 2000), **arguments)  # compiled before the clock starts
        if request["warm"]:
            univariate_microaggregation(x, request["k"], **arguments)
        start = time.perf_counter()
        labels = univariate_microaggregation(x, request["k"], **arguments)
        seconds = time.perf_counter() - start
        counts = np.bincount(labels)
        means = np.bincount(labels, weights=x) / np.maximum(counts, 1)
        sse = float(np.sum((x - means[labels]) ** 2))
        answer = {"seconds": seconds, "sse": sse, "smallest": int(counts[counts > 0].min())}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
