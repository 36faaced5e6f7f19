"""The variants of the paper's section 6, alone and together, and costs of one's own."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.costs import COSTS, SumOfSquares
from covey.errors import InfeasibleError, InputError, OptionError
from covey.line import OptimalLine
from covey.line.searches import SEARCHES
from tests.conftest import EXHAUSTIVE
from tests.line.columns import columns, small_columns
from tests.line.costs_of_our_own import Declared, DiscountByPosition, Prepared
from tests.line.oracle import as_float, best_loss, groups_of, loss_of
from tests.line.test_optimal import is_optimal

OPTIONS: list[dict[str, Any]] = [
    {"group_cost": 0.5},
    {"group_cost": 4.0},
    {"max_groups": 1},
    {"max_groups": 2},
    {"max_groups": 3},
    {"penalty": 0.25},
    {"penalty": 2.0},
    {"max_size": 2},
    {"max_size": 3},
    {"max_size": 4},
    {"max_size": 5},
    {"group_cost": 0.5, "penalty": 0.25},
    {"group_cost": 0.5, "max_size": 4},
    {"group_cost": 0.5, "max_groups": 2},
    {"max_groups": 2, "max_size": 4},
    {"max_groups": 2, "penalty": 0.5},
    {"penalty": 0.25, "max_size": 3},
    {"group_cost": 0.25, "penalty": 0.5, "max_size": 5, "max_groups": 3},
]


def fitting(cost: Any, options: dict[str, Any]) -> list[OptimalLine]:
    methods = []
    for search in ("auto", *SEARCHES):
        try:
            methods.append(OptimalLine(cost=cost, search=search, **options))
        except OptionError:
            continue
    return methods


def check(methods: list[OptimalLine], values: Any, k: int, options: dict[str, Any], *, exactly: bool) -> None:
    cost = getattr(methods[0].cost, "of", methods[0].cost)
    assert isinstance(cost, str)
    best = best_loss(cost, values, k, **options)
    for method in methods:
        if best is None:
            with pytest.raises(InfeasibleError):
                method.partition(values, k)
            continue
        solution = method.solve(values, k)
        charges = {name: value for name, value in options.items() if name in ("group_cost", "penalty")}
        found = loss_of(cost, values, groups_of(solution.partition.labels), k=k, **charges)
        assert found == best if exactly else is_optimal(found, best), (method, values, k)
        assert solution.loss == pytest.approx(as_float(found), rel=1e-13, abs=1e-300)
        assert len(solution.partition) <= options.get("max_groups", len(values))
        assert solution.partition.sizes.max() <= options.get("max_size", len(values))
        assert "penalty" in options or solution.partition.smallest >= k


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("cost", COSTS)
def test_every_small_column(cost: str, options: dict[str, Any]) -> None:
    methods = fitting(cost, options)
    assert len(methods) >= 4
    for values in small_columns(7 if EXHAUSTIVE else 6):
        for k in range(1, len(values) + 1):
            check(methods, values, k, options, exactly=True)


@pytest.mark.parametrize("cost", COSTS)
@settings(max_examples=60)
@given(x=columns(largest=24), data=st.data())
def test_hard_columns(cost: str, x: np.ndarray, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, min(len(x), 8)))
    scale = float(np.ptp(x / 4)) if np.ptp(x / 4) < 1e100 else 1e100
    options: dict[str, Any] = {}
    if data.draw(st.booleans()):
        options["group_cost"] = scale * data.draw(st.sampled_from([0.0, 0.01, 0.5, 3.0]))
    if data.draw(st.booleans()):
        options["penalty"] = scale * data.draw(st.sampled_from([0.01, 0.5])) or 1.0
    if data.draw(st.booleans()):
        options["max_size"] = data.draw(st.integers(k, 2 * k + 2))
    if data.draw(st.booleans()) and x.min() > -1e6 and x.max() < 1e6:
        options["max_groups"] = data.draw(st.integers(1, len(x)))
    check(fitting(cost, options), x.tolist(), k, options, exactly=False)


@pytest.mark.parametrize("cost", COSTS)
def test_at_most_m_groups_of_a_longer_column(cost: str) -> None:
    rng = np.random.default_rng(7)
    x = np.concatenate([rng.normal(size=60), np.floor(rng.random(60) * 9)])
    for m in (1, 2, 5, 11, 20, 29, 30, 40):
        for search in ("auto", "wilber"):
            solution = OptimalLine(cost=cost, search=search, max_groups=m).solve(x, 4)
            assert len(solution.partition) <= m
            best = best_loss(cost, x.tolist(), 4, max_groups=m)
            assert is_optimal(loss_of(cost, x.tolist(), groups_of(solution.partition.labels)), best), m


def test_a_cost_per_group_makes_fewer_groups() -> None:
    x = np.random.default_rng(1).random(500)
    counts = [len(OptimalLine(group_cost=cost).partition(x, 3)) for cost in (0.0, 1e-6, 1e-4, 1e-2, 100.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1


def test_a_penalty_may_leave_groups_below_k() -> None:
    x = [0.0, 0.1, 0.2, 50.0]
    assert OptimalLine(penalty=1.0).partition(x, 3).sizes.tolist() == [3, 1]
    assert OptimalLine(penalty=1e6).partition(x, 3).sizes.tolist() == [4]


@pytest.mark.parametrize("huge", [1e300, 1e305, 1.7e308])
@pytest.mark.parametrize("cost", ["sse", Declared("sse")])
def test_a_huge_charge_does_not_overflow(cost: Any, huge: float) -> None:
    x = np.arange(100.0)
    assert len(OptimalLine(cost=cost, group_cost=huge).partition(x, 2)) == 1
    assert OptimalLine(cost=cost, penalty=huge).partition(x, 2).smallest == 2
    assert len(OptimalLine(cost=cost, group_cost=huge, penalty=huge, max_size=10).partition(x, 3)) == 10


def test_at_most_m_groups_of_values_far_apart() -> None:
    x = [0.0, 1.0, 2.0, 6.0, 7.0, 8.0, 9.0, 1e60, 1e60, 1e60]
    assert OptimalLine(max_groups=4).solve(x, 1).loss == pytest.approx(float(best_loss("sse", x, 1, max_groups=4) or 0))
    with pytest.raises(InputError, match="too many magnitudes for max_groups"):
        OptimalLine(max_groups=4).partition([*x[:7], 1e200, 1e200, 1e200], 1)


def test_the_loss_of_values_far_apart() -> None:
    assert OptimalLine().solve([0.0, 1.0, 2.0, 1e200, 1e200, 1e200], 3).loss == 2.0
    assert OptimalLine().solve([0.0, 1e-170, 1e200, 1e200], 2).loss == 0.0  # beyond the smallest float
    assert OptimalLine(cost="sae").solve([0.0, 1e-300, 1e300, 1e300], 2).loss == 1e-300


# --- Costs of one's own ---


@pytest.mark.parametrize("cost", COSTS)
def test_own_costs_on_small_columns(cost: str) -> None:
    own = Declared(cost)
    for options in ({}, {"group_cost": 0.5}, {"max_groups": 2}, {"penalty": 0.25}, {"max_size": 3}):
        methods = fitting(own, options)
        for values in itertools.islice(small_columns(6), 0, None, 3):
            for k in range(1, len(values) + 1):
                check(methods, values, k, options, exactly=True)


def test_own_costs_of_fewer_properties_go_to_slower_searches() -> None:
    x = np.random.default_rng(0).random(50)
    for splitting, concave in itertools.product((True, False), repeat=2):
        for max_groups in (None, 4):
            own = Declared("sse", splitting_is_beneficial=splitting, concave=concave)
            found = OptimalLine(cost=own, max_groups=max_groups).solve(x, 4).loss
            assert found == pytest.approx(OptimalLine(max_groups=max_groups).solve(x, 4).loss, rel=1e-12)


def test_a_cost_where_splitting_is_not_beneficial() -> None:
    cost = DiscountByPosition(splitting_is_beneficial=False, concave=False)
    x = [1.0, 2.0, 2.0, 5.0, 6.0, 9.0, 9.5]
    solution = OptimalLine(cost=cost).solve(x, 2)
    assert len(solution.partition) == 1
    assert solution.loss == pytest.approx(float(Fraction(2 * (6 + 9 + 9.5)) / 7))


def test_a_prepared_cost() -> None:
    x = np.random.default_rng(3).random(400)
    for search in ("auto", "simple", "wilber", "galil-park"):
        found = OptimalLine(cost=Prepared("sse"), search=search).solve(x, 5)
        assert found.loss == pytest.approx(OptimalLine().solve(x, 5).loss, rel=1e-9)


def test_a_cost_that_is_no_number() -> None:
    class Broken(Declared):
        def loss(self, group: np.ndarray) -> float:
            return float("nan") if len(group) > 3 else 0.0

    with pytest.raises(InputError, match="returned nan for a group of"):
        OptimalLine(cost=Broken("sse")).partition([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3)


def test_losses_may_be_negative() -> None:
    class Cheap(Declared):
        """The part of the SSE that differs between partitions (equation 8): concave, never positive."""

        def loss(self, group: np.ndarray) -> float:
            return float(-(np.sum(group) ** 2) / len(group))

    x = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]
    for m in (1, 2, 3):
        found = OptimalLine(cost=Cheap("sse"), max_groups=m).partition(x, 1)
        assert found == OptimalLine(max_groups=m).partition(x, 1)


def test_a_false_declaration_never_leaves_groups_below_k() -> None:
    class Jagged(Declared):
        """Not concave at all."""

        def loss(self, group: np.ndarray) -> float:
            return float((len(group) * 7919) % 13) * (1.0 + 1e200 * (len(group) % 2))

    x = np.arange(40.0)
    for k in (2, 3, 5, 7):
        for search in ("wilber", "galil-park", "staggered"):
            try:
                partition = OptimalLine(cost=Jagged("sse"), search=search).partition(x, k)
            except OptionError as error:
                assert "not concave as it declares" in str(error)  # noqa: PT017
            else:
                assert partition.smallest >= k


def test_a_subclass_of_a_named_cost_is_a_cost_of_its_own() -> None:
    class Doubled(SumOfSquares):
        def loss(self, group: np.ndarray, /) -> float:
            return 2 * super().loss(group)

    x = [1.0, 2.0, 5.0, 6.0]
    assert OptimalLine(cost=Doubled()).solve(x, 2).loss == 2 * OptimalLine().solve(x, 2).loss


def test_layers_are_not_called_by_another_name() -> None:
    with pytest.raises(OptionError, match="solved in layers by 'classic', not 'simple'"):
        OptimalLine(cost=Declared("sse", concave=False), search="simple", max_groups=3, max_size=9)


def test_errors_of_a_cost_come_through() -> None:
    class Failing(Declared):
        def loss(self, group: np.ndarray) -> float:
            return 1 / (len(group) - len(group))

    with pytest.raises(ZeroDivisionError):
        OptimalLine(cost=Failing("sse")).partition([1.0, 2.0, 3.0, 4.0], 2)


def test_a_prefix_behind_a_wide_gap_does_not_drown_the_others() -> None:
    """Nothing is known of such a cost that would prove a gap to be a cut: the totals themselves must be compared well."""
    rng = np.random.default_rng(4)
    x = np.sort(np.concatenate([rng.random(45) * 1e-7 + far for far in (0.0, 1e9, 2e9, 3e9)]))
    for search in ("classic", "simple"):
        labels = OptimalLine(cost=Declared("roundup"), search=search).partition(x, 15).labels
        best = best_loss("roundup", x.tolist(), 15, most=29)
        assert is_optimal(loss_of("roundup", x.tolist(), groups_of(labels)), best)
