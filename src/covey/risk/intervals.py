"""Interval disclosure: how close a released value gives the original away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.coordinates import interpolated
from covey.columns.values import NUMBERS
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured

if TYPE_CHECKING:
    from covey.utils.typing import Flags, Floats

ATTACKER = "has found the group of a record and takes its released value for the record's own"


def rank_intervals(evidence: Evidence, width: float = 0.1) -> list[Measured]:
    """How often the original value is among the `width` of all values whose ranks are nearest to the released one's.

    Ranks from 0 to 1, ties share the middle of theirs; a released value between two original ones lies between their ranks. Of linked
    tables each column by the rows of its own.

    Source: Domingo-Ferrer & Torra 2001 (rank-based intervals), with one width for all records.
    """
    if evidence.tables:
        return [found for one in evidence.of_each_table() for found in rank_intervals(one, width)]
    measured = []
    for name, column in evidence.original.items():
        if column.kind not in NUMBERS and column.kind != "ordinal":
            continue
        before, after = _rank_pairs(*evidence.numbers(name))
        inside = np.abs(before - after) <= width / 2 + 1e-12
        measured.append(
            Measured(
                Measure.RANK_INTERVALS,
                float(inside.sum() / max(1, len(before))),
                f"The share of records whose value is within {width / 2:.0%} of all ranks around the released one.",
                ATTACKER,
                name,
            )
        )
    return measured


def deviation_intervals(evidence: Evidence, deviations: float = 0.05) -> list[Measured]:
    """The share of records whose original numbers lie in intervals around the released ones; dRisk of sdcMicro.

    An interval reaches k standard deviations of the released column (k = 0.05) to either side. Numbers that are missing are not
    judged.
    """
    outside = np.zeros(evidence.rows, dtype=bool)
    judged = np.zeros(evidence.rows, dtype=bool)
    for name, column in evidence.original.items():
        if column.kind not in NUMBERS:
            continue
        before, after, known = evidence.numbers(name)
        if known.sum() < 2:
            continue
        judged |= known
        outside |= known & (np.abs(before - after) > deviations * float(after[known].std(ddof=1)))
    if not judged.any():
        return []
    text = f"The share of records whose numbers all lie within {deviations:g} standard deviations of the released ones."
    return [Measured(Measure.DEVIATION_INTERVALS, float((judged & ~outside).mean()), text, ATTACKER)]


def _rank_pairs(before: Floats, after: Floats, known: Flags) -> tuple[Floats, Floats]:
    values = before[known]
    distinct, counts = np.unique(values, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2.0) / max(1, len(values))
    if len(distinct) == 0:
        return np.zeros(0), np.zeros(0)
    return interpolated(values, distinct, middle), interpolated(after[known], distinct, middle)
