"""The sort: the order of numpy's stable sort, on data that crowd its cells in every way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey._kernels import line as kernels
from tests.line.columns import KINDS, hard_column


def check(x: np.ndarray) -> None:
    values, order = kernels.sort(x)
    expected = np.argsort(x, kind="stable")
    np.testing.assert_array_equal(order, expected)
    np.testing.assert_array_equal(values, x[expected])


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=200))
def test_any_floats(values: list[float]) -> None:
    if not any(np.isinf(values)):
        check(np.array(values))


@pytest.mark.parametrize("n", [1, 2, 31, 33, 5000, 8192, 8193, 50_000, 400_000])
@pytest.mark.parametrize("kind", KINDS)
def test_hard_columns(kind: str, n: int) -> None:
    check(hard_column(kind, n, np.random.default_rng(n)))


def test_nested_clusters() -> None:
    rng = np.random.default_rng(0)
    x = rng.choice([0.0, 1.0], 300_000)
    for scale in (1e-4, 1e-8, 1e-12, 1e-100, 1e-300):
        x += scale * rng.choice([0.0, 1.0], len(x)) * (x == 0)
    check(x)
    check(-x)
    check(np.where(rng.random(len(x)) < 0.5, -0.0, 0.0))


@pytest.mark.parametrize("kind", ["normal", "cauchy", "signed"])
def test_both_signs(kind: str) -> None:
    rng = np.random.default_rng(1)
    normal = rng.normal(size=300_000)
    draws = {
        "normal": normal,
        "cauchy": normal / rng.normal(size=300_000),
        "signed": np.sign(normal) * 1e300 * rng.random(300_000),
    }
    check(draws[kind])


def test_a_few_records_far_from_all_others() -> None:
    rng = np.random.default_rng(3)
    x = 1e9 + rng.random(300_000)
    for far in ([0.0], [-1e300, 1e300], [-1.7e308, 1.7e308], [0.0, 1e18]):
        check(np.concatenate([x, far]))
        check(np.concatenate([far, x[:100]]))


def test_labels_are_the_same_for_sorted_and_shuffled_input() -> None:
    rng = np.random.default_rng(2)
    x = np.sort(np.round(rng.normal(size=400_000), 5))
    shuffle = rng.permutation(len(x))
    for k in (2, 30):
        in_order, shuffled = covey.partition(x, k), covey.partition(x[shuffle], k)
        assert covey.Partition(shuffled.labels) == shuffled
        # Which of several equal records goes to which group depends on their order; the values of a group do not.
        assert same_groups(x, in_order, x[shuffle], shuffled)


def same_groups(x: np.ndarray, a: covey.Partition, y: np.ndarray, b: covey.Partition) -> bool:
    """Whether two partitions have groups of the same values. A bare bool: a diff of these would take minutes."""
    return sorted(tuple(np.sort(x[g])) for g in a.groups()) == sorted(tuple(np.sort(y[g])) for g in b.groups())


@pytest.mark.parametrize("n", [1, 2, 7, 17, 40, 4100])
def test_ascending_is_seen_and_anything_else_too(n: int) -> None:
    x = np.arange(float(n))
    assert kernels.is_sorted(x)
    assert kernels.is_sorted(np.zeros(n))
    for i in range(1, n):
        for bad in (np.nan, np.inf, x[i - 1] - 0.5):
            y = x.copy()
            y[i] = bad
            assert not kernels.is_sorted(y), (i, bad)
