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
    modules = [
        str(next(build.glob(f"{name}*.so"))) for name in ("line", "diverse", "space", "network", "treewidth", "uniques")
    ]
    runtimes = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True
        ).stdout.strip()
        for name in ("libasan.so", "libstdc++.so.6")  # the second for kernels that throw: asan must find the real throw
    ]
    environment = os.environ | {
        "LD_PRELOAD": " ".join(runtimes),
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself keeps memory until the end
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    command = [sys.executable, str(ROOT / "tests" / "sanitize.py"), *modules]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-5000:]
    assert done.stdout == "clean\n"
