"""Records on a line that are left out: every subset tried on small columns, two ways against each other on larger ones."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey._kernels import line as kernels
from covey.costs import COSTS
from covey.errors import OptionError
from covey.line import leave_out as module
from covey.line.leave_out import leave_out_on_lines, shares_of
from tests.line.oracle import best_loss

if TYPE_CHECKING:
    from fractions import Fraction

HARD = [0, 0, 0, 0, 10, 10, 100, 100, 100, 103]


@cache
def least_without(cost: str, values: tuple[float, ...], k: int, count: int) -> Fraction | None:
    """The definition: every subset of the others, and every partition of each."""
    kept = len(values) - count
    found = [best_loss(cost, some, k) for some in set(itertools.combinations(values, kept))] if kept >= k else []
    return min((loss for loss in found if loss is not None), default=None)


def losses(values: list[float], k: int, most: int, cost: str = "sse") -> list[float]:
    found = kernels.losses_without(np.sort(np.array(values, dtype=float)), k, COSTS[cost].code, most)
    return [float(loss) for loss in found]


@pytest.mark.parametrize("cost", list(COSTS))
@pytest.mark.parametrize("k", [2, 3])
def test_every_number_of_small_columns_is_exact(cost: str, k: int) -> None:
    for n in range(k, 8):
        for values in itertools.combinations_with_replacement((0.0, 1.0, 3.0, 10.0), n):
            if values[0] != 0.0:
                continue
            found = losses(list(values), k, n - k, cost)
            for count, loss in enumerate(found):
                assert loss == pytest.approx(float(least_without(cost, values, k, count) or 0), abs=1e-9)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 30).map(float), min_size=10, max_size=10), st.integers(2, 4))
def test_ten_records_against_every_subset(values: list[float], k: int) -> None:
    for count, loss in enumerate(losses(values, k, 4)):
        assert loss == pytest.approx(float(least_without("sse", tuple(sorted(values)), k, count) or 0), abs=1e-9)


def test_the_loss_is_not_convex_in_what_is_left_out() -> None:
    assert losses([float(value) for value in HARD], 3, 3)[:4] == pytest.approx([881 / 12, 200 / 3, 6.75, 0.0])
    found = covey.leave_out(HARD, k=3, most=7)
    assert found.rows.tolist() == [4, 5, 9]
    assert (found.solution.loss, found.bound, found.proven) == (0.0, 0.0, True)


def test_none_or_k_are_left_out() -> None:
    """Two would buy nearly everything, one or two are never left out: three are, or none."""
    assert len(covey.leave_out(HARD, k=3, most=6).rows) == 3
    even = covey.leave_out([0.0, 0.0, 0.0, 5.0, 5.0, 5.0], k=3, most=3)
    assert even.rows.tolist() == []
    assert even.kept.tolist() == list(range(6))


@pytest.mark.parametrize("cost", list(COSTS))
def test_groups_lose_what_the_table_says_in_any_order(cost: str) -> None:
    rng = np.random.default_rng(5)
    for values in (rng.lognormal(2, 1, 200), rng.integers(0, 9, 200).astype(float), 1e9 + rng.uniform(size=200)):
        found = covey.leave_out(values, k=4, most=20, cost=cost)
        table = losses(values.tolist(), 4, 20, cost)
        table[1:4] = [math.inf] * 3
        assert found.solution.loss == pytest.approx(min(table), rel=1e-7, abs=1e-9)
        assert found.solution.partition.smallest >= 4
        assert sorted([*found.rows.tolist(), *found.kept.tolist()]) == list(range(200))


@pytest.mark.parametrize(
    "values",
    [
        [5e-324 * value for value in HARD],
        [1e300 * value for value in HARD],
        [7.0] * 10,
        [2**62 + value for value in HARD],
    ],
)
def test_hard_columns(values: list[float]) -> None:
    found = covey.leave_out(values, k=3, most=3)
    assert found.rows.tolist() in ([4, 5, 9], [])
    assert len(found.rows) == (0 if values[0] == values[9] else 3)


def test_budget_is_shared_by_columns_as_well_as_can_be() -> None:
    rng = np.random.default_rng(2)
    columns = [np.concatenate([rng.normal(size=20), rng.normal(size=4) * 30]) for _ in range(3)]
    for most in (3, 5, 7, 10):
        found = leave_out_on_lines(columns, 3, most)
        curves = [losses(column.tolist(), 3, most) for column in columns]
        shares = itertools.product([0, *range(3, most + 1)], repeat=3)
        best = min(
            sum(curve[count] for curve, count in zip(curves, share, strict=True))
            for share in shares
            if sum(share) <= most
        )
        counts = [int(out.sum()) for out in found.out]
        assert all(count == 0 or count >= 3 for count in counts)
        assert sum(counts) <= most
        assert found.bound == pytest.approx(best)
        assert found.proven
    assert shares_of([np.array([5.0, math.inf]), np.array([3.0, 1.0])], 1) == ([0, 1], 6.0)


def test_at_a_price_the_best_for_that_number_and_a_bound_for_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    for most in (6, 11, 20):
        column = rng.lognormal(1, 1.5, 150)
        exact = losses(column.tolist(), 4, most)
        monkeypatch.setattr(module, "MOST_CELLS", 10)
        found = covey.leave_out(column, k=4, most=most)
        monkeypatch.undo()
        count = len(found.rows)
        assert 4 <= count <= most
        assert found.solution.loss == pytest.approx(exact[count])
        assert found.bound <= min(exact) * (1 + 1e-12)
        assert found.bound >= 0.5 * min(exact)
        assert found.proven == (count == most)


def test_budgets_that_cannot_be() -> None:
    for most in (2, 8):
        with pytest.raises(OptionError, match=rf"most is {most}; needed: from k = 3 to 7"):
            covey.leave_out(HARD, k=3, most=most)
    with pytest.raises(OptionError, match="k is 1; needed: at least 2"):
        covey.leave_out(HARD, k=1, most=3)
