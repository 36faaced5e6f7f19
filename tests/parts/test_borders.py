"""The second round: which groups touch a border, where they go on to, and that they hold what is asked when they come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import space as kernels
from covey.columns.purpose import Purpose
from covey.core.partition import Partition
from covey.parts.borders import stretch, turn
from covey.parts.splits import Splits, split
from covey.protect.group import Goal, demand_of_units, losses_of
from covey.protect.improve import improve_cells
from covey.space.comply import failing

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Floats


def nearest_cut(splits: Splits, point: Floats) -> float:
    """By the definition: the least distance to a cut that parts the point from others, from the root down."""
    node, near = 0, np.inf
    while splits.low[node] >= 0:
        axis, at = int(splits.axis[node]), float(splits.at[node])
        near = min(near, abs(point[axis] - at))
        node = int(splits.low[node]) + (point[axis] >= at)
    return float(near)


@pytest.mark.parametrize("columns", [1, 2, 5])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_how_far_a_point_is_from_the_border_of_its_piece(columns: int, offset: float) -> None:
    points = np.random.default_rng(columns).normal(size=(2000, columns)).round(1) + offset
    splits = split(points, rows=2000, most=300)
    assert len(splits) > 4
    assert splits.clearance(points).tolist() == [nearest_cut(splits, point) for point in points]


def test_a_point_across_the_nearest_cut_is_in_another_piece() -> None:
    points = np.random.default_rng(0).normal(size=(2000, 2))
    splits = split(points, rows=2000, most=300)
    numbers = np.zeros(len(points), dtype=np.uint64)
    piece, near = splits.assign(points, numbers), splits.clearance(points)
    moved = np.zeros(len(points), dtype=bool)
    for axis in (0, 1):
        for sign in (-1.0, 1.0):
            other = points.copy()
            other[:, axis] += sign * (near * 1.000001 + 1e-12)
            moved |= splits.assign(other, numbers) != piece
            other[:, axis] = points[:, axis] + sign * near * 0.999999
            assert (splits.assign(other, numbers) == piece).all()
    assert moved.all()


def test_no_cut_is_infinitely_far() -> None:
    assert np.isinf(split(np.zeros((10, 2)), rows=10, most=300).clearance(np.zeros((3, 2)))).all()


@pytest.mark.parametrize("columns", [2, 3, 4, 7])
@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_turned_border_is_no_nearer_than_it_seems(columns: int, times: int) -> None:
    """A point across a border along a turned axis is at least so far away as the clearance there, over the longest axis."""
    rng = np.random.default_rng(columns)
    points = rng.normal(size=(3000, columns))
    splits = split(turn(points, times), rows=3000, most=300)
    numbers = np.zeros(len(points), dtype=np.uint64)
    piece = splits.assign(turn(points, times), numbers)
    near = splits.clearance(turn(points, times)) / stretch(columns, times)
    step = rng.normal(size=points.shape)
    axes = turn(np.eye(columns), times).T  # the worst that there are
    step[: len(axes)] = axes
    step *= (near * 0.999999 / np.linalg.norm(step, axis=1))[:, None]
    assert (splits.assign(turn(points + step, times), numbers) == piece).all()
    assert stretch(columns, times) == pytest.approx(np.linalg.norm(axes, axis=1).max())


def test_groups_that_are_not_searched_stay() -> None:
    rng = np.random.default_rng(2)
    points, cells = rng.normal(size=(60, 2)), np.zeros(60, dtype=np.int64)
    start = rng.permutation(np.repeat(np.arange(20), 3))
    searched = start < 10
    partition, _ = improve_cells(
        points, cells, start, 3, None, None, Goal(Purpose(("sse", "sse")), None, None), searched
    )
    groups = {frozenset(group.tolist()) for group in partition.groups()}
    assert {frozenset(np.flatnonzero(start == label).tolist()) for label in range(10, 20)} <= groups
    whole, before = losses_of(points, partition), losses_of(points, Partition(start))
    assert whole[searched].sum() < 0.7 * before[searched].sum()


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.sampled_from([2, 3, 5]),
    with_units=st.booleans(),
    ties=st.booleans(),
    weighted=st.booleans(),
)
def test_improved_groups_hold_what_they_held_at_no_more_loss(
    *, seed: int, k: int, with_units: bool, ties: bool, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6 * k, 150))
    points = rng.normal(size=(n, 2))
    points = points.round(0) if ties else points
    cells = (np.arange(n) >= n // 3).astype(np.int64) * 7
    units = rng.integers(0, n, n) if with_units else None
    start = _whole_groups(cells, units, k)
    weights = rng.uniform(0.5, 2.0, n) if weighted and not with_units else None
    goal = Goal(Purpose(("sse", "sse"), weighs=weights is not None), None, weights)
    partition, whole = improve_cells(points, cells, start, k, units, None, goal)
    assert (whole is None) == (units is None)
    for group in partition.groups():
        assert len(set(cells[group].tolist())) == 1
        assert len(group if units is None else set(units[group].tolist())) >= k
    if weights is None:
        assert losses_of(points, partition).sum() <= losses_of(points, Partition(start)).sum() * (1 + 1e-9)


def _whole_groups(cells: Codes, units: Codes | None, k: int) -> Codes:
    """Groups of k records or units, as they come."""
    labels, used = np.empty(len(cells), dtype=np.int64), 0
    for cell in np.unique(cells):
        rows, inside = np.flatnonzero(cells == cell), []
        groups: list[list[int]] = [[]]
        for row in rows.tolist():
            groups[-1].append(row)
            inside.append(row if units is None else int(units[row]))
            if len(set(inside)) >= k:
                groups.append([])
                inside = []
        last = groups.pop()
        groups[-1] += last
        for group in groups:
            labels[group] = used
            used += 1
    return labels


def test_units_are_held_by_a_demand_for_them() -> None:
    unit = np.array([0, 0, 1, 1, 2, 2])
    assert failing(np.array([0, 0, 0, 1, 1, 1]), demand_of_units(unit, 2)) == 0.0
    assert failing(np.array([0, 0, 1, 1, 1, 1]), demand_of_units(unit, 2)) == 0.5
    assert isinstance(demand_of_units(unit, 2), kernels.Demand)
