"""Pieces: where rows go, which are joined, and in which parts they travel. No cluster is needed for that."""

from __future__ import annotations

import numpy as np

from covey.parts.borders import turn
from covey.parts.pieces import cut_cells, line_cuts, numbered_pieces
from covey.parts.splits import split
from covey.parts.ties import LineCuts

SECRET = "5e" * 32
POINTS = np.random.default_rng(1).normal(size=(4000, 2))
SAME = np.zeros(4000, dtype=np.uint64)


def test_cells_are_split_by_themselves() -> None:
    pieces = numbered_pieces(2, {0: split(POINTS, 4000, 600)}, {})
    cell = np.arange(4000) % 3 - 1
    place = pieces.place(cell, POINTS, SAME)
    assert (place[cell == -1] == -1).all()
    assert set(place[cell == 1].tolist()) == {int(pieces.first[1])}
    assert set(place[cell == 0].tolist()) == set(range(int(pieces.first[1])))
    assert all(pieces.cell_of(piece) == 0 for piece in range(int(pieces.first[1])))
    assert sum(pieces.expected(np.array([4000, 70])).values()) <= 4070


def test_pieces_of_a_line_begin_at_their_cuts() -> None:
    pieces = numbered_pieces(1, {0: split(POINTS[:, :1], 4000, 600)}, {})
    cuts = line_cuts(pieces)[0]
    assert len(cuts) == len(pieces.splits[0]) - 1
    line = cut_cells(pieces, {0: LineCuts.between(cuts[:2])})
    place = line.place(np.zeros(4000, dtype=np.int64), POINTS[:, :1], SAME)
    for piece, (low, high) in enumerate([(-np.inf, cuts[0]), (cuts[0], cuts[1]), (cuts[1], np.inf)]):
        inside = POINTS[place == piece, 0]
        assert low <= inside.min()
        assert inside.max() < high


def test_pieces_that_fall_short_are_joined_with_a_neighbour_of_their_cell() -> None:
    cuts = {0: LineCuts.between(np.array([1.0, 2.0, 3.0])), 1: LineCuts.between(np.array([1.0]))}
    pieces = numbered_pieces(2, {}, cuts)
    joined, again = pieces.joined({piece: piece not in (1, 3, 4) for piece in range(6)})
    assert again
    assert joined.into.tolist() == [0, 2, 2, 2, 5, 5]
    alone, again = pieces.joined({3: False, 5: True})
    assert not again
    assert alone.into.tolist() == pieces.into.tolist()


def test_parts_hold_several_small_pieces_in_an_order_of_their_own() -> None:
    pieces = numbered_pieces(40, {}, {})
    rows = dict.fromkeys(range(40), 30)
    packed = pieces.packed(rows, 100, SECRET)
    assert sorted(np.bincount(packed.part).tolist()) == [1] + [3] * 13
    assert (np.diff(packed.part) < 0).any()
    assert packed.part.tolist() == pieces.packed(rows, 100, SECRET).part.tolist()
    assert packed.part.tolist() != pieces.packed(rows, 100, "77" * 32).part.tolist()


def test_turned_axes_lie_between_the_axes() -> None:
    for width in (2, 3, 5):
        axes = turn(np.eye(width))
        assert np.linalg.matrix_rank(axes) == width
        assert (np.count_nonzero(axes, axis=1) == 2).all()


def test_pieces_that_cannot_fall_short_may_be_parts() -> None:
    pieces = numbered_pieces(1, {}, {0: LineCuts.between(np.array([1.0, 2.0, 3.0]))})
    rows = dict.fromkeys(range(4), 90)
    assert sorted(pieces.packed(rows, 100, SECRET, sure=True).part.tolist()) == [0, 1, 2, 3]
    assert sorted(np.bincount(pieces.packed(rows, 100, SECRET).part).tolist()) == [2, 2]
