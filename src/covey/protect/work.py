"""From an Arrow table and a recipe to the released table: cells, groups, aggregates, edit rules, order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.aggregation import COST_OF, aggregate_column, aggregates_for
from covey.columns.cells import combine, counts, settle
from covey.columns.coordinates import Scaler
from covey.columns.edits import check_edits, enforce
from covey.columns.identifiers import random_ids
from covey.columns.own_values import OwnValues, own_values
from covey.columns.strata import stratum_columns, stratum_names
from covey.columns.values import AMOUNTS, NUMBERS, Values, read_kept
from covey.columns.weights import released_weights, weight_column
from covey.errors import InfeasibleError, OptionError, RefusedError
from covey.evidence import Evidence, look_alike
from covey.measures.measures import Measures, Measuring, measure
from covey.methods import METHODS
from covey.protect.demands import Demands, read_demands
from covey.protect.group import Grouped, group_cells
from covey.protect.prepare import Prepared, identifier_codes, prepare, total
from covey.risk.records import RecordRisk, record_risk
from covey.utility import terms
from covey.utility.distributions import Distribution, distributions
from covey.utils import randomness
from covey.utils.extras import load
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from covey.core.partition import Partition
    from covey.core.requirement import Requirement
    from covey.recipe.recipe import Recipe
    from covey.recount.readings import Units
    from covey.recount.requirements import Order


@dataclass
class Facts:
    """The released table and what there is to say about it."""

    table: Any
    units: Units | None
    rows_in: int
    suppressed: int = 0
    notes: list[Note] = field(default_factory=list)
    groups: list[dict[str, Any]] = field(default_factory=list)
    """For each block: its columns, the method, the number of groups, what was lost (in % of the variation)."""
    own: dict[str, OwnValues] = field(default_factory=dict)
    totals: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Column to its (weighted) total before and after."""
    measures: Measures | None = None
    distributions: list[Distribution] = field(default_factory=list)
    released_distributions: list[Distribution] = field(default_factory=list)
    """The same of the release alone, in bins that follow from it: what may be public."""
    record_risk: RecordRisk | None = None
    """The risk of each record, where that was asked for."""
    orders: dict[str, Order] = field(default_factory=dict)
    """How the sensitive columns with a requirement are judged: in an order or not."""
    checked: list[Requirement] = field(default_factory=list)
    """What was checked on the amounts behind released means: released values alone do not show it."""
    withheld: list[str] = field(default_factory=list)
    """Columns of whose total one record makes more than half: it would tell of that record."""
    rows_out: int = 0
    """The number of rows that are published."""
    sensitive: list[dict[str, Any]] | None = None
    """What the classes show of sensitive columns, where that was counted already."""


def protect(
    table: Any,
    recipe: Recipe,
    step: Callable[[str], Any],
    measuring: Measuring | None = None,
    *,
    typed: Any = None,
) -> Facts:
    """Protect a table whose columns all have a role; and measure what that costs, where that is asked for.

    `typed` is the same table with the types in which sensitive columns are judged, where they are published as other ones.
    """
    ready = prepare(table, recipe, step)
    demands = read_demands(table if typed is None else typed, table, recipe, ready)
    work = Work(table, recipe, step, ready, demands)
    if measuring is not None:
        for formula in measuring.regressions:
            terms(formula, work.columns)  # a mistake is said before the work
    return work.run(measuring)


