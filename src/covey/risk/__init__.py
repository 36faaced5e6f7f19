"""What an attacker gains: each measure under a stated attacker."""

from covey.risk.attribute import attribute_disclosure
from covey.risk.dominance import dominance
from covey.risk.intervals import deviation_intervals, rank_intervals
from covey.risk.linkage import linkage
from covey.risk.reidentification import classes_at_risk, reidentification, small_classes
from covey.risk.riskiest import Combination, riskiest
from covey.risk.special import singled_out
from covey.risk.uniques import SpecialUniques, special_uniques
from covey.risk.units import units_at_risk

COUNTED = (reidentification, small_classes, attribute_disclosure)
"""Those that are counted on classes: functions of a release."""
MEASURES = (linkage, rank_intervals, deviation_intervals, *COUNTED, units_at_risk, singled_out, dominance)

__all__ = [
    "COUNTED",
    "MEASURES",
    "Combination",
    "SpecialUniques",
    "attribute_disclosure",
    "classes_at_risk",
    "deviation_intervals",
    "dominance",
    "linkage",
    "rank_intervals",
    "reidentification",
    "riskiest",
    "singled_out",
    "small_classes",
    "special_uniques",
    "units_at_risk",
]
