"""A stream is grouped exactly as the whole column would be: totals, certificate, rule for equal candidates."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import line as kernels
from covey.costs import COSTS
from covey.errors import InputError
from covey.line import stream, streaming
from covey.line.tail import Tail
from tests.line.columns import KINDS, columns, hard_column, small_columns
from tests.line.oracle import best_loss
from tests.line.stream_oracle import all_ends, every_way_to_cut, in_memory, loss_of_ends, roots_of, worst_lag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

TOLERANCE = Fraction(1, 10**14)
SIZES = (1, 2, 3, 4, 5, 7, 8, 11, 20, 21, 33, 41, 60)  # every kernel: k made for, any k, divide
# Rounding makes ties of what is none, or hides them: the last bit of a total may differ.
NOT_IN_THE_LAST_BIT = ("tenths", "tight clusters", "far apart")


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments as short as they can be (4k ends), and little taken at a time."""
    monkeypatch.setattr(streaming, "_SEGMENT", 1)
    monkeypatch.setattr(streaming, "_PIECE", 256)


def in_random_blocks(x: NDArray[np.float64], rng: np.random.Generator, count: int = 9) -> list[NDArray[np.float64]]:
    return np.split(x, np.sort(rng.integers(0, len(x) + 1, count)))


def hard_grid(kind: str, n: int) -> NDArray[np.float64]:
    steps = np.arange(n, dtype=np.float64)
    ages = np.sort(np.floor(np.random.default_rng(n).random(n) * 100))
    grids = {"arange": steps, "tenths": steps / 10, "squares": steps**2, "constant": 0 * steps, "ages": ages}
    return grids[kind]


@pytest.mark.parametrize("cost", COSTS)
def test_every_small_column_in_every_way(cost: str) -> None:
    loss = functools.cache(functools.partial(loss_of_ends, cost))
    for values in small_columns(7):
        x = np.array(values)
        for k in range(1, len(values) + 1):
            best = best_loss(cost, values, k)
            assert loss(values, tuple(in_memory(values, k, cost))) == best
            for stops in every_way_to_cut(len(values)):
                ends = all_ends(np.split(x, stops), k, cost)
                assert min(np.diff([0, *ends])) >= k
                assert ends[-1] == len(values)
                assert loss(values, tuple(ends)) == best, (values, k, stops)


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_total_is_that_of_the_search_in_memory(cost: str, kind: str) -> None:
    rng = np.random.default_rng(5)
    for k in SIZES:
        for n in (k, 2 * k - 1, 2 * k, 3 * k, 4 * k + 1, 1500):
            x = np.sort(hard_column(kind, n, rng))
            try:
                ends = all_ends(in_random_blocks(x, rng), k, cost)
            except InputError as error:
                assert kind == "far apart"
                assert "magnitudes" in str(error)  # noqa: PT017
                continue
            assert min(np.diff([0, *ends])) >= k
            found, wanted = loss_of_ends(cost, x, ends), loss_of_ends(cost, x, in_memory(x, k, cost))
            tolerance = TOLERANCE / 10 if kind in NOT_IN_THE_LAST_BIT else 0
            assert abs(found - wanted) <= tolerance * wanted, (n, k)


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", ["arange", "squares", "constant", "ages"])
def test_the_total_on_grids_and_ties(cost: str, kind: str) -> None:
    rng = np.random.default_rng(6)
    for k in (2, 3, 7, 20, 30, 50):
        x = hard_grid(kind, 3001)
        found = loss_of_ends(cost, x, all_ends(in_random_blocks(x, rng), k, cost))
        assert found == loss_of_ends(cost, x, in_memory(x, k, cost)), k


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
def test_the_very_cuts_where_no_candidates_are_equal(cost: str) -> None:
    """The totals are those of the search in memory bit for bit, so without ties the cuts are."""
    rng = np.random.default_rng(7)
    x = np.sort(rng.lognormal(size=6000))
    for k in (*SIZES, 150, 1000, 3000):
        assert all_ends(in_random_blocks(x, rng), k, cost) == in_memory(x, k, cost), k


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
@settings(max_examples=40)
@given(x=columns(largest=60), data=st.data())
def test_columns_that_hypothesis_makes_up(cost: str, x: NDArray[np.float64], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, min(len(x), 25)))
    values = np.sort(x)
    stops = data.draw(st.lists(st.integers(0, len(x)), max_size=6).map(sorted))
    try:
        ends = all_ends(np.split(values, stops), k, cost)
    except InputError as error:
        assert "magnitudes" in str(error)  # noqa: PT017
        gaps = np.diff(values)
        with np.errstate(over="ignore"):
            assert gaps.max() / gaps[gaps > 0].min() > 2.0**450
        return
    best = best_loss(cost, values.tolist(), k, most=2 * k - 1)
    assert best is not None
    assert best <= loss_of_ends(cost, values, ends) <= best * (1 + TOLERANCE)


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", ["uniform", "ages", "money", "constant", "integers", "tenths"])
def test_the_same_cuts_however_it_is_cut_into_blocks(cost: str, kind: str) -> None:
    rng = np.random.default_rng(8)
    x = np.sort(hard_column(kind, 2500, rng))
    for k in (2, 5, 21, 45):
        whole = all_ends([x], k, cost)
        assert all_ends(np.split(x, len(x)), k, cost) == whole
        assert all_ends(in_random_blocks(x, rng), k, cost) == whole


