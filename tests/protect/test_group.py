"""Groups of k units, and cells that are grouped one by one."""

from __future__ import annotations

import numpy as np
import pytest

from covey.protect.group import group_cells


def ignore(_what: str) -> None:
    """No progress is shown."""


def units_of(labels: np.ndarray, units: np.ndarray) -> list[int]:
    return [len(set(units[labels == group].tolist())) for group in np.unique(labels)]


@pytest.mark.parametrize("method", ["mdav", "auto", "pca"])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_every_group_holds_k_units(method: str, k: int) -> None:
    rng = np.random.default_rng(k)
    units = np.repeat(np.arange(20), 6)
    together = np.repeat(rng.normal(size=(20, 2)), 6, axis=0)  # rows of a unit are alike
    apart = rng.normal(size=(120, 2))  # rows of a unit have nothing in common
    close = together + 0.01 * rng.normal(size=(120, 2))
    for points in (together, apart, close):
        found = group_cells(points, np.zeros(120, dtype=np.int64), k, units, method, {}, ignore)
        assert min(units_of(found.partition.labels, units)) >= k
        if points is apart:  # keeping units whole would lose nearly everything
            assert found.units is not None
            assert found.units == (0, 1)
            assert str(found.units.note) == "k counts units; in 0 of 1 cells all rows of a unit share a group"
            assert found.loss_percent < 60


def test_units_in_several_cells_are_counted_in_each() -> None:
    rng = np.random.default_rng(0)
    units, cells = np.repeat(np.arange(15), 4), np.tile([0, 0, 1, 1], 15)
    found = group_cells(rng.normal(size=(60, 2)), cells, 4, units, "mdav", {}, ignore)
    labels = found.partition.labels
    assert min(units_of(labels, units)) >= 4
    assert all(len(set(cells[labels == group].tolist())) == 1 for group in np.unique(labels))


def test_cells_are_grouped_as_if_they_were_alone() -> None:
    rng = np.random.default_rng(1)
    points, cells = rng.normal(size=(80, 2)), rng.integers(0, 3, 80)
    found = group_cells(points, cells, 3, None, "mdav", {}, ignore).partition
    for cell in range(3):
        alone = group_cells(
            points[cells == cell], np.zeros(int((cells == cell).sum()), dtype=np.int64), 3, None, "mdav", {}, ignore
        )
        inside = found.labels[cells == cell]
        assert len(np.unique(inside)) == len(alone.partition)
        assert np.array_equal(
            inside[:, None] == inside[None], alone.partition.labels[:, None] == alone.partition.labels[None]
        )
