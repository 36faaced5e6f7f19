"""A column of a table as plain numbers and codes, and the way back to its own type.

Every type that Covey releases is one of eight kinds. `integer`, `float`, `decimal` (in units of its last digit) and `time`
(dates, timestamps, times, durations, in units of their type) hold numbers; `boolean`, `ordinal` and `nominal` hold codes of
`categories`, ascending in the order of the categories; `hierarchy` holds nodes of a `tree`, whose labels are its categories.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.errors import InputError
from covey.utils.arrow import Array, Column, DataType, array_of, is_text, pa, pc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.columns.hierarchy.tree import Tree
    from covey.utils.typing import Flags, Integers

Kind = Literal["integer", "float", "decimal", "time", "boolean", "ordinal", "nominal", "hierarchy"]
NUMBERS: tuple[Kind, ...] = ("integer", "float", "decimal", "time")
AMOUNTS: tuple[Kind, ...] = ("integer", "float", "decimal")
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one column. `physical` is int64 or float64, and 0 where `valid` is False."""

    name: str
    kind: Kind
    type: DataType
    physical: NDArray[Any]
    valid: Flags
    categories: Any = None
    step: int = 1
    """Released times are multiples of this many units: whole days where all values are midnights, and so on."""
    decimals: int | None = None
    """Released binary numbers have so many decimals; None: all there are."""
    local: bool = False
    """Whether times count in the time of their zone: where all of them are midnights there."""
    frequency: Integers | None = None
    """How often each category occurs in the whole column, where these values are a part of it."""
    tree: Tree | None = None
    """What the values are parts of, where the column has a hierarchy."""

    def __len__(self) -> int:
        return len(self.physical)

    @property
    def missing(self) -> int:
        """The number of missing values."""
        return int(len(self.valid) - self.valid.sum())

    def take(self, rows: NDArray[Any]) -> Values:
        """The values of these rows."""
        return self._with(self.physical[rows], self.valid[rows])

    def _with(self, physical: NDArray[Any], valid: Flags) -> Values:
        return replace(self, physical=physical, valid=valid)

    def replaced(self, physical: NDArray[Any], valid: Flags) -> Values:
        """The same column with other values."""
        return self._with(np.where(valid, physical, physical.dtype.type(0)), valid)

    def with_decimals(self, decimals: int | None) -> Values:
        """The same column, released with so many decimals."""
        if self.kind == "decimal" and decimals is not None and decimals < self.type.scale:
            return replace(self, step=10 ** (self.type.scale - decimals))
        return replace(self, decimals=decimals) if self.kind == "float" else self

    def with_times(self, times: Sequence[int]) -> Values:
        """The same column, of times, with a grain that these have as well; of others, as it is."""
        if self.kind != "time":
            return self
        return replace(self, step=min(self.step, _grain(self.type, np.array(times, dtype=np.int64))))

    def build(self) -> Any:
        """A new Arrow array of the column's own type: nothing under nulls, no category that does not occur."""
        nulls = ~self.valid
        if self.categories is not None:
            return self._build_categories(nulls)
        if self.kind == "float":
            numpy_type = self.type.to_pandas_dtype()
            return pa.array(self.physical.astype(numpy_type), type=self.type, mask=nulls)
        if self.kind == "decimal":
            return _decimals(self.physical, self.valid, self.type)
        width = 32 if self.type in (pa.date32(), pa.time32("s"), pa.time32("ms")) else 64
        integers = pa.array(self.physical, type=pa.int64(), mask=nulls)
        if self.kind == "integer":
            return integers.cast(self.type)
        if self.local:
            naive = integers.cast(pa.timestamp(self.type.unit))
            zoned = pc.assume_timezone(naive, self.type.tz, ambiguous="earliest", nonexistent="latest")
            return zoned.cast(self.type)
        return integers.cast(pa.int32() if width == 32 else pa.int64()).cast(self.type)

    def _build_categories(self, nulls: Flags) -> Any:
        used, codes = np.unique(self.physical[self.valid], return_inverse=True)
        full = np.zeros(len(self.physical), dtype=np.int64)
        full[self.valid] = codes
        categories = self.categories.take(pa.array(used, type=pa.int64()))
        indices = pa.array(full, type=pa.int64(), mask=nulls)
        if not pa.types.is_dictionary(self.type):
            return categories.take(indices).cast(self.type)
        categories = categories.cast(self.type.value_type)
        return pa.DictionaryArray.from_arrays(indices.cast(self.type.index_type), categories, ordered=self.type.ordered)


