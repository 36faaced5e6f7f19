"""A package in a process of its own: its answer, its end, its limits; sdcMicro by a program that stands for R."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.peers.cells import Package, run, sdcmicro_methods

if TYPE_CHECKING:
    from pathlib import Path

X = np.array([1.0, 2.0, 3.0, 10.0, 11.0, 12.0])[:, None]
READY = 'print(\'{"ready_seconds": 0, "before_mib": 1, "version": "5"}\', flush=True)'
RELEASES = (
    f"{READY}; import sys; open(sys.argv[5], 'w').write('x0\\n' + '2\\n' * 3 + '11\\n' * 3);"
    'print(\'{"seconds": 0.5, "peak_mib": 2}\')'
)


def program(tmp_path: Path, code: str) -> str:
    """A program that runs this code and sees the arguments behind it."""
    path = tmp_path / "program"
    path.write_text(f"#!{sys.executable}\n{code}\n")
    path.chmod(0o700)
    return str(path)


def test_covey_answers_in_a_process_of_its_own() -> None:
    told, labels = run(Package("covey", sys.executable), X, 3, 60)
    assert labels is not None
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert told["seconds"] >= 0
    assert told["before_mib"] > 0


def test_an_error_is_told() -> None:
    told, labels = run(Package("covey", sys.executable), X, 7, 60)
    assert labels is None
    assert "k is 7, and there are 6 records" in told["error"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f"{READY}; import time; time.sleep(60)", "over"),
        (f"{READY}; import os; os.abort()", "died"),
        ("raise SystemExit(3)", "ended before"),
    ],
)
def test_what_does_not_answer_is_told(tmp_path: Path, code: str, expected: str) -> None:
    told, labels = run(Package("sdcMicro, mdav", program(tmp_path, code)), X, 3, 2)
    assert labels is None
    assert expected in str(told)


def test_equal_released_rows_are_a_group(tmp_path: Path) -> None:
    told, labels = run(Package("sdcMicro, mdav", program(tmp_path, RELEASES)), X, 3, 60)
    assert told["version"] == "5"
    assert told["released_loss"] == 4.0
    assert labels is not None
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_r_is_asked_for_its_package(tmp_path: Path) -> None:
    assert sdcmicro_methods("no-such-program") == ([], "R with sdcMicro not found on this machine (no Rscript)")
    methods, reason = sdcmicro_methods(program(tmp_path, "pass"))
    assert "mdav" in methods
    assert not reason
    methods, reason = sdcmicro_methods(program(tmp_path, "raise SystemExit(1)"))
    assert not methods
    assert "no package sdcMicro" in reason
