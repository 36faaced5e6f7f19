"""Derived columns of units: from released rows alone, the same for units that look the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.columns.derived import Derived
from covey.errors import InputError, OptionError
from tests.units.test_release import households, released

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMULAS = {
    "size": "count",
    "children": "count of child",
    "adults": "count of head, partner",
    "years": "sum of age",
    "of_children": "mean of age of child",
    "eldest": "max of age",
}


def by_hand(rows: list[dict[str, Any]]) -> Mapping[str, Any]:
    children = [row["age"] for row in rows if row["role"] == "child"]
    return {
        "size": len(rows),
        "children": len(children),
        "adults": sum(row["role"] in ("head", "partner") for row in rows),
        "years": sum(row["age"] for row in rows),
        "of_children": pytest.approx(sum(children) / len(children)) if children else None,
        "eldest": max(row["age"] for row in rows),
    }


def test_columns_are_derived_from_released_rows() -> None:
    table = households(150, 3)
    done = released(table, member_role="role", derive=FORMULAS)
    homes: dict[str, list[dict[str, Any]]] = {}
    for row in done.arrow.to_pylist():
        homes.setdefault(row["home"], []).append(row)
    assert len(homes) == 150
    for rows in homes.values():
        for row in rows:
            assert {name: row[name] for name in FORMULAS} == by_hand(rows)
    assert done.certificate.public["counted_over"][-len(FORMULAS) :] == [*FORMULAS]
    assert sum("is derived from the released rows of a unit" in str(note) for note in done.report.notes) == len(
        FORMULAS
    )


def test_a_column_of_the_table_is_replaced_in_its_place() -> None:
    table = households(80, 3)
    homes = table["home"].to_pylist()
    size = [homes.count(home) + (home == "h7") for home in homes]
    done = released(table.add_column(1, "size", pa.array(size)), derive={"size": "count"}, drop_rest=True)
    assert done.arrow.column_names[:2] == ["home", "size"]
    made = done.arrow["home"].to_pylist()
    assert done.arrow["size"].to_pylist() == [made.count(home) for home in made]
    assert any("in 1 of 80 units the table held another value" in str(note) for note in done.report.notes)


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.decimal128(9, 2), pa.int16()], ids=str)
def test_sums_do_not_depend_on_the_order_of_rows(kind: pa.DataType) -> None:
    """0.1 + 0.2 + 0.3 is another number than 0.3 + 0.2 + 0.1, and would tell units apart that look the same."""
    values = [1, 2, 3] if kind == pa.int16() else [0.1, 0.2, 0.3]
    rows = [values[(place + home) % 3] for home in range(12) for place in range(3)]
    table = pa.table({"home": np.repeat(np.arange(12), 3), "pay": pa.array(np.array(rows)).cast(kind)})
    done = released(
        table,
        quasi=["pay"],
        derive={"total": "sum of pay"},
        decimals={"pay": 15} if kind == pa.float64() else {},
        number=["pay"] if kind == pa.int16() else [],
    )
    assert len(set(done.arrow["total"].to_pylist())) == 1
    assert float(done.arrow["total"][0].as_py()) == pytest.approx(sum(values))
    assert done.certificate.k == 12


def test_missing_values_are_left_out_of_sums() -> None:
    table = pa.table({"home": np.repeat(np.arange(8), 2), "pay": [1.5, None] * 4 + [None, None] * 4})
    done = released(table, quasi=["pay"], missing="own-group", derive={"total": "sum of pay", "size": "count"})
    assert sorted(done.arrow["total"].to_pylist(), key=str) == [1.5] * 8 + [None] * 8
    assert set(done.arrow["size"].to_pylist()) == {2}


@pytest.mark.parametrize(
    "text", ["", "size", "count of", "sum", "sum of", "sum of age of child of head", "count of a,,b"]
)
def test_formulas_that_are_not_understood(text: str) -> None:
    with pytest.raises(OptionError, match="needed: count, count of ROLE"):
        Derived.parse(text)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"random_ids": [], "derive": {"n": "count"}}, "derive is given, and has no effect without linked units"),
        ({"derive": {"n": "count of child"}}, "there is no member_role"),
        ({"member_role": "role", "derive": {"n": "count of uncle"}}, "of 'uncle', and no published row has that role"),
        ({"derive": {"n": "sum of ill"}}, "needed: a quasi-identifier"),
        ({"derive": {"n": "sum of sex"}}, "which is nominal; needed: numbers"),
        ({"derive": {"age": "count"}}, "which is also quasi"),
    ],
)
def test_derived_columns_that_cannot_be(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        released(households(60, 3), **choices)


def test_sums_beyond_their_type_are_an_error() -> None:
    table = pa.table({"home": np.repeat(np.arange(4), 3), "pay": [2**62] * 12})
    with pytest.raises(InputError, match="leaves the range of its type"):
        released(table, quasi=["pay"], number=["pay"], derive={"total": "sum of pay"})
    floats = table.set_column(1, "pay", pa.array([1.5e308] * 12))
    with pytest.raises(InputError, match="leaves the range of its type"):
        released(floats, quasi=["pay"], derive={"total": "sum of pay"})


def test_units_of_one_row_have_derived_columns_too() -> None:
    done = covey.release(
        households(30, 1), 3, quasi=["age"], unit="home", random_ids=["home"], derive={"size": "count"}, drop_rest=True
    )
    assert set(done.arrow["size"].to_pylist()) == {1}
