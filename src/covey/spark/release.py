"""`covey.spark.release`: a Spark dataframe, the roles of its columns and a recipe become a release that stays distributed."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from covey.columns.units import spelling_note
from covey.columns.weights import rare_weights
from covey.errors import InputError, OptionError, RefusedError, shown
from covey.io.inference import Declared
from covey.ledger import Past, Trace, look_up, trace_of
from covey.memory import OF_TWO, SmallGroupsWarning, check_wishes, recipe_of
from covey.parts.make_plan import check_recipe, make_plan
from covey.parts.measures import measure_drawn
from covey.parts.plan import Plan, close_to, judge_of, needs_kinds, needs_points, needs_published, with_cells
from covey.parts.tally import Tally, facts_of
from covey.protect.prepare import check_identifiers
from covey.recipe.engines import Engine
from covey.recipe.keywords import Choices, names_choices
from covey.recount.absent import refuse_others
from covey.report.certificate import Certificate
from covey.report.collect import Report, collect
from covey.spark.content import with_hashes
from covey.spark.leaving import others, those_who_leave
from covey.spark.parts import OURS, SPELLED, UNIT, number_of_parts, release_parts, release_sent
from covey.spark.pieces import make_pieces
from covey.spark.reading import with_declared
from covey.spark.recount import recount, sizes
from covey.spark.refine import further_rounds, piece_rows_for
from covey.spark.sensitive import different, judge, quoted, rare_share, repeats
from covey.spark.session import check_frame, check_session
from covey.spark.survey import count_kinds, published_values, size_of, sums_of_points, take_survey
from covey.spark.units import UnitsOnCluster
from covey.spark.writing import write_release
from covey.utility import terms
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame

    from covey.measures.measures import Measuring
    from covey.parts.survey import Survey
    from covey.recipe.recipe import Recipe
    from covey.recount.absent import Absent
    from covey.recount.classes import Recount
    from covey.recount.requirements import Order
    from covey.utils.notes import Note
    from covey.utils.typing import Progress


@dataclass(frozen=True, eq=False, repr=False)
class SparkRelease:
    """A protected table on a cluster, recounted, with what there is to say about it. Holds nothing of the original.

    Made by `covey.spark.release`.

    Attributes
    ----------
    table
        A Spark dataframe, persisted on the executors' disks; `close` forgets it there.
    certificate, report, recipe
        As in `covey.Release`.
    rows
        The number of released records.
    past
        What the ledger says of earlier releases of the same records.
    inner, orders, absent, trace
        What the recount of files and the ledger need.
    """

    table: DataFrame
    certificate: Certificate
    report: Report
    recipe: Recipe
    rows: int
    inner: DataFrame
    """The table with the numbers of its units, where k counts units."""
    orders: Mapping[str, Order] = field(default_factory=dict)
    absent: Sequence[Absent] = ()
    trace: Trace | None = None
    past: Past = field(default_factory=Past)

    def __repr__(self) -> str:
        what = "units" if self.recipe.roles.unit else "records"
        return f"<SparkRelease: {self.rows} records, k = {self.certificate.k} {what}>"

    def write(self, path: str, *, force: bool = False, **options: Any) -> list[Note]:
        """Write the release to a folder: to a hidden one first, which is read back and recounted by Spark.

        Returns what there is to report. See `covey.spark.write_release` for the options.
        """
        return write_release(self, path, force=force, **options)

    def recount(self, df: DataFrame) -> Recount:
        """Recount a dataframe that claims to be this release, as read back from where it was written."""
        if self.absent:
            refuse_others(self.absent, sizes(df, self.recipe.roles.strata))
        return recount_table(df, self.recipe, self.rows, self.orders, self.inner)

    def close(self) -> None:
        """Forget the table on the executors' disks."""
        self.inner.unpersist()


