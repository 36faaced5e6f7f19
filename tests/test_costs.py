"""The five costs: their definitions, and what they declare."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.costs import COSTS, Cost, cost_name, find_cost, losses_over
from tests.line.oracle import small_loss

GROUP = np.array([3.0, 1.0, 8.0, 2.0])


@pytest.mark.parametrize(
    ("name", "representative", "loss"),
    [("sse", 3.5, 29.0), ("sae", 2.5, 8.0), ("maxdist", 4.5, 3.5), ("roundup", 8.0, 18.0), ("rounddown", 1.0, 10.0)],
)
def test_definitions(name: str, representative: float, loss: float) -> None:
    cost = COSTS[name]
    assert cost.representative(GROUP) == representative
    assert cost.loss(GROUP) == loss
    assert isinstance(cost, Cost)
    assert repr(cost) == f"<cost {name}>"
    assert find_cost(name) is cost is find_cost(cost)
    assert cost_name(cost) == name
    assert losses_over(cost, GROUP)(1, 3) == cost.loss(GROUP[1:3])


@pytest.mark.parametrize("name", COSTS)
@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=12))
def test_against_rational_arithmetic(name: str, values: list[int]) -> None:
    group = np.array(values, dtype=np.float64)
    assert COSTS[name].loss(group) == pytest.approx(float(small_loss(name, tuple(sorted(group.tolist())))), rel=1e-12)


@pytest.mark.parametrize("name", COSTS)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=8), st.integers(-60, 60))
def test_no_other_value_loses_less(name: str, values: list[int], other: int) -> None:
    group = np.array(values, dtype=np.float64)
    losses = {
        "sse": np.sum((group - other) ** 2),
        "sae": np.sum(np.abs(group - other)),
        "maxdist": np.max(np.abs(group - other)),
        "roundup": np.sum(other - group) if other >= group.max() else np.inf,
        "rounddown": np.sum(group - other) if other <= group.min() else np.inf,
    }
    assert COSTS[name].loss(group) <= losses[name] + 1e-9


@pytest.mark.parametrize("name", COSTS)
def test_representatives_of_extreme_values(name: str) -> None:
    largest = np.finfo(np.float64).max
    smallest = 5e-324
    assert -largest <= COSTS[name].representative(np.array([-largest, largest])) <= largest
    assert COSTS[name].representative(np.array([largest, largest])) == largest
    assert COSTS[name].representative(np.array([smallest, smallest])) == smallest
    assert COSTS[name].representative(np.array([0.0, 0.0])) == 0.0
