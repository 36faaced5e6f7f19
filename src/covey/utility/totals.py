"""Totals of amounts, weighted where there are weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.values import AMOUNTS
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured

if TYPE_CHECKING:
    from covey.utils.typing import Floats, Integers


def totals(evidence: Evidence) -> list[Measured]:
    """The change of every column's total, in percent."""
    measured = []
    everything = np.zeros(evidence.rows, dtype=np.int64)
    for name, column in evidence.original.items():
        if column.kind in AMOUNTS:
            (change,) = total_changes(evidence, name, everything).tolist()
            text = "By how many percent the total of the published records changed" + (
                ", weighted." if evidence.weights is not None else "."
            )
            measured.append(Measured(Measure.TOTAL_CHANGED, change, text, column=name))
    return measured


def total_changes(evidence: Evidence, name: str, cells: Integers) -> Floats:
    """The changes of a column's totals within cells, in percent of their sums without signs: a total near zero is no measure."""
    column = evidence.original[name]
    before_weights = np.ones(evidence.rows) if evidence.weights is None else evidence.weights
    after_weights = before_weights if evidence.released_weights is None else evidence.released_weights
    x, y, _ = evidence.amounts(name)
    x, y = np.where(column.valid, x, 0.0), np.where(evidence.released[name].valid, y, 0.0)
    before, size = (np.bincount(cells, weights=values * before_weights) for values in (x, np.abs(x)))
    after = np.bincount(cells, weights=y * after_weights)
    return np.asarray(100.0 * np.abs(after - before) / np.where(size > 0, size, np.inf))
