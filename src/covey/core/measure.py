"""`Measure`: the measures of risk and utility, by the names that reports call them."""

from __future__ import annotations

from enum import StrEnum


class Unit(StrEnum):
    """What a measure counts in."""

    SHARE = "a share, from 0 to 1"
    PERCENT = "percent"
    RECORDS = "records"
    NUMBER = "a number"


class Measure(StrEnum):
    """A measure of what an attacker gains, or of what an analyst loses; its value is its name in reports."""

    RECORD_LINKAGE = "record linkage"
    GROUP_LINKAGE = "group linkage"
    RANK_INTERVALS = "rank interval disclosure"
    DEVIATION_INTERVALS = "deviation interval disclosure"
    PROSECUTOR_RISK = "prosecutor risk"
    JOURNALIST_RISK = "journalist risk"
    INDIVIDUAL_RISK = "individual risk"
    MARKETER_RISK = "marketer risk"
    REIDENTIFICATIONS = "expected re-identifications"
    UNIT_RISK = "unit risk"
    UNITS_NAMED = "expected units re-identified"
    RECORDS_BELOW = "records below"
    SPECIAL_UNIQUES = "special uniques"
    MATCH_IS_RIGHT = "match with a unique record right"
    PART_IN_UNIQUES = "part in special uniques"
    HOMOGENEOUS_CLASSES = "homogeneous classes"
    ATTRIBUTE_GUESS = "attribute guess"
    OWN_VALUES = "own values published"
    P_PERCENT = "p % rule broken"
    DOMINATED_GROUPS = "dominated groups"

    INFORMATION_LOSS = "information loss"
    VARIATION_LOST = "variation lost"
    LOST_BETWEEN_UNITS = "variation lost between units"
    LOST_INSIDE_UNITS = "variation lost inside units"
    GENERALISATION = "generalisation loss"
    IL1S = "IL1s"
    MEAN_MOVED = "mean moved"
    VARIANCE_CHANGED = "variance changed"
    QUANTILES_MOVED = "quantiles moved"
    CATEGORIES_CHANGED = "categories changed"
    SHARES_MOVED = "shares moved"
    TOTAL_CHANGED = "total changed"
    MEAN_CORRELATION_CHANGED = "correlations changed, mean"
    WORST_CORRELATION_CHANGED = "correlations changed, worst"
    EIGENVALUES_CHANGED = "eigenvalues changed"
    PROPENSITY_SCORE = "propensity score"
    PROPENSITY_RATIO = "propensity ratio"
    COEFFICIENT_MOVED = "coefficient moved"
    COEFFICIENT_OVERLAP = "coefficient overlap"

    MEAN_MOVED_BY_STRATUM = "mean moved by stratum"
    VARIANCE_CHANGED_BY_STRATUM = "variance changed by stratum"
    QUANTILES_MOVED_BY_STRATUM = "quantiles moved by stratum"
    SHARES_MOVED_BY_STRATUM = "shares moved by stratum"
    TOTAL_CHANGED_BY_STRATUM = "total changed by stratum"
    CORRELATIONS_CHANGED_BY_STRATUM = "correlations changed by stratum"

    @property
    def better(self) -> str:
        """Which direction is better."""
        return "higher" if self is Measure.COEFFICIENT_OVERLAP else "lower"

    @property
    def unit(self) -> Unit:
        """What it counts in."""
        return _UNITS.get(self, Unit.NUMBER)


_UNITS = {
    **dict.fromkeys(
        (
            Measure.RECORD_LINKAGE,
            Measure.GROUP_LINKAGE,
            Measure.RANK_INTERVALS,
            Measure.DEVIATION_INTERVALS,
            Measure.PROSECUTOR_RISK,
            Measure.JOURNALIST_RISK,
            Measure.INDIVIDUAL_RISK,
            Measure.MARKETER_RISK,
            Measure.UNIT_RISK,
            Measure.MATCH_IS_RIGHT,
            Measure.PART_IN_UNIQUES,
            Measure.HOMOGENEOUS_CLASSES,
            Measure.ATTRIBUTE_GUESS,
            Measure.OWN_VALUES,
            Measure.P_PERCENT,
            Measure.DOMINATED_GROUPS,
            Measure.CATEGORIES_CHANGED,
            Measure.SHARES_MOVED,
            Measure.SHARES_MOVED_BY_STRATUM,
            Measure.GENERALISATION,
            Measure.COEFFICIENT_OVERLAP,
        ),
        Unit.SHARE,
    ),
    **dict.fromkeys(
        (
            Measure.INFORMATION_LOSS,
            Measure.VARIATION_LOST,
            Measure.LOST_BETWEEN_UNITS,
            Measure.LOST_INSIDE_UNITS,
            Measure.VARIANCE_CHANGED,
            Measure.VARIANCE_CHANGED_BY_STRATUM,
            Measure.TOTAL_CHANGED,
            Measure.TOTAL_CHANGED_BY_STRATUM,
        ),
        Unit.PERCENT,
    ),
    **dict.fromkeys(
        (Measure.RECORDS_BELOW, Measure.REIDENTIFICATIONS, Measure.UNITS_NAMED, Measure.SPECIAL_UNIQUES), Unit.RECORDS
    ),
}
