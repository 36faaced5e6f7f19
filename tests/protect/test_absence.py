"""Who is absent beside small strata and patterns: what the guide promises, counted row by row on what is published."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey.errors import InfeasibleError

K = 3
Row = dict[str, Any]


def rows_of(seed: int) -> list[Row]:
    """Few records with heavy tails, several missing values and zeros, a large stratum and a small one."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 60))
    x, y = rng.lognormal(3, 1.5, n).round(1), (10 * rng.pareto(1.2, n)).round(1)
    lost, null, zero = rng.random((2, n)) < 0.15, rng.random() < 0.6, rng.random(n) < 0.15
    return [
        {
            "row": row,
            "x": None if null and lost[0, row] else 0.0 if zero[row] else float(x[row]),
            "y": None if null and lost[1, row] else float(y[row]),
            "area": str(rng.choice(["a", "b", "c"], p=[0.6, 0.35, 0.05])),
            "w": float(rng.choice([2.5, 4.0, 7.0])),
            "u": f"u{int(rng.integers(0, n // 2))}",
        }
        for row in range(n)
    ]


def choices_of(rng: np.random.Generator) -> dict[str, Any]:
    """Some of the choices that go together."""
    some: dict[str, Any] = {"missing": "own-group", "suppress": 2 * K + 1, "small_strata": "suppress"}
    some |= {"strata": ["area"]} if rng.random() < 0.6 else {}
    some |= {"zeros_apart": ["x"]} if rng.random() < 0.3 else {}
    some |= {"weight": "w", "weights": "group"} if rng.random() < 0.4 else {}
    some |= {"unit": "u"} if rng.random() < 0.3 and "weight" not in some else {}
    return some | ({"suppress_cells": True} if rng.random() < 0.4 else {})


def released(rows: list[Row], **choices: Any) -> list[Row]:
    table = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    fixed: dict[str, Any] = {
        "quasi": ["x", "y"],
        "keep": ["row"],
        "accept": ["row"],
        "drop_rest": True,
        "ledger": False,
    }
    done = covey.release(table, k=K, measuring=False, **(fixed | choices))
    found: list[Row] = done.arrow.to_pylist()
    return found


def counted(rows: list[Row], choices: dict[str, Any], keys: list[str]) -> dict[tuple[Any, ...], int]:
    """The records, or units, by some of what they hold."""
    who = defaultdict(set)
    for row in rows:
        who[tuple(row[key] for key in keys)].add(row["u"] if "unit" in choices else row["row"])
    return {key: len(some) for key, some in who.items()}


def with_patterns(rows: list[Row], choices: dict[str, Any]) -> list[Row]:
    area, zeros = "strata" in choices, "zeros_apart" in choices
    return [
        row
        | {"area": row["area"] if area else "", "way": (row["x"] is None, row["y"] is None, zeros and row["x"] == 0)}
        for row in rows
    ]


def check(rows: list[Row], choices: dict[str, Any], out: list[Row]) -> None:
    """None or at least k are absent from the table, and from each published stratum; and so of a pattern, those without values included."""
    rows = with_patterns(rows, choices)
    shown = {row["row"]: row for row in out}
    came_bare = {row["row"] for row in rows if row["x"] is None and row["y"] is None}
    bare = {number for number, row in shown.items() if row["x"] is None and row["y"] is None} - came_bare
    assert "suppress_cells" in choices or not bare
    absent = [row for row in rows if row["row"] not in shown]
    stay = [row for row in rows if row["row"] in shown and row["row"] not in bare]
    left = [row for row in rows if row["row"] in bare] if "suppress_cells" in choices else absent
    areas, ways = ({tuple(row[key] for key in keys) for row in stay} for keys in (["area"], ["area", "way"]))
    for some, keys, published in (
        (absent, [], {()}),
        (absent, ["area"], areas),
        (left, ["area"], areas),
        (left, ["area", "way"], ways),
    ):
        assert all(number >= K for key, number in counted(some, choices, keys).items() if key in published)
    if "unit" in choices:
        assert not {row["u"] for row in absent} & {row["u"] for row in rows if row["row"] in shown}
        assert not {row["u"] for row in left} & {row["u"] for row in stay}
    if "weight" in choices and "suppress_cells" not in choices:
        for (area,) in areas:
            before = sum(row["w"] for row in rows if row["area"] == area)
            inside = [row["row"] for row in stay if row["area"] == area]
            assert sum(shown[number]["w"] for number in inside) == pytest.approx(before)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_what_is_promised_holds_or_the_release_is_refused(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    rows, choices = rows_of(seed), choices_of(rng)
    try:
        out = released(rows, **choices)
    except InfeasibleError:
        return
    check(rows, choices, out)


def plain(n: int = 40) -> list[Row]:
    """Records that are complete, seven of them far away; a unit has two."""
    rng = np.random.default_rng(n)
    x, y = rng.normal(50, 5, (2, n)).round(1)
    x[:7] += 1000.0 * np.arange(1, 8)
    return [
        {"row": row, "x": float(x[row]), "y": float(y[row]), "area": "ab"[row % 2], "w": 2.0, "u": f"u{row // 2}"}
        for row in range(n)
    ]


def test_one_record_of_a_small_pattern_beside_cells_is_refused() -> None:
    rows = plain()
    rows[20]["x"] = None
    choices: dict[str, Any] = {"missing": "own-group", "small_strata": "suppress"}
    with pytest.raises(InfeasibleError, match="fewer than k = 3 records out of 1 stratum,"):
        released(rows, suppress=7, suppress_cells=True, **choices)
    out = released(rows, suppress=7, **choices)  # it is one of eight that are absent
    assert {row["row"] for row in out} == set(range(7, 40)) - {20}


def test_a_small_stratum_alone_is_refused() -> None:
    """Nobody of a published stratum is absent, and of the table one is."""
    rows = plain()
    for row in rows:
        row["x"] = row["y"] = 1.0
    rows[20]["area"] = "far"
    with pytest.raises(InfeasibleError, match="fewer than k = 3 records out of the table,"):
        released(rows, suppress=7, strata=["area"], small_strata="suppress")


def test_a_unit_of_which_a_row_has_a_small_pattern_is_refused_unless_it_leaves() -> None:
    rows = plain()
    rows[21]["x"] = None
    choices: dict[str, Any] = {"missing": "own-group", "small_strata": "suppress", "unit": "u", "suppress": 4}
    with pytest.raises(InfeasibleError, match="some rows of 1 unit, those in strata"):
        released(rows, **choices)
    rows[21]["x"], rows[1]["x"] = 50.0, None
    out = released(rows, **choices)
    assert {row["row"] for row in out} == set(range(8, 40))
    rows[23]["x"] = rows[25]["y"] = rows[27]["y"] = None
    with pytest.raises(InfeasibleError, match="some rows of 4 units, those in strata"):
        released(rows, suppress_cells=True, **choices)


def test_weights_stand_for_those_of_small_patterns_too() -> None:
    rows = plain()
    rows[20]["x"] = None
    rows[20]["w"] = 30.0
    out = released(rows, missing="own-group", small_strata="suppress", suppress=7, weight="w", weights="keep")
    assert sum(row["w"] for row in out) == pytest.approx(sum(row["w"] for row in rows))
