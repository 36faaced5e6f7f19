"""Columns to measure on, the same in every process: made from a seed, never read from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable


KS = (2, 3, 5, 10, 30, 100, 300, 1000, 10000)  # group sizes that are measured on a line


def column(kind: str, n: int) -> np.ndarray:
    """Make n values of a kind, in random order unless the kind says otherwise."""
    rng = np.random.default_rng(20240501)
    makers: dict[str, Callable[[], np.ndarray]] = {
        "uniform": lambda: rng.random(n),
        "uniform, sorted": lambda: np.sort(rng.random(n)),
        "constant": lambda: np.full(n, 4.25),
        "ages 0..99": lambda: np.floor(rng.random(n) * 100),
        "money": lambda: np.round(np.exp(rng.normal(7, 2, n)), -1),
        "arange": lambda: np.arange(n, dtype=np.float64),
        "arange, shuffled": lambda: rng.permutation(n).astype(np.float64),
        "1e9 + uniform": lambda: 1e9 + rng.random(n),
        "normal": lambda: rng.normal(size=n),
    }
    return makers[kind]()
