"""Who leaves a table in parts: one budget for what all parts name, and none or at least k of every cell."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from covey.errors import InfeasibleError, RefusedError
from covey.parts.leaving.named import Named, chosen_of, share_of
from covey.recount.absent import Absent, refuse_few, refuse_others, refuse_torn
from covey.space.leave_in_turn import leave_in_turn, never_rising
from covey.space.leave_out import Table, leave_out_in_space
from covey.space.regroup import groups_of, squares

NOBODY: Any = np.empty(0, dtype=np.int64)


def plan_for(k: int, unit: str | None = None) -> Any:
    return SimpleNamespace(recipe=SimpleNamespace(k=k, roles=SimpleNamespace(unit=unit)))


def named(rows: list[tuple[int, int, float, int]]) -> Named:
    key, cell, saved, number = zip(*rows, strict=True)
    return Named(np.array(key, np.uint64), np.array(cell), np.array(saved, float), np.array(number))


def chosen(some: Named, k: int, most: int, unit: str | None = None, barred: tuple[int, ...] = ()) -> set[int]:
    return set(chosen_of(plan_for(k, unit), some, most, NOBODY, np.array(barred, np.uint64)).tolist())


def test_those_who_save_most_leave_whichever_part_named_them() -> None:
    some = named([(number, 0, float(number % 7), 1) for number in range(30)])
    most = sorted(range(30), key=lambda number: (-(number % 7), number))[:9]
    assert chosen(some, 3, 9) == set(most)
    assert chosen(some, 3, 9, barred=(6, 13)) == set(
        sorted(set(range(30)) - {6, 13}, key=lambda number: (-(number % 7), number))[:9]
    )


def test_none_or_k_leave_a_cell_and_its_share_goes_to_others() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        n, k = int(rng.integers(1, 40)), int(rng.integers(2, 5))
        rows = [(i, int(rng.integers(0, 4)), float(rng.integers(0, 6)), int(rng.integers(1, 3))) for i in range(n)]
        most = int(rng.integers(k, 15))
        some = named(rows)
        out = chosen(some, k, most)
        inside = [sum(row[1] == cell and row[0] in out for row in rows) for cell in range(4)]
        assert all(number == 0 or number >= k for number in inside)
        assert sum(row[3] for row in rows if row[0] in out) <= most
        assert all(row[2] > 0 for row in rows if row[0] in out)
        if any(sum(row[1] == cell and row[2] > 0 for row in rows) >= most for cell in range(4)) and most >= 2 * k:
            assert out  # some cell alone would take it all


def test_the_cell_that_saves_most_gets_the_share_of_those_with_too_few() -> None:
    some = named([(0, 0, 9.0, 1), (1, 0, 8.0, 1), (2, 1, 7.0, 1), (3, 1, 6.0, 1), (4, 0, 1.0, 1)])
    assert chosen(some, 3, 4) == {0, 1, 4}


def test_units_are_chosen_by_what_they_save_in_all_parts() -> None:
    some = named([(1, 0, 2.0, 3), (1, 0, 2.0, 4), (2, 0, 3.0, 1), (3, 0, 1.0, 1), (4, 1, 9.0, 1), (4, 0, 0.0, 1)])
    assert chosen(some, 2, 2, unit="u") == {2, 1}  # the fourth would be alone in its other cell
    assert chosen(some, 1, 2, unit="u") == {4, 1}


def test_what_rises_is_shared() -> None:
    rng = np.random.default_rng(8)
    for _ in range(100):
        values = rng.integers(0, 9, int(rng.integers(0, 12))).astype(float).tolist()
        got = never_rising(values)
        assert (np.diff(got) <= 1e-12).all()
        assert np.sum(got) == pytest.approx(sum(values))
        # what so many save together is the least concave function above what they do
        sums = np.concatenate([[0.0], np.cumsum(values)])
        hull = [
            max(
                (sums[a] + (sums[b] - sums[a]) * (at - a) / max(1, b - a))
                for a, b in itertools.product(range(at + 1), range(at, len(sums)))
            )
            for at in range(len(sums))
        ]
        assert np.concatenate([[0.0], np.cumsum(got)]) == pytest.approx(hull)


def test_in_turn_is_what_a_table_in_memory_does_before_anybody_comes_back() -> None:
    points = np.random.default_rng(3).lognormal(size=(300, 2))
    table = Table.of(points)
    turn = leave_in_turn(table, 4, 12)
    assert len(turn.unit) == len(set(turn.unit.tolist())) == 12

    def lost(out: set[int]) -> float:
        rest = points[[row not in out for row in range(len(points))]]
        return float(squares(rest, groups_of(rest, 4)).sum())

    out = set(np.flatnonzero(leave_out_in_space(table, 4, 12)).tolist())
    assert lost(set(turn.unit.tolist())) < 1.25 * lost(out)
    assert lost(set()) - lost(set(turn.unit.tolist())) == pytest.approx(float(turn.saved.sum()), rel=0.2)


def test_a_part_may_name_more_than_its_share() -> None:
    plan = cast("Any", plan_for(5))
    assert share_of(plan, 100, 50, 1000) == 20
    assert share_of(plan, 100, 500, 1000) == 100
    assert share_of(plan, 100, 1, 1000) == 20


def test_fewer_than_k_absent_are_refused() -> None:
    refuse_few([Absent(10, 0, 0), Absent(10, 3, 3)], 3, 3)
    refuse_few([Absent(10, 0, 0)], 0, 3)
    with pytest.raises(InfeasibleError, match="fewer than k = 4 records out of 1 stratum,"):
        refuse_few([Absent(10, 5, 4), Absent(10, 5, 3)], 7, 4)
    with pytest.raises(InfeasibleError, match="fewer than k = 4 records out of the table,"):
        refuse_few([Absent(10, 0, 0)], 3, 4)


def test_torn_units_are_refused() -> None:
    refuse_torn(0)
    with pytest.raises(InfeasibleError, match="some rows of 2 units, those in strata"):
        refuse_torn(2)


def test_strata_of_other_sizes_are_refused() -> None:
    came = [Absent(10, 3, 3), Absent(20, 0, 0)]
    refuse_others(came, [20, 7])
    refuse_others(came, [27])  # written alike
    for found in ([19, 8], [20, 6], [20, 7, 0], [26]):
        with pytest.raises(RefusedError, match="other numbers of records in the strata"):
            refuse_others(came, found)
