"""Measures of risk against their definitions, the slow way."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad

from covey import risk
from covey.columns.own_values import OwnValues
from covey.evidence import Evidence, share
from covey.measures.measures import Measuring, measure, notes_of
from covey.risk.records import record_risk
from covey.risk.reidentification import expected_inverse
from tests.evidence import evidence, one, points, random_evidence, released_points


@pytest.mark.parametrize("seed", range(8))
def test_linkage(seed: int) -> None:
    given = random_evidence(seed)
    hits = right = 0.0
    for i in range(given.rows):
        distances = [math.dist(points(given)[i], released) for released in released_points(given)]
        near = [j for j, distance in enumerate(distances) if distance <= min(distances) + 1e-9]
        if i in near:
            hits += 1 / len(near)
            right += 1
    measured = risk.linkage(given)
    assert one(measured, "record linkage") == pytest.approx(hits / given.rows)
    assert one(measured, "group linkage") == pytest.approx(right / given.rows)


def test_points_at_the_same_distance_share_a_guess() -> None:
    given = evidence({"x": [0.0, 2.0, 2.0, 4.0]}, [0, 0, 1, 1])  # released: 1, 1, 3, 3
    assert one(risk.linkage(given), "record linkage") == pytest.approx((1 / 2 + 1 / 4 + 1 / 4 + 1 / 2) / 4)
    assert one(risk.linkage(given), "group linkage") == 1.0


def test_linkage_of_a_sample_has_an_interval_that_holds_the_truth() -> None:
    exact = risk.linkage(random_evidence(0, 2000))
    sampled = risk.linkage(random_evidence(0, 2000, sample=400))
    for whole, part in zip(exact, sampled, strict=True):
        assert whole.interval is None
        assert part.interval is not None
        assert part.interval[0] <= whole.value <= part.interval[1]


def test_identity_links_everyone_and_the_mean_nobody() -> None:
    values = list(np.random.default_rng(0).normal(size=30))
    identity = evidence({"x": values}, list(range(30)))
    assert one(risk.linkage(identity), "record linkage") == 1.0
    mean = evidence({"x": values}, [0] * 30)
    assert one(risk.linkage(mean), "record linkage") == pytest.approx(1 / 30)
    assert one(risk.linkage(mean), "group linkage") == 1.0


def middle_rank(values: list[float], value: float) -> float:
    return sum(v < value for v in values) + sum(v == value for v in values) / 2


@pytest.mark.parametrize("name", ["income", "age"])
@pytest.mark.parametrize("seed", range(5))
def test_rank_intervals(seed: int, name: str) -> None:
    given = random_evidence(seed)
    values = sorted(given.original[name].physical.tolist())
    inside = 0
    for before, after in zip(given.original[name].physical, given.released[name].physical, strict=True):
        place = middle_rank(values, after)
        if after not in values:  # between two values, between their ranks
            low, high = max(v for v in values if v < after), min(v for v in values if v > after)
            ranks = middle_rank(values, low), middle_rank(values, high)
            place = ranks[0] + (ranks[1] - ranks[0]) * (after - low) / (high - low)
        inside += abs(middle_rank(values, before) - place) / len(values) <= 0.05 + 1e-12
    assert one(risk.rank_intervals(given), "rank interval disclosure", name) == pytest.approx(inside / given.rows)
    assert {m.column for m in risk.rank_intervals(given)} == {"age", "income"}


@pytest.mark.parametrize("seed", range(5))
def test_deviation_intervals_are_drisk(seed: int) -> None:
    given = random_evidence(seed)
    for k in (0.05, 0.5):
        inside = 0
        for i in range(given.rows):
            inside += all(
                abs(given.original[name].physical[i] - given.released[name].physical[i])
                <= k * np.std(given.released[name].physical, ddof=1)
                for name in ("age", "income")
            )
        found = risk.deviation_intervals(given, k)
        assert one(found, "deviation interval disclosure") == pytest.approx(inside / given.rows)


def test_reidentification() -> None:
    given = random_evidence(1)
    sizes = Counter(given.classes.tolist())
    measured = risk.reidentification(given)
    assert one(measured, "prosecutor risk") == 1 / min(sizes.values())
    assert one(measured, "marketer risk") == pytest.approx(np.mean([1 / sizes[c] for c in given.classes.tolist()]))
    assert one(measured, "journalist risk") == one(measured, "prosecutor risk")
    weighted = random_evidence(1, weights=np.full(40, 10.0))
    assert one(risk.reidentification(weighted), "journalist risk") == pytest.approx(1 / (10 * min(sizes.values())))


def test_the_journalist_s_interval_is_what_samples_give() -> None:
    """Populations whose class of F people has f drawn: of those that agree with f, F lies in the interval 95 times of 100."""
    given = evidence({"x": [1.0] * 4 + [9.0] * 40}, [0] * 4 + [1] * 40, weights=np.full(44, 10.0))
    (found,) = [m for m in risk.reidentification(given) if m.name == "journalist risk"]
    assert found.value == pytest.approx(1 / 40)
    assert found.interval is not None
    rng = np.random.default_rng(0)
    people = []
    for _ in range(4000):  # people come until the fourth is drawn, each with the chance of one in ten
        drawn = np.flatnonzero(rng.random(400) < 0.1)
        people.append(int(drawn[3]) + 1)
    inside = np.mean([found.interval[0] <= 1 / size <= found.interval[1] for size in people])
    assert inside == pytest.approx(0.95, abs=0.015)
    small = evidence({"x": [1.0] * 4 + [9.0] * 4}, [0] * 4 + [1] * 4, weights=np.repeat([0.5, 5.0], 4))
    assert risk.reidentification(small)[1].interval == (0.25, 0.25)
    assert risk.reidentification(random_evidence(1))[1].interval is None


def test_dominance() -> None:
    columns = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "ward": ["a", "a", "b", "b", "b", "b"]}
    own = {"x": OwnValues(1, 0, 2, 4), "ward": OwnValues(3, 0, 0, 4)}
    measured = risk.dominance(evidence(columns, [0, 0, 0, 1, 1, 1], own=own))
    assert one(measured, "own values published", "x") == 0.25
    assert one(measured, "p % rule broken", "x") == 0.0
    assert one(measured, "dominated groups", "x") == 0.5
    assert one(measured, "own values published", "ward") == 0.75
    assert len(measured) == 4  # a category has no amounts
    assert all(m.attacker for m in measured)


def test_attribute_disclosure() -> None:
    ill = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    given = evidence({"x": [1, 1, 1, 1, 9, 9, 9, 9]}, [0, 0, 0, 0, 1, 1, 1, 1], sensitive={"ill": ill})
    assert one(risk.attribute_disclosure(given), "homogeneous classes", "ill") == 0.0
    assert one(risk.attribute_disclosure(given), "attribute guess", "ill") == 6 / 8
    same = evidence({"x": [1, 1, 1, 9, 9, 9]}, [0, 0, 0, 1, 1, 1], sensitive={"ill": np.array([3, 3, 3, 1, 2, 3])})
    assert one(risk.attribute_disclosure(same), "homogeneous classes", "ill") == 0.5


def test_every_measure_names_its_attacker_and_says_what_it_means() -> None:
    given = random_evidence(2, sensitive={"ill": np.arange(40) % 3})
    for taken in risk.MEASURES:
        for found in taken(given):
            assert found.attacker
            assert found.name.better == "lower"
            assert found.meaning.endswith(".")
            assert 0.0 <= found.value <= (1.0 if found.pooled != "sum" else given.rows)


def test_wilson_s_interval() -> None:
    assert share(3, 10, 10) == (0.3, None)
    value, interval = share(30, 100, 10**6)
    assert value == 0.3
    assert interval == pytest.approx((0.2189, 0.3958), abs=1e-3)
    assert share(0, 0, 10) == (0.0, None)


def test_samples_are_the_same_every_time() -> None:
    given: Evidence = random_evidence(3, 4000, sample=100)
    assert len(given.drawn()) == 100
    assert given.drawn().tolist() == given.drawn().tolist()
    assert len(random_evidence(3, 400, sample=100).drawn()) == 400


def test_units_are_what_is_found() -> None:
    units = np.repeat(np.arange(6), 4)
    values = np.repeat([1.0, 1.1, 1.2, 9.0, 9.1, 9.2], 4).tolist()
    given = evidence({"x": values}, [0] * 12 + [1] * 12, units=units)
    assert one(risk.reidentification(given), "prosecutor risk") == pytest.approx(1 / 3)
    assert one(risk.reidentification(given), "marketer risk") == pytest.approx(2 / 6)
    assert one(risk.linkage(given), "record linkage") == pytest.approx(4 / 12)  # any row of the unit is right
    assert one(risk.reidentification(given), "expected re-identifications") == pytest.approx(
        24 / 3
    )  # one record in three


def test_with_units_no_risk_is_above_that_of_the_worst_class() -> None:
    rng = np.random.default_rng(0)
    units = np.repeat(np.arange(20), 3)
    labels = rng.permutation(60) % 6
    given = evidence({"x": rng.normal(size=60).tolist()}, labels.tolist(), units=units, weights=np.repeat(10.0, 60))
    measured = risk.reidentification(given)
    sizes = {c: len(set(units[given.classes == c].tolist())) for c in set(given.classes.tolist())}
    at_risk = {c: expected(size, 0.1) for c, size in sizes.items()}  # every unit stands for ten
    assert one(measured, "marketer risk") == pytest.approx(np.mean([at_risk[c] for c in given.classes.tolist()]))
    assert one(measured, "marketer risk") <= one(measured, "prosecutor risk")
    assert one(measured, "journalist risk") == pytest.approx(1 / (10 * min(sizes.values())))
    by_records = sum(at_risk[c] for c in given.classes.tolist())
    assert one(measured, "expected re-identifications") == pytest.approx(by_records)


def test_the_stratum_is_known() -> None:
    strata = np.array([0, 0, 0, 1, 1, 1])
    blind = evidence({"x": [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]}, [0, 0, 0, 1, 1, 1])
    known = replace(blind, strata=strata, classes=strata)
    assert one(risk.linkage(blind), "record linkage") == pytest.approx(1 / 6)
    assert one(risk.linkage(known), "record linkage") == pytest.approx(1 / 3)


def expected(f: int, p: float) -> float:
    """The expectation of 1 / F, by its definition: F people until f are drawn."""
    total, chance, people = 0.0, p**f, f
    while people < 100 * f / p:
        total += chance / people
        chance *= (1 - p) * people / (people + 1 - f)
        people += 1
    return total


@pytest.mark.parametrize("f", [1, 2, 3, 5, 9, 39, 40, 41])
def test_the_individual_risk_by_its_definition(f: int) -> None:
    for p in (0.02, 0.1, 0.3, 0.49, 0.5, 0.51, 0.9, 0.99):
        assert expected_inverse(np.array([f]), np.array([p]))[0] == pytest.approx(expected(f, p), rel=1e-9)


@pytest.mark.parametrize("f", [1, 2, 5, 39, 40, 1000, 10**6])
@pytest.mark.parametrize("p", [1e-9, 1e-6, 0.001, 0.03, 0.25, 0.4999999, 0.5, 0.75, 0.999, 1 - 1e-9, 1.0])
def test_the_individual_risk_by_its_integral(f: int, p: float) -> None:
    """P u^(f - 1) / (p + (1 - p) u) from 0 to 1, with u = exp(-y / f)."""
    step = f * math.log((1 - p) / p) if p < 0.5 else 1.0
    ends = sorted({1.0, 2.0, 5.0, 10.0, 20.0, 40.0, min(799.0, max(0.1, step))})
    found = quad(
        lambda y: math.exp(-y) * p / (p + (1 - p) * math.exp(-y / f)) / f,
        0,
        800,
        points=ends,
        epsabs=0,
        epsrel=1e-13,
        limit=2000,
    )[0]
    assert expected_inverse(np.array([f]), np.array([p]))[0] == pytest.approx(found, rel=1e-12)
    assert 1 / f * p * (1 - 1e-12) <= found <= 1 / f * (1 + 1e-12)


def test_the_individual_risk_is_above_one_over_the_people() -> None:
    weights = np.array([20.0, 13.0, 40.0, 60.0, 50.0, 17.0, 25.0])
    labels = [0, 0, 1, 1, 1, 2, 2]
    given = evidence({"x": [1.0, 1.0, 5.0, 5.0, 5.0, 9.0, 9.0]}, labels, weights=weights)
    measured = risk.reidentification(given)
    sums, sizes = [33.0, 150.0, 42.0], [2, 3, 2]
    chances = [expected(f, f / people) for f, people in zip(sizes, sums, strict=True)]
    assert one(measured, "journalist risk") == pytest.approx(1 / 33)
    assert one(measured, "individual risk") == pytest.approx(max(chances))
    assert one(measured, "individual risk") > 1.5 * one(measured, "journalist risk")
    assert one(measured, "expected re-identifications") == pytest.approx(
        sum(f * e for f, e in zip(sizes, chances, strict=True))
    )
    assert one(measured, "marketer risk") == pytest.approx(one(measured, "expected re-identifications") / 7)
    kept = record_risk(given, np.arange(7) + 10)
    assert kept.row.tolist() == list(range(11, 18))
    assert kept.chance == pytest.approx([chances[label] for label in labels])
    assert kept.to_csv().splitlines()[:2] == ["row,class_size,people,individual_risk", f"11,2,33,{chances[0]:.12g}"]


@pytest.mark.parametrize("mean", [0.1, 0.97, 1.0, 1.05])
def test_normalised_weights_are_no_numbers_of_people(mean: float) -> None:
    weights = np.random.default_rng(0).uniform(0.2, 1.8, 40)
    given = random_evidence(1, weights=weights * mean / weights.mean())
    measured, plain = risk.reidentification(given), risk.reidentification(random_evidence(1))
    assert [m.value for m in measured] == [m.value for m in plain]
    assert "the weights have a mean near 1 or below" in measured[1].meaning
    assert given.people is None
    assert notes_of(given)
    assert not notes_of(random_evidence(1, weights=weights * 5))
    assert not notes_of(random_evidence(1))


def test_a_population_is_no_smaller_than_its_sample() -> None:
    weights = np.where(np.arange(40) < 20, 0.1, 9.0)
    measured = risk.reidentification(random_evidence(1, weights=weights))
    assert one(measured, "journalist risk") <= one(measured, "prosecutor risk")
    assert one(measured, "individual risk") <= one(measured, "prosecutor risk") + 1e-12


def test_records_below() -> None:
    given = evidence({"x": [1.0, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]}, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3])
    found = {m.label: m.value for m in risk.small_classes(replace(given, k=8))}
    assert found == {"records below 2": 1, "records below 3": 3, "records below 5": 6, "records below 8": 13}
    units = np.array([0, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 7, 7])
    by_units = {m.label: m.value for m in risk.small_classes(replace(given, units=units, k=5))}
    assert by_units == {"records below 2": 3, "records below 3": 6, "records below 5": 13}


@pytest.mark.parametrize("seed", range(4))
def test_the_original_beside_itself(seed: int) -> None:
    """Were nothing done, everyone would be found but for those who are equal already."""
    rng = np.random.default_rng(seed)
    columns = {"age": rng.integers(20, 24, 60).tolist(), "ward": rng.choice(["a", "b"], 60).tolist()}
    given = evidence(columns, [i // 5 for i in range(60)])
    sizes = Counter(zip(*columns.values(), strict=True))
    values = [sizes[key] for key in zip(*columns.values(), strict=True)]
    untouched = given.untouched()
    assert one(risk.linkage(untouched), "record linkage") == pytest.approx(len(sizes) / 60)
    assert one(risk.small_classes(untouched), "records below 5") == sum(value < 5 for value in values)
    assert one(risk.reidentification(untouched), "expected re-identifications") == pytest.approx(len(sizes))
    shown = {m.label: m.original for m in measure(given, Measuring()).risk if m.column is None}
    assert shown["record linkage"] == pytest.approx(len(sizes) / 60)
    assert shown["prosecutor risk"] == 1 / min(values)


def test_linkage_in_many_dimensions_by_blocks() -> None:
    rng = np.random.default_rng(0)
    columns = {f"c{i}": rng.integers(0, 3, 60).tolist() for i in range(30)}
    given = evidence(columns, [i // 4 for i in range(60)])
    assert points(given).shape[1] > 24  # where the tree ends
    hits = 0.0
    for i in range(60):
        distances = [math.dist(points(given)[i], released) for released in released_points(given)]
        near = [j for j, distance in enumerate(distances) if distance <= min(distances) * (1 + 1e-9)]
        hits += (i in near) / len(near)
    assert one(risk.linkage(given), "record linkage") == pytest.approx(hits / 60)
