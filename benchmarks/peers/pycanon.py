"""Times pycanon's k_anonymity on a CSV file, in an environment of its own. Run by benchmarks.release.run.

usage: python -m benchmarks.peers.pycanon FILE COLUMN,...
"""

from __future__ import annotations

import json
import sys
import time

import pandas as pd
from pycanon import anonymity


def main() -> None:
    names = sys.argv[2].split(",")
    start = time.perf_counter()
    frame = pd.read_csv(sys.argv[1])
    read = time.perf_counter() - start
    counts = []
    for _ in range(3):
        start = time.perf_counter()
        k = anonymity.k_anonymity(frame, names)
        counts.append(time.perf_counter() - start)
    print(json.dumps({"read": read, "count": min(counts), "both": read + min(counts), "k": int(k)}))


if __name__ == "__main__":
    main()
