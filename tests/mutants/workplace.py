"""A copy of the project in which mutants are planted and taken out again, one after the other, and tests are run."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.mutants.planted import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.mutants.planted import Mutant

KERNELS = ("line", "diverse", "space", "network", "treewidth", "uniques")
FOLDERS = ("src", "tests", "benchmarks", "docs", ".github")
FILES = ("CMakeLists.txt", "Makefile", "pyproject.toml", "README.md", "CITATION.cff", "CONTRIBUTING.md", "CHANGELOG.md")
GREEN, RED = 0, 1  # exit codes of pytest
# An editable install would answer `import covey` with the project instead of its copy.
SITE = """import sys

sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("_editable")]
"""


class Run(NamedTuple):
    """What came of a run of tests: green, red, or None where they could not be run; the first that failed; how long."""

    green: bool | None
    why: str
    seconds: float


def stale_kernels(file: str) -> tuple[str, ...]:
    """The kernels that a change of this file makes it necessary to build again."""
    if not (file.startswith("src/covey/_kernels/") and file.endswith((".hpp", ".cpp"))):
        return ()
    own = tuple(name for name in KERNELS if file.startswith(f"src/covey/_kernels/{name}"))
    return own or KERNELS  # what they share changes them all


class Workplace:
    """A copy of the project; kernels are as installed, but for those that a mutant, or its control, needs built here."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.site = folder / "site"
        self.build = folder / "build"
        self.plain = folder / "plain"  # kernels that were built here, without a mutant
        self._copy()

    def _copy(self) -> None:
        self.project.mkdir(parents=True)
        for name in FOLDERS:
            ignored = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(ROOT / name, self.project / name, ignore=ignored)
        for name in FILES:
            shutil.copy2(ROOT / name, self.project / name)
        self.site.mkdir()
        (self.site / "sitecustomize.py").write_text(SITE)
        self._use_kernels(installed_kernels())
        code = "import covey._kernels.line as line; print(line.__file__)"
        imported = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.site,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        if self.project not in Path(imported.stdout.strip()).parents:
            message = f"tests would import covey from {imported.stdout.strip()} and not from the copy in {self.project}"
            raise RuntimeError(message)

    def _environment(self, *, bytecode: bool = True) -> dict[str, str]:
        paths = [str(self.site), str(self.project / "src")]
        more = {} if bytecode else {"PYTHONDONTWRITEBYTECODE": "1"}
        return os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | more

    def _use_kernels(self, modules: list[Path]) -> None:
        for module in modules:
            target = self.project / "src" / "covey" / "_kernels" / module.name
            target.unlink(missing_ok=True)  # a copy over a file that is mapped would change it for who has it open
            shutil.copy2(module, target)

    @contextmanager
    def plain_kernels(self, kernels: tuple[str, ...]) -> Iterator[None]:
        """Within it these kernels are those of the project, built as they are for a mutant."""
        missing = tuple(kernel for kernel in kernels if not list(self.plain.glob(f"{kernel}.*")))
        if missing:
            self._build(missing)
            self.plain.mkdir(exist_ok=True)
            for module in self._built(missing):
                shutil.copy2(module, self.plain)
        self._use_kernels([module for kernel in kernels for module in self.plain.glob(f"{kernel}.*")])
        try:
            yield
        finally:
            self._use_kernels(installed_kernels(kernels))

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Within it the mutant is in the copy, and in its kernels."""
        path = self.project / mutant.file
        text, status = path.read_text(encoding="utf-8"), path.stat()
        kernels = stale_kernels(mutant.file)
        try:
            path.write_text(mutant.changed(text), encoding="utf-8")
            if kernels:
                self._build(kernels)
                self._use_kernels(self._built(kernels))
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            if not kernels:
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # its bytecode is the right one again
            self._use_kernels(installed_kernels(kernels))

    def _build(self, kernels: tuple[str, ...]) -> None:
        """Compile kernels of the copy; less optimised than the package: quicker, and the same algorithms."""
        if not self.build.exists():
            flags = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-w", "-DCOVEY_OPTIMIZE=-O1"]
            flags.append(f"-DPython_EXECUTABLE={sys.executable}")
            run_tool(["cmake", "-S", str(self.project), "-B", str(self.build), "-G", "Ninja", *flags])
        run_tool(["cmake", "--build", str(self.build), "--parallel", "1", "--target", *kernels])

    def _built(self, kernels: tuple[str, ...]) -> list[Path]:
        return [next(self.build.glob(f"{kernel}.*so")) for kernel in kernels]

    def run(self, tests: tuple[str, ...], limit: float, *, bytecode: bool) -> Run:
        """Run tests of the copy until one fails. A crash of the interpreter, and too long a time, are failures."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--assert=plain", "-p", "no:cacheprovider", *tests]
        environment = self._environment(bytecode=bytecode)
        start = time.perf_counter()
        try:
            done = subprocess.run(
                command, cwd=self.project, env=environment, capture_output=True, text=True, check=False, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return Run(green=False, why=f"not done in {limit:.0f} s", seconds=limit)
        seconds = time.perf_counter() - start
        if done.returncode in (GREEN, RED):
            failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", done.stdout, re.MULTILINE)
            return Run(green=done.returncode == GREEN, why=failed[1] if failed else "", seconds=seconds)
        if done.returncode < 0:
            return Run(green=False, why=f"ended by signal {-done.returncode}", seconds=seconds)
        return Run(green=None, why=f"{done.stdout[-1500:]}{done.stderr[-500:]}", seconds=seconds)


def installed_kernels(kernels: tuple[str, ...] = KERNELS) -> list[Path]:
    """The compiled modules of the package that runs this."""
    modules = [importlib.import_module(f"covey._kernels.{kernel}") for kernel in kernels]
    return [Path(str(module.__file__)) for module in modules]


def run_tool(command: list[str]) -> None:
    """Run cmake; where it fails, say what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        message = f"{' '.join(command[:2])} failed: {(done.stdout + done.stderr)[-2000:]}"
        raise RuntimeError(message)
