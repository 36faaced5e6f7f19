"""The same changes within strata: the stratum where each is worst."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.evidence import Evidence, Measured
from covey.utility.correlations import correlation_matrix
from covey.utility.marginals import QUANTILES
from covey.values import NUMBERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEAST = 10
"""Strata with fewer records are left out: their spread says nothing."""
MOST = 1000
"""Of more strata the largest are looked at."""


def by_stratum(evidence: Evidence) -> list[Measured]:
    """The worst changes of mean, variance, quantiles and correlations over strata of `LEAST` records or more."""
    if evidence.strata is None:
        return []
    size = np.bincount(evidence.strata)
    chosen = np.argsort(-size, kind="stable")[:MOST]
    rows = [np.flatnonzero(evidence.strata == stratum) for stratum in chosen if size[stratum] >= LEAST]
    names = [name for name, column in evidence.original.items() if column.kind in NUMBERS]
    pairs = {name: evidence.numbers(name) for name in names}
    measured = [found for name in names for found in _column(name, pairs[name], rows)]
    if len(names) > 1 and rows:
        worst = max(_correlations(pairs, inside) for inside in rows)
        text = "The largest change of a correlation of two numbers within a stratum."
        measured.append(Measured("correlations changed by stratum", worst, "lower", text, public=False))
    return measured


def _column(name: str, pair: tuple[Floats, Floats, NDArray[np.bool_]], rows: list[NDArray[np.int64]]) -> list[Measured]:
    changes = []
    for inside in rows:
        kept = inside[pair[2][inside]]
        before, after = pair[0][kept], pair[1][kept]
        spread = float(before.std(ddof=1)) if len(kept) >= LEAST else 0.0
        if spread > 0:
            quantiles = np.abs(np.quantile(after, QUANTILES) - np.quantile(before, QUANTILES)).max()
            variance = 100.0 * abs(float(after.var(ddof=1)) / spread**2 - 1.0)
            changes.append((abs(float(after.mean() - before.mean())) / spread, variance, float(quantiles) / spread))
    if not changes:
        return []
    where = "in the stratum where that is worst, by whose own spread it is measured."
    mean, variance, quantiles_moved = (max(values) for values in zip(*changes, strict=True))
    return [
        Measured(
            "mean moved by stratum",
            mean,
            "lower",
            f"By how many standard deviations the mean changed {where}",
            column=name,
            public=False,
        ),
        Measured(
            "variance changed by stratum",
            variance,
            "lower",
            f"By how many percent the variance changed {where}",
            column=name,
            public=False,
        ),
        Measured(
            "quantiles moved by stratum",
            quantiles_moved,
            "lower",
            f"By how many standard deviations a quantile changed {where}",
            column=name,
            public=False,
        ),
    ]


def _correlations(pairs: dict[str, tuple[Floats, Floats, NDArray[np.bool_]]], inside: NDArray[np.int64]) -> float:
    known = inside[np.logical_and.reduce([pair[2][inside] for pair in pairs.values()])]
    if len(known) < LEAST:
        return 0.0
    before, after = (
        correlation_matrix(np.column_stack([pair[when][known] for pair in pairs.values()])) for when in (0, 1)
    )
    return float(np.abs(after - before).max())