def read_kept(name: str, column: Column) -> Values:
    """The values of a column that is published as it is: any plain type, numbers of any size."""
    try:
        return read_values(name, column)
    except InputError:
        return read_values(name, column, nominal=True)


def read_values(name: str, column: Column, *, nominal: bool = False, order: Sequence[str] | None = None) -> Values:
    """The values of an Arrow column. `nominal` and `order` declare numbers or strings to be categories."""
    array = array_of(column)
    kind = array.type
    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_nested(inner) or _is_binary(inner) or isinstance(inner, pa.BaseExtensionType):
        msg = f"column {name!r} has the type {kind}; needed: numbers, dates, booleans or text; convert or drop it first"
        raise InputError(msg)
    if order is not None:
        return _ordinal(name, array, order)
    if nominal or is_text(kind) or pa.types.is_string_view(kind) or (pa.types.is_dictionary(kind) and not kind.ordered):
        return _nominal(name, array)
    if pa.types.is_dictionary(kind):
        return _ordered_dictionary(name, array)
    if pa.types.is_null(kind):
        return Values(name, "nominal", kind, np.zeros(len(array), np.int64), np.zeros(len(array), bool), array[:0])
    if pa.types.is_boolean(kind):
        valid = _valid(array)
        codes = array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
        return Values(name, "boolean", kind, codes, valid, pa.array([False, True]))
    if pa.types.is_floating(kind):
        return _floats(name, array)
    if pa.types.is_integer(kind):
        return Values(name, "integer", kind, _integers(name, array), _valid(array))
    if pa.types.is_decimal(kind):
        return _decimal_values(name, array)
    return _times(name, array)


def _is_binary(kind: DataType) -> bool:
    t = pa.types
    others = (t.is_binary, t.is_large_binary, t.is_fixed_size_binary, t.is_binary_view, t.is_interval)
    return any(test(kind) for test in others)


def _valid(array: Array) -> Flags:
    valid: Flags = array.is_valid().to_numpy(zero_copy_only=False)
    return valid


