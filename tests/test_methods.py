"""The door: names, method objects, options, and where a column goes."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import covey
from covey.errors import CoveyError, InfeasibleError, OptionError
from covey.line import OptimalLine
from covey.methods import ScaleWarning

if TYPE_CHECKING:
    from collections.abc import Callable

X = [4.0, 1.0, 3.0, 2.0, 10.0, 12.0]


def test_a_column_goes_to_the_line() -> None:
    solution = covey.solve(X, 2)
    assert solution.method == OptimalLine()
    assert solution.status == "optimal"
    assert solution.bound == solution.loss
    assert solution.gap == 0.0
    assert covey.partition(X, 2) == solution.partition == OptimalLine().partition(X, 2)


def test_by_name_and_by_object() -> None:
    by_name = covey.solve(X, 2, method="optimal-line", cost="sae", search="wilber")
    assert by_name.method == OptimalLine(cost="sae", search="wilber")
    assert covey.solve(X, 2, method=OptimalLine(cost="sae", search="wilber")) == by_name
    assert covey.solve(X, 2, max_groups=1).method == OptimalLine(max_groups=1)


@pytest.mark.parametrize("name", ["mdva", "", 3, None, OptimalLine])
def test_unknown_method_lists_the_known_ones(name: object) -> None:
    with pytest.raises(OptionError, match="known: auto, optimal-line"):
        covey.partition(X, 2, method=name)  # type: ignore[arg-type]


def test_an_option_that_the_method_does_not_have() -> None:
    with pytest.raises(OptionError, match="'optimal-line' has no option 'gamma'; it has: cost, search, group_cost"):
        covey.partition(X, 2, gamma=0.5)
    with pytest.raises(OptionError, match="no option 'seed'"):
        covey.partition(X, 2, seed=0)
    with pytest.raises(OptionError, match="no option '_cost'"):
        covey.partition(X, 2, _cost="sse")


@pytest.mark.parametrize("options", [{"cost": "sse"}, {"seed": 0}, {"search": "auto"}, {"cost": "sae", "seed": 1}])
def test_options_beside_a_method_object(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="beside a method object"):
        covey.partition(X, 2, method=OptimalLine(), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost": "sess"}, "there is no cost 'sess'; known: sse, sae, maxdist, roundup, rounddown"),
        ({"cost": 3}, "int is not a cost: it lacks loss, representative"),
        ({"cost": list}, "an instance of it"),
        ({"search": "fast"}, "there is no search 'fast'; known: auto, classic, simple,"),
        ({"search": None}, "there is no search None"),
        ({"group_cost": -1}, "group_cost is -1; needed: a finite number of at least 0"),
        ({"group_cost": float("nan")}, "group_cost is nan"),
        ({"group_cost": "much"}, "group_cost is 'much'"),
        ({"penalty": -0.5}, "penalty is -0.5"),
        ({"penalty": float("inf")}, "penalty is inf; needed: a finite number"),
        ({"penalty": 0}, "penalty is 0, which would let every record stay alone"),
        ({"group_cost": 10**400}, "group_cost is a int"),
        ({"group_cost": [123456.75]}, "group_cost is a list"),
        ({"max_groups": 0}, "max_groups is 0; needed: at least 1"),
        ({"max_groups": 2.5}, "max_groups is 2.5; needed: an integer"),
        ({"max_size": True}, "max_size is True; needed: an integer"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        covey.partition(X, 2, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("k", "message"),
    [
        (0, "k is 0; needed: at least 1"),
        (-3, "k is -3; needed: at least 1"),
        (7, "k is 7, and there are 6 records"),
        (10**30, "and there are 6 records"),
        (2.0, "k is 2.0; needed: an integer"),
        ("2", "k is '2'; needed: an integer"),
        (None, "k is None; needed: an integer"),
        (True, "k is True; needed: an integer"),
        (np.bool_(True), "needed: an integer"),
        (np.array([2, 3]), "k is a ndarray; needed: an integer"),
        ([123456.75] * 3, "k is a list; needed: an integer"),
    ],
)
def test_bad_k(k: object, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        covey.partition(X, k)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_numpy_integers_are_integers() -> None:
    assert covey.partition(X, np.int8(2)) == covey.partition(X, 2)


def test_what_cannot_be_met_says_why() -> None:
    seven = np.arange(7.0)
    with pytest.raises(InfeasibleError, match="7 records cannot be cut into groups of 3 to 3: 2 groups hold at most 6"):
        covey.partition(seven, 3, max_size=3)
    with pytest.raises(InfeasibleError, match="max_size = 2 is below k = 3"):
        covey.partition(seven, 3, max_size=2)
    with pytest.raises(InfeasibleError, match="need 3 groups, and max_groups = 2"):
        covey.partition(seven, 2, max_size=3, max_groups=2)


def test_every_error_is_a_covey_error() -> None:
    calls: list[Callable[[], object]] = [
        lambda: covey.partition([], 1),
        lambda: covey.partition(X, 0),
        lambda: covey.partition(X, 4, max_size=4),
    ]
    for call in calls:
        with pytest.raises(CoveyError):
            call()
        with pytest.raises(ValueError, match=r"needed|raise"):
            call()


def test_method_objects_are_values() -> None:
    assert OptimalLine(cost="sae") == OptimalLine(cost="sae")
    assert hash(OptimalLine(cost="sae")) == hash(OptimalLine(cost="sae"))
    assert OptimalLine(cost="sae") != OptimalLine()
    assert repr(OptimalLine(cost="sae", max_size=9)) == "OptimalLine(cost='sae', max_size=9)"
    method = OptimalLine(cost="sae", search="wilber")
    assert pickle.loads(pickle.dumps(method)) == method  # noqa: S301
    solution = method.solve(X, 2)
    assert pickle.loads(pickle.dumps(solution)) == solution  # noqa: S301
    with pytest.raises(AttributeError):
        OptimalLine().cost = "sae"  # type: ignore[misc]


def test_columns_on_far_scales_are_warned_of_and_a_scale_makes_them_comparable() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"age": rng.integers(18, 90, 60), "charge": rng.lognormal(7, 1, 60)})
    with pytest.warns(ScaleWarning, match="give scale='zscore'") as told:
        covey.solve(table, 3)
    assert len(told) == 1
    assert told[0].filename == __file__
    array = table.to_numpy(dtype=float)
    by_hand = (array - array.min(axis=0)) / array.std(axis=0)
    assert covey.partition(table, 3, scale="zscore") == covey.partition(by_hand, 3)
    ranges = (array - array.min(axis=0)) / np.ptp(array, axis=0)
    assert covey.partition(table, 3, scale="range") == covey.partition(ranges, 3)
    covey.solve(array, 3)  # an array is taken as it is
    covey.solve(table[["age"]], 3)
    covey.solve(pd.DataFrame(by_hand), 3)
    covey.solve(table.assign(charge=5.0), 3)  # a constant has no scale
    assert covey.solve(table.assign(charge=5.0), 3, scale="zscore").partition.smallest >= 3


@pytest.mark.parametrize(
    ("columns", "scale", "what"), [(2, "rank", "scale is 'rank'; needed: zscore or range"), (1, "zscore", "one column")]
)
def test_scales_that_cannot_be(columns: int, scale: Any, what: str) -> None:
    with pytest.raises(OptionError, match=what):
        covey.solve(np.arange(20.0).reshape(-1, columns), 2, scale=scale)
