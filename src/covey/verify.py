"""The recount: what a finished table satisfies, counted on the released values alone.

This file and `covey.privacy` import nothing of the code that makes releases: a mistake there cannot hide itself here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import InputError, RefusedError
from covey.extras import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.held import Held

    Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Recount:
    """What was counted. `k`: the smallest class, in units where there are some."""

    k: int
    rows: int
    classes: int
    histogram: dict[int, int]
    """Class size (in units where there are some) to the number of classes of that size."""
    held: tuple[Held, ...] = ()
    """What was asked of sensitive columns, and what the worst class reaches of it."""

    def rows_below(self, k: int) -> int:
        """How many records (units) are in classes below k."""
        return sum(size * number for size, number in self.histogram.items() if size < k)


def codes_of(column: Any) -> Codes:
    """Number the different values of an Arrow column; a missing value is a value, and so is not-a-number."""
    pa, pc = load("pyarrow"), load("pyarrow.compute")
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_null(array.type):
        return np.zeros(len(array), dtype=np.int64)
    if pa.types.is_floating(array.type):
        array = pc.add(array.cast(pa.float64()), 0.0)  # -0.0 is 0.0
    if pa.types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    encoded = array.dictionary_encode()
    codes: Codes = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return codes + 1


def ordered_codes(column: Any, order: Sequence[str] = ()) -> tuple[Codes, bool]:
    """Codes in the order of the values where they are numbers, times or ordered categories (missing last), and whether they are.

    With an `order` of categories, text is coded by it.
    """
    pa, pc = load("pyarrow"), load("pyarrow.compute")
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if order:
        plain = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
        places = pc.index_in(plain.cast(pa.string()), value_set=pa.array(order, pa.string()))
        return places.cast(pa.int64()).fill_null(len(order)).to_numpy(zero_copy_only=False), True
    if pa.types.is_dictionary(array.type):
        ranks = array.indices.cast(pa.int64()).fill_null(len(array.dictionary))
        return (ranks.to_numpy(zero_copy_only=False), True) if array.type.ordered else (codes_of(array), False)
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        try:
            array = pc.if_else(pc.equal(array, ""), None, array).cast(pa.float64())
        except pa.ArrowInvalid:
            return codes_of(array), False
    numbers = pa.types.is_integer(array.type) or pa.types.is_floating(array.type) or pa.types.is_decimal(array.type)
    if array.null_count == len(array) or not (numbers or pa.types.is_temporal(array.type)):
        return codes_of(array), False
    if not numbers:
        narrow = pa.types.is_date32(array.type) or pa.types.is_time32(array.type)
        array = array.cast(pa.int32() if narrow else pa.int64())
    values = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.unique(values, return_inverse=True, equal_nan=True)[1].astype(np.int64), True


def is_missing(column: Any) -> NDArray[np.bool_]:
    """Which values are missing: null, not a number or an empty text."""
    pa, pc = load("pyarrow"), load("pyarrow.compute")
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    array = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
    missing = array.is_null(nan_is_null=True)
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        missing = pc.or_(missing, pc.equal(array, "").fill_null(fill_value=True))
    return np.asarray(missing.to_numpy(zero_copy_only=False), dtype=bool)


def classes_of(columns: Sequence[Any], rows: int) -> Codes:
    """Number the records by what they share: the same number, the same values in all columns."""
    joint = np.zeros(rows, dtype=np.int64)
    for column in columns:
        codes = codes_of(column)
        width = int(codes.max(initial=0)) + 1
        if (int(joint.max(initial=0)) + 1) * width >= 2**62:
            joint = np.unique(joint, return_inverse=True)[1].astype(np.int64)
        joint = joint * width + codes
    return np.unique(joint, return_inverse=True)[1].astype(np.int64)


def recount(classes: Codes, units: Codes | None = None) -> Recount:
    """Count the classes, in different units where they are given."""
    if units is None:
        sizes = np.bincount(classes)
    else:
        pairs = np.unique(classes * (int(units.max(initial=0)) + 1) + np.unique(units, return_inverse=True)[1])
        sizes = np.bincount(pairs // (int(units.max(initial=0)) + 1))
    values, numbers = np.unique(sizes, return_counts=True)
    histogram = dict(zip(values.tolist(), numbers.tolist(), strict=True))
    return Recount(int(sizes.min()) if len(sizes) else 0, len(classes), len(sizes), histogram)


def tracks(classes: Codes, units: Codes) -> Codes:
    """Number the units by what an observer of all their rows sees: the classes of their rows."""
    order = np.lexsort((classes, units))
    seen: dict[int, list[int]] = {}
    for unit, cell in zip(units[order].tolist(), classes[order].tolist(), strict=True):
        seen.setdefault(unit, []).append(cell)
    number: dict[tuple[int, ...], int] = {}
    return np.array([number.setdefault(tuple(track), len(number)) for track in seen.values()], dtype=np.int64)


def verify(
    table: Any,
    columns: Sequence[str],
    k: int,
    *,
    units: Codes | None = None,
    linked: bool = False,
    rows: int | None = None,
) -> Recount:
    """Recount a released Arrow table over these columns and refuse it if a class is smaller than k.

    `units` are numbers of the rows' units; with `linked` they are published, and units are counted by all of their rows.
    `rows` is the number of rows that the table must have.
    """
    missing = [name for name in columns if name not in table.column_names]
    if missing:
        msg = f"the recount misses the columns {', '.join(missing)}; the release is refused, and nothing was written"
        raise RefusedError(msg)
    if rows is not None and table.num_rows != rows:
        msg = f"the recount found {table.num_rows} rows, and {rows} were released; the release is refused, and nothing was written"
        raise RefusedError(msg)
    if units is not None and len(units) != table.num_rows:
        msg = f"{len(units)} units are given for {table.num_rows} rows; needed: one for each"
        raise InputError(msg)
    classes = classes_of([table.column(name) for name in columns], table.num_rows)
    found = recount(classes, units)
    if units is not None and linked and found.k >= k:
        found = recount(tracks(classes, units))
    if found.k < k:
        what = "records" if units is None else "units"
        msg = (
            f"the recount found {found.rows_below(k)} {what} in classes below k = {k} (the smallest holds {found.k}), over the "
            f"columns {', '.join(columns)}; the release is refused, and nothing was written"
        )
        raise RefusedError(msg)
    return found