def _integers(name: str, array: Array) -> Integers:
    try:
        integers: Integers = array.fill_null(0).cast(pa.int64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        msg = f"column {name!r} holds integers of 2^63 or more; needed: smaller ones; divide them, or declare the quasi-identifier nominal"
        raise InputError(msg) from None
    return integers


def _floats(name: str, array: Array) -> Values:
    values = array.cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
    if np.isfinite(values).all():
        return Values(name, "float", array.type, values + 0.0, np.ones(len(values), dtype=bool))
    infinite = int(np.isinf(values).sum())
    if infinite:
        msg = f"column {name!r} holds {infinite} infinite values; needed: finite numbers; replace them first"
        raise InputError(msg)
    valid = ~np.isnan(values)
    return Values(name, "float", array.type, np.where(valid, values, 0.0) + 0.0, valid)


def _decimal_values(name: str, array: Array) -> Values:
    wide = pa.decimal128(38, array.type.scale)
    try:
        whole = array.cast(wide)
        pairs = np.frombuffer(whole.buffers()[1], dtype=np.int64).reshape(-1, 2)[
            whole.offset : whole.offset + len(whole)
        ]
    except pa.ArrowInvalid:
        pairs = np.array([[0, 1]])
    valid = _valid(array)
    low = np.where(valid, pairs[:, 0], 0) if len(pairs) == len(valid) else pairs[:, 0]
    if len(pairs) != len(valid) or np.any((pairs[:, 1] != (low >> 63)) & valid):
        msg = f"column {name!r} holds decimals of more than 18 digits; needed: fewer; round or divide them first"
        raise InputError(msg)
    return Values(name, "decimal", array.type, low, valid)


def _decimals(physical: NDArray[Any], valid: Flags, kind: DataType) -> Any:
    pairs = np.column_stack([physical, physical >> 63]).astype(np.int64)
    bits = np.packbits(valid, bitorder="little").tobytes()
    buffers = [pa.py_buffer(bits), pa.py_buffer(np.ascontiguousarray(pairs).tobytes())]
    return pa.Array.from_buffers(pa.decimal128(38, kind.scale), len(physical), buffers).cast(kind)


def wall_numbers(array: Array) -> Integers:
    """Moments as the clocks of their zone show them."""
    return time_numbers(pc.local_timestamp(array))


def _times(name: str, array: Array) -> Values:
    valid = _valid(array)
    physical = time_numbers(array)
    if getattr(array.type, "tz", None):
        wall = wall_numbers(array)
        step = _grain(array.type, wall[valid])
        if step >= _grain(array.type, np.zeros(1, dtype=np.int64)):  # whole days there
            return Values(name, "time", array.type, wall, valid, step=step, local=True)
    return Values(name, "time", array.type, physical, valid, step=_grain(array.type, physical[valid]))


def time_numbers(array: Array) -> Integers:
    """Times in the units of their type."""
    narrow = array.type in (pa.date32(), pa.time32("s"), pa.time32("ms"))
    integers = array.cast(pa.int32() if narrow else pa.int64()).fill_null(0).cast(pa.int64())
    numbers: Integers = integers.to_numpy(zero_copy_only=False)
    return numbers


def units_per_second(kind: DataType) -> int:
    """How many units of a type of times make a second (milliseconds for dates of 64 bits)."""
    return _UNITS.get(getattr(kind, "unit", "ms"), 10**3)


def _grain(kind: DataType, values: Integers) -> int:
    """The largest of a day, hour, minute, second, ... of which all values are multiples, in units of the type."""
    if kind == pa.date32():
        return 1
    second = units_per_second(kind)
    for size in (86400 * second, 3600 * second, 60 * second, second, second // 1000, second // 10**6):
        if size > 1 and not np.any(values % size):
            return size
    return 1


def _nominal(name: str, array: Array) -> Values:
    kind = array.type
    if pa.types.is_dictionary(kind) and kind.ordered:  # keep their order, for whoever reads them
        ordered = _ordered_dictionary(name, array)
        return Values(name, "nominal", kind, ordered.physical, ordered.valid, ordered.categories)
    plain = array.dictionary_decode() if pa.types.is_dictionary(kind) else array
    if pa.types.is_string_view(plain.type):
        plain = plain.cast(pa.large_string())
    if pa.types.is_floating(plain.type):
        plain = plain.cast(pa.float32()) if pa.types.is_float16(plain.type) else plain
        plain = pc.add(pc.if_else(pc.is_nan(plain), None, plain), pa.scalar(0.0, plain.type))  # -0.0 is 0.0
    encoded = plain.dictionary_encode()
    order = pc.sort_indices(encoded.dictionary).to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    codes = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)
    valid = _valid(encoded)
    physical = np.where(valid, rank[codes], 0) if len(order) else np.zeros(len(array), dtype=np.int64)
    return Values(name, "nominal", kind, physical, valid, encoded.dictionary.take(pa.array(order)))


def _ordered_dictionary(name: str, array: Array) -> Values:
    valid = _valid(array)
    codes = array.indices.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    return Values(name, "ordinal", array.type, np.where(valid, codes, 0), valid, array.dictionary)


def _ordinal(name: str, array: Array, order: Sequence[str]) -> Values:
    values = _nominal(name, array)
    texts = [str(value) for value in values.categories.to_pylist()]
    known = set(order)
    unknown = [code for code, text in enumerate(texts) if text not in known]
    if unknown or len(known) != len(order):
        rows = int(np.isin(values.physical[values.valid], unknown).sum())
        raise InputError(
            f"the order given for column {name!r} has {len(order)} categories, some of them twice, or lacks {len(unknown)} "
            f"that occur ({rows} rows); needed: every category once"
        )
    at = {text: place for place, text in enumerate(order)}
    ranked = sorted(range(len(texts)), key=lambda i: at[texts[i]])
    rank = np.empty(max(1, len(texts)), dtype=np.int64)
    rank[ranked] = np.arange(len(texts))
    physical = np.where(values.valid, rank[values.physical], 0)
    categories = values.categories.take(pa.array(ranked, type=pa.int64()))
    return Values(name, "ordinal", values.type, physical, values.valid, categories)
