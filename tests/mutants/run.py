"""Applies each patch of this folder to a copy of the project and sees the test that its first line names turn red.

usage: python tests/mutants/run.py [NAME ...]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import covey._kernels

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
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


def survives(patch: Path) -> bool:
    """Whether the tests stay green although the patch is applied."""
    tests = patch.read_text().splitlines()[0].removeprefix("Turns red: ").split()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        copy_project(project)
        subprocess.run(["git", "apply", "--unidiff-zero", str(patch)], cwd=project, check=True)
        changed = patch.read_text()
        shared = "src/covey/_kernels/" in changed and not any(
            f"src/covey/_kernels/{name}" in changed for name in KERNELS
        )
        stale = [name for name in KERNELS if shared or f"src/covey/_kernels/{name}" in changed]
        for module in BUILT.glob("*.so"):
            shutil.copy(module, project / "src" / "covey" / "_kernels")
        if stale:
            build(project, stale)
        return tests_pass(project, tests)


def main() -> int:
    chosen = sys.argv[1:]
    patches = [patch for patch in sorted(HERE.glob("*.patch")) if not chosen or patch.stem in chosen]
    survivors = []
    with ThreadPoolExecutor(2) as pool:
        for patch, alive in zip(patches, pool.map(survives, patches), strict=True):
            print(f"{patch.stem}: {'SURVIVED' if alive else 'killed'}", flush=True)
            if alive:
                survivors.append(patch.stem)
    print(f"{len(patches) - len(survivors)} of {len(patches)} mutants killed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
