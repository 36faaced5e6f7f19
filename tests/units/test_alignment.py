"""Members in slots: against all permutations, and what a group of units loses against its definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from covey._kernels import space as kernels
from covey.space.auto import Auto
from covey.units.group import group_units
from covey.units.vectors import UnitVectors
from tests.units import oracle


def starts_of(*blocks: int) -> np.ndarray:
    return np.cumsum([0, *blocks]).astype(np.uint32)


@pytest.mark.parametrize("values", [(0, 1), (0, 1, 2), (0.1, 0.2, 0.3), (1e9, 1e9 + 1)])
def test_every_small_assignment_costs_least(values: tuple[float, ...]) -> None:
    for b in (1, 2, 3):
        for wanted in itertools.product(values, repeat=b):
            units = np.array(list(itertools.product(values, repeat=b)), dtype=np.float64)
            template = np.array([wanted], dtype=np.float64)
            taken = kernels.align(units, template, np.zeros(len(units), np.uint32), starts_of(b), 1).reshape(-1, b)
            assert (np.sort(taken, axis=1) == np.arange(b)).all()
            for unit, places in zip(units, taken.astype(int), strict=True):
                least = oracle.least_alignment([[x] for x in unit], [[x] for x in wanted])
                assert float(((unit[places] - wanted) ** 2).sum()) == pytest.approx(least, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_larger_assignments_cost_least_within_their_blocks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    b, c, width, groups = int(rng.integers(1, 6)), int(rng.integers(1, 3)), int(rng.integers(1, 4)), 3

    def draw(*shape: int) -> np.ndarray:
        return rng.integers(0, 3, shape).astype(np.float64) if seed % 2 else rng.normal(size=shape)

    units, templates = draw(10, (b + c) * width), draw(groups, (b + c) * width)
    group = rng.integers(0, groups, 10).astype(np.uint32)
    taken = kernels.align(units, templates, group, starts_of(b, c), width).reshape(10, b + c).astype(int)
    for unit, slots, places in zip(
        units.reshape(10, -1, width), templates.reshape(groups, -1, width)[group], taken, strict=True
    ):
        assert sorted(places[:b]) == list(range(b))
        assert sorted(places[b:]) == list(range(b, b + c))
        for block in (slice(0, b), slice(b, b + c)):
            least = oracle.least_alignment(unit[block].tolist(), slots[block].tolist())
            assert float(((unit[places[block]] - slots[block]) ** 2).sum()) == pytest.approx(least, rel=1e-9, abs=1e-9)


def vectors_of(
    seed: int, units: int, roles: tuple[int, ...], *, ties: bool = False
) -> tuple[UnitVectors, np.ndarray, np.ndarray]:
    """Units of a composition, in mixed rows, with one column of the unit and two of members; the points and the units of the rows."""
    rng = np.random.default_rng(seed)
    m = len(roles)
    unit, kinds = np.repeat(np.arange(units), m), np.tile(roles, units)
    members = rng.integers(0, 4, (units * m, 2)).astype(float) if ties else rng.normal(size=(units * m, 2))
    points = np.column_stack([np.repeat(rng.normal(size=units), m), members])
    order = rng.permutation(units * m)
    unit, kinds, points = unit[order], kinds[order], points[order]
    is_common = np.array([True, False, False])
    return UnitVectors.of(np.arange(units * m), unit, kinds, points, is_common), points, unit


def loss_of_rows(points: np.ndarray, slot: np.ndarray) -> float:
    """The squared distances of rows to the mean of their slot, one by one."""
    return sum(float(((points[slot == s] - points[slot == s].mean(axis=0)) ** 2).sum()) for s in np.unique(slot))


@pytest.mark.parametrize("roles", [(0,), (0, 0), (0, 1), (0, 0, 0), (0, 0, 1, 1, 1)])
@pytest.mark.parametrize("ties", [False, True])
def test_groups_hold_k_units_and_lose_no_more_than_flattened_ones(roles: tuple[int, ...], *, ties: bool) -> None:
    for seed, k in itertools.product(range(4), (2, 3, 5)):
        vectors, points, unit = vectors_of(seed, 23, roles, ties=ties)
        units, labels = group_units(vectors, k, "auto", {})
        assert np.bincount(labels).min() >= k
        assert sorted(units.rows.ravel().tolist()) == list(range(23 * len(roles)))
        assert all(len(set(unit[rows].tolist())) == 1 for rows in units.rows)  # a member takes a slot of its own unit
        slot = np.empty(len(points), dtype=int)
        slot[units.rows] = labels[:, None] * units.slots + np.arange(units.slots)
        assert units.loss(labels) == pytest.approx(loss_of_rows(points, slot), rel=1e-9)
        flat = Auto().partition(vectors.flattened, k).labels.astype(np.int64)
        of_row = np.empty(len(points), dtype=int)
        of_row[vectors.rows] = flat[:, None]
        assert units.loss(labels) <= loss_of_rows(points, of_row) * (1 + 1e-9)


def test_members_take_slots_of_their_kind_alone() -> None:
    vectors, _, _ = vectors_of(1, 12, (0, 0, 1, 2, 2))
    units, labels = group_units(vectors, 3, "auto", {})
    assert units.starts.tolist() == [0, 2, 3, 5]
    kinds = np.empty(60, dtype=int)
    kinds[vectors.rows] = [0, 0, 1, 2, 2]
    assert (kinds[units.rows] == [0, 0, 1, 2, 2]).all()
    assert np.bincount(labels).min() >= 3


def test_aligning_and_tidying_lose_nothing() -> None:
    for seed in range(5):
        vectors, _, _ = vectors_of(seed, 30, (0, 0, 0, 1))
        labels = np.arange(30) // 3
        aligned = vectors.aligned(labels)
        assert aligned.loss(labels) <= vectors.loss(labels)
        assert aligned.tidied(labels).loss(labels) == pytest.approx(aligned.loss(labels), rel=1e-12)


def test_a_method_asked_for_by_name_is_that_method() -> None:
    vectors, _, _ = vectors_of(3, 40, (0, 0, 1))
    from covey.space import Mdav

    _, labels = group_units(vectors, 3, "mdav", {})
    assert labels.tolist() == Mdav().partition(vectors.values, 3).labels.tolist()


def test_weights_enter_the_means() -> None:
    points, unit = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]]), np.repeat([0, 1, 2], 2)
    weights = np.array([1.0, 1.0, 3.0, 3.0, 1.0, 1.0])
    vectors = UnitVectors.of(np.arange(6), unit, np.zeros(6, int), points, np.array([False]), weights)
    mean = (0 + 30 + 20) / 5
    loss = 2 * ((0 - mean) ** 2 + 3 * (10 - mean) ** 2 + (20 - mean) ** 2)
    assert vectors.loss(np.zeros(3, dtype=np.int64)) == pytest.approx(loss)


def test_members_take_the_slots_that_cost_least() -> None:
    """In the order of their first coordinate, which varies most, those of the last unit would be put beside the wrong ones."""
    first = [(0.0, 11.0), (1.1, 12.1), (2.2, 9.9), (0.0, 12.1), (1.1, 11.0), (12.1, 1.1)]
    points = np.array([(x, other, other, other) for unit in first for x, other in zip(unit, (0.0, 9.0), strict=True)])
    vectors = UnitVectors.of(np.arange(12), np.repeat(np.arange(6), 2), np.zeros(12, int), points, np.zeros(4, bool))
    labels = np.zeros(6, dtype=np.int64)
    stacks = [
        np.stack([points.reshape(6, 2, 4)[unit][list(order)] for unit, order in enumerate(way)])
        for way in itertools.product([(0, 1), (1, 0)], repeat=6)
    ]
    least = min(float(((stack - stack.mean(axis=0)) ** 2).sum()) for stack in stacks)
    assert vectors.loss(labels) > 1.5 * least
    assert vectors.aligned(labels).loss(labels) == pytest.approx(least)


def test_members_in_other_orders_are_further_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The direction in which members vary most says little of who resembles whom: households lose less by other starts, and never more."""
    losses = []
    for turns in (0, 4):
        monkeypatch.setattr("covey.units.group.TURNS", turns)
        several = [vectors_of(seed, 40, (0, 0, 0, 0))[0] for seed in range(6)]
        losses.append([units.loss(labels) for units, labels in (group_units(one, 3, "auto", {}) for one in several)])
    assert all(more <= none for none, more in zip(*losses, strict=True))
    assert sum(losses[1]) < 0.98 * sum(losses[0])


def test_turned_members_stay_of_their_kind() -> None:
    vectors, _, _ = vectors_of(2, 12, (0, 0, 1, 1, 1))
    turned = vectors.turned(np.array([0.3, -1.0]))
    for start, end in ((0, 2), (2, 5)):
        assert (np.sort(turned.rows[:, start:end]) == np.sort(vectors.rows[:, start:end])).all()
        along = turned.of_members.reshape(12, 5, 2)[:, start:end] @ np.array([0.3, -1.0])
        assert (np.diff(along, axis=1) >= 0).all()
