"""From a file to a release and its recount, a million rows: time and memory, the recount beside pycanon's k_anonymity.

usage: python -m benchmarks.release.run [--peer PYTHON] [--only SECTION ...]
Writes benchmarks/results/release-SECTION.json; `make bench` runs all of it. PYTHON is an interpreter that has pycanon (in an
environment of its own: it pins old versions); without it the recount is measured alone.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import covey
from benchmarks.data.people import QUASI, ROWS, K, people
from benchmarks.harness.measure import ROOT, best_of, peer_command
from benchmarks.harness.sections import section_parser, write_sections
from covey.io import read_published
from covey.recount.classes import classes_of, recount

LIMITS = {"split": 60.0, "auto": 90.0}
MOST_GIB = 4.0
RECOUNT_SECONDS = 2.0


def path_section(folder: Path, _peer: str | None) -> dict[str, Any]:
    """CSV to Parquet by the command line, in a process of its own."""
    people(folder / "people.csv", ROWS)
    command = [str(Path(sys.executable).with_name("covey")), "release", "people.csv", "-k", str(K), "--no-ledger"]
    roles = ["--quasi", ",".join(QUASI), "--sensitive", "diagnosis", "--drop", "id"]
    rows = []
    for method, limit in LIMITS.items():
        began = time.perf_counter()
        output = ["-o", f"{method}.parquet", "--certificate", f"{method}.json"]
        process = subprocess.Popen(
            [*command, *roles, "--method", method, *output], cwd=folder, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        taken = time.perf_counter() - began
        assert status == 0
        certificate = json.loads((folder / f"{method}.json").read_text())
        rows.append(
            {
                "method": method,
                "seconds": taken,
                "limit": limit,
                "gib": usage.ru_maxrss / 2**20,
                "most_gib": MOST_GIB,
                "k": certificate["k_achieved"],
                "rows": certificate["records"],
                "loss_percent": float(re.findall(r"([0-9.]+) % of the variation", said)[0]),
            }
        )
        print(rows[-1], flush=True)
    return {"rows": rows}


def recount_section(folder: Path, peer: str | None) -> dict[str, Any]:
    """The recount of a released CSV file: reading and counting, ours and pycanon's."""
    people(folder / "people.csv", ROWS)
    done = covey.release(folder / "people.csv", k=K, quasi=QUASI, sensitive=["diagnosis"], drop=["id"], method="split")
    released = folder / "released.csv"
    done.write(released, ledger=False)
    table = read_published(released)
    ours = {
        "read": best_of(3, lambda: read_published(released)),
        "count": best_of(3, lambda: recount(classes_of([table.column(name) for name in QUASI], table.num_rows))),
        "both": best_of(3, lambda: covey.verify(read_published(released), QUASI, K)),
        "k": covey.verify(table, QUASI, K).k,
        "limit": RECOUNT_SECONDS,
    }
    print(ours, flush=True)
    theirs = None
    if peer is not None:
        asked = peer_command(peer, "pycanon", str(released), ",".join(QUASI))
        theirs = json.loads(subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
        print(theirs, flush=True)
    return {"rows": ROWS, "covey": ours, "pycanon": theirs}


SECTIONS = {"path": path_section, "recount": recount_section}


def main() -> None:
    parser = section_parser(__doc__, SECTIONS)
    parser.add_argument("--peer")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_sections("release", chosen.only, lambda section: SECTIONS[section](Path(folder), chosen.peer))


if __name__ == "__main__":
    main()
