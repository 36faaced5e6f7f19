"""One column on a line, larger than memory: rows in order by ranges, groups from the stream, exactly."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from itertools import tee
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.columns.coordinates import NumberPlace, floats_above, scaled_by
from covey.columns.purpose import grid_units
from covey.line.streaming import stream
from covey.utils import randomness
from covey.utils.arrow import Table, pa
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from covey.files.spool import Spool
    from covey.parts.plan import Plan
    from covey.protect.prepare import Prepared
    from covey.utils.typing import Codes, Floats, Numbers


def line_keys(plan: Plan, ready: Prepared) -> Floats:
    """Where the records lie on the line, in units in which whole numbers are exact and nothing overflows."""
    (column,) = ready.columns.values()
    place = plan.scaler.places[0]
    if not isinstance(place, NumberPlace):
        raise TypeError(place)
    if plan.purpose.name == "rounded":
        return grid_units(column, place)
    line, values = place.line, floats_above(column, place.low)
    if line.size == 0.0:
        keys, missing = np.zeros(len(values)), line.missing
    elif line.known is None:
        keys, missing = scaled_by(values, -line.power), line.middle + line.missing * line.size
    else:
        keys, missing = line.placed(values), line.missing * line.size
    return keys if column.valid.all() else np.where(column.valid, keys, missing)


@dataclass(frozen=True, eq=False)
class Ranges:
    """Buckets of rows in order of cell, key and row number, by the first row of each but the first."""

    cell: Codes
    key: Floats
    row: NDArray[Any]

    @classmethod
    def of_sample(cls, cell: Codes, key: Floats, row: NDArray[Any], buckets: int) -> Ranges:
        """Buckets that hold about as many rows each, from a sample."""
        order = np.lexsort((row, key, cell))
        at = order[(np.arange(1, buckets) * len(order)) // buckets] if len(order) else order
        return cls(cell[at], key[at], row[at])

    def __len__(self) -> int:
        return len(self.cell) + 1

    def assign(self, cell: Codes, key: Floats, row: NDArray[Any]) -> Codes:
        """The bucket of every row; `row` numbers it, and tells equal keys apart."""
        bucket = np.zeros(len(cell), dtype=np.int64)
        alone = len(cell) == 0 or cell.min() == cell.max()
        for number in cell[:1].tolist() if alone else np.unique(cell).tolist():
            inside = slice(None) if alone else np.flatnonzero(cell == number)
            first, last = np.searchsorted(self.cell, [number, number + 1])
            bounds, rows = self.key[first:last], self.row[first:last]
            mine = key[inside]
            places = np.searchsorted(bounds, mine, side="right")
            tied = np.flatnonzero(mine == np.append(bounds, np.nan)[places - 1])
            for stop in np.unique(places[tied]).tolist():
                some = tied[places[tied] == stop]
                start = int(np.searchsorted(bounds, bounds[stop - 1]))
                places[some] = start + np.searchsorted(rows[start:stop], row[inside][some], side="right")
            bucket[inside] = first + places
        return bucket


def mixed_order(keys: Floats, secret: int) -> Codes:
    """The order of keys, equal ones in an order that only the secret tells: a fast sort, and another one of those that are equal.

    >>> mixed_order(np.array([2.0, 1.0, 3.0]), 5).tolist()
    [1, 0, 2]
    """
    order = np.argsort(keys)
    inside = keys[order]
    same = np.append(inside[1:] == inside[:-1], [False])
    same[1:] |= same[:-1]
    tied = np.flatnonzero(same)
    rows = order[tied]
    order[tied] = rows[np.lexsort((_mixed(rows, secret), inside[tied]))]
    return order


def _mixed(rows: Codes, secret: int) -> Numbers:
    return mixed(rows.astype(np.uint64) ^ np.uint64(secret))


class Sorted(NamedTuple):
    """The rows of a bucket in order."""

    table: Table
    cell: Codes
    key: Floats
    weight: Floats
    """In what groups are made for; nothing where rows do not weigh differently."""


class SortedBuckets:
    """Buckets sorted as they are needed; a few stay in memory, the others are sorted again when they are needed again."""

    def __init__(self, plan: Plan, spool: Spool, buckets: int, most: int = 2) -> None:
        self.plan, self.spool, self.buckets, self.most = plan, spool, buckets, most
        self._ready: OrderedDict[int, Sorted] = OrderedDict()

    def get(self, bucket: int) -> Sorted:
        """A bucket, sorted."""
        if bucket not in self._ready:
            while len(self._ready) >= self.most:
                self._ready.popitem(last=False)
            self._ready[bucket] = self._sorted(self.spool.read(bucket), bucket)
        self._ready.move_to_end(bucket)
        return self._ready[bucket]

    def _sorted(self, table: Table, bucket: int) -> Sorted:
        if table is None:
            return Sorted(None, np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
        ready = self.plan.located(table)
        keys = line_keys(self.plan, ready)
        cell = self.plan.cells_of(ready, table.num_rows)[1]
        secret = randomness.number(str(self.plan.recipe.entropy), f"bucket {bucket}")
        if cell.min() == cell.max():
            order = mixed_order(keys, secret)
        else:
            order = np.lexsort((_mixed(np.arange(len(keys)), secret), keys, cell))
        rows = table.take(pa.array(order)).combine_chunks()
        weights = self.plan.weights(rows)
        return Sorted(rows, cell[order], keys[order], np.zeros(0) if weights is None else weights)

    def free(self, bucket: int) -> None:
        """The bucket is not needed any more."""
        self._ready.pop(bucket, None)
        self.spool.free(bucket)


class Window(NamedTuple):
    """Rows of whole groups or of whole cells; `labels` are groups, or None where the cells are still to be grouped."""

    table: Table
    labels: Codes | None


def line_windows(plan: Plan, buckets: SortedBuckets, rows: int, step: Callable[[float], Any]) -> Iterator[Window]:
    """All rows, in windows of about that many: optimal groups of the cells that lie in several buckets, other cells whole."""
    sizes = plan.settled_cells.sizes()
    place, start = 0, 0
    while place < buckets.buckets:
        here = buckets.get(place)
        if start >= len(here.cell):
            buckets.free(place)
            place, start = place + 1, 0
            step(place / buckets.buckets)
            continue
        stop = _whole_until(here.cell, start, sizes)
        if stop > start:
            yield from _whole_cells(here, start, stop, rows)
            start = stop
            continue
        cell = int(here.cell[start])
        across = _Across(plan, buckets, cell, place, start, int(sizes[cell]), step)
        yield from across.windows(rows)
        place, start = across.place, across.start


def _whole_cells(here: Sorted, start: int, stop: int, rows: int) -> Iterator[Window]:
    """Windows of whole cells, of about that many rows."""
    ends = [*(start + 1 + np.flatnonzero(np.diff(here.cell[start:stop]))).tolist(), stop]
    for end in ends:
        if end - start >= rows or end == stop:
            yield Window(here.table.slice(start, end - start), None)
            start = end


def _whole_until(cells: Codes, start: int, sizes: Codes) -> int:
    """Where the first cell from `start` on that does not lie in this bucket as a whole begins."""
    left = cells[start:]
    found, first, counts = np.unique(left, return_index=True, return_counts=True)
    torn = np.flatnonzero(counts < sizes[found])
    return start + (int(first[torn[0]]) if len(torn) else len(left))


class _Across:
    """A cell that lies in several buckets: its keys go through the stream, its rows come out as their groups are decided."""

    def __init__(
        self,
        plan: Plan,
        buckets: SortedBuckets,
        cell: int,
        place: int,
        start: int,
        size: int,
        step: Callable[[float], Any],
    ) -> None:
        self.plan, self.buckets, self.cell, self.size, self.step = plan, buckets, cell, size, step
        self.place, self.start = place, start
        self.pending: deque[tuple[int, int, int]] = deque()
        self.taken = 0

    def windows(self, rows: int) -> Iterator[Window]:
        """Windows of whole groups."""
        done, ends = 0, []
        for some in self._ends():
            ends.append(some)
            if int(some[-1]) - done >= rows:
                yield self._window(np.concatenate(ends), done)
                done, ends = int(some[-1]), []
        if ends:
            yield self._window(np.concatenate(ends), done)

    def _ends(self) -> Iterator[NDArray[np.int64]]:
        k, cost = self.plan.recipe.k, self.plan.purpose.name
        if not self.plan.purpose.weighs:
            return stream((here.key[start:stop].copy() for here, start, stop in self._runs()), k, cost)
        keys, weights = tee(self._runs())  # which are taken by turns
        blocks = (here.key[start:stop].copy() for here, start, stop in keys)
        return stream(blocks, k, cost, weights=(here.weight[start:stop] for here, start, stop in weights))

    def _runs(self) -> Iterator[tuple[Sorted, int, int]]:
        """Where the cell lies, bucket by bucket; what was read is remembered until its groups are decided."""
        seen = 0
        while seen < self.size:
            here = self.buckets.get(self.place)
            stop = self.start + int(np.searchsorted(here.cell[self.start :], self.cell, side="right"))
            if stop > self.start:
                self.pending.append((self.place, self.start, stop))
                seen += stop - self.start
                yield here, self.start, stop
            if seen < self.size:
                self.place, self.start = self.place + 1, 0
                self.step(self.place / self.buckets.buckets)
            else:
                self.start = stop

    def _window(self, ends: Codes, done: int) -> Window:
        wanted, tables = int(ends[-1]) - done, []
        while wanted:
            bucket, start, stop = self.pending.popleft()
            some = min(wanted, stop - start)
            tables.append(self.buckets.get(bucket).table.slice(start, some))
            wanted -= some
            if some < stop - start:
                self.pending.appendleft((bucket, start + some, stop))
            elif bucket < self.place:
                self.buckets.free(bucket)
        labels = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=done))
        return Window(pa.concat_tables(tables).combine_chunks(), labels)
