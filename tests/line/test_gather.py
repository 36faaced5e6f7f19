"""The least largest span of groups of at least k on the line: against every cut, and against groups of different colours."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.errors import OptionError
from covey.line import GatherLine, diverse


def best(x: list[int], k: int) -> int:
    """The definition: every cut of the sorted numbers."""
    x = sorted(x)
    n = len(x)
    spans = []
    for number in range(n):
        for cuts in itertools.combinations(range(1, n), number):
            groups = list(itertools.pairwise((0, *cuts, n)))
            if all(stop - start >= k for start, stop in groups):
                spans.append(max(x[stop - 1] - x[start] for start, stop in groups))
    return min(spans)


def check(x: list[int], k: int) -> None:
    solution = GatherLine().solve(x, k)
    assert solution.loss == best(x, k), (x, k)
    assert solution.partition.sizes.min() >= k
    assert max(np.ptp(np.array(x)[group]) for group in solution.partition.groups()) == solution.loss


def test_every_small_column() -> None:
    for n in range(1, 7):
        for gaps in itertools.product((0, 1, 3), repeat=n - 1):
            for k in range(1, n + 1):
                check(list(itertools.accumulate(gaps, initial=0)), k)


@settings(max_examples=100, deadline=None)
@given(x=st.lists(st.integers(0, 40), min_size=1, max_size=11), k=st.integers(1, 6))
def test_columns_in_any_order(x: list[int], k: int) -> None:
    check(x, min(k, len(x)))


def test_records_of_their_own_colour_are_gathered() -> None:
    """Two algorithms that share nothing."""
    rng = np.random.default_rng(0)
    for k in (2, 3):
        x = rng.normal(size=300) + 1e9
        assert GatherLine().solve(x, k).loss == diverse(x, range(300), k, "max", "window").loss


def test_extremes() -> None:
    assert GatherLine().solve([1e308, -1e308, 1e308, -1e308], 2).loss == 0.0
    assert GatherLine().solve([1e308, -1e308, 0.0], 2).loss == np.inf
    assert GatherLine().solve(np.zeros(7), 3).loss == 0.0
    assert GatherLine().solve([5], 1).loss == 0.0
    with pytest.raises(OptionError, match="k is 3, and there are 2 records"):
        GatherLine().solve([1.0, 2.0], 3)
