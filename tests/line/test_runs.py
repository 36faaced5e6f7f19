"""Records by their group, and sorted within it: the kernels against the definitions, stable both."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey import Partition
from covey._kernels import line

LABELS = st.lists(st.integers(0, 4), min_size=1, max_size=60)


@given(LABELS)
def test_records_by_their_group(labels: list[int]) -> None:
    order = line.by_label(np.array(labels, dtype=np.int32), 5)
    assert order.tolist() == sorted(range(len(labels)), key=lambda record: (labels[record], record))


@pytest.mark.parametrize("kind", [np.float64, np.int64])
@given(labels=LABELS, seed=st.integers(0, 1000), different=st.sampled_from([1, 2, 5, 1000]))
def test_records_sorted_within_their_groups(
    kind: type[np.float64], labels: list[int], seed: int, different: int
) -> None:
    values = (np.random.default_rng(seed).integers(0, different, len(labels)) - different // 2).astype(kind)
    partition = Partition(labels)
    rows = line.sorted_runs(values, partition.order, np.cumsum(partition.sizes))
    place = partition.labels.tolist()
    assert rows.tolist() == sorted(range(len(labels)), key=lambda record: (place[record], values[record], record))


def test_hard_values_and_large_groups() -> None:
    rng = np.random.default_rng(0)
    for values in (
        rng.normal(size=5000) + 1e9,
        rng.choice([5e-324, -5e-324, 0.0, -0.0], 5000),
        rng.choice([1.7e308, -1.7e308], 5000),
        np.arange(5000.0)[::-1].copy(),
        2**62 + rng.integers(-2, 3, 5000),
    ):
        for groups in (1, 2, 160, 1700, 5000):
            partition = Partition(rng.integers(0, groups, 5000))
            rows = line.sorted_runs(values, partition.order, np.cumsum(partition.sizes))
            assert rows.tolist() == np.lexsort((values, partition.labels)).tolist()


def test_runs_without_a_record() -> None:
    stops = np.array([0, 0, 2, 2], dtype=np.int64)
    assert line.sorted_runs(np.array([2.0, 1.0]), np.array([0, 1], dtype=np.uint32), stops).tolist() == [1, 0]
    empty = np.zeros(0)
    assert line.sorted_runs(empty, np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.int64)).tolist() == []


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_labels_of_any_kind(kind: type[np.int64]) -> None:
    ends = np.iinfo(kind)
    for given_labels in ([ends.max, ends.min, ends.max], [ends.min] * 70 + [ends.max, ends.min], [3, 1, 3, 2]):
        labels = np.array(given_labels, dtype=kind)
        seen = list(dict.fromkeys(labels.tolist()))
        assert Partition(labels).labels.tolist() == [seen.index(label) for label in labels.tolist()]
