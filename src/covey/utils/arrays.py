"""Validation at the door: anything that holds numbers becomes a float64 array, exactly, or an error says why not."""

from __future__ import annotations

import math
import operator
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, cast

import numpy as np

from covey._kernels import line as kernels
from covey.errors import InputError, OptionError, missing_values, shown
from covey.utils.frame import frame_columns, is_frame, is_series, series_to_numpy

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from covey.utils.typing import Floats

_MOST_RECORDS = 2**31 - 1
_EXACT = 2**53  # integers up to here are floats
MOST_WEIGHT = 1e100
"""What a record may weigh: sums and products with values stay finite."""


def as_count(value: object, name: str, *, at_least: int = 1, at_most: int | None = None) -> int:
    """Return `value` as an integer of at least `at_least` (and at most `at_most`, the number of records)."""
    try:
        count = None if isinstance(value, bool | np.bool_) else operator.index(cast("SupportsIndex", value))
    except TypeError:
        count = None
    if count is None:
        raise OptionError(f"{name} is {shown(value)}; needed: an integer of at least {at_least}")
    if count < at_least:
        raise OptionError(f"{name} is {count}; needed: at least {at_least}")
    if at_most is not None and count > at_most:
        raise OptionError(f"{name} is {count}, and there are {at_most} records; needed: {name} of at most {at_most}")
    return count


