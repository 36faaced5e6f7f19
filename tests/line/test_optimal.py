"""Exact means exact: every search and kernel against the optimum in rational arithmetic."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import line as kernels
from covey.costs import COSTS
from covey.line import OptimalLine
from covey.line.searches import SEARCHES
from tests.line.columns import KINDS, columns, hard_column, small_columns
from tests.line.oracle import best_loss, groups_of, loss_of

TOLERANCE = Fraction(1, 10**14)


def is_optimal(found: Fraction, best: Fraction | None) -> bool:
    assert best is not None
    assert found >= best
    return found <= best * (1 + TOLERANCE)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("search", ["auto", *SEARCHES])
def test_every_small_column(cost: str, search: str) -> None:
    method = OptimalLine(cost=cost, search=search)
    for values in small_columns(7):
        for k in range(1, len(values) + 1):
            partition = method.partition(values, k)
            assert partition.smallest >= k
            assert loss_of(cost, values, groups_of(partition.labels)) == best_loss(cost, values, k), (values, k)


@pytest.mark.parametrize("cost", COSTS)
def test_every_small_column_in_other_orders(cost: str) -> None:
    """Up to 5 values in every order, more in a random one."""
    shuffler = random.Random(5)
    method = OptimalLine(cost=cost)
    orders = itertools.chain.from_iterable(
        set(itertools.permutations(values)) if len(values) < 6 else [shuffler.sample(values, len(values))]
        for values in small_columns(7)
    )
    for values in orders:
        shuffled = list(values)
        for k in range(1, len(values) + 1):
            solution = method.solve(shuffled, k)
            best = best_loss(cost, values, k)
            assert best is not None
            assert loss_of(cost, shuffled, groups_of(solution.partition.labels)) == best
            assert solution.loss == pytest.approx(float(best), rel=1e-14, abs=0)


@pytest.mark.parametrize("kernel", [kernels.direct, kernels.divide])
@pytest.mark.parametrize("cost", COSTS)
def test_both_fast_kernels_on_every_small_column(cost: str, kernel: object) -> None:
    assert callable(kernel)
    columns_of_nine = itertools.combinations_with_replacement((0.0, 1.0, 3.0), 9)
    for values in itertools.chain(small_columns(7), columns_of_nine):
        for k in range(2, len(values) // 2 + 1):
            labels = kernel(np.array(values), k, COSTS[cost].code)
            assert loss_of(cost, values, groups_of(labels)) == best_loss(cost, values, k), (values, k)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("search", ["auto", *SEARCHES])
@settings(max_examples=25)
@given(x=columns(largest=40), data=st.data())
def test_hard_columns(cost: str, search: str, x: np.ndarray, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, min(len(x), 25)))
    partition = OptimalLine(cost=cost, search=search).partition(x, k)
    assert partition.smallest >= k
    assert is_optimal(
        loss_of(cost, x.tolist(), groups_of(partition.labels)), best_loss(cost, x.tolist(), k, most=2 * k - 1)
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cost", COSTS)
def test_fast_kernels_on_larger_hard_columns(cost: str, kind: str) -> None:
    rng = np.random.default_rng(3)
    for n, k in (
        (301, 2),
        (300, 3),
        (300, 7),
        (300, 8),
        (311, 13),
        (350, 20),
        (350, 21),
        (420, 41),
        (403, 45),
        (500, 100),
    ):
        x = hard_column(kind, n, rng)
        partition = OptimalLine(cost=cost).partition(x, k)
        assert k <= partition.smallest
        assert partition.sizes.max() < 2 * k
        found = loss_of(cost, x.tolist(), groups_of(partition.labels))
        assert is_optimal(found, best_loss(cost, x.tolist(), k, most=2 * k - 1)), (n, k)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "far apart"])
@pytest.mark.parametrize("cost", COSTS)
def test_searches_agree_on_long_columns(cost: str, kind: str) -> None:
    x = hard_column(kind, 30_000, np.random.default_rng(8))
    for k in (2, 5, 17, 33, 250):
        losses = {
            search: OptimalLine(cost=cost, search=search).solve(x, k).loss
            for search in ("auto", "simple+", "wilber", "galil-park", "staggered")
        }
        assert max(losses.values()) == pytest.approx(min(losses.values()), rel=1e-14, abs=0), (k, losses)


@pytest.mark.parametrize(
    ("n", "k"), [(1, 1), (5, 5), (9, 5), (10, 5), (11, 5), (1000, 1000), (1999, 1000), (2000, 1000)]
)
@pytest.mark.parametrize("cost", COSTS)
def test_edges_of_size(cost: str, n: int, k: int) -> None:
    x = hard_column("money", n, np.random.default_rng(n))
    partition = OptimalLine(cost=cost).partition(x, k)
    assert partition.smallest >= k
    assert is_optimal(
        loss_of(cost, x.tolist(), groups_of(partition.labels)), best_loss(cost, x.tolist(), k, most=2 * k - 1)
    )


def test_k_1_leaves_every_record_alone() -> None:
    assert OptimalLine().partition([5.0, 5.0, 1.0], 1).labels.tolist() == [0, 1, 2]


# --- The cases under "Traps" of what is known ---


def test_a_group_may_touch_three_cells() -> None:
    x = [0, 3, 4, 4, 4, 7, 7, 9, 10, 10]
    for search in ("auto", *SEARCHES):
        assert OptimalLine(search=search).solve(x, 3).loss == pytest.approx(17.4167, abs=1e-4)


def test_whole_numbers_of_which_prefix_sums_have_another_loss() -> None:
    """Section 4.1 of the paper: 2 is right, and 1 is what sums over the column give."""
    x = np.arange(300_090.0)
    some = slice(300_079, 300_082)
    total = np.cumsum(x)[some.stop - 1] - np.cumsum(x)[some.start - 1]
    squares = np.cumsum(x**2)[some.stop - 1] - np.cumsum(x**2)[some.start - 1]
    assert squares - total**2 / 3 == 1.0
    for search in ("auto", *SEARCHES):
        assert OptimalLine(search=search).solve(x[some], 3).loss == 2.0


def test_twice_k_records_out_of_order() -> None:
    assert OptimalLine().solve([1, 10, 2, 11], 2).loss == 1.0


def test_an_offset_changes_nothing() -> None:
    x = np.random.default_rng(1).integers(0, 2**20, 4000) * 2.0**-20
    for k in (3, 25, 150):
        assert OptimalLine().solve(x, k).loss == pytest.approx(OptimalLine().solve(x + 2.0**30, k).loss, rel=1e-14)
        assert OptimalLine().partition(x + 2.0**30, k).smallest >= k


def test_the_sums_of_the_paper_would_lose_the_optimum() -> None:
    x = np.sort(1e9 + np.random.default_rng(2).random(20_000))
    exact = OptimalLine().solve(x, 3).loss
    for sums in (kernels.prefix_sums, kernels.partial_sums, kernels.cheap_sums):
        assert sums(x, 3, False)[2] > 1.001 * exact


def test_partial_sums_over_three_cells() -> None:
    x = np.sort(np.random.default_rng(3).integers(0, 30, 50)).astype(float)
    for k in (1, 2, 3, 4, 7, 24, 50):
        for use_staggered in (False, True):
            loss = kernels.partial_sums(x, k, use_staggered)[2]
            assert loss == pytest.approx(OptimalLine().solve(x, k).loss)


def test_a_prefix_behind_a_wide_gap_does_not_drown_the_others() -> None:
    rng = np.random.default_rng(4)
    x = np.sort(np.concatenate([rng.random(45) * 1e-7 + far for far in (0.0, 1e9, 2e9, 3e9, 4e9)]))
    for cost in COSTS:
        for k in (3, 15, 21, 41, 45):
            best = best_loss(cost, x.tolist(), k, most=2 * k - 1)
            for search in ("auto", *SEARCHES):
                labels = OptimalLine(cost=cost, search=search).partition(x, k).labels
                assert is_optimal(loss_of(cost, x.tolist(), groups_of(labels)), best), (cost, k, search)


def test_costs_too_small_for_a_float_beside_the_range() -> None:
    small = [0.0, 1e-300, 2e-300, 7e-300, 8e-300, 9e-300]
    x = [*small, 1e300, 1e300, 1e300]
    for search in ("auto", *SEARCHES):
        assert OptimalLine(search=search).partition(x, 3).labels.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_loss_beyond_a_float_is_infinite() -> None:
    solution = OptimalLine().solve([-1e300, 1e300], 2)
    assert solution.loss == float("inf")
    assert solution.gap == 0.0


def test_a_step_down_the_whole_range_of_floats() -> None:
    x = 2.0 ** np.arange(-1074, 1024, 3)
    for cost in COSTS:
        partition = OptimalLine(cost=cost).partition(x, 4)
        found = loss_of(cost, x.tolist(), groups_of(partition.labels))
        assert is_optimal(found, best_loss(cost, x.tolist(), 4, most=7))


@pytest.mark.parametrize("cost", COSTS)
def test_a_costly_group_does_not_drown_those_behind_it(cost: str) -> None:
    rng = np.random.default_rng(6)
    x = np.concatenate([[-2.0, -0.8], rng.random(3000) * 4e-5])
    for k in (2, 3, 5, 12):
        partition = OptimalLine(cost=cost).partition(x, k)
        found = loss_of(cost, x.tolist(), groups_of(partition.labels))
        assert is_optimal(found, best_loss(cost, x.tolist(), k, most=2 * k - 1)), k


@pytest.mark.parametrize("n", [4096, 4097, 20_000])
@pytest.mark.parametrize("kind", ["uniform", "integers", "constant", "ages", "money", "tenths", "offset 1e9"])
def test_several_walks_trace_the_same_path_as_one(kind: str, n: int) -> None:
    """`auto` follows its back-pointers from several places at once, the kernel by itself from the end only."""
    x = np.sort(hard_column(kind, n, np.random.default_rng(n)))
    for k in (2, 3, 7, 20):
        for cost in ("sae", "maxdist"):
            plain = kernels.direct(x, k, COSTS[cost].code)
            assert np.array_equal(OptimalLine(cost=cost).partition(x, k).labels, plain), (k, cost)


@pytest.mark.parametrize("kind", ["uniform", "ages", "money", "tenths", "integers", "long tail"])
@pytest.mark.parametrize("cost", COSTS)
def test_every_instruction_set_gives_the_same_partition(cost: str, kind: str) -> None:
    x = hard_column(kind, 3000, np.random.default_rng(9))
    for k in (2, 3, 4, 7, 8, 10, 13, 20, 21, 33, 41, 100, 700):
        fastest = OptimalLine(cost=cost).partition(x, k)
        kernels.use_baseline(True)
        try:
            assert OptimalLine(cost=cost).partition(x, k) == fastest, k
        finally:
            kernels.use_baseline(False)
