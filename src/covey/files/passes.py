"""The passes over a table on disk: survey, cells, rows by bucket, parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.units import unit_numbers
from covey.errors import InputError
from covey.files.across import PIECE, Across
from covey.files.leaving import LeavingOnDisk, row_numbers
from covey.files.source import BATCH, Source
from covey.files.spool import Spool
from covey.files.threads import ahead
from covey.files.units import UnitsOnDisk
from covey.parts.borders import turned_pieces
from covey.parts.kinds import KindCount
from covey.parts.line import Ranges, SortedBuckets, line_keys, line_windows
from covey.parts.make_plan import make_plan
from covey.parts.part import Part, release_part
from covey.parts.pieces import Pieces, split_cells
from covey.parts.plan import (
    Plan,
    add_sums,
    close_to,
    count_published,
    judge_of,
    needs_kinds,
    needs_points,
    needs_published,
    point_sums,
    with_cells,
)
from covey.parts.survey import ROW, SAMPLE, Survey, asked_surveys
from covey.utils.arrow import Table, pa
from covey.utils.hashing import mixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from covey.files.budget import Budget
    from covey.files.spool import Ordered
    from covey.parts.leaving.others import Before
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes, Flags, Floats, Numbers

LEAST_SORTED, MOST_BUCKETS = 250_000, 256
"""Small buckets are sorted faster; many take long to write to."""
ALONE = 50_000
"""Rows of a part from which on a search uses all cores by itself."""
MOST_IN_A_PIECE = 100_000
"""Records that a method other than `split` and `auto` groups together: more take long and lose little less."""


class Making:
    """A release of a table on disk, part by part. Rows wait on disk in files without a name."""

    def __init__(
        self,
        source: Source,
        recipe: Recipe,
        budget: Budget,
        folder: Path | None,
        step: Callable[[str], Any],
        drawn: int,
        before: Before | None = None,
    ) -> None:
        self.source, self.recipe, self.budget, self.folder, self.step = source, recipe, budget, folder, step
        self.before, self._drawn = before, drawn
        """What the table was before some left since they cost most: the others alone are read here."""
        self.rows = source.rows if before is None else before.rows
        self.columns = [name for name in source.schema.names if name in recipe.carried_columns]
        self.drawn = min(1.0, drawn / max(1, self.rows))
        self.units: UnitsOnDisk | None = None
        """The rows of units that are released as wholes, once the plan is made."""

    def survey(self) -> Survey:
        """What one pass over the table tells of the whole."""
        survey = self._surveyed([])
        batches = self.numbered("looking at the table", min(BATCH, self.budget.surveyed_rows))
        for part in ahead(self._surveyed, _several(batches, self.budget.surveyed_rows)):
            survey.merge(part)
        return survey

    def plan(self) -> tuple[Plan, Survey]:
        """Everything that must be known of the whole: one pass over the table, two where cells are merged."""
        survey = self.survey()
        plan = make_plan(survey)
        if self.recipe.is_linked:
            self.units = UnitsOnDisk(self)
            whole = self.units.planned(self._with_cells(plan, survey, whole_units=True))
            if whole is not None:
                return whole, survey
        return self._with_cells(plan, survey), survey

    def without_costly(self, plan: Plan, survey: Survey) -> tuple[Making, Plan, Survey]:
        """The passes over those that stay where those that cost most leave, their plan, and their survey."""
        before = LeavingOnDisk(self, plan, survey.sampled()).found()
        others = Making(self.source, before.recipe, self.budget, self.folder, self.step, self._drawn, before)
        seen = others.survey()
        return others, others.close_to_published(before.planned(seen)), seen

    def close(self) -> None:
        """Forget the rows that wait."""
        if self.units is not None:
            self.units.close()

    def _with_cells(self, plan: Plan, survey: Survey, *, whole_units: bool = False) -> Plan:
        judge = judge_of(plan, self._kinds(plan)) if needs_kinds(plan, survey, whole_units=whole_units) else None
        sums: dict[tuple[int, ...], Floats] | None = None
        if needs_points(plan, survey, judge):
            sums = {}
            for _, table, _ in self.numbered("looking for the nearest cells"):
                add_sums(sums, point_sums(plan, table))
        return self.close_to_published(with_cells(plan, survey, sums, judge, whole_units=whole_units))

    def close_to_published(self, plan: Plan) -> Plan:
        """The plan, whose closeness is to what is published."""
        if needs_published(plan):
            published = asked_surveys(self.recipe)
            for _, table, _ in self.numbered("looking at what is published"):
                count_published(plan, table, published)
            plan = close_to(plan, published)
        return plan

    def _kinds(self, plan: Plan) -> KindCount:
        kinds = KindCount()
        for _, table, _ in self.numbered("looking at what is required of strata"):
            kinds.add(plan, table)
        return kinds

    @property
    def sampled_share(self) -> float:
        """The share of the rows, or units, that goes into a sample."""
        return min(1.0, min(SAMPLE, self.budget.sampled_rows) / max(1, self.rows))

    def _surveyed(self, batches: Iterable[tuple[int, Table, int]]) -> Survey:
        survey = Survey(self.recipe, self.sampled_share, self.budget.sliced_rows)
        for number, table, first in batches:
            survey.add(table, [number], first)
        return survey

    def numbered(self, what: str, rows: int | None = None) -> Iterator[tuple[int, Table, int]]:
        """The batches of the table: their numbers, rows, and the number of the first of these."""
        read = first = 0
        for number, came in enumerate(self.source.batches(self.columns, min(rows or BATCH, self.budget.placed_rows))):
            if number % 8 == 0 or rows is not None:
                self.step(f"{what}: {100 * read // max(1, self.source.rows)} %")
            table = came if self.before is None else self.before.others(came, row_numbers(read, len(came)))
            if len(table):
                yield number, table, first
            read, first = read + len(came), first + len(table)
        if read != self.source.rows:
            raise InputError(f"{self.source.name!r} changed while it was read; needed: a table that stays as it is")

    def parts(self, plan: Plan, survey: Survey) -> Iterator[Part]:
        """The released parts: rows go to disk in order, and come back to be released."""
        if self.units is not None and plan.common is not None:
            yield from self.units.parts(plan)
            return
        yield from self._line(plan, survey.sampled()) if plan.is_line else self._pieces(plan, survey.sampled())

    # -- one column

    def _line(self, plan: Plan, sample: Table) -> Iterator[Part]:
        ready = plan.located(sample)
        cell = plan.cells_of(ready, len(sample))[1]
        numbers = self.dealt(sample.column(ROW).to_numpy())
        rows = self.rows
        fits = max(LEAST_SORTED, rows // MOST_BUCKETS)
        buckets = max(1, -(-rows // min(fits, self.budget.sorted_rows)))
        ranges = Ranges.of_sample(cell, line_keys(plan, ready), numbers, buckets)
        spool = Spool(len(ranges), self.folder)
        try:
            for ordered in ahead(
                lambda batch: self._ordered(plan, ranges, spool, *batch),
                self.numbered("putting rows in order", self.budget.placed_rows),
            ):
                spool.write(ordered)
            held = 2 + -(-self.budget.released_rows * len(ranges) // max(1, self.rows))
            sorted_ = SortedBuckets(plan, spool, len(ranges), held)
            windows = line_windows(plan, sorted_, self.budget.released_rows, self.share("grouping and releasing"))
            yield from ahead(
                lambda one: self.released(plan, one[1].table, one[0], labels=one[1].labels), enumerate(windows)
            )
        finally:
            spool.close()

    def _ordered(self, plan: Plan, ranges: Ranges, spool: Spool, _number: int, table: Table, first: int) -> Ordered:
        ready = plan.located(table)
        cells = plan.cells_of(ready, len(table))[1]
        numbers = self.dealt(first + np.arange(len(table)))
        return self._kept(spool, table, cells, ranges.assign(cells, line_keys(plan, ready), numbers), first)

    def dealt(self, rows: Codes) -> Numbers:
        """Numbers of rows by which equal ones are told apart: in no order that shows where they came from."""
        return mixed(rows.astype(np.uint64) ^ np.uint64(int(str(self.recipe.entropy)[:16], 16)))

    def _kept(self, spool: Spool, table: Table, cells: Codes, buckets: Codes, first: int) -> Ordered:
        """Rows that are published by bucket, with their numbers where they leave in their order."""
        if not self.recipe.shuffle:
            table = table.append_column(ROW, pa.array(np.arange(first, first + len(table))))
        kept = cells >= 0
        if not kept.all():
            table, buckets = table.filter(pa.array(kept)), buckets[kept]
        return spool.ordered(table, buckets)

    def share(self, what: str) -> Callable[[float], Any]:
        """What is told of a step: which share of it is done."""
        return lambda share: self.step(f"{what}: {int(100 * share)} %")

    # -- several columns

    def _pieces(self, plan: Plan, sample: Table) -> Iterator[Part]:
        pieces = split_cells(plan, sample, self.most_in_a_piece)
        pieces = self._with_units(plan, pieces)
        expected = pieces.expected(plan.settled_cells.sizes())
        pieces = pieces.packed(expected, self.most_in_a_part, str(self.recipe.entropy))
        number = int(pieces.part.max()) + 1
        spool = Spool(number, self.folder)

        def placed(batch: tuple[int, Table, int]) -> Ordered:
            _, table, first = batch
            piece, cells = self._placed(plan, pieces, table, first)
            marked = table.append_column(PIECE, pa.array(piece))
            return self._kept(spool, marked, cells, np.where(piece >= 0, pieces.part[piece], 0), first)

        try:
            for ordered in ahead(placed, self.numbered("splitting", self.budget.placed_rows)):
                spool.write(ordered)
            turned = turned_pieces(plan, pieces, sample, self.most_in_a_piece)
            tables = self.buckets(spool, number, "grouping and releasing" if turned is None else "grouping")
            if turned is None:
                yield from ahead(lambda one: self.released(plan, one[1], one[0], pieces=one[2]), tables, self.workers)
            else:
                yield from Across(self, plan, pieces, turned).parts(tables, number)
        finally:
            spool.close()

    def _placed(self, plan: Plan, pieces: Pieces, table: Table, first: int) -> tuple[Codes, Codes]:
        """The piece and the cell of every row."""
        ready = plan.located(table)
        cells = plan.cells_of(ready, len(table))[1]
        numbers = self.dealt(first + np.arange(len(table)))
        return pieces.place(cells, plan.points(ready.columns), numbers), cells

    def _with_units(self, plan: Plan, pieces: Pieces) -> Pieces:
        """Pieces that hold k units each, where units are counted: those that fall short join a neighbour. One pass."""
        unit, k = self.recipe.roles.unit, self.recipe.k
        if unit is None or not pieces.splits:
            return pieces
        inside: dict[int, set[int]] = {}
        for _, table, first in self.numbered("counting units"):
            piece, _ = self._placed(plan, pieces, table, first)
            units = unit_numbers(table.column(unit))
            for number in np.unique(piece[piece >= 0]).tolist():
                some = inside.setdefault(number, set())
                if len(some) < k:
                    some.update(np.unique(units[piece == number])[:k].tolist())
        while True:
            pieces, again = pieces.joined({number: len(some) >= k for number, some in inside.items()})
            if not again:
                return pieces
            joined: dict[int, set[int]] = {}
            for number, some in inside.items():
                joined.setdefault(int(pieces.into[number]), set()).update(some)
            inside = joined

    def buckets(self, spool: Spool, number: int, what: str) -> Iterator[tuple[int, Table, Codes]]:
        """The rows of every bucket, and their pieces; they are not needed on disk any more."""
        step = self.share(what)
        for bucket in range(number):
            step(bucket / number)
            table = spool.read(bucket)
            spool.free(bucket)
            if table is not None:
                yield bucket, table.drop_columns([PIECE]), table.column(PIECE).to_numpy()

    @property
    def most_in_a_piece(self) -> int:
        """Rows that are grouped together."""
        most = self.most_in_a_part
        return max(8 * self.recipe.k, most if self.recipe.method in ("auto", "split") else min(most, MOST_IN_A_PIECE))

    @property
    def most_in_a_part(self) -> int:
        """Rows that are grouped and released at a time."""
        return self.budget.searched_rows if self.recipe.method == "auto" else self.budget.released_rows

    @property
    def workers(self) -> int | None:
        """How many parts are at work at a time; None: as many as there are cores for. A search of many rows uses all cores by itself."""
        return 1 if self.recipe.method == "auto" and self.most_in_a_part > ALONE else None

    def released(
        self,
        plan: Plan,
        table: Table,
        number: int,
        *,
        pieces: Codes | None = None,
        labels: Codes | None = None,
        across: Flags | None = None,
    ) -> Part:
        """A part released, its rows with their numbers where they leave in their order: see `release_part`."""
        rows = table.column(ROW) if ROW in table.column_names else None
        table = table if rows is None else table.drop_columns([ROW])
        part = release_part(plan, table, number, pieces=pieces, labels=labels, across=across, drawn=self.drawn)
        return part if rows is None else part._replace(table=part.table.append_column(ROW, rows))


def _several(batches: Iterator[tuple[int, Table, int]], rows: int) -> Iterator[list[tuple[int, Any, int]]]:
    """Batches that are surveyed together: of about so many rows."""
    some: list[tuple[int, Table, int]] = []
    for batch in batches:
        some.append(batch)
        if sum(len(table) for _, table, _ in some) >= rows:
            yield some
            some = []
    if some:
        yield some
