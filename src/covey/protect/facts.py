"""`Facts`: what there is to say about a release."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from covey.errors import RefusedError
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.of_table import OfTable
    from covey.columns.own_values import OwnValues
    from covey.core.requirement import Requirement
    from covey.measures.measures import Measures
    from covey.recipe.recipe import Recipe
    from covey.recount.absent import Absent
    from covey.recount.requirements import ClassesShow, Order
    from covey.report.records import GroupFacts, LeftOutFacts
    from covey.risk.records import RecordRisk
    from covey.utility.distributions import Distribution


@dataclass(frozen=True, eq=False)
class Facts:
    """What there is to say about a release; nothing of the original beside what is said here."""

    rows_in: int
    suppressed: int = 0
    notes: list[Note] = field(default_factory=list)
    groups: list[GroupFacts] = field(default_factory=list)
    """For each block: its columns, the method, the number of groups, what was lost (in % of the variation)."""
    own: Mapping[str, OwnValues] = field(default_factory=dict)
    totals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Column to its (weighted) total before and after."""
    measures: Measures | None = None
    distributions: Sequence[Distribution] = ()
    released_distributions: Sequence[Distribution] = ()
    """The same of the release alone, in bins that follow from it: what may be public."""
    record_risk: RecordRisk | None = None
    """The risk of each record, where that was asked for."""
    orders: Mapping[str, Order] = field(default_factory=dict)
    """How the sensitive columns with a requirement are judged: in an order or not."""
    checked: list[Requirement] = field(default_factory=list)
    """What was checked on the amounts behind released means: released values alone do not show it."""
    withheld: list[str] = field(default_factory=list)
    """Columns of whose total one record makes more than half: it would tell of that record."""
    left_out: LeftOutFacts | None = None
    """The records that are left out because they cost most, where that was asked for."""
    absent: Sequence[Absent] = ()
    """Who is absent of every published stratum, where that was asked for: for the recount."""
    rows_out: int = 0
    """The number of rows that are published."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What every quasi-identifier was taken for: numbers, dates or categories."""
    tables: Sequence[OfTable] = ()
    """Which published rows stand for those of either table, where it was joined of two."""
    sensitive: list[ClassesShow] = field(default_factory=list)
    """What the classes show of sensitive columns."""


def own_value_notes(recipe: Recipe, own: Mapping[str, OwnValues]) -> list[Note]:
    """Groups whose value gives one member away: an error where the recipe says so, else a note."""
    some = {name: counts for name, counts in own.items() if counts.any}
    if not some:
        return []
    text = f"some groups give a member away: {'; '.join(f'of {name}, {counts}' for name, counts in some.items())}"
    if recipe.refuse_own_values:
        raise RefusedError(f"{text}; refused as asked; choose a larger k or another aggregate")
    return [Note(NoteKind.OWN_VALUES, text)]
