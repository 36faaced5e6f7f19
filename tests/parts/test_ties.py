"""A value that many records share is cut inside: the lemma, who goes where, and what is left if shares fall short."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.line import OptimalLine, anchor
from covey.parts.ties import LineCuts, numbered_apart, share_of, tied_cuts, with_values

COSTS = ("sse", "sae", "maxdist", "roundup", "rounddown")


def lowest(x: np.ndarray, k: int, cost: str) -> float:
    return float(OptimalLine(cost=cost).solve(x, k).loss)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("k", [2, 3])
def test_cuts_inside_equal_values_are_free(k: int, cost: str) -> None:
    """Every one and two cuts that the lemma allows, beside few and many records on both sides."""
    rng = np.random.default_rng(k)
    for low, high in ((0, 0), (1, 0), (k - 1, 1), (2, 2 * k - 1), (3 * k, 2 * k + 1)):
        for many in (6 * k - 4, 7 * k - 3):
            x = np.sort(np.concatenate([-1 - rng.random(low), np.zeros(many), 1 + rng.random(high)]))
            whole = lowest(x, k, cost)
            inside = range(low + 3 * k - 2, low + many - (3 * k - 2) + 1)
            for cuts in [*combinations(inside, 1), *combinations(inside, 2)]:
                if all(b - a >= k for a, b in pairwise(cuts)):
                    assert sum(lowest(one, k, cost) for one in np.split(x, cuts)) == pytest.approx(whole, abs=1e-12)


def test_a_cut_too_near_to_the_end_of_a_value_may_cost() -> None:
    x = np.array([-1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert lowest(x[:4], 3, "sse") + lowest(x[4:], 3, "sse") > lowest(x, 3, "sse")


def test_anchors_and_free_cuts_hold_at_once() -> None:
    rng = np.random.default_rng(5)
    for k in (2, 3, 5):
        x = np.sort(np.concatenate([rng.random(5000), np.full(4000, 0.5), np.full(700, 0.9)]))
        start, stop = np.searchsorted(x, [0.5, 0.9], side="right")
        before = int(np.searchsorted(x, 0.5))
        found = anchor(x[before // 2 : before], k), anchor(x[start : start + (stop - start) // 3], k)
        assert None not in found
        cuts = [before // 2 + int(found[0] or 0), before + 3 * k - 2, before + 2000, start - (3 * k - 2)]
        pieces = np.split(x, [*cuts, start + int(found[1] or 0), stop - (3 * k - 2)])
        assert sum(lowest(one, k, "sse") for one in pieces) == pytest.approx(lowest(x, k, "sse"), rel=1e-12)


values = st.lists(st.integers(0, 6), min_size=1, max_size=60)


@given(values, st.dictionaries(st.integers(0, 6), st.integers(1, 4), min_size=1), st.integers(0, 2**32))
def test_pieces_are_ranges_and_shares(given_values: list[int], deals: dict[int, int], seed: int) -> None:
    """Against the definition: walk along the line, begin a piece at every cut, and at every share but the first."""
    at = np.array(sorted(deals), dtype=np.float64)
    cuts = LineCuts(at, np.array([deals[int(one)] for one in at]))
    place = np.array(given_values, dtype=np.float64)
    numbers = np.random.default_rng(seed).integers(0, 2**63, len(place)).astype(np.uint64)
    found = cuts.assign(place, numbers)
    assert len(cuts) == 1 + sum(max(1, number - 1) for number in deals.values())
    for x, number, piece in zip(place.tolist(), numbers.tolist(), found.tolist(), strict=True):
        below = sum(max(1, many - 1) for value, many in deals.items() if value < x)
        many = deals.get(int(x), 0)
        assert piece == below + (number % many if many > 1 else many)
    tied, share = cuts.shares(place, numbers)
    assert tied.tolist() == [deals.get(int(x), 0) > 1 for x in place]
    for x, number, one in zip(place[tied].tolist(), numbers[tied].tolist(), share.tolist(), strict=True):
        assert one == sum(many for value, many in deals.items() if value < x and many > 1) + number % deals[int(x)]


def test_values_that_fill_pieces_are_found_and_others_are_not() -> None:
    sample = np.repeat([18.0, 19.0, 20.0, 21.0], [50, 500, 449, 1])
    cuts = tied_cuts(sample, rows=10_000, most=1000)
    assert (cuts.at.tolist(), cuts.deals.tolist()) == ([19.0, 20.0], [5, 4])
    assert len(tied_cuts(sample, rows=1000, most=1000)) == 1
    more = with_values(cuts, np.array([18.5, 19.0, 30.0]))
    assert more.at.tolist() == [18.5, 19.0, 20.0, 30.0]
    assert more.deals.tolist() == [1, 5, 4, 1]
    assert [more.behind(one) for one in (-np.inf, 18.5, 18.7, 19.0, 20.0, 99.0)] == [0, 1, 1, 5, 8, 9]


def test_shares_that_fall_short_stay_together() -> None:
    cuts = LineCuts(np.array([1.0, 2.0, 3.0, 4.0]), np.array([3, 1, 2, 2]))
    enough = [7, 3, 7, 7, 7, 7, 7]
    assert cuts.kept(enough, 3).at.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert cuts.kept([7, 2, 7, 7, 7, 7, 7], 3).at.tolist() == [2.0, 3.0, 4.0]  # a share below k
    assert cuts.kept([7, 3, 7, 6, 7, 7, 6], 3).at.tolist() == [1.0, 2.0]  # an end below 3k-2


@given(st.lists(st.integers(0, 3), max_size=40), st.sets(st.integers(0, 40)))
def test_equal_rows_get_numbers_of_their_own_however_they_are_cut(content: list[int], stops: set[int]) -> None:
    numbers = np.sort(np.array(content, dtype=np.uint64) * np.uint64(7))
    wanted, _ = numbered_apart(numbers, (0, 0), 3)
    last, parts = (0, 0), []
    for part in np.split(numbers, sorted(stop for stop in stops if stop < len(numbers))):
        apart, last = numbered_apart(part, last, 3)
        parts.append(apart)
    assert np.concatenate(parts).tolist() == wanted.tolist()
    assert len(set(wanted.tolist())) == len(wanted)
    first = np.unique(numbers, return_index=True)[1]
    assert wanted[first].tolist() == numbers[first].tolist()


def test_many_equal_rows_are_dealt_out_evenly() -> None:
    numbers, _ = numbered_apart(np.full(60_000, 12345, dtype=np.uint64), (0, 0), 0)
    shares = np.bincount(share_of(numbers, np.full(60_000, 6)))
    assert len(shares) == 6
    assert 9_500 < shares.min() < shares.max() < 10_500
