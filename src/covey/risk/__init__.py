"""What an attacker gains: each measure under a stated attacker."""

from covey.risk.attribute import attribute_disclosure
from covey.risk.dominance import dominance
from covey.risk.intervals import deviation_intervals, rank_intervals
from covey.risk.linkage import linkage
from covey.risk.reidentification import classes_at_risk, reidentification, small_classes
from covey.risk.special import special_uniques

COUNTED = (reidentification, small_classes, attribute_disclosure)
"""Those that are counted on classes: functions of a release."""
MEASURES = (linkage, rank_intervals, deviation_intervals, *COUNTED, special_uniques, dominance)

__all__ = [
    "COUNTED",
    "MEASURES",
    "attribute_disclosure",
    "classes_at_risk",
    "deviation_intervals",
    "dominance",
    "linkage",
    "rank_intervals",
    "reidentification",
    "small_classes",
    "special_uniques",
]
