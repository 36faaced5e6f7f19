"""`Partition` is a frozen value with canonical labels."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey import Partition
from covey.errors import InputError

labels_lists = st.lists(st.integers(-3, 5), min_size=1, max_size=40)


@given(labels_lists)
def test_labels_are_numbered_by_first_appearance(labels: list[int]) -> None:
    seen: list[int] = []
    for label in labels:
        if label not in seen:
            seen.append(label)
    partition = Partition(labels)
    assert partition.labels.tolist() == [seen.index(label) for label in labels]
    assert partition.labels.dtype == np.int32
    assert partition.sizes.tolist() == [labels.count(label) for label in seen]
    assert len(partition) == len(seen)
    assert partition.smallest == min(labels.count(label) for label in seen)
    assert [group.tolist() for group in partition.groups()] == [
        [i for i, other in enumerate(labels) if other == label] for label in seen
    ]


@given(labels_lists)
def test_equal_exactly_when_the_same_records_are_together(labels: list[int]) -> None:
    partition = Partition(labels)
    renamed = Partition([10 - label for label in labels])
    assert partition == renamed
    assert hash(partition) == hash(renamed)
    assert pickle.loads(pickle.dumps(partition)) == partition  # noqa: S301
    assert copy.deepcopy(partition) == partition
    if len(set(labels)) > 1:
        assert partition != Partition([0] * len(labels))
    assert partition != "something else"


def test_frozen() -> None:
    given_labels = np.array([0, 0, 1], dtype=np.int32)
    partition = Partition(given_labels)
    with pytest.raises(ValueError, match="read-only"):
        partition.labels[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        partition.sizes[0] = 1
    with pytest.raises(AttributeError):
        partition.labels = given_labels  # type: ignore[misc]
    given_labels[0] = 7  # the caller's array stays the caller's
    assert partition.labels.tolist() == [0, 0, 1]


def test_repr_says_sizes() -> None:
    assert repr(Partition([0, 0, 1, 1, 1])) == "<Partition: 5 records in 2 groups of 2 to 3>"
    assert repr(Partition([0, 0, 1, 1])) == "<Partition: 4 records in 2 groups of 2>"


@pytest.mark.parametrize("labels", [[], [[0, 1]], [0.5, 1.0], ["a"]])
def test_bad_labels(labels: object) -> None:
    with pytest.raises(InputError, match="one integer per record"):
        Partition(labels)  # type: ignore[arg-type]