@names_choices
def release(
    df: DataFrame,
    k: int | None = None,
    *,
    recipe: Recipe | str | Path | None = None,
    progress: Callable[[str], Any] | None = None,
    measuring: Measuring | None = None,
    piece_rows: int | None = None,
    readable_scratch: bool = False,
    origin: Mapping[str, Any] | None = None,
    ledger: bool = True,
    refuse_overlap: bool = False,
    **choices: Unpack[Choices],
) -> SparkRelease:
    """Protect a Spark dataframe: every record becomes one of at least k that share their quasi-identifiers.

    The table stays distributed. A survey of the whole goes over it once; pieces are found from a sample; every row is sent to its
    piece once, and the kernels group and aggregate it there. One quasi-identifier is grouped exactly, whatever the partitions;
    several within pieces of about `piece_rows`. To the driver come a sample, and sums. Choices are those of `covey.release`.

    Needs the extra `spark`. An example that runs stands in the guide to Spark.

    Parameters
    ----------
    df
        A Spark dataframe.
    k, recipe, progress, measuring, ledger, refuse_overlap
        As in `covey.release`.
    piece_rows
        About how many rows are grouped together: fewer are faster, and lose more at the borders of pieces. None follows the table: 16,000
        for each coordinate of a record, 50,000 to 250,000, and more where there would be more than 100,000 pieces.
    readable_scratch
        Accepts a session whose scratch files are not encrypted, or that writes event logs.
    origin
        Where the table came from, for the internal certificate.
    choices
        Those of `covey.release`.

    Returns
    -------
    SparkRelease
        The released table on the cluster, recounted.

    Raises
    ------
    RefusedError
        The recount falls short.
    """
    check_frame(df)
    load("pandas")  # without which PySpark hands no Arrow table to executors
    chosen = recipe_of(k, recipe, choices)
    _check(chosen, df, measuring, piece_rows)
    step = progress or (lambda _what: None)
    notes = check_session(df.sparkSession, readable_scratch=readable_scratch)
    chosen = chosen.settled(df.columns)
    check_recipe(chosen, df.columns)
    df = with_declared(df, Declared(chosen.missing_codes, chosen.dates))
    unpublished = {name for name in chosen.roles.drop if name not in (chosen.roles.unit, *chosen.derive)}
    df = df.select(*[df[quoted(name)] for name in df.columns if name not in unpublished])
    came_from = origin or {"source": "a Spark dataframe"}
    return _run(_Job(df, chosen, step, piece_rows, measuring, came_from, notes), ledger=ledger, refuse=refuse_overlap)


@dataclass(frozen=True, eq=False)
class _Job:
    """One release on a cluster: what is read, and how."""

    df: DataFrame
    recipe: Recipe
    step: Progress
    piece_rows: int | None
    measuring: Measuring | None
    origin: Mapping[str, Any]
    notes: Sequence[Note]
    """What was noticed of the session."""


def _run(job: _Job, *, ledger: bool, refuse: bool) -> SparkRelease:
    """All of it."""
    recipe, df = job.recipe, job.df
    job.step("looking at the table")
    rows, partitions = size_of(df)
    survey = take_survey(df, recipe, rows, partitions)
    sums = survey.column_sums.values()
    known: dict[str, Any] = {"engine": "spark", "table": survey.table_sums, "ledger": ledger}
    trace = trace_of(recipe.as_dict(), recipe.k, sums, survey.sketches, **known)
    past = look_up(trace, refuse=refuse).warn(level=4)
    plan, inner, tally = _released(job, survey, partitions)
    try:
        done = _finished(job, plan, inner, tally, survey.table_sums.hash(str(recipe.entropy)))
    except BaseException:
        inner.unpersist()
        raise
    return replace(done, trace=trace, past=past)


def _released(job: _Job, survey: Survey, partitions: int) -> tuple[Plan, DataFrame, Tally]:
    """The plan of the whole, the released rows where they are, and what there is to say of them."""
    recipe, plan = job.recipe, make_plan(survey)
    for formula in () if job.measuring is None else job.measuring.regressions:
        terms(formula, plan.located(survey.sampled().slice(0, 1)).columns)  # a mistake is said before the work
    hashed = with_hashes(job.df, str(recipe.entropy))
    most = job.piece_rows or piece_rows_for(plan)
    drawn = 0.0 if job.measuring is None else min(1.0, 4 * job.measuring.sample / max(1, survey.rows))
    if recipe.is_linked:
        job.step("looking at units")
        units = UnitsOnCluster(hashed, _with_cells(job, plan, survey, partitions, whole_units=True), most)
        planned = units.planned()
        if planned is not None:
            job.step("grouping")
            plan, whole = planned
            return plan, *release_sent(units.sent(plan, whole), plan, number_of_parts(whole.pieces), drawn)
    plan = _with_cells(job, plan, survey, partitions)
    if recipe.suppress is not None:
        job.step("looking for records that cost most")
        hashed, plan, survey = _without_costly(job, hashed, plan, survey, partitions)
    job.step("splitting")
    pieces = make_pieces(hashed, plan, survey.sampled(), most)
    job.step("grouping")
    turned = further_rounds(plan, pieces, survey.sampled(), most)
    return plan, *release_parts(hashed, plan, pieces, drawn, turned)


