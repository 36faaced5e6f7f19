"""`Solution`: the bound is computed when asked for, once."""

from __future__ import annotations

import dataclasses

import pytest

from covey import Partition, Solution
from covey.space import Mdav


def test_the_bound_is_computed_once_and_only_when_asked() -> None:
    calls = []

    def bound() -> float:
        calls.append(1)
        return 3.0

    solution = Solution(Partition([0, 0]), 4.0, bound=bound, status="feasible", method=Mdav())
    assert calls == []
    assert solution.gap == 0.25
    assert solution.bound == 3.0
    assert calls == [1]


def test_it_is_frozen() -> None:
    solution = Solution(Partition([0, 0]), 4.0, bound=4.0, status="optimal", method=Mdav())
    with pytest.raises(dataclasses.FrozenInstanceError):
        solution.loss = 1.0  # type: ignore[misc]
    assert solution.gap == 0.0
    assert solution.steps is None
