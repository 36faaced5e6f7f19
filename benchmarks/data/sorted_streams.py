"""Sorted streams to measure on, made block by block from a seed: no more than a block is ever held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BLOCK = 10**6


def sorted_stream(kind: str, n: int) -> Iterator[np.ndarray]:
    """Blocks of n values of a kind in all, ascending."""
    makers: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "arange": lambda rank: rank.astype(np.float64),
        "constant": lambda rank: np.full(len(rank), 4.25),
        "ages 0..99": lambda rank: np.floor(rank * (100 / n)),
        "squares": lambda rank: rank.astype(np.float64) ** 2,
    }
    if kind in makers:
        for start in range(0, n, BLOCK):
            yield makers[kind](np.arange(start, min(start + BLOCK, n)))
        return
    for uniform in _sorted_uniform(n):
        yield uniform if kind == "uniform" else _lognormal(uniform)


def _sorted_uniform(n: int) -> Iterator[np.ndarray]:
    """Sums of exponential gaps are the order of uniform values, up to their scale."""
    rng = np.random.default_rng(20240501)
    reached = 0.0
    for start in range(0, n, BLOCK):
        sums = reached + np.cumsum(rng.exponential(size=min(BLOCK, n - start)))
        reached = float(sums[-1])
        yield sums / (n + 10 * np.sqrt(n))


def _lognormal(uniform: np.ndarray) -> np.ndarray:
    from scipy.special import ndtri

    return np.asarray(np.exp(ndtri(uniform)))
