"""All measures and the report of a release of a million rows: time and memory.

usage: python benchmarks/report.py
Writes benchmarks/results/report.json; `make bench` runs it.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from measure import in_new_process, write
from release import QUASI, ROWS, K, people

SECONDS, GIB = 90.0, 4.0

CODE = """
import json, resource, sys, time
import covey
from pathlib import Path
folder = Path({folder!r})
times = []
done = covey.release(folder / "people.csv", k={k}, quasi={quasi!r}, sensitive=["diagnosis"], drop=["id"], method="split",
                     measuring=covey.Measuring(), progress=lambda what: times.append((what, time.perf_counter())))
began = dict(times)["measuring"]
measured = next(when for what, when in times if what == "recounting") - began
start = time.perf_counter()
done.write(folder / "out.parquet", report=folder / "r.html", internal_report=folder / "r-internal.html", ledger=False)
done.write(folder / "out2.parquet", report=folder / "r.json", internal_report=folder / "r-internal.json", ledger=False)
written = time.perf_counter() - start
print(json.dumps(dict(measuring=measured, writing=written, gib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
                      measures=len(done.report.risk) + len(done.report.utility))))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        people(Path(folder) / "people.csv", ROWS)
        start = time.perf_counter()
        found = json.loads(in_new_process(CODE.format(folder=folder, k=K, quasi=QUASI)))
        found["all"] = time.perf_counter() - start
    print(found)
    write("report", "benchmarks/report.py", found | {"rows": ROWS, "limit": SECONDS, "most_gib": GIB})


if __name__ == "__main__":
    main()
