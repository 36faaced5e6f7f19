"""What a report is made of: a record for each thing that it says."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from covey.core.measure import Measure
from covey.report.numbers import percent
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.columns.own_values import OwnValues


@dataclass(frozen=True)
class GroupChoice:
    """How the records were grouped, as it was chosen: the part of `GroupFacts` that may be public."""

    columns: list[str]
    method: str
    cost: str

    def as_dict(self) -> dict[str, Any]:
        """Plain values, None for those that are not public."""
        return dict.fromkeys(field.name for field in fields(GroupFacts)) | asdict(self)


def above_best(gap_percent: float) -> str | None:
    """How far a loss is at most above the best possible, in % of that, rounded up; None where no bound is above 0.

    >>> above_best(20.0), above_best(0.5), above_best(100.0)
    ('25 %', '0.6 %', None)
    """
    if gap_percent >= 100.0:
        return None
    above = 100.0 * gap_percent / (100.0 - gap_percent)
    return f"{math.ceil(above)} %" if above > 9.9 else f"{math.ceil(10.0 * above) / 10.0} %"


def bounded_for(required: bool, known: bool) -> str:  # noqa: FBT001
    """What a loss is compared with: groups of k, or groups that satisfy the requirements, too, where the bound knows them."""
    if not required:
        return "this k"
    return "this k and these requirements" if known else "k alone, without requirements"


@dataclass(frozen=True)
class GroupFacts:
    """The groups that were made of one block of columns, and what they lost, in percent of the variation."""

    columns: list[str]
    method: str
    groups: int
    smallest: int
    largest: int
    status: str
    """What is proven: "optimal" or "feasible"."""
    cost: str
    loss_percent: float
    loss_percent_without: float | None
    """What would be lost without the requirements on sensitive columns, where there are some."""
    gap_percent: float | None
    """How much of the loss is not proven necessary, where that is known."""
    gap_interval: tuple[float, float] | None
    """Where the gap lies with 95 %, where it was taken from a sample."""
    gap_with_requirements: bool = False
    """Whether the gap is to the best possible with the requirements, and not with k alone."""

    @property
    def above_best(self) -> str | None:
        """How far the loss is at most above the best possible, in a sentence; None where that is not known."""
        if self.gap_percent is None or self.status == "optimal":
            return None
        low, high = self.gap_interval or (None, None)
        most, *ends = (None if gap is None else above_best(gap) for gap in (self.gap_percent, low, high))
        if most is None:
            return None
        sampled = "" if None in ends else f" ({ends[0]} to {ends[1]}, from a sample)"
        of = bounded_for(self.loss_percent_without is not None, self.gap_with_requirements)
        return f"the loss is at most {most}{sampled} above the best possible for {of}"

    @property
    def choice(self) -> GroupChoice:
        """The part that may be public."""
        return GroupChoice(self.columns, self.method, self.cost)


def proven(group: GroupFacts) -> str:
    """What is proven of a grouping, of the cost that was minimised."""
    if group.status != "optimal":
        return "a good grouping, not proven the best"
    least = "the least possible" if group.cost == "sse" else f"the least possible for the cost {group.cost}"
    return least if group.loss_percent_without is None else f"{least} with these requirements"


@dataclass(frozen=True)
class TableRecords:
    """How many records of one of two linked tables came in, which is internal, and how many are published."""

    came_in: int | None
    published: int


@dataclass(frozen=True)
class LeftOutFacts:
    """The records that are left out because they cost most, and what that buys, in percent of a variation: internal."""

    records: int
    units: int
    best: bool
    """Whether no other choice of as many, or fewer, would lower the loss more."""
    loss_percent: float
    """What the published records lose, of the variation of all records, in the scales of all."""
    loss_percent_charged: float
    """The same where each record that is left out loses all that it differs from the mean of all."""
    loss_percent_of_published: float
    """What the published records lose, of their own variation, in the scales that follow from them: the loss of the groups, too."""
    as_missing: bool
    """Whether they are published without their quasi-identifiers."""


def left_out(facts: LeftOutFacts) -> str:
    """What leaving records out bought."""
    done = "published without quasi-identifiers" if facts.as_missing else "left out"
    best = ", the best choice" if facts.best else ""
    return (
        f"{counted(facts.records, 'record')} {done} since they cost most{best}: the others lose {percent(facts.loss_percent)} of the variation of "
        f"all records, {percent(facts.loss_percent_charged)} if those left out count as replaced by the mean of all; "
        f"{percent(facts.loss_percent_of_published)} of their own"
    )


@dataclass(frozen=True)
class Total:
    """The (weighted) total of a column before and after."""

    column: str
    before: float
    after: float

    @property
    def change_percent(self) -> float:
        """By how many percent it changed."""
        return 100 * (self.after - self.before) / self.before if self.before else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"change_percent": self.change_percent}


@dataclass(frozen=True)
class GivenAway:
    """How many groups of a column publish a value that gives one member away."""

    column: str
    counted: OwnValues

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"column": self.column, **self.counted._asdict()}


@dataclass(frozen=True)
class RequirementReached:
    """What was asked of a sensitive column, and what the worst class reaches of it."""

    column: str
    kind: str
    asked: str
    worst_class: float


@dataclass(frozen=True)
class CodedEnd:
    """An end of a column that was coded, "top" or "bottom", and where, as it was asked for."""

    column: str
    end: str
    asked: str


WITHIN_STRATA = {
    Measure.MEAN_MOVED_BY_STRATUM: "mean moved",
    Measure.VARIANCE_CHANGED_BY_STRATUM: "variance changed",
    Measure.QUANTILES_MOVED_BY_STRATUM: "quantiles moved",
    Measure.SHARES_MOVED_BY_STRATUM: "shares moved",
    Measure.TOTAL_CHANGED_BY_STRATUM: "total changed",
    Measure.CORRELATIONS_CHANGED_BY_STRATUM: "correlations changed",
}
"""How the changes within strata are called in a table of them."""


@dataclass(frozen=True)
class StratumChanges:
    """What changed in a column within one stratum; without a column, in all numbers together."""

    stratum: str | None
    column: str | None
    changes: Mapping[Measure, float]

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        changes = {WITHIN_STRATA[measure]: value for measure, value in self.changes.items()}
        return {"stratum": self.stratum, "column": self.column, **changes}
