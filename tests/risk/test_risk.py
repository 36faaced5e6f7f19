"""Measures of risk against their definitions, the slow way."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from covey import risk
from covey.dominance import OwnValues
from covey.evidence import Evidence, share
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


@pytest.mark.parametrize("seed", range(3))
def test_deviation_intervals_but_for_one_are_what_drisk_counts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    given = evidence({name: rng.normal(size=60).tolist() for name in "abc"}, [i // 3 for i in range(60)])
    inside = 0
    for i in range(60):
        outside = 0
        for name in "abc":
            released = given.released[name].physical
            low, high = (released[i] + sign * 0.4 * np.std(released, ddof=1) for sign in (-1, 1))
            outside += not low <= given.original[name].physical[i] <= high
        inside += outside <= 1
    found = risk.deviation_intervals(given, 0.4)
    assert 0 < inside < 60
    assert one(found, "deviation interval disclosure but for one") == pytest.approx(inside / 60)
    alone = evidence({"a": rng.normal(size=9).tolist()}, [0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert [m.name for m in risk.deviation_intervals(alone)] == ["deviation interval disclosure"]


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
    census = evidence({"x": [1.0] * 4}, [0] * 4, weights=np.ones(4))
    assert risk.reidentification(census)[1].interval == (0.25, 0.25)
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
    assert all(m.attacker and not m.public for m in measured)


def test_attribute_disclosure() -> None:
    ill = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    given = evidence({"x": [1, 1, 1, 1, 9, 9, 9, 9]}, [0, 0, 0, 0, 1, 1, 1, 1], sensitive={"ill": ill})
    assert one(risk.attribute_disclosure(given), "homogeneous classes", "ill") == 0.0
    assert one(risk.attribute_disclosure(given), "attribute guess", "ill") == 6 / 8
    same = evidence({"x": [1, 1, 1, 9, 9, 9]}, [0, 0, 0, 1, 1, 1], sensitive={"ill": np.array([3, 3, 3, 1, 2, 3])})
    assert one(risk.attribute_disclosure(same), "homogeneous classes", "ill") == 0.5


def test_every_measure_names_its_attacker_and_says_what_it_means() -> None:
    given = random_evidence(2, sensitive={"ill": np.arange(40) % 3})
    for measure in risk.MEASURES:
        for found in measure(given):
            assert found.attacker
            assert found.better == "lower"
            assert found.meaning.endswith(".")
            assert 0.0 <= found.value <= 1.0


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


def test_with_units_no_risk_is_above_that_of_the_worst_class() -> None:
    rng = np.random.default_rng(0)
    units = np.repeat(np.arange(20), 3)
    labels = rng.permutation(60) % 6
    given = evidence({"x": rng.normal(size=60).tolist()}, labels.tolist(), units=units, weights=np.repeat(10.0, 60))
    measured = risk.reidentification(given)
    sizes = {c: len(set(units[given.classes == c].tolist())) for c in set(given.classes.tolist())}
    assert one(measured, "marketer risk") == pytest.approx(np.mean([1 / sizes[c] for c in given.classes.tolist()]))
    assert one(measured, "marketer risk") <= one(measured, "prosecutor risk")
    assert one(measured, "journalist risk") == pytest.approx(1 / (10 * min(sizes.values())))


def test_the_stratum_is_known() -> None:
    strata = np.array([0, 0, 0, 1, 1, 1])
    blind = evidence({"x": [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]}, [0, 0, 0, 1, 1, 1])
    known = replace(blind, strata=strata, classes=strata)
    assert one(risk.linkage(blind), "record linkage") == pytest.approx(1 / 6)
    assert one(risk.linkage(known), "record linkage") == pytest.approx(1 / 3)


def test_a_population_is_no_smaller_than_its_sample() -> None:
    measured = risk.reidentification(random_evidence(1, weights=np.full(40, 0.1)))
    assert one(measured, "journalist risk") <= one(measured, "prosecutor risk")


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
