"""Columns of any kind as comparable numbers, on which distances are taken. What is published is never computed from these.

A number, a date or the rank of an ordered category is one coordinate. An unordered category is one coordinate for each of its
values (`match`: two records differ or they do not), or how frequent its value is (`frequency`); with a hierarchy, values are the
nearer the lower their common label is (`covey.columns.hierarchy.place`). Under every scale two random
records differ about as much in one column as in another, times the column's importance:

- `zscore`: numbers in standard deviations; categories such that two random records are at the same squared distance, 2;
- `range`: numbers in units of the range, a mismatch is 1 (as in Gower's distance);
- `rank`: the same for the ranks of the numbers, ties sharing their mean rank.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.columns.hierarchy.place import TreePlace, tree_place
from covey.columns.values import NUMBERS, Values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.hierarchy.tree import Tree
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Flags, Floats, Integers

Scale = Literal["zscore", "range", "rank"]
Categories = Literal["match", "frequency"]
SCALES: tuple[Scale, ...] = ("zscore", "range", "rank")
CATEGORIES: tuple[Categories, ...] = ("match", "frequency")
MOST_FITTED = 2**24  # records whose frequencies are looked at
MOST_CORNERS = 16
"""More categories than this are projected: distances between them then agree within some 35 %."""


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
        self.factors = [float(np.sqrt((importance or {}).get(column.name, 1.0))) for column in columns]

    @classmethod
    def of(cls, recipe: Recipe, columns: Sequence[Values]) -> Scaler:
        """The scaler of columns as a recipe says."""
        return cls(
            columns,
            scale=recipe.scale,
            categories=recipe.categories,
            importance=recipe.importance,
            penalty=recipe.penalty,
        )

    @classmethod
    def placed(cls, places: Sequence[Place], importance: Sequence[float]) -> Scaler:
        """A scaler of columns whose places are known."""
        scaler = cls([])
        scaler.places, scaler.factors = list(places), [float(np.sqrt(weight)) for weight in importance]
        return scaler

    @classmethod
    def joined(cls, scalers: Sequence[Scaler]) -> Scaler:
        """The scaler of several columns whose scalers are known."""
        whole = cls([])
        for one in scalers:
            whole.places += one.places
            whole.factors += one.factors
        return whole

    def __call__(self, columns: Sequence[Values]) -> Floats:
        """The coordinates of the records of these columns."""
        stops = np.cumsum([0, *(place.width for place in self.places)])
        points = np.empty((len(columns[0]), int(stops[-1])))
        for place, factor, column, start, stop in zip(
            self.places, self.factors, columns, stops[:-1], stops[1:], strict=True
        ):
            points[:, start:stop] = place.of(column) * factor
        return points


def _place(column: Values, scale: Scale, categories: Categories, penalty: float) -> Place:
    if column.kind in NUMBERS or column.kind == "ordinal":
        low = least_integer(column)
        return NumberPlace(low, line_fitted(floats_above(column, low)[column.valid], scale, penalty))
    codes, counts = np.unique(_codes(column), return_counts=True)
    if column.tree is not None:
        return hierarchy_place(column.tree, codes, counts, scale)
    return category_place(codes, counts, scale, categories, penalty)


def category_place(
    codes: Integers, counts: Integers, scale: Scale, categories: Categories, penalty: float
) -> CornerPlace | FrequencyPlace:
    """The place of unordered categories, from their codes (ascending, a missing value last) and how often each occurs."""
    share = counts / counts.sum()
    if categories == "match":
        return CornerPlace(codes, _corners(share, scale))
    thinner = max(1, int(counts.sum()) // MOST_FITTED)
    return FrequencyPlace(codes, share, line_fitted(np.repeat(share, np.maximum(1, counts // thinner)), scale, penalty))


def hierarchy_place(tree: Tree, codes: Integers, counts: Integers, scale: Scale) -> TreePlace:
    """The place of values of a hierarchy, from their codes (ascending, a missing value last) and how often each occurs."""
    return tree_place(tree, np.minimum(codes, len(tree)), counts, MOST_CORNERS, standard=scale == "zscore")


@dataclass(frozen=True, eq=False)
class NumberPlace:
    """Numbers above `low`, on a line."""

    low: int
    line: Line
    width: int = 1

    def of(self, column: Values) -> Floats:
        """One coordinate."""
        return self.line(floats_above(column, self.low), column.valid)


@dataclass(frozen=True, eq=False)
class FrequencyPlace:
    """Categories by how frequent they are."""

    codes: Integers
    frequency: Floats
    line: Line
    width: int = 1

    def of(self, column: Values) -> Floats:
        """One coordinate."""
        frequency = self.frequency[np.searchsorted(self.codes, _codes(column))]
        return self.line(frequency, np.ones(len(column), dtype=bool))


@dataclass(frozen=True, eq=False)
class CornerPlace:
    """Categories as points that are equally far from each other, or nearly."""

    codes: Integers
    corners: Floats

    @property
    def width(self) -> int:
        """The number of coordinates of a corner."""
        return int(self.corners.shape[1])

    def of(self, column: Values) -> Floats:
        """The corners."""
        return np.asarray(self.corners[np.searchsorted(self.codes, _codes(column))])


Place = NumberPlace | FrequencyPlace | CornerPlace | TreePlace
"""How many coordinates a column has (`width`), and how its values become them (`of`)."""


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


@dataclass(frozen=True, eq=False)
class Line:
    """How numbers become one coordinate; the median of those it was fitted to lies at 0, or in the middle of the ranks."""

    power: int
    middle: float
    size: float
    missing: float
    known: Floats | None = None
    ranks: Floats | None = None
    """The ranks of the known different values, where ranks are taken."""

    def __call__(self, values: Floats, valid: Flags) -> Floats:
        """The coordinate of values; of those that are not valid, that of a missing one."""
        with np.errstate(under="ignore"):
            placed = self.placed(values) / self.size if self.size > 0.0 else np.zeros(len(values))
        return np.where(valid, placed, self.missing).reshape(-1, 1)

    def with_size(self, size: float, middle: float, penalty: float) -> Line:
        """The same with a spread of its own; a missing value lies `penalty` spreads beyond the middle."""
        return replace(self, size=size, missing=middle / size + penalty if size > 0.0 else penalty)

    def placed(self, values: Floats) -> Floats:
        """Values from the middle, or their ranks, before they are divided by their spread."""
        scaled = scaled_by(values, -self.power)  # neither differences nor squares overflow
        if self.known is None or self.ranks is None:
            return np.asarray(scaled - self.middle)
        return interpolated(scaled, self.known, self.ranks)


def scaled_by(values: Floats, power: int) -> Floats:
    """Values times a power of two, exactly where none becomes subnormal."""
    return np.asarray(values * 2.0**power if abs(power) < 400 else np.ldexp(values, power))


def line_fitted(values: Floats, scale: Scale, penalty: float) -> Line:
    """The line that given values lie on."""
    if len(values) == 0:
        return Line(0, 0.0, 0.0, 0.0)
    power = int(np.frexp(np.abs(values).max())[1])
    known = np.ldexp(values, -power)
    if scale != "rank":
        line = Line(power, float(np.median(known)), 0.0, 0.0)
    else:
        distinct, counts = np.unique(known, return_counts=True)
        line = Line(
            power, 0.0, 0.0, 0.0, distinct, np.cumsum(counts) - (counts - 1) / 2.0
        )  # ties share their mean rank
    placed = line.placed(values)
    size = float(placed.std()) if scale == "zscore" else float(placed.max() - placed.min())
    return line.with_size(size, float(np.median(placed)), penalty)


def interpolated(values: Floats, known: Floats, levels: Floats) -> Floats:
    """Levels of values between known ones, in a straight line; numpy's own overflows where two known values nearly meet."""
    right = np.clip(np.searchsorted(known, values), 1, max(1, len(known) - 1))
    if len(known) == 1:
        return np.full(len(values), levels[0])
    low, high = known[right - 1], known[right]
    share = np.clip((np.clip(values, known[0], known[-1]) - low) / (high - low), 0.0, 1.0)
    return np.asarray(levels[right - 1] + share * (levels[right] - levels[right - 1]))


def _codes(column: Values) -> Integers:
    """The codes of categories, a missing value last."""
    return np.where(column.valid, column.physical, np.iinfo(np.int64).max)


def _corners(share: Floats, scale: Scale) -> Floats:
    """One point for every category: equally far from each other, or nearly."""
    if len(share) < 2:
        return np.zeros((1, 1))
    square = 1.0 / (1.0 - float(np.square(share).sum())) if scale == "zscore" else 0.5
    if len(share) == 2:
        corners = np.array([[0.0], [np.sqrt(2.0)]])
    elif len(share) <= MOST_CORNERS:
        corners = np.eye(len(share))
    else:  # random directions that never change: numpy keeps the stream of its RandomState
        corners = np.random.RandomState(0).standard_normal((len(share), MOST_CORNERS))
        corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    return np.asarray(corners * np.sqrt(square))
