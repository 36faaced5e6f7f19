"""What an installed copy says about itself is true: version, types, extras, citation."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import covey
from covey.commands.demo import release_of

ROOT = Path(__file__).parents[1]
KERNELS = ("line", "diverse", "space", "network", "treewidth", "uniques")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_version_is_the_installed_one() -> None:
    assert covey.__version__ == importlib.metadata.version("covey")


def test_a_package_index_shows_no_link_that_leads_nowhere() -> None:
    """Links of README.md lead into the clone: the description of the package has their words alone."""
    metadata = importlib.metadata.metadata("covey")
    text = metadata.get_payload() or metadata["Description"]
    assert "pip install" in text
    assert "The report: what was lost" in text
    assert re.findall(r"\]\((?!https?:)", text) == []


@pytest.mark.parametrize(
    ("version", "release"),
    [("0.1.0", "0.1.0"), ("0.1.0.dev9+g1f8de6f", "0.1.0"), ("1.12.3.post1.dev7+g1f8de6f.d20261116", "1.12.3")],
)
def test_the_demo_names_the_release_not_the_commit(version: str, release: str) -> None:
    assert release_of(version) == release


def stub_of(kernel: str) -> dict[str, ast.stmt]:
    """What a stub declares by name, without types of its own; a name that stands for another has what that one has."""
    path = Path(covey.__file__).parent / "_kernels" / f"{kernel}.pyi"
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
        elif (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Name)
        ):
            found[node.targets[0].id] = found[node.value.id]
    return {name: node for name, node in found.items() if not name.startswith("_")}


@pytest.mark.parametrize("kernel", KERNELS)
def test_stubs_name_what_the_kernels_have(kernel: str) -> None:
    module = importlib.import_module(f"covey._kernels.{kernel}")
    stub = stub_of(kernel)
    assert {name for name in dir(module) if not name.startswith("_")} == set(stub)
    for name, node in stub.items():
        if isinstance(node, ast.ClassDef):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)} - {"__init__"}
            assert methods == {part for part in dir(getattr(module, name)) if not part.startswith("_")}


@pytest.mark.parametrize("kernel", KERNELS)
def test_stubs_name_the_arguments(kernel: str) -> None:
    """Signatures stand in the docstrings of kernels: the number of arguments must be that of the stub."""
    module = importlib.import_module(f"covey._kernels.{kernel}")
    for name, node in stub_of(kernel).items():
        if isinstance(node, ast.FunctionDef):
            signature = (getattr(module, name).__doc__ or "").splitlines()[0]
            arguments = re.findall(r"(?:^|, )(\w+): ", signature.partition("(")[2].rpartition(") -> ")[0])
            assert len(arguments) == len(node.args.args), signature


def test_it_is_typed() -> None:
    assert (Path(covey.__file__).parent / "py.typed").exists()
    assert "Typing :: Typed" in PROJECT["classifiers"]


def test_every_extra_is_documented() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", page, flags=re.MULTILINE)
    documented = {name: set(re.findall(r"[\w-]+", brings)) for name, brings, _ in table}
    declared = {
        name: {re.split(r"[\[<>=]", requirement)[0] for requirement in needs if not requirement.startswith("covey")}
        for name, needs in PROJECT["optional-dependencies"].items()
    }
    assert set(documented) == set(declared)
    for name, packages in declared.items():
        assert packages <= documented[name], name


def test_the_citation_has_the_papers_and_the_license() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for title in (
        "Faster Optimal Univariate Microaggregation",
        "-diversity clustering on the line",
        "The Parameterized Complexity of Network Microaggregation",
        "Repeated Record Ordering for Constrained Size Clustering",
    ):
        assert title in text
    assert f"license: {PROJECT['license']}" in text


ELSEWHERE = """
import importlib, os, pkgutil, signal, sys
import covey, tempfile, multiprocessing, subprocess, asyncio  # the standard library was made for this system, and stays as it is
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None
for name in ("O_TMPFILE", "O_NOFOLLOW", "O_CLOEXEC", "O_DIRECTORY", "getuid", "geteuid", "sysconf", "fork", "memfd_create"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGKILL", "SIGALRM"):
    delattr(signal, name)
for module in list(sys.modules):
    if module.partition(".")[0] == "covey" and "_kernels" not in module:
        del sys.modules[module]
import covey
for module in pkgutil.walk_packages(covey.__path__, "covey."):
    if "_kernels" not in module.name:
        importlib.import_module(module.name)
"""


def test_every_module_is_imported_where_there_is_no_unix() -> None:
    """What Windows lacks is taken away; a function that needs it may fail, an import must not."""
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
