"""Released values against plain definitions in rational arithmetic, with and without weights."""

from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.columns.aggregation import Aggregate, aggregate_column, aggregates_for
from covey.columns.members import members
from covey.columns.own_values import own_values
from covey.columns.values import Values, read_values
from covey.core.partition import Partition

HOW: tuple[Aggregate, ...] = ("mean", "median", "midrange", "min", "max", "mode", "trimmed-mean")


def definition(values: list[Any], how: Aggregate, overall: Counter[Any], trim: float = 0.1) -> Fraction:
    """What one group of numbers is published as, before rounding."""
    exact = sorted(Fraction(value) for value in values)
    if how == "mean":
        return sum(exact, Fraction(0)) / len(exact)
    if how == "median":
        return Fraction(statistics.median(exact))
    if how == "midrange":
        return (exact[0] + exact[-1]) / 2
    if how in ("min", "max"):
        return exact[0] if how == "min" else exact[-1]
    if how == "mode":
        count = Counter(values)
        return Fraction(min(count, key=lambda value: (-count[value], -overall[value], value)))
    cut = Fraction(trim) * len(exact)
    total = weight = Fraction(0)
    for place, value in enumerate(exact):
        left = max(Fraction(0), min(Fraction(place + 1), len(exact) - cut) - max(Fraction(place), cut))
        total, weight = total + left * value, weight + left
    return total / weight


def labels_and(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[tuple[int, Any]]]:
    return st.lists(st.tuples(st.integers(0, 3), values), min_size=1, max_size=40)


@pytest.mark.parametrize("how", HOW)
@given(records=labels_and(st.integers(-(10**6), 10**6) | st.integers(2**60, 2**60 + 9) | st.integers(0, 3)))
def test_integers(how: Aggregate, records: list[tuple[int, int]]) -> None:
    partition = Partition([label for label, _ in records])
    values = [value for _, value in records]
    column = read_values("x", pa.array(values, pa.int64()))
    found = aggregate_column(column, partition, how).physical.tolist()
    for group in partition.groups():
        exact = definition([values[i] for i in group], how, Counter(values))
        if how == "trimmed-mean":
            assert abs(found[group[0]] - exact) <= Fraction(1, 2) + abs(exact) * Fraction(1, 10**12) + Fraction(
                1, 10**6
            )
        else:
            assert {found[i] for i in group} == {round(exact)}  # Python rounds halves to even


@pytest.mark.parametrize("how", HOW)
@given(
    records=labels_and(st.floats(-1e300, 1e300) | st.sampled_from([0.0, -0.0, 5e-324, 1.7e308, -1.7e308, 1e9 + 0.1]))
)
def test_floats(how: Aggregate, records: list[tuple[int, float]]) -> None:
    partition = Partition([label for label, _ in records])
    values = [value for _, value in records]
    found = aggregate_column(read_values("x", pa.array(values)), partition, how).physical.tolist()
    for group in partition.groups():
        inside = [values[i] + 0.0 for i in group]
        exact = definition(inside, how, Counter(value + 0.0 for value in values))
        size = max(abs(Fraction(value)) for value in inside)
        assert len({found[i] for i in group}) == 1
        assert abs(Fraction(found[group[0]]) - exact) <= size * Fraction(1, 10**14) + Fraction(5e-324) * 2
        assert min(inside) <= found[group[0]] <= max(inside)


@pytest.mark.parametrize("how", ["mean", "median", "trimmed-mean", "mode", "min", "max", "midrange"])
@given(records=st.lists(st.tuples(st.integers(0, 2), st.integers(-50, 50), st.integers(1, 5)), min_size=1, max_size=25))
def test_weights_count_as_repeated_records(how: Aggregate, records: list[tuple[int, int, int]]) -> None:
    labels, values, weights = (list(part) for part in zip(*records, strict=True))
    repeated = [(label, value) for label, value, weight in records for _ in range(weight)]
    for kind in (pa.int64(), pa.float64()):
        weighted = aggregate_column(
            read_values("x", pa.array(values, kind)), Partition(labels), how, weights=np.array(weights, dtype=float)
        )
        expanded = aggregate_column(
            read_values("x", pa.array([v for _, v in repeated], kind)), Partition([label for label, _ in repeated]), how
        )
        by_label = dict(zip([label for label, _ in repeated], expanded.physical.tolist(), strict=True))
        assert weighted.physical.tolist() == pytest.approx([by_label[label] for label in labels])


