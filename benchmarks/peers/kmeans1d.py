"""Answers timing requests with the PyPI package kmeans1d, in an environment of its own. Spoken to by benchmarks.line.run.

One JSON object a line in: kind, n, groups. One out: seconds of one call, SSE, number of groups, version.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time

import kmeans1d
import numpy as np

from benchmarks.data.columns import column


def main() -> None:
    print(json.dumps({"version": importlib.metadata.version("kmeans1d")}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        x = column(request["kind"], request["n"])
        start = time.perf_counter()
        clusters, _ = kmeans1d.cluster(x, request["groups"])
        seconds = time.perf_counter() - start
        labels = np.asarray(clusters)
        counts = np.bincount(labels)
        means = np.bincount(labels, weights=x) / np.maximum(counts, 1)
        sse = float(np.sum((x - means[labels]) ** 2))
        print(json.dumps({"seconds": seconds, "sse": sse, "groups": int((counts > 0).sum())}), flush=True)


if __name__ == "__main__":
    main()
