"""One cell of the comparison: one package, one table, one k, in a fresh process with a limit of time and memory."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness.measure import ROOT, peer_command

HERE = Path(__file__).parent
SDCMICRO = "sdcMicro"
MEASURES_BY_R = str(HERE / "sdcmicro_measures.R")
GIB = 12  # address space of a package
PATIENCE = 300  # seconds until a package has been loaded and has made its first small call


@dataclass(frozen=True)
class Package:
    """How a package is reached: its name in `grouping.PACKAGES` or `sdcMicro, METHOD`, and the interpreter that has it."""

    name: str
    program: str

    def command(self, table: Path, k: int, target: Path) -> list[str]:
        if self.name.startswith(SDCMICRO):
            method = self.name.partition(", ")[2]
            return [self.program, str(HERE / "sdcmicro.R"), method, f"{table}.csv", str(k), f"{target}.csv"]
        return peer_command(self.program, "grouping", self.name, f"{table}.npy", str(k), f"{target}.npy", str(GIB))


def sdcmicro_methods(program: str = "Rscript") -> tuple[list[str], str]:
    """The methods of sdcMicro where R has it, or none and the reason."""
    found = shutil.which(program)
    if found is None:
        return [], "R with sdcMicro not found on this machine (no Rscript)"
    probe = subprocess.run([found, "-e", "library(sdcMicro)"], capture_output=True, check=False)
    if probe.returncode:
        return [], "R with sdcMicro not found on this machine (R has no package sdcMicro)"
    return ["mdav", "rmd", "pca", "clustpca", "onedims", "single", "simple", "influence"], ""


def run(package: Package, X: np.ndarray, k: int, limit: float) -> tuple[dict[str, Any], np.ndarray | None]:
    """What the package said, with its labels; `over` where it took longer, `error` where it failed."""
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        table, target = Path(folder) / "table", Path(folder) / "answer"
        np.save(f"{table}.npy", X)
        if package.name.startswith(SDCMICRO):
            header = ",".join(f"x{column}" for column in range(X.shape[1]))
            np.savetxt(f"{table}.csv", X, delimiter=",", header=header, comments="", fmt="%.17g")
        told = _ask(package.command(table, k, target), limit)
        return told, _labels(target, told)


def _ask(command: list[str], limit: float) -> dict[str, Any]:
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        first = _line(process, PATIENCE)
        if first is None:
            return {"error": f"ended before its first call, or took {PATIENCE} s to get there"}
        last = _line(process, limit)
        if last is None and process.poll() is None:
            return {**json.loads(first), "over": limit, "peak_mib": _peak(process.pid)}
        ended = {"error": f"the process died (exit code {process.wait()})"} if last is None else json.loads(last)
        return {**json.loads(first), **ended}
    finally:
        process.kill()
        process.communicate()  # closes the pipe


def _line(process: subprocess.Popen[str], limit: float) -> str | None:
    """The next line of its output, or None where it does not come in time."""
    stream = process.stdout
    assert stream is not None
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(stream.readline()), daemon=True)
    reader.start()
    reader.join(limit)
    if got and not got[0]:
        process.wait()  # the end of its output is the end of it
    return got[0] if got and got[0] else None


def _peak(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def _labels(target: Path, told: dict[str, Any]) -> np.ndarray | None:
    """The labels that were written; rows that were released equal share one where a package gives no labels."""
    if "error" in told or "over" in told:
        return None
    if Path(f"{target}.npy").exists():
        return np.asarray(np.load(f"{target}.npy"))
    released = np.loadtxt(f"{target}.csv", delimiter=",", skiprows=1, ndmin=2)
    return np.asarray(np.unique(released, axis=0, return_inverse=True)[1].ravel())


def ours(name: str) -> Package:
    return Package(name, sys.executable)
