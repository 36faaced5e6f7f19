"""k, l and t by definition, beside values counted by hand and beside the measures of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.peers.classes import count
from benchmarks.peers.questions import differences, table
from covey.checking import check

if TYPE_CHECKING:
    from pathlib import Path


def test_a_missing_value_is_a_class_and_makes_none_diverse() -> None:
    rows: list[dict[str, Any]] = [
        {"a": 1, "s": "x"},
        {"a": 1, "s": None},
        {"a": None, "s": "x"},
        {"a": None, "s": "y"},
    ]
    assert count(rows, ["a"], "s") == {"k": 2, "l": 1, "t": 0.25}
    assert count(rows[:3], ["a"], "s")["k"] == 1


def test_numbers_are_moved_along_their_ranks() -> None:
    rows = [{"a": 1, "s": 10}, {"a": 1, "s": 20}, {"a": 2, "s": 30}, {"a": 2, "s": 40}]
    assert count(rows, ["a"], "s")["t"] == pytest.approx((1 / 4 + 1 / 2 + 1 / 4) / 3)


@pytest.mark.parametrize("sensitive", ["diagnosis", "stay"])
def test_covey_measures_what_is_counted(sensitive: str, tmp_path: Path) -> None:
    frame = table(1000)
    frame.to_csv(tmp_path / "table.csv", index=False)
    asked = check.Asked(k=1, quasi=("age", "sex", "region"), sensitive=(sensitive,))
    found = {line.measure: line.value for line in check.check(str(tmp_path / "table.csv"), asked).lines}
    counted = count([{str(n): v for n, v in row.items()} for row in frame.to_dict("records")], asked.quasi, sensitive)
    assert found["k"] == counted["k"]
    assert next(v for name, v in found.items() if name.startswith("distinct l")) == counted["l"]
    assert next(v for name, v in found.items() if name.startswith("t-clos")) == pytest.approx(counted["t"])


def test_a_wrong_measure_is_seen() -> None:
    told = {"measures": {"k": 3, "l": 2, "t": 0.5}}
    assert differences(told, {"k": 3, "l": 2, "t": 0.5}) == []
    assert differences(told, {"k": 1, "l": 2, "t": 0.5}) == ["k = 3, counted 1"]
