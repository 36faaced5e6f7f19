"""All measures and the report of a release of a million rows, with mixed columns and with many categories; special uniques.

usage: python -m benchmarks.report.run [--only report|uniques]
Writes benchmarks/results/report.json; `make bench` runs it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.data.people import CATEGORIES, QUASI, ROWS, K, many_categories, people
from benchmarks.harness.measure import in_new_process, write
from covey import risk

SECONDS, GIB = 90.0, 4.0

CODE = """
import json, resource, sys, time
import covey
from pathlib import Path
folder = Path({folder!r})
times = []
done = covey.release(folder / "people.csv", k={k}, quasi={quasi!r}, sensitive=["diagnosis"], drop_rest=True, method="split",
                     measuring=covey.Measuring(), progress=lambda what: times.append((what, time.perf_counter())))
when = dict(times)
bounding = when["aggregating"] - when["bounding the loss"]
measured = when["recounting"] - when["measuring"]
start = time.perf_counter()
done.write(folder / "out.parquet", report=folder / "r.html", internal_report=folder / "r-internal.html", ledger=False)
done.write(folder / "out2.parquet", report=folder / "r.json", internal_report=folder / "r-internal.json", ledger=False)
written = time.perf_counter() - start
print(json.dumps(dict(measuring=bounding + measured, bounding=bounding, writing=written,
                      gib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
                      measures=len(done.report.risk) + len(done.report.utility))))
"""


UNIQUES = 10.0
"""Seconds for all combinations of ten columns of 100,000 records."""


def report() -> None:
    rows = []
    for name, make, quasi in (("many categories", many_categories, CATEGORIES), ("mixed", people, QUASI)):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder) / "people.csv", ROWS)
            start = time.perf_counter()
            found = json.loads(in_new_process(CODE.format(folder=folder, k=K, quasi=quasi)))
            found["all"] = time.perf_counter() - start
        print(name, found)
        rows.append(found | {"table": name, "rows": ROWS, "columns": len(quasi) + 1})
    write("report", "report", {"rows": rows, "limit": SECONDS, "most_gib": GIB}, "--only report")


def uniques() -> None:
    """Ten columns of categories, few values to many, half of them following another."""
    rng = np.random.default_rng(0)
    n = 100_000
    rows = []
    for name, values in (("2 to 11 values", range(2, 12)), ("5 to 500 values", np.geomspace(5, 500, 10).astype(int))):
        columns = [rng.integers(0, most, n) for most in values]
        columns = [
            columns[j] if j % 2 == 0 else np.where(rng.random(n) < 0.5, columns[j - 1] % most, columns[j])
            for j, most in enumerate(values)
        ]
        start = time.process_time()
        found = risk.special_uniques(columns, len(columns))
        seconds = time.process_time() - start
        rows.append(
            {
                "table": name,
                "rows": n,
                "columns": len(columns),
                "seconds": seconds,
                "most": UNIQUES,
                "uniques": len(found.record),
                "singled_out": found.singled_out,
            }
        )
        print(rows[-1])
    write("uniques", "report", {"rows": rows}, "--only uniques")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("report", "uniques"))
    only = parser.parse_args().only
    for name, work in (("report", report), ("uniques", uniques)):
        if only in (None, name):
            work()


if __name__ == "__main__":
    main()
