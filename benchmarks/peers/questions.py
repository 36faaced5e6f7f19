"""Asks `covey check`, pycanon and sdcMicro for k, l and t of the same files and compares all with the count by definition."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.harness.measure import ROOT, peer_command
from benchmarks.peers import classes
from benchmarks.peers.cells import MEASURES_BY_R, SDCMICRO

QUASI = ("age", "sex", "region")
DEFINITION_UP_TO = 10**5
TOLERANCE = 1e-9
Row = dict[str, Any]


def table(n: int) -> pd.DataFrame:
    """Coarse quasi-identifiers, a sensitive category and a sensitive number."""
    rng = np.random.default_rng(n)
    return pd.DataFrame(
        {
            "age": rng.integers(0, 8, n) * 10 + 5,
            "sex": rng.choice(["f", "m"], n),
            "region": rng.choice(["north", "east", "south", "west"], n),
            "diagnosis": rng.choice(["flu", "asthma", "fracture", "stroke"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "stay": rng.integers(1, 15, n),
        }
    )


def questions(sizes: tuple[int, ...]) -> list[tuple[str, pd.DataFrame, str, int]]:
    """Name, table, sensitive column, rows left out by a filter."""
    alone = table(1000)
    alone["region"] = alone["region"].astype(object)
    alone.loc[7, "region"] = None
    some = table(1000)
    some["diagnosis"] = some["diagnosis"].astype(object)
    some.loc[::50, "diagnosis"] = None
    return [
        *((f"{n:.0e} rows, a category", table(n), "diagnosis", 0) for n in sizes),
        ("1000 rows, a number", table(1000), "stay", 0),
        ("one missing quasi-identifier", alone, "diagnosis", 0),
        ("missing sensitive values", some, "diagnosis", 0),
        ("a filtered dataframe", table(1000), "diagnosis", 400),
    ]


def definition(frame: pd.DataFrame, sensitive: str, left_out: int) -> dict[str, float] | None:
    if len(frame) > DEFINITION_UP_TO:
        return None
    rows = frame[left_out:].astype(object).where(frame[left_out:].notna(), None).to_dict("records")
    return classes.count([{str(name): value for name, value in row.items()} for row in rows], QUASI, sensitive)


def ask(python: str, package: str, file: Path, sensitive: str, left_out: int, limit: float) -> Row:
    asked = (str(file), ",".join(QUASI), sensitive, str(left_out))
    is_r = package == SDCMICRO
    command = [python, MEASURES_BY_R, "keys", *asked] if is_r else peer_command(python, "measures", package, *asked)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"over": limit}
    told: Row = json.loads(done.stdout) if done.returncode == 0 else {"error": f"exit code {done.returncode}"}
    return told


def differences(told: Row, expected: dict[str, float] | None) -> list[str]:
    """Which measures are wrong, and by how much."""
    if "error" in told:
        return [f"failed: {told['error']}"]
    if expected is None or "measures" not in told:
        return []
    found = told["measures"]
    return [
        f"{name} = {found[name]:.4g}, counted {expected[name]:.4g}"
        for name in expected
        if name in found and abs(found[name] - expected[name]) > TOLERANCE
    ]


def measure_all(python: str, rscript: str, sizes: tuple[int, ...], limit: float) -> tuple[list[Row], list[str]]:
    """A row for each question and package, and who is not there; sdcMicro where `rscript` is not empty."""
    packages = {"covey": sys.executable}
    missing = []
    if Path(python).exists():
        packages["pycanon"] = python
    else:
        missing.append("pycanon is not installed here")
    if rscript:
        packages[SDCMICRO] = rscript
    rows: list[Row] = []
    for name, frame, sensitive, left_out in questions(sizes):
        expected = definition(frame, sensitive, left_out)
        with tempfile.TemporaryDirectory(prefix="peers-") as folder:
            file = Path(folder) / "table.csv"
            frame.to_csv(file, index=False)
            for package, program in packages.items():
                told = ask(program, package, file, sensitive, left_out, limit)
                row = {"package": package, "question": name, "rows": len(frame) - left_out, "counted": expected}
                rows.append(row | told | {"wrong": differences(told, expected)})
                print(rows[-1], flush=True)
    return rows, missing
