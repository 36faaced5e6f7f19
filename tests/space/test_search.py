"""The annealed search: what it promises, and what it reaches."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import covey
from covey.errors import OptionError
from covey.space import Auto, Search
from tests.space import oracle


@pytest.mark.parametrize("seed", range(30))
def test_small_tables_end_at_the_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 10)), int(rng.integers(2, 4))
    table = rng.normal(size=(n, 2)) if seed % 2 else rng.integers(0, 5, size=(n, 2)).astype(float)
    solution = Search(effort=300).solve(table, k)
    assert solution.loss == pytest.approx(oracle.optimum(table.tolist(), k), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3, 8])
def test_never_worse_than_its_start_and_the_same_for_a_seed(k: int) -> None:
    rng = np.random.default_rng(k)
    for table in (
        rng.normal(size=(150, 4)),
        rng.normal(size=(150, 4)) ** 5,
        rng.integers(0, 3, (150, 3)).astype(float),
    ):
        start = Auto().solve(table, k).loss
        for effort in (1, 50, 500):
            solution = Search(effort=effort, seed=3).solve(table, k)
            assert solution.loss <= start * (1 + 1e-12)
            assert solution.partition.smallest >= k
            assert solution.partition.sizes.max() < 2 * k
            assert solution.partition == Search(effort=effort, seed=3).partition(table, k)
            assert solution.steps == effort


def test_another_seed_and_more_restarts() -> None:
    table = np.random.default_rng(9).normal(size=(300, 4))
    one, other = (Search(effort=2000, restarts=1, seed=seed).partition(table, 3) for seed in (0, 1))
    assert one != other
    losses = [Search(effort=2000, restarts=r).solve(table, 3).loss for r in (1, 2, 6)]
    assert losses == sorted(losses, reverse=True), "more restarts hold all that fewer do"


def test_it_does_not_depend_on_the_number_of_cores() -> None:
    code = (
        "import numpy as np, covey; X = np.random.default_rng(0).normal(size=(400, 3)); "
        "print(hash(covey.partition(X, 4, method='search', effort=400, restarts=4).labels.tobytes()))"
    )
    environment = {"PYTHONHASHSEED": "0"}
    one = ["taskset", "-c", "0"] if sys.platform == "linux" else []
    answers = {
        subprocess.run(
            [*prefix, sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        ).stdout
        for prefix in ([], one)
    }
    assert len(answers) == 1


def test_progress_is_told() -> None:
    told: list[tuple[int, int, float]] = []
    table = np.random.default_rng(1).normal(size=(200, 3))
    method = Search(effort=1000, progress=lambda *facts: told.append(facts))
    solution = method.solve(table, 3)
    done = [d for d, _, _ in told]
    assert done == sorted(set(done))
    assert done[-1] == 1000
    assert {steps for _, steps, _ in told} == {1000}
    losses = [loss for _, _, loss in told]
    assert losses == sorted(losses, reverse=True)
    assert solution.loss <= losses[-1] * (1 + 1e-12)
    assert method == Search(effort=1000)


INTERRUPTED = """
import signal
import numpy as np
import covey

X = np.random.default_rng(0).normal(size=(500, 3))
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 1.0)
solution = covey.solve(X, 3, method="search", effort=10**9)
print(0 < solution.steps < 10**9, solution.partition.smallest >= 3, solution.loss <= covey.solve(X, 3).loss)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs the interval timers of POSIX")
def test_ctrl_c_returns_the_best_so_far() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "True True True\n", done.stderr


def test_default_effort_falls_with_k_and_grows_with_n() -> None:
    assert Search().steps_for(1000, 3) > Search().steps_for(1000, 10)
    assert Search().steps_for(8000, 3) == 2 * Search().steps_for(4000, 3)
    assert Search(effort=7).steps_for(10**6, 3) == 7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"effort": 0}, "effort is 0"),
        ({"restarts": 1.5}, "restarts is 1.5"),
        ({"progress": 3}, "progress is 3; needed: a function"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        covey.partition(np.eye(9), 3, method="search", **options)
