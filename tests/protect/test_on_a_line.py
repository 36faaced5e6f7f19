"""Releases of one quasi-identifier with l-diversity or alpha: exact for few values, never above the heuristic alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.line import mixed
from covey.protect import group, on_a_line
from tests.line.diverse_oracle import UNIT
from tests.line.mixed_oracle import best
from tests.line.test_mixed import ROUNDING_DECIDES
from tests.privacy import definitions as by

ASKED: list[dict[str, Any]] = [{"l_diversity": 2}, {"l_diversity": 3}, {"alpha": 0.5}, {"alpha": "1/3"}, {"alpha": 0.4}]


def people(n: int, values: int, seed: int, *, clustered: bool = False) -> pa.Table:
    rng = np.random.default_rng(seed)
    cost = rng.lognormal(3, 1, n).round(2)
    ill = np.argsort(np.argsort(cost)) * values // n if clustered else rng.permutation(n) % values
    return pa.table({"cost": cost, "ill": [f"v{code}" for code in ill], "person": np.arange(n) // 2})


def released(given: pa.Table, **choices: Any) -> covey.Release:
    usual: dict[str, Any] = {
        "k": 4,
        "quasi": ["cost"],
        "sensitive": "ill",
        "accept": ["ill"],
        "drop_rest": True,
        "shuffle": False,
    }
    return covey.release(given, **(usual | choices))


def loss(done: covey.Release) -> float:
    return float(done.report.groups[0].loss_percent)


def after_rounding(done: covey.Release, given: pa.Table) -> float:
    return float(((done.arrow["cost"].to_numpy() - given["cost"].to_numpy()) ** 2).sum())


def without_line(monkeypatch: pytest.MonkeyPatch, given: pa.Table, **choices: Any) -> covey.Release:
    with monkeypatch.context() as patched:
        patched.setattr(group, "line_of", lambda *_: None)
        return released(given, **choices)


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("values", [3, 6])
def test_never_above_the_heuristic(
    asked: dict[str, Any], values: int, monkeypatch: pytest.MonkeyPatch, *, clustered: bool
) -> None:
    for seed in range(3):
        given = people(72, values, seed, clustered=clustered)
        done, alone = released(given, **asked), without_line(monkeypatch, given, **asked)
        if done.report.groups[0].status == "optimal":
            assert after_rounding(done, given) <= after_rounding(alone, given) * (1 + 1e-12)
        else:
            assert loss(done) <= loss(alone) * (1 + 1e-12)
        for rows in by.classes(done.arrow.to_pylist(), ["cost"]):
            assert len(rows) >= 4
            assert len({row["ill"] for row in rows}) >= asked.get("l_diversity", 1)
            if "alpha" in asked:
                assert by.largest_share(by.values(rows, "ill")) <= (
                    1 / 3 if asked["alpha"] == "1/3" else asked["alpha"]
                )


@pytest.mark.parametrize(("asked", "rule"), [({"l_diversity": 2}, "distinct"), ({"alpha": 0.5}, "share")])
def test_the_least_possible_for_few_values(asked: dict[str, Any], rule: Any) -> None:
    cents = people(60, 3, 1, clustered=True)
    given = cents.set_column(
        0, "cost", pa.array(cents["cost"].to_numpy() * np.pi)
    )  # with all digits, so nothing is rounded
    done = released(given, **asked)
    assert done.report.groups[0].status == "optimal"
    x = given["cost"].to_numpy()
    least = mixed(x, given["ill"].to_pylist(), 4, 2, rule).loss / (len(x) * x.var()) * 100
    assert loss(done) == pytest.approx(least)


@pytest.mark.parametrize(("rule", "x", "ill"), ROUNDING_DECIDES)
@pytest.mark.parametrize("grid", [1, 100])
def test_the_least_possible_after_rounding(rule: str, x: list[int], ill: list[int], grid: int) -> None:
    """Whole numbers or hundredths for which the groups that are best before rounding are not best after it."""
    asked: dict[str, Any] = {"l_diversity": 2} if rule == "distinct" else {"alpha": 0.5}
    given = pa.table({"cost": x if grid == 1 else np.array(x) / grid, "ill": [f"v{code}" for code in ill]})
    done = released(given, k=3, **asked)
    after = np.rint(done.arrow["cost"].to_numpy() * grid)
    assert ((after - x) ** 2).sum() * UNIT == best(x, ill, 3, 2, rule, "rounded")
    assert done.report.groups[0].status == "optimal"


def test_different_values_beside_the_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the heuristic finds is beaten by groups of different values somewhere, and those alone never by it."""
    monkeypatch.setattr(on_a_line, "MOST_CELLS", 0)
    fell = 0
    for seed in range(12):
        given = people(90, 4, seed, clustered=True)
        done, alone = released(given, alpha="1/3"), without_line(monkeypatch, given, alpha="1/3")
        assert done.report.groups[0].status == "feasible"
        assert loss(done) <= loss(alone)
        fell += loss(done) < loss(alone) * (1 - 1e-9)
    assert fell > 0


def test_where_the_line_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units of several rows, missing values, other requirements, another cost: the heuristic alone."""
    given = people(60, 3, 2, clustered=True)
    gaps = given.set_column(1, "ill", pa.array([None if i == 5 else v for i, v in enumerate(given["ill"].to_pylist())]))
    neighbours = given.set_column(2, "person", pa.array(np.argsort(np.argsort(given["cost"])) // 2))
    cases: list[tuple[pa.Table, dict[str, Any]]] = [
        (given, {"unit": "person", "l_diversity": 2}),
        (neighbours, {"unit": "person", "l_diversity": 2}),
        (gaps, {"l_diversity": 2}),
        (given, {"l_diversity": 2, "t_closeness": 0.9}),
        (given, {"l_diversity": 2, "method": "mdav"}),
        (given, {"l_diversity": 2, "diversity": "entropy"}),
    ]
    for table, choices in cases:
        done = released(table, **choices)
        assert done.report.groups[0].status == "feasible"
        assert done.arrow.equals(without_line(monkeypatch, table, **choices).arrow), choices
