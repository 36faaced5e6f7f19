"""Large tables by name, the same in every process: Gaussian, clustered, with heavy tails, of few values, of categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

Matrix = np.ndarray


def _clustered(rng: np.random.Generator, n: int, d: int) -> Matrix:
    return 5 * rng.normal(size=(50, d))[rng.integers(0, 50, n)] + rng.normal(size=(n, d))


def _mostly_equal(rng: np.random.Generator, n: int, d: int) -> Matrix:
    return np.where(rng.random((n, 1)) < 0.9, 0.25, rng.normal(size=(n, d)))


def _zero_inflated(rng: np.random.Generator, n: int, d: int) -> Matrix:
    return np.where(rng.random((n, d)) < 0.7, 0.0, rng.lognormal(size=(n, d)))


def _cities(rng: np.random.Generator, n: int, d: int) -> Matrix:
    """300 cities and 40 jobs in 16 coordinates each, as columns of categories become coordinates, and age."""
    city, job = rng.zipf(1.3, n) % 300, rng.integers(0, 40, n)
    age = np.clip(rng.normal(40, 12, n).round(), 18, 90)
    places, jobs = rng.normal(size=(300, 16)) / 4, rng.normal(size=(40, 16)) / 4
    return np.column_stack([places[city], jobs[job], (age - 40) / 12])[:, :d]


KINDS: dict[str, Callable[[np.random.Generator, int, int], Matrix]] = {
    "gaussian": lambda rng, n, d: rng.normal(size=(n, d)),
    "clustered": _clustered,
    "heavy tails": lambda rng, n, d: rng.standard_t(2, size=(n, d)),
    "90 % equal": _mostly_equal,
    "zero-inflated": _zero_inflated,
    "one-hot": lambda rng, n, d: np.eye(d)[rng.integers(0, d, n)],
    "whole numbers 0 to 9": lambda rng, n, d: rng.integers(0, 10, size=(n, d)).astype(float),
    "cities, jobs, age": _cities,
}


def table(kind: str, n: int, d: int) -> Matrix:
    """N records of d coordinates."""
    return np.ascontiguousarray(KINDS[kind](np.random.default_rng(n + d), n, d))
