"""The small wrong changes of this folder: a file of the project, one piece of its text and what is put in its place."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@dataclass(frozen=True)
class Mutant:
    """One wrong change, and the tests that must turn red where it is made."""

    name: str
    file: str
    red: tuple[str, ...]
    old: str
    new: str

    def plant(self, project: Path) -> None:
        """Make the change in a copy of the project."""
        path = project / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            msg = f"{self.name}: its old text stands {text.count(self.old)} times in {self.file}; needed: once"
            raise ValueError(msg)
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def mutants() -> list[Mutant]:
    """All of them, by name."""
    tables = [table for path in sorted(HERE.glob("*.toml")) for table in tomllib.loads(path.read_text())["mutant"]]
    return sorted((Mutant(**table | {"red": tuple(table["red"])}) for table in tables), key=lambda mutant: mutant.name)
