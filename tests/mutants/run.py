"""Plants each mutant of this folder in a copy of the project and sees the tests that it names turn red.

usage: python -m tests.mutants.run [--since REVISION] [NAME ...]
With a revision: those whose file, or one of whose tests, has changed since.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import covey._kernels
from tests.mutants.planted import ROOT, Mutant, mutants

BUILT = Path(covey._kernels.__file__).parent
KERNELS = ("line", "diverse", "space", "network", "treewidth")


def copy_project(to: Path) -> None:
    for name in ("src", "tests", "benchmarks", "docs", "CMakeLists.txt", "pyproject.toml", "README.md", "CITATION.cff"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        else:
            shutil.copy(source, to / name)


def build(project: Path, kernels: list[str]) -> None:
    """Compile kernels of the copy, less optimised than the package: quicker, and the same algorithms."""
    folder = project / "build"
    flags = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-w", f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(["cmake", "-S", project, "-B", folder, "-G", "Ninja", *flags], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", folder, "--target", *kernels], check=True, capture_output=True)
    for kernel in kernels:
        (module,) = folder.glob(f"{kernel}*.so")
        shutil.copy(module, project / "src" / "covey" / "_kernels")


def tests_pass(project: Path, tests: list[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--assert=plain", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(project / "src")}
    try:
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
    except subprocess.TimeoutExpired:
        return False  # a mutant that never ends is seen, too
    if done.returncode not in (0, 1) and done.returncode >= 0:
        message = f"the tests could not be run: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        raise RuntimeError(message)
    return done.returncode == 0


def stale_kernels(file: str) -> list[str]:
    """The kernels that a change of this file makes it necessary to build again."""
    if not file.startswith("src/covey/_kernels/"):
        return []
    own = [name for name in KERNELS if file.startswith(f"src/covey/_kernels/{name}")]
    return own or list(KERNELS)  # what they share changes them all


def survives(mutant: Mutant) -> bool:
    """Whether the tests stay green although the mutant is planted."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        copy_project(project)
        mutant.plant(project)
        for module in BUILT.glob("*.so"):
            shutil.copy(module, project / "src" / "covey" / "_kernels")
        stale = stale_kernels(mutant.file)
        if stale:
            build(project, stale)
        return tests_pass(project, list(mutant.red))


def chosen_mutants(names: list[str], since: str | None) -> list[Mutant]:
    """Those of these names, or all; with a revision, those whose file or tests have changed since."""
    unknown = set(names) - {mutant.name for mutant in mutants()}
    if unknown:
        sys.exit(f"no mutants of these names: {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in mutants() if not names or mutant.name in names]
    if since is None:
        return chosen
    command = ["git", "diff", "--name-only", since]
    changed = set(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines())
    return [mutant for mutant in chosen if changed & {mutant.file, *(test.split("::")[0] for test in mutant.red)}]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--since")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    chosen = chosen_mutants(given.names, given.since or None)
    survivors = []
    with ThreadPoolExecutor(2) as pool:
        for mutant, alive in zip(chosen, pool.map(survives, chosen), strict=True):
            print(f"{mutant.name}: {'SURVIVED' if alive else 'killed'}", flush=True)
            if alive:
                survivors.append(mutant.name)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants killed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
