"""What all benchmarks share: the peer's process, memory in a process of its own, and the JSON that they write."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

BENCHMARKS = Path(__file__).parents[1]
ROOT = BENCHMARKS.parent
RESULTS = BENCHMARKS / "results"
FIGURES = BENCHMARKS / "figures"


def peer_command(python: str, name: str, *arguments: str) -> list[str]:
    """How a module of benchmarks/peers is run by another interpreter, from the root of the project."""
    return [python, "-m", f"benchmarks.peers.{name}", *arguments]


class Peer:
    """A package in another environment, asked over pipes, so that its calls can alternate with ours."""

    def __init__(self, python: str, name: str) -> None:
        self.python = python
        command = peer_command(python, name)
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.greeting = self._read()

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def best_of(repeats: int, call: Callable[[], Any]) -> float:
    return min(seconds(call) for _ in range(repeats))


def in_new_process(code: str) -> str:
    """What the code prints, run by this interpreter in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout.strip()


def machine() -> dict[str, Any]:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    x = np.random.default_rng(0).random(10**6)
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "np.sort of 1e6 doubles, ms": round(1000 * best_of(5, lambda: np.sort(x)), 1),
    }


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def write(name: str, topic: str, content: dict[str, Any], options: str = "") -> None:
    """Write what a topic measured, with the command that measures it again, the commit and the machine."""
    git = ["git", "-C", str(ROOT)]
    commit = _output([*git, "rev-parse", "--short", "HEAD"])
    if _output([*git, "status", "--porcelain", "--", "src", "CMakeLists.txt", "benchmarks/*.py"]):
        commit += "-dirty"  # code was changed since
    header = {
        "command": f"python -m benchmarks.{topic}.run {options}".rstrip(),
        "commit": commit,
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "machine": machine(),
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(header | content, indent=1) + "\n")
