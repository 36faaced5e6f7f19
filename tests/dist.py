"""Looks into the sdist and the wheel that `make dist` built, and uses the wheel in a fresh environment, far from the sources.

usage: python tests/dist.py FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
KERNELS = ("line", "diverse", "space", "network", "treewidth", "uniques")
USER = '''"""A script of someone who checks types strictly."""

import covey
import numpy as np

solution: covey.Solution = covey.solve(np.array([1.0, 2.0, 3.0, 4.0]), k=2)
smallest: int = solution.partition.smallest
released: covey.Release = covey.release(covey.datasets.load_patients(), k=5, quasi=["age"], drop_rest=True)
print(smallest, released.certificate.k, covey.__version__, covey.verify)
'''


def wanted_in_wheel() -> set[str]:
    """Every module, stub, template, style and table of the sources, and the mark that they are typed."""
    files = [path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    unwanted = {".hpp", ".cpp", ".so", ".pyc"}
    return {path.relative_to(ROOT / "src").as_posix() for path in files if path.suffix not in unwanted}


def check_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    built = {name for name in names if name.endswith((".so", ".pyd"))}
    assert {Path(name).name.partition(".")[0] for name in built} == set(KERNELS), built
    assert wanted_in_wheel() == names - built, wanted_in_wheel() ^ (names - built)
    if "abi3" in wheel.name:
        assert all(".abi3." in name or name.endswith(".pyd") for name in built), built


def check_sdist(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tops = {name.partition("/")[0] for name in names}
    needed = {"PKG-INFO", "CMakeLists.txt", "pyproject.toml", "LICENSE", "README.md", "src"}
    assert needed | {"Makefile", "tests", "benchmarks", "docs", ".clang-format"} <= tops, (
        tops
    )  # what the Makefile needs
    assert not tops & {".ci", ".github", ".git", "build"}, tops
    assert not {name for name in names if name.endswith((".so", ".pyc", ".pyd"))}


def use(wheel: Path) -> None:
    """Install the wheel alone and run what must work; then what a user with strict types sees."""
    with tempfile.TemporaryDirectory(prefix="covey-dist-") as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        python = home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", wheel.resolve()], check=True)
        (home / "smoke.py").write_bytes((ROOT / "tests" / "smoke.py").read_bytes())
        subprocess.run([python, "-I", "smoke.py"], check=True, cwd=home)
        (home / "script.py").write_text(USER, encoding="utf-8")
        (home / "mypy.ini").write_text("[mypy]\nstrict = true\n", encoding="utf-8")
        mypy: list[str | Path] = [
            sys.executable,
            "-m",
            "mypy",
            "--python-executable",
            python,
            "--cache-dir",
            home / "cache",
            "script.py",
        ]
        subprocess.run(mypy, check=True, cwd=home)


def main() -> None:
    folder = Path(sys.argv[1])
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    check_sdist(sdist)
    check_wheel(wheel)
    use(wheel)
    sys.stdout.write(f"{sdist.name} and {wheel.name} hold what they must, and work\n")


if __name__ == "__main__":
    main()
