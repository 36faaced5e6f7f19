"""Rare patterns of waves are cut back to common ones: valid always, few rows lost against every way there is."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, OptionError
from covey.units.patterns import common_patterns
from tests.units import oracle
from tests.units.test_release import panel, released, units_of

WAVES = 3
PATTERNS = [np.array(some, dtype=bool) for some in itertools.product((False, True), repeat=WAVES) if any(some)]


def is_valid(patterns: np.ndarray, units: np.ndarray, kept: np.ndarray, k: int) -> bool:
    """Whether every unit keeps a part of its pattern that at least k keep, or nothing."""
    number = Counter[tuple[bool, ...]]()
    for part, how_many in zip(kept.tolist(), units.tolist(), strict=True):
        number[tuple(part)] += how_many
    return not (kept & ~patterns).any() and all(many >= k for part, many in number.items() if any(part))


def most_rows(patterns: np.ndarray, units: np.ndarray, k: int) -> int:
    """The most rows that can be kept where units of at least k are not cut: every way is tried."""
    every = [*PATTERNS, np.zeros(WAVES, dtype=bool)]
    ways = [
        [part for part in every if not (part & ~pattern).any()] if many < k else [pattern]
        for pattern, many in zip(patterns, units, strict=True)
    ]
    rows = [
        int((np.array(way).sum(axis=1) * units).sum())
        for way in itertools.product(*ways)
        if is_valid(patterns, units, np.array(way), k)
    ]
    return max(rows)


def test_patterns_are_cut_to_what_k_units_share() -> None:
    reached = best = 0
    for seed in range(60):
        rng = random.Random(seed)
        k = rng.choice([2, 3, 5])
        patterns = np.array(rng.sample(PATTERNS, 4))
        units = np.array([rng.randint(1, k + 1) for _ in patterns])
        kept = common_patterns(patterns, units, k)
        assert is_valid(patterns, units, kept, k)
        assert (kept[units >= k] == patterns[units >= k]).all()
        most, rows = most_rows(patterns, units, k), int((kept.sum(axis=1) * units).sum())
        assert rows <= most
        assert rows > 0 or most == 0
        reached, best = reached + rows, best + most
    assert reached >= 0.95 * best


def test_many_patterns_are_cut_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    patterns, units = np.unique(rng.random((300, 8)) < 0.7, axis=0, return_counts=True)
    for together in (1000, 20):
        monkeypatch.setattr("covey.units.patterns.MOST_TOGETHER", together)
        kept = common_patterns(patterns, units, 5)
        assert is_valid(patterns, units, kept, 5)
        assert (kept.sum(axis=1) * units).sum() > 0.6 * (patterns.sum(axis=1) * units).sum()


def with_gaps(seed: int, number: int = 40, waves: int = 4) -> pa.Table:
    table = panel(number, waves, seed)
    return table.take(pa.array(np.flatnonzero(np.random.default_rng(seed).random(table.num_rows) < 0.75)))


@pytest.mark.parametrize("seed", range(6))
def test_panels_are_cut_back_where_that_is_asked(seed: int) -> None:
    table = with_gaps(seed)
    with pytest.raises(InfeasibleError, match="compositions"):
        released(table, time="wave")
    done = released(table, time="wave", small_units="cut")
    units = units_of(done, "wave")
    assert min(oracle.appearances(units).values()) >= 3
    made_of = Counter(tuple(sorted(row[-1] for row in unit)) for unit in units)
    assert min(made_of.values()) >= 3
    lost = table.num_rows - done.arrow.num_rows
    said = re.findall(
        r"(\d+)(?: records?\).*| of (?:its|their) records) (?:was|were) not published",
        "\n".join(map(str, done.report.notes)),
    )
    assert sum(map(int, said)) == lost


def test_fewer_rows_are_lost_than_by_leaving_units_out() -> None:
    table = with_gaps(0, 60, 5)
    cut, out = (released(table, time="wave", small_units=rule).arrow.num_rows for rule in ("cut", "suppress"))
    assert out < 0.85 * cut


@pytest.mark.parametrize("seed", range(12))
def test_no_attacker_of_a_cut_panel_has_fewer_than_k_candidates(seed: int) -> None:
    table = with_gaps(seed, 9, 3)
    done = released(table, 2, time="wave", small_units="cut")
    units = units_of(done, "wave")
    assert oracle.fewest_candidates(units) >= 2
    out = len(set(table["home"].to_pylist())) - len(units)
    assert out == 0 or out >= 2


def test_what_nobody_shares_is_left_out_whole() -> None:
    """A unit of a wave that nobody else has shares no pattern; so many are left out that nobody is told by being so."""
    table = panel(20, 2)
    alone = pa.table({"home": [99, 99], "wave": [7, 8], "income": [1.0, 2.0], "age": [3, 4], "sex": ["f", "f"]})
    done = released(pa.concat_tables([table, alone]), time="wave", small_units="cut")
    assert len(units_of(done)) == 21 - 3


def test_members_of_households_are_never_dropped() -> None:
    choices: dict[str, Any] = {"quasi": ["age"], "unit": "household", "random_ids": ["household"], "drop_rest": True}
    with pytest.raises(OptionError, match="small_units is cut, which is for panels"):
        covey.release(covey.datasets.load_households("pyarrow"), 3, small_units="cut", **choices)
