"""Counts as they are published: every case of small clusters, seen with the eyes of who wants the count."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from covey.errors import OptionError
from covey.network.publish.rounding import SUPPRESSED, CountRule, count_rule

COINS = np.arange(60) / 60 + 1 / 240


def published(rule: CountRule, count: int, floor: int, pairs: int) -> set[tuple[int, int, int]]:
    """All that may be published of a count."""
    same = np.ones(len(COINS), dtype=np.int64)
    found = rule.publish(count * same, floor * same, pairs * same, COINS)
    return set(zip(*(column.tolist() for column in found), strict=True))


def rules() -> list[CountRule]:
    return [CountRule("round", base=base) for base in range(2, 7)] + [
        CountRule("suppress", threshold=threshold) for threshold in range(2, 6)
    ]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: f"{rule.kind}-{rule.base}-{rule.threshold}")
def test_a_range_holds_exactly_the_counts_that_may_be_behind_it(rule: CountRule) -> None:
    for pairs in range(25):
        for floor in range(min(pairs, 6) + 1):
            behind = defaultdict(set)
            for count in range(floor, pairs + 1):
                for seen in published(rule, count, floor, pairs):
                    behind[seen].add(count)
            for (value, low, high), counts in behind.items():
                assert counts == set(range(low, high + 1))
                least = rule.base if rule.kind == "round" else rule.threshold
                if rule.kind == "round" or value == SUPPRESSED:
                    assert len(counts) >= min(least, pairs - floor + 1)
                else:
                    assert counts == {value}
                    assert floor + least <= value <= pairs - least


@pytest.mark.parametrize("base", range(2, 7))
def test_rounding_keeps_the_count_on_average(base: int) -> None:
    rule = CountRule("round", base=base)
    for count in range(20):
        same = np.ones(len(COINS), dtype=np.int64)
        value = rule.publish(count * same, 0 * same, 100 * same, COINS).value
        assert np.mean(value) == pytest.approx(count)
        assert set((value % base).tolist()) == {0}


def test_what_is_not_listed_may_still_be_there() -> None:
    assert CountRule("round", base=3).unlisted == 2
    assert CountRule("suppress", threshold=4).unlisted == 3
    assert CountRule("exact").unlisted == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("nearest", None, None, 5), "counts is 'nearest'"),
        (("round", None, 3, 5), "threshold is given"),
        (("suppress", 3, None, 5), "base is given"),
        (("exact", 3, None, 5), "base is given"),
        (("round", 1, None, 5), "would leave counts exact"),
        (("suppress", None, 1, 5), "would leave counts exact"),
        (("suppress", None, 14, 5), "at most 13"),
        (("round", 2.5, None, 5), "base is 2.5"),
    ],
)
def test_rules_that_make_no_sense(given: tuple[object, object, object, int], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        count_rule(*given)


def test_defaults() -> None:
    assert count_rule("round", None, None, 2).base == 3
    assert count_rule("suppress", None, None, 2).threshold == 2
    assert count_rule("suppress", None, None, 5).threshold == 3
