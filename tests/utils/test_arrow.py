"""pyarrow is imported when it is used, and columns come in one piece."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pyarrow as pa
import pytest

from covey.utils import arrow
from covey.utils.extras import Lazy


def test_pyarrow_is_imported_when_a_name_of_it_is_used() -> None:
    code = (
        "import sys; from covey.utils.arrow import Column, Table, pa, pc; before = 'pyarrow' in sys.modules; "
        "pa.array([1]); print(before, 'pyarrow' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


def test_a_lazy_module_has_the_names_of_the_module_and_no_others() -> None:
    assert arrow.pa.table is pa.table
    assert not hasattr(arrow.pa, "no_such_name")


def test_a_lazy_module_is_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(Lazy("math"))).sqrt(4.0) == 2.0  # noqa: S301


@pytest.mark.parametrize("column", [pa.array(["a", "b", "a"]), pa.chunked_array([["a"], ["b", "a"]])])
def test_columns_come_in_one_piece(column: arrow.Column) -> None:
    for plain in (arrow.array_of(column), arrow.decoded(column), arrow.decoded(column.dictionary_encode())):
        assert isinstance(plain, pa.Array)
        assert plain.type == pa.string()
        assert plain.to_pylist() == ["a", "b", "a"]


def test_kinds() -> None:
    texts = [pa.string(), pa.large_string()]
    numbers = [pa.int8(), pa.uint64(), pa.float16(), pa.float64(), pa.decimal128(5, 2)]
    others = [pa.bool_(), pa.date32(), pa.null(), pa.binary()]
    assert [arrow.is_text(kind) for kind in (*texts, *numbers, *others)] == [True] * 2 + [False] * 9
    assert [arrow.is_number(kind) for kind in (*texts, *numbers, *others)] == [False] * 2 + [True] * 5 + [False] * 4
