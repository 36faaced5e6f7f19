"""Dominance: groups whose published value gives one member away."""

from __future__ import annotations

from covey.columns.values import AMOUNTS
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured

RULES = (
    (
        Measure.OWN_VALUES,
        "own",
        "The share of groups whose published value is one member's own.",
        "takes a published value for the value of a member of the group",
    ),
    (
        Measure.P_PERCENT,
        "p_percent",
        "The share of groups in which a member comes within p percent of the largest amount by subtracting their own amount from the total.",
        "is the second largest member of a group, knows how many there are and subtracts their own amount from its total",
    ),
    (
        Measure.DOMINATED_GROUPS,
        "dominated",
        "The share of groups of whose total a few members make nearly all ((n, k) rule).",
        "knows how many members a group has and takes their total for the amount of the largest",
    ),
)


def dominance(evidence: Evidence) -> list[Measured]:
    """The shares of groups that publish one member's own value, or a mean that one or a few members make nearly alone.

    By the p % rule and the (n, k) rule of the recipe, which are about amounts.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, chapter 4.
    """
    measured = []
    for name, counted in evidence.own.items():
        for measure, rule, meaning, attacker in RULES:
            if rule == "own" or evidence.original[name].kind in AMOUNTS:
                value = getattr(counted, rule) / max(1, counted.groups)
                measured.append(Measured(measure, value, meaning, attacker, name))
    return measured
