"""The kernels under AddressSanitizer and UndefinedBehaviorSanitizer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import need_program

ROOT = Path(__file__).parent.parent


def test_kernels_are_clean() -> None:
    compiler, cmake, ninja = need_program("g++"), need_program("cmake"), need_program("ninja")
    build = ROOT / "build" / "sanitize"
    configure: list[str | Path] = [
        cmake,
        "-S",
        ROOT,
        "-B",
        build,
        "-G",
        "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={ninja}",
        "-DCOVEY_SANITIZE=ON",
    ]
    configure += [
        f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DCMAKE_BUILD_TYPE=None",
    ]
    subprocess.run(configure, check=True, capture_output=True)
    subprocess.run([cmake, "--build", build], check=True, capture_output=True)
    modules = [str(next(build.glob(f"{name}*.so"))) for name in ("line", "diverse", "space", "network", "treewidth")]
    runtime = subprocess.run([compiler, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True)
    environment = os.environ | {
        "LD_PRELOAD": runtime.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself keeps memory until the end
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    command = [sys.executable, str(ROOT / "tests" / "sanitize.py"), *modules]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-5000:]
    assert done.stdout == "clean\n"
