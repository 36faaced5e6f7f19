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

    room: str
    name: str
    file: str
    red: tuple[str, ...]
    old: str
    new: str

    def changed(self, text: str) -> str:
        """The text of its file with the wrong change in it."""
        if text.count(self.old) != 1:
            msg = f"{self.name}: its old text stands {text.count(self.old)} times in {self.file}; needed: once"
            raise ValueError(msg)
        return text.replace(self.old, self.new)


def mutants() -> list[Mutant]:
    """All of them, by name; the room of each is the name of the file that it stands in."""
    tables = [
        table | {"room": path.stem, "red": tuple(table["red"])}
        for path in sorted(HERE.glob("*.toml"))
        for table in tomllib.loads(path.read_text())["mutant"]
    ]
    return sorted((Mutant(**table) for table in tables), key=lambda mutant: mutant.name)
