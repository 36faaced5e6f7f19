"""The tables that every package gets: simulated ones of any size, hard ones, and those of the literature where they are."""

from __future__ import annotations

import numpy as np

from benchmarks.data.columns import column

SIZES = (10**3, 10**4, 10**5, 10**6)
KS = (3, 5, 10)
DIMENSIONS = 5


def on_a_line(n: int) -> np.ndarray:
    """Amounts of money, rounded to tens: a long tail and many ties."""
    return column("money", n)[:, None]


def in_space(n: int) -> np.ndarray:
    """A mixture of 20 normal clouds, comparable columns."""
    rng = np.random.default_rng(n)
    centres = rng.normal(size=(20, DIMENSIONS)) * 3
    return standardised(centres[rng.integers(20, size=n)] + rng.normal(size=(n, DIMENSIONS)))


def standardised(X: np.ndarray) -> np.ndarray:
    deviation = X.std(axis=0)
    return np.asarray((X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0))


def hard_on_a_line(k: int) -> dict[str, np.ndarray]:
    """Columns on which a program with a loose end shows it."""
    plain = {
        "ties (ages)": column("ages 0..99", 1000),
        "offset 1e9": column("1e9 + uniform", 1000),
        "constant": column("constant", 1000),
        "arange": column("arange", 1000),
        "n = 2k - 1": column("uniform", 2 * k - 1),
        "n = 2k": column("uniform", 2 * k),
        "k = n": column("uniform", k),
        "range 1e300": column("uniform", 1000) * 1e150,
    }
    return {name: x[:, None] for name, x in plain.items()}


def hard_in_space(k: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(k)
    plain = standardised(rng.normal(size=(200, 3)))
    return {
        "all rows equal": np.full((100, 2), 3.5),
        "ties": standardised(rng.integers(0, 3, size=(200, 3)).astype(float)),
        "a constant column": np.column_stack([plain, np.full(len(plain), 7.0)]),
        "offset 1e9": plain + 1e9,
        "n = 2k - 1": plain[: 2 * k - 1],
        "n = 2k": plain[: 2 * k],
        "n = 3k": plain[: 3 * k],
        "k = n": plain[:k],
    }


def not_to_be_grouped(k: int) -> dict[str, np.ndarray]:
    """What no package can group: the right answer is an error."""
    missing = column("uniform", 100)
    missing[7] = np.nan
    infinite = column("uniform", 100)
    infinite[7] = np.inf
    few = column("uniform", k - 1)
    return {"a missing value": missing[:, None], "an infinite value": infinite[:, None], "k = n + 1": few[:, None]}
