"""The whole path in one call: a table, the roles of its columns and a recipe become a release."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from covey.columns.codes import Sign, looked_at, refuse_codes, signs_of, undeclared
from covey.columns.values import read_values
from covey.errors import InputError, OptionError, shown
from covey.io import Loaded, read, write_release
from covey.io.inference import Declared
from covey.io.loaded import Labels
from covey.io.location import locate
from covey.io.reading import with_declared
from covey.io.size import fits_memory
from covey.ledger import Past, Trace, enter, ledger_path, look_up, trace_of
from covey.measures.measures import EXACT, Measuring
from covey.protect.work import protect
from covey.recipe.checks import check_effects
from covey.recipe.engines import Engine, Wish, check_engine
from covey.recipe.keywords import Choices, names_choices
from covey.recipe.recipe import Recipe, read_recipe
from covey.recount.absent import refuse_others, sizes_of
from covey.recount.release import recount_release
from covey.recount.requirements import ClassesShow, Order, declared, show
from covey.report.certificate import Certificate
from covey.report.collect import Report, collect
from covey.report.notebook import html_of, plot_losses
from covey.utils.arrow import Table, pa
from covey.utils.extras import is_installed
from covey.utils.frame import to_arrow
from covey.utils.hashing import Sums, numbers_of
from covey.utils.notes import Note, NoteKind
from covey.utils.progress import steps
from covey.utils.sketch import TableSketches

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

    from covey.protect.facts import Facts
    from covey.recount.absent import Absent
    from covey.recount.classes import Recount
    from covey.recount.readings import Units
    from covey.risk.records import RecordRisk
    from covey.utils.typing import Progress

__all__ = [
    "OF_TWO",
    "Release",
    "SmallGroupsWarning",
    "as_text",
    "check_size",
    "check_wishes",
    "code_signs",
    "is_judged_date",
    "load_table",
    "recipe_of",
    "release",
    "settled",
    "with_types",
]


OF_TWO = Note(
    NoteKind.K_IS_TWO,
    "k is 2: in a class of two, each of the two knows which record is the other's; 3 or more is usual",
    public=True,
)


USUALLY: Measuring | None = Measuring()
"""What is measured where nothing is said."""


class SmallGroupsWarning(UserWarning):
    """k = 2: whoever has found one of two records has found the other, too."""


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """A protected table, recounted, with what there is to say about it.

    Holds nothing of the original, but for the few values that `Measuring(originals=True)` asks for in the internal report.

    Attributes
    ----------
    table
        Of the kind that came in: of polars for a LazyFrame; of pyarrow for what comes in batches and is no dataframe. Its rows are in random
        order (unless `shuffle` is off), and a pandas index is new: neither leads back to the original.
    certificate
        What was counted.
    report
        What was done and lost; `report.public()` may be handed out.
    recipe
        Every choice, the entropy included: keep it where the original is kept.
    arrow
        The table as Arrow.
    units
        The numbers of the rows' units, by which the recount of a file counts them.
    past
        What the ledger says of earlier releases of the same records.
    record_risk
        The risk of each record by input row, where `Measuring(records=True)` asked for it: keep it where the original is kept.
    labels, dialect
        What formats need: labels of variables and values, delimiter and decimal sign of a text file.
    orders
        How the sensitive columns with a requirement are judged, for the recount.
    absent
        How many records of each published stratum are not published where `suppress` is given, for the recount.
    trace
        The table that came in and the settings, as the ledger knows them; None where it is switched off.

    Examples
    --------
    >>> import covey
    >>> covey.release(covey.datasets.load_patients(), k=5, quasi=["age"], drop_rest=True)
    <Release: 3000 records in random order, k = 5 records>
    """

    table: Any
    certificate: Certificate
    report: Report
    recipe: Recipe
    arrow: Table
    units: Units | None
    labels: Labels = field(default_factory=Labels)
    orders: Mapping[str, Order] = field(default_factory=dict)
    trace: Trace | None = None
    past: Past = field(default_factory=Past)
    dialect: Mapping[str, str] = field(default_factory=dict)
    record_risk: RecordRisk | None = None
    absent: Sequence[Absent] = ()

    def __repr__(self) -> str:
        what = "units" if self.recipe.roles.unit else "records"
        order = "in random order" if self.recipe.shuffle else "in their order"
        return f"<Release: {self.arrow.num_rows} records {order}, k = {self.certificate.k} {what}>"

    def _repr_html_(self) -> str:
        rows = "shuffled: row and index say nothing of the original" if self.recipe.shuffle else "in their order"
        return html_of(self.report, "Release", [("rows", rows)])

    def plot(self) -> Figure:
        """What every column lost, as a figure of matplotlib: the public numbers."""
        return plot_losses(self.report)

    def recount(self, table: Table) -> Recount:
        """Recount a table that claims to be this release, as read back from where it was written."""
        return _recounted(table, self.recipe, self.units, self.arrow.num_rows, self.orders, self.absent)

    def write(self, target: str | Path, *, force: bool = False, **options: Any) -> list[Note]:
        """Write the release to a file or database table: to a temporary one first, which is read back and recounted.

        Returns what there is to report about the format. See `covey.io.write_release` for the options.
        """
        return write_release(self, target, force=force, **options)

    def enter(self) -> list[Note]:
        """Enter the release into the ledger, as `write` does: for those who publish its table by other means. What there is to report."""
        return enter(self.trace, self.past)


@names_choices
def release(
    table: Any,
    k: int | None = None,
    *,
    recipe: Recipe | str | Path | None = None,
    progress: Progress | bool | None = None,
    measuring: Measuring | bool | None = None,
    ledger: bool = True,
    refuse_overlap: bool = False,
    **choices: Unpack[Choices],
) -> Release:
    """Protect a table: every record becomes one of at least k that share their quasi-identifiers.

    Columns become comparable coordinates, a method groups the records, groups become values in the columns' own types. What is promised: k-anonymity
    for the declared columns, recounted on the released values before anything is returned.

    Parameters
    ----------
    table
        A dataframe (pandas, polars, pyarrow), what is computed when it is asked for (a LazyFrame of polars, a relation of DuckDB, a
        `pyarrow.dataset`) or comes in batches (a `RecordBatchReader`, anything with `__arrow_c_stream__`), or the path or URL of something
        `covey.io.read` can read.
    k
        At least so many records (units, where there are some) share their released values.
    recipe
        A `Recipe`, or the path of one, gives all choices at once; choices beside it change it.
    progress
        Called with what is being done; True shows it in a terminal or a notebook.
    measuring
        What an attacker gains and an analyst loses is measured for the report: how is said by a `Measuring`; False leaves it out, which
        saves time on large tables. Where nothing is said it is measured if the extra `report` is installed.
    ledger
        Whether to look for earlier releases of the same records, which is a `ReleasedBeforeWarning`: see `covey.ledger`. The release
        itself is entered when it is written (`Release.write`); who publishes its table by other means calls `Release.enter`.
    refuse_overlap
        Whether earlier releases of the same records are an error.
    choices
        The fields of `Recipe` and of `Roles`: quasi, sensitive, drop, unit, ...

    Returns
    -------
    Release
        The released table, its certificate, its report and its recipe.

    Raises
    ------
    InputError
        A column has no role, is missing or has gaps, a stratum is below k, ...
    InfeasibleError
        Nothing meets all that was asked for.
    RefusedError
        The recount falls short, or the same records were released before and `refuse_overlap` is given.

    Examples
    --------
    >>> import covey
    >>> patients = covey.datasets.load_patients()
    >>> done = covey.release(patients, k=5, quasi=["age", "charge"], sensitive=["diagnosis"], drop_rest=True)
    >>> done.certificate.k, len(done.table)
    (5, 3000)
    """
    if progress is True:
        with steps() as following:
            return release(
                table,
                k,
                recipe=recipe,
                progress=following,
                measuring=measuring,
                ledger=ledger,
                refuse_overlap=refuse_overlap,
                **choices,
            )
    chosen = recipe_of(k, recipe, choices)
    wanted = wished(measuring)
    check_wishes(Engine.MEMORY, chosen, wanted)
    step = progress if callable(progress) else (lambda _what: None)
    step("reading")
    loaded, native = load_table(table, chosen)
    came_in, chosen = settled(loaded, chosen)
    keyed, trace = _traces(came_in, chosen, ledger=ledger)
    past = look_up(trace, refuse=refuse_overlap).warn()
    loaded = _as_written(came_in, chosen)
    released, units, facts = protect(loaded.table, chosen, step, wanted, typed=came_in.table, tables=loaded.tables)
    notes = [*loaded.notes, *facts.notes]
    if chosen.k == 2:
        warnings.warn(OF_TWO.text, SmallGroupsWarning, stacklevel=2)
        notes.append(OF_TWO)
    facts = replace(facts, notes=notes, sensitive=_sensitive(released, units, chosen, facts))
    step("recounting")
    found = _recounted(released, chosen, units, released.num_rows, facts.orders, facts.absent)
    origin = loaded.origin | {"keyed_hash": keyed}
    certificate = Certificate.of(chosen, found, facts, origin)
    report = collect(facts, found, chosen, str(origin.get("source")))
    return Release(
        native(released),
        certificate,
        report,
        chosen,
        released,
        units,
        labels=loaded.labels,
        orders=facts.orders,
        trace=trace,
        past=past,
        dialect=loaded.dialect,
        record_risk=facts.record_risk,
        absent=facts.absent,
    )


def _recounted(
    table: Table, recipe: Recipe, units: Units | None, rows: int, orders: Mapping[str, Order], absent: Sequence[Absent]
) -> Recount:
    """The recount of a table, and of who is absent from it."""
    found = recount_release(table, recipe, units, rows, orders)
    if absent:
        refuse_others(absent, sizes_of(table, recipe.roles.strata))
    return found


def wished(measuring: object) -> Measuring | None:
    """What to measure, where something is said, or nothing; where nothing is said, what is usual."""
    if measuring is None:
        return USUALLY if is_installed("scipy") else None
    if isinstance(measuring, bool):
        return Measuring() if measuring else None
    if not isinstance(measuring, Measuring):
        raise OptionError(f"measuring is {shown(measuring)}; needed: covey.Measuring(), True, False or nothing")
    return measuring


def check_wishes(engine: Engine, recipe: Recipe, measuring: object, *, tables: bool = False) -> None:
    """An error for what an engine cannot do, and unless `measuring` says what to measure, or nothing: before the work."""
    if measuring is not None and not isinstance(measuring, Measuring):
        raise OptionError(f"measuring is {shown(measuring)}; needed: covey.Measuring() or nothing")
    measured = measuring or Measuring()
    wish = Wish(
        recipe,
        measured.sample == EXACT,
        measured.records,
        bool(measured.domains),
        measured.originals,
        measured.bound_seconds is not None,
        tables,
    )
    check_engine(engine, wish)


def _traces(loaded: Loaded, recipe: Recipe, *, ledger: bool) -> tuple[str, Trace | None]:
    """The table under the secret of the release, and as the ledger knows it."""
    names = [name for name in loaded.table.column_names if name in recipe.read_columns]
    numbers = {name: numbers_of(loaded.table.column(name)) for name in names}
    table, columns, sketches = Sums(), {name: Sums() for name in recipe.roles.quasi}, TableSketches()
    table.add_numbers(numbers.values())
    for name, sums in columns.items():
        sums.add_numbers([numbers[name]])
    if ledger and ledger_path() is not None:
        sketches.add_table(loaded.table, numbers, recipe.roles)
    trace = trace_of(
        recipe.as_dict(), recipe.k, columns.values(), sketches, engine="memory", table=table, ledger=ledger
    )
    return table.hash(str(recipe.entropy)), trace


def _sensitive(released: Table, units: Units | None, recipe: Recipe, facts: Facts) -> list[ClassesShow]:
    """What the classes show of every sensitive column; of one of a second table, those that have a row there."""
    roles = recipe.roles
    judged = declared(roles.sensitive, recipe.nominal, recipe.ordinal) | dict(facts.orders)
    known = [*roles.quasi, *roles.strata, *recipe.places]
    second = facts.tables[1] if facts.tables else None
    beside = [name for name in roles.sensitive if second is not None and name in second.columns]
    others = [name for name in roles.sensitive if name not in beside]
    shown = show(released, known, units, others, judged, linked=recipe.is_linked) if others else []
    if beside and second is not None and units is not None:
        there, of = released.take(pa.array(second.numbers)), units.among(second.numbers)
        shown += show(there, known, of, beside, judged, linked=recipe.is_linked)
    return shown


def load_table(table: Any, recipe: Recipe) -> tuple[Loaded, Callable[[Any], Any]]:
    """The table as Arrow, and the way back to its kind."""
    if isinstance(table, str | Path):
        check_size(table)
        table = read(table, missing_codes=recipe.missing_codes, dates=recipe.dates)
    if isinstance(table, Loaded):
        return table, lambda released: released
    arrow, native, notes = to_arrow(table, list(recipe.roles.named()))
    return Loaded(arrow, notes, origin={"source": "a dataframe"}), native


def check_size(table: str | Path) -> None:
    """An error for a file that is too large to be released in memory."""
    if not fits_memory(table):
        raise OptionError(
            f"the table is {locate(table).public!r}, which is too large to be released in memory here; needed: more free memory, or a "
            "release from file to file (covey.release_file(source, target), covey release); to try all the same, release "
            "covey.io.read(source)"
        )


def settled(loaded: Loaded, recipe: Recipe) -> tuple[Loaded, Recipe]:
    """The table and the recipe with a role for every column and no doubt what its values are; an error that asks where there is one."""
    recipe = recipe.settled(loaded.table.column_names)
    check_effects(recipe, loaded.table.column_names)
    loaded = with_declared(loaded, Declared(recipe.missing_codes, recipe.dates))
    recipe, notes = with_types(recipe, loaded.mixed, loaded.nominal)
    refuse_codes({name: code_signs(loaded, name) for name in undeclared(recipe)})
    return replace(loaded, notes=[*loaded.notes, *notes]), recipe


def code_signs(loaded: Loaded, name: str) -> tuple[Sign, ...]:
    """Why a column of a table looks like codes."""
    labels = loaded.labels
    found = looked_at(read_values(name, loaded.table.column(name)))
    return signs_of(found, labelled=name in labels.texts, declared=labels.measures.get(name) in ("nominal", "ordinal"))


def _as_written(loaded: Loaded, recipe: Recipe) -> Loaded:
    """Columns that are not computed with stay as they were written where their type would tell less: 250.10 is not 250.1."""
    table, notes = loaded.table, [*loaded.notes]
    computed = [name for name in recipe.roles.quasi if name not in recipe.looked_up]
    computed += [*recipe.coded_beside, *recipe.grid]
    for name, text in loaded.texts.items():
        if name not in (*computed, recipe.roles.weight, *recipe.roles.replicate_weights) and not is_judged_date(
            name, table, recipe
        ):
            table = table.set_column(table.column_names.index(name), name, text)
            if name in (*recipe.roles.keep, *recipe.roles.sensitive):
                notes.append(as_text(name))
    return replace(loaded, table=table, notes=notes)


def as_text(name: str) -> Note:
    """The note on a column whose type would tell less than what is written."""
    return Note(NoteKind.TYPES, f"column {name!r} is published as text, as it was written")


def is_judged_date(name: str, table: Any, recipe: Recipe) -> bool:
    """Whether something is required of a column of dates: it is published as they are read, so that the recount sees their order."""
    asked = any(requirement.column == name for requirement in recipe.requirements)
    return asked and name not in recipe.nominal and bool(pa.types.is_temporal(table.schema.field(name).type))


def with_types(recipe: Recipe, mixed: Mapping[str, str], labelled: Sequence[str]) -> tuple[Recipe, list[Note]]:
    """Columns whose values all have labels are categories; columns of numbers and text must be declared. And what to report."""
    declared, notes = (*recipe.nominal, *recipe.ordinal, *recipe.number, *recipe.hierarchy), []
    for name, why in mixed.items():
        if name in recipe.roles.quasi and name not in (*recipe.nominal, *recipe.ordinal, *recipe.looked_up):
            raise InputError(
                f"the quasi-identifier {name!r} has no clear type: {why}; needed: one type; correct the values, or declare it a "
                "category (nominal, --nominal)"
            )
        if name in (*recipe.roles.keep, *recipe.roles.sensitive):
            text = f"column {name!r} has no clear type and is published as text: {why}"
            notes.append(Note(NoteKind.TYPES, text))
    more = [name for name in labelled if name in recipe.roles.quasi and name not in declared]
    return (recipe.with_changes(nominal=(*recipe.nominal, *more)) if more else recipe), notes


def recipe_of(k: int | None, recipe: Recipe | str | Path | None, choices: Mapping[str, object]) -> Recipe:
    """The recipe, changed by choices beside it."""
    changes = dict(choices) | ({} if k is None else {"k": k})
    if recipe is None:
        return Recipe.from_dict(changes)
    if isinstance(recipe, str | Path):
        recipe = read_recipe(Path(recipe))
    if not isinstance(recipe, Recipe):
        raise OptionError(f"recipe is {shown(recipe)}; needed: a covey.Recipe or the path of one")
    return Recipe.from_dict(recipe.as_dict() | changes) if changes else recipe
