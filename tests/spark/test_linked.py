"""Linked units on a cluster: never torn between partitions, and seen as in memory, against independent counts."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, InputError, OptionError, RefusedError
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles
from covey.spark import release
from covey.spark.parts import UNIT
from covey.spark.recount import recount
from tests.files.test_linked import ASKED, SECRET
from tests.files.test_linked_cut import CUT, gaps, waves_of
from tests.files.test_linked_members import AGES, ROLES, with_sizes
from tests.files.test_linked_requirements import ILL, reach, uniform
from tests.units import oracle
from tests.units.test_derived import FORMULAS, by_hand
from tests.units.test_design import CLUSTERS, torn, villages
from tests.units.test_order_rules import RULE, broken, families
from tests.units.test_release import QUASI, households, seen_together

if TYPE_CHECKING:
    from pathlib import Path


def units_in(table: pa.Table, *more: str) -> list[list[tuple[Any, ...]]]:
    return oracle.tuples_of_units(table.to_pylist(), "home", [*QUASI, *more])


def test_units_are_never_torn_between_partitions(spark: Any) -> None:
    table = households(300, 2)
    df = spark.createDataFrame(table).repartition(5)
    found = release(df, 4, piece_rows=150, **(ASKED | {"random_ids": [], "linked": True}))
    assert found.table.columns == ["income", "age", "sex"]
    units = oracle.tuples_of_units(found.inner.toArrow().to_pylist(), UNIT, QUASI)
    seen = oracle.appearances(units)
    assert min(seen.values()) == found.certificate.k >= 4
    assert Counter(map(len, units)) == Counter(Counter(table["home"].to_pylist()).values())
    assert found.certificate.public["class_sizes"] == {str(n): m for n, m in sorted(Counter(seen.values()).items())}
    found.close()


def test_one_part_is_the_release_of_memory(spark: Any, tmp_path: Path) -> None:
    """Roles are merged, a unit of many rows and two more are left out, and what classes show is what units show."""
    table = households(60, 2)
    many = pa.table(
        {name: [table[name][0].as_py()] * 5 if name != "home" else ["x"] * 5 for name in table.column_names}
    )
    table = pa.concat_tables([table, many])
    choices: dict[str, Any] = {
        "member_role": "role",
        "merge_roles": {"partner": "adult", "head": "adult"},
        "small_units": "suppress",
        "sensitive": ["ill"],
        "entropy": SECRET,
    }
    found = release(spark.createDataFrame(table).repartition(3), 3, **(ASKED | choices))
    memory = covey.release(table, 3, **(ASKED | choices))
    units = units_in(found.table.toArrow(), "role")
    assert min(oracle.appearances(units).values()) >= 3
    assert len(units) == 61 - 3
    assert {row[-1] for unit in units for row in unit} == {"adult"}
    ours, theirs = (
        # How much a kept column gives away is judged on other rows here.
        sorted(text for text in map(str, one.report.notes) if "although it determines" not in text)
        for one in (found, memory)
    )
    assert ours == theirs
    assert [one.distinct_l for one in found.report.sensitive] == [one.distinct_l for one in memory.report.sensitive]
    found.write(str(tmp_path / "out"), ledger=False)
    found.close()


def test_units_without_published_ids_are_counted_by_all_of_their_rows(spark: Any) -> None:
    table = pa.table({"q": [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0], "unit": [0, 1, 2, 3, 0, 1, 2]})
    recipe = Recipe(k=3, linked=True, roles=Roles(quasi=("q",), unit="unit"))
    with pytest.raises(RefusedError, match="1 unit in classes below k = 3"):
        recount(spark.createDataFrame(table), recipe, 7, "unit")


def test_what_cannot_be_released_is_refused(spark: Any) -> None:
    df = spark.createDataFrame(households(40, 6))
    with pytest.raises(InfeasibleError, match=r"units \(\d+ records\) have one of \d+ compositions"):
        release(df, 8, **ASKED)
    with pytest.raises(OptionError, match="t_closeness and a unit"):
        release(df, 3, sensitive=["ill"], t_closeness=0.5, **ASKED)


def test_clusters_have_random_ids_and_no_unit_has_two(spark: Any) -> None:
    asked = ASKED | CLUSTERS | {"entropy": SECRET}
    found = release(spark.createDataFrame(villages()).repartition(3), 3, **asked)
    memory = covey.release(villages(), 3, **asked)
    assert Counter(found.table.toArrow()["village"].to_pylist()) == Counter(memory.arrow["village"].to_pylist())
    found.close()
    broken = spark.createDataFrame(torn(villages(), "village", 5)).repartition(3)
    with pytest.raises(InputError, match=r"several values in a linked unit: village \(in 5 units\)"):
        release(broken, 3, **asked)


def test_requirements_hold_in_every_class_and_slot_of_all_parts(spark: Any) -> None:
    asked: dict[str, Any] = {"l_diversity": 3, "small_units": "suppress", **ILL}
    memory = covey.release(uniform(), 3, **(ASKED | asked))
    found = release(spark.createDataFrame(uniform()).repartition(4), 3, piece_rows=40, **(ASKED | asked))
    classes = seen_together(SimpleNamespace(arrow=found.table.toArrow()))  # type: ignore[arg-type]
    worst = min(reach(asked, some) for some, _ in classes)
    assert found.certificate.public["requirements"][0]["worst_class"] == worst >= 3
    assert found.report.suppressed == memory.report.suppressed == 36
    found.close()


def test_derived_columns_and_rules_between_members(spark: Any) -> None:
    found = release(
        spark.createDataFrame(with_sizes()).repartition(3), 3, piece_rows=60, derive=FORMULAS, **(ASKED | ROLES)
    )
    memory = covey.release(with_sizes(), 3, derive=FORMULAS, **(ASKED | ROLES))
    table = found.table.toArrow()
    assert table.column_names == memory.arrow.column_names
    assert [table.schema.field(name).type for name in FORMULAS] == [
        memory.arrow.schema.field(name).type for name in FORMULAS
    ]
    homes: dict[str, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        homes.setdefault(row["home"], []).append(row)
    assert all({name: row[name] for name in FORMULAS} == by_hand(rows) for rows in homes.values() for row in rows)
    assert any("in 1 of 150 units the table held another value" in str(note) for note in found.report.notes)
    found.close()
    found = release(
        spark.createDataFrame(families(90)).repartition(3), 3, piece_rows=100, edits=[RULE], **(ASKED | AGES)
    )
    assert not broken(found.table.toArrow())
    found.close()


def test_panels_lose_the_rows_that_they_lose_in_memory(spark: Any) -> None:
    found = release(spark.createDataFrame(gaps()).repartition(3), 3, piece_rows=150, **(ASKED | CUT))
    memory = covey.release(gaps(), 3, **(ASKED | CUT))
    assert waves_of(found.table.toArrow().to_pylist()) == waves_of(memory.arrow.to_pylist())
    assert found.report.suppressed == memory.report.suppressed
    found.close()
