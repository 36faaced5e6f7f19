"""The helper finds what is wrong with the paper's counterexamples, and nothing wrong with its costs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from covey.costs import COSTS
from covey.line import find_counterexample
from tests.line.costs_of_our_own import (
    Declared,
    Discount,
    DiscountByPosition,
    LeastValue,
    MeanAbsoluteError,
    MeanRoundDown,
    MeanRoundUp,
    RootOfSquares,
)
from tests.line.test_rounded import partitions


@pytest.mark.parametrize("name", COSTS)
def test_the_named_costs_hold_what_they_declare(name: str) -> None:
    assert find_counterexample(name) is None


@pytest.mark.parametrize("cost", [MeanAbsoluteError(), RootOfSquares(), MeanRoundDown(), MeanRoundUp()])
def test_the_costs_of_appendix_b_6_are_not_ordered_minimisable(cost: Declared) -> None:
    honest = dataclasses.replace(cost, splitting_is_beneficial=False, concave=False)
    found = find_counterexample(honest, largest=7)
    assert found is not None
    assert found.property == "ordered_minimisable"
    assert "the best intervals" in found.why


ONE_FOR_ANY = [
    (MeanAbsoluteError(), (-1, 0, 0, 0, 0, 1), (0, 0, 0, 0, 1, 1, 3)),
    (RootOfSquares(), (-1, 0, 0, 0, 1), (0, 1, 1, 1, 3)),
    (MeanRoundDown(), (0, 0, 0, 1, 1, 2), (0, 0, 0, 0, 1, 1, 3)),
    (MeanRoundUp(), (0, 1, 1, 2, 2, 2), (0, 2, 2, 3, 3, 3, 3)),
]


@pytest.mark.parametrize(("cost", "printed", "one_for_any"), ONE_FOR_ANY, ids=lambda given: getattr(given, "of", None))
def test_what_the_multisets_of_appendix_b_6_show(
    cost: Declared, printed: tuple[int, ...], one_for_any: tuple[int, ...]
) -> None:
    """For k = 2 and any number of groups those that are printed show nothing; the other ones do."""
    for values, shows in ((printed, False), (one_for_any, True)):
        column = np.array(values, dtype=float)
        best = min(
            sum(cost.loss(column[np.array(labels) == group]) for group in set(labels))
            for labels in partitions(len(column), 2)
        )
        runs = [0.0, np.inf]
        for stop in range(2, len(column) + 1):
            runs.append(min(runs[start] + cost.loss(column[start:stop]) for start in range(stop - 1)))
        assert (best < runs[-1] - 1e-9) == shows, (values, best, runs[-1])


def test_lemma_15() -> None:
    assert find_counterexample(LeastValue(ordered_minimisable=False, splitting_is_beneficial=False)) is None
    found = find_counterexample(LeastValue(splitting_is_beneficial=False))
    assert found is not None
    assert found.property == "ordered_minimisable"


def test_the_discount_of_appendix_b_7_as_printed_is_not_either() -> None:
    honest = Discount(splitting_is_beneficial=False, concave=False)
    found = find_counterexample(honest, largest=5, alphabets=[(0.0, 1.0, 3.0, 4.0)])
    assert found is not None
    assert found.values == (0.0, 1.0, 1.0, 3.0, 4.0)
    assert found.why.endswith("for k = 2 the groups {0, 3, 4}, {1, 1} cost 2.66667, the best intervals 2.8")


def test_with_the_upper_half_by_position_it_is_as_far_as_tried() -> None:
    assert find_counterexample(DiscountByPosition(splitting_is_beneficial=False, concave=False)) is None
    found = find_counterexample(DiscountByPosition(concave=False), largest=4)
    assert found is not None
    assert found.property == "splitting_is_beneficial"


def test_concavity_is_checked() -> None:
    found = find_counterexample(RootOfSquares(ordered_minimisable=False, splitting_is_beneficial=False))
    assert found is not None
    assert found.property == "concave"
