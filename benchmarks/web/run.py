"""How soon the page answers while a computation runs, on 100,000 records, in a real browser.

usage: python -m benchmarks.web.run [--rows N] [--million [ROWS]]
Writes benchmarks/results/web-latency.json, or with --million, which releases so many records by the page, web-million.json. Needs chromium and playwright; `make bench` runs it where they are.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from benchmarks.harness.measure import write
from benchmarks.web import million
from covey.datasets import load_patients
from tests.web import walk
from tests.web.serving import chromium, served

LIMIT_MS = 200
TIMES = 12
LONG = 600_000

# Clicks, and waits until the page shows what it must: milliseconds, from the browser's own clock.
ANSWERED = """async ([click, shows]) => {
  const start = performance.now(), holds = new Function('return ' + shows);
  new Function(click)();
  while (!holds()) {
    if (performance.now() - start > 20000) throw new Error('no answer: ' + shows);
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  return performance.now() - start;
}"""

TAB = "[...document.querySelectorAll('.q-tab')].find(tab => tab.innerText.includes('{}')).click()"
HEADING = "[...document.querySelectorAll('[role=heading]')].some(one => one.innerText.startsWith('{}'))"
SLIDE = "const at = document.querySelector('.covey-range'); at.value = {k}; at.dispatchEvent(new Event('input', {{bubbles: true}}))"
NUMBER = "document.querySelector('input[aria-label=\"k\"]').value === '{k}'"


def interactions() -> dict[str, list[tuple[str, str]]]:
    """What is done, in pairs that lead back to where they began: the click and what must then be shown."""
    steps = {"Columns": "What is each column", "Protect": "How much protection"}
    there = [(TAB.format(name), HEADING.format(title)) for name, title in steps.items()]
    turn = "document.querySelector('[aria-label^=Colours]')"
    words = ("light", "dark", "as the system")
    colours = [(f"{turn}.click()", f"{turn}.ariaLabel.includes('{word}')") for word in words]
    return {
        "another step": there,
        "k moved (until its number follows)": [(SLIDE.format(k=k), NUMBER.format(k=k)) for k in (6, 7)],
        "other colours": colours,
    }


def measure(page: Any, *, while_running: bool) -> list[dict[str, Any]]:
    rows = []
    for name, pairs in interactions().items():
        times = [page.evaluate(ANSWERED, list(pair)) for _ in range(TIMES) for pair in pairs]
        row = {
            "what": name,
            "running": while_running,
            "median": statistics.median(times),
            "most_of_20": sorted(times)[int(0.95 * len(times))],
            "most": max(times),
            "n": len(times),
        }
        print(
            f"{name:36} running={while_running!s:5} median {row['median']:6.1f} ms, most {row['most']:6.1f} ms",
            flush=True,
        )
        rows.append(row)
    return rows


def large_table(path: Path, rows: int) -> None:
    """The bundled table, drawn again and again, amounts changed a little."""
    table, rng = load_patients("pyarrow"), np.random.default_rng(0)
    taken = table.take(pa.array(rng.integers(0, table.num_rows, rows)))
    charge = taken["charge"].to_numpy() * rng.uniform(0.9, 1.1, rows)
    taken = taken.set_column(taken.column_names.index("charge"), "charge", pa.array(charge.round(2)))
    pacsv.write_csv(taken.drop_columns(["patient", "discharged", "income"]), path)


def run(folder: Path, rows: int) -> dict[str, Any]:
    large_table(folder / "large.csv", rows)
    program = shutil.which("chromium") or "/usr/bin/chromium"
    with served(folder) as server, chromium(program) as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = walk.enter(context, server.link())
        start = time.perf_counter()
        walk.upload(page, folder / "large.csv")
        walk.heading(page, "What is each column").wait_for(timeout=LONG)
        opened = time.perf_counter() - start
        walk.go(page, "Protect")
        walk.preview(page, 5)
        found = measure(page, while_running=False)
        running = walk.begin_long_release(page)
        walk.preview(page, 7)
        found += measure(page, while_running=True)
        walk.go(page, "Release")
        still = running.count() > 0
        start_cancel = time.perf_counter()
        if still:
            walk.button(page, "Cancel").click()
            page.get_by_role("alert").filter(has_text="cancelled").wait_for()
        cancelled = time.perf_counter() - start_cancel
        return {
            "rows": found,
            "records": rows,
            "opened_seconds": opened,
            "was_running": still,
            "cancel_ms": 1000 * cancelled,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--million", type=int, nargs="?", const=1_000_000)
    given = parser.parse_args()
    rows = given.rows
    if given.million:
        with tempfile.TemporaryDirectory() as folder:
            whole_way = million.run(Path(folder), given.million, shutil.which("chromium") or "/usr/bin/chromium")
        write("web-million", "web", whole_way | {"load": os.getloadavg()[0]}, f"--million {given.million}")
        return
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), rows)
    assert found["was_running"], "the release ended before the measurements did"
    content = found | {"limit_ms": LIMIT_MS, "load": os.getloadavg()[0]}
    write("web-latency", "web", content, f"--rows {rows}")


if __name__ == "__main__":
    main()
