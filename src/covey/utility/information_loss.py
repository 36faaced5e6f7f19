"""Information loss: IL (SSE / SST) and IL1s."""

from __future__ import annotations

import math

import numpy as np

from covey.evidence import Evidence, Measured
from covey.values import NUMBERS


def information_loss(evidence: Evidence) -> list[Measured]:
    """IL: the squared distances between original and released records, in % of those between records and their mean.

    On coordinates that make columns comparable; 0 if nothing changed, 100 if all records became the mean.
    """
    lost = float(((evidence.points - evidence.released_points) ** 2).sum())
    all_of_it = float(((evidence.points - evidence.points.mean(axis=0)) ** 2).sum())
    text = "The variation between records that the release lost, in percent (SSE / SST on comparable columns)."
    return [Measured("information loss", 100.0 * lost / all_of_it if all_of_it > 0 else 0.0, "lower", text)]


def il1s(evidence: Evidence) -> list[Measured]:
    """IL1s: the mean (sdcMicro has had the mean and the sum) of |x - x'| / (sqrt(2) S) over all cells of numbers, S the standard deviation of the column.

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
    return [Measured("IL1s", float(np.concatenate(cells).mean()), "lower", text)]