# --- The certificate ---


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", ["uniform", "ages", "money"])
def test_what_is_handed_out_is_right_whatever_follows(cost: str, kind: str) -> None:
    """Cuts that came out before the rest was known are part of an optimum with every rest that was tried."""
    rng = np.random.default_rng(9)
    for k in (2, 3, 6, 24):
        known = np.sort(hard_column(kind, 1300, rng))
        early = 0
        for rest in range(0, 4 * k, max(1, k // 4)):
            x = np.concatenate([known, known[-1] + np.cumsum(hard_column(kind, rest + 1, rng)[:rest] % 7)])
            ends, early = _ends_and_early_ones(x, len(known), k, cost)
            assert loss_of_ends(cost, x, ends) == loss_of_ends(cost, x, in_memory(x, k, cost)), (k, rest)
        assert early > 0


def _ends_and_early_ones(x: NDArray[np.float64], known: int, k: int, cost: str) -> tuple[list[int], int]:
    """The ends, and how many of them came out before anything behind `known` was read."""
    ends: list[int] = []
    early = []

    def blocks() -> Iterator[NDArray[np.float64]]:
        yield from np.split(x[:known], range(100, known, 100))
        early.append(len(ends))
        yield x[known:]

    for some in stream(blocks(), k, cost):
        ends.extend(some.tolist())
    return ends, early[0]


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("k", [1, 2, 5, 13, 30, 50])
def test_roots_are_where_paths_enter_a_segment(cost: str, k: int) -> None:
    """The definition: follow every path, step by step."""
    rng = np.random.default_rng(k)
    x = np.sort(rng.lognormal(size=40 * k + 2000))
    kernel, sizes, start = kernels.Stream(COSTS[cost].code, k, 300), [], 0
    for piece in np.split(x, range(97, len(x), 97)):
        found, roots = kernel.push(piece, False)
        if len(found):
            sizes += found.tolist()
            assert roots.tolist() == roots_of(sizes, start, len(sizes), 2 * k - 1)
            start = len(sizes)
    assert start > len(x) // 2


@pytest.mark.parametrize("k", [2, 3, 6])
def test_every_live_position_counts(k: int) -> None:
    """Nothing is handed out as long as one of the 2k-1 positions that the future can build on has another path."""
    sizes = np.full(4 * k, k, dtype=np.uint32)
    for other in range(2 * k - 1):
        tail = Tail(k, memory=10**6)
        roots = np.zeros(2 * k - 1, dtype=np.uint32)
        assert not list(tail.add(sizes, roots))
        roots[other] = k
        assert not list(tail.add(sizes, roots)), other
        assert [ends.tolist() for ends in tail.add(sizes, np.full(2 * k - 1, other, dtype=np.uint32))]


# --- The rule for equal candidates ---


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", ["constant", "ages", "arange"])
def test_ties_do_not_keep_paths_apart(cost: str, kind: str) -> None:
    """Without the rule nothing of a constant stream would be decided before its end."""
    for k in (2, 3, 5, 9, 20, 30, 50):
        n = 6 * k * k + 6000
        assert worst_lag(hard_grid(kind, n), k, cost, block=200) <= 2 * k * k + 20 * k + 800, k


@pytest.mark.parametrize("cost", COSTS)
def test_equal_candidates_start_at_multiples_of_k(cost: str) -> None:
    for k in (2, 3, 6, 14, 30, 50):
        ends = all_ends([np.full(500, 2.5)], k, cost)
        assert all(end % k == 0 for end in ends[:-1])


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
def test_a_stream_decides_soon_on_random_data(cost: str) -> None:
    x = np.sort(np.random.default_rng(3).random(40_000))
    assert worst_lag(x, 5, cost, block=300) < 2000
    assert worst_lag(x, 30, cost, block=300) < 12_000


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", COSTS)
def test_costly_prefixes_do_not_mislead_their_neighbours(cost: str) -> None:
    """Divide and conquer trusts neighbours; behind a wide gap their totals are all rounding error."""
    rng = np.random.default_rng(0)
    for k in (21, 45, 60):
        for _ in range(12):
            sizes = rng.integers(k, 5 * k, 4)
            x = np.sort(np.concatenate([rng.random(size) * 1e-3 + place * 1e13 for place, size in enumerate(sizes)]))
            found, wanted = all_ends([x], k, cost), in_memory(x, k, cost)
            assert loss_of_ends(cost, x, found) <= loss_of_ends(cost, x, wanted) * (1 + TOLERANCE), k
