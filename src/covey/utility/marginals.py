"""What became of each column by itself: mean, spread and quantiles of numbers, shares of categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.values import NUMBERS
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured

if TYPE_CHECKING:
    from covey.utils.typing import Flags, Floats, Integers

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def marginals(evidence: Evidence) -> list[Measured]:
    """Changes of numbers in standard deviations of the original, of its variance in percent; of categories in total variation."""
    measured: list[Measured] = []
    for name, column in evidence.original.items():
        if column.kind in NUMBERS or column.kind == "ordinal":
            before, after, known = evidence.numbers(name)
            if known.sum() > 1:
                measured += _numbers(name, before[known], after[known])
        if column.kind not in NUMBERS:
            measured += categories(evidence, name)
    return measured


def _numbers(name: str, before: Floats, after: Floats) -> list[Measured]:
    spread = float(before.std(ddof=1))
    unit = spread if spread > 0 else 1.0
    mean = float(after.mean() - before.mean()) / unit
    variance = 100.0 * (float(after.var(ddof=1)) / spread**2 - 1.0) if spread > 0 else 0.0
    quantiles = np.abs(np.quantile(after, QUANTILES) - np.quantile(before, QUANTILES)).max() / unit
    return [
        Measured(Measure.MEAN_MOVED, abs(mean), "By how many standard deviations the mean changed.", column=name),
        Measured(
            Measure.VARIANCE_CHANGED,
            abs(variance),
            "By how many percent the variance changed; grouping lowers it.",
            column=name,
        ),
        Measured(
            Measure.QUANTILES_MOVED,
            float(quantiles),
            "By how many standard deviations the 5, 25, 50, 75 or 95 % quantile changed, the worst of them.",
            column=name,
        ),
    ]


def categories(evidence: Evidence, name: str) -> list[Measured]:
    """How many records have another category, and how much of that shows in the shares: changes that cancel out do not."""
    changed = "The share of records that got another category."
    moved = (
        "How much of the shares of its values moved: half the sum of the differences, from 0 to 1; records that changed places "
        "cancel out, and are counted by categories changed."
    )
    found = float(other_category(evidence, name).mean())
    return [
        Measured(Measure.CATEGORIES_CHANGED, found, changed, column=name),
        Measured(Measure.SHARES_MOVED, shares_moved(evidence, name), moved, column=name),
    ]


def other_category(evidence: Evidence, name: str) -> Flags:
    """Which records have another category than they had."""
    before, after = (np.where(c.valid, c.physical, -1) for c in (evidence.original[name], evidence.released[name]))
    return np.asarray(before != after)


def shares_moved(evidence: Evidence, name: str, rows: Integers | slice = slice(None)) -> float:
    """Half the sum of the differences of the shares of a column's values, among these rows."""
    codes = [np.where(c.valid, c.physical, -1)[rows] for c in (evidence.original[name], evidence.released[name])]
    everything = np.unique(np.concatenate(codes))
    before, after = (
        np.bincount(np.searchsorted(everything, c), minlength=len(everything)) / max(1, len(c)) for c in codes
    )
    return float(np.abs(before - after).sum() / 2)