def check_seed(seed: object) -> None:
    """A seed is a whole number of at least 0: randomness comes in by it and by nothing else."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise OptionError(f"seed is {shown(seed)}; needed: an integer of at least 0")


def check_time_limit(time_limit: object) -> None:
    """None, or a finite number of seconds of at least 0."""
    if time_limit is None:
        return
    if (
        isinstance(time_limit, bool)
        or not isinstance(time_limit, int | float | np.integer | np.floating)
        or not 0 <= time_limit <= sys.float_info.max
    ):
        msg = f"time_limit is {shown(time_limit)}; needed: None or a finite number of seconds of at least 0"
        raise OptionError(msg)


def as_array(X: ArrayLike) -> NDArray[Any]:
    """Return X as a numpy array of real numbers of any dimension, without missing values."""
    if is_series(X):
        X = series_to_numpy(X)
    elif is_frame(X):
        return np.column_stack(frame_columns(X)) if frame_columns(X) else np.empty((len(X), 0))
    if isinstance(X, np.ma.MaskedArray) and np.any(np.ma.getmaskarray(X)):
        raise missing_values(int(np.sum(np.ma.getmaskarray(X))))
    try:
        array = np.asarray(X)
    except ValueError:
        raise InputError("X is a nested sequence of unequal lengths; needed: an array of numbers") from None
    kind = array.dtype.kind
    if kind not in "biuf":
        raise InputError(f"X holds {_KINDS[kind]}; needed: numbers{_ADVICE[kind]}")
    return array


class Column(NamedTuple):
    """A contiguous one-dimensional array of finite numbers, and whether they ascend."""

    values: Floats
    is_sorted: bool


def as_column(X: ArrayLike, *, shift_integers: bool) -> Column:
    """Return X as a column of finite numbers.

    Integers beyond 2^53 are not floats. With `shift_integers`, for costs that do not change under translation, they
    are taken relative to the least; where that does not help, they are refused rather than rounded.
    """
    array = as_array(X)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.reshape(-1)
    if array.ndim != 1:
        msg = f"X has {array.ndim} dimensions, shape {array.shape}; needed: one column of numbers, one per record"
        raise InputError(msg)
    values = _as_floats(array, shift_integers=shift_integers)
    is_sorted = kernels.is_sorted(values)
    _check_finite(values[[0, -1]] if is_sorted else values, values)
    return Column(values, is_sorted)


def as_weights(weights: ArrayLike, n: int) -> NDArray[np.float64]:
    """Return what n records weigh as a column of positive numbers."""
    values = as_column(weights, shift_integers=False).values
    if len(values) != n:
        msg = f"weights holds {len(values)} numbers, X {n} records; needed: one for every record"
        raise InputError(msg)
    if np.min(values) <= 0.0 or np.max(values) > MOST_WEIGHT:
        bad = int(((values <= 0.0) | (values > MOST_WEIGHT)).sum())
        msg = f"{bad} weights are not positive, or beyond {MOST_WEIGHT:g}; needed: more than 0; drop these records, or correct them"
        raise InputError(msg)
    return values


def as_columns(X: ArrayLike) -> list[NDArray[Any]]:
    """Return the columns of X, numbers of any type, at least one: records in rows, or a single column."""
    if is_frame(X):
        columns = [as_array(column) for column in frame_columns(X)]
        shape: tuple[int, ...] = (len(X), len(columns))
    else:
        array = as_array(X)
        if array.ndim not in (1, 2):
            msg = f"X has {array.ndim} dimensions, shape {array.shape}; needed: records in rows, coordinates in columns"
            raise InputError(msg)
        columns = [array] if array.ndim == 1 else list(array.T)
        shape = array.shape
    if not columns:
        raise InputError(f"X has no columns, shape {shape}; needed: at least one coordinate per record")
    return columns


def as_matrix(X: ArrayLike) -> Floats:
    """Return X as a contiguous matrix of finite numbers: records in rows, coordinates in columns, at least one of each.

    Integers beyond 2^53 are taken relative to the least of their column.
    """
    columns = as_columns(X)
    matrix = np.empty((len(columns[0]), len(columns)))
    for place, column in enumerate(columns):  # one at a time: X may be large
        matrix[:, place] = _as_floats(column, shift_integers=True)
    _check_finite(matrix, matrix)
    return matrix


class Coordinates(NamedTuple):
    """Records, columns relative to their middle where that is exact, so that an offset does not matter, times 2^-exponent."""

    values: Floats
    exponent: int

    def to_input(self, loss: float) -> float:
        """A sum of squares in the units of the input; infinity where that is beyond a float."""
        try:
            return math.ldexp(loss, 2 * self.exponent)
        except OverflowError:
            return math.inf


def as_coordinates(X: ArrayLike) -> Coordinates:
    """Return X as coordinates: each column less its (lower) median, where no digit is lost by that, times a power of two.

    Integers that are shifted by an integer give the same coordinates. The power of two, 1 unless values are very large or
    small, keeps squares inside the range of a float.
    """
    values = as_matrix(X)
    exponent = 4 if _largest(values) > 2.0**1000 else 0  # room for differences
    if exponent:
        np.ldexp(values, -exponent, out=values)
    for place in range(values.shape[1]):
        values[:, place] = _centred(np.ascontiguousarray(values[:, place]))
    power = int(np.frexp(_largest(values))[1])
    if abs(power) > 300:
        np.ldexp(values, -power, out=values)
        exponent += power
    return Coordinates(values, exponent)


def _largest(values: Floats) -> float:
    return max(-float(values.min()), float(values.max()))


def _centred(column: Floats) -> Floats:
    """The column less its lower median; as it is where that would lose a digit."""
    middle = np.sort(column)[(len(column) - 1) // 2]  # np.partition is slow where most values are equal
    centred = column - middle
    back = centred - column
    error = (column - (centred - back)) - (middle + back)  # of the subtraction, exactly
    return column if error.any() else centred


def _as_floats(array: NDArray[Any], *, shift_integers: bool) -> Floats:
    """Contiguous floats of the same value."""
    if len(array) == 0:
        raise InputError("X is empty; needed: at least one record")
    if len(array) > _MOST_RECORDS:
        raise InputError(f"X has {len(array)} records; at most {_MOST_RECORDS} can be grouped in one call")
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        array = _exact_integers(array, shift=shift_integers)
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = _exact_floats(array)
    return np.ascontiguousarray(array, dtype=np.float64)


def _check_finite(looked_at: Floats, values: Floats) -> None:
    if _all_finite(looked_at):
        return
    missing = int(np.isnan(values).sum())
    if missing:
        raise missing_values(missing)
    infinite = int(np.isinf(values).sum())
    raise InputError(f"X holds {infinite} infinite values; needed: finite numbers; drop, cap or replace them first")


def _all_finite(values: Floats) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum()  # cheaper than looking at every value; it may overflow, so look again
    return bool(np.isfinite(total) or np.isfinite(values).all())


_KINDS = {
    "c": "complex numbers",
    "U": "strings",
    "S": "bytes",
    "O": "Python objects",
    "M": "dates",
    "m": "durations",
    "V": "records with fields",
    "T": "strings",
}
_ADVICE = dict.fromkeys(_KINDS, "") | {
    "O": "; convert it first, for example with np.asarray(X, dtype=float)",
    "M": "; convert dates first, for example with X.astype('datetime64[s]').astype('int64')",
    "m": "; convert durations first, for example with X.astype('timedelta64[s]').astype('int64')",
}


def _exact_integers(array: NDArray[Any], *, shift: bool) -> NDArray[Any]:
    low, high = int(array.min()), int(array.max())
    if max(-low, high) <= _EXACT:
        return array
    if shift and high - low <= _EXACT:
        shifted: NDArray[Any] = array - array.dtype.type(low)
        return shifted
    raise InputError(
        "X holds integers that float64 cannot tell apart, spread over more than 2^53; needed: integers within 2^53 of "
        "each other (for a cost of one's own: of 0); subtract an origin or divide first"
    )


def _exact_floats(array: NDArray[Any]) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        column = array.astype(np.float64)
    if not np.array_equal(column, array, equal_nan=True):
        msg = f"X holds {array.dtype} values that float64 would round; needed: float64 precision; convert X first"
        raise InputError(msg)
    return column
