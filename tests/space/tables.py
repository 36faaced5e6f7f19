"""Tables that are hard in one way or another, and the benchmark tables where they are at hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

Table = NDArray[np.float64]
SHARED = Path(__file__).parents[3] / "shared" / "data"


def hard_tables(k: int) -> dict[str, Table]:
    """Small tables for a given k."""
    rng = np.random.default_rng(k)
    plain = rng.normal(size=(6 * k + 1, 3))
    outlier = plain.copy()
    outlier[3] = 1e12
    return {
        "plain": plain,
        "duplicates": np.repeat(rng.normal(size=(3, 2)), 2 * k, axis=0)[rng.permutation(6 * k)],
        "all the same": np.full((5 * k, 2), 3.5),
        "ties": rng.integers(0, 3, size=(7 * k, 3)).astype(float),
        "a constant column": np.column_stack([plain, np.full(len(plain), 7.0)]),
        "n = k": rng.normal(size=(k, 2)),
        "n = 2k - 1": rng.normal(size=(2 * k - 1, 2)),
        "n = 2k": rng.normal(size=(2 * k, 2)),
        "n = 3k - 1": rng.normal(size=(3 * k - 1, 2)),
        "d = 1": rng.normal(size=(5 * k, 1)),
        "d > n": rng.normal(size=(2 * k + 1, 4 * k)),
        "one huge outlier": outlier,
        "offset 1e9": plain + 1e9,
        "subnormal": rng.integers(0, 50, size=(5 * k, 2)) * 5e-324,
        "huge": rng.normal(size=(5 * k, 2)) * 1e300,
        "clusters far apart": np.repeat(rng.normal(size=(3, 2)) * 1e6, 2 * k, axis=0) + rng.normal(size=(6 * k, 2)),
    }


def load_table(name: str) -> Table | None:
    """One of the tables of the literature, z-scored, or None where it is not at hand."""
    path = SHARED / f"{name}.csv"
    if not path.exists():
        return None
    import pandas as pd

    frame = pd.read_csv(path)
    if name == "eia":
        frame = frame[[c for c in frame.columns if c == "UTILITYID" or c.endswith(("REVENUE", "SALES"))]]
    table = frame.to_numpy(dtype=float)
    return np.asarray((table - table.mean(axis=0)) / table.std(axis=0))


def benchmark_table(name: str) -> Table:
    """The same for tests: skips where the table is not there."""
    table = load_table(name)
    if table is None:
        pytest.skip(f"{name}.csv is not at hand: it is not part of the project")
    return table
