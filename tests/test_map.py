"""The map of CONTRIBUTING.md: every room, with the layer that the imports are tested for; and the walk of a release names what exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.test_imports import LAYERS, NETWORK, NETWORK_LAYERS, ROOT

PAGE = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
NOT_MIRRORED = {"benchmarks", "contract", "fuzz", "mutants"}  # what tests have beside the rooms


class Line(NamedTuple):
    layer: str
    path: str
    below: str
    above: str


def lines() -> list[Line]:
    rows = [
        [cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if re.match(r"\| \d", row)
    ]
    return [Line(layer, path.strip("`"), below, above) for layer, path, _, below, above in rows]


def expected(layers: list[set[str]], package: Path) -> list[Line]:
    def span(first: int, last: int) -> str:
        return "none" if first > last else str(first) if first == last else f"{first} to {last}"

    def shown(name: str) -> str:
        return f"{name}/" if (package / name).is_dir() and name else f"{name or '__init__'}.py"

    return [
        Line(str(level), shown(name), span(0, level - 1), span(level + 1, len(layers) - 1))
        for level, names in enumerate(layers)
        for name in sorted(names)
    ]


def test_the_map_is_that_of_the_layers() -> None:
    assert lines() == [*expected(LAYERS, ROOT), *expected(NETWORK_LAYERS, NETWORK)]


@pytest.mark.parametrize("package", [ROOT, NETWORK], ids=lambda package: package.name)
def test_every_room_is_on_the_map(package: Path) -> None:
    layers = LAYERS if package == ROOT else NETWORK_LAYERS
    mapped = {line.path for line in expected(layers, package)}
    rooms = {f"{path.name}/" if path.is_dir() else path.name for path in package.iterdir()}
    assert {room for room in rooms if room.endswith((".py", "/")) and room != "__pycache__/"} == mapped


def test_the_folders_of_tests_are_rooms() -> None:
    folders = {path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")}
    assert folders - NOT_MIRRORED <= {name for names in LAYERS for name in names}


def walk() -> list[str]:
    """The names of the walk of a release, in its order."""
    section = PAGE.split("## The walk of a release")[1].split("\n## ")[0]
    return re.findall(r"`(covey(?:\.\w+)+)`", section)


@pytest.mark.parametrize("name", walk())
def test_the_walk_names_what_exists(name: str) -> None:
    """A function or a class of a module, or a function of a class."""
    parts = name.split(".")
    files = [ROOT.parent.joinpath(*parts[:length]).with_suffix(".py") for length in range(len(parts), 1, -1)]
    length = len(parts) - next(number for number, file in enumerate(files) if file.exists())
    place: object = importlib.import_module(".".join(parts[:length]))
    for part in parts[length:]:
        place = getattr(place, part)
    assert callable(place), name


def test_the_walk_is_a_walk() -> None:
    assert len(walk()) > 30
