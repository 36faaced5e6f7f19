"""Risk and losses beside sdcMicro, by a program that stands for R."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.peers.disclosure import PAIRS, compare, difference
from tests.benchmarks.peers.test_cells import program

if TYPE_CHECKING:
    from pathlib import Path

# The definitions, in the language of the program that stands for R.
DEFINITIONS = """
import json, sys
import numpy as np
x, y = (np.loadtxt(file, delimiter=",", skiprows=1) for file in sys.argv[3:5])
inside = (np.abs(x - y) <= 0.05 * y.std(axis=0, ddof=1)).all(axis=1).mean()
cells = (np.abs(x - y) / x.std(axis=0, ddof=1) / 2**0.5).sum()
old, new = (np.linalg.eigvalsh(np.corrcoef(table.T)) for table in (x, y))
print(json.dumps({"measures": {"dRisk": inside, "IL1s": cells, "eigen": (np.abs(new - old) / old).sum()}}))
"""


def test_the_same_measures_agree(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    rows = compare(program(tmp_path, DEFINITIONS), "made up", X, 2)
    assert [row["agrees"] for row in rows] == [True] * len(PAIRS)


def test_what_fails_does_not_agree(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    rows = compare(program(tmp_path, "raise SystemExit(1)"), "made up", X, 2)
    assert [(row["agrees"], row["note"]) for row in rows] == [(False, "exit code 1")] * len(PAIRS)


def test_dependent_columns_are_named() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    told = {pair.name: difference(pair, np.column_stack([X, X.sum(axis=1)])) for pair in PAIRS}
    assert "rounding" in told["eigen"]
    assert not told["dRisk"]
    assert not difference(PAIRS[-1], X)
