"""Special uniques against their definition, over every combination of columns."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import risk
from covey.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence


def minimal(rows: Sequence[Sequence[int]], largest: int) -> list[tuple[int, frozenset[int]]]:
    """A set of columns in which a record is alone, while it is alone in none of the parts: by looking at all of them."""
    columns = range(len(rows[0]))
    uniques: list[tuple[int, frozenset[int]]] = []
    for size in range(1, largest + 1):
        for chosen in itertools.combinations(columns, size):
            keys = [tuple(row[j] for j in chosen) for row in rows]
            alone = Counter(keys)
            for record, key in enumerate(keys):
                if alone[key] == 1 and not any(r == record and part <= set(chosen) for r, part in uniques):
                    uniques.append((record, frozenset(chosen)))
    return uniques


def as_sets(found: risk.SpecialUniques) -> list[tuple[int, frozenset[int]]]:
    return [
        (int(record), frozenset(j for j in range(found.columns) if combination >> j & 1))
        for record, combination in zip(found.record, found.combination.tolist(), strict=True)
    ]


def check(rows: Sequence[Sequence[int]], largest: int) -> None:
    found = risk.special_uniques([np.array(column) for column in zip(*rows, strict=True)], largest)
    slow = minimal(rows, largest)
    assert sorted(as_sets(found), key=str) == sorted(slow, key=str)
    assert found.singled_out == len({record for record, _ in slow})
    sizes = Counter(map(tuple, rows)).values()
    assert (found.unique, found.pairs) == (sum(n == 1 for n in sizes), sum(n == 2 for n in sizes))
    c = len(rows[0])
    worth = {
        s: math.factorial(c - s) if largest == c else math.prod(c - i for i in range(s, largest + 1))
        for s in range(1, largest + 1)
    }
    scores = [sum(worth[len(part)] for record, part in slow if record == at) for at in range(len(rows))]
    assert found.scores.tolist() == scores
    for j in range(c):
        with_it = sum(worth[len(part)] for _, part in slow if j in part)
        assert found.contributions[j] == pytest.approx(with_it / sum(scores) if slow else 0.0)


def test_every_small_table() -> None:
    for n, c in ((1, 2), (2, 2), (3, 2), (4, 2), (3, 3)):
        for cells in itertools.product(range(2 if c == 3 else 3), repeat=n * c):
            rows = [cells[c * i : c * i + c] for i in range(n)]
            for largest in range(1, c + 1):
                check(rows, largest)


@given(
    st.integers(1, 6).flatmap(
        lambda c: st.tuples(st.lists(st.tuples(*[st.integers(-2, 2)] * c), min_size=1, max_size=40), st.integers(1, c))
    )
)
@settings(max_examples=150, deadline=None)
def test_random_tables(given_table: tuple[list[tuple[int, ...]], int]) -> None:
    check(*given_table)


def test_wide_columns_and_a_constant() -> None:
    rng = np.random.default_rng(3)
    rows = [(i % 97 * 10**12, 5, int(rng.integers(3)), int(rng.integers(40))) for i in range(400)]
    check(rows, 3)


def test_scores_of_the_literature() -> None:
    """With m columns at most of c, a unique of one column counts as all larger ones that hold it would."""
    columns = [np.array([0, 1, 1, 1, 1]), *(np.zeros((3, 5), dtype=np.int64))]
    assert risk.special_uniques(columns, 4).scores.tolist() == [math.factorial(3), 0, 0, 0, 0]
    assert risk.special_uniques(columns, 3).scores.tolist() == [3 * 2 * 1, 0, 0, 0, 0]
    assert risk.special_uniques(columns, 2).scores.tolist() == [3 * 2, 0, 0, 0, 0]


def test_disclosure() -> None:
    found = risk.special_uniques([np.array([0, 0, 1, 2, 3, 3, 3])])
    assert (found.unique, found.pairs) == (2, 1)
    assert found.disclosure(0.1) == pytest.approx(0.1 * 2 / (0.1 * 2 + 2 * 0.9 * 1))
    assert found.disclosure(1.0) == 1.0
    assert risk.special_uniques([np.array([0, 0])]).disclosure(0.1) == 0.0
    for wrong in (0.0, 1.5, -1.0):
        with pytest.raises(OptionError, match="sampling fraction"):
            found.disclosure(wrong)


def test_how_large_combinations_are_by_default() -> None:
    column = np.zeros(1000, dtype=np.int64)
    assert risk.special_uniques([column] * 10).largest == 10
    assert risk.special_uniques([column] * 25).largest == 5  # 68,405 combinations of 1000 records, not 245,505


def test_what_cannot_be_looked_at() -> None:
    with pytest.raises(InputError, match="31 columns"):
        risk.special_uniques([np.zeros(2, dtype=np.int64)] * 31)
    with pytest.raises(OptionError, match="at most 3 columns"):
        risk.special_uniques([np.zeros(2, dtype=np.int64)] * 2, 3)
