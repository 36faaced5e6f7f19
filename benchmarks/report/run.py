"""All measures and the report of a release of a million rows: time and memory, with mixed columns and with many categories.

usage: python -m benchmarks.report.run
Writes benchmarks/results/report.json; `make bench` runs it.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from benchmarks.data.people import CATEGORIES, QUASI, ROWS, K, many_categories, people
from benchmarks.harness.measure import in_new_process, write

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


def main() -> None:
    rows = []
    for name, make, quasi in (("many categories", many_categories, CATEGORIES), ("mixed", people, QUASI)):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder) / "people.csv", ROWS)
            start = time.perf_counter()
            found = json.loads(in_new_process(CODE.format(folder=folder, k=K, quasi=quasi)))
            found["all"] = time.perf_counter() - start
        print(name, found)
        rows.append(found | {"table": name, "rows": ROWS, "columns": len(quasi) + 1})
    write("report", "report", {"rows": rows, "limit": SECONDS, "most_gib": GIB})


if __name__ == "__main__":
    main()
