"""What is lost of the differences between units of several rows, and of those between the rows of a unit."""

from __future__ import annotations

import numpy as np

from covey.core.measure import Measure
from covey.evidence import Evidence, Measured
from covey.utility.information_loss import PIECE


def units(evidence: Evidence) -> list[Measured]:
    """IL between units (of their means, each times its rows) and inside them (of rows around them); nothing where all units have one row.

    The squared distances of both kinds add up to those of all rows, before and after. In parts, where units are torn, nothing.
    """
    if evidence.units is None or evidence.looked_at is not None:
        return []
    unit = np.unique(evidence.units, return_inverse=True)[1].reshape(-1)
    rows_of_unit = np.bincount(unit)
    if len(rows_of_unit) == len(unit):
        return []
    pieces = np.split(np.arange(evidence.rows), range(PIECE, evidence.rows, PIECE))
    width = evidence.points(np.arange(1)).shape[1]
    total, moved = (np.zeros((len(rows_of_unit), width)) for _ in range(2))
    squares = lost = 0.0
    centre = np.sum([evidence.points(rows).sum(axis=0) for rows in pieces], axis=0) / evidence.rows
    for rows in pieces:
        points = evidence.points(rows)
        away, change = points - centre, points - evidence.released_points(rows)
        squares += float((away**2).sum())
        lost += float((change**2).sum())
        np.add.at(total, unit[rows], away)
        np.add.at(moved, unit[rows], change)
    between, lost_between = (float(((sums**2).sum(axis=1) / rows_of_unit).sum()) for sums in (total, moved))
    shares = (
        (Measure.LOST_BETWEEN_UNITS, lost_between, between, "between units, of their means"),
        (
            Measure.LOST_INSIDE_UNITS,
            lost - lost_between,
            squares - between,
            "inside units, of their rows around their mean",
        ),
    )
    return [
        Measured(
            name, _percent(part, whole, squares), f"The variation {what}, that the release lost, in percent of it."
        )
        for name, part, whole, what in shares
    ]


def _percent(part: float, whole: float, scale: float) -> float:
    """A share in percent; 0 where there is nothing to lose but rounding."""
    return 100.0 * max(0.0, part) / whole if whole > 1e-12 * scale else 0.0
