"""What became of the relations between columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.values import NUMBERS
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured

if TYPE_CHECKING:
    from covey.utils.typing import Floats


def correlations(evidence: Evidence) -> list[Measured]:
    """The changes of the correlations between numbers, over records that have both."""
    before, after = _tables(evidence)
    if before.shape[1] < 2:
        return []
    changes = np.abs(correlation_matrix(after) - correlation_matrix(before))[np.triu_indices(before.shape[1], 1)]
    return [
        Measured(
            Measure.MEAN_CORRELATION_CHANGED, float(changes.mean()), "The mean change of a correlation of two numbers."
        ),
        Measured(
            Measure.WORST_CORRELATION_CHANGED,
            float(changes.max()),
            "The largest change of a correlation of two numbers.",
        ),
    ]


def eigenvalues(evidence: Evidence) -> list[Measured]:
    """The sum of the relative changes of the eigenvalues of the numbers' covariance, each table standardised: dUtility (eigen) of sdcMicro.

    Eigenvalues of the original that are nothing but rounding are left out.
    """
    before, after = _tables(evidence)
    if before.shape[1] < 2:
        return []
    old, new = (np.sort(np.linalg.eigvalsh(correlation_matrix(table)))[::-1] for table in (before, after))
    used = old > 1e-12 * old[0]
    if not used.any():
        return []
    text = "The relative changes of the eigenvalues of the correlations between numbers, summed (dUtility, eigen)."
    value = float((np.abs(new - old)[used] / old[used]).sum())
    return [Measured(Measure.EIGENVALUES_CHANGED, value, text)]


def _tables(evidence: Evidence) -> tuple[Floats, Floats]:
    names = [name for name, column in evidence.original.items() if column.kind in NUMBERS]
    pairs = [evidence.numbers(name) for name in names]
    known = np.logical_and.reduce([pair[2] for pair in pairs]) if pairs else np.zeros(0, dtype=bool)
    if known.sum() < 3:
        return np.zeros((0, 0)), np.zeros((0, 0))
    return np.column_stack([pair[0][known] for pair in pairs]), np.column_stack([pair[1][known] for pair in pairs])


def correlation_matrix(table: Floats) -> Floats:
    """The correlations of the columns; 0 with a column that does not vary."""
    centred = table - table.mean(axis=0)
    norm = np.sqrt((centred**2).sum(axis=0))
    norm[norm == 0] = 1.0
    return np.asarray((centred / norm).T @ (centred / norm))
