"""What an attacker gains: each measure under a stated attacker."""

from covey.risk.attribute import attribute_disclosure
from covey.risk.dominance import dominance
from covey.risk.intervals import deviation_intervals, rank_intervals
from covey.risk.linkage import linkage
from covey.risk.reidentification import reidentification

MEASURES = (linkage, rank_intervals, deviation_intervals, reidentification, attribute_disclosure, dominance)

__all__ = [
    "MEASURES",
    "attribute_disclosure",
    "deviation_intervals",
    "dominance",
    "linkage",
    "rank_intervals",
    "reidentification",
]
