"""Bounds that know different values, units and strata: never above the optimum, and not below that for k alone."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from covey._kernels import space as kernels
from covey.core.requirement import Requirement
from covey.errors import InfeasibleError, InputError
from covey.space import lower_bound
from covey.space.different import NO_VALUE
from covey.utils.arrays import as_coordinates
from tests.space.exact_optimum import exact_optimum, exact_optimum_holding
from tests.space.test_matching import KINDS, small_table

if TYPE_CHECKING:
    from collections.abc import Callable


def values(seed: int, n: int) -> np.ndarray:
    """Few values or many, now and then one is missing."""
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 2 + seed % 3, size=n).astype(np.uint32)
    return np.where(rng.random(n) < 0.15 * (seed % 4 == 0), NO_VALUE, code).astype(np.uint32)


def holding(*asked: tuple[np.ndarray, int]) -> Callable[[tuple[int, ...]], bool]:
    """Whether a group has so many different codes of each."""
    return lambda group: all(len({c for c in code[list(group)] if c != NO_VALUE}) >= least for code, least in asked)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_no_bound_is_above_the_optimum_of_mixed_groups_in_exact_arithmetic(first: int) -> None:
    """Groups of any size: above 2k-1 they may be needed."""
    for seed in range(first, first + 20):
        points = as_coordinates(small_table(seed, 7)).values
        code = values(seed, len(points))
        for k, least in ((2, 2), (3, 2), (2, 3)):
            best = exact_optimum_holding(points.tolist(), k, holding((code, least)))
            if best is None:
                continue
            found = kernels.different_bound(points, k, code, least)
            assert Fraction(found) <= best, (seed, KINDS[seed % len(KINDS)], k, least)
            assert found >= kernels.matching_bound(points, max(k, least))


def test_what_is_required_raises_the_bound_where_values_lie_apart() -> None:
    """A value on each side: every group has to cross, and the bound for k alone does not see it."""
    table = np.random.default_rng(0).normal(size=(40, 2))
    side = ["left" if x < 0 else "right" for x in table[:, 0]]
    alone = lower_bound(table, 3)
    assert lower_bound(table, 3, sensitive=side) > 1.5 * alone
    assert lower_bound(table, 3, sensitive=["a", "b"] * 20) >= alone


def test_a_group_may_have_to_be_large() -> None:
    """One record of the second value: all are one group, whatever k, and it pays for many near ones."""
    table = np.append(np.zeros(30), 10.0)
    code = np.append(np.zeros(30), 1.0)
    best = 100.0 * 30 / 31
    assert 0.8 * best < lower_bound(table, 3, sensitive=code, l_diversity=2) <= best


def test_units_of_several_rows() -> None:
    """A group of 3 units is not 3 records: rows of a unit lie together, and others are far."""
    table = np.repeat(np.random.default_rng(1).normal(size=(12, 2)) * 10.0, 4, axis=0)
    units = np.repeat(np.arange(12), 4)
    assert lower_bound(table, 3) == 0.0
    found = lower_bound(table, 3, units=units)
    assert found > 0.0
    for size in range(3, 7):  # whole units, by hand
        groups = np.minimum(np.arange(12) // size, 12 // size - 1)[units]
        means = np.array([table[groups == g].mean(axis=0) for g in range(groups.max() + 1)])
        assert found <= ((table - means[groups]) ** 2).sum()


def test_units_and_values_against_every_partition() -> None:
    for seed in range(12):
        points = as_coordinates(small_table(seed, 7)).values
        unit, code = values(seed + 1, len(points)), np.arange(len(points)) % 2
        unit = np.where(unit == NO_VALUE, 9, unit)
        best = exact_optimum_holding(points.tolist(), 2, holding((unit, 2), (code, 2)))
        if best is not None and len(set(unit)) > 1:
            assert Fraction(lower_bound(points, 2, units=unit, sensitive=code)) <= best


def test_bounds_of_strata_add_up() -> None:
    table = np.random.default_rng(2).integers(0, 9, size=(14, 2)).astype(float)
    stratum = ["a"] * 7 + ["b"] * 7
    parts = [exact_optimum(table[:7].tolist(), 3), exact_optimum(table[7:].tolist(), 3)]
    found = lower_bound(table, 3, strata=stratum)
    assert found == pytest.approx(lower_bound(table[:7], 3) + lower_bound(table[7:], 3), rel=1e-12)
    assert lower_bound(table, 3) < found
    assert Fraction(found) <= sum(parts)
    assert lower_bound(table, 3, strata=stratum, sensitive=[1, 2] * 7, method="tight") >= found


def test_the_bound_is_the_same_for_any_number_of_threads() -> None:
    table = np.random.default_rng(1).normal(size=(2000, 2)) ** 3
    code = (np.random.default_rng(2).random(2000) < 0.2).astype(np.uint32)
    found = kernels.different_bound(table, 3, code, 2)
    try:
        kernels.use_threads(1)
        assert kernels.different_bound(table, 3, code, 2) == found
    finally:
        kernels.use_threads(0)


RULES = [
    Requirement("s", "distinct", 3),
    Requirement("s", "entropy", 2.3),
    Requirement("s", "recursive", 3, c=2.0),
    Requirement("s", "alpha", 0.4),
    Requirement("s", "alpha", 0.5),
    Requirement("s", "closeness", 0.3),
]


@pytest.mark.parametrize("asked", RULES, ids=str)
@pytest.mark.parametrize("counts_units", [False, True])
def test_groups_that_meet_a_requirement_hold_as_many_values_as_the_bound_believes(
    asked: Requirement,
    counts_units: bool,  # noqa: FBT001
) -> None:
    from covey.columns.values import read_values
    from covey.protect.demands import Demands
    from covey.recount.readings import Units
    from covey.utils.arrow import pa

    rng = np.random.default_rng(3)
    texts = [["a", "b", "c", "d", None][v] for v in rng.choice(5, p=[0.4, 0.2, 0.15, 0.15, 0.1], size=60)]
    column = read_values("s", pa.chunked_array([pa.array(texts)]), nominal=True)
    unit = rng.integers(0, 20, size=60)
    demands = Demands([(asked, column)], Units(unit, None) if counts_units else None, np.arange(60))
    kernel, (known, *_) = demands.kernel(np.arange(60)), demands.different(np.arange(60))
    assert known.least > 1
    met = 0
    for _ in range(1500):
        group = rng.choice(60, size=int(rng.integers(2, 14)), replace=False).astype(np.uint32)
        if kernel.deficit(group) == 0.0:
            met += 1
            codes = known.code[group]
            assert len(set(codes[codes != NO_VALUE].tolist())) >= known.least
    assert met > 10


def test_what_cannot_be() -> None:
    table = np.zeros((9, 1))
    with pytest.raises(InfeasibleError, match="sensitive has 1 different values"):
        lower_bound(table, 3, sensitive=["x"] * 9)
    with pytest.raises(InfeasibleError, match="a stratum has 2 records"):
        lower_bound(table, 3, strata=[0] * 7 + [1] * 2)
    with pytest.raises(InputError, match="units holds 3 values"):
        lower_bound(table, 3, units=[1, 2, 3])
