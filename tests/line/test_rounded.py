"""Means published as whole numbers, and weighted means: what is lost after that is what is minimised."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from covey import solve
from covey.costs import RoundedSquares, find_cost
from covey.errors import InputError, OptionError
from covey.line import OptimalLine, anchor, find_counterexample, stream, streaming
from covey.line.searches import SEARCHES
from tests.line.oracle import groups_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


@lru_cache(maxsize=100_000)
def loss_of(values: tuple[float, ...], weights: tuple[float, ...] | None = None, *, whole: bool = True) -> Fraction:
    """The least loss around any whole number, or around any number, of all values together."""
    x = [Fraction(value) for value in values]
    w = [Fraction(weight) for weight in weights or [1] * len(x)]
    mean = sum((a * b for a, b in zip(x, w, strict=True)), start=Fraction(0)) / sum(w)
    centres = range(int(min(x)) - 1, int(max(x)) + 2) if whole else (mean,)
    return min(sum((b * (a - c) ** 2 for a, b in zip(x, w, strict=True)), start=Fraction(0)) for c in centres)


def total(
    values: Sequence[float], labels: Sequence[int], weights: Sequence[float] | None = None, *, whole: bool = True
) -> Fraction:
    """The loss of a partition, by the definition."""
    groups = groups_of(labels)
    parts = [
        loss_of(tuple(values[i] for i in g), None if weights is None else tuple(weights[i] for i in g), whole=whole)
        for g in groups
    ]
    return sum(parts, start=Fraction(0))


def partitions(n: int, k: int) -> Iterator[list[int]]:
    """The labels of all partitions of n records into groups of at least k."""
    for labels in itertools.product(range(n // k), repeat=n):
        seen = list(dict.fromkeys(labels))
        if seen == list(range(len(seen))) and min(map(labels.count, seen)) >= k:
            yield list(labels)


def intervals(n: int, k: int) -> Iterator[list[int]]:
    """The labels of all partitions into intervals of at least k."""
    for cuts in itertools.product((0, 1), repeat=n - 1):
        labels = [0, *itertools.accumulate(cuts)]
        if min(map(labels.count, labels)) >= k:
            yield labels


WHOLE = (0.0, 1.0, 2.0, 5.0)
HALVES = (0.0, 0.25, 0.5, 1.75)


@pytest.mark.parametrize("alphabet", [WHOLE, HALVES])
@pytest.mark.parametrize(("k", "largest"), [(1, 3), (2, 6), (3, 6)])
def test_no_partition_at_all_loses_less(alphabet: tuple[float, ...], k: int, largest: int) -> None:
    for n in range(k, largest + 1):
        ways = list(partitions(n, k))
        for column in itertools.combinations_with_replacement(alphabet, n):
            solution = OptimalLine(cost="rounded").solve(column, k)
            assert solution.status == "optimal"
            assert solution.loss == total(column, solution.partition.labels.tolist())
            assert solution.loss == min(total(column, labels) for labels in ways)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("options", [{"group_cost": 0.5}, {"max_groups": 2}, {"max_size": 5}, {"search": "classic"}])
def test_variants(options: dict[str, float], k: int) -> None:
    rng = np.random.default_rng(k)
    for column in (rng.integers(0, 9, 9).astype(float), rng.integers(0, 40, 9) / 8):
        x = np.sort(column)
        best = min(
            total(x.tolist(), labels) + Fraction(options.get("group_cost", 0.0)) * (labels[-1] + 1)
            for labels in intervals(9, k)
            if labels[-1] < options.get("max_groups", 9)
            and max(map(labels.count, labels)) <= options.get("max_size", 9)
        )
        assert OptimalLine(cost="rounded", **options).solve(column, k).loss == pytest.approx(float(best), rel=1e-12)  # type: ignore[arg-type]


def test_crossing_groups_never_lose_more_than_nested_ones() -> None:
    cost = RoundedSquares()
    for column in itertools.combinations_with_replacement((0.0, 0.5, 1.0, 2.0, 6.75), 6):
        x = np.array(column)
        for a, b, c, d in itertools.combinations(range(7), 4):
            assert cost.loss(x[a:c]) + cost.loss(x[b:d]) <= cost.loss(x[a:d]) + cost.loss(x[b:c])
    fractions = ((0.0, 0.5, 1.0), (0.25, 0.5, 0.75), (0.0, 0.375, 0.625, 1.5))
    assert find_counterexample("rounded", largest=5, alphabets=((0.0, 1.0, 3.0), *fractions)) is None


def columns() -> Iterator[tuple[str, NDArray[np.float64]]]:
    rng = np.random.default_rng(1)
    for n in (13, 60, 700):
        yield "ages", np.floor(rng.random(n) * 90)
        yield "days", 1e9 + np.floor(rng.random(n) * 500)
        yield "constant", np.full(n, 7.0)
        yield "long tail", np.floor(rng.random(n) ** -2.0)
        yield "halves", 1e9 + np.floor(rng.random(n) * 100) / 2
        yield "off the grid", rng.random(n) * 20


def reference(x: NDArray[np.float64], k: int) -> float:
    """The obvious dynamic programme, every size."""
    x = np.sort(x) - np.floor(x.min())
    sums, squares = np.append(0.0, np.cumsum(x)), np.append(0.0, np.cumsum(x**2))
    totals = np.full(len(x) + 1, np.inf)
    totals[0] = 0.0
    for stop in range(k, len(x) + 1):
        starts = np.arange(max(0, stop - 2 * k + 1), stop - k + 1)
        size, added = stop - starts, sums[stop] - sums[starts]
        centre = np.rint(added / size)
        losses = squares[stop] - squares[starts] - 2 * centre * added + size * centre**2
        totals[stop] = np.min(totals[starts] + losses)
    return float(totals[-1])


@pytest.mark.parametrize("k", [2, 3, 5, 7, 12, 30, 45])
def test_all_ways_of_computing_it_agree(k: int) -> None:
    for name, x in columns():
        if len(x) < k:
            continue
        best = reference(x, k)
        assert OptimalLine(cost="rounded").solve(x, k).loss == pytest.approx(best, rel=1e-9, abs=1e-6), name
        for search in SEARCHES if len(x) < 700 else ["staggered"]:
            line = OptimalLine(cost="rounded", search=search, max_size=2 * k - 1 if len(x) >= 2 * k else None)
            assert line.solve(x, k).loss == pytest.approx(best, rel=1e-9, abs=1e-6), (name, search)
        ends = np.concatenate(list(stream([np.sort(x)[:40], np.sort(x)[40:]], k, "rounded")))
        lost = sum(RoundedSquares().loss(some) for some in np.split(np.sort(x), ends[:-1]))
        assert lost == pytest.approx(best, rel=1e-9, abs=1e-6), name


@pytest.mark.parametrize("k", [3, 10])
def test_sizes_at_the_edges(k: int) -> None:
    for n in (k, 2 * k - 1, 2 * k, 3 * k - 1):
        x = np.random.default_rng(n).integers(0, 30, n).astype(float)
        assert OptimalLine(cost="rounded").solve(x, k).loss == reference(x, k)
        assert len(solve(x, k, cost="rounded", weights=np.ones(n)).partition) <= n // k


def test_an_anchor_is_a_cut_of_the_best_groups_of_the_whole() -> None:
    rng = np.random.default_rng(5)
    for x in (np.sort(np.floor(rng.normal(0, 300, 3000))), np.sort(rng.integers(-400, 400, 3000) / 8)):
        place = anchor(x[1000:], 3, "rounded")
        assert place is not None
        cut = 1000 + place
        parts = reference(x[:cut], 3) + reference(x[cut:], 3)
        assert parts == pytest.approx(reference(x, 3), rel=1e-9)


def test_rounding_changes_the_groups() -> None:
    rng = np.random.default_rng(0)
    better = 0
    for _ in range(30):
        x = rng.integers(0, 30, 60).astype(float)
        plain = total(x.tolist(), OptimalLine().partition(x, 5).labels.tolist())
        best = OptimalLine(cost="rounded").solve(x, 5).loss
        assert best <= plain
        better += best < plain
    assert better > 0


def test_what_cannot_be_rounded_is_refused() -> None:
    assert find_cost("rounded") == RoundedSquares()
    with pytest.raises(InputError, match="2 values are beyond 2"):
        solve([1.0, 2.0**51, -(2.0**60)], 2, cost="rounded")
    with pytest.raises(InputError, match="beyond 2"):
        list(stream([[1.0, 2.0, 2.0**60]], 2, "rounded"))
    assert solve(np.array([2**60, 2**60 + 1, 2**60 + 2]), 2, cost="rounded").loss == 2.0


# -- weights


@pytest.mark.parametrize("cost", ["sse", "rounded"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_weights_are_the_best_of_all_intervals(cost: str, k: int) -> None:
    rng, whole = np.random.default_rng(k), cost == "rounded"
    for n in range(k, 8):
        for _ in range(12):
            x, w = rng.integers(0, 6, n).astype(float), rng.choice([0.5, 1.0, 4.0], n)
            solution = solve(x, k, cost=cost, weights=w)
            order = np.argsort(x, kind="stable")
            values, weights = x[order].tolist(), w[order].tolist()
            best = min(total(values, labels, weights, whole=whole) for labels in intervals(n, k))
            mine = total(x.tolist(), solution.partition.labels.tolist(), w.tolist(), whole=whole)
            assert solution.loss == pytest.approx(float(mine), abs=1e-12)
            if len(np.unique(x)) == n:
                assert solution.loss == pytest.approx(float(best), abs=1e-12)
            else:  # equal values may come in an order that is better than the oracle's
                assert solution.loss >= 0.0


@pytest.mark.parametrize("search", ["auto", *SEARCHES])
@pytest.mark.parametrize("n", [30, 2000])
def test_every_search_takes_weights(search: str, n: int) -> None:
    rng = np.random.default_rng(n)
    x, w = 1e9 + rng.permutation(n) * 0.5, rng.exponential(1e6, n) + 1.0
    for k in (2, 9, 15):
        assert solve(x, k, method="optimal-line", search=search, weights=w).loss == pytest.approx(
            solve(x, k, method="optimal-line", search="classic", max_size=2 * k - 1, weights=w).loss, rel=1e-9
        )


def test_weights_of_pieces_that_are_solved_again() -> None:
    """A gap that no group spans is a cut, and the pieces are solved each by itself, with their own weights."""
    rng = np.random.default_rng(8)
    parts = [1e9 * place + rng.random(40) for place in range(4)]
    weights = [rng.exponential(1.0, 40) + 0.1 for _ in parts]
    whole = solve(np.concatenate(parts), 3, weights=np.concatenate(weights)).loss
    alone = sum(solve(part, 3, weights=weight).loss for part, weight in zip(parts, weights, strict=True))
    assert whole == pytest.approx(alone, rel=1e-6)


def test_weights_count_as_repeated_records_and_equal_ones_change_nothing() -> None:
    x = np.random.default_rng(3).normal(size=50)
    plain = solve(x, 3)
    assert solve(x, 3, weights=np.full(50, 1e90)).status == "optimal"
    assert solve(x, 3, weights=np.full(50, 4.0)).loss == pytest.approx(4.0 * plain.loss)
    weighted = solve(x, 3, weights=np.where(np.arange(50) < 25, 1.0, 9.0))
    assert (weighted.status, weighted.bound) == ("feasible", 0.0)


def test_a_record_of_little_weight_may_be_worth_sending_far_away() -> None:
    """So the best intervals are not the best groups, and nobody says so."""
    x, w = [0.0, 10.0, 10.0, 10.5], [1000.0, 1000.0, 1000.0, 0.001]
    solution = solve(x, 2, weights=w)
    apart = total(x, [0, 1, 1, 0], w, whole=False)
    assert solution.loss > float(apart)
    assert solution.status == "feasible"


# -- weights in a stream


def reference_with_weights(x: NDArray[np.float64], w: NDArray[np.float64], k: int, *, whole: bool) -> float:
    """The obvious dynamic programme over values in this order."""
    x = x - np.floor(x[0])
    weight, first, second = (np.append(0.0, np.cumsum(w * x**power)) for power in range(3))
    totals = np.full(len(x) + 1, np.inf)
    totals[0] = 0.0
    for stop in range(k, len(x) + 1):
        starts = np.arange(max(0, stop - 2 * k + 1), stop - k + 1)
        size, added = weight[stop] - weight[starts], first[stop] - first[starts]
        centre = np.rint(added / size) if whole else added / size
        losses = second[stop] - second[starts] - 2 * centre * added + size * centre**2
        totals[stop] = np.min(totals[starts] + losses)
    return float(totals[-1])


def lost_by_ends(x: NDArray[np.float64], w: NDArray[np.float64], ends: list[int], *, whole: bool) -> float:
    lost = 0.0
    for start, stop in itertools.pairwise([0, *ends]):
        values, weights = x[start:stop], w[start:stop]
        mean = values[0] + np.average(values - values[0], weights=weights)
        lost += float(np.sum(weights * (values - (np.rint(mean) if whole else mean)) ** 2))
    return lost


def weighted_ends(x: NDArray[np.float64], w: NDArray[np.float64], k: int, cost: str, stops: Sequence[int]) -> list[int]:
    parts = stream(np.split(x, stops), k, cost, weights=np.split(w, stops))
    return [int(end) for ends in parts for end in ends]


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts come out as soon as they can."""
    monkeypatch.setattr(streaming, "_SEGMENT", 1)
    monkeypatch.setattr(streaming, "_PIECE", 64)


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", ["sse", "rounded"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_weighted_stream_has_the_best_of_all_intervals_however_it_is_cut(cost: str, k: int) -> None:
    rng, whole = np.random.default_rng(k), cost == "rounded"
    for n in range(k, 9):
        for _ in range(6):
            x, w = np.sort(rng.integers(0, 6, n)).astype(float), rng.choice([0.5, 1.0, 4.0], n)
            best = min(total(x.tolist(), labels, w.tolist(), whole=whole) for labels in intervals(n, k))
            for stops in ([], range(1, n), [0, n // 2]):
                ends = weighted_ends(x, w, k, cost, stops)
                labels = np.repeat(np.arange(len(ends)), np.diff([0, *ends])).tolist()
                assert min(map(labels.count, labels)) >= k
                assert float(total(x.tolist(), labels, w.tolist(), whole=whole)) == pytest.approx(
                    float(best), abs=1e-12
                )


@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("cost", ["sse", "rounded"])
@pytest.mark.parametrize("k", [2, 5, 12, 40])
def test_a_weighted_stream_loses_what_the_search_in_memory_loses(cost: str, k: int) -> None:
    whole = cost == "rounded"
    for name, column in columns():
        if len(column) < k:
            continue
        rng, x = np.random.default_rng(k), np.sort(column)
        w = rng.exponential(1e3, len(x)) + 0.1
        found = lost_by_ends(
            x, w, weighted_ends(x, w, k, cost, np.sort(rng.integers(0, len(x) + 1, 7)).tolist()), whole=whole
        )
        assert found == pytest.approx(reference_with_weights(x, w, k, whole=whole), rel=1e-8, abs=1e-3), name
        if len(np.unique(x)) == len(x):
            assert found == pytest.approx(solve(x, k, cost=cost, weights=w).loss, rel=1e-9), name


def test_a_weighted_stream_decides_before_it_ends() -> None:
    rng = np.random.default_rng(4)
    x, w = np.sort(rng.random(40_000)), rng.exponential(size=40_000)
    parts = stream(np.split(x, 40), 4, weights=np.split(w, 40))
    assert len(next(parts)) < 2000  # of 10,000


@pytest.mark.parametrize("cost", ["sse", "rounded"])
def test_a_weighted_anchor_is_a_cut_of_the_best_groups_of_the_whole(cost: str) -> None:
    rng = np.random.default_rng(6)

    def lost(some: slice) -> float:
        return solve(x[some], 3, cost=cost, weights=w[some]).loss

    for least in (1.0, 1e-3):  # a record of next to no weight pulls nobody away from the crowd that forces cuts
        x, w = np.sort(rng.permutation(9000)[:6000] * 0.5), rng.exponential(5.0, 6000) + 0.1
        w[rng.integers(0, 6000, 300)] = least
        place = anchor(x[2000:], 3, cost, weights=w[2000:])
        assert place is not None
        cut = 2000 + place
        assert lost(slice(0, cut)) + lost(slice(cut, None)) == pytest.approx(lost(slice(None)), rel=1e-12)


def test_weights_of_streams_and_anchors_are_checked() -> None:
    blocks = [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(OptionError, match="weights are given with the cost 'sae'"):
        stream(blocks, 2, "sae", weights=blocks)
    with pytest.raises(OptionError, match="weights are given with the cost 'sae'"):
        anchor([1.0, 2.0], 2, "sae", weights=[1.0, 1.0])
    for weights, message in (
        ([[1.0, 1.0]], "weights holds fewer blocks than the stream"),
        ([[1.0, 1.0], [1.0]], "weights holds 1 numbers, X 2 records"),
        ([[1.0, 1.0], [1.0, 1.0], [1.0]], "weights holds more blocks than the stream"),
        ([[1.0, 1.0], [1.0, 0.0]], "1 weights are not positive"),
    ):
        with pytest.raises(InputError, match=message):
            list(stream(blocks, 2, weights=weights))
    with pytest.raises(InputError, match="magnitudes"):
        list(stream([[0.0, 1e-60, 1.0, 1e75]], 2, weights=[np.full(4, 1e100)]))


def test_weights_are_checked() -> None:
    with pytest.raises(InputError, match="weights holds 2 numbers, X 3 records"):
        solve([1.0, 2.0, 3.0], 2, weights=[1.0, 2.0])
    with pytest.raises(InputError, match="1 weights are not positive"):
        solve([1.0, 2.0, 3.0], 2, weights=[1.0, 0.0, 2.0])
    with pytest.raises(OptionError, match="weights are given with the cost 'sae'"):
        solve([1.0, 2.0, 3.0], 2, cost="sae", weights=[1.0, 1.0, 2.0])
    with pytest.raises(OptionError, match="method 'mdav' takes no weights"):
        solve([[1.0, 2.0], [2.0, 3.0]], 2, method="mdav", weights=[1.0, 1.0])
