"""Sensitive values over units: kernel, recount and definition agree on every small class; unions; releases in every engine."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey import privacy
from covey._kernels import space as kernels
from covey.core.requirement import Requirement
from covey.errors import InfeasibleError
from covey.recount.readings import Units
from covey.recount.requirements import judged
from tests.privacy import definitions as by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.core.requirement import Diversity
    from tests.privacy.definitions import Class

NOTHING, NO_CODES = np.zeros(0), np.zeros(0, dtype=np.uint32)
MISSING = 0xFFFFFFFF
SETS = [some for size in range(1, 4) for some in itertools.combinations(range(3), size)]
REST: Class = [(100, 0), (100, 1), (101, 2), (102, 1), (103, 0), (103, 0), (104, 2), (105, 1)]
"""The other class of a table, which has all values."""


def small_classes(sets: list[tuple[Any, ...]], most: int = 4) -> Iterator[Class]:
    """All classes of up to four units, each with a set of values."""
    for units in range(1, most + 1):
        for chosen in itertools.combinations_with_replacement(sets, units):
            yield [(unit, value) for unit, some in enumerate(chosen) for value in some]


def demand_of(rows: Class, kind: str, limit: float, c: float = 0.0) -> kernels.Demand:
    table = [*rows, *REST]
    share = full = NOTHING
    if kind in ("equal", "ordered"):
        known, whole = by.spread_weights(by.known_rows(table)), by.spread_weights(table)
        share = np.array([known[value] for value in range(3)])
        full = np.array([whole.get(value, 0.0) for value in (0, 1, 2, None)])
    codes = np.array([MISSING if value is None else value for _, value in table], dtype=np.uint32)
    demand = kernels.Demand()
    demand.add(kind, codes, limit, c, share, full, NOTHING, NO_CODES)
    demand.count_units(np.array([unit for unit, _ in table], dtype=np.uint32))
    return demand


def kernel_holds(rows: Class, kind: str, limit: float, c: float = 0.0) -> bool:
    return demand_of(rows, kind, limit, c).deficit(np.arange(len(rows), dtype=np.uint32)) == 0.0


def recount_holds(rows: Class, kind: str, limit: float, c: float = 0.0) -> bool:
    """Of the class beside the rest of the table, which is one class too: they are judged apart by their numbers."""
    table = [*rows, *REST]
    column = pa.array([None if value is None else f"v{value}" for _, value in table])
    ordered = kind == "ordered"
    if ordered:
        column = pa.array([value for _, value in table])
    units = Units(np.array([unit for unit, _ in table]), None)
    asked = Requirement("ill", "closeness" if kind in ("equal", "ordered") else kind, limit, c)
    if kind in ("equal", "ordered"):
        classes = np.array([0] * len(rows) + [1] * len(REST))
        far = judged(column, classes, units, asked, None).reached
        return far <= limit + 1e-12
    some = slice(0, len(rows))
    return judged(
        column[some], np.zeros(len(rows), dtype=np.int64), units.among(np.arange(len(rows))), asked, None
    ).holds


DIVERSITY = [
    *(("distinct", float(least), 0.0) for least in (2, 3)),
    *(("entropy", least, 0.0) for least in (1.5, 1.9, 2.0, 2.5)),
    *(("recursive", 2.0, c) for c in (0.9, 1.0, 1.5, 3.0)),
    *(("recursive", 3.0, c) for c in (1.5, 2.5, 4.0)),
    *(("alpha", most, 0.0) for most in (1 / 3, 0.5, 0.7)),
]


def diversity_holds(rows: Class, kind: str, limit: float, c: float) -> bool:
    if kind == "distinct":
        return by.distinct_of_units(rows) >= limit
    if kind == "entropy":
        return by.entropy_of_units(rows) >= limit * (1 - 1e-12)
    if kind == "alpha":
        return by.alpha_of_units(rows) <= limit + 1e-12
    return by.recursive_of_units(rows, c, int(limit))


@pytest.mark.parametrize(("kind", "limit", "c"), DIVERSITY)
def test_every_small_class_is_judged_by_the_definition(kind: str, limit: float, c: float) -> None:
    seen = set()
    for rows in small_classes([*SETS, (None,), (None, 0)]):
        holds = diversity_holds(rows, kind, limit, c)
        assert kernel_holds(rows, kind, limit, c) == holds, rows
        assert recount_holds(rows, kind, limit, c) == holds, rows
        seen.add(holds)
    assert seen == {True, False}


@pytest.mark.parametrize(("kind", "limit"), [("equal", 0.2), ("equal", 0.4), ("ordered", 0.1), ("ordered", 0.3)])
def test_every_small_class_is_as_close_as_the_definition_says(kind: str, limit: float) -> None:
    seen = set()
    for rows in small_classes([*SETS, (None,), (None, 1)], 3):
        far = [by.closeness(some, [*rows, *REST], ordered=kind == "ordered") for some in (rows, REST)]
        assert kernel_holds(rows, kind, limit) == (far[0] <= limit + 1e-12), rows
        both = max(far) <= limit + 1e-12
        assert recount_holds(rows, kind, limit) == both, rows
        seen.add(both)
    assert seen == {True, False}


def test_measures_of_every_small_class() -> None:
    for rows in small_classes(SETS):
        unit, value = (np.array(some) for some in zip(*rows, strict=True))
        counts = privacy.count(np.zeros(len(rows), dtype=np.int64), value, unit)
        assert privacy.distinct_l(counts) == by.distinct_of_units(rows)
        assert privacy.alpha(counts) == pytest.approx(by.alpha_of_units(rows))
        assert privacy.entropy_l(counts) == pytest.approx(by.entropy_of_units(rows))
        assert counts.share.sum() == pytest.approx(1.0)


def test_classes_are_counted_apart() -> None:
    """Many classes at once, a unit in several of them: as each by itself."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = int(rng.integers(1, 40))
        cell, value, unit = rng.integers(0, 4, n), rng.integers(0, 5, n), rng.integers(0, 6, n)
        parts = [
            list(zip(unit[cell == c].tolist(), value[cell == c].tolist(), strict=True)) for c in set(cell.tolist())
        ]
        counts = privacy.count(cell, value, unit)
        assert privacy.distinct_l(counts) == min(by.distinct_of_units(rows) for rows in parts)
        assert privacy.alpha(counts) == pytest.approx(max(by.alpha_of_units(rows) for rows in parts))
        assert privacy.entropy_l(counts) == pytest.approx(min(by.entropy_of_units(rows) for rows in parts))
        c = privacy.recursive_c(counts, 2)
        assert all(by.recursive_of_units(rows, c + 1e-9, 2) for rows in parts) == math.isfinite(c)
        whole = by.spread_weights(list(zip(unit.tolist(), value.tolist(), strict=True)))
        far = max(by.apart(by.spread_weights(rows), whole) for rows in parts)
        assert privacy.t_closeness_equal(counts) == pytest.approx(far)


