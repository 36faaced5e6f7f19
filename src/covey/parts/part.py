"""The release of a part of a table, by the plan for the whole: the same steps as in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.columns.cells import counts, settle
from covey.columns.edits import check_edits
from covey.columns.units import unit_numbers
from covey.columns.values import AMOUNTS
from covey.core.partition import Partition
from covey.errors import InfeasibleError
from covey.parts.measures import draw
from covey.parts.plan import stratum_labels
from covey.parts.tally import Tally
from covey.protect.group import Grouped, losses_of
from covey.protect.prepare import total
from covey.protect.work import Work
from covey.utils import randomness
from covey.utils.extras import load
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.parts.plan import Plan
    from covey.recipe.recipe import Recipe

    Codes = NDArray[np.int64]

COUNTED_OVER_ALL_PARTS = (NoteKind.WHOLE_UNITS, NoteKind.RARE_WEIGHTS)


class Part(NamedTuple):
    """The released rows, the numbers of their units where k counts units (as read, as written), and what there is to say of them."""

    table: Any
    units: tuple[NDArray[np.uint64], NDArray[np.uint64]] | None
    tally: Tally


def release_part(
    plan: Plan,
    table: Any,
    number: int,
    *,
    pieces: Codes | None = None,
    labels: Codes | None = None,
    drawn: float = 0.0,
    step: Callable[[str], Any] = lambda _what: None,
) -> Part:
    """Release a part of a table: rows of whole pieces, which are grouped each by itself, or groups that were made already.

    Parameters
    ----------
    number
        The number of the part; with the secret it decides the order of its rows.
    pieces
        The piece of every row: `Splits.assign`, a cell or part of one. Nothing is grouped across pieces.
    labels
        The group of every row, instead: an optimal grouping of one column, made elsewhere.
    drawn
        The share of the rows that measures look at; 0: there are none.

    The same part gives the same release on every run, whatever the machine.
    """
    work = _PartWork(plan, table, number, step, pieces, labels)
    return work.part(drawn)


def _falls_short(recipe: Recipe, *, more: bool) -> InfeasibleError:
    also = ", or not what is required" if more else ""
    what = "records" if recipe.roles.unit is None else "units"
    return InfeasibleError(
        f"a part of the table holds fewer than k = {recipe.k} {what}{also}, even as one group; needed: larger parts; allow more memory "
        "(--memory, piece_rows on Spark), or release it in memory"
    )


class _PartWork(Work):
    """The steps of a release, with what is known of the whole."""

    def __init__(
        self,
        plan: Plan,
        table: Any,
        number: int,
        step: Callable[[str], Any],
        pieces: Codes | None,
        labels: Codes | None,
    ) -> None:
        self.plan, self.number, self.pieces, self.labels = plan, number, pieces, labels
        self._placed: NDArray[np.float64] | None = None
        self.ready = plan.read(table)
        if plan.ends:
            check_edits(plan.recipe.rules, self.ready.columns, when="after top and bottom coding")
        super().__init__(table, plan.recipe, step, self.ready, plan.demands(table, self.ready.units))

    def part(self, drawn: float) -> Part:
        """The released part."""
        self._settle_cells()
        partition = self._group(0, None)
        released = self._aggregate([partition])
        self._publish(released)
        roles = self.recipe.roles
        units = None
        if roles.unit is not None:
            column = self.table.column(roles.unit)
            units = unit_numbers(column)[self.order], unit_numbers(column, spelled=True)[self.order]
        tally = self._tally(partition, released)
        if drawn > 0:
            tally.drawn = draw(self, released, drawn)
        return Part(self.facts.table, units, tally)

    # -- what the whole decides

    def _points(self, names: Sequence[str]) -> NDArray[np.float64]:
        if list(names) != list(self.recipe.roles.quasi):
            raise ValueError(names)
        if self._placed is None:
            self._placed = self.plan.points(self.columns)
        return self._placed

    def _settle_cells(self) -> None:
        combo, cell = self.plan.cells_of(self.ready, self.n)
        if (cell < 0).any():
            msg = "a part holds records that are not published"
            raise InfeasibleError(msg)
        cells = self.plan.cells
        self.combo, self.cell = combo, cell
        self.stratum = cells.stratum[combo] if cells is not None else cell
        self.original_cells = combo
        self.alive = np.arange(self.n)
        pieces = cell if self.pieces is None else self.pieces
        pieces = np.unique(pieces, return_inverse=True)[1].astype(np.int64)
        if self.labels is None:
            demands = self.demands
            hold = None if demands is None else demands.hold
            points = self._points(self.recipe.roles.quasi)
            try:
                pieces = settle(
                    pieces, self.recipe.k, "merge", points, self.unit, what="pieces", within=cell, hold=hold
                ).cells
            except InfeasibleError:
                raise _falls_short(self.recipe, more=demands is not None) from None
        self.blocks = [pieces]

    def _group(self, number: int, sample: int | None) -> Partition:
        if self.labels is None:
            return super()._group(number, sample)
        points = self._points(self.recipe.roles.quasi)
        partition = Partition(self.labels)
        loss = float(losses_of(points, partition).sum())
        self.grouped.append(Grouped(partition, "optimal", loss, 0.0))
        return partition

    # -- what is published

    def _refuse_own_values(self) -> None:
        """Refused when all parts are counted."""

    def _random_order(self) -> Codes:
        self.order = np.arange(self.n)
        if self.recipe.shuffle:
            self.order = randomness.part_order(str(self.recipe.entropy), self.number, self.n)
        return self.order

    def _stratum_columns(self) -> dict[str, Any]:
        pa = load("pyarrow")
        labels, notes = stratum_labels(self.plan)
        self.notes += notes
        return {name: column.take(pa.array(self.combo)) for name, column in labels.items()}

    def _weight_column(self, name: str, weights: NDArray[np.float64]) -> Any:
        """Of one type in all parts: its own where the weights are published as they came, or it holds any number."""
        pa, column = load("pyarrow"), self.table.column(name)
        if pa.types.is_floating(column.type):
            return pa.array(weights.astype(column.type.to_pandas_dtype()), type=column.type)
        if self.recipe.weights == "keep" and self.recipe.round_weights is None:
            return column.take(pa.array(self.order))
        text = f"the weight {name!r} was of type {column.type} and is published as float64"
        self.notes.append(Note(NoteKind.TYPES, text))
        return pa.array(weights)

    # -- what is counted

    def _tally(self, partition: Partition, released: dict[str, Values]) -> Tally:
        points, found = self._points(self.recipe.roles.quasi), self.grouped[0]
        sizes = counts(partition.labels.astype(np.int64), self.unit)
        weights = self.weight if self.published_weights is None else self.published_weights
        tally = Tally(
            rows=self.n,
            groups=len(partition),
            smallest=int(sizes.min()),
            largest=int(partition.sizes.max()),
            loss=found.loss,
            without=found.loss if found.without is None else found.without,
            proven=found.status == "optimal",
            points=np.array([points.sum(axis=0), (points**2).sum(axis=0)]),
            own=dict(self.facts.own),
            totals={name: total(column, weights) for name, column in released.items() if column.kind in AMOUNTS},
            moved={name: moved for name, moved in self.ready.moved.items() if moved},
        )
        if found.units is not None:
            tally.whole, tally.cells = found.units
        tally.notes = dict.fromkeys(note for note in self.notes if note.kind not in COUNTED_OVER_ALL_PARTS)
        return tally
