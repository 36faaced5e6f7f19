"""All measures of a release: what an attacker gains, what an analyst loses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey import risk, utility
from covey.arrays import as_count
from covey.errors import OptionError
from covey.roles import as_names

if TYPE_CHECKING:
    from covey.evidence import Evidence, Measured

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

    Examples
    --------
    >>> import covey
    >>> covey.Measuring(sample=1000).sample
    1000
    """

    sample: int = 5000
    regressions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "sample", as_count(self.sample, "sample"))
        if self.sample < LEAST:
            msg = f"sample is {self.sample}; needed: at least {LEAST} records, or intervals say nothing"
            raise OptionError(msg)
        object.__setattr__(self, "regressions", as_names(self.regressions, "regressions"))


@dataclass(frozen=True)
class Measures:
    """What was measured."""

    risk: tuple[Measured, ...] = ()
    utility: tuple[Measured, ...] = ()
    public: bool = False
    """Whether what was lost in all may be public: see `Evidence.is_public`."""
    strata: tuple[Measured, ...] = ()
    """The changes in every stratum; the worst of each is among `utility`."""

    def of(self, name: str) -> float:
        """The first measure of that name."""
        return next(measured.value for measured in (*self.risk, *self.utility) if measured.name == name)


def measure(evidence: Evidence, wanted: Measuring) -> Measures:
    """Take all measures. Needs the extra `report` (scipy)."""
    risks = tuple(found for one in risk.MEASURES for found in one(evidence))
    uses = tuple(found for one in utility.MEASURES for found in one(evidence))
    extra = tuple(found for formula in wanted.regressions for found in utility.regression(evidence, formula))
    strata = tuple(utility.by_stratum(evidence))
    return Measures(risks, (*uses, *utility.worst(strata), *extra), evidence.is_public, strata)
