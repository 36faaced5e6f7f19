"""The steps of one release from file to file."""

from __future__ import annotations

import os
import secrets
import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.units import spelling_note
from covey.columns.weights import rare_weights
from covey.errors import InputError, OptionError, RefusedError
from covey.files.budget import Budget
from covey.files.passes import Making
from covey.files.source import ParquetSource, TextSource
from covey.files.writing import ParquetWriter, TextWriter, in_order, write_parts
from covey.io import delimited
from covey.io.columnar import parquet_parts
from covey.io.inference import Declared
from covey.io.reading import check_text
from covey.io.staging import StagedFile
from covey.io.writing import Companions, commit
from covey.ledger import enter, look_up, trace_of
from covey.memory import OF_TWO, SmallGroupsWarning, as_text, is_judged_date, with_types
from covey.parts.make_plan import check_recipe
from covey.parts.measures import measure_drawn
from covey.parts.survey import ROW
from covey.parts.tally import Tally, facts_of
from covey.protect.prepare import repeated_identifier
from covey.recount.duckdb import SPELLED, UNIT, Released, counting
from covey.recount.release import hint_of
from covey.recount.requirements import declared, shown, to_show
from covey.report.certificate import Certificate
from covey.report.collect import Report, collect
from covey.utility import terms
from covey.utils import randomness
from covey.utils.extras import load
from covey.utils.hashing import mixed
from covey.utils.seal import Seal
from covey.utils.tempfiles import nameless_handle, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from covey.files.source import Source
    from covey.io.location import Location
    from covey.measures.measures import Measuring
    from covey.parts.part import Part
    from covey.parts.plan import Plan
    from covey.protect.facts import Facts
    from covey.recipe.recipe import Recipe
    from covey.recount.classes import Recount
    from covey.recount.requirements import ClassesShow, Order
    from covey.utils.notes import Note


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
    """What there is to report about the file and earlier releases."""

    def __repr__(self) -> str:
        return f"<FileRelease: {self.report.records_out} records, k = {self.certificate.k}, in {self.path.name!r}>"


