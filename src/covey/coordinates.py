"""Columns of any kind as comparable numbers, on which distances are taken. What is published is never computed from these.

A number, a date or the rank of an ordered category is one coordinate. An unordered category is one coordinate for each of its
values (`match`: two records differ or they do not), or how frequent its value is (`frequency`). Under every scale two random
records differ about as much in one column as in another, times the column's importance:

- `zscore`: numbers in standard deviations; categories such that two random records are at the same squared distance, 2;
- `range`: numbers in units of the range, a mismatch is 1 (as in Gower's distance);
- `rank`: the same for the ranks of the numbers, ties sharing their mean rank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.values import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.values import Values

    Floats = NDArray[np.float64]

Scale = Literal["zscore", "range", "rank"]
Categories = Literal["match", "frequency"]
SCALES: tuple[Scale, ...] = ("zscore", "range", "rank")
CATEGORIES: tuple[Categories, ...] = ("match", "frequency")
MOST_CATEGORIES = 16
"""More categories than this are projected: distances between them then agree within some 35 %."""


def coordinates(
    columns: Sequence[Values],
    *,
    scale: Scale = "zscore",
    categories: Categories = "match",
    importance: Mapping[str, float] | None = None,
    penalty: float = 2.0,
) -> Floats:
    """The coordinates of the records, one row each.

    A missing value lies `penalty` beyond the median of its column (as far as two standard deviations, or ranges, by default);
    a missing category is a category of its own. Importance multiplies squared differences.
    """
    blocks = []
    for column in columns:
        if column.kind in NUMBERS or column.kind == "ordinal":
            block = _number(column, scale, penalty).reshape(-1, 1)
        elif categories == "frequency":
            block = _scaled(_frequencies(column), np.ones(len(column), dtype=bool), scale, penalty).reshape(-1, 1)
        else:
            block = _matches(column, scale)
        blocks.append(block * np.sqrt((importance or {}).get(column.name, 1.0)))
    return np.ascontiguousarray(np.column_stack(blocks))


def _number(column: Values, scale: Scale, penalty: float) -> Floats:
    values = column.physical
    if values.dtype.kind == "i" and np.any(column.valid):
        low = int(values[column.valid].min())
        values = (values.astype(np.float64) - low) if abs(low) > 2**62 else (values - low)
    return _scaled(values.astype(np.float64), column.valid, scale, penalty)


def _scaled(values: Floats, valid: NDArray[np.bool_], scale: Scale, penalty: float) -> Floats:
    placed = np.zeros(len(values))
    known = values[valid]
    if len(known):
        largest = int(np.frexp(np.abs(known).max())[1])
        known = np.ldexp(known, -largest)  # neither differences nor squares overflow
        known = _ranks(known) if scale == "rank" else known - np.median(known)
        size = float(known.std()) if scale == "zscore" else float(known.max() - known.min())
        with np.errstate(under="ignore"):
            placed[valid] = known / size if size > 0.0 else 0.0
        placed[~valid] = np.median(placed[valid]) + penalty
    return placed


def _ranks(values: Floats) -> Floats:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]


def _codes(column: Values) -> NDArray[np.int64]:
    """Codes of the categories that occur, a missing value last."""
    codes = np.where(column.valid, column.physical, np.iinfo(np.int64).max)
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _frequencies(column: Values) -> Floats:
    codes = _codes(column)
    return np.bincount(codes)[codes] / len(codes)


def _matches(column: Values, scale: Scale) -> Floats:
    codes = _codes(column)
    share = np.bincount(codes) / max(1, len(codes))
    if len(share) < 2:
        return np.zeros((len(codes), 1))
    square = 1.0 / (1.0 - float(share @ share)) if scale == "zscore" else 0.5
    if len(share) == 2:
        corners = np.array([[0.0], [np.sqrt(2.0)]])
    elif len(share) <= MOST_CATEGORIES:
        corners = np.eye(len(share))
    else:  # random directions that never change: numpy keeps the stream of its RandomState
        corners = np.random.RandomState(0).standard_normal((len(share), MOST_CATEGORIES))
        corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    corners *= np.sqrt(square)
    return np.asarray(corners[codes], dtype=np.float64)
