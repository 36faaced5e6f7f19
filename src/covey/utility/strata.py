"""The same changes within strata."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.values import AMOUNTS, NUMBERS
from covey.core.measure import Measure
from covey.evidence import COUNTED, Evidence, Measured
from covey.utility.correlations import correlation_matrix
from covey.utility.marginals import QUANTILES, shares_moved
from covey.utility.totals import total_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from covey.utils.typing import Flags, Floats, Rows

    Pair = tuple[Floats, Floats, Flags]

LEAST = 10
"""Strata with fewer records have no spread that says anything: only their totals are compared."""
MOST = 1000
"""Of more strata the largest are looked at."""

MEANINGS = {
    Measure.MEAN_MOVED_BY_STRATUM: "By how many standard deviations of the stratum the mean changed.",
    Measure.VARIANCE_CHANGED_BY_STRATUM: "By how many percent the variance within the stratum changed.",
    Measure.QUANTILES_MOVED_BY_STRATUM: "By how many standard deviations of the stratum a quantile changed, the worst of them.",
    Measure.SHARES_MOVED_BY_STRATUM: "How much of the shares of its values moved within the stratum, from 0 to 1.",
    Measure.TOTAL_CHANGED_BY_STRATUM: "By how many percent its total in the stratum changed.",
    Measure.CORRELATIONS_CHANGED_BY_STRATUM: "The largest change of a correlation of two numbers within the stratum.",
}


def by_stratum(evidence: Evidence) -> list[Measured]:
    """The changes of mean, variance, quantiles, shares, totals and correlations in every stratum, the largest strata first."""
    if evidence.strata is None:
        return []
    size = np.bincount(evidence.strata)
    totals = {n: total_changes(evidence, n, evidence.strata) for n, c in evidence.original.items() if c.kind in AMOUNTS}
    pairs = {n: evidence.numbers(n) for n, c in evidence.original.items() if c.kind in COUNTED}
    order = np.argsort(evidence.strata, kind="stable")
    stops = np.cumsum(size)
    measured = []
    for stratum in np.argsort(-size, kind="stable")[:MOST].tolist():
        inside = order[stops[stratum] - size[stratum] : stops[stratum]]
        if len(inside) == 0:  # of linked tables: nobody there has a row in this one
            continue
        changes: list[tuple[Measure, str | None, float]]
        changes = [(Measure.TOTAL_CHANGED_BY_STRATUM, name, float(change[stratum])) for name, change in totals.items()]
        if len(inside) >= LEAST:
            numbers = {n: pair for n, pair in pairs.items() if evidence.original[n].kind in NUMBERS}
            changes += [*_columns(evidence, pairs, inside), *_correlations(numbers, inside)]
        label = evidence.stratum_names.get(stratum, str(stratum))
        measured += [
            Measured(name, value, MEANINGS[name], column=column, stratum=label) for name, column, value in changes
        ]
    return measured


def worst(measured: Sequence[Measured]) -> list[Measured]:
    """Of every change and column the stratum where it is worst."""
    largest: dict[tuple[Measure, str | None], Measured] = {}
    for change in measured:
        key = change.name, change.column
        if key not in largest or change.value > largest[key].value:
            largest[key] = change
    return list(largest.values())


def _columns(evidence: Evidence, pairs: dict[str, Pair], inside: Rows) -> Iterator[tuple[Measure, str, float]]:
    for name in evidence.original:
        if name not in pairs:
            yield Measure.SHARES_MOVED_BY_STRATUM, name, shares_moved(evidence, name, inside)
            continue
        before_all, after_all, known = pairs[name]
        kept = inside[known[inside]]
        before, after = before_all[kept], after_all[kept]
        spread = float(before.std(ddof=1)) if len(kept) >= LEAST else 0.0
        if spread > 0:
            quantiles = np.abs(np.quantile(after, QUANTILES) - np.quantile(before, QUANTILES)).max()
            yield Measure.MEAN_MOVED_BY_STRATUM, name, abs(float(after.mean() - before.mean())) / spread
            yield Measure.VARIANCE_CHANGED_BY_STRATUM, name, 100.0 * abs(float(after.var(ddof=1)) / spread**2 - 1.0)
            yield Measure.QUANTILES_MOVED_BY_STRATUM, name, float(quantiles) / spread


def _correlations(pairs: dict[str, Pair], inside: Rows) -> Iterator[tuple[Measure, None, float]]:
    if len(pairs) < 2:
        return
    known = inside[np.logical_and.reduce([pair[2][inside] for pair in pairs.values()])]
    if len(known) < LEAST:
        return
    before, after = (
        correlation_matrix(np.column_stack([pair[when][known] for pair in pairs.values()])) for when in (0, 1)
    )
    yield Measure.CORRELATIONS_CHANGED_BY_STRATUM, None, float(np.abs(after - before).max())
