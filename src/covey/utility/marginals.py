"""What became of each column by itself: mean, spread and quantiles of numbers, shares of categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.evidence import Evidence, Measured
from covey.values import NUMBERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def marginals(evidence: Evidence) -> list[Measured]:
    """Changes of numbers in standard deviations of the original, of its variance in percent; of categories in total variation."""
    measured: list[Measured] = []
    for name, column in evidence.original.items():
        if column.kind in NUMBERS or column.kind == "ordinal":
            before, after, known = evidence.numbers(name)
            if known.sum() > 1:
                measured += _numbers(name, before[known], after[known])
        else:
            text = "How much of the shares of its values moved: half the sum of the differences, from 0 to 1."
            moved = evidence.original[name].physical != evidence.released[name].physical
            moved |= evidence.original[name].valid != evidence.released[name].valid
            measured.append(
                Measured(
                    "shares moved",
                    shares_moved(evidence, name),
                    "lower",
                    text,
                    column=name,
                    public=_is_common(evidence, name) and evidence.is_common(moved),
                )
            )
    return measured


def _numbers(name: str, before: Floats, after: Floats) -> list[Measured]:
    spread = float(before.std(ddof=1))
    unit = spread if spread > 0 else 1.0
    mean = float(after.mean() - before.mean()) / unit
    variance = 100.0 * (float(after.var(ddof=1)) / spread**2 - 1.0) if spread > 0 else 0.0
    quantiles = np.abs(np.quantile(after, QUANTILES) - np.quantile(before, QUANTILES)).max() / unit
    return [
        Measured(
            "mean moved",
            abs(mean),
            "lower",
            "By how many standard deviations the mean changed.",
            column=name,
            public=False,
        ),
        Measured(
            "variance changed",
            abs(variance),
            "lower",
            "By how many percent the variance changed; grouping lowers it.",
            column=name,
            public=False,
        ),
        Measured(
            "quantiles moved",
            float(quantiles),
            "lower",
            "By how many standard deviations the 5, 25, 50, 75 or 95 % quantile changed, the worst of them.",
            column=name,
            public=False,
        ),
    ]


def _is_common(evidence: Evidence, name: str) -> bool:
    """Whether every value occurs in k records or more, before and after, and none was lost: a rare one would show."""
    found = [np.where(c.valid, c.physical, -1) for c in (evidence.original[name], evidence.released[name])]
    counts = [np.unique(codes, return_counts=True) for codes in found]
    return all(int(number.min()) >= evidence.k for _, number in counts)


def shares_moved(evidence: Evidence, name: str, rows: NDArray[np.int64] | slice = slice(None)) -> float:
    """Half the sum of the differences of the shares of a column's values, among these rows."""
    codes = [np.where(c.valid, c.physical, -1)[rows] for c in (evidence.original[name], evidence.released[name])]
    everything = np.unique(np.concatenate(codes))
    before, after = (
        np.bincount(np.searchsorted(everything, c), minlength=len(everything)) / max(1, len(c)) for c in codes
    )
    return float(np.abs(before - after).sum() / 2)
