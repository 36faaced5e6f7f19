"""What `make demo` and `covey demo` show: a release of the bundled table."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from rich.console import Console

from covey.certificate import version
from covey.datasets import load_patients
from covey.grouping import METHODS
from covey.release import release
from covey.report.render import to_text
from covey.space import Auto

if TYPE_CHECKING:
    from pathlib import Path

    from covey.report.collect import Report

K = 5
CHOICES: dict[str, Any] = {
    "quasi": ["age", "sex", "region", "admitted", "charge"],
    "sensitive": ["diagnosis"],
    "keep": ["visits"],
    "drop": ["patient", "discharged", "income"],
    "edits": ["charge >= 0"],
}


def run(folder: Path, *, force: bool = False) -> None:
    """Release the patients into a folder and print the summary and where the report is."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"covey {version()}: 3000 simulated hospital stays, k = {K}")
    console.print("quasi-identifiers (grouped): " + ", ".join(CHOICES["quasi"]))
    folder.mkdir(parents=True, exist_ok=True)
    done = release(load_patients("pyarrow"), k=K, **CHOICES)
    done.write(
        folder / "release.csv", force=force, report=folder / "report.html", certificate=folder / "certificate.json"
    )
    summarise(done.report, console)
    console.print(f"release: {folder / 'release.csv'}\nreport: {folder / 'report.html'}")


def summarise(report: Report, console: Console) -> None:
    """Print a report as text."""
    console.print(to_text(report), end="", markup=False)


def methods() -> dict[str, tuple[str, list[str]]]:
    """Every method by name: what it is, and its options."""
    found = {}
    for name, kind in {"auto": Auto, **METHODS}.items():
        text = (kind.__doc__ or "").strip().splitlines()[0]
        text = "one column: optimal; several: fast and good" if name == "auto" else text
        options = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        found[name] = (text, [option for option in options if option not in ("cost", "progress")])
    del found["each-column"]  # not jointly k-anonymous: blocks offer that, recounted
    return found
