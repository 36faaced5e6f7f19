"""The steps of one release from file to file."""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from covey.columns.units import spelling_note
from covey.columns.weights import rare_weights
from covey.errors import InputError, RefusedError
from covey.files.budget import Budget
from covey.files.passes import Making
from covey.files.writing import Written, read_back, seal_of, write_file
from covey.io.folder import StagedFolder, check_parting
from covey.io.staging import StagedFile
from covey.io.writing import Companions, commit
from covey.ledger import enter, look_up, trace_of
from covey.memory import OF_TWO, SmallGroupsWarning, as_text, is_judged_date, with_types
from covey.parts.make_plan import check_recipe
from covey.parts.measures import measure_drawn
from covey.parts.tally import facts_of
from covey.protect.prepare import check_identifiers
from covey.recount.absent import refuse_others
from covey.recount.duckdb import Released, counting
from covey.recount.release import hint_of
from covey.recount.requirements import ClassesShow, Order, declared, failures, shown, to_show
from covey.report.certificate import Certificate
from covey.report.collect import Report, collect
from covey.report.render import render
from covey.utility import terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from covey.files.source import Source
    from covey.io.location import Location
    from covey.measures.measures import Measuring
    from covey.parts.plan import Plan
    from covey.recipe.recipe import Recipe
    from covey.recount.classes import Recount
    from covey.utils.notes import Note
    from covey.utils.typing import Progress

    Counted = tuple[Recount, list[ClassesShow], list[Note]]
    """What the recount of a file found, what the classes show of sensitive columns, and what there is to report."""


@dataclass(frozen=True, repr=False)
class FileRelease:
    """A release that was written to a file: what was counted on it, what was done and lost. Holds no row. Made by `release_file`.

    Attributes
    ----------
    path
        Where it is.
    certificate, report, recipe
        As in `Release`.
    notes
        What there is to report about the file and earlier releases.
    """

    path: Path
    certificate: Certificate
    report: Report
    recipe: Recipe
    notes: list[Note] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<FileRelease: {self.report.records_out} records, k = {self.certificate.k}, in {self.path.name!r}>"


@dataclass(frozen=True, eq=False)
class FileJob:
    """One release from file to file: what is read, where it goes, and how. Made once, by `open_job`."""

    source: Source
    output: Location
    recipe: Recipe
    """With a role for every column, and a secret."""
    budget: Budget
    step: Progress
    measuring: Measuring | None
    formulas: str
    origin: Mapping[str, str]
    notes: Sequence[Note]
    """What was noticed of the types of columns."""

    @property
    def folder(self) -> Path:
        """Where rows wait: the folder of the output."""
        return self.output.path.resolve().parent

    @property
    def delimiter(self) -> str:
        """What parts the columns of the output, where that is text."""
        return "\t" if self.output.format == "tsv" else self.source.dialect.get("delimiter", ",")

    @property
    def making(self) -> Making:
        """The passes over the source."""
        drawn = 0 if self.measuring is None else 4 * self.measuring.sample
        return Making(self.source, self.recipe, self.budget, self.folder, self.step, drawn)


def open_job(
    source: Source,
    origin: Mapping[str, str],
    output: Location,
    recipe: Recipe,
    memory: int,
    step: Progress,
    measuring: Measuring | None,
    formulas: str,
) -> FileJob:
    """The release of a table that came from somewhere, to a place; an error for choices that it cannot have."""
    recipe, notes = with_types(recipe.settled(source.schema.names), source.mixed, ())
    check_recipe(recipe, source.schema.names)
    check_parting(
        output.columns, [name for name in source.schema.names if recipe.roles.of(name) not in ("drop", "unit")]
    )
    texts = _texts(source, recipe)
    source.read_as_text(texts)
    budget = Budget(memory, source.row_bytes, len(recipe.roles.quasi))
    notes = [*notes, *(as_text(name) for name in texts)]
    return FileJob(source, output, recipe, budget, step, measuring, formulas, origin, notes)


def _texts(source: Source, recipe: Recipe) -> list[str]:
    """Columns that are published as they are and stay as they were written, where their type would tell less."""
    roles = recipe.roles
    dates = [name for name in source.texts if is_judged_date(name, source, recipe)]
    written = (*roles.keep, *roles.sensitive, *recipe.looked_up)
    computed = (*dates, *recipe.coded_beside, *recipe.grid)
    texts = [name for name in source.texts if name in written and name not in computed]
    judged = [asked.column for asked in recipe.requirements if asked.column in texts]
    unclear = [name for name in judged if name not in recipe.nominal]
    if unclear:
        raise InputError(
            f"the values of {', '.join(unclear)} are written in different ways (250.1 and 250.10), and something is required of "
            "them; needed: one way; correct them, or declare the column a category (nominal, --nominal)"
        )
    return texts


