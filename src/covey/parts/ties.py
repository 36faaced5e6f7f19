"""Cuts of a line between values, and inside a value that fills several pieces by itself.

**Lemma** (cuts inside equal values are free). Let a value stand at the positions a to b-1 of a sorted column. Any positions
c_1 < c_2 < ... with a + 3k-2 <= c_1, c_{i+1} - c_i >= k and c_last <= b - (3k-2) are cuts of one optimal partition.

*Proof.* An optimal partition has groups of k to 2k-1 neighbours (`covey.line.stream`). The group that holds position a-1 ends at some
p <= a + 2k-2, the group that holds position b begins at some q >= b - (2k-2). What lies between p and q are groups of equal records.
Every cost of a line charges such records the same, each the least that it can cost, however many are together. So they can be grouped
anew at no cost: cut at c_1, c_2, ..., since k records are left from p to c_1, between two cuts, and from the last of them to q. The cuts of
several values change disjoint stretches, and so do anchors (`covey.line.anchor`), each in a range without these values: all hold at once.
Where records of one value weigh different amounts the lemma says nothing: such a column is cut between values alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.utils.typing import Codes, Flags, Floats, Numbers


@dataclass(frozen=True, eq=False)
class LineCuts:
    """Where the pieces of a line begin: at the values `at`, ascending, or inside them.

    The records of `at[i]` are dealt out to `deals[i]` shares, which lie on the line one behind the other: the first ends the piece before
    it, the last begins the piece behind it. With `deals[i]` 1 a piece begins with all of them.
    """

    at: Floats
    deals: Codes

    @classmethod
    def between(cls, at: Floats) -> LineCuts:
        """Cuts between values alone."""
        return cls(at, np.ones(len(at), dtype=np.int64))

    def __len__(self) -> int:
        """The number of pieces."""
        return 1 + int(self._begun.sum())

    def behind(self, value: float) -> int:
        """The piece that begins at a value, or holds what lies right behind it."""
        return int(self._begun[self.at <= value].sum())

    @property
    def _begun(self) -> Codes:
        """How many pieces begin at each value."""
        return np.maximum(1, self.deals - 1)

    def assign(self, place: Floats, numbers: Numbers) -> Codes:
        """The piece of every record. `numbers` deal out records of the same value."""
        before = np.concatenate([[0], np.cumsum(self._begun)])
        behind = np.searchsorted(self.at, place, side="right")
        piece = before[behind]
        tied, at = self._tied(place, behind)
        piece[tied] = before[at] + share_of(numbers[tied], self.deals[at])
        return piece

    def _tied(self, place: Floats, behind: Codes) -> tuple[Codes, Codes]:
        """The records whose value is dealt out, and at which of the values they lie."""
        at = behind - 1
        tied = np.flatnonzero(
            (at >= 0) & (np.append(self.at, np.nan)[at] == place) & (np.append(self.deals, 0)[at] > 1)
        )
        return tied, at[tied]

    def shares(self, place: Floats, numbers: Numbers) -> tuple[Flags, Codes]:
        """Which records lie at values that are dealt out, and their shares, numbered over all these values."""
        tied, at = self._tied(place, np.searchsorted(self.at, place, side="right"))
        inside = np.zeros(len(place), dtype=np.bool_)
        inside[tied] = True
        return inside, self._first_share[at] + share_of(numbers[tied], self.deals[at])

    @property
    def all_shares(self) -> int:
        """The number of shares of all values that are dealt out."""
        return int(self.deals[self.deals > 1].sum())

    @property
    def _first_share(self) -> Codes:
        dealt = np.where(self.deals > 1, self.deals, 0)
        return np.cumsum(dealt) - dealt

    def kept(self, sizes: Sequence[int], k: int) -> LineCuts:
        """Without the cuts inside values whose shares are smaller than the lemma asks for: their records stay together."""
        good = np.ones(len(self.at), dtype=np.bool_)
        for place, (first, deals) in enumerate(zip(self._first_share.tolist(), self.deals.tolist(), strict=True)):
            if deals > 1:
                shares = sizes[first : first + deals]
                good[place] = min(shares) >= k and min(shares[0], shares[-1]) >= 3 * k - 2
        return LineCuts(self.at[good], self.deals[good])


def tied_cuts(values: Floats, rows: int, most: int) -> LineCuts:
    """The values of a sample of `rows` records that fill at least two pieces of `most`, and into how many shares they are dealt.

    >>> cuts = tied_cuts(np.repeat([18.0, 19.0, 20.0], [50, 500, 450]), rows=10_000, most=1000)
    >>> cuts.at.tolist(), cuts.deals.tolist()
    ([19.0, 20.0], [5, 4])
    """
    at, counts = np.unique(values, return_counts=True)
    deals = (counts * (rows / max(1, len(values))) / most).astype(np.int64)
    return LineCuts(at[deals > 1], deals[deals > 1])


def with_values(cuts: LineCuts, at: Floats) -> LineCuts:
    """The cuts with others between values."""
    more = LineCuts.between(at[~np.isin(at, cuts.at)])
    every, deals = np.append(cuts.at, more.at), np.append(cuts.deals, more.deals)
    order = np.argsort(every)
    return LineCuts(every[order], deals[order])


def share_of(numbers: Numbers, deals: Codes) -> Codes:
    """To which share records are dealt."""
    return (numbers % deals.astype(np.uint64)).astype(np.int64)


def numbered_apart(numbers: Numbers, last: tuple[int, int], salt: int) -> tuple[Numbers, tuple[int, int]]:
    """Numbers that tell equal rows apart, given in an order in which those stand together; the first of them keeps its own.

    `last` is the number of the row before, and how many of its like came. Rows that are equal may change places: so the numbers of a
    table are the same however its rows came, if what is equal comes together.

    >>> apart, last = numbered_apart(np.array([7, 7, 9], dtype=np.uint64), (0, 0), salt=1)
    >>> (apart == [7, 7, 9]).tolist(), last
    ([True, False, True], (9, 1))
    """
    if len(numbers) == 0:
        return numbers, last
    first = np.flatnonzero(np.append([True], numbers[1:] != numbers[:-1]))
    run = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(numbers))))
    before = np.arange(len(numbers)) - first[run]
    if int(numbers[0]) == last[0]:
        before[run == 0] += last[1]
    apart = numbers ^ np.where(before > 0, mixed(before.astype(np.uint64), salt), np.uint64(0))
    return apart, (int(numbers[-1]), int(before[-1]) + 1)
