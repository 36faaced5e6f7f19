"""Groups of mixed colours on the line: the recursion against every grouping, its lemmas, and groups merged from different colours."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey.errors import InfeasibleError, InputError, OptionError
from covey.line import OptimalLine, mixed
from covey.line.diversity import mixed as module
from covey.line.diversity.merged import different_colours, merge_neighbours
from covey.line.diversity.mixed import best_mixed
from tests.line.diverse_oracle import PATTERNS, UNIT, colourings, column, cost
from tests.line.mixed_oracle import best, holds

if TYPE_CHECKING:
    from covey import Solution

RULES = ("distinct", "share")


def check(solution: Solution, colours: Any, k: int, l: int, rule: str) -> None:  # noqa: E741
    codes = list(colours)
    assert all(holds([codes[i] for i in group], k, l, rule) for group in solution.partition.groups())
    assert solution.status == "optimal"
    assert solution.bound == solution.loss


def check_best(x: list[int], colours: tuple[int, ...], k: int, l: int, rule: Any) -> None:  # noqa: E741
    least = best(x, colours, k, l, rule)
    if least is None:
        with pytest.raises(InfeasibleError):
            mixed(x, colours, k, l, rule)
        return
    solution = mixed(x, colours, k, l, rule)
    check(solution, colours, k, l, rule)
    assert solution.loss * UNIT == pytest.approx(least, rel=1e-12, abs=1e-9), (x, colours, k, l, rule)


@pytest.mark.parametrize("rule", RULES)
def test_every_small_instance(rule: str) -> None:
    """Up to 6 points of up to 4 colours."""
    turn = 0
    for n in range(1, 7):
        for colours in colourings(n, 4):
            for k, l in itertools.product((1, 2, 3), (1, 2, 3)):  # noqa: E741
                turn += 1
                if k <= n and (n < 6 or turn % 3 == 0):
                    check_best(column(PATTERNS[turn % len(PATTERNS)], n), colours, k, l, rule)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), min_size=2, max_size=8),
    k=st.integers(1, 5),
    l=st.integers(1, 3),
    rule=st.sampled_from(RULES),
)
def test_any_order_ties_and_colours(rows: list[tuple[int, int]], k: int, l: int, rule: str) -> None:  # noqa: E741
    x, colours = zip(*rows, strict=True)
    check_best(list(x), colours, min(k, len(rows)), l, rule)


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=2, max_size=8),
    k=st.integers(1, 5),
    l=st.integers(1, 3),
    rule=st.sampled_from(RULES),
    offset=st.sampled_from([0, 10**9]),
)
def test_around_whole_numbers(
    rows: list[tuple[int, int]],
    k: int,
    l: int,  # noqa: E741
    rule: Any,
    offset: int,
) -> None:
    """What a release on a grid asks for: no grouping loses less after its means are rounded."""
    rows.sort()
    colours = np.unique([row[1] for row in rows], return_inverse=True)[1].reshape(-1).tolist()
    check_whole([row[0] for row in rows], colours, min(k, len(rows)), l, rule, offset)


ROUNDING_DECIDES = [
    ("distinct", [0, 1, 1, 1, 2, 2, 4, 5, 7, 7, 7], [1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0]),
    ("share", [0, 1, 1, 2, 2, 2, 4, 5, 6, 7], [1, 0, 1, 2, 0, 0, 2, 1, 2, 0]),
]


@pytest.mark.parametrize(("rule", "x", "colours"), ROUNDING_DECIDES)
def test_the_best_before_rounding_is_not_the_best_after_it(rule: Any, x: list[int], colours: list[int]) -> None:
    check_whole(x, colours, 3, 2, rule, 0)
    solution = mixed(x, colours, 3, 2, rule)
    before = sum(cost("rounded", [x[i] for i in group]) for group in solution.partition.groups())
    assert before > best(x, colours, 3, 2, rule, "rounded")  # type: ignore[operator]


def check_whole(x: list[int], colours: list[int], k: int, l: int, rule: Any, offset: int) -> None:  # noqa: E741
    least, codes = best(x, colours, k, l, rule, "rounded"), np.array(colours, dtype=np.int32)
    labels = best_mixed(np.array(x, dtype=float) + offset, codes, k, l, rule, 10**6, 10**8, whole=True)
    if labels is None:
        assert least is None
        return
    groups = [[i for i, label in enumerate(labels) if label == group] for group in set(labels.tolist())]
    assert all(holds([colours[i] for i in group], k, l, rule) for group in groups)
    assert sum(cost("rounded", [x[i] for i in group]) for group in groups) == least


@pytest.mark.parametrize("l", [2, 3, 4])
def test_larger_groups_with_shares_can_be_parted(l: int) -> None:  # noqa: E741
    """The lemma behind the largest group with shares: all counts of one colour more than l, at the limit and above."""
    for k in range(l, 7):
        whole = -(-k // l) * l
        limit = whole + max(k, l * (l - 1))
        for size in range(limit, limit + 2):
            for counts in _counts(size, l + 1, size // l):
                assert _can_be_parted(counts, k, l), (counts, k, l)


def _counts(size: int, colours: int, most: int) -> list[tuple[int, ...]]:
    """All numbers of records of that many colours, largest first, with that sum."""
    if colours == 0:
        return [()] if size == 0 else []
    return [(n, *rest) for n in range(min(size, most), -1, -1) for rest in _counts(size - n, colours - 1, n)]


def _can_be_parted(counts: tuple[int, ...], k: int, l: int) -> bool:  # noqa: E741
    for part in itertools.product(*(range(n + 1) for n in counts)):
        size, other = sum(part), sum(counts) - sum(part)
        rest = max(n - p for n, p in zip(counts, part, strict=True))
        if k <= size and k <= other and max(part) * l <= size and rest * l <= other:
            return True
    return False


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_hard_columns(rule: Any, offset: float) -> None:
    rng = np.random.default_rng(3)
    for n, k in ((5, 5), (9, 5), (10, 5), (1, 1), (24, 3)):
        colours = np.arange(n) % 3
        for x in (np.zeros(n), rng.integers(0, 3, n).astype(float), rng.normal(size=n)):
            l = 1 if n == 1 else 2  # noqa: E741
            solution = mixed(x + offset, colours, k, l, rule)
            check(solution, colours, k, l, rule)
            assert solution.loss >= OptimalLine().solve(x + offset, k).loss * (1 - 1e-9)
            assert solution.loss == pytest.approx(mixed(x, colours, k, l, rule).loss, rel=1e-4, abs=1e-6)


def test_one_different_colour_is_k_alone() -> None:
    """Two algorithms that share nothing, on more records than there are groupings of."""
    x = np.random.default_rng(4).lognormal(size=160)
    for k in (2, 3, 7):
        assert mixed(x, np.arange(160) % 2, k, 1).loss == pytest.approx(OptimalLine().solve(x, k).loss, rel=1e-9)


def test_more_is_asked_at_no_less_loss_and_below_different_colours() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        x, colours = rng.normal(size=60), rng.permutation(60) % 3
        losses = [mixed(x, colours, 3, l).loss for l in (1, 2, 3)]  # noqa: E741
        assert losses == sorted(losses)
        assert mixed(x, colours, 3, 3, "share").loss >= losses[2] * (1 - 1e-12)
        assert mixed(x, colours, 3, 3, "share").loss <= covey.line.diverse(x, colours, 3, "sse").loss * (1 + 1e-12)


def test_what_cannot_be_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InfeasibleError, match="there are 2 different colours, and l is 3"):
        mixed([1.0, 2.0, 3.0], list("aba"), 1, 3)
    with pytest.raises(InfeasibleError, match="is that of 2 of 3 records"):
        mixed([1.0, 2.0, 3.0], list("aba"), 1, 2, "share")
    with pytest.raises(OptionError, match="k is 4, and there are 3 records"):
        mixed([1.0, 2.0, 3.0], list("aba"), 4, 2)
    with pytest.raises(OptionError, match="there is no rule 'shares'; known: distinct, share"):
        mixed([1.0, 2.0, 3.0], list("aba"), 1, 2, "shares")  # type: ignore[arg-type]
    for limit, most in (("_MOST_CELLS", 5), ("_MOST_STEPS", 3)):
        with monkeypatch.context() as patched:
            patched.setattr(module, limit, most)
            with pytest.raises(InputError, match="too many for the recursion"):
                mixed([1.0, 2.0, 3.0], list("aba"), 1, 2)


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 4), min_size=1, max_size=8), k=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_neighbours_are_merged_at_the_least_loss(sizes: list[int], k: int, seed: int) -> None:
    labels = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    if k > len(labels):
        return
    x = np.random.default_rng(seed).integers(0, 50, len(labels)).astype(float)
    means = np.bincount(labels, weights=x) / sizes
    order = np.argsort(means, kind="stable")
    totals = []
    for cuts in itertools.product((False, True), repeat=len(sizes) - 1):
        run = np.empty(len(sizes), dtype=int)
        run[order] = np.cumsum([0, *cuts])
        if np.bincount(run[labels]).min() >= k:
            totals.append(_squares(x, run[labels]))
    assert _squares(x, merge_neighbours(x, labels, k)) == pytest.approx(min(totals))


def _squares(x: Any, labels: Any) -> float:
    return sum(float(((x[labels == group] - x[labels == group].mean()) ** 2).sum()) for group in set(labels.tolist()))


@pytest.mark.parametrize("most", [0, 10**9])
def test_different_colours_hold_shares(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedily, and by the beam, which loses no more."""
    monkeypatch.setattr("covey.line.diversity.merged._MOST_WORK", most)
    rng = np.random.default_rng(6)
    for k, l in ((2, 2), (5, 3), (7, 2)):  # noqa: E741
        x, colours = np.sort(rng.normal(size=120)), (rng.permutation(120) % 5).astype(np.int32)
        labels = different_colours(x, colours, k, l)
        assert labels is not None
        for group in range(labels.max() + 1):
            assert holds(colours[labels == group].tolist(), k, l, "share")
    assert different_colours(np.arange(3.0), np.array([0, 1, 0], dtype=np.int32), 1, 2) is None