def run(job: FileJob, companions: Companions, *, force: bool, ledger: bool, refuse_overlap: bool) -> FileRelease:
    """All of it."""
    recipe, making = job.recipe, job.making
    with ExitStack() as stack:
        stack.callback(making.close)
        plan, survey = making.plan()
        stay = survey
        for formula in () if job.measuring is None else job.measuring.regressions:
            terms(formula, plan.read(survey.sampled().slice(0, 1)).columns)  # a mistake is said before the work
        if recipe.k == 2:
            warnings.warn(OF_TWO.text, SmallGroupsWarning, stacklevel=3)
        sums = survey.column_sums.values()
        known: dict[str, Any] = {"engine": "file", "table": survey.table_sums, "ledger": ledger}
        trace = trace_of(recipe.as_dict(), recipe.k, sums, survey.sketches, **known)
        past = look_up(trace, refuse=refuse_overlap).warn(level=4)
        if recipe.suppress is not None:
            making, plan, stay = making.without_costly(plan, survey)
            stack.callback(making.close)
        staged = (StagedFolder if job.output.place == "folder" else StagedFile)(job.output.path, force=force)
        stack.callback(staged.close)
        written = write_file(job, making.parts(plan, stay), staged.temporary, stack)
        job.step("recounting what was written")
        counted = _recount(job, written, plan)
        done = _finished(job, plan, written, counted, survey.table_sums.hash(str(recipe.entropy)))
        files: list[Any] = [staged]
        stack.callback(lambda: [one.close() for one in files[1:]])
        about = [*written.notes, *past.notes]
        companions.stage(
            files, partial(render, done.report.written(job.output.path.name, about)), done.certificate, force=force
        )
        commit(files)
        more = enter(trace, past)
    return replace(done, notes=[*about, *more])


def _finished(job: FileJob, plan: Plan, written: Written, counted: Counted, keyed: str) -> FileRelease:
    recipe, measuring = job.recipe, job.measuring
    recount, sensitive, of_recount = counted
    with read_back(job, written.path) as inputs:
        seal = seal_of(inputs)
    facts = facts_of(plan, written.tally, measure_drawn(plan, written.tally, measuring) if measuring else None)
    of_two = [OF_TWO] if recipe.k == 2 else []
    notes = [*job.source.notes, *job.notes, *of_recount, *facts.notes, *of_two]
    facts = replace(facts, sensitive=sensitive, notes=notes)
    certificate = Certificate.of(recipe, recount, facts, dict(job.origin) | {"keyed_hash": keyed}).sealed(seal)
    return FileRelease(
        job.output.path, certificate, collect(facts, recount, recipe, str(job.origin.get("source"))), recipe
    )


# -- the recount


def _recount(job: FileJob, written: Written, plan: Plan) -> Counted:
    """Count the classes of the file as it was written, and refuse it if it falls short of the recipe."""
    recipe, roles, units, orders = job.recipe, job.recipe.roles, written.units is not None, plan.orders
    with counting(job.budget.counting, job.folder) as con:
        released = _released(job, written, con)
        check_identifiers(roles, released.repeats)
        ids = roles.unit if recipe.publishes_units else None
        rows = written.tally.rows
        try:
            recount = released.verify(recipe.counted, recipe.k, rows, units=units, linked=recipe.is_linked, ids=ids)
            if plan.absent:
                refuse_others(plan.absent, released.sizes(roles.strata))
            if units and not recipe.is_linked:
                released.links(recipe.k).refuse(recipe.refuse_links)
            if recipe.requirements:
                reached = released.reached(
                    recipe.counted, recipe.requirements, orders, rows, units=units, linked=recipe.is_linked
                )
                failures(reached)
                recount = replace(recount, held=reached)
        except RefusedError as error:
            raise RefusedError(f"{error}{hint_of(recipe)}") from None
        notes = spelling_note(*released.spellings()) if units else []
        if roles.weight is not None and recipe.weights == "keep":
            notes = [*notes, *rare_weights(released.rare_share(roles.weight, recipe.k), recipe.k)]
        return recount, _sensitive(recipe, released, orders, rows, units=units), notes


def _released(job: FileJob, written: Written, con: DuckDBPyConnection) -> Released:
    """What was written, as the recount sees it."""
    path, output = written.path, job.output
    if output.place == "folder":
        with read_back(job, path) as inputs:
            return Released.of_folder(
                con, [(one.path, one.folders) for one in inputs.files], output.columns, written.units
            )
    if output.format == "parquet":
        return Released.of_parquet(con, path, written.units)
    names, units = written.names, written.units
    return Released.of_text(con, path, names, job.delimiter, units, written.longest, output.compression)


def _sensitive(
    recipe: Recipe, released: Released, orders: Mapping[str, Order], rows: int, *, units: bool
) -> list[ClassesShow]:
    """What the classes show of every sensitive column."""
    roles = recipe.roles
    if not roles.sensitive:
        return []
    different = {name: released.different(name) for name in roles.sensitive}
    asked = to_show(different, close=not units)  # closeness is to records, in parts
    judged = declared(roles.sensitive, recipe.nominal, recipe.ordinal) | dict(orders)
    known = [*roles.quasi, *roles.strata, *recipe.places]
    return shown(released.reached(known, asked, judged, rows, units=units, linked=recipe.is_linked))
