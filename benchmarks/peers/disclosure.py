"""Asks Covey and sdcMicro for the risk and the losses of the same released numbers."""

from __future__ import annotations

import functools
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

import covey
from benchmarks.peers.cells import MEASURES_BY_R
from covey.risk.intervals import deviation_intervals
from covey.utility.correlations import eigenvalues
from covey.utility.information_loss import il1s
from tests.evidence import evidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.evidence import Evidence, Measured

Row = dict[str, Any]
TOLERANCE = 1e-8


class Pair(NamedTuple):
    """A measure of ours, what sdcMicro calls it, and in which way it is another one there."""

    name: str
    function: str
    ours: Callable[[Evidence], list[Measured]]
    is_sum: bool = False
    divides_by_rounding: bool = False


PAIRS = (
    Pair("dRisk", "dRisk", functools.partial(deviation_intervals, deviations=0.05)),
    Pair("IL1s", 'dUtility, "IL1s"', il1s, is_sum=True),
    Pair("eigen", 'dUtility, "eigen"', eigenvalues, divides_by_rounding=True),
)


def ask_r(program: str, original: pd.DataFrame, released: pd.DataFrame) -> Row:
    """What sdcMicro says of a released table beside its original."""
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        files = [Path(folder) / name for name in ("original.csv", "released.csv")]
        for file, frame in zip(files, (original, released), strict=True):
            frame.to_csv(file, index=False, float_format="%.17g")
        command = [program, MEASURES_BY_R, "numbers", *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    answer: Row = json.loads(done.stdout) if done.returncode == 0 else {"error": f"exit code {done.returncode}"}
    return answer


def difference(pair: Pair, X: np.ndarray) -> str:
    """In which way sdcMicro measures something else on this table."""
    if pair.is_sum:
        return "a sum over cells there, their mean here"
    if pair.divides_by_rounding and np.linalg.matrix_rank(X - X.mean(axis=0)) < X.shape[1]:
        return "columns depend on each other: it divides by an eigenvalue that is rounding alone, left out here"
    return ""


def compare(program: str, name: str, X: np.ndarray, k: int) -> list[Row]:
    """A row for each measure of the groups of MDAV."""
    frame = pd.DataFrame(X, columns=[f"x{column}" for column in range(X.shape[1])])
    labels = covey.partition(X, k, method="mdav").labels
    answer = ask_r(program, frame, frame.groupby(labels).transform("mean"))
    shown = evidence({str(column): frame[column].tolist() for column in frame}, labels.tolist())
    rows = []
    for pair in PAIRS:
        start = time.perf_counter()
        ours = pair.ours(shown)[0].value
        took = time.perf_counter() - start
        theirs = answer.get("measures", {}).get(pair.name)
        mean = theirs / X.size if theirs is not None and pair.is_sum else theirs
        row: Row = {
            "table": name,
            "k": k,
            "function": pair.function,
            "sdcmicro": theirs,
            "covey": ours,
            "seconds": took,
        }
        row["agrees"] = mean is not None and abs(mean - ours) <= TOLERANCE * max(1.0, abs(ours))
        row["note"] = answer.get("error", difference(pair, X))
        rows.append(row)
        print(row, flush=True)
    return rows
