"""Groups that are made again around records that come and go: what is kept of them is what the definition says."""

from __future__ import annotations

import numpy as np
import pytest

from covey.core.partition import Partition
from covey.space.regroup import NEAR, Regrouped, squares
from tests.space.oracle import sse

K = 4


def groups_of_two_cells() -> tuple[Regrouped, np.ndarray]:
    points = np.random.default_rng(3).normal(size=(130, 3))
    cell = (np.arange(130) >= 90).astype(np.int64)
    return Regrouped(points, cell, K, np.array([0, 1])), cell


def check(groups: Regrouped, cell: np.ndarray) -> None:
    """Losses, members, gains and sizes follow from the labels."""
    inside = groups.label >= 0
    for one in (0, 1):
        rows = np.flatnonzero(inside & (cell == one))
        labels = Partition(groups.label[rows]).labels.astype(np.int64)
        assert groups.losses(2)[one] == pytest.approx(squares(groups.points[rows], labels).sum())
    assert np.all(groups.gain[~inside] == 0.0)
    rows_of, points = groups.members, groups.points.tolist()
    for group in np.unique(groups.label[inside]).tolist():
        members = rows_of[group]
        assert groups.alive[group]
        assert len(members) >= K
        assert len(np.unique(cell[members])) == 1
        assert sorted(members.tolist()) == np.flatnonzero(groups.label == group).tolist()
        alone, others = sse(points, [members.tolist()]), sse(points, [members[1:].tolist()])
        assert groups.gain[members[0]] == pytest.approx(alone - others)


def test_records_go_and_come_back() -> None:
    groups, cell = groups_of_two_cells()
    check(groups, cell)
    for rows in ([5], [0, 1, 2], [100]):
        before, labels = groups.losses(2), Partition(groups.label)
        change = groups.without(np.array(rows), int(cell[rows[0]]))
        back = groups.make(change)
        assert np.all(groups.label[rows] == -1)
        assert before.sum() - groups.losses(2).sum() == pytest.approx(change.saved)
        assert not groups.still(change)
        groups.take_back(back)
        assert Partition(groups.label) == labels
        assert groups.still(change)
        check(groups, cell)
        assert groups.losses(2) == pytest.approx(before)
        groups.make(groups.without(np.array(rows), int(cell[rows[0]])))
        check(groups, cell)
    for rows in ([5], [0, 1, 2], [100]):
        change = groups.with_more(np.array(rows), int(cell[rows[0]]))
        assert len(change.old) <= NEAR
        groups.make(change)
    check(groups, cell)
    assert np.all(groups.label >= 0)


def test_a_group_goes() -> None:
    groups, cell = groups_of_two_cells()
    group, before = int(groups.label[7]), groups.losses(2).sum()
    loss = float(groups.loss[group])
    gone = groups.make(groups.without_group(group))
    assert groups.losses(2).sum() == pytest.approx(before - loss)
    check(groups, cell)
    groups.take_back(gone)
    assert groups.losses(2).sum() == pytest.approx(before)
    check(groups, cell)


def test_changes_are_taken_back_from_the_last_to_the_first() -> None:
    """One after another around the same place, so that each takes groups that the one before it made."""
    groups, cell = groups_of_two_cells()
    labels, before = groups.label.copy(), groups.losses(2)
    near = np.argsort(((groups.points[:90] - groups.points[5]) ** 2).sum(axis=1))[:4]
    several = [groups.make(groups.without(np.array([row]), 0)) for row in near]
    for made in reversed(several):
        groups.take_back(made)
    assert np.array_equal(groups.label, labels)
    assert groups.losses(2) == pytest.approx(before)
    check(groups, cell)


def test_more_changes_than_there_was_room_for() -> None:
    groups, cell = groups_of_two_cells()
    for _ in range(150):
        groups.take_back(groups.make(groups.without(np.array([5]), 0)))
    assert len(groups.members) > 1100
    check(groups, cell)
