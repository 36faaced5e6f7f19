"""Totals of amounts, weighted where there are weights, overall and by stratum."""

from __future__ import annotations

import numpy as np

from covey.evidence import Evidence, Measured
from covey.values import AMOUNTS


def totals(evidence: Evidence) -> list[Measured]:
    """The change of a column's total in percent, overall and in the stratum where it is worst."""
    measured = []
    cells = evidence.strata if evidence.strata is not None else np.zeros(evidence.rows, dtype=np.int64)
    before_weights = np.ones(evidence.rows) if evidence.weights is None else evidence.weights
    after_weights = before_weights if evidence.released_weights is None else evidence.released_weights
    for name, column in evidence.original.items():
        if column.kind not in AMOUNTS:
            continue
        x, y, _ = evidence.numbers(name)
        before = np.bincount(cells, weights=np.where(column.valid, x, 0.0) * before_weights)
        after = np.bincount(cells, weights=np.where(evidence.released[name].valid, y, 0.0) * after_weights)
        sizes = np.bincount(cells, weights=np.where(column.valid, np.abs(x), 0.0) * before_weights)
        size = float(sizes.sum())
        all_before, all_after = float(before.sum()), float(after.sum())
        text = "By how many percent its total changed" + (", weighted." if evidence.weights is not None else ".")
        measured.append(
            Measured("total changed", _percent(all_before, all_after, size), "lower", text, column=name, public=False)
        )
        if evidence.strata is not None:
            worst = max(
                _percent(b, a, s) for b, a, s in zip(before.tolist(), after.tolist(), sizes.tolist(), strict=True)
            )
            text = "By how many percent its total changed in the stratum where that is worst."
            measured.append(Measured("total changed by stratum", worst, "lower", text, column=name, public=False))
    return measured


def _percent(before: float, after: float, size: float) -> float:
    """The change in percent of the sum without signs: a total near zero is no measure."""
    return 100.0 * abs(after - before) / size if size > 0 else 0.0
