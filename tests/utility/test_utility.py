"""Measures of utility against their definitions, the slow way."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest

from covey import utility
from covey.errors import OptionError
from covey.measures.published import public_uses
from covey.utility.propensity import logistic
from tests.evidence import evidence, one, points, random_evidence, released_points


@pytest.mark.parametrize("seed", range(5))
def test_information_loss(seed: int) -> None:
    given = random_evidence(seed)
    lost = sum(math.dist(a, b) ** 2 for a, b in zip(points(given), released_points(given), strict=True))
    whole = sum(math.dist(a, points(given).mean(axis=0)) ** 2 for a in points(given))
    assert one(utility.information_loss(given), "information loss") == pytest.approx(100 * lost / whole)


@pytest.mark.parametrize("seed", range(5))
def test_il1s_by_the_formula_of_sdcmicro(seed: int) -> None:
    given = random_evidence(seed)
    total, cells = 0.0, 0
    for name in ("age", "income"):
        x, released = (c[name].physical.tolist() for c in (given.original, given.released))
        for before, after in zip(x, released, strict=True):
            total += abs(before - after) / (math.sqrt(2) * statistics.stdev(x))
            cells += 1
    assert one(utility.il1s(given), "IL1s") == pytest.approx(total / cells)


def test_marginals() -> None:
    given = random_evidence(1)
    x, y = (c["income"].physical for c in (given.original, given.released))
    sd = statistics.stdev(x.tolist())
    measured = utility.marginals(given)
    assert one(measured, "mean moved", "income") == pytest.approx(abs(y.mean() - x.mean()) / sd, abs=1e-9)
    assert one(measured, "variance changed", "income") == pytest.approx(
        100 * abs(statistics.variance(y.tolist()) / sd**2 - 1)
    )
    worst = max(abs(np.quantile(y, q) - np.quantile(x, q)) for q in (0.05, 0.25, 0.5, 0.75, 0.95)) / sd
    assert one(measured, "quantiles moved", "income") == pytest.approx(worst)
    before, after = (c["ward"].physical.tolist() for c in (given.original, given.released))
    moved = sum(abs(before.count(v) - after.count(v)) for v in range(3)) / 2 / given.rows
    assert one(measured, "shares moved", "ward") == pytest.approx(moved)


def test_categories_that_change_places_are_counted() -> None:
    wards = ["a", "b", "b", "a", "a", "b", "c", "c"]
    given = evidence({"ward": wards}, [0, 0, 0, 1, 1, 1, 2, 2])
    measured = utility.marginals(given)
    released = [given.released["ward"].categories[code].as_py() for code in given.released["ward"].physical]
    assert released == ["b", "b", "b", "a", "a", "a", "c", "c"]
    assert one(measured, "shares moved", "ward") == 0.0
    assert one(measured, "categories changed", "ward") == 2 / 8


def test_what_is_published_is_measured_within_the_release() -> None:
    numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1e9]
    wards = ["a", "a", "a", "b", "b", "b", "b", "c"]
    given = evidence({"x": numbers, "ward": wards}, [0, 0, 0, 0, 1, 1, 1, 1])
    further = evidence({"x": [*numbers[:-1], 1e12], "ward": [*wards[:-1], "d"]}, [0, 0, 0, 0, 1, 1, 1, 1])
    further = replace(further, released=given.released)
    for shown in (given.published(), further.published()):
        low, high = (end(given.released["x"].physical) for end in (np.min, np.max))
        assert shown.original["x"].physical.tolist() == np.clip(numbers, low, high).tolist()
        assert shown.original["ward"].valid.tolist() == [True] * 7 + [False]
    assert (points(given.published()) == points(further.published())).all()
    assert given.original["x"].physical[-1] == 1e9


def test_correlations() -> None:
    given = random_evidence(2)
    names = ("age", "income")
    before, after = (np.corrcoef([c[n].physical for n in names])[0, 1] for c in (given.original, given.released))
    measured = utility.correlations(given)
    assert one(measured, "correlations changed, mean") == pytest.approx(abs(after - before))
    assert one(measured, "correlations changed, worst") == pytest.approx(abs(after - before))


@pytest.mark.parametrize("seed", range(3))
def test_eigenvalues_by_the_formula_of_sdcmicro(seed: int) -> None:
    """sum(abs(e1 - e2) / e1) of eigen(var(scale(x))) and eigen(var(scale(xm)))."""
    given = random_evidence(seed)
    eigenvalues = []
    for columns in (given.original, given.released):
        table = np.column_stack([columns[n].physical for n in ("age", "income")]).astype(float)
        scaled = (table - table.mean(axis=0)) / table.std(axis=0, ddof=1)
        eigenvalues.append(sorted(np.linalg.eigvals(np.cov(scaled.T)).real, reverse=True))
    expected = sum(abs(a - b) / a for a, b in zip(*eigenvalues, strict=True))
    assert one(utility.eigenvalues(given), "eigenvalues changed") == pytest.approx(expected)


def test_the_loss_of_a_column_is_public_only_where_no_record_makes_it() -> None:
    values = list(np.random.default_rng(0).normal(size=40))
    labels = [i // 4 for i in range(40)]
    given = evidence({"x": values, "y": [1e6, *values[1:]]}, labels)
    measured = {m.column: m for m in utility.column_losses(given)}
    x, y = (c["x"].physical for c in (given.original, given.released))
    assert measured["x"].value == pytest.approx(100 * ((x - y) ** 2).sum() / ((x - x.mean()) ** 2).sum())
    shown = public_uses(given.published())
    assert [(m.name, m.column) for m in shown] == [
        ("variation lost", "x")
    ]  # the loss of y could be subtracted from all
    assert shown[0].value == pytest.approx(measured["x"].value, rel=0.3)


def test_totals_by_stratum_and_weighted() -> None:
    strata = np.arange(40) % 2
    weights = np.arange(1.0, 41.0)
    given = random_evidence(3, strata=strata, weights=weights)
    measured = utility.totals(given)
    x, y = (c["income"].physical for c in (given.original, given.released))
    assert one(measured, "total changed", "income") == pytest.approx(100 * abs((y @ weights) / (x @ weights) - 1))
    worst = max(100 * abs((y * weights)[strata == s].sum() / (x * weights)[strata == s].sum() - 1) for s in (0, 1))
    assert one(utility.worst(utility.by_stratum(given)), "total changed by stratum", "income") == pytest.approx(worst)


def test_changes_by_stratum() -> None:
    strata = np.repeat([0, 1, 2], [15, 15, 10])
    given = random_evidence(5, strata=strata, stratum_names={0: "east", 1: "west", 2: "north"})
    x, y = (c["income"].physical for c in (given.original, given.released))
    each = utility.by_stratum(given)
    measured = utility.worst(each)
    cells = [strata == s for s in range(3)]
    means = [abs(y[c].mean() - x[c].mean()) / x[c].std(ddof=1) for c in cells]
    assert one(measured, "mean moved by stratum", "income") == pytest.approx(max(means))
    named = [m.stratum for m in measured if m.name == "mean moved by stratum" and m.column == "income"]
    assert named == [("east", "west", "north")[int(np.argmax(means))]]
    found = [m.value for m in each if m.name == "mean moved by stratum" and m.column == "income"]
    assert found == pytest.approx(means)
    moved = []
    for c in cells:
        before, after = (list(columns["ward"].physical[c]) for columns in (given.original, given.released))
        moved.append(sum(abs(before.count(v) - after.count(v)) for v in range(3)) / 2 / len(before))
    assert [m.value for m in each if m.name == "shares moved by stratum"] == pytest.approx(moved)
    variance = max(100 * abs(y[c].var(ddof=1) / x[c].var(ddof=1) - 1) for c in cells)
    assert one(measured, "variance changed by stratum", "income") == pytest.approx(variance)
    quantiles = max(
        max(abs(np.quantile(y[c], q) - np.quantile(x[c], q)) for q in (0.05, 0.25, 0.5, 0.75, 0.95)) / x[c].std(ddof=1)
        for c in cells
    )
    assert one(measured, "quantiles moved by stratum", "income") == pytest.approx(quantiles)
    tables = [[c[n].physical for n in ("age", "income")] for c in (given.original, given.released)]
    worst = max(
        abs(np.corrcoef(*(v[c] for v in tables[1]))[0, 1] - np.corrcoef(*(v[c] for v in tables[0]))[0, 1])
        for c in cells
    )
    assert one(measured, "correlations changed by stratum") == pytest.approx(worst)
    assert utility.by_stratum(random_evidence(5)) == []
    small = utility.by_stratum(random_evidence(5, strata=np.arange(40) // 5))  # too small to have a spread
    assert {m.name for m in small} == {"total changed by stratum"}


def test_a_sampled_propensity_score_has_an_interval() -> None:
    sampled = utility.propensity(random_evidence(0, 2000, sample=300))
    assert all(
        found.interval is not None and found.interval[0] <= found.value <= found.interval[1] for found in sampled
    )
    assert all(found.interval is None for found in utility.propensity(random_evidence(0, 2000)))


def test_propensity() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=400).tolist()
    same = evidence({"x": values}, list(range(400)))
    assert one(utility.propensity(same), "propensity score") == pytest.approx(0.0, abs=1e-9)
    blurred = evidence({"x": values}, [0] * 400)
    assert one(utility.propensity(blurred), "propensity score") > 0.05
    assert one(utility.propensity(blurred), "propensity ratio") > 10


def test_logistic_regression_against_its_likelihood() -> None:
    rng = np.random.default_rng(1)
    terms = np.column_stack([np.ones(300), rng.normal(size=(300, 2))])
    outcome = (rng.random(300) < 1 / (1 + np.exp(-terms @ [0.3, 1.0, -2.0]))).astype(float)
    score = 1 / (1 + np.exp(-terms @ logistic(terms, outcome)))
    assert np.abs(terms.T @ (outcome - score)).max() < 1e-2  # the likelihood has no slope left
    assert np.mean((score > 0.5) == (outcome > 0.5)) > 0.7


def test_regression_on_request() -> None:
    given = random_evidence(4, 200)
    measured = utility.regression(given, "income ~ age")
    x, y = given.original["age"].physical.astype(float), given.original["income"].physical
    slope = np.polyfit(x, y, 1)[0]
    released = np.polyfit(given.released["age"].physical.astype(float), given.released["income"].physical, 1)[0]
    residual = y - np.polyval(np.polyfit(x, y, 1), x)
    error = math.sqrt(residual @ residual / 198 / ((x - x.mean()) ** 2).sum())
    assert one(measured, "coefficient moved", "age") == pytest.approx(abs(released - slope) / error)
    assert 0 <= one(measured, "coefficient overlap", "age") <= 1
    for formula in ("income", "income ~ ward", "x ~ age", "~ age"):
        with pytest.raises(OptionError, match="is not understood"):
            utility.regression(given, formula)


def test_regressions_that_fit_exactly() -> None:
    x = [float(i) for i in range(40)]
    labels = [i // 4 for i in range(40)]
    exact = utility.regression(evidence({"x": x, "y": [2 * v + 1 for v in x]}, labels), "y ~ x")
    assert one(exact, "coefficient moved", "x") == 0.0
    assert one(exact, "coefficient overlap", "x") == 1.0
    constant = utility.regression(evidence({"x": x, "y": [5.0] * 40}, labels), "y ~ x")
    assert one(constant, "coefficient moved", "x") == 0.0
    assert one(constant, "coefficient overlap", "x") == 1.0


def test_a_sampled_propensity_score_is_near_the_exact_one() -> None:
    exact = one(utility.propensity(random_evidence(1, 4000)), "propensity score")
    inside = 0
    for seed in range(1, 11):
        (found,) = utility.propensity(random_evidence(seed, 4000, sample=400))
        exact = one(utility.propensity(random_evidence(seed, 4000)), "propensity score")
        assert found.interval is not None
        inside += found.interval[0] <= exact <= found.interval[1]
    assert inside >= 8


def test_every_measure_says_what_it_means_on_hard_columns() -> None:
    hard = {
        "constant": [5.0] * 12,
        "huge": [1e300, -1e300] * 6,
        "missing": [None, 1.0, 2.0] * 4,
        "category": ["a", None, "b"] * 4,
        "whole": list(range(12)),
    }
    given = evidence(hard, [i // 3 for i in range(12)], strata=np.zeros(12, dtype=np.int64))
    for measure in (*utility.MEASURES, utility.by_stratum):
        for found in measure(given):
            assert math.isfinite(found.value), found
            assert found.meaning.endswith(".")
            assert found.as_dict()["better"] in ("higher", "lower")


def test_an_offset_costs_a_regression_no_digits() -> None:
    rng = np.random.default_rng(0)
    year = np.arange(300.0)
    income = (3 * year + rng.normal(size=300)).tolist()
    labels = [i // 3 for i in range(300)]
    near, far = (
        utility.regression(evidence({"y": income, "x": (year + base).tolist()}, labels), "y ~ x") for base in (0.0, 1e9)
    )
    assert one(far, "coefficient overlap", "x") == pytest.approx(one(near, "coefficient overlap", "x"), rel=1e-3)
    with pytest.raises(OptionError, match="is not understood"):
        utility.regression(evidence({"x": income}, labels), "x ~ x")
