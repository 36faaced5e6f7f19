"""Anchors: whatever surrounds a part, its anchor is a cut of an optimal partition of the whole, and all anchors of one."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from covey.costs import COSTS
from covey.errors import InputError, OptionError
from covey.line import anchor, anchors
from tests.line.columns import KINDS, hard_column
from tests.line.costs_of_our_own import MeanAbsoluteError
from tests.line.oracle import Exact
from tests.line.stream_oracle import in_memory, loss_of_ends
from tests.line.test_stream import NOT_IN_THE_LAST_BIT, TOLERANCE, hard_grid

if TYPE_CHECKING:
    from numpy.typing import NDArray


def in_pieces(x: NDArray[np.float64], stops: list[int], k: int, cost: str) -> tuple[list[int], int]:
    """Group ends of a column whose parts stop there: each part but the first looks for an anchor; pieces lie between these."""
    parts = itertools.pairwise([0, *stops, len(x)])
    found = [(start, anchor(x[start:stop], k, cost)) for start, stop in parts if start > 0]
    cuts = [start + place for start, place in found if place is not None]
    ends: list[int] = []
    for start, stop in itertools.pairwise([0, *cuts, len(x)]):
        ends += [start + end for end in in_memory(x[start:stop], k, cost)]
    return ends, len(cuts)


def least_totals(cost: str, x: NDArray[np.float64], start: int, k: int) -> dict[int, Fraction]:
    """Position to the least total of groups of k to 2k-1 from the start to there; where there is one."""
    exact, totals = Exact(x.tolist()), {start: Fraction(0)}
    for stop in range(start + k, len(x) + 1):
        froms = [place for place in range(stop - 2 * k + 1, stop - k + 1) if place in totals]
        if froms:
            totals[stop] = min(totals[place] + exact.loss(cost, place, stop) for place in froms)
    return totals


def check(x: NDArray[np.float64], stops: list[int], k: int, cost: str, tolerance: Fraction | int = 0) -> int:
    ends, cuts = in_pieces(x, stops, k, cost)
    assert min(np.diff([0, *ends])) >= k
    found, wanted = loss_of_ends(cost, x, ends), loss_of_ends(cost, x, in_memory(x, k, cost))
    assert abs(found - wanted) <= tolerance * wanted, (len(x), stops, k)
    return cuts


@pytest.mark.parametrize("cost", COSTS)
def test_the_definition_on_small_columns(cost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For every start and end of the part, some best path passes the anchor."""
    monkeypatch.setattr(anchors, "_SEGMENT", 1)
    rng = np.random.default_rng(1)
    met = 0
    for k, largest in itertools.product((2, 3), (12, 60, 10**6)):
        x = np.sort(np.floor(rng.random(600) * largest))
        place = anchor(x, k, cost)
        if place is None:
            continue
        met += 1
        behind = least_totals(cost, x, place, k)
        for start in range(2 * k - 1):
            totals = least_totals(cost, x, start, k)
            for stop in range(len(x) - 2 * k + 2, len(x) + 1):
                assert totals[place] + behind[stop] == totals[stop]
    assert met >= 5


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_total_does_not_depend_on_the_parts(cost: str, kind: str) -> None:
    rng = np.random.default_rng(2)
    tolerance = TOLERANCE if kind in NOT_IN_THE_LAST_BIT else 0
    for k in (2, 5):
        x = np.sort(hard_column(kind, 2000, rng))
        for parts in (2, 5):
            check(x, sorted(rng.integers(0, len(x) + 1, parts - 1).tolist()), k, cost, tolerance)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", ["arange", "squares", "constant", "ages", "tenths"])
def test_grids_and_ties(cost: str, kind: str) -> None:
    x = hard_grid(kind, 2000)
    for k in (2, 9):
        check(x, [3, 3, 500, 507, 1400], k, cost, TOLERANCE if kind == "tenths" else 0)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize(("k", "n"), [(21, 20_000), (45, 30_000)])
def test_large_groups(cost: str, k: int, n: int) -> None:
    """The other kernel."""
    x = np.sort(np.random.default_rng(3).lognormal(size=n))
    assert check(x, [n // 2], k, cost, TOLERANCE) == 1


@pytest.mark.parametrize("kind", ["uniform", "offset 1e9", "ages", "money", "timestamps", "long tail"])
def test_parts_of_ordinary_columns_have_anchors(kind: str) -> None:
    """Else all would be one piece: exact, and nothing gained."""
    x = np.sort(hard_column(kind, 20_000, np.random.default_rng(4)))
    for k in (2, 10):
        assert check(x, [4000, 8000, 12_000, 16_000], k, "sse", TOLERANCE) == 4, k


def test_more_records_are_looked_at_where_few_do_not_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.sort(np.random.default_rng(5).random(9000))
    expected = anchor(x, 10)
    assert expected is not None
    monkeypatch.setattr(anchors, "_FIRST", 41)
    assert anchor(x, 10) is not None
    monkeypatch.setattr(anchors, "_MOST", 41)
    assert anchor(x[:100], 10) is None


@pytest.mark.parametrize("cost", COSTS)
def test_a_crowd_forces_the_cut(cost: str) -> None:
    x = np.sort(np.random.default_rng(6).random(2000)) * 1e-3
    x[7:] += 1.0  # a gap that a group would rather not span
    for start in range(9):
        assert anchors._decided(x, start, 5, COSTS[cost])[0] == start


def test_a_crowd_forces_the_cut_whatever_records_weigh() -> None:
    rng = np.random.default_rng(6)
    x = np.sort(rng.random(2000))
    for weight in (
        rng.exponential(size=2000),
        np.where(np.arange(2000) < 12, 1e-13, 1.0),
        10.0 ** rng.integers(-9, 9, 2000),
    ):
        for start in range(9):
            assert anchors._decided(x, start, 5, COSTS["sse"], np.asarray(weight, dtype=np.float64))[0] == start


def test_anchors_lie_between_different_values() -> None:
    x = np.repeat(np.arange(60.0), 50)
    for k in (2, 3, 7):
        place = anchor(x, k)
        assert place is not None
        assert x[place - 1] < x[place]
    assert anchor(np.zeros(1000), 3) is None
    rng = np.random.default_rng(7)
    for _ in range(200):  # some cuts that all paths share lie between equal values
        x = np.sort(np.floor(rng.random(800) * 200))
        place = anchor(x, 3)
        assert place is not None
        assert x[place - 1] < x[place]


def test_parts_without_an_anchor() -> None:
    assert anchor([], 3) is None
    assert anchor([1.0, 2.0], 3) is None
    assert anchor(np.arange(5000.0) ** 2, 5) is None  # the far past decides
    assert anchor(np.arange(5000.0), 2) is None  # odd or even: so does it here


def test_the_door() -> None:
    with pytest.raises(InputError, match="does not ascend"):
        anchor([2.0, 1.0], 1)
    with pytest.raises(OptionError, match="one of your own"):
        anchor([1.0, 2.0], 1, MeanAbsoluteError())  # type: ignore[arg-type]
