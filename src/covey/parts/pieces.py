"""Which piece of the table a record belongs to: pieces are grouped each by itself, and several small ones make a part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.parts.splits import Splits, split
from covey.utils import randomness

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from covey.parts.plan import Plan
    from covey.parts.ties import LineCuts
    from covey.utils.arrow import Table
    from covey.utils.typing import Codes, Floats, Numbers, Points


@dataclass(frozen=True, eq=False)
class Pieces:
    """For every cell how it is split: by a tree (space), or at cuts (a line). Numbered cell after cell from `first` on.

    `into` says which piece each has become part of, since they were merged; `part` in which part each is sent.
    """

    splits: Mapping[int, Splits]
    cuts: Mapping[int, LineCuts]
    first: Codes
    into: Codes
    part: Codes

    @property
    def deal(self) -> bool:
        """Whether records that are the same point are dealt out to several pieces, so that their numbers matter."""
        return any(cuts.all_shares for cuts in self.cuts.values()) or any(
            bool((splits.deals > 1).any()) for splits in self.splits.values()
        )

    def assign(self, plan: Plan, table: Table, numbers: Numbers) -> Codes:
        """The piece of every row; -1 for those that are not published."""
        ready = plan.located(table)
        _, cell = plan.cells_of(ready, table.num_rows)
        return self.place(cell, plan.points(ready.columns), numbers)

    def place(self, cell: Codes, points: Floats, numbers: Numbers) -> Codes:
        """The piece of every point of a cell; `numbers` deal out points that are the same."""
        piece = np.full(len(cell), -1, dtype=np.int64)
        for number in np.unique(cell[cell >= 0]).tolist():
            rows = np.flatnonzero(cell == number)
            inside = np.zeros(len(rows), dtype=np.int64)
            if number in self.cuts:
                inside = self.cuts[number].assign(points[rows, 0], numbers[rows])
            elif number in self.splits:
                inside = self.splits[number].assign(points[rows], numbers[rows])
            piece[rows] = self.into[self.first[number] + inside]
        return piece

    def clearance(self, cell: Codes, points: Points) -> Floats:
        """How far every point of a cell is from the nearest border of its piece; infinite where its cell has one piece."""
        near = np.full(len(cell), np.inf)
        for number, splits in self.splits.items():
            rows = np.flatnonzero(cell == number)
            near[rows] = splits.clearance(points[rows])
        return near

    def expected(self, sizes: Codes) -> dict[int, int]:
        """About how many rows each piece has, by the sample; the sizes of the cells are known."""
        rows: dict[int, int] = {}
        for number, size in enumerate(sizes.tolist()):
            shares = self.splits[number].share if number in self.splits else np.ones(1)
            for at, share in enumerate(shares):
                piece = int(self.into[self.first[number] + at])
                rows[piece] = rows.get(piece, 0) + int(share * size)
        return rows

    def cell_of(self, piece: int) -> int:
        """The cell in which a piece lies."""
        return int(np.searchsorted(self.first, piece, side="right")) - 1

    def joined(self, holds: Mapping[int, bool]) -> tuple[Pieces, bool]:
        """Pieces that fall short become part of the next one of their cell, the last of the one before it; whether any did."""
        into, again = self.into.copy(), False
        left = sorted(holds)
        for piece in sorted(holds):
            if holds[piece] or piece not in left:
                continue
            at, cell = left.index(piece), self.cell_of(piece)
            near = [one for one in (*left[at + 1 : at + 2], *left[max(0, at - 1) : at]) if self.cell_of(one) == cell]
            if near:
                into[into == piece] = near[0]
                left.remove(piece)
                again = True
        return replace(self, into=into), again

    def packed(self, rows: Mapping[int, int], most: int, secret: str, *, sure: bool = False) -> Pieces:
        """Pieces dealt out to parts of about `most` rows, numbered in an order that only the secret tells.

        A part holds neighbouring pieces, and at least two of a cell that has several: those that fall short can join them. Where it is
        `sure` that none does, a piece may be a part.
        """
        part = np.full(len(self.into), -1, dtype=np.int64)
        used, number, filled = sorted(rows), 0, 0
        for at, piece in enumerate(used):
            cell = self.cell_of(piece)
            begun = not sure and at > 0 and self.cell_of(used[at - 1]) == cell
            alone = begun and (at == 1 or part[used[at - 2]] != number or self.cell_of(used[at - 2]) != cell)
            last = begun and (at + 1 == len(used) or self.cell_of(used[at + 1]) != cell)
            if filled and filled + rows[piece] > most and not alone and not last:
                number, filled = number + 1, 0
            part[piece] = number
            filled += rows[piece]
        order = np.argsort(randomness.uniform(secret, "parts", number + 1))
        part[used] = np.argsort(order)[part[used]]
        return replace(self, part=part)


def split_cells(
    plan: Plan, sample: Table, most: int, turn: Callable[[Floats], Floats] = lambda points: points
) -> Pieces:
    """Pieces of about `most` rows, or half as many, by splits of a sample; of its points as they are, or turned."""
    sizes = plan.settled_cells.sizes()
    ready = plan.located(sample)
    _, cell = plan.cells_of(ready, sample.num_rows)
    points = turn(plan.points(ready.columns))
    k = plan.recipe.k
    splits = {one: split(points[cell == one], int(size), most, k) for one, size in enumerate(sizes) if size > most}
    return numbered_pieces(len(sizes), splits, {})


def cut_cells(pieces: Pieces, cuts: Mapping[int, LineCuts]) -> Pieces:
    """Pieces of a line: each cell is cut there."""
    return numbered_pieces(len(pieces.first), {}, cuts)


def line_cuts(pieces: Pieces) -> dict[int, Floats]:
    """The values at which the cells of a line are split."""
    return {one: np.unique(splits.at[splits.low >= 0]) for one, splits in pieces.splits.items()}


def numbered_pieces(cells: int, splits: Mapping[int, Splits], cuts: Mapping[int, LineCuts]) -> Pieces:
    """The pieces of so many cells: several of those that are split or cut, one of the others."""
    several = [len(splits[one]) if one in splits else len(cuts[one]) if one in cuts else 1 for one in range(cells)]
    total = int(sum(several))
    first = np.concatenate([[0], np.cumsum(several)[:-1]]).astype(np.int64)
    return Pieces(splits, cuts, first, np.arange(total), np.zeros(total, dtype=np.int64))
