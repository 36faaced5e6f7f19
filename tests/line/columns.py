"""Columns of numbers that are hard in one way or another."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

LETTERS = (0.0, 1.0, 3.0)


def small_columns(largest: int) -> Iterator[tuple[float, ...]]:
    """Every sorted column of up to `largest` values from a 3-letter alphabet."""
    for size in range(1, largest + 1):
        yield from itertools.combinations_with_replacement(LETTERS, size)


def hard_column(  # noqa: C901, PLR0912
    kind: str, n: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """A column of n values of a named kind, in random order."""
    u = rng.random(n)
    x: NDArray[np.float64]
    match kind:
        case "uniform":
            x = u
        case "offset 1e9":
            x = 1e9 + u
        case "offset 1e15":
            x = 1e15 + np.floor(u * 1000) / 8
        case "subnormal":
            x = np.floor(u * 50) * 5e-324
        case "huge":
            x = (u - 0.5) * 2e300
        case "timestamps":
            x = np.floor(1.7e9 + u * 1e7)
        case "integers":
            x = rng.permutation(n).astype(np.float64)
        case "constant":
            x = np.full(n, 4.25)
        case "ages":
            x = np.floor(u * 100)
        case "money":
            x = np.asarray(np.round(np.exp(rng.normal(7, 2, n)), -1), dtype=np.float64)
        case "tenths":
            x = np.floor(u * 40) / 10
        case "long tail":
            x = u**-3.0
        case "tight clusters":
            x = rng.integers(0, 4, n) * 1e9 + u * 1e-6
        case "far apart":
            x = rng.choice([0.0, 1e-200, 1e-9, 1.0, 1e150, 1e300], n) * (1 + np.floor(u * 8) / 8)
        case _:
            raise ValueError(kind)
    return x


KINDS = (
    "uniform",
    "offset 1e9",
    "offset 1e15",
    "subnormal",
    "huge",
    "timestamps",
    "integers",
    "constant",
    "ages",
    "money",
    "tenths",
    "long tail",
    "tight clusters",
    "far apart",
)


@st.composite
def columns(draw: st.DrawFn, largest: int) -> NDArray[np.float64]:
    """A hard column of a size and seed that Hypothesis chooses, or floats that it makes up itself."""
    if draw(st.booleans()):
        floats = st.floats(allow_nan=False, allow_infinity=False, width=draw(st.sampled_from([16, 32, 64])))
        return np.array(draw(st.lists(floats, min_size=1, max_size=min(largest, 40))), dtype=np.float64)
    n = draw(st.integers(1, largest))
    seed = draw(st.integers(0, 2**32 - 1))
    return hard_column(draw(st.sampled_from(KINDS)), n, np.random.default_rng(seed))
