"""What became of mutants and of their tests without them, a JSON line each, so that a run goes on where another stopped."""

from __future__ import annotations

import hashlib
import json
import threading
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.mutants.planted import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mutants.planted import Mutant

COMPILED = (".pyc", ".so")


class Outcome(StrEnum):
    """KILLED: a test turned red. SURVIVED: none did. RED: one is red without it. BROKEN: it does not build, or no test can be run."""

    KILLED = "killed"
    SURVIVED = "survived"
    RED = "red without it"
    BROKEN = "broken"


class Control(NamedTuple):
    """Tests without a mutant, with these kernels built for it: whether they are green, and how long they take."""

    green: bool
    why: str
    seconds: float


@cache
def digest(*paths: str) -> str:
    """Stands for the texts of these files and folders of the project."""
    places = [ROOT / path for path in paths]
    files = [file for place in places for file in (sorted(place.rglob("*")) if place.is_dir() else [place])]
    texts = [file.read_bytes() for file in files if file.is_file() and file.suffix not in COMPILED]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:20]


def mutant_key(mutant: Mutant) -> str:
    """Changes with the mutant, its file and the tests that it names."""
    texts = digest(mutant.file, *(test.split("::")[0] for test in mutant.red))
    return hashlib.sha256("\0".join([mutant.old, mutant.new, *mutant.red, texts]).encode()).hexdigest()[:20]


def control_key(test: str, kernels: tuple[str, ...]) -> str:
    """Changes with the test and with anything of the package."""
    return "-".join([digest("src", test.split("::", maxsplit=1)[0]), *kernels])


class Log:
    """The lines of a file, if there is one, and those that are added to it; and a list of killed mutants that is kept with the project."""

    def __init__(self, path: Path | None, kept: Path | None = None) -> None:
        self._path, self._kept, self._lock = path, kept, threading.Lock()
        self._list: dict[str, str] = {}
        if kept is not None and kept.exists():
            self._list = json.loads(kept.read_text(encoding="utf-8"))
        self.killed: set[tuple[str, str]] = set(self._list.items())
        self.controls: dict[tuple[str, str], Control] = {}
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        for line in map(json.loads, lines):
            if line.get("outcome") == Outcome.KILLED:
                self.killed.add((line["mutant"], line["key"]))
            elif line.get("green"):
                self.controls[line["tests"], line["key"]] = Control(green=True, why="", seconds=line["seconds"])

    def knows_killed(self, mutant: Mutant) -> bool:
        return (mutant.name, mutant_key(mutant)) in self.killed

    def add_mutant(self, mutant: Mutant, outcome: Outcome, why: str, seconds: float) -> None:
        key = mutant_key(mutant)
        self._add(mutant=mutant.name, key=key, outcome=outcome, why=why, seconds=round(seconds, 1))
        self._keep(mutant.name, key if outcome is Outcome.KILLED else None)

    def add_control(self, test: str, key: str, control: Control) -> None:
        self._add(tests=test, key=key, green=control.green, why=control.why, seconds=round(control.seconds, 1))

    def _keep(self, name: str, key: str | None) -> None:
        """Enter a mutant that was killed; strike one that was not."""
        with self._lock:
            self._list = {known: old for known, old in self._list.items() if known != name}
            if key is not None:
                self._list[name] = key
            if self._kept is not None:
                self._kept.write_text(json.dumps(self._list, indent=0, sort_keys=True) + "\n", encoding="utf-8")

    def _add(self, **fields: Any) -> None:
        if self._path is not None:
            with self._lock, self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(fields) + "\n")
