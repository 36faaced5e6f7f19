"""Columns of any kind as comparable numbers, on which distances are taken. What is published is never computed from these.

A number, a date or the rank of an ordered category is one coordinate. An unordered category is one coordinate for each of its
values (`match`: two records differ or they do not), or how frequent its value is (`frequency`). Under every scale two random
records differ about as much in one column as in another, times the column's importance:

- `zscore`: numbers in standard deviations; categories such that two random records are at the same squared distance, 2;
- `range`: numbers in units of the range, a mismatch is 1 (as in Gower's distance);
- `rank`: the same for the ranks of the numbers, ties sharing their mean rank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from covey.values import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
    """The coordinates of the records, one row each: `Scaler` fitted to the columns themselves."""
    return Scaler(columns, scale=scale, categories=categories, importance=importance, penalty=penalty)(columns)


class Scaler:
    """From columns to coordinates, by the spread and the categories of given columns; then for others of the same kinds.

    A missing value lies `penalty` beyond the median of its column (as far as two standard deviations, or ranges, by default);
    a missing category is a category of its own. Importance multiplies squared differences.
    """

    def __init__(
        self,
        columns: Sequence[Values],
        *,
        scale: Scale = "zscore",
        categories: Categories = "match",
        importance: Mapping[str, float] | None = None,
        penalty: float = 2.0,
    ) -> None:
        self.places = [_place(column, scale, categories, penalty) for column in columns]
        self.factors = [np.sqrt((importance or {}).get(column.name, 1.0)) for column in columns]

    def __call__(self, columns: Sequence[Values]) -> Floats:
        """The coordinates of the records of these columns."""
        stops = np.cumsum([0, *(place.width for place in self.places)])
        points = np.empty((len(columns[0]), int(stops[-1])))
        for place, factor, column, start, stop in zip(
            self.places, self.factors, columns, stops[:-1], stops[1:], strict=True
        ):
            points[:, start:stop] = place.of(column) * factor
        return points


class _Place(NamedTuple):
    """How many coordinates a column has, and how its values become them."""

    width: int
    of: Callable[[Values], Floats]


def _place(column: Values, scale: Scale, categories: Categories, penalty: float) -> _Place:
    if column.kind in NUMBERS or column.kind == "ordinal":
        low = least_integer(column)
        place = _placing(floats_above(column, low), column.valid, scale, penalty)
        return _Place(1, lambda other: place(floats_above(other, low), other.valid))
    codes = np.unique(_codes(column))
    if categories == "frequency":
        frequency = np.unique(_codes(column), return_counts=True)[1] / len(column)
        everyone = np.ones(len(column), dtype=bool)
        place = _placing(frequency[np.searchsorted(codes, _codes(column))], everyone, scale, penalty)
        return _Place(
            1, lambda other: place(frequency[np.searchsorted(codes, _codes(other))], np.ones(len(other), dtype=bool))
        )
    corners = _corners(np.unique(_codes(column), return_counts=True)[1] / len(column), scale)
    return _Place(corners.shape[1], lambda other: corners[np.searchsorted(codes, _codes(other))])


def least_integer(column: Values) -> int:
    """The least value of a column of whole numbers, from which the others are measured; 0 of other numbers."""
    if column.physical.dtype.kind != "i" or not np.any(column.valid):
        return 0
    return int(column.physical[column.valid].min())


def floats_above(column: Values, low: int) -> Floats:
    """The numbers of a column less `low`, which large whole numbers need to be told apart."""
    values = column.physical
    if values.dtype.kind == "i":  # exact where the spread allows
        values = values.astype(np.float64) - low if abs(low) > 2**62 else values - low
    return values.astype(np.float64)


def _placing(
    values: Floats, valid: NDArray[np.bool_], scale: Scale, penalty: float
) -> Callable[[Floats, NDArray[np.bool_]], Floats]:
    """How values become one coordinate; the median of those given lies at 0 (`zscore`, `range`) or in the middle (`rank`)."""
    known = values[valid]
    if len(known) == 0:
        return lambda other, _valid: np.zeros((len(other), 1))
    power = int(np.frexp(np.abs(known).max())[1])  # neither differences nor squares overflow
    known = np.ldexp(known, -power)
    distinct, counts = np.unique(known, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2.0  # ties share their mean rank
    middle = float(np.median(known))

    def place(other: Floats) -> Floats:
        scaled = np.ldexp(other, -power)
        return interpolated(scaled, distinct, ranks) if scale == "rank" else scaled - middle

    given = place(values[valid])
    size = float(given.std()) if scale == "zscore" else float(given.max() - given.min())
    missing = float(np.median(given)) / size + penalty if size > 0.0 else penalty

    def coordinate(other: Floats, known: NDArray[np.bool_]) -> Floats:
        with np.errstate(under="ignore"):
            placed = place(other) / size if size > 0.0 else np.zeros(len(other))
        return np.where(known, placed, missing).reshape(-1, 1)

    return coordinate


def interpolated(values: Floats, known: Floats, levels: Floats) -> Floats:
    """Levels of values between known ones, in a straight line; numpy's own overflows where two known values nearly meet."""
    right = np.clip(np.searchsorted(known, values), 1, max(1, len(known) - 1))
    if len(known) == 1:
        return np.full(len(values), levels[0])
    low, high = known[right - 1], known[right]
    share = np.clip((np.clip(values, known[0], known[-1]) - low) / (high - low), 0.0, 1.0)
    return np.asarray(levels[right - 1] + share * (levels[right] - levels[right - 1]))


def _codes(column: Values) -> NDArray[np.int64]:
    """The codes of categories, a missing value last."""
    return np.where(column.valid, column.physical, np.iinfo(np.int64).max)


def _corners(share: Floats, scale: Scale) -> Floats:
    """One point for every category: equally far from each other, or nearly."""
    if len(share) < 2:
        return np.zeros((1, 1))
    square = 1.0 / (1.0 - float(share @ share)) if scale == "zscore" else 0.5
    if len(share) == 2:
        corners = np.array([[0.0], [np.sqrt(2.0)]])
    elif len(share) <= MOST_CATEGORIES:
        corners = np.eye(len(share))
    else:  # random directions that never change: numpy keeps the stream of its RandomState
        corners = np.random.RandomState(0).standard_normal((len(share), MOST_CATEGORIES))
        corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    return np.asarray(corners * np.sqrt(square))
