"""What is published for a group, and whose own value that may be."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import covey
from covey.errors import OptionError, RefusedError
from tests.protect.releases import release, table


def test_one_column_is_grouped_for_its_aggregate() -> None:
    values = [0, 0, 0, 10, 11, 30, 31, 32, 33, 90.0]
    given = pa.table({"income": values})
    for how, cost in (
        ("mean", "rounded"),
        ("median", "sae"),
        ("midrange", "maxdist"),
        ("max", "roundup"),
        ("min", "rounddown"),
    ):
        done = release(given, aggregates={"income": how})
        partition = covey.partition(values, 3, cost=cost)
        expected = {tuple(group) for group in partition.groups()}
        seen: dict[Any, list[int]] = {}
        for i, value in enumerate(done.arrow["income"].to_pylist()):
            seen.setdefault(value, []).append(i)
        assert {tuple(rows) for rows in seen.values()} == expected, how
        # A midrange is rounded after the groups are made, so that others may lose less.
        assert done.report.groups[0].status == ("feasible" if how == "midrange" else "optimal")


def test_own_values_can_be_refused() -> None:
    given = table(9)
    done = release(given, aggregates={"income": "max"})
    assert any("of income, 3 groups publish one member's own value" in str(note) for note in done.report.notes)
    with pytest.raises(RefusedError, match=r"of income, 3 groups publish.*refused as asked"):
        release(given, aggregates={"income": "max"}, refuse_own_values=True)
    rich = table(9).set_column(1, "income", pa.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e6]))
    with pytest.raises(
        RefusedError, match=r"of income, 1 mean tells the largest amount too closely \(p % rule\) and 1 mean is mostly"
    ):
        release(rich, refuse_own_values=True)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (
            {"aggregates": {"ward": "mean"}},
            "the aggregate of 'ward' is 'mean', and the column is nominal; needed: one of mode",
        ),
        ({"aggregates": {"age": "average"}}, "the aggregate of 'age' is 'average'"),
        ({"top": {"ward": "99%"}}, "top coding of 'ward', which is nominal"),
        ({"top": {"age": "199%"}}, "a quantile from 0% to 100%"),
        ({"top": {"age": "many"}}, "a value of type int64, or a quantile"),
        ({"zeros_apart": ["ward"]}, "zeros_apart names 'ward', which is nominal"),
        ({"edits": ["age >= 1"]}, "an edit rule compares with the number 1; needed: 0"),
        ({"edits": ["ward >= 0"]}, "an edit rule speaks of 'ward'; needed: quasi-identifiers that are numbers"),
        ({"edits": ["age = income + age"]}, "differ in type"),
    ],
)
def test_choices_that_do_not_fit_the_column(choices: dict[str, Any], message: str) -> None:
    given = table(12, ward=["x", "y"] * 6)
    with pytest.raises(OptionError, match=message):
        release(given, quasi=["age", "income", "ward"], **choices)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"top": {"income": float("nan")}}, "top coding of 'income' at nan"),
        ({"top": {"age": float("inf")}}, "top coding of 'age' at inf"),
        ({"top": {"age": 1e400}}, "top coding of 'age' at inf"),
        ({"top": {"age": 20}, "bottom": {"age": 80}}, "bottom coding of 'age' lies above its top coding"),
        ({"categories": "frequency"}, "categories is given, and no quasi-identifier is an unordered category"),
        ({"dominance": [1, "x"]}, "the percentage of dominance is 'x'"),
        ({"ordinal": {"age": 5}}, "the order of age is 5"),
        ({"blocks": [5]}, "a block is 5"),
        ({"seed": "x"}, "seed is 'x'; needed: an integer of at least 0"),
    ],
)
def test_more_choices_that_cannot_be(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        release(table(12), **choices)


def test_kept_columns_of_any_size_and_not_a_number() -> None:
    given = table(20, big=pa.array([2**63 + 5, 7] * 10, pa.uint64()), f=[1.0, float("inf"), float("nan"), 2.0, 1.0] * 4)
    done = release(given, keep=["big", "f"], accept=["big", "f"])
    assert sorted(done.arrow["big"].to_pylist()) == sorted(given["big"].to_pylist())
    assert done.arrow["f"].to_pylist().count(float("inf")) == 4
    assert any(
        "'f': 4 values that are not a number are published as missing" in str(note) for note in done.report.notes
    )


def test_a_method_that_knows_only_means_says_so() -> None:
    done = release(table(12), quasi=["age"], drop=["income"], method="mdav", aggregates={"age": "median"})
    assert any("made for means (sse), whatever the aggregates of age" in str(note) for note in done.report.notes)
    best = release(table(12), quasi=["age"], drop=["income"], aggregates={"age": "median"})
    assert not any("made for means" in str(note) for note in best.report.notes)
