"""The estimator keeps scikit-learn's contract."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import covey
from covey.errors import OptionError
from covey.sklearn import Microaggregator
from covey.space import EachColumn, Mdav, NotJointlyAnonymousWarning


@pytest.mark.parametrize(
    "estimator", [Microaggregator(), Microaggregator(k=2, method="mdav"), Microaggregator(method=Mdav())]
)
def test_it_passes_the_checks_of_scikit_learn(estimator: Microaggregator) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        results = check_estimator(estimator)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}, "only the check that scikit-learn itself switches off by default"


def test_there_is_no_transform() -> None:
    assert not hasattr(Microaggregator(), "transform")
    with pytest.raises(AttributeError):
        Microaggregator().fit(np.eye(6)).transform(np.eye(6))


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
