"""The recount: what a finished table satisfies, counted on the released values alone.

This file and `covey.privacy` import nothing of the code that makes releases: a mistake there cannot hide itself here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InputError, RefusedError
from covey.utils.arrow import Array, Column, Table, array_of, decoded, is_number, is_text, pa, pc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.recount.few_columns import OfFew
    from covey.recount.requirements import Held
    from covey.utils.typing import Codes, Flags


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
    of_few: OfFew | None = None
    """The smallest class over any few columns, where k was asked of those."""

    def rows_below(self, k: int) -> int:
        """How many records (units) are in classes below k."""
        return sum(size * number for size, number in self.histogram.items() if size < k)


def codes_of(column: Column) -> Codes:
    """Number the different values of an Arrow column; a missing value is a value, and so is not-a-number."""
    array = decoded(column)
    if pa.types.is_null(array.type):
        return np.zeros(len(array), dtype=np.int64)
    if pa.types.is_floating(array.type):
        wide = array.cast(pa.float32()) if pa.types.is_float16(array.type) else array
        array = pc.add(wide.cast(pa.float64()), 0.0)  # -0.0 is 0.0
    if pa.types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    encoded = array.dictionary_encode()
    codes: Codes = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return codes + 1


def ordered_codes(column: Column, order: Sequence[str] = ()) -> tuple[Codes, bool]:
    """Codes in the order of the values where they are numbers, times or ordered categories (missing last), and whether they are.

    With an `order` of categories, text is coded by it.
    """
    array = array_of(column)
    if order:
        return _codes_by(array, order), True
    if pa.types.is_dictionary(array.type):
        ranks = array.indices.cast(pa.int64()).fill_null(len(array.dictionary))
        return (ranks.to_numpy(zero_copy_only=False), True) if array.type.ordered else (codes_of(array), False)
    array = parsed(array)
    if array.null_count == len(array) or not (is_number(array.type) or pa.types.is_temporal(array.type)):
        return codes_of(array), False
    return sorted_codes(array), True


def parsed(array: Array) -> Array:
    """Text that holds numbers only, with a decimal point or comma, as numbers; anything else as it is."""
    if is_text(array.type):
        trimmed = pc.utf8_trim_whitespace(array)
        known = pc.if_else(pc.equal(trimmed, ""), None, trimmed)
        point = pc.replace_substring(known, ",", ".")
        for text, kind in ((known, pa.int64()), (known, pa.float64()), (point, pa.float64())):
            try:
                return text.cast(kind)
            except pa.ArrowInvalid:
                continue
    return array.cast(pa.float32()) if pa.types.is_float16(array.type) else array


def sorted_codes(column: Column) -> Codes:
    """Codes in the order of the values, by their own type: numbers, times or text. Missing values last."""
    array = array_of(column)
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), None, pc.add(array, pa.scalar(0.0, array.type)))  # -0.0 is 0.0
    elif is_text(array.type):
        array = pc.if_else(pc.equal(array, ""), None, array)
    encoded = array.dictionary_encode()
    rank = np.empty(len(encoded.dictionary), dtype=np.int64)
    rank[pc.sort_indices(encoded.dictionary).to_numpy()] = np.arange(len(rank))
    places = encoded.indices.cast(pa.int64()).fill_null(len(rank)).to_numpy(zero_copy_only=False)
    return np.asarray(np.append(rank, len(rank))[places], dtype=np.int64)


def _codes_by(array: Array, order: Sequence[str]) -> Codes:
    """Places in an order of categories; a value that is not in it refuses the table."""
    plain = decoded(array)
    texts, names = plain.cast(pa.string()), pa.array(order, pa.string())
    known = ~is_missing(plain)
    for values, known_values in (
        (texts, names),
        (pc.utf8_lower(texts), pc.utf8_lower(names)),
        (parsed(texts), parsed(names)),
    ):
        if values.type == known_values.type:
            places = pc.index_in(values, value_set=known_values)
            if not (places.is_null().to_numpy(zero_copy_only=False) & known).any():
                codes = places.cast(pa.int64()).fill_null(len(order)).to_numpy(zero_copy_only=False)
                return np.where(known, codes, len(order))
    msg = "the recount found values of an ordered column that are not in its order; the release is refused, and nothing was written"
    raise RefusedError(msg)


def is_missing(column: Column) -> Flags:
    """Which values are missing: null, not a number, or a text that is empty or blank."""
    array = decoded(column)
    missing = array.is_null(nan_is_null=True)
    if is_text(array.type):
        missing = pc.or_(missing, pc.equal(pc.utf8_trim_whitespace(array), "").fill_null(fill_value=True))
    return np.asarray(missing.to_numpy(zero_copy_only=False), dtype=bool)


def classes_of(columns: Sequence[Column], rows: int) -> Codes:
    """Number the records by what they share: the same number, the same values in all columns."""
    joint = np.zeros(rows, dtype=np.int64)
    for column in columns:
        codes = codes_of(column)
        width = int(codes.max(initial=0)) + 1
        if (int(joint.max(initial=0)) + 1) * width >= 2**62:
            joint = np.unique(joint, return_inverse=True)[1].astype(np.int64)
        joint = joint * width + codes
    if int(joint.max(initial=0)) > 4 * rows:
        return np.unique(joint, return_inverse=True)[1].astype(np.int64)
    number = np.cumsum(np.bincount(joint) > 0) - 1  # the same, without a sort
    return np.asarray(number[joint], dtype=np.int64)


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
    for unit, row_class in zip(units[order].tolist(), classes[order].tolist(), strict=True):
        seen.setdefault(unit, []).append(row_class)
    number: dict[tuple[int, ...], int] = {}
    return np.array([number.setdefault(tuple(track), len(number)) for track in seen.values()], dtype=np.int64)


def linked_classes(classes: Codes, units: Codes) -> tuple[Codes, Codes]:
    """Number the records by what is seen of their units: all units that look the same, and among those the rows that do."""
    alike = tracks(classes, units)[np.unique(units, return_inverse=True)[1].reshape(-1)]
    pairs = alike * (int(classes.max(initial=0)) + 1) + classes
    return alike, np.unique(pairs, return_inverse=True)[1].reshape(-1).astype(np.int64)


def verify(
    table: Table,
    columns: Sequence[str],
    k: int,
    *,
    units: Codes | None = None,
    linked: bool = False,
    rows: int | None = None,
) -> Recount:
    """Recount a released Arrow table over these columns and refuse it if a class is smaller than k.

    Shares no code with the methods. O(n log n).

    Parameters
    ----------
    table
        An Arrow table.
    columns
        What an observer may know.
    k
        The least number of records, or units, in a class.
    units
        The numbers of the rows' units.
    linked
        Whether units are published; then they are counted by all of their rows.
    rows
        The number of rows that the table must have.

    Returns
    -------
    Recount
        The smallest class, and how many classes there are of each size.

    Raises
    ------
    RefusedError
        A class is smaller than k, or rows are missing.

    Examples
    --------
    >>> import pyarrow as pa
    >>> verify(pa.table({"age": [30, 30, 41, 41, 41]}), ["age"], 2).k
    2
    """
    refuse_missing(columns, table.column_names)
    if rows is not None:
        refuse_lost(table.num_rows, rows)
    if units is not None and len(units) != table.num_rows:
        raise InputError(f"{len(units)} units are given for {table.num_rows} rows; needed: one for each")
    classes = classes_of([table.column(name) for name in columns], table.num_rows)
    counted = recount(classes, units)
    if units is not None and linked and counted.k >= k:
        counted = recount(tracks(classes, units))
    refuse_small(counted, k, columns, "records" if units is None else "units")
    return counted


def refuse_missing(columns: Sequence[str], there: Sequence[str]) -> None:
    """An error where a table lacks columns that classes are counted over."""
    missing = [name for name in columns if name not in there]
    if missing:
        msg = f"the recount misses the columns {', '.join(missing)}; the release is refused, and nothing was written"
        raise RefusedError(msg)


def refuse_lost(counted: int, rows: int) -> None:
    """An error where a table does not have the rows that were released."""
    if counted != rows:
        msg = f"the recount found {counted} rows, and {rows} were released; the release is refused, and nothing was written"
        raise RefusedError(msg)


def refuse_small(counted: Recount, k: int, columns: Sequence[str], what: str) -> None:
    """An error where a class holds fewer than k records or units, as `what` says."""
    if counted.k < k:
        below = counted.rows_below(k)
        raise RefusedError(
            f"the recount found {below} {what if below != 1 else what.removesuffix('s')} in classes below k = {k} (the smallest holds {counted.k}), over the "
            f"columns {', '.join(columns)}; the release is refused, and nothing was written"
        )
