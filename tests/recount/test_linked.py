"""Linked units, counted on a finished table: against the definition, on every small table and by chance on larger ones."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from covey.core.requirement import ALPHA, Requirement
from covey.errors import RefusedError
from covey.recount.classes import linked_classes, verify
from covey.recount.readings import Units
from covey.recount.requirements import recount_requirements, show


def slow_k(values: list[int], units: list[int]) -> int:
    """The fewest units that show the same multiset of values."""
    seen = [tuple(sorted(v for v, u in zip(values, units, strict=True) if u == unit)) for unit in set(units)]
    return min(map(seen.count, seen))


def test_every_small_table_is_counted_by_the_definition() -> None:
    for values in itertools.product(range(2), repeat=5):
        for units in itertools.product(range(3), repeat=5):
            k = slow_k(list(values), list(units))
            table, number = pa.table({"x": values}), np.array(units)
            assert verify(table, ["x"], 1, units=number, linked=True).k <= max(k, 1)
            by_rows = verify(table, ["x"], 1, units=number).k
            if by_rows >= k:
                assert verify(table, ["x"], k, units=number, linked=True).k == k
            with pytest.raises(RefusedError, match="units? in classes below"):
                verify(table, ["x"], k + 1, units=number, linked=True)


def slow_alpha(values: list[int], units: list[int], ill: list[str]) -> float:
    """The largest share of units that have one illness: of those that look the same, in all of their rows and in rows that do."""
    rows = list(zip(values, units, ill, strict=True))
    known = {unit: tuple(sorted(v for v, u, _ in rows if u == unit)) for unit in units}
    classes: dict[Any, list[tuple[int, str]]] = defaultdict(list)
    for v, u, i in rows:
        classes[known[u]].append((u, i))
        classes[known[u], v].append((u, i))
    return max(
        len({u for u, i in some if i == one}) / len({u for u, _ in some})
        for some in classes.values()
        for one in {i for _, i in some}
    )


def test_requirements_are_counted_over_units_and_over_rows_that_look_the_same() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 14))
        values, units = rng.integers(0, 2, n).tolist(), rng.integers(0, 5, n).tolist()
        ill = rng.choice(["a", "b", "c"], n).tolist()
        table, number = pa.table({"x": values, "ill": ill}), np.array(units)
        alike, slot = linked_classes(np.array(values), number)
        assert len(alike) == len(slot) == n
        (held,) = recount_requirements(
            table, np.array(values), Units(number, None), [Requirement("ill", ALPHA, 1.0)], {}, linked=True
        )
        assert held.reached == pytest.approx(slow_alpha(values, units, ill))


def test_what_all_rows_of_one_look_have_is_refused() -> None:
    """Four homes of a parent and a child: over all rows no illness is everybody's, but all children have measles in two of them."""
    table = pa.table({"age": [40, 8] * 4, "ill": ["a", "m", "b", "m", "c", "m", "d", "m"]})
    units, classes = Units(np.repeat(np.arange(4), 2), None), np.array([1, 0] * 4)
    asked = [Requirement("ill", "distinct", 2.0)]
    with pytest.raises(RefusedError, match="without"):
        recount_requirements(table, classes, units, asked, {}, linked=True)
    mixed = table.set_column(1, "ill", pa.array(["a", "m", "b", "n", "c", "m", "d", "o"]))
    (held,) = recount_requirements(mixed, classes, units, asked, {}, linked=True)
    assert held.reached == 3
    (shown,) = show(table, ["age"], units, ["ill"], {}, linked=True)
    assert shown.distinct_l == 1
