"""All measures of a release: what an attacker gains, what an analyst loses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from covey import risk, utility
from covey.errors import OptionError
from covey.measures.published import of_tables, public_risks, public_uses
from covey.recipe.values import as_names, as_number
from covey.utils.arrays import as_count
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.core.measure import Measure
    from covey.evidence import Evidence, Measured
    from covey.risk.riskiest import Combination
    from covey.utility.columns import ColumnSummary
    from covey.utility.domains import DomainFigure

EXACT = 2**62
LEAST = 50


@dataclass(frozen=True)
class Measuring:
    """What to measure. All measures of risk and utility are taken; estimates from a sample come with an interval.

    Parameters
    ----------
    sample
        How many records estimates are taken from; `covey.measures.EXACT`: all.
    regressions
        Such as "income ~ age + visits": how their coefficients change.
    records
        Whether the risk of each record is kept, by input row: see `Release.write`.
    domains
        Columns of categories: means, totals and shares of their values, before and after, for the internal report.
    originals
        Whether the internal report may show values of the original: its riskiest combinations, and categories that are not released.
        The release then holds these few values.
    bound_seconds
        For how long, at most, the bound on the loss is raised ("tight" of `covey.space.lower_bound`), so that the gap says how far from
        the best the groups are. Without it, or for 0, the bound that is had at once.

    Examples
    --------
    >>> import covey
    >>> covey.Measuring(sample=1000).sample
    1000
    """

    sample: int = 5000
    regressions: tuple[str, ...] = ()
    records: bool = False
    domains: tuple[str, ...] = ()
    originals: bool = False
    bound_seconds: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "sample", as_count(self.sample, "sample"))
        if self.sample < LEAST:
            raise OptionError(f"sample is {self.sample}; needed: at least {LEAST} records, or intervals say nothing")
        object.__setattr__(self, "regressions", as_names(self.regressions, "regressions"))
        object.__setattr__(self, "domains", as_names(self.domains, "domains"))
        if self.bound_seconds is not None:
            object.__setattr__(self, "bound_seconds", as_number(self.bound_seconds, "bound_seconds", 0.0))


@dataclass(frozen=True)
class Measures:
    """What was measured."""

    risk: tuple[Measured, ...] = ()
    utility: tuple[Measured, ...] = ()
    strata: tuple[Measured, ...] = ()
    """The changes in every stratum; the worst of each is among `utility`."""
    public_risk: tuple[Measured, ...] = ()
    public_utility: tuple[Measured, ...] = ()
    """What a public report says: see `covey.measures.published`."""
    notes: tuple[Note, ...] = ()
    columns: tuple[ColumnSummary, ...] = ()
    """What every column holds before and after."""
    riskiest: tuple[Combination, ...] = ()
    """The riskiest combinations of the original, where original values are asked for."""
    domains: tuple[DomainFigure, ...] = ()

    def of(self, name: Measure) -> float:
        """The first measure of that name."""
        return next(measured.value for measured in (*self.risk, *self.utility) if measured.name == name)


NORMALISED_NOTE = Note(
    NoteKind.WEIGHTS,
    "the weights have a mean near 1 or below, as normalised weights have: they are not taken for numbers of people, and risks take the "
    "release for the population; give weights that sum to the population to have its risks",
)


def measure(evidence: Evidence, wanted: Measuring) -> Measures:
    """Take all measures. Needs the extra `report` (scipy)."""
    untouched, shown = evidence.untouched(), evidence.published()
    risks = [found for one in risk.MEASURES for found in beside_original(one(evidence), one(untouched))]
    uses = tuple(found for one in utility.MEASURES for found in of_tables(one, evidence))
    extra = tuple(found for formula in wanted.regressions for found in utility.regression(evidence, formula))
    strata = tuple(of_tables(utility.by_stratum, evidence))
    return Measures(
        tuple(risks),
        (*uses, *utility.worst(strata), *extra),
        strata,
        tuple(public_risks(shown)),
        tuple(public_uses(shown)),
        notes_of(evidence),
        tuple(
            summary
            for one in evidence.of_each_table()
            for summary in utility.column_summaries(one, named=wanted.originals)
        ),
        tuple(risk.riskiest(evidence)) if wanted.originals else (),
    )


def beside_original(measured: Sequence[Measured], in_original: Sequence[Measured]) -> list[Measured]:
    """Risks, each with what it would be, were the original published."""
    values = {(one.label, one.column): one.value for one in in_original}
    return [replace(one, original=values.get((one.label, one.column))) for one in measured]


def notes_of(evidence: Evidence) -> tuple[Note, ...]:
    """What to say of weights that are not taken for numbers of people."""
    return (NORMALISED_NOTE,) if evidence.weights is not None and evidence.people is None else ()
