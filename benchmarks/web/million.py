"""A release of a million records by the page, end to end in a real browser: opened, previewed, begun, cancelled, made, downloaded.

usage: python -m benchmarks.web.run --million [ROWS]
"""

from __future__ import annotations

import re
import resource
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from tests.web import walk
from tests.web.serving import chromium, served

if TYPE_CHECKING:
    from pathlib import Path

LONG = 3_600_000
RUNNING = "[...document.querySelectorAll('[role=status]')].map(one => one.innerText).find(text => text.startsWith('Releasing')) || ''"


def table(path: Path, rows: int) -> None:
    """Ages, incomes, rents and distances, and a diagnosis."""
    rng = np.random.default_rng(0)
    columns = {
        "age": rng.integers(18, 95, rows),
        "income": rng.lognormal(8, 0.6, rows).round(2),
        "rent": rng.lognormal(6, 0.4, rows).round(2),
        "distance": rng.gamma(2.0, 8.0, rows).round(1),
        "diagnosis": rng.choice(["asthma", "diabetes", "fracture", "infection", "stroke"], rows),
    }
    pacsv.write_csv(pa.table(columns), path)


def run(folder: Path, rows: int, program: str) -> dict[str, Any]:
    """Go the whole way; what was seen, and how long each part took."""
    path = folder / "million.csv"
    table(path, rows)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with chromium(program) as browser:
        with served(folder) as server:
            page = walk.enter(browser.new_context(viewport={"width": 1280, "height": 900}), server.link())
            seen = _way(page, path)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return seen | {"records": rows, "columns": 5, "megabytes": path.stat().st_size / 2**20, "cpu_seconds": cpu}


def _way(page: Any, path: Path) -> dict[str, Any]:
    times: list[dict[str, Any]] = []
    start = time.perf_counter()

    def lap(what: str) -> None:
        nonlocal start
        times.append({"what": what, "seconds": time.perf_counter() - start})
        print(f"{what:60} {times[-1]['seconds']:7.1f} s", flush=True)
        start = time.perf_counter()

    walk.upload(page, path)
    walk.heading(page, "What is each column").wait_for(timeout=LONG)
    lap("until the columns are shown")
    walk.go(page, "Protect")
    walk.preview(page, 5)
    lap("until a preview is there")
    walk.go(page, "Release")
    walk.button(page, "Make the release").click()
    page.get_by_role("status").filter(has_text="grouping").wait_for(timeout=LONG)
    lap("until the grouping has begun")
    walk.button(page, "Cancel").click()
    page.get_by_role("alert").filter(has_text="cancelled").wait_for(timeout=LONG)
    lap("until a cancelled run is said to be")
    walk.button(page, "Make the release").click()
    steps = _followed(page)
    lap("from the button to the downloads")
    engine = "in memory" if page.get_by_text("was made in memory").count() else "from file to file"
    lines = walk.download(page, "The table").count(b"\n")
    lap("until the table is downloaded")
    return {"rows": times, "steps": len(steps), "engine": engine, "downloaded": lines - 1, "k": 5, "method": "auto"}


def _followed(page: Any) -> list[str]:
    """What the page says of a run until there are downloads, without the seconds."""
    said: list[str] = []
    while walk.heading(page, "To hand out").count() == 0:
        now = re.sub(r", \d+ s.*", "", page.evaluate(RUNNING), flags=re.DOTALL)
        if now and now not in said:
            said.append(now)
            print(f"  {now}", flush=True)
        assert page.get_by_role("alert").count() == 0, page.get_by_role("alert").first.inner_text()
        page.wait_for_timeout(200)
    return said
