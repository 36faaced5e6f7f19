"""The gap of a release, with the bound that is had at once and with one that is raised for some time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import covey
from covey.errors import OptionError
from covey.protect.bounding import BoundClock, Bounding
from covey.protect.group import group_cells


def gap(points: np.ndarray, bounding: Bounding, **asked: Any) -> float:
    cells = asked.pop("cells", np.zeros(len(points), dtype=np.int64))
    found = group_cells(points, cells, 3, asked.pop("units", None), "auto", {}, lambda _: None, bounding=bounding)
    assert found.gap is not None
    return found.gap.value


def test_more_time_proves_more() -> None:
    points = np.random.default_rng(5).normal(size=(300, 3))
    quick, tight = (gap(points, Bounding(5000, seconds)) for seconds in (None, 20.0))
    assert tight < 0.75 * quick
    solution = covey.solve(points, 3, bound="tight")
    assert tight == pytest.approx(solution.gap, rel=1e-6)


def test_no_time_is_the_quick_bound() -> None:
    points = np.random.default_rng(5).normal(size=(200, 3))
    assert gap(points, Bounding(5000, 0.0)) == gap(points, Bounding(5000))


def test_cells_share_the_time_by_their_records(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float] = []

    def bound(_points: object, _k: int, *, method: str, time_limit: float) -> float:
        assert method == "tight"
        shares.append(time_limit)
        return 0.0

    monkeypatch.setattr("covey.protect.bounding.lower_bound", bound)
    monkeypatch.setattr("covey.protect.bounding.time.monotonic", lambda: 0.0)
    clock = BoundClock(60.0, 100, lambda _: None)
    for records in (10, 60, 30):
        clock.tight_bound(np.zeros((records, 2)), 3)
    assert shares == pytest.approx([6.0, 40.0, 60.0])


def test_all_cells_are_bounded() -> None:
    points, cells = np.random.default_rng(6).normal(size=(240, 2)), np.repeat([0, 1, 2], 80)
    assert gap(points, Bounding(5000, 20.0), cells=cells) < gap(points, Bounding(5000), cells=cells)


def test_units_are_bounded() -> None:
    points, units = np.random.default_rng(7).normal(size=(120, 2)), np.repeat(np.arange(60), 2)
    assert gap(points, Bounding(5000, 5.0), units=units) <= gap(points, Bounding(5000), units=units)


def test_a_release_says_the_better_gap_and_publishes_the_same() -> None:
    people = covey.datasets.load_patients()[:300]
    choices: dict[str, Any] = {"k": 3, "quasi": ["age", "charge"], "drop_rest": True, "shuffle": False}
    quick, tight = (
        covey.release(people, measuring=covey.Measuring(bound_seconds=seconds), **choices) for seconds in (None, 20)
    )
    assert tight.arrow.equals(quick.arrow)
    (before,), (after,) = quick.report.groups, tight.report.groups
    assert after.gap_percent is not None
    assert before.gap_percent is not None
    assert after.gap_percent < before.gap_percent


@pytest.mark.parametrize("wrong", [-1, "60", float("nan")])
def test_seconds_are_a_number(wrong: Any) -> None:
    with pytest.raises(OptionError, match="bound_seconds is .*needed: a number, 0 or more"):
        covey.Measuring(bound_seconds=wrong)
