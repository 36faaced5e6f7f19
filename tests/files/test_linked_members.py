"""Derived columns, and rules between members of a unit, from file to file: as in memory, from whole units alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError, OptionError
from tests.files.tables import small
from tests.files.test_linked import ASKED, SECRET, released
from tests.units.test_derived import FORMULAS, by_hand
from tests.units.test_order_rules import RULE, broken, families, table_of
from tests.units.test_release import households

if TYPE_CHECKING:
    from pathlib import Path

ROLES: dict[str, Any] = {"member_role": "role"}
AGES: dict[str, Any] = {"quasi": ["age"], "number": ["age"], **ROLES}


def with_sizes() -> pa.Table:
    """Households whose size is in the table, in one of them a wrong one."""
    table = households(150, 3)
    homes = table["home"].to_pylist()
    size = [homes.count(home) + (home == "h7") for home in homes]
    wrong: pa.Table = table.add_column(1, "size", pa.array(size))
    return wrong


@pytest.mark.parametrize("name", ["out.parquet", "out.csv"])
def test_derived_columns_are_those_of_memory(name: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {**ROLES, "derive": FORMULAS, "entropy": SECRET}
    done = released(with_sizes(), tmp_path, name=name, **asked)
    memory = covey.release(with_sizes(), 3, **(ASKED | asked))
    found = covey.io.read(done.path).table
    assert found.column_names == memory.arrow.column_names
    assert done.certificate.public["counted_over"] == memory.certificate.public["counted_over"]
    assert sorted(map(str, done.report.notes)) == sorted(map(str, memory.report.notes))
    assert any("in 1 of 150 units the table held another value" in str(note) for note in done.report.notes)
    if name == "out.parquet":
        assert found.schema.types == memory.arrow.schema.types
        assert sorted(map(repr, found.to_pylist())) == sorted(map(repr, memory.arrow.to_pylist()))


def test_derived_columns_follow_from_released_rows_in_every_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Parts of households of one person have no child, which is no error."""
    small(monkeypatch, batch=50, rows=60)
    done = released(with_sizes(), tmp_path, derive=FORMULAS, **ROLES)
    homes: dict[str, list[dict[str, Any]]] = {}
    for row in pq.read_table(done.path).to_pylist():
        homes.setdefault(row["home"], []).append(row)
    assert len(homes) == 150
    for rows in homes.values():
        for row in rows:
            assert {name: row[name] for name in FORMULAS} == by_hand(rows)
    assert any("in 1 of 150 units the table held another value" in str(note) for note in done.report.notes)
    with pytest.raises(OptionError, match="of 'uncle', and no published row has that role"):
        released(with_sizes(), tmp_path, derive={"size": "count", "n": "count of uncle"}, **ROLES)
    with pytest.raises(OptionError, match="of 'child', and no published row has that role"):
        released(with_sizes(), tmp_path, max_rows=2, derive={"size": "count", "n": "count of child"}, **ROLES)


def test_rules_between_members_hold_and_are_repaired_in_every_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = released(families(90), tmp_path, edits=[RULE], **AGES)
    assert not broken(pq.read_table(whole.path))
    small(monkeypatch, batch=50, rows=80)
    done = released(families(400), tmp_path, edits=[RULE], **AGES)
    assert not broken(pq.read_table(done.path))


def test_values_that_were_moved_for_a_rule_are_added_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Means of 20.5 and 19.5 are rounded to 20, so that children would be as old as the head: in each part."""
    small(monkeypatch, rows=60)
    rows = [(f"h{home}", role, age + home % 2) for home in range(480) for role, age in (("head", 20), ("child", 19))]
    table = table_of(rows).append_column("place", pa.array([10 * (at // 2) for at in range(960)]))
    choices = AGES | {
        "quasi": ["age", "place"],
        "importance": {"place": 9999.0},
        "edits": ["age of child < age of head"],
    }
    done = released(table, tmp_path, 4, **choices)
    moved = [str(note) for note in done.report.notes if "values were moved" in str(note)]
    ages: dict[str, dict[str, int]] = {}
    for row in pq.read_table(done.path).to_pylist():
        ages.setdefault(row["home"], {})[row["role"]] = row["age"]
    assert all(home["child"] < home["head"] for home in ages.values())
    assert [int(text.split()[0]) for text in moved] == [sum(home["child"] == 19 for home in ages.values())]
    assert len(ages) == int(moved[0].split()[0]) == 480


@pytest.mark.parametrize(
    ("choices", "when"), [({}, "of the table"), ({"top": {"age": 30}}, "after top and bottom coding")]
)
def test_a_rule_that_is_broken_is_refused(
    choices: dict[str, Any], when: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small(monkeypatch, rows=50)
    oldest = 60 if not choices else 41
    rows = [
        (f"h{home}", role, age)
        for home in range(60)
        for role, age in (("head", 45), ("child", oldest if home < 9 else 7))
    ]
    with pytest.raises(InputError, match=f"9 records {when} break the edit rule age of child < age of head"):
        released(table_of(rows), tmp_path, edits=["age of child < age of head"], **(AGES | choices))
    with pytest.raises(OptionError, match="of 'uncle', and no published row has that role"):
        released(families(30), tmp_path, edits=["age of uncle < age of head"], **AGES)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
