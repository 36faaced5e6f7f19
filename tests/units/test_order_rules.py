"""Edit rules that order values, in a row and between the members of a unit: checked, repaired or refused."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.columns.order_rules import OrderRule, UnitMembers
from covey.columns.values import Values, read_values
from covey.errors import InputError, OptionError
from tests.units.test_release import released


def families(number: int = 60, seed: int = 0) -> pa.Table:
    """Heads, partners and children; a child is younger than both by at least a year."""
    rng = np.random.default_rng(seed)
    rows = []
    for home in range(number):
        head, partner = rng.integers(20, 60, 2).tolist()
        rows += [(home, "head", head), (home, "partner", partner)]
        rows += [(home, "child", int(rng.integers(0, min(head, partner)))) for _ in range(2)]
    return table_of(rows)


def table_of(rows: list[tuple[Any, str, int]]) -> pa.Table:
    return pa.table(dict(zip(("home", "role", "age"), zip(*rows, strict=True), strict=True)))


def broken(table: pa.Table) -> int:
    rows = table.to_pylist()
    return sum(
        child["age"] >= other["age"]
        for child, other in itertools.product(rows, repeat=2)
        if child["home"] == other["home"] and child["role"] == "child" and other["role"] in ("head", "partner")
    )


RULE = "age of child < age of head, partner"


@pytest.mark.parametrize("choices", [{}, {"aggregates": {"age": "trimmed-mean"}}, {"top": {"age": 58}}], ids=str)
def test_children_stay_younger_than_their_parents(choices: dict[str, Any]) -> None:
    table = families(90)
    assert not broken(table)
    done = released(table, quasi=["age"], member_role="role", edits=[RULE], **choices)
    assert not broken(done.arrow)
    assert done.certificate.k >= 3


def test_what_the_release_breaks_is_repaired_and_counted() -> None:
    """Means of 0.5, 1.5, ... are rounded to even numbers, so that some children would be as old as the head."""
    rows = [(f"h{home}", role, age + home % 2) for home in range(40) for role, age in (("head", 21), ("child", 20))]
    table = table_of(rows)
    choices: dict[str, Any] = {"quasi": ["age"], "member_role": "role", "number": ["age"]}
    plain = released(table, 40, **choices)
    assert set(plain.arrow["age"].to_pylist()) == {20, 22}
    rows = [(f"h{home}", role, age + home % 2) for home in range(40) for role, age in (("head", 20), ("child", 19))]
    table = table_of(rows)
    assert set(released(table, 40, **choices).arrow["age"].to_pylist()) == {20}  # 20.5 and 19.5
    done = released(table, 40, edits=["age of child < age of head"], **choices)
    assert {(row["role"], row["age"]) for row in done.arrow.to_pylist()} == {("head", 20), ("child", 19)}
    assert any("40 released values were moved so that the edit rule" in str(note) for note in done.report.notes)


def test_a_table_that_breaks_a_rule_is_refused() -> None:
    table = families(30)
    older = [
        99 if role == "child" else age
        for role, age in zip(*(table[n].to_pylist() for n in ("role", "age")), strict=True)
    ]
    with pytest.raises(
        InputError, match="60 records of the table break the edit rule age of child < age of head, partner"
    ):
        released(
            table.set_column(2, "age", pa.array(older)), quasi=["age"], number=["age"], member_role="role", edits=[RULE]
        )


def stays(number: int = 50) -> pa.Table:
    """Stays in a hospital, some of the same day."""
    rng = np.random.default_rng(2)
    start = [dt.date(2024, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 300, number)]
    end = [day + dt.timedelta(days=int(more)) for day, more in zip(start, rng.integers(0, 9, number), strict=True)]
    return pa.table({"admission": start, "discharge": end})


@pytest.mark.parametrize("method", ["auto", "mdav"])
def test_a_discharge_is_not_before_its_admission(method: str) -> None:
    quasi = ["admission", "discharge"]
    done = covey.release(stays(), 3, quasi=quasi, method=method, edits=["discharge >= admission"], ledger=False)
    assert all(row["discharge"] >= row["admission"] for row in done.arrow.to_pylist())
    with pytest.raises(InputError, match="records of the table break the edit rule discharge < admission"):
        covey.release(stays(), 3, quasi=quasi, edits=["discharge < admission"], ledger=False)


def values(numbers: list[Any], kind: pa.DataType) -> Values:
    return read_values("x", pa.array(numbers, pa.float64()).cast(kind, safe=False))


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.float32(), pa.decimal128(9, 2)], ids=str)
@pytest.mark.parametrize("strict", [True, False])
def test_every_small_case_is_repaired_as_little_as_can_be(kind: pa.DataType, *, strict: bool) -> None:
    rule = OrderRule("x", "y", strict)
    for low, high in itertools.product([0.0, 1.0, 2.0, None], repeat=2):
        columns = {"x": values([low], kind), "y": values([high], kind)}
        for decimals in (None, 0, 1):
            columns["x"] = columns["x"].with_decimals(decimals) if kind == pa.float64() else columns["x"]
            fine = low is None or high is None or low < high or (low == high and not strict)
            assert rule.holds(columns, None).tolist() == [fine]
            repaired, number = rule.repaired(columns, None)
            assert number == (not fine)
            assert rule.holds(columns | {"x": repaired}, None).all()
            if fine or not strict:
                assert repaired.physical[0] == (columns["x"] if fine else columns["y"]).physical[0]
            else:
                assert repaired.physical[0] < columns["y"].physical[0]


def test_only_members_of_these_roles_are_compared() -> None:
    columns = {"x": values([5, 9, 1, 7, 3], pa.int64())}
    members = UnitMembers(np.array([0, 0, 1, 1, 1]), np.array(["head", "child", "head", "uncle", "child"]))
    rule = OrderRule("x", "x", True, ("child",), ("head",))
    assert rule.holds(columns, members).tolist() == [True, False, True, True, False]
    assert rule.repaired(columns, members)[0].physical.tolist() == [5, 4, 1, 7, 0]
    assert OrderRule("x", "x", True, ("child",), ("uncle",)).holds(columns, members).all()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("age of child < age", "is not understood; needed: a column on either side"),
        ("age of child < age of child", "is not understood; needed: a column on either side"),
        ("age < ", "is not understood"),
        ("age of uncle < age of head", "is of 'uncle', and no published row has that role"),
        ("role <= age", "speaks of 'role'; needed: quasi-identifiers that are numbers or times"),
    ],
)
def test_rules_that_cannot_be(rule: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        released(families(30), quasi=["age"], member_role="role", edits=[rule])


def test_rules_of_members_need_members() -> None:
    with pytest.raises(OptionError, match="there is no member_role"):
        released(families(30), quasi=["age"], edits=[RULE])
    with pytest.raises(OptionError, match="has no effect without linked units"):
        released(families(30), quasi=["age"], random_ids=[], edits=[RULE])