def _without_costly(
    job: _Job, hashed: DataFrame, plan: Plan, survey: Survey, partitions: int
) -> tuple[DataFrame, Plan, Survey]:
    """The rows that stay where those that cost most leave, their plan, and their survey."""
    most = job.piece_rows or piece_rows_for(plan)
    before = those_who_leave(hashed, plan, survey.sampled(), most)
    stay = others(job.df, hashed, before)
    seen = take_survey(stay, before.recipe, before.rows, partitions)
    new = before.planned(seen)
    new = close_to(new, published_values(stay, new)) if needs_published(new) else new
    return with_hashes(stay, str(job.recipe.entropy)), new, seen


def _with_cells(job: _Job, plan: Plan, survey: Survey, partitions: int, *, whole_units: bool = False) -> Plan:
    needs = needs_kinds(plan, survey, whole_units=whole_units)
    judge = judge_of(plan, count_kinds(job.df, plan, partitions)) if needs else None
    sums = sums_of_points(job.df, plan) if needs_points(plan, survey, judge) else None
    plan = with_cells(plan, survey, sums, judge, whole_units=whole_units)
    return close_to(plan, published_values(job.df, plan)) if needs_published(plan) else plan


def _finished(job: _Job, plan: Plan, inner: DataFrame, tally: Tally, keyed: str) -> SparkRelease:
    recipe, roles = job.recipe, job.recipe.roles
    shown = None if job.measuring is None else measure_drawn(plan, tally, job.measuring)
    facts = facts_of(plan, tally, shown)
    if recipe.k == 2:
        warnings.warn(OF_TWO.text, SmallGroupsWarning, stacklevel=4)
    job.step("recounting")
    table = inner.select(*[inner[quoted(name)] for name in inner.columns if name not in OURS])
    check_identifiers(roles, lambda name: repeats(table, name))
    counted = recount_table(table, recipe, tally.rows, facts.orders, inner)
    if facts.absent:
        refuse_others(facts.absent, sizes(table, recipe.roles.strata))
    notes = [*job.notes, *facts.notes, *([OF_TWO] if recipe.k == 2 else []), *_counted_notes(recipe, table, inner)]
    unit = None if roles.unit is None else (UNIT, SPELLED)
    facts = replace(facts, notes=notes, sensitive=judge(inner, recipe, counted.rows, unit, facts.orders))
    certificate = Certificate.of(recipe, counted, facts, {**job.origin, "keyed_hash": keyed})
    report = collect(facts, counted, recipe, str(job.origin.get("source")))
    return SparkRelease(table, certificate, report, recipe, counted.rows, inner, facts.orders, facts.absent)


def _counted_notes(recipe: Recipe, table: DataFrame, inner: DataFrame) -> list[Note]:
    """What there is to report of published weights and of units, counted on all rows."""
    weight, k = recipe.roles.weight, recipe.k
    kept = weight is not None and recipe.weights == "keep"
    rare = rare_weights(rare_share(table, str(weight), k), k) if kept else []
    return rare + (spelling_note(*different(inner, [SPELLED, UNIT])) if recipe.roles.unit is not None else [])


def recount_table(df: DataFrame, recipe: Recipe, rows: int, orders: Mapping[str, Order], inner: DataFrame) -> Recount:
    """Recount a table over what an observer may know; with units, on the table that has their numbers, and compare the classes."""
    unit = recipe.roles.unit
    if unit is None:
        return recount(df, recipe, rows, orders=orders)
    if unit in recipe.roles.random_ids:
        return recount(df, recipe, rows, unit, orders=orders)
    bare = recipe.with_changes(unit=None)
    if recount(df, bare, rows).histogram != recount(inner, bare, rows).histogram:
        msg = "the recount found other classes than were released; the release is refused, and nothing was written"
        raise RefusedError(msg)
    return recount(inner, recipe, rows, UNIT, spelled=SPELLED, orders=orders)


def _check(recipe: Recipe, df: DataFrame, measuring: Measuring | None, piece_rows: int | None) -> None:
    check_wishes(Engine.SPARK, recipe, measuring)
    if piece_rows is not None and (type(piece_rows) is not int or piece_rows < 2 * recipe.k):
        raise OptionError(f"piece_rows is {shown(piece_rows)}; needed: an integer of at least 2 k")
    taken = sorted(set(df.columns) & set(OURS)) or sorted({name for name in df.columns if df.columns.count(name) > 1})
    if taken:
        msg = f"column {taken[0]!r} has a name that Covey needs for its own columns, or that stands twice; needed: another name; rename it"
        raise InputError(msg)
