"""The estimator keeps scikit-learn's contract."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import SkipTestWarning
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import covey
from covey.errors import OptionError
from covey.sklearn import Microaggregator
from covey.space import EachColumn, Mdav, NotJointlyAnonymousWarning

NOT_PROMISED = dict.fromkeys(
    ("check_transformer_general", "check_transformer_data_not_an_array"),
    "fit_transform gives each record the values of its own group, transform those of the nearest: a record may lie nearer to the "
    "mean of another group, since its own must have k records",
)
"""What `check_estimator` asks and no grouping into at least k can do: that both return the same."""


@pytest.mark.parametrize(
    "estimator", [Microaggregator(), Microaggregator(k=2, method="mdav"), Microaggregator(method=Mdav())]
)
def test_it_passes_the_checks_of_scikit_learn(estimator: Microaggregator) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        results = check_estimator(estimator, expected_failed_checks=NOT_PROMISED, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped", "xfail")] == []
    assert {r["check_name"] for r in results if r["status"] == "xfail"} <= set(NOT_PROMISED)
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}, "only the check that scikit-learn itself switches off by default"


def test_other_records_get_the_values_of_the_nearest_group() -> None:
    table = np.random.default_rng(0).normal(size=(60, 2))
    other = np.random.default_rng(1).normal(size=(500, 2))
    for estimator in (Microaggregator(k=4), Microaggregator(k=4, method="mdav", cost=None)):
        released = estimator.fit_transform(table)
        groups = np.unique(released, axis=0)
        nearest = groups[((other[:, None] - groups[None]) ** 2).sum(axis=2).argmin(axis=1)]
        np.testing.assert_array_equal(estimator.transform(other), nearest)
        assert len(estimator.group_values_) == len(estimator.partition_)


def test_of_each_column_by_itself_the_nearest_value_is_taken() -> None:
    table, other = np.random.default_rng(0).normal(size=(2, 40, 2))
    with pytest.warns(NotJointlyAnonymousWarning):
        estimator = Microaggregator(k=4, method=EachColumn()).fit(table)
    given = estimator.transform(other)
    for column in range(2):
        known = np.asarray(estimator.group_values_[column])
        best = np.abs(other[:, column, None] - known[None]).min(axis=1)
        np.testing.assert_allclose(np.abs(given[:, column] - other[:, column]), best)
    with pytest.warns(NotJointlyAnonymousWarning):
        alone = Microaggregator(k=40, method=EachColumn()).fit(table)
    assert len(np.unique(alone.transform(other), axis=0)) == 1


def test_a_model_behind_it_is_trained_on_released_records_and_predicts_for_new_ones() -> None:
    rng = np.random.default_rng(0)
    train, new = rng.normal(size=(200, 3)), rng.normal(size=(50, 3))
    target = train @ [1.0, 2.0, 0.0]
    pipeline = make_pipeline(StandardScaler(), Microaggregator(k=5), LinearRegression()).fit(train, target)
    released = Microaggregator(k=5).fit_transform(pipeline[0].transform(train))
    assert np.unique(released, axis=0, return_counts=True)[1].min() >= 5
    np.testing.assert_allclose(pipeline[-1].coef_, LinearRegression().fit(released, target).coef_)
    assert pipeline.predict(new).shape == (50,)
    both = ColumnTransformer([("grouped", Microaggregator(k=5), [0, 1])], remainder="passthrough")
    assert both.fit_transform(train).shape == (200, 3)
    np.testing.assert_array_equal(both.transform(new)[:, 2], new[:, 2])


def test_pickled_it_holds_values_of_groups_and_no_training_row() -> None:
    table = np.random.default_rng(0).normal(size=(60, 3)) + 7.25
    estimator = Microaggregator(k=4)
    released = estimator.fit_transform(table)
    text = pickle.dumps(estimator)
    again = pickle.loads(text)  # noqa: S301
    assert not {"partition_", "labels_", "loss_"} & set(vars(again))
    arrays = [np.asarray(value) for value in vars(again).values() if isinstance(value, np.ndarray)]
    assert sum(array.size for array in arrays) == again.group_values_.size == len(estimator.partition_) * 3
    assert not any(row.tobytes() in text for row in table)
    assert not np.isin(table, again.group_values_).any()
    assert {tuple(row) for row in again.group_values_} == {tuple(row) for row in released}
    np.testing.assert_array_equal(again.transform(table), estimator.transform(table))


def test_records_get_the_means_of_their_groups() -> None:
    table = np.random.default_rng(0).normal(size=(50, 3)) + 1e9
    estimator = Microaggregator(k=4)
    released = estimator.fit_transform(table)
    assert estimator.partition_ == covey.partition(table, 4)
    assert np.array_equal(estimator.fit_predict(table), estimator.partition_.labels)
    for group in estimator.partition_.groups():
        assert len(group) >= 4
        np.testing.assert_allclose(released[group], np.tile(table[group].mean(axis=0), (len(group), 1)), rtol=1e-15)


def test_frames_stay_frames() -> None:
    columns = {"a": np.arange(8.0), "b": np.arange(8.0)[::-1]}
    pandas = (
        Microaggregator(k=2).set_output(transform="pandas").fit_transform(pd.DataFrame(columns, index=list("abcdefgh")))
    )
    assert isinstance(pandas, pd.DataFrame)
    assert list(pandas.columns) == ["a", "b"]
    assert list(pandas.index) == list("abcdefgh")
    polars = Microaggregator(k=2).set_output(transform="polars").fit_transform(pl.DataFrame(columns))
    assert isinstance(polars, pl.DataFrame)
    assert polars.columns == ["a", "b"]


def test_options_reach_the_method() -> None:
    table = np.random.default_rng(1).normal(size=(60, 2))
    estimator = Microaggregator(k=3, method="search", seed=5, options={"effort": 20})
    assert clone(estimator).fit(table).partition_ == covey.partition(table, 3, method="search", seed=5, effort=20)
    with pytest.raises(OptionError, match="has no option 'gamma'"):
        Microaggregator(method="mdav", options={"gamma": 1.0}).fit(table)


def test_one_column_with_a_cost() -> None:
    table = np.array([[1.0], [2.0], [6.0], [7.0], [9.0]])
    released = Microaggregator(k=2, cost="roundup").fit_transform(table)
    assert released[:, 0].tolist() == [2.0, 2.0, 9.0, 9.0, 9.0]
    assert np.array_equal(released, Microaggregator(k=2, method="optimal-line", cost="roundup").fit_transform(table))
    with pytest.raises(OptionError, match="k is '3'"):
        Microaggregator(k="3").fit(table)  # type: ignore[arg-type]


def test_values_near_the_end_of_the_floats() -> None:
    released = Microaggregator(k=2).fit_transform(np.array([[1.7e308], [-1.7e308]]))
    assert released.tolist() == [[0.0], [0.0]]


def test_each_column_by_itself_warns_and_rounds_column_by_column() -> None:
    table = np.array([[1.0, 9.0], [2.0, 1.0], [6.0, 8.0], [7.0, 2.0]])
    with pytest.warns(NotJointlyAnonymousWarning):
        released = Microaggregator(k=2, method=EachColumn()).fit_transform(table)
    assert released.tolist() == [[1.5, 8.5], [1.5, 1.5], [6.5, 8.5], [6.5, 1.5]]


def test_in_a_pipeline() -> None:
    table = np.random.default_rng(2).normal(size=(40, 2)) * [1.0, 1000.0]
    released = make_pipeline(StandardScaler(), Microaggregator(k=5)).fit_transform(table)
    assert np.unique(released, axis=0, return_counts=True)[1].min() >= 5
