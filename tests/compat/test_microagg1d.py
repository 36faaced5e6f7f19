"""The same call and the same numbering as the PyPI package microagg1d; right where that one is wrong."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from covey.compat.microagg1d import univariate_microaggregation
from covey.costs import COSTS
from covey.errors import CoveyError
from tests.line.columns import KINDS, hard_column
from tests.line.oracle import best_loss, groups_of, loss_of


def test_signature() -> None:
    parameters = inspect.signature(univariate_microaggregation).parameters
    assert list(parameters) == ["x", "k", "method", "stable", "cost"]
    assert [parameters[name].default for name in ("method", "stable", "cost")] == ["auto", 1, "sse"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "far apart"])
@pytest.mark.parametrize("method", ["auto", "simple", "wilber", "galil_park", "staggered"])
def test_clusters_are_numbered_by_increasing_value(method: str, kind: str) -> None:
    x = hard_column(kind, 200, np.random.default_rng(1))
    for cost in COSTS:
        labels = univariate_microaggregation(x, 7, method=method, cost=cost)
        assert labels.shape == x.shape
        order = np.lexsort((labels, x))
        assert (np.diff(labels[order]) >= 0).all()
        assert set(labels.tolist()) == set(range(labels.max() + 1))


def test_where_the_original_is_wrong() -> None:
    for x, k in (([0, 3, 4, 4, 4, 7, 7, 9, 10, 10], 3), ([1, 10, 2, 11], 2)):
        for stable in (0, 1, 2, 3):
            labels = univariate_microaggregation(x, k, stable=stable)
            assert loss_of("sse", x, groups_of(labels)) == best_loss("sse", x, k)
    with pytest.raises(CoveyError, match="missing"):
        univariate_microaggregation([1.0, float("nan"), 2.0], 1)


def test_what_it_squeezes() -> None:
    assert univariate_microaggregation([[1.0], [2.0], [9.0]], 1).tolist() == [0, 1, 2]
    assert univariate_microaggregation([[1.0]], 1).tolist() == [0]


@pytest.mark.parametrize("arguments", [{"method": "galil-park"}, {"stable": 4}, {"cost": "x"}, {"k": 0}, {"k": 5}])
def test_bad_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(CoveyError):
        univariate_microaggregation([1.0, 2.0], **({"k": 1} | arguments))  # type: ignore[arg-type]