class FileWork:
    """The steps of one release from file to file."""

    def __init__(
        self,
        place: Location,
        output: Location,
        recipe: Recipe,
        memory: int,
        step: Callable[[str], Any],
        measuring: Measuring | None,
        *,
        decimal: str | None,
        header: bool | None,
        formulas: str,
    ) -> None:
        self.output, self.step, self.measuring, self.formulas = output, step, measuring, formulas
        self.folder = output.path.resolve().parent
        declared = Declared(recipe.missing_codes, recipe.dates)
        self.source = open_source(place, decimal, step, declared, header=header)
        if recipe.entropy is None:
            recipe = recipe.with_changes(entropy=randomness.draw())
        roles = recipe.roles.settle(self.source.schema.names, drop_rest=recipe.drop_rest)
        recipe, self.notes = with_types(recipe.with_changes(roles=roles, drop_rest=False), self.source.mixed, ())
        self.recipe = recipe
        check_recipe(recipe, self.source.schema.names)
        self._keep_texts()
        self.origin = {"source": place.public, "format": place.format}
        self.budget = Budget(memory, self.source.row_bytes, len(roles.quasi))
        drawn = 0 if measuring is None else 4 * measuring.sample
        self.making = Making(self.source, recipe, self.budget, self.folder, step, drawn)
        self.tally = Tally()

    def _keep_texts(self) -> None:
        """Columns that are published as they are stay as they were written where their type would tell less."""
        roles = self.recipe.roles
        dates = [name for name in self.source.texts if is_judged_date(name, self.source, self.recipe)]
        texts = [name for name in self.source.texts if name in (*roles.keep, *roles.sensitive) and name not in dates]
        judged = [asked.column for asked in self.recipe.requirements if asked.column in texts]
        unclear = [name for name in judged if name not in self.recipe.nominal]
        if unclear:
            msg = (
                f"the values of {', '.join(unclear)} are written in different ways (250.1 and 250.10), and something is required of "
                "them; needed: one way; correct them, or declare the column a category (nominal, --nominal)"
            )
            raise InputError(msg)
        self.source.read_as_text(texts)
        self.notes += [as_text(name) for name in texts]

    def run(self, companions: Companions, *, force: bool, ledger: bool, refuse_overlap: bool) -> FileRelease:
        """All of it."""
        plan, survey = self.making.plan()
        if self.measuring is not None:
            for formula in self.measuring.regressions:
                terms(formula, plan.read(survey.sampled().slice(0, 1)).columns)
        if self.recipe.k == 2:
            warnings.warn(OF_TWO.text, SmallGroupsWarning, stacklevel=3)
        sums = survey.column_sums.values()
        known: dict[str, Any] = {"engine": "file", "table": survey.table_sums, "ledger": ledger}
        trace = trace_of(self.recipe.as_dict(), self.recipe.k, sums, survey.sketches, **known)
        past = look_up(trace, refuse=refuse_overlap).warn(level=4)
        with ExitStack() as stack:
            staged = StagedFile(self.output.path, force=force)
            stack.callback(staged.close)
            about = self._write(plan, staged, stack)
            self.step("recounting what was written")
            orders = plan.orders
            found, sensitive = self._recount(orders, staged.temporary)
            seal = Seal.of_file(staged.temporary, self._read_back(staged.temporary))
            shown = measure_drawn(plan, self.tally, self.measuring) if self.measuring else None
            facts = facts_of(plan, self.tally, shown)
            of_two = [OF_TWO] if self.recipe.k == 2 else []
            notes = [*self.source.notes, *self.notes, *facts.notes, *of_two]
            facts = replace(facts, sensitive=sensitive, notes=notes)
            done = self._finished(facts, found, seal, survey.table_sums.hash(str(self.recipe.entropy)))
            files: list[Any] = [staged]
            stack.callback(lambda: [one.close() for one in files[1:]])
            companions.stage(files, done.report.with_notes([*about, *past.notes]), done.certificate, force=force)
            commit(files)
            more = enter(trace, past)
        return replace(done, notes=[*about, *past.notes, *more])

    def _finished(self, facts: Facts, found: Recount, seal: Seal, keyed: str) -> FileRelease:
        origin = self.origin | {"keyed_hash": keyed}
        certificate = Certificate.of(self.recipe, found, facts, origin).sealed(seal)
        return FileRelease(self.output.path, certificate, collect(facts, found, self.recipe), self.recipe)

    # -- the file

    def _write(self, plan: Plan, staged: StagedFile, stack: ExitStack) -> list[Note]:
        place = self.output
        delimiter = {"delimiter": "\t"} if place.format == "tsv" else {}
        writer = (
            ParquetWriter(staged.temporary)
            if place.format == "parquet"
            else TextWriter(staged.temporary, self.source.dialect | delimiter, self.formulas)
        )
        stack.callback(writer.close)
        self.writer: ParquetWriter | TextWriter = writer
        self.units = self._units_file(stack)
        parts = self._counted(self.making.parts(plan))
        if self.recipe.shuffle:
            tables: Iterator[Any] = (part.table for part in parts)
        else:
            tables = in_order(parts, self.source.rows, self.budget.released_rows, self.folder, self._add_units)
        write_parts(tables, writer, place.path)
        if self.units is not None:
            self.units.close()
        return writer.notes

    def _units_file(self, stack: ExitStack) -> ParquetWriter | None:
        if self.recipe.roles.unit is None:
            return None
        handle = nameless_handle(self.folder)
        if handle is None:
            msg = "a unit is given, and this file system has no files without a name, which its recount needs; release in memory"
            raise OptionError(msg)
        stack.callback(os.close, handle)
        self.key = secrets.randbits(63)
        return ParquetWriter(Path(path_of(handle)))

    def _counted(self, parts: Iterator[Part]) -> Iterator[Part]:
        for part in parts:
            self.published = [name for name in part.table.column_names if name != ROW]
            self.tally.merge(part.tally)
            self._add_units(part)
            yield part

    def _add_units(self, part: Part) -> None:
        if self.units is not None and part.units is not None:
            read, spelled = (mixed(numbers ^ np.uint64(self.key)) for numbers in part.units)
            self.units.add(load("pyarrow").table({UNIT: read, SPELLED: spelled}))

    # -- the recount

    def _read_back(self, path: Path) -> Iterator[Any]:
        """The tables that a stranger reads in the file, one after the other."""
        if self.output.format == "parquet":
            return parquet_parts(path)
        return iter(delimited.TextParts(path, "\t" if self.output.format == "tsv" else None, header=True))

    def _recount(self, orders: Mapping[str, Order], path: Path) -> tuple[Recount, list[ClassesShow]]:
        roles = self.recipe.roles
        linked = roles.unit if roles.unit in roles.random_ids else None
        units = None if self.units is None else self.units.path
        with counting(self.budget.counting, self.folder) as con:
            if self.output.format == "parquet":
                released = Released.of_parquet(con, path, units)
            else:
                sign = "\t" if self.output.format == "tsv" else self.source.dialect.get("delimiter", ",")
                longest = self.writer.longest if isinstance(self.writer, TextWriter) else 0
                released = Released.of_text(con, path, self.published, sign, units, longest)
            for name in roles.random_ids:
                if name != roles.unit and released.repeats(name):
                    raise repeated_identifier(name)
            try:
                found = released.verify(
                    self.recipe.counted, self.recipe.k, self.tally.rows, units=units is not None, linked=linked
                )
            except RefusedError as error:
                raise RefusedError(f"{error}{hint_of(self.recipe)}") from None
            self.notes += [] if units is None else spelling_note(*released.spellings())
            if roles.weight is not None and self.recipe.weights == "keep":
                self.notes += rare_weights(released.rare_share(roles.weight, self.recipe.k), self.recipe.k)
            asked = self.recipe.requirements
            if asked:
                held = released.held(self.recipe.counted, asked, orders, self.tally.rows, units=units is not None)
                found = replace(found, held=held)
            return found, self._sensitive(released, orders)

    def _sensitive(self, released: Released, orders: Mapping[str, Order]) -> list[ClassesShow]:
        """What the classes show of every sensitive column."""
        roles = self.recipe.roles
        if not roles.sensitive:
            return []
        different = {name: released.different(name) for name in roles.sensitive}
        asked = to_show(different, close=self.units is None)  # closeness is to records, in parts
        known = [*roles.quasi, *roles.strata]
        orders = declared(roles.sensitive, self.recipe.nominal, self.recipe.ordinal) | dict(orders)
        return shown(released.reached(known, asked, orders, self.tally.rows, units=self.units is not None))


def open_source(
    place: Location,
    decimal: str | None,
    step: Callable[[str], Any],
    declared: Declared | None = None,
    *,
    header: bool | None = None,
) -> Source:
    """The table at a place."""
    check_text(place, {"decimal": decimal, "header": header})
    if place.format == "parquet":
        source: Source = ParquetSource(place.path, declared or Declared())
    else:
        source = TextSource(place.path, place.format, decimal, step, declared, header=header)
    names = source.schema.names
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles or not names:
        msg = f"columns named more than once, or none: {', '.join(doubles)}; needed: every name once; rename them first"
        raise InputError(msg)
    return source
