"""One contract for all methods, on hard data: what a partition in space must be, whatever made it."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import covey
from covey import space
from covey._kernels import line as line_kernels
from covey._kernels import space as kernels
from covey.costs import COSTS
from covey.errors import CoveyError, InputError, OptionError
from covey.line import OptimalLine
from covey.methods import METHODS, ScaleWarning
from tests.space.tables import hard_tables

if TYPE_CHECKING:
    from covey.core.method import Method

# Every method in space, quick enough to run on everything.
IN_SPACE: dict[str, Method] = {
    "auto": space.Auto(),
    "repeated-ordering": space.RepeatedOrdering(starts=4),
    "random-projection": space.RandomProjection(projections=4),
    "search": space.Search(effort=30),
    "exact": space.Exact(time_limit=5.0),
} | {
    name: METHODS[name]()
    for name in METHODS
    if name not in ("optimal-line", "repeated-ordering", "random-projection", "search", "exact", "each-column")
}


def exact_sse(table: np.ndarray, partition: covey.Partition) -> float:
    """The loss in rational arithmetic: shares nothing with the kernels."""
    total = Fraction(0)
    for group in partition.groups():
        for column in table[group].T:
            values = [Fraction(float(x)) for x in column]
            mean = sum(values, Fraction(0)) / len(values)
            total += sum(((x - mean) ** 2 for x in values), Fraction(0))
    try:
        return float(total)
    except OverflowError:
        return math.inf


GROWING = ("vmdav", "cbfs-growing", "kmeans", "nearest-neighbour")  # groups may have 2k records or more


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("name", IN_SPACE)
def test_the_contract(name: str, k: int) -> None:
    method = IN_SPACE[name]
    for kind, table in hard_tables(k).items():
        if name == "exact" and len(table) > 12:
            continue
        solution = method.solve(table, k)
        partition = solution.partition
        where = f"{name}, {kind}"
        assert len(partition.labels) == len(table), where
        assert partition.smallest >= k, where
        if name not in GROWING or len(table) < 2 * k:
            assert partition.sizes.max() < 2 * k, where
        assert method.solve(table, k).partition == partition, where
        assert solution.method is method
        expected = exact_sse(table, partition)
        assert solution.loss == pytest.approx(expected, rel=1e-9, abs=1e-12), where
        assert solution.bound <= solution.loss * (1 + 1e-12), where
        assert 0.0 <= solution.gap <= 1.0, where


@pytest.mark.parametrize("name", IN_SPACE)
def test_an_integer_shift_of_integers_changes_nothing(name: str) -> None:
    table = np.random.default_rng(1).integers(0, 6, size=(24, 3))
    shift = np.array([10**9, -(10**12), 7])
    method = IN_SPACE[name]
    assert method.partition(table, 3) == method.partition(table + shift, 3)
    assert method.solve(table, 3).loss == method.solve(table + shift, 3).loss


@pytest.mark.parametrize("name", IN_SPACE)
def test_k_of_one_leaves_every_record_alone(name: str) -> None:
    solution = IN_SPACE[name].solve(np.arange(12.0).reshape(6, 2), 1)
    assert len(solution.partition) == 6
    assert solution.loss == 0.0
    assert solution.status == "optimal"


@pytest.mark.parametrize("name", IN_SPACE)
def test_one_row_and_bad_input(name: str) -> None:
    method = IN_SPACE[name]
    assert method.partition([[1.0, 2.0]], 1).labels.tolist() == [0]
    with pytest.raises(OptionError, match="k is 3, and there are 2 records"):
        method.partition([[1.0, 2.0], [3.0, 4.0]], 3)
    with pytest.raises(InputError, match="missing values"):
        method.partition([[1.0, float("nan")]] * 6, 2)
    with pytest.raises(InputError, match="infinite"):
        method.partition([[1.0, float("inf")]] * 6, 2)
    with pytest.raises(InputError, match="no columns"):
        method.partition(np.empty((6, 0)), 2)
    with pytest.raises(InputError, match="3 dimensions"):
        method.partition(np.zeros((6, 2, 2)), 2)


KERNELS = {
    "mdav": {"mdav", "mdav_by_tree", "mdav_by_passes", "mdav_by_scan"},
    "vmdav": {"vmdav"},
    "cbfs": {"cbfs"},
    "cbfs-growing": {"cbfs_growing"},
    "npn-mhm": {"nearest_point_next", "cut"},
    "mdav-mhm": {"mdav", "walk_by_centroids", "cut"},
    "cbfs-mhm": {"cbfs", "walk_by_centroids", "cut"},
    "imhm": {"mdav", "assign", "walk_by_centroids", "cut"},
    "pca": {"cut"},
    "zscore": {"cut"},
    "random-projection": {"cut"},
    "tour": {"tour", "cut"},
    "split": {"order_by_halves", "cut"},
    "repeated-ordering": {"repeated_ordering"},
    "kmeans": set(),
    "nearest-neighbour": {"components"},
    "decompose": {"mdav", "decompose"},
    "search": {"good_groups", "Search"},
    "exact": {"good_groups", "Search", "Pricing", "GroupPrices"},  # k = 3; others: matching_duals
    "auto": {"good_groups"},
    "each-column": set(),
}


@pytest.mark.parametrize("name", KERNELS)
def test_a_method_asked_for_by_name_is_that_method(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        msg = "another method was asked"
        raise AssertionError(msg)

    always = {"loss", "matching_bound", "use_baseline"}
    for kernel in set(vars(kernels)) - KERNELS[name] - always:
        if not kernel.startswith("_"):
            monkeypatch.setattr(kernels, kernel, refuse)
    if name != "each-column":
        monkeypatch.setattr(line_kernels, "fastest", refuse)
    table = np.random.default_rng(2).normal(size=(30, 2))
    options: dict[str, Any] = {"repeated-ordering": {"starts": 3}, "search": {"effort": 10}}.get(name, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", space.NotJointlyAnonymousWarning)
        solution = covey.solve(table, 3, method=name, **options)
    assert solution.method.name == name
    assert len(solution.partition.labels) == 30


def test_all_methods_are_covered() -> None:
    assert set(KERNELS) == (set(METHODS) - {"optimal-line"}) | {"auto"}
    assert set(IN_SPACE) == set(KERNELS) - {"each-column"}


@pytest.mark.parametrize("cost", COSTS)
def test_each_column_is_optimal_by_column_and_warns(cost: str) -> None:
    for kind, table in hard_tables(3).items():
        with pytest.warns(space.NotJointlyAnonymousWarning, match="not jointly k-anonymous"):
            partitions = space.EachColumn(cost=cost).partitions(table, 3)
        for column, partition in zip(table.T, partitions, strict=True):
            assert partition == OptimalLine(cost=cost).partition(np.ascontiguousarray(column), 3), kind
    with pytest.warns(space.NotJointlyAnonymousWarning):
        solution = covey.solve(np.random.default_rng(0).normal(size=(30, 4)), 3, method="each-column", cost=cost)
    assert solution.partition.smallest < 3, "what an attacker sees"


def test_costs_other_than_sse_are_refused_by_methods_that_are_defined_for_means() -> None:
    table = np.random.default_rng(3).normal(size=(20, 2))
    assert covey.partition(table, 3, cost="sse") == covey.partition(table, 3)
    for method in set(IN_SPACE) - {"auto", "search"}:
        with pytest.raises(CoveyError, match="has no option 'cost'"):
            covey.partition(table, 3, method=method, cost="sae")


@pytest.mark.parametrize("seed", [None, -1, "a", 1.5, True])
@pytest.mark.parametrize("name", ["search", "kmeans", "random-projection", "repeated-ordering", "exact"])
def test_a_seed_is_a_whole_number(name: str, seed: Any) -> None:
    with pytest.raises(OptionError, match=r"seed is .*; needed: an integer of at least 0"):
        covey.partition(np.eye(6), 2, method=name, seed=seed)


def test_integers_beyond_floats_are_exact_column_by_column() -> None:
    large = 2**53 + 1 + 2 * np.arange(8)
    small = np.arange(8) % 5
    both = pd.DataFrame({"large": large, "small": small * 1e-9})
    near = pd.DataFrame({"large": large - large[0], "small": small * 1e-9})
    for method in ("mdav", "auto"):
        with pytest.warns(ScaleWarning):
            assert covey.solve(both, 2, method=method).loss == covey.solve(near, 2, method=method).loss
    assert covey.partition(np.column_stack([large * 100, small]), 2) == covey.partition(
        np.column_stack([(large - large[0]) * 100, small]), 2
    )
    with pytest.raises(InputError, match="cannot tell apart"):
        covey.partition(np.array([[0, 1], [2**62, 1], [5, 5], [6, 6]]), 2)


def test_one_column_goes_to_the_line() -> None:
    column = np.random.default_rng(4).normal(size=(30, 1))
    solution = covey.solve(column, 3)
    assert solution.status == "optimal"
    assert solution.partition == covey.partition(column[:, 0], 3)
    assert covey.partition(column, 3, cost="maxdist") == covey.partition(column[:, 0], 3, cost="maxdist")
