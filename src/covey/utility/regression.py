"""Regression coefficients before and after, on request."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.values import NUMBERS, Values
from covey.core.measure import Measure
from covey.errors import OptionError
from covey.evidence import Evidence, Measured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.utils.typing import Floats


def regression(evidence: Evidence, formula: str) -> list[Measured]:
    """How far each coefficient of `y ~ a + b` moved, in standard errors, and how much its confidence intervals overlap.

    Ordinary least squares on the quasi-identifiers that are numbers, over records that have all of them. Overlap: the mean of the
    shares of the two 95 % intervals that lie in both; 0 if they are apart.

    Source of the overlap: Karr, Kohnen, Oganian, Reiter & Sanil 2006.
    """
    names = terms(formula, evidence.original)
    pairs = [evidence.numbers(name) for name in names]
    known = np.logical_and.reduce([pair[2] for pair in pairs])
    (old, old_error), (new, new_error) = (
        _fit(columns) for columns in ([x[known] for x, _, _ in pairs], [y[known] for _, y, _ in pairs])
    )
    measured = []
    for place, name in enumerate(names[1:], start=1):
        size = max(abs(new[place]), abs(old[place]))
        exact = (
            max(old_error[place], new_error[place]) <= 1e-9 * size or size == 0
        )  # fits that leave nothing but rounding
        same = abs(new[place] - old[place]) <= 1e-9 * size
        moved = 0.0 if same else math.inf if exact else abs(new[place] - old[place]) / old_error[place]
        ends = [
            (b - 1.96 * e, b + 1.96 * e) for b, e in ((old[place], old_error[place]), (new[place], new_error[place]))
        ]
        common = max(0.0, min(ends[0][1], ends[1][1]) - max(ends[0][0], ends[1][0]))
        overlap = np.mean([common / (high - low) if high > low else 0.0 for low, high in ends])
        overlap = float(same) if exact else overlap
        where = f"coefficient of {name} in {formula}"
        text = f"By how many standard errors the {where} moved."
        measured.append(Measured(Measure.COEFFICIENT_MOVED, float(moved), text, column=name))
        text = f"How much the 95 % intervals of the {where} overlap, from 0 to 1."
        measured.append(Measured(Measure.COEFFICIENT_OVERLAP, float(overlap), text, column=name))
    return measured


def terms(formula: str, columns: Mapping[str, Values]) -> list[str]:
    """The names in `y ~ a + b`, y first; an error unless they are different columns of numbers."""
    left, sign, right = formula.partition("~")
    names = [left.strip(), *(part.strip() for part in right.split("+"))]
    for name in names:
        if not sign or names.count(name) > 1 or name not in columns or columns[name].kind not in NUMBERS:
            msg = f"the regression {formula!r} is not understood; needed: 'y ~ a + b' of quasi-identifiers that are numbers"
            raise OptionError(msg)
    return names


def _fit(columns: list[Floats]) -> tuple[Floats, Floats]:
    """Coefficients and their standard errors, the constant first; columns are centred and scaled, so an offset costs no digits."""
    y = columns[0] - columns[0].mean()
    centred = np.column_stack([column - column.mean() for column in columns[1:]])
    size = np.sqrt((centred**2).mean(axis=0))
    size[size == 0] = 1.0
    X = centred / size
    inverse = np.linalg.pinv(X.T @ X)
    b = np.linalg.lstsq(X, y, rcond=None)[0]
    residual = y - X @ b
    variance = float(residual @ residual) / max(1, len(y) - X.shape[1] - 1)
    errors = np.sqrt(np.maximum(0.0, np.diag(inverse) * variance))
    return np.concatenate([[columns[0].mean()], b / size]), np.concatenate([[0.0], errors / size])
