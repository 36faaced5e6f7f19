"""`covey demo` and `make demo`: a release of the bundled table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from covey.datasets import load_patients
from covey.measures.measures import Measuring
from covey.memory import release
from covey.report.render import to_text
from covey.utils.version import version

K = 5
CHOICES: dict[str, Any] = {
    "quasi": ["age", "sex", "region", "admitted", "charge"],
    "sensitive": ["diagnosis"],
    "keep": ["visits"],
    "drop": ["patient", "discharged", "income"],
    "edits": ["charge >= 0"],
}


def release_of(version: str) -> str:
    """The release that a version belongs to: what the demo prints does not change with every commit.

    >>> release_of("0.2.0.dev12+g1f8de6f")
    '0.2.0'
    """
    return ".".join(version.partition("+")[0].split(".")[:3])


def demo_command(
    folder: Annotated[Path, typer.Option(help="Where to write the release.")] = Path("covey-demo"),
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Make a release of the bundled table and show what was lost."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"covey {release_of(version())}: 3000 simulated hospital stays, k = {K}")
    console.print("quasi-identifiers (grouped): " + ", ".join(CHOICES["quasi"]))
    folder.mkdir(parents=True, exist_ok=True)
    done = release(load_patients("pyarrow"), k=K, measuring=Measuring(), ledger=False, **CHOICES)
    companions = {"report": folder / "report.html", "certificate": folder / "certificate.json"}
    done.write(folder / "release.csv", force=force, ledger=False, **companions)
    console.print(to_text(done.report, brief=True), end="", markup=False)
    console.print(f"release: {folder / 'release.csv'}\nreport: {folder / 'report.html'}")
