"""`Measure`: the measures of risk and utility, by the names that reports call them."""

from __future__ import annotations

from enum import StrEnum


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
