"""Information loss: IL (SSE / SST), overall and of each column, and IL1s."""

from __future__ import annotations

import math

import numpy as np

from covey.columns.values import NUMBERS
from covey.core.measure import Measure
from covey.evidence import COUNTED, Evidence, Measured

PIECE = 100_000
"""Records whose coordinates are held at a time."""


def information_loss(evidence: Evidence) -> list[Measured]:
    """IL: the squared distances between original and released records, in % of those between records and their mean.

    On coordinates that make columns comparable; 0 if nothing changed, 100 if all records became the mean.
    """
    pieces = np.split(np.arange(evidence.rows), range(PIECE, evidence.rows, PIECE))
    centre = np.sum([evidence.points(rows).sum(axis=0) for rows in pieces], axis=0) / evidence.rows
    lost = all_of_it = 0.0
    for rows in pieces:
        points = evidence.points(rows)
        lost += float(((points - evidence.released_points(rows)) ** 2).sum())
        all_of_it += float(((points - centre) ** 2).sum())
    text = "The variation between records that the release lost, in percent, of all columns (SSE / SST on comparable columns)."
    value = 100.0 * lost / all_of_it if all_of_it > 0 else 0.0
    return [Measured(Measure.INFORMATION_LOSS, value, text)]


def column_losses(evidence: Evidence) -> list[Measured]:
    """IL of each column of numbers by itself."""
    measured = []
    for name, column in evidence.original.items():
        before, after, known = evidence.numbers(name)
        if column.kind not in COUNTED or known.sum() < 2:
            continue
        lost = (before - after)[known] ** 2
        varied = (before[known] - before[known].mean()) ** 2
        value = 100.0 * float(lost.sum()) / float(varied.sum()) if varied.any() else 0.0
        text = "The information loss of this column by itself, in percent of its variation."
        measured.append(Measured(Measure.VARIATION_LOST, value, text, column=name))
    return measured


def il1s(evidence: Evidence) -> list[Measured]:
    """IL1s: the mean of |x - x'| / (sqrt(2) S) over all cells of numbers, S the standard deviation of the original column.

    This is the documented formula of sdcMicro; versions of its code multiply by sqrt(2), which gives twice as much.

    Source: Yancey, Winkler & Creecy 2002; Mateo-Sanz, Domingo-Ferrer & Sebé 2005.
    """
    cells = []
    for name, column in evidence.original.items():
        before, after, known = evidence.numbers(name)
        if column.kind not in NUMBERS or known.sum() < 2:
            continue
        spread = float(before[known].std(ddof=1))
        away = np.abs(before - after)[known]
        cells.append(away / (math.sqrt(2) * spread) if spread > 0 else np.zeros(len(away)))
    if not cells:
        return []
    text = "The mean change of a number, in units of sqrt(2) standard deviations of its column (IL1s)."
    return [Measured(Measure.IL1S, float(np.concatenate(cells).mean()), text)]
