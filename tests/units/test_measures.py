"""Risks of whole units, and what is lost between and inside them: against their definitions, row by row."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.risk.reidentification import expected_inverse
from tests.units import oracle
from tests.units.test_release import households, released


def measures(done: covey.Release) -> dict[str, Any]:
    return {one.label: one for one in (*done.report.risk, *done.report.utility) if one.column is None}


def weighted(number: int = 90) -> pa.Table:
    """Households with a weight each."""
    table = households(number, 3)
    weight = np.random.default_rng(5).integers(3, 9, number).astype(float)
    return table.append_column("w", pa.array(weight[[int(home[1:]) for home in table["home"].to_pylist()]]))


def test_the_risk_of_a_linked_unit_is_one_over_those_that_look_the_same() -> None:
    table = weighted().append_column("tag", weighted()["home"])
    choices: dict[str, Any] = {"quasi": ["sex"], "weight": "w", "weights": "drop", "keep": ["tag"], "accept": ["tag"]}
    done = released(table, **choices, measuring=covey.Measuring())
    weights: dict[str, list[float]] = defaultdict(list)
    for home, weight in zip(table["home"].to_pylist(), table["w"].to_pylist(), strict=True):
        weights[home].append(weight)
    seen: dict[str, list[str]] = defaultdict(list)
    for row in done.arrow.to_pylist():
        seen[row["tag"]].append(row["sex"])
    alike: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for home, rows in seen.items():
        alike[tuple(sorted(rows))].append(float(np.mean(weights[home])))
    chances = [expected_inverse(np.array(len(some)), np.array(len(some) / sum(some))) for some in alike.values()]
    assert measures(done)["unit risk"].value == pytest.approx(max(map(float, chances)))
    total = sum(float(chance) * len(some) for chance, some in zip(chances, alike.values(), strict=True))
    assert measures(done)["expected units re-identified"].value == pytest.approx(total)
    assert measures(done)["unit risk"].original > 0.999 * max(map(float, chances))


def test_without_weights_the_risk_is_exact() -> None:
    done = released(households(90, 3), quasi=["sex"], measuring=covey.Measuring())
    seen = oracle.appearances(oracle.tuples_of_units(done.arrow.to_pylist(), "home", ["sex"]))
    assert measures(done)["unit risk"].value == pytest.approx(1 / min(seen.values()))
    assert measures(done)["expected units re-identified"].value == pytest.approx(len(seen))


def test_rows_that_nobody_can_link_are_found_one_by_one() -> None:
    table = households(90, 3)
    done = released(table, quasi=["age", "sex"], random_ids=[], measuring=covey.Measuring())
    assert done.units is not None
    units = done.units.number
    rows = list(zip(done.arrow["age"].to_pylist(), done.arrow["sex"].to_pylist(), units.tolist(), strict=True))
    of_class: dict[Any, set[int]] = defaultdict(set)
    for age, sex, unit in rows:
        of_class[age, sex].add(unit)
    stays: dict[int, float] = defaultdict(lambda: 1.0)
    for age, sex, unit in rows:
        stays[unit] *= 1 - 1 / len(of_class[age, sex])
    assert measures(done)["unit risk"].value == pytest.approx(1 - min(stays.values()))
    assert measures(done)["expected units re-identified"].value == pytest.approx(sum(1 - one for one in stays.values()))
    assert "unit risk" not in {one.label for one in done.report.public().risk}


def of_population(people: list[tuple[int, float]]) -> float:
    """The expectation of one over the people of a class: its units as (number, weight), of whom each stands for its weight."""
    weights = [weight for _, weight in people]
    return float(expected_inverse(np.array(len(weights)), np.array(len(weights) / max(len(weights), sum(weights)))))


def by_rows(table: pa.Table, columns: list[str]) -> dict[int, float]:
    """Of every household the chance that any of its rows is named, were they independent: 1 - prod(1 - r)."""
    rows = table.to_pylist()
    of_class: dict[Any, dict[str, float]] = defaultdict(dict)
    for row in rows:
        of_class[tuple(row[name] for name in columns)][row["home"]] = row["w"]
    stays: dict[int, float] = defaultdict(lambda: 1.0)
    for row in rows:
        alike = of_class[tuple(row[name] for name in columns)]
        stays[row["home"]] *= 1 - of_population(list(enumerate(alike.values())))
    return {home: 1 - stay for home, stay in stays.items()}


def test_the_original_of_linked_units_has_both_definitions_and_the_release_its_own() -> None:
    """By what is seen of whole units beside the release, by independent rows in words; unlinked rows have the second alone, in numbers."""
    table = weighted(90)
    whole: dict[str, list[Any]] = defaultdict(list)
    weight = {}
    for row in table.to_pylist():
        whole[row["home"]].append((row["age"] // 10, row["sex"]))
        weight[row["home"]] = row["w"]
    place = table.column_names.index("age")
    tens = table.set_column(place, "age", pa.array([age // 10 for age in table["age"].to_pylist()]))
    alike: dict[Any, list[str]] = defaultdict(list)
    for home, rows in whole.items():
        alike[tuple(sorted(rows))].append(home)
    chances = {home: of_population([(0, weight[one]) for one in homes]) for homes in alike.values() for home in homes}
    choices: dict[str, Any] = {"quasi": ["age", "sex"], "weight": "w", "weights": "drop"}
    linked = measures(released(tens, **choices, measuring=covey.Measuring()))
    assert linked["unit risk"].original == pytest.approx(max(chances.values()))
    assert linked["expected units re-identified"].original == pytest.approx(sum(chances.values()))
    apart_rows = by_rows(tens, ["age", "sex"])
    assert 0 < sum(apart_rows.values()) < 90
    for label, number in (
        ("unit risk", max(apart_rows.values())),
        ("expected units re-identified", sum(apart_rows.values())),
    ):
        assert linked[label].meaning.endswith(f"as if they were independent (1 - prod(1 - r)): {number:.4g}.")
        assert f"{linked[label].value:.4g}." not in linked[label].meaning
    apart = measures(released(tens, **choices, random_ids=[], measuring=covey.Measuring()))
    assert apart["unit risk"].original == pytest.approx(max(apart_rows.values()))
    assert apart["expected units re-identified"].original == pytest.approx(sum(apart_rows.values()))
    assert "In the original" not in apart["unit risk"].meaning


def test_it_is_said_that_each_record_of_a_unit_that_is_named_counts() -> None:
    """Of unlinked units: the mean over records of one over the units that share their values, and their sum."""
    done = released(households(90, 3), quasi=["age", "sex"], random_ids=[], measuring=covey.Measuring())
    assert done.units is not None
    known = list(zip(done.arrow["age"].to_pylist(), done.arrow["sex"].to_pylist(), strict=True))
    sharing: dict[Any, set[int]] = defaultdict(set)
    for key, unit in zip(known, done.units.number.tolist(), strict=True):
        sharing[key].add(unit)
    named = sum(1 / len(sharing[key]) for key in known)
    for report in (done.report, done.report.public()):
        risk = {one.label: one for one in report.risk if one.column is None}
        assert risk["expected re-identifications"].value == pytest.approx(named, rel=1e-2)
        assert risk["marketer risk"].value == pytest.approx(named / len(known), rel=1e-2)
        for label in ("expected re-identifications", "marketer risk"):
            assert "whose unit would be named rightly (each record of a unit counts)" in risk[label].meaning
    alone = covey.release(
        households(90, 1).drop_columns("home"), k=3, quasi=["age"], drop_rest=True, ledger=False, measuring=True
    )
    assert "unit" not in measures(alone)["marketer risk"].meaning


def squares(values: np.ndarray) -> float:
    return float(((values - values.mean()) ** 2).sum())


def test_losses_between_and_inside_units_are_those_of_means_and_of_rows_around_them() -> None:
    """All become one household: nothing is left between them, all that was inside."""
    x = np.array([0.0, 10.0] * 5) + np.repeat(np.arange(5), 2)
    table = pa.table({"home": np.repeat(np.arange(5), 2), "x": x})
    found = measures(released(table, 5, quasi=["x"], measuring=covey.Measuring()))
    between = squares(np.repeat(x.reshape(5, 2).mean(axis=1), 2))
    assert found["variation lost between units"].value == pytest.approx(100.0)
    assert found["variation lost inside units"].value == pytest.approx(0.0, abs=1e-9)
    assert found["information loss"].value == pytest.approx(100.0 * between / squares(x))


def test_some_of_both_is_lost() -> None:
    table = households(40, 3).append_column("tag", households(40, 3)["home"])
    done = released(table, quasi=["age"], keep=["tag"], accept=["tag"], measuring=covey.Measuring())
    before, after = (
        {
            home: np.array([row["age"] for row in rows.to_pylist() if row["tag"] == home])
            for home in set(rows["tag"].to_pylist())
        }
        for rows in (table, done.arrow)
    )
    centre = np.mean(table["age"].to_numpy())
    between = sum(len(ages) * (ages.mean() - centre) ** 2 for ages in before.values())
    lost = sum(len(ages) * (ages.mean() - after[home].mean()) ** 2 for home, ages in before.items())
    assert measures(done)["variation lost between units"].value == pytest.approx(100 * lost / between)
    assert 0 < measures(done)["variation lost inside units"].value < 100


def test_units_of_one_row_have_no_such_measures() -> None:
    done = released(households(60, 1), quasi=["age"], measuring=covey.Measuring())
    assert not {"unit risk", "variation lost between units"} & {*measures(done)}