class Work:
    """The steps of one release, in order; each leaves what the next needs."""

    def __init__(
        self, table: Any, recipe: Recipe, step: Callable[[str], Any], ready: Prepared, demands: Demands | None
    ) -> None:
        self.table, self.recipe, self.step = table, recipe, step
        self.n = table.num_rows
        self.columns, self.strata, self.units, self.weight = ready.columns, ready.strata, ready.units, ready.weight
        self.unit = None if ready.units is None else ready.units.number
        self.totals, self.uncoded = ready.totals, ready.uncoded
        self.demands = demands
        self.facts = Facts(None, None, self.n, notes=ready.notes, withheld=ready.withheld)
        self.notes = self.facts.notes
        self.grouped: list[Grouped] = []
        if self.demands is not None:
            self.facts.orders = self.demands.orders()
            self.facts.checked = [asked for asked, _ in self.demands.amounts]

    def run(self, measuring: Measuring | None) -> Facts:
        """All of it."""
        self.step("grouping")
        self._settle_cells()
        sample = None if measuring is None else measuring.sample
        partitions = [self._group(number, sample) for number in range(len(self.recipe.parts))]
        self.step("aggregating")
        released = self._aggregate(partitions)
        if measuring is not None:
            self.step("measuring")
            evidence = self._evidence(released, measuring)
            self.facts.measures = measure(evidence, measuring)
            self.facts.distributions = distributions(self.uncoded, released, self.recipe.k)
            self.facts.released_distributions = distributions(released, released, self.recipe.k)
            if measuring.records:
                self.facts.record_risk = record_risk(evidence, self.alive)
        self._publish(released)
        return self.facts

    def _evidence(self, released: dict[str, Values], measuring: Measuring) -> Evidence:
        roles = self.recipe.roles
        original = {name: column.take(self.alive) for name, column in self.uncoded.items()}
        self.uncoded = original
        strata = self.stratum[self.alive] if roles.strata else None
        sensitive = {name: identifier_codes(self.table, name)[self.alive] for name in roles.sensitive}
        return Evidence(
            original=original,
            released=released,
            scaler=Scaler.of(self.recipe, list(original.values())),
            classes=look_alike(released, strata, self.published_weights, len(self.alive)),
            k=self.recipe.k,
            fit=partial(Scaler.of, self.recipe),
            weights=None if self.weight is None else self.weight[self.alive],
            released_weights=self.published_weights,
            strata=strata,
            stratum_names=stratum_names(self.strata, self.stratum, self.alive) if roles.strata else {},
            own=self.facts.own,
            sensitive=sensitive,
            units=None if self.unit is None else self.unit[self.alive],
            sample=measuring.sample,
        )

    # -- cells

    def _points(self, names: Sequence[str]) -> NDArray[np.float64]:
        columns = [self.columns[name] for name in names]
        return Scaler.of(self.recipe, columns)(columns)

    def _settle_cells(self) -> None:
        recipe, k = self.recipe, self.recipe.k
        have = self.n if self.unit is None else len(np.unique(self.unit))
        if have < k:
            what = "records" if self.unit is None else "units"
            msg = f"the table has {have} {what}, and k is {k}; needed: at least k; choose a smaller k"
            raise InfeasibleError(msg)
        points = self._points(recipe.roles.quasi)
        keys = [np.where(c.valid, c.physical, -1) for c in self.strata.values()]
        first = combine(keys, self.n)
        holds = None if self.demands is None else self.demands.hold
        strata = settle(first, k, recipe.small_strata, points, self.unit, what="strata", hold=holds)
        self._note_small(strata.small, strata.records, "strata")
        self.original_cells, self.stratum = first, strata.cells
        self.alive = np.flatnonzero(strata.cells >= 0)
        while True:
            again = len(self.alive)
            if self.demands is not None:  # closeness is to what is published
                self.demands = self.demands.restricted(self.alive)
            self.blocks = [self._cells_of(number, points) for number in range(len(recipe.parts))]
            if len(self.alive) == again:
                break
        self.facts.suppressed = self.n - len(self.alive)
        if len(self.alive) == 0:
            msg = f"every stratum holds fewer than k = {k}, so nothing is left to release; merge strata or choose a smaller k"
            raise InfeasibleError(msg)

    def _cells_of(self, number: int, points: NDArray[np.float64]) -> NDArray[np.int64]:
        """The cells of a block among the rows that are left; may leave fewer rows."""
        recipe, rows = self.recipe, self.alive
        if len(rows) == 0:
            return np.zeros(0, dtype=np.int64)
        names = recipe.parts[number]
        stratum = self.stratum[rows]
        keys: list[NDArray[Any]] = [stratum]
        if recipe.missing == "own-group":
            keys += [self.columns[name].valid[rows] for name in names]
        for name in recipe.zeros_apart:
            if name in names:
                column = self.columns[name]
                if column.kind not in AMOUNTS:
                    msg = f"zeros_apart names {name!r}, which is {column.kind}; needed: numbers"
                    raise OptionError(msg)
                keys.append((column.physical == 0)[rows] & column.valid[rows])
        units = None if self.unit is None else self.unit[rows]
        what = "patterns of missing values or zeros"
        demands = None if self.demands is None else self.demands.about(names)
        found = settle(
            combine(keys, len(rows)),
            recipe.k,
            recipe.small_strata,
            points[rows],
            units,
            what=what,
            within=stratum,
            hold=None if demands is None else lambda some: demands.hold(rows[some]),
        )
        self._note_small(found.small, found.records, what)
        left = found.cells >= 0
        self.alive = rows[left]
        return found.cells[left]

    def _note_small(self, small: int, records: int, what: str) -> None:
        if small:
            done = {"merge": "merged with the nearest", "suppress": "not published"}[self.recipe.small_strata]
            also = "" if self.demands is None else ", or without what is required,"
            self.notes.append(
                Note(NoteKind.SMALL_CELLS, f"{small} {what} below k{also} ({records} records) were {done}")
            )

    # -- groups

    def _group(self, number: int, sample: int | None) -> Partition:
        recipe, names = self.recipe, self.recipe.parts[number]
        cells = self.blocks[number]
        for name, column in self.columns.items():
            self.columns[name] = column if len(column) == len(self.alive) else column.take(self.alive)
        units = None if self.unit is None else self.unit[self.alive]
        alone = len(names) == 1 and (self.columns[names[0]].kind in (*NUMBERS, "ordinal"))
        points = self._points(names)
        how = self._aggregate_of(names[0])
        options = dict(recipe.options)
        if alone and recipe.method in ("auto", "optimal-line") and COST_OF[how] != "sse":
            options["cost"] = COST_OF[how]
        if recipe.seed is not None:
            kind = METHODS.get(recipe.method)
            if kind is None or not hasattr(kind, "seed"):
                msg = f"a seed is given, and the method {recipe.method!r} has no randomness; leave it out"
                raise OptionError(msg)
            options["seed"] = recipe.seed
        demands = None if self.demands is None else self.demands.among(self.alive).about(names)
        found: Grouped = group_cells(
            points, cells, recipe.k, units, recipe.method, options, self.step, sample=sample, demands=demands
        )
        self.grouped.append(found)
        gap = None if sample is None else found.gap
        least = int(counts(found.partition.labels.astype(np.int64), units).min())
        self.facts.groups.append(
            {
                "columns": list(names),
                "method": recipe.method,
                "groups": len(found.partition),
                "smallest": least,
                "largest": int(found.partition.sizes.max()),
                "status": found.status,
                "cost": options.get("cost", "sse"),
                "loss_percent": found.loss_percent,
                "loss_percent_without": None if found.without is None else found.percent(found.without),
                "gap_percent": None if gap is None else 100 * gap.value,
                "gap_interval": None if gap is None or gap.interval is None else [100 * end for end in gap.interval],
            }
        )
        self.notes += [] if found.units is None else [found.units.note]
        others = [name for name in names if self._is_number(name) and COST_OF[self._aggregate_of(name)] != "sse"]
        if others and "cost" not in options:
            text = f"the groups are made for means (sse), whatever the aggregates of {', '.join(others)}"
            self.notes.append(Note(NoteKind.DISTANCES, text))
        return found.partition

    def _is_number(self, name: str) -> bool:
        return self.columns[name].kind in NUMBERS

    def _aggregate_of(self, name: str) -> Any:
        return self.recipe.aggregates.get(name) or aggregates_for(self.columns[name].kind)[0]

    # -- released values

    def _aggregate(self, partitions: Sequence[Partition]) -> dict[str, Values]:
        recipe = self.recipe
        weights = None if self.weight is None else self.weight[self.alive]
        released: dict[str, Values] = {}
        for names, partition in zip(recipe.parts, partitions, strict=True):
            for name in names:
                column, how = self.columns[name], self._aggregate_of(name)
                released[name] = aggregate_column(column, partition, how, weights=weights, trim=recipe.trim)
                self.facts.own[name] = own_values(
                    column,
                    released[name],
                    partition,
                    how,
                    asked=self.facts.checked,
                    trim=recipe.trim,
                    weights=weights,
                    units=None if self.unit is None else self.unit[self.alive],
                )
        enforce(recipe.rules, released)
        check_edits(recipe.rules, released, when="of the release")
        self._refuse_own_values()
        published = None
        if weights is not None and recipe.weights != "drop":
            published, notes = released_weights(weights, partitions[0], recipe)
            self.notes += notes
        for name, before in self.totals.items():
            self.facts.totals[name] = (before, total(released[name], weights if published is None else published))
        self.published_weights = published
        return released

    def _refuse_own_values(self) -> None:
        refuse_own_values(self.recipe, self.facts)

    def _publish(self, released: dict[str, Values]) -> None:
        pa, roles = load("pyarrow"), self.recipe.roles
        order, strata = self._random_order(), self._stratum_columns()
        columns: dict[str, Any] = {}
        for name in self.table.column_names:
            role = roles.of(name)
            if role == "quasi":
                columns[name] = released[name].take(order).build()
            elif role == "strata":
                columns[name] = strata[name].take(pa.array(order))
            elif role == "random_ids":
                columns[name] = self._random_ids(name).take(pa.array(order))
                self.notes.append(Note(NoteKind.IDENTIFIERS, f"the identifier {name!r} is replaced by random ids"))
            elif role == "weight" and self.published_weights is not None:
                columns[name] = self._weight_column(name, self.published_weights[order])
            elif role in ("keep", "sensitive"):
                columns[name] = read_kept(name, self.table.column(name)).take(self.alive[order]).build()
        self.facts.table, self.facts.rows_out = pa.table(columns), len(self.alive)
        if self.units is not None:
            self.facts.units = self.units.among(self.alive[order]).numbered()

    def _random_order(self) -> NDArray[np.int64]:
        """The order in which the rows leave."""
        if not self.recipe.shuffle:
            return np.arange(len(self.alive))
        return randomness.random_order(str(self.recipe.entropy), len(self.alive))

    def _stratum_columns(self) -> dict[str, Any]:
        columns, notes = stratum_columns(self.strata, self.original_cells, self.stratum, self.alive)
        self.notes += notes
        return columns

    def _weight_column(self, name: str, weights: NDArray[np.float64]) -> Any:
        column, notes = weight_column(name, self.table.column(name), weights)
        self.notes += notes
        return column

    def _random_ids(self, name: str) -> Any:
        column = self.table.column(name).take(load("pyarrow").array(self.alive))
        return random_ids(column, name, str(self.recipe.entropy), of_units=name == self.recipe.roles.unit)


def refuse_own_values(recipe: Recipe, facts: Facts) -> None:
    """Groups whose value gives one member away: an error where the recipe says so, else a note."""
    texts = [
        f"{name} (own value {own.own}, p % {own.p_percent}, dominated {own.dominated})"
        for name, own in facts.own.items()
        if own.any
    ]
    if texts:
        text = f"groups whose released value is, or gives away, one member's own: {', '.join(texts)}"
        if recipe.refuse_own_values:
            msg = f"{text}; refused as asked; choose a larger k or another aggregate"
            raise RefusedError(msg)
        facts.notes.append(Note(NoteKind.OWN_VALUES, text))
