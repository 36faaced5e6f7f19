"""Weights enter the means, never k."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.columns.weights import significant
from covey.errors import InputError, RefusedError
from tests.protect.releases import classes, release, table


def test_weights_enter_the_means_as_repeated_rows() -> None:
    rng = np.random.default_rng(2)
    weight = rng.integers(1, 5, 30)
    given = table(30, weight=weight)
    done = release(given, weight="weight", weights="drop")
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, key in enumerate(zip(done.arrow["age"].to_pylist(), done.arrow["income"].to_pylist(), strict=True)):
        groups.setdefault(key, []).append(i)
    for (_, income), rows in groups.items():
        expanded = np.repeat(given["income"].to_numpy()[rows], weight[rows])
        assert income == round(expanded.mean(), 2)  # as many decimals as the column has


def test_group_weights_keep_weighted_totals() -> None:
    given = table(50, weight=np.random.default_rng(3).gamma(2, 2, 50))
    done = release(given, weight="weight")
    (income,) = [t for t in done.report.totals if t.column == "income"]
    assert income.before == pytest.approx(float((given["income"].to_numpy() * given["weight"].to_numpy()).sum()))
    assert income.after == pytest.approx(income.before)
    assert income.after == pytest.approx(
        float((done.arrow["income"].to_numpy() * done.arrow["weight"].to_numpy()).sum())
    )
    assert min(classes(done, ["age", "income", "weight"]).values()) >= 3


def test_group_weights_have_few_digits() -> None:
    weight = np.random.default_rng(3).gamma(2, 2, 50) * np.repeat([1e-3, 1.0, 1e3, 1e6, 1e9], 10)
    given = table(50, weight=weight)
    published = release(given, weight="weight").arrow["weight"].to_pylist()
    for value in published:
        assert len(decimal.Decimal(repr(value)).normalize().as_tuple().digits) <= 7
    assert sum(published) == pytest.approx(float(weight.sum()), rel=5e-7)


def test_rounding_moves_no_weight_by_more_than_a_part_in_two_million() -> None:
    weights = 10.0 ** np.random.default_rng(0).uniform(-320, 100, 3000)
    with np.errstate(all="raise"):
        rounded = significant(weights)
    assert (rounded > 0).all()
    assert (np.abs(rounded - weights) <= 5.0000001e-7 * weights).all()


def test_k_counts_records_never_weights() -> None:
    given = table(12, weight=[1000.0] * 12)
    assert min(classes(release(given, k=4, weight="weight"), ["age", "income"]).values()) >= 4


def test_published_weights_count_as_known() -> None:
    given = table(50, weight=np.random.default_rng(3).gamma(2, 2, 50))
    with pytest.raises(RefusedError, match="published weights count as known to others; round them"):
        release(given, weight="weight", weights="keep")
    done = release(given, weight="weight", weights="keep", round_weights=1000)
    assert set(done.arrow["weight"].to_pylist()) == {1000.0}
    assert any("rounded to multiples of 1000" in str(note) for note in done.report.notes)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1.0, None, *[1.0] * 10], "the weight 'weight' is missing in 1 records"),
        ([1.0, 0.0, *[1.0] * 10], "the weight 'weight' is not positive, or beyond 1e\\+100, in 1 records"),
        (["a"] * 12, "the weight 'weight' is nominal; needed: numbers"),
    ],
)
def test_bad_weights(weight: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        release(table(12, weight=weight), weight="weight")


def test_integer_weights_that_become_fractions_are_reported() -> None:
    done = release(table(30, weight=np.arange(1, 31)), weight="weight")
    assert done.arrow.schema.field("weight").type == pa.float64()
    assert any("published as double" in str(note) for note in done.report.notes)


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64()])
def test_one_group_s_weights_do_not_touch_another_s(kind: Any) -> None:
    values = pa.array([0, 1, 2, 3, 4, 100, 101, 102, 103, 104]).cast(kind)
    for heavy in (1e12, 1e17):
        given = pa.table({"x": values, "w": [heavy] * 5 + [0.3] * 5})
        for how in ("median", "trimmed-mean", "mean"):
            done = covey.release(
                given, k=5, quasi=["x"], weight="w", weights="drop", aggregates={"x": how}, shuffle=False, method="mdav"
            )
            assert set(done.arrow["x"].to_pylist()) == {2, 102}, how


def test_own_values_of_categories_weights_units_and_trimmed_means() -> None:
    names = pa.table({"name": [f"P{i}" for i in range(30)], "age": list(range(30))})
    with pytest.raises(RefusedError, match=r"of name, [0-9]+ groups? publish"):
        covey.release(names, k=5, quasi=["name", "age"], refuse_own_values=True)
    given = pa.table({"x": [0.0, 1.0, 2.0, 3.0, 100.0, 101.0, 102.0, 103.0], "w": [1.0, 5.0, 1.0, 1.0] * 2})
    common: dict[str, Any] = {"k": 4, "quasi": ["x"], "weight": "w", "weights": "drop", "refuse_own_values": True}
    with pytest.raises(RefusedError, match="of x, 2 groups publish one member"):
        covey.release(given, aggregates={"x": "median"}, **common)
    with pytest.raises(RefusedError, match="of x, [0-9]+ groups? publish"):
        covey.release(
            pa.table({"x": list(range(9))}),
            k=3,
            quasi=["x"],
            aggregates={"x": "trimmed-mean"},
            trim=0.4,
            refuse_own_values=True,
        )
    firms = pa.table({"firm": [f"f{max(0, i - 4)}" for i in range(12)], "x": [1000.0] * 5 + [1.0] * 7})
    with pytest.raises(
        RefusedError, match=r"of x, 1 mean tells the largest amount too closely \(p % rule\) and 1 mean is mostly"
    ):
        covey.release(firms, k=5, quasi=["x"], number=["x"], unit="firm", refuse_own_values=True)


@pytest.mark.parametrize("kind", [pa.decimal128(5, 2), pa.uint8(), pa.int64()])
def test_weights_of_every_type(kind: Any) -> None:
    given = table(20, w=pa.array([decimal.Decimal(3)] * 20).cast(pa.decimal128(5, 2)).cast(kind))
    assert set(release(given, weight="w", weights="keep").arrow["w"].to_pylist()) == {3}
    if kind == pa.uint8():
        with pytest.raises(InputError, match="the weight 'w' is of type uint8, which cannot hold its rounded values"):
            release(given, weight="w", weights="keep", round_weights=300)
    else:
        rounded = release(given, weight="w", weights="keep", round_weights=300)
        assert set(rounded.arrow["w"].to_pylist()) == {300}
        assert rounded.arrow.schema.field("w").type == kind
    assert release(given, weight="w").arrow.schema.field("w").type == pa.float64()
