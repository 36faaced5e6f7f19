"""What groups publish of hierarchies, and of several categories together, against the definitions."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from covey.columns.aggregation import aggregate_column, aggregates_for
from covey.columns.hierarchy.labels import medoids
from covey.columns.hierarchy.reading import read_hierarchical
from covey.columns.members import members
from covey.columns.own_values import own_values
from covey.columns.values import read_values
from covey.core.partition import Partition
from tests.columns.trees import Chains, random_chains

if TYPE_CHECKING:
    from covey.columns.values import Values

SEEDS = [(seed, inner) for seed in range(8) for inner in (0.0, 0.4)]


def drawn(seed: int, inner: float, gaps: float = 0.0) -> tuple[Chains, list[Any], Any, Partition]:
    chains, draw = random_chains(seed, 7, depth=4, inner=inner), np.random.default_rng(seed)
    texts = draw.choice(chains.values, 24).astype(object)
    texts[draw.random(24) < gaps] = None
    column = read_hierarchical("x", pa.array(texts.tolist(), pa.string()), tuple(map(tuple, chains.of_value.values())))
    return chains, texts.tolist(), column, Partition(draw.integers(0, 5, 24))


def published(column: Values, partition: Partition, how: Any, weights: Any = None) -> list[Any]:
    labels: list[Any] = aggregate_column(column, partition, how, weights=weights).build().to_pylist()
    return labels


@pytest.mark.parametrize(("seed", "inner"), SEEDS)
def test_the_ancestor_is_the_lowest_label_above_all(seed: int, inner: float) -> None:
    chains, texts, column, partition = drawn(seed, inner, gaps=0.2)
    found = published(column, partition, "ancestor")
    for group in partition.groups():
        known = [texts[row] for row in group if texts[row] is not None]
        assert {found[row] for row in group} == {chains.common(known) if known else None}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("seed", "inner"), SEEDS)
def test_the_least_loss_is_the_members_value_that_loses_least(seed: int, inner: float, *, weighted: bool) -> None:
    chains, texts, column, partition = drawn(seed, inner)
    weights = np.random.default_rng(seed).integers(1, 5, 24).astype(float) if weighted else None
    found = published(column, partition, "least-loss", weights)
    heavy = np.ones(24) if weights is None else weights
    for group in partition.groups():
        lost = {label: sum(heavy[row] * chains.loss(texts[row], label) for row in group) for label in chains.values}
        best = min(lost[texts[row]] for row in group)
        assert lost[found[group[0]]] == pytest.approx(best)
        assert len({found[row] for row in group}) == 1
        if not inner:  # no label at all would lose less
            others = (chains.chain(value)[1:] for value in chains.values)
            above = {label for label in itertools.chain(*others) if label != "*"}
            assert all(
                best <= sum(heavy[row] * chains.loss(texts[row], label) for row in group) + 1e-9 for label in above
            )


@pytest.mark.parametrize("units", [False, True])
@pytest.mark.parametrize(("seed", "inner"), SEEDS)
def test_labels_that_would_be_lower_without_one_member_are_own(seed: int, inner: float, *, units: bool) -> None:
    chains, texts, column, partition = drawn(seed, inner, gaps=0.1)
    who = np.random.default_rng(seed).integers(0, 9, 24) if units else None
    owner = np.arange(24) if who is None else who
    inside = members(column, partition)
    released = aggregate_column(column, partition, "ancestor")
    expected = 0
    for group in partition.groups():
        known = [row for row in group if texts[row] is not None]
        if not known:
            continue
        label = chains.common([texts[row] for row in known])
        rests = [[texts[row] for row in known if owner[row] != one] for one in {owner[row] for row in known}]
        expected += any(not rest or chains.common(rest) != label for rest in rests)
    counted = own_values(column, released, inside, "ancestor", units=who)
    assert (counted.own, counted.groups) == (expected, len(inside.group))


# -- several columns together


def mixed(seed: int) -> tuple[list[Values], list[list[Any]], list[Any], Partition]:
    chains, texts, tree, partition = drawn(seed, 0.0)
    draw = np.random.default_rng(seed + 100)
    sex, grade = draw.choice(["f", "m"], 24).tolist(), draw.choice(["low", "middle", "high"], 24).tolist()
    columns = [
        tree,
        read_values("sex", pa.array(sex)),
        read_values("grade", pa.array(grade), order=["low", "middle", "high"]),
    ]
    ranks = {"low": 0, "middle": 1, "high": 2}
    losses = [
        chains.loss,
        lambda one, other: float(one != other),
        lambda one, other: abs(ranks[one] - ranks[other]) / 2,
    ]
    return columns, [texts, sex, grade], losses, partition


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_the_medoid_is_the_members_combination_that_loses_least(seed: int, *, weighted: bool) -> None:
    columns, texts, losses, partition = mixed(seed)
    weights = np.random.default_rng(seed).uniform(0.5, 3, 24) if weighted else None
    importance = (1.0, 2.0, 0.5)
    inside = [
        (column, members(column, partition, weights), one) for column, one in zip(columns, importance, strict=True)
    ]
    rows = medoids(inside, 24)
    heavy = np.ones(24) if weights is None else weights

    def lost(candidate: int, group: Any) -> float:
        return sum(
            float(heavy[row] * one * loss(values[row], values[candidate]))
            for row in group
            for values, loss, one in zip(texts, losses, importance, strict=True)
        )

    for label, group in enumerate(partition.groups()):
        assert partition.labels[rows[label]] == label
        assert lost(int(rows[label]), group) == pytest.approx(min(lost(int(row), group) for row in group))


@pytest.mark.parametrize("seed", range(4))
def test_the_medoid_does_not_depend_on_the_order_of_rows(seed: int) -> None:
    columns, _, _, partition = mixed(seed)
    order = np.random.default_rng(seed).permutation(24)

    def values_of(columns: list[Values], partition: Partition) -> list[Any]:
        rows = medoids([(column, members(column, partition), 1.0) for column in columns], 24)
        return [tuple(int(column.physical[rows[label]]) for column in columns) for label in partition.labels]

    straight = values_of(columns, partition)
    turned = values_of([column.take(order) for column in columns], Partition(partition.labels[order]))
    assert turned == [straight[row] for row in order]


def test_kinds_have_their_labels() -> None:
    assert aggregates_for("hierarchy") == ("ancestor", "least-loss", "mode", "medoid")
    assert aggregates_for("nominal") == ("mode", "medoid")
    assert "medoid" not in aggregates_for("integer")
