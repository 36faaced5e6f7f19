"""The price of diversity: Census, the quintiles of TAXINC sensitive, beside merging groups until they comply; and time.

usage: python -m benchmarks.requirements.run
Writes benchmarks/results/requirements-*.json; `make bench` runs it. The table is read from ../shared/data where that is.
"""

from __future__ import annotations

import csv
import sys
import time
from typing import Any

import numpy as np

import covey
from benchmarks.harness.measure import ROOT, write
from covey._kernels import space as kernels
from covey.space.comply import comply, merge

CENSUS = ROOT.parent / "shared" / "data" / "census.csv"
NOTHING = np.zeros(0)
TARGET = 0.20
SETTINGS: list[tuple[str, int, float]] = [
    ("distinct", 5, 3.0),
    *(("distinct", k, least) for k, least in ((5, 2.0), (5, 4.0), (3, 2.0), (10, 4.0))),
    ("entropy", 5, 2.5),
    ("equal", 5, 0.3),
    ("ordered", 5, 0.2),
]


def demand(kind: str, codes: Any, limit: float) -> kernels.Demand:
    found = kernels.Demand()
    share = np.bincount(codes) / len(codes) if kind in ("equal", "ordered") else NOTHING
    full = np.append(share, 0.0) if len(share) else NOTHING  # nothing is missing
    found.add(kind, codes.astype(np.uint32), limit, 0.0, share, full, NOTHING, np.zeros(0, dtype=np.uint32))
    return found


def percent(points: Any, labels: Any) -> float:
    groups = np.unique(labels, return_inverse=True)[1].astype(np.uint32)
    return float(100 * kernels.loss(points, groups) / ((points - points.mean(axis=0)) ** 2).sum())


def census() -> dict[str, Any]:
    with CENSUS.open(newline="") as file:
        names, *rows = csv.reader(file)
    table = np.array(rows, dtype=float)
    place = names.index("TAXINC")
    quintile = np.searchsorted(np.quantile(table[:, place], [0.2, 0.4, 0.6, 0.8]), table[:, place])
    others = np.delete(table, place, axis=1)
    points = np.ascontiguousarray((others - others.mean(axis=0)) / others.std(axis=0))
    found = []
    for kind, k, limit in SETTINGS:
        asked = demand(kind, quintile, limit)
        start = covey.partition(points, k).labels.astype(np.uint32)
        began = time.perf_counter()
        ours = comply(points, [start], k, asked, quintile)
        seconds = time.perf_counter() - began
        usual = merge(points, start, asked)
        row: dict[str, Any] = {
            "kind": kind,
            "k": k,
            "limit": limit,
            "without": percent(points, start),
            "seconds": seconds,
        }
        row |= {"covey": percent(points, ours), "merging": percent(points, usual)}
        row["less"] = 1 - row["covey"] / row["merging"]
        print(row)
        found.append(row)
    return {"rows": found, "target": TARGET}


def speed() -> dict[str, Any]:
    found = []
    for n, d in ((2_000, 5), (20_000, 5), (100_000, 5)):
        rng = np.random.default_rng(0)
        points = rng.normal(size=(n, d))
        codes = np.searchsorted([-1.5, -0.7, 0.0, 0.7, 1.5], points[:, 0] + rng.normal(size=n))
        for kind, limit in (("distinct", 4.0), ("equal", 0.4), ("equal", 0.1)):
            asked = demand(kind, codes, limit)
            began = time.perf_counter()
            start = covey.partition(points, 5).labels.astype(np.uint32)
            grouped = time.perf_counter() - began
            began = time.perf_counter()
            ours = comply(points, [start], 5, asked, codes)
            row = {"n": n, "d": d, "kind": kind, "limit": limit, "grouping": grouped}
            row |= {"seconds": time.perf_counter() - began, "without": percent(points, start)}
            row |= {"covey": percent(points, ours), "merging": percent(points, merge(points, start, asked))}
            print(row)
            found.append(row)
    return {"rows": found}


def main() -> None:
    write("requirements-speed", "requirements", speed())
    if not CENSUS.exists():
        print(f"{CENSUS.name} is not there; its section is skipped", file=sys.stderr)
        return
    write("requirements-census", "requirements", census())


if __name__ == "__main__":
    main()
