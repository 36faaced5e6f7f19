"""Vertices of one centre in clusters of allowed sizes: all of them, as even as can be, and some of them apart."""

from __future__ import annotations

import numpy as np
import pytest

from covey.network.methods.problem import as_problem
from covey.network.methods.splitting import split


@pytest.mark.parametrize(("lower", "upper"), [(2, 2), (2, 3), (3, 4), (3, 5)])
@pytest.mark.parametrize("n", range(4, 16))
def test_sizes_are_allowed_and_some_vertices_apart(n: int, lower: int, upper: int) -> None:
    if -(-n // upper) > n // lower:
        return
    problem = as_problem([(0, i) for i in range(1, n)], lower, upper)
    for many in range(n // lower + 1):
        for first in (0, n - many):
            apart = np.zeros(n, dtype=np.bool_)
            apart[first : first + many] = True
            labels, centres = split(problem, np.zeros(n, dtype=np.int32), np.zeros(1, dtype=np.int32), apart)
            sizes = np.bincount(labels)
            assert len(sizes) == len(centres) == n // lower
            assert lower <= sizes.min() <= sizes.max() <= upper
            assert len(set(labels[apart].tolist())) == many