def test_ordered_categories_take_the_lower_median() -> None:
    column = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 2, 0, 2]), pa.array(["low", "mid", "high"]), ordered=True
    )
    found = aggregate_column(read_values("x", column), Partition([0, 0, 0, 0, 1, 1]), "median").build().to_pylist()
    assert found == ["mid"] * 4 + ["low"] * 2


def test_ties_of_the_mode_go_to_the_more_frequent_overall_then_to_the_first() -> None:
    column = read_values("x", pa.array(["b", "a", "c", "a", "c", "c", "z", "y"]))
    found = aggregate_column(column, Partition([0, 0, 1, 1, 2, 2, 3, 3]), "mode").build().to_pylist()
    assert found == ["a", "a", "c", "c", "c", "c", "y", "y"]


def test_missing_values_do_not_enter_and_get_the_group_s_value() -> None:
    column = read_values("x", pa.array([1.0, None, 4.0, None, None]))
    assert aggregate_column(column, Partition([0, 0, 0, 1, 1]), "mean").build().to_pylist() == [
        2.5,
        2.5,
        2.5,
        None,
        None,
    ]


def test_huge_spreads_are_averaged_exactly() -> None:
    values = [-(2**62), 2**62, 2**62 - 1, 5]
    column = read_values("x", pa.array(values, pa.int64()))
    assert aggregate_column(column, Partition([0, 0, 0, 0]), "mean").physical[0] == round(Fraction(sum(values), 4))


def test_which_aggregates_a_kind_has() -> None:
    assert aggregates_for("nominal") == ("mode", "medoid")
    assert aggregates_for("ordinal")[0] == "median"
    assert aggregates_for("time")[0] == "mean"


def own(values: list[float | None], how: Aggregate, labels: list[int] | None = None, **rules: Any) -> tuple[int, ...]:
    column: Values = read_values("x", pa.array(values))
    partition = Partition(labels or [0] * len(values))
    found = own_values(column, aggregate_column(column, partition, how), members(column, partition), how, **rules)
    has_value = {group for group, value in zip(partition.labels.tolist(), values, strict=True) if value is not None}
    assert found.groups == len(has_value)
    return found.own, found.p_percent, found.dominated


def test_own_values_are_counted() -> None:
    assert own([1.0, 2.0, 3.0], "median") == (1, 0, 0)  # the middle one's own
    assert own([1.0, 2.0, 3.0, 4.0], "median") == (0, 0, 0)
    assert own([1.0, 2.0, 2.0, 2.0, 3.0], "median") == (0, 0, 0)  # shared by three
    assert own([1.0, 2.0, 3.0], "max") == (1, 0, 0)
    assert own([3.0, 3.0, 1.0], "max") == (0, 0, 0)
    assert own([3.0, None, None], "mean") == (1, 1, 1)  # only one has a value
    assert own([1.0, 2.0, 3.0, 1.0, 1.0, 2.0], "min", [0, 0, 0, 1, 1, 1]) == (1, 0, 0)


def test_the_p_percent_and_dominance_rules() -> None:
    # 100, 20, 9: the second largest knows 129 - 20 = 109 for 100: within 9 %.
    assert own([100.0, 20.0, 9.0], "mean")[1:] == (1, 0)
    assert own([100.0, 20.0, 11.0], "mean")[1:] == (0, 0)
    assert own([100.0, 10.0, 10.0], "mean")[2] == 1  # 83 % of the total
    assert own([100.0, 15.0, 15.0], "mean")[2] == 0
    assert own([0.0, 0.0, 0.0], "mean") == (0, 0, 0)
    assert own([-100.0, -10.0, -10.0], "mean")[2] == 1  # without their sign


def test_weights_and_units_count_in_the_rules() -> None:
    assert own([10.0, 10.0, 10.0], "mean") == (0, 0, 0)
    assert own([10.0, 10.0, 10.0], "mean", weights=np.array([1000.0, 1.0, 1.0])) == (0, 1, 1)
    assert own([10.0, 10.0, 10.0, 10.0], "mean", units=np.array([0, 0, 0, 1])) == (0, 1, 0)
    assert own([1.0, 2.0, 3.0], "trimmed-mean", trim=0.4) == (1, 0, 0)
    assert own([1.0, 2.0, 3.0], "trimmed-mean", trim=0.1) == (0, 0, 0)