@pytest.mark.parametrize(("kind", "limit", "c"), [*DIVERSITY[:3], *DIVERSITY[-5:-1]])
def test_unions_hold_where_no_unit_is_in_both(kind: str, limit: float, c: float) -> None:
    safe = [rows for rows in small_classes(SETS, 3) if diversity_holds(rows, kind, limit, c)]
    assert safe
    for one, other in itertools.combinations_with_replacement(safe[::3], 2):
        both = [*one, *((unit + 10, value) for unit, value in other)]
        assert diversity_holds(both, kind, limit, c)
    torn = [(0, 0), (1, 1), (0, 1), (1, 0)]
    assert diversity_holds(torn[:2], "distinct", 2.0, 0.0)
    assert diversity_holds(torn[2:], "distinct", 2.0, 0.0)
    assert not diversity_holds(torn, "distinct", 2.0, 0.0)


def households(values: list[str], n: int = 12) -> pa.Table:
    """Households of two rows: one has A, the other one of the values."""
    ill = [value for at in range(n) for value in ("A", values[at % len(values)])]
    return pa.table({"age": np.repeat(np.arange(n) * 3 + 20, 2), "ill": ill, "household": np.repeat(np.arange(n), 2)})


@pytest.mark.parametrize("diversity", ["distinct", "entropy", "recursive"])
def test_a_value_that_every_household_has_is_no_secret(diversity: Diversity) -> None:
    more: dict[str, Any] = {"recursive_c": 9.0} if diversity == "recursive" else {}
    with pytest.raises(InfeasibleError, match="which too many units share"):
        covey.release(
            households(["B", "C", "D"]),
            k=3,
            quasi="age",
            unit="household",
            sensitive="ill",
            l_diversity=2,
            diversity=diversity,
            **more,
        )
