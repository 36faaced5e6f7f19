"""Imports point one way, heavy packages stay outside until they are needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import covey

ROOT = Path(covey.__file__).parent

# From the bottom up: a module may import modules of lower layers and of its own.
LAYERS = [
    {"errors", "_kernels"},
    {"partition", "costs", "extras", "entropy", "requirement", "solvers", "nameless"},
    {"frame", "values", "cells", "roles", "verify", "privacy", "fingerprint"},
    {"aggregation", "arrays", "solution", "coordinates", "edits", "coding", "strata", "exposure", "gap", "held"},
    {"recipe", "method", "dominance", "evidence", "distributions"},
    {"effects", "weights", "certificate", "risk", "utility", "ledger"},
    {"measures"},
    {"line", "report", "prepare"},
    {"space", "io", "network"},
    {"grouping", "datasets", "compat"},
    {"demands"},
    {"groups"},
    {"protect"},
    {"release"},
    {"scale"},
    {"spark"},
    {"comparison"},
    {""},
    {"demo", "sklearn", "checking"},
    {"web"},
    {"commands"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
ONLY_IN = {"narwhals": {"frame.py"}}
MADE_FOR = {  # who imports the file has the package
    "sklearn.py": {"sklearn"},
    "cli.py": {"typer"},
    "demo.py": {"rich"},
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
RECOUNT = ("verify.py", "held.py", "privacy", "scale/counting.py")
NOT_FOR_THE_RECOUNT = {
    "line",
    "space",
    "network",
    "partition",
    "aggregation",
    "grouping",
    "demands",
    "groups",
    "protect",
    "release",
}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imports(path: Path, *, top_only: bool) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if top_only else list(ast.walk(tree))
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def typing_only(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    module = ast.Module(body=[statement for block in blocks for statement in block.body], type_ignores=[])
    return [f"{n.module}.{a.name}" for n in ast.walk(module) if isinstance(n, ast.ImportFrom) for a in n.names]


def layer(name: str) -> int:
    parts = name.split(".")
    inner = parts[1] if len(parts) > 1 and parts[1] in LEVEL else ""
    return LEVEL[inner]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    relative = path.relative_to(ROOT)
    own = relative.parts[0].removesuffix(".py") if relative.name != "__init__.py" or len(relative.parts) > 1 else ""
    assert own in LEVEL, f"{own} has no layer; add it to LAYERS"
    for name in imports(path, top_only=False):
        if name.split(".")[0] == "covey" and name not in typing_only(path):
            assert layer(name) <= LEVEL[own], f"{relative} imports {name}, which lies above it"
    for package, files in ONLY_IN.items():
        if relative.name not in files:
            assert package not in {name.split(".")[0] for name in imports(path, top_only=False)}
    never = NEVER_AT_THE_TOP - MADE_FOR.get(str(relative), {"rich", "typer"} if own == "commands" else set())
    assert not never & {name.split(".")[0] for name in imports(path, top_only=True)}


def test_the_recount_shares_nothing_with_the_methods() -> None:
    """Not even through what it imports."""
    seen: set[str] = set()
    todo = [path for path in modules() if path.relative_to(ROOT).parts[0] in RECOUNT]
    while todo:
        path = todo.pop()
        for name in imports(path, top_only=False):
            parts = name.split(".")
            if parts[0] != "covey" or len(parts) < 2 or name in typing_only(path) or parts[1] in seen:
                continue
            seen.add(parts[1])
            todo += [ROOT / f"{parts[1]}.py"] if (ROOT / f"{parts[1]}.py").exists() else []
    assert seen <= {"errors", "extras", "privacy", "requirement", "verify"}
    assert not seen & NOT_FOR_THE_RECOUNT


def test_a_first_call_loads_no_heavy_package() -> None:
    code = (
        "import covey, sys; covey.partition([1.0, 2.0, 3.0, 4.0], 2); "
        f"print(sorted(set(sys.modules) & {NEVER_AT_THE_TOP!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_public_names() -> None:
    assert set(covey.__all__) >= {"Partition", "Solution", "partition", "solve", "line", "datasets"}
    assert all(hasattr(covey, name) for name in covey.__all__)
