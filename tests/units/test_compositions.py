"""What units are made of, and which columns have one value in each: against the definition on every small case."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from covey.columns.compositions import columns_of_units, compositions, units_of_several_values
from covey.columns.values import read_values
from covey.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def same_grouping(one: Sequence[object], other: Sequence[object]) -> bool:
    """Whether two ways to number rows agree on who is alike."""
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


def test_units_of_one_composition_have_as_many_rows_of_every_kind() -> None:
    for kinds in itertools.product(range(2), repeat=5):
        for units in itertools.product((0, 3, 7), repeat=5):
            made_of = [tuple(sorted(k for k, u in zip(kinds, units, strict=True) if u == unit)) for unit in units]
            number = compositions(np.array(kinds), np.array(units)).tolist()
            assert same_grouping(number, made_of)


def test_a_column_of_units_has_one_value_in_each() -> None:
    for values in itertools.product((None, 0, 1), repeat=4):
        for units in itertools.product(range(3), repeat=4):
            column = read_values("x", pa.array(values, pa.int64()))
            several = sum(len({v for v, u in zip(values, units, strict=True) if u == unit}) > 1 for unit in set(units))
            assert units_of_several_values(column, np.array(units)) == several
            assert columns_of_units({"x": column}, np.array(units), ()) == (frozenset() if several else {"x"})
            if several:
                with pytest.raises(InputError, match=rf"x \(in {several} units?\)"):
                    columns_of_units({"x": column}, np.array(units), ["x"])
