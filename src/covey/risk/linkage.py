"""Distance-based record linkage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.core.measure import Measure
from covey.evidence import Evidence, Measured, share
from covey.utils.neighbours import nearest_points

if TYPE_CHECKING:
    from covey.utils.typing import Points, Rows

ATTACKER = (
    "knows all quasi-identifiers of a record exactly, as they were, and looks for the most similar published record"
)
OWN_RECORD = (
    "The share of records that are linked to their own published record, guessing among those that look the same."
)
OWN_GROUP = (
    "The share of records whose group is the nearest: the attacker learns what its members share, not which one it is."
)


def linkage(evidence: Evidence) -> list[Measured]:
    """How often the published record nearest to an original one is its own.

    Released values of a group are one point, so the nearest point stands for all of its records: the right one is hit with the
    chance of one over their number, and of one over the number of all records where several points are equally near. With units,
    any row of the right unit is right. The stratum is known. By a k-d tree over the different released points, or block by block
    where there are many coordinates; of a sample where there are many records. O(n log n) in few dimensions.

    Source: Domingo-Ferrer & Torra 2001, A quantitative comparison of disclosure control methods for microdata.
    """
    rows = evidence.drawn()
    _, first, place, size = np.unique(evidence.classes, return_index=True, return_inverse=True, return_counts=True)
    before, after = _with_strata(evidence, rows, first)
    who = np.arange(evidence.rows) if evidence.units is None else evidence.units
    width = int(who.max()) + 1
    pairs, rows_of_pair = np.unique(place * width + who, return_counts=True)
    hits = right = 0.0
    for row, near in zip(rows.tolist(), nearest_points(after, before), strict=True):
        keys = near * width + who[row]
        at = np.minimum(np.searchsorted(pairs, keys), len(pairs) - 1)
        own = int(rows_of_pair[at][pairs[at] == keys].sum())
        right += own > 0
        hits += own / int(size[near].sum())
    measured = []
    for name, number, meaning in (
        (Measure.RECORD_LINKAGE, hits, OWN_RECORD),
        (Measure.GROUP_LINKAGE, right, OWN_GROUP),
    ):
        value, interval = share(number, len(rows), evidence.rows)
        measured.append(Measured(name, value, meaning, ATTACKER, interval=interval))
    return measured


def _with_strata(evidence: Evidence, rows: Rows, first: Rows) -> tuple[Points, Points]:
    """Coordinates of records and of classes; the stratum is known, so strata lie too far from each other to be confused."""
    before, after = evidence.points(rows), evidence.released_points(first)
    if evidence.strata is None:
        return before, after
    largest = max(float(np.abs(points).max()) for points in (before, after))
    far = 10.0 * (1.0 + largest) * np.sqrt(before.shape[1])
    strata = [(evidence.strata[some] * far)[:, None] for some in (rows, first)]
    return np.hstack([before, strata[0]]), np.hstack([after, strata[1]])
