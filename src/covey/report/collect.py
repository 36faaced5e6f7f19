"""What there is to report of a release: plain values, no original value of any record."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from covey.measures.measures import Measures
from covey.report.certificate import promise
from covey.report.notebook import html_of
from covey.report.records import (
    CodedEnd,
    GivenAway,
    GroupChoice,
    GroupFacts,
    LeftOutFacts,
    RequirementReached,
    StratumChanges,
    TableRecords,
    Total,
)
from covey.report.settings import Setting, kinds_of, settings_of
from covey.utils.notes import Note, NoteKind
from covey.utils.version import version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import DataclassInstance

    from covey.core.measure import Measure
    from covey.evidence import Measured
    from covey.protect.facts import Facts
    from covey.recipe.recipe import Recipe
    from covey.recount.classes import Recount
    from covey.recount.few_columns import OfFew
    from covey.recount.requirements import ClassesShow
    from covey.risk.riskiest import Combination
    from covey.utility.columns import ColumnSummary
    from covey.utility.distributions import Distribution
    from covey.utility.domains import DomainFigure

BESIDE = Note(
    NoteKind.LINKED_TABLES,
    "a measure of one column is taken on the records of its own table, and classes and chances to name somebody count records of the first table; "
    "record linkage, information lost and other measures of several columns at once are taken on the records of the second table, each joined "
    "with its record of the first, and on the records of the first that none of the second belongs to",
    public=True,
)
NOT_OF_TABLES = Note(
    NoteKind.LINKED_TABLES,
    "special uniques are not counted, since records of two kinds are not one another's doubles; nor are figures of columns of the first table in "
    "domains of the second, since who has rows of several domains belongs to no single one",
)
Record = TypeVar("Record", bound="DataclassInstance")

MOST_STRATA = 100


class Public(NamedTuple):
    """The part of a public report that is measured."""

    risk: list[Measured]
    utility: list[Measured]
    distributions: list[Distribution]


@dataclass(frozen=True)
class Report:
    """What was done, what is lost, what to know before publishing."""

    covey: str
    title: str | None
    """What the data are, and who publishes them, in the words of whoever made the release."""
    publisher: str | None
    made: str
    """The day."""
    file: str | None
    """The name of the file, where the release was written to one."""
    source: str | None
    """Where the table came from: internal."""
    promise: str
    k_asked: int
    k_achieved: int
    of_few: OfFew | None
    """The smallest class over any few columns, where k was asked of those and not of all."""
    counted_in: str
    rows_linked: bool
    """Whether others may link the rows of a unit, so that units look the same in all of their rows."""
    counted_over: list[str]
    """The columns that an attacker is taken to know: quasi-identifiers, strata and a published weight."""
    tables: list[TableRecords]
    """The records of each of two linked tables: those of the first are the records of this report. Empty for a single table."""
    records_in: int | None
    records_out: int
    suppressed: int | None
    classes: int
    class_sizes: dict[int, int]
    roles: dict[str, list[str]]
    kinds: dict[str, list[str]]
    """What the quasi-identifiers were taken for: numbers, dates, categories."""
    settings: list[Setting]
    groups: list[GroupFacts]
    """The groups of every block of columns, and what they lost: internal."""
    left_out: LeftOutFacts | None
    """The records that are left out because they cost most, and what that buys: internal."""
    own_values: list[GivenAway]
    totals: list[Total]
    sensitive: list[ClassesShow]
    requirements: list[RequirementReached]
    """What was asked of sensitive columns, and what the worst class reaches of it."""
    notes: list[Note]
    risk: list[Measured]
    utility: list[Measured]
    strata: list[StratumChanges]
    """For the largest strata, what changed in each column: internal."""
    distributions: list[Distribution]
    columns: list[ColumnSummary]
    """What every column holds; before, too, in an internal report."""
    riskiest: list[Combination]
    """The riskiest combinations of the original, where original values were asked for: internal."""
    domains: list[DomainFigure]
    """Means, totals and shares by domain: internal."""
    coding: list[CodedEnd]
    """Which ends of columns were coded, and where, as it was asked for: a value, or a quantile such as "99%"."""
    reasons: dict[str, str]
    """Why columns have their roles, in the words of whoever made the release."""
    choices: list[GroupChoice]
    """How every block of columns was grouped, as it was chosen."""
    to_publish: Public
    """What the public version says of risk, utility and distributions."""
    internal: bool = True
    """Whether it may say everything. The public version says what follows from the release, and what `covey.measures.published` lists."""

    def public(self) -> Report:
        """The version that may be handed out: what follows from the release and the choices, and the numbers of `covey.measures.published`."""
        return replace(
            self,
            internal=False,
            tables=[replace(one, came_in=None) for one in self.tables],
            records_in=None,
            suppressed=None,
            groups=[],
            left_out=None,
            own_values=[],  # where to look
            totals=[],  # with what is released they would tell of records that were suppressed, coded or extreme
            sensitive=_rounded(self.sensitive),
            requirements=_rounded(self.requirements),
            notes=[note for note in self.notes if note.public],
            risk=_rounded(self.to_publish.risk),
            utility=_rounded(self.to_publish.utility),
            strata=[],
            distributions=_rounded(self.to_publish.distributions),
            source=None,
            settings=[replace(one, value=one.public_value) for one in self.settings if one.public_value is not None],
            columns=[one.public() for one in self.columns],
            riskiest=[],
            domains=[],
        )

    @property
    def came_in(self) -> list[int]:
        """How many records came in, of one table or of each of two; empty where that is not said."""
        numbers = [one.came_in for one in self.tables] if self.tables else [self.records_in]
        return [number for number in numbers if number is not None]

    @property
    def published(self) -> list[int]:
        """How many records are published, of one table or of each of two."""
        return [one.published for one in self.tables] if self.tables else [self.records_out]

    @property
    def k_in_words(self) -> str:
        """What was achieved and what was asked."""
        few = self.of_few
        achieved = (
            f"{self.k_achieved} achieved, {self.k_asked} asked"
            if few is None
            else f"{few.k} achieved for every {few.columns} columns, {self.k_asked} asked, and {self.k_achieved} for all together"
        )
        return f"{achieved}, counted in {self.counted_in}"

    @property
    def not_published(self) -> list[int]:
        """How many of those that came in are not published; empty where there are none, or where that is not said."""
        lost = [before - after for before, after in zip(self.came_in, self.published, strict=False)]
        return lost if any(lost) else []

    def with_notes(self, notes: Sequence[Note]) -> Report:
        """The same with more notes."""
        return replace(self, notes=[*self.notes, *notes])

    def of_tables(self, recipe: Recipe, promised: str, tables: Sequence[TableRecords]) -> Report:
        """The same for two linked tables: by the recipe that was asked for, not by that of the one table that they were joined to."""
        first = tables[0]
        return replace(
            self,
            notes=[*self.notes, *([BESIDE, NOT_OF_TABLES] if self.risk else [])],
            promise=promised,
            counted_over=recipe.counted,
            tables=list(tables),
            records_in=first.came_in,
            records_out=first.published,
            suppressed=None if first.came_in is None else first.came_in - first.published,
            roles=_roles(recipe),
            settings=settings_of(recipe),
        )

    def written(self, place: str, notes: Sequence[Note]) -> Report:
        """The same of what was written to a place, with what there is to report of that."""
        return replace(self.with_notes(notes), file=place)

    def _repr_html_(self) -> str:
        return html_of(self, "Report")

    def as_dict(self) -> dict[str, Any]:
        """All of it, as plain values."""
        kept = [field.name for field in fields(self) if field.name not in ("choices", "to_publish")]
        groups = self.groups if self.internal else self.choices
        return {name: _plain(groups if name == "groups" else getattr(self, name)) for name in kept}


def _plain(value: object) -> object:
    """A value of a report as JSON has it."""
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, Note):
        return value.text
    if hasattr(value, "as_dict"):
        return value.as_dict()
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value  # type: ignore[call-overload]


def _rounded(records: list[Record]) -> list[Record]:
    """Records with their numbers to three digits."""
    return [replace(one, **{f.name: _short(getattr(one, f.name)) for f in fields(one)}) for one in records]


def _short(value: object) -> object:
    """A number to three digits, or several."""
    if isinstance(value, tuple):
        return tuple(map(_short, value))
    return float(f"{value:.3g}") if isinstance(value, float) else value


def collect(facts: Facts, counted: Recount, recipe: Recipe, source: str | None = None) -> Report:
    """Collect the report of a release that was recounted; `source` says where the table came from."""
    measures = facts.measures or Measures()
    shared = [_shared(show.column) for show in facts.sensitive if show.distinct_l <= 1]
    return Report(
        covey=version(),
        title=recipe.title,
        publisher=recipe.publisher,
        made=dt.datetime.now(tz=dt.UTC).date().isoformat(),
        file=None,
        source=source,
        promise=promise(recipe, counted.k, facts.checked, counted.of_few),
        k_asked=recipe.k,
        k_achieved=counted.k,
        of_few=counted.of_few,
        counted_in="units" if recipe.roles.unit else "records",
        rows_linked=recipe.is_linked,
        counted_over=recipe.counted,
        tables=[],
        records_in=facts.rows_in,
        records_out=facts.rows_out,
        suppressed=facts.suppressed,
        classes=counted.classes,
        class_sizes=dict(sorted(counted.histogram.items())),
        roles=_roles(recipe),
        kinds=kinds_of(facts.kinds, recipe),
        settings=settings_of(recipe),
        groups=facts.groups,
        left_out=facts.left_out,
        own_values=[GivenAway(name, own) for name, own in facts.own.items() if own.any],
        totals=_totals(facts),
        sensitive=facts.sensitive,
        requirements=[
            RequirementReached(held.asked.column, held.asked.kind, str(held.asked), held.reached)
            for held in counted.held
        ],
        notes=[*facts.notes, *measures.notes, *shared],
        risk=list(measures.risk),
        utility=list(measures.utility),
        strata=_strata(measures.strata),
        distributions=list(facts.distributions),
        columns=list(measures.columns),
        riskiest=list(measures.riskiest),
        domains=list(measures.domains),
        coding=_coding(recipe),
        reasons=dict(recipe.reasons),
        choices=[group.choice for group in facts.groups],
        to_publish=Public(
            list(measures.public_risk),
            list(measures.public_utility),
            [replace(shares, before=None) for shares in facts.released_distributions],
        ),
    )


def _roles(recipe: Recipe) -> dict[str, list[str]]:
    """The columns of every role that has some."""
    roles = recipe.roles.as_dict().items()
    return {role: [columns] if isinstance(columns, str) else list(columns) for role, columns in roles if columns}


def _totals(facts: Facts) -> list[Total]:
    """The totals that may be shown."""
    totals = [Total(name, before, after) for name, (before, after) in facts.totals.items()]
    return [
        total
        for total in totals
        if math.isfinite(total.before) and math.isfinite(total.after) and total.column not in facts.withheld
    ]


def _coding(recipe: Recipe) -> list[CodedEnd]:
    """The ends that are coded, top ones first."""
    ends = (("top", recipe.top), ("bottom", recipe.bottom))
    return [CodedEnd(name, end, str(at)) for end, asked in ends for name, at in asked.items()]


def _shared(column: str) -> Note:
    """The note on a sensitive column that has one value in all of a class."""
    text = f"in some class all records have the same value of {column!r}: whoever knows that a person is in that class knows this value; k-anonymity does not prevent that"
    return Note(NoteKind.SENSITIVE, text)


def _strata(measures: Sequence[Measured]) -> list[StratumChanges]:
    """The changes of every stratum and column, of the largest strata."""
    largest = list(dict.fromkeys(measured.stratum for measured in measures))[:MOST_STRATA]
    changes: dict[tuple[str | None, str | None], dict[Measure, float]] = {}
    for measured in measures:
        if measured.stratum in largest:
            changes.setdefault((measured.stratum, measured.column), {})[measured.name] = measured.value
    places = sorted(changes, key=lambda place: largest.index(place[0]))  # of linked tables one comes after the other
    return [StratumChanges(*place, changes[place]) for place in places]
