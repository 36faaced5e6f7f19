"""Imports point one way, heavy packages stay outside until they are needed."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import covey

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(covey.__file__).parent
NETWORK = ROOT / "network"

# The rooms, from the bottom up: a module may import modules of lower layers and of its own room.
LAYERS = [
    {"errors", "_kernels"},
    {"utils", "costs", "core", "privacy"},
    {"datasets", "ledger", "line", "recount"},
    {"columns", "space"},
    {"recipe", "methods", "evidence"},
    {"risk", "utility", "sklearn", "compat", "units"},
    {"measures"},
    {"report"},
    {"io", "protect"},
    {"memory"},
    {"parts", "tables"},
    {"files"},
    {"spark", "comparison", "network"},
    {"checking"},
    {""},
    {"web"},
    {"commands"},
    {"cli"},
    {"__main__"},
]
# The rooms of networks, in the same way.
NETWORK_LAYERS = [
    {"graph"},
    {"directions", "instances", "reading", "graph_files", "lists", "two_files"},
    {"methods", "formats"},
    {"publish"},
    {""},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
NETWORK_LEVEL = {name: level for level, names in enumerate(NETWORK_LAYERS) for name in names}
ONLY_IN = {"narwhals": {"frame.py"}}
MADE_FOR = {  # who imports the file has the package
    "sklearn.py": {"sklearn"},
    "cli.py": {"typer"},
}
NEVER_AT_THE_TOP = {"narwhals", "pandas", "polars", "pyarrow", "scipy", "sklearn", "highspy", "ortools", "matplotlib"}
NEVER_AT_THE_TOP |= {
    "networkx",
    "igraph",
    "duckdb",
    "fastexcel",
    "jinja2",
    "psycopg",
    "pyspark",
    "pyreadstat",
    "rich",
    "tomli_w",
    "typer",
    "xlsxwriter",
    "nicegui",
    "fastapi",
    "starlette",
    "uvicorn",
}
# Every recount, by its whole name, and all that these may lead to: a recount shares nothing with what made the release.
RECOUNTS = (
    "covey.recount",
    "covey.privacy",
    "covey.spark.recount",
    "covey.spark.sensitive",
    "covey.network.publish.recount",
)
SHARED_BY_RECOUNTS = {
    "covey.errors",
    "covey.utils.arrow",
    "covey.utils.extras",
    "covey.core.requirement",
    "covey.spark.shipping",
    "covey.spark.sql",
    "covey.spark.tasks",
}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, *, top_only: bool) -> tuple[str, ...]:
    names: list[str] = []
    for node in parsed(path).body if top_only else ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(names)


@cache
def typing_only(path: Path) -> frozenset[str]:
    blocks = [node for node in parsed(path).body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    nodes = [node for block in blocks for statement in block.body for node in ast.walk(statement)]
    return frozenset(f"{n.module}.{a.name}" for n in nodes if isinstance(n, ast.ImportFrom) for a in n.names)


def room(parts: Sequence[str], levels: dict[str, int]) -> str:
    """The room that a path or a name below the package lies in; "" is the package itself."""
    return parts[0] if parts and parts[0] in levels else ""


def own_room(path: Path, package: Path) -> str:
    parts = path.relative_to(package).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def imports_that_point_up(path: Path, package: Path, levels: dict[str, int]) -> list[str]:
    """What a module imports of its package from rooms that do not lie below its own."""
    own = own_room(path, package)
    prefix = ".".join(package.relative_to(ROOT.parent).parts) + "."
    names = [name for name in imports(path, top_only=False) if f"{name}.".startswith(prefix)]
    other = {
        name: room(name.removeprefix(prefix).split("."), levels) for name in names if name not in typing_only(path)
    }
    return [name for name, of in other.items() if of != own and levels[of] >= levels[own]]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    own = own_room(path, ROOT)
    assert own in LEVEL, f"{own} has no layer; add it to LAYERS, and to the map in CONTRIBUTING.md"
    assert imports_that_point_up(path, ROOT, LEVEL) == []
    for package, files in ONLY_IN.items():
        if path.name not in files:
            assert package not in {name.split(".")[0] for name in imports(path, top_only=False)}
    never = NEVER_AT_THE_TOP - MADE_FOR.get(
        str(path.relative_to(ROOT)), {"rich", "typer"} if own == "commands" else set()
    )
    assert not never & {name.split(".")[0] for name in imports(path, top_only=True)}


@pytest.mark.parametrize("path", sorted(NETWORK.rglob("*.py")), ids=lambda path: str(path.relative_to(NETWORK)))
def test_imports_within_networks_point_one_way(path: Path) -> None:
    assert own_room(path, NETWORK) in NETWORK_LEVEL, "add it to NETWORK_LAYERS"
    assert imports_that_point_up(path, NETWORK, NETWORK_LEVEL) == []


def module_of(name: str) -> str:
    """The module that an imported name is, or is a part of."""
    parts = name.split(".")
    while len(parts) > 1 and not (ROOT.parent.joinpath(*parts).is_dir() or is_module(".".join(parts))):
        parts.pop()
    return ".".join(parts)


def is_module(name: str) -> bool:
    return ROOT.parent.joinpath(*name.split(".")).with_suffix(".py").exists()


def inner(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def led_to(start: tuple[str, ...]) -> set[str]:
    """The modules of these names, and all that they import, step by step."""
    name_of = {path: ".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in modules()}
    name_of = {path: name.removesuffix(".__init__") for path, name in name_of.items()}
    path_of = {name: path for path, name in name_of.items()}
    todo = [name for name in path_of if inner(name, start)]
    seen = set(todo)
    while todo:
        path = path_of[todo.pop()]
        for name in imports(path, top_only=False):
            module = module_of(name)
            if name.split(".")[0] == "covey" and name not in typing_only(path) and module not in seen:
                seen.add(module)
                todo.append(module)
    return seen


@pytest.mark.parametrize("recount", RECOUNTS)
def test_a_recount_shares_nothing_with_the_methods(recount: str) -> None:
    """Not even through what it imports, module by module."""
    found = led_to((recount,))
    assert recount in found
    assert {name for name in found if not inner(name, RECOUNTS)} <= SHARED_BY_RECOUNTS


def test_every_module_named_a_recount_is_fenced() -> None:
    named = [path.relative_to(ROOT.parent).with_suffix("") for path in modules() if "recount" in path.name]
    assert [".".join(path.parts) for path in named if not inner(".".join(path.parts), RECOUNTS)] == []


def test_a_first_call_loads_no_heavy_package() -> None:
    code = (
        "import covey, sys; covey.partition([1.0, 2.0, 3.0, 4.0], 2); "
        f"print(sorted(set(sys.modules) & {NEVER_AT_THE_TOP!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_package_alone_loads_nothing() -> None:
    code = "import covey, sys; print([name for name in sys.modules if name.startswith(('covey.', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.py")), ids=lambda path: path.name)
def test_a_module_of_the_hall_says_what_others_may_import(path: Path) -> None:
    if path.stem not in ("__main__", "cli"):  # programs
        name = "covey" if path.stem == "__init__" else f"covey.{path.stem}"
        module = importlib.import_module(name)
        assert all(hasattr(module, public) for public in module.__all__)
        assert not [public for public in module.__all__ if public.startswith("_") and public != "__version__"]


def test_public_names() -> None:
    assert set(covey.__all__) >= {"Partition", "Solution", "partition", "solve", "line", "datasets"}
    assert all(hasattr(covey, name) for name in covey.__all__)
