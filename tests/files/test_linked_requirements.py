"""Requirements over linked units from file to file: in whole classes and in every slot, as in memory, against independent counts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InfeasibleError, RefusedError
from covey.parts import unit_kinds
from covey.protect.slots import group_linked
from tests.files.tables import small
from tests.files.test_linked import ASKED, SECRET, released
from tests.units.test_release import households, seen_together

if TYPE_CHECKING:
    from pathlib import Path

ILL: dict[str, Any] = {"sensitive": ["ill"], "accept": ["ill"]}
DEBTS: dict[str, Any] = {"sensitive": ["debt"], "accept": ["debt"]}
REQUIRED: list[dict[str, Any]] = [
    {"l_diversity": 2, **ILL},
    {"l_diversity": 1.9, "diversity": "entropy", **ILL},
    {"l_diversity": 2, "diversity": "recursive", "recursive_c": 3.0, **ILL},
    {"alpha": 0.9, **ILL},
    {"spread": {"debt": 50}, **DEBTS},
    {"p_percent": 5.0},
    {"dominance": (1, 60.0)},
]


def indebted(number: int = 240, most: int = 3, seed: int = 0) -> pa.Table:
    table = households(number, most, seed)
    return table.append_column("debt", pa.array(np.random.default_rng(seed).integers(0, 1000, table.num_rows)))


def uniform(homes: int = 12) -> pa.Table:
    """Couples whose children have one of two illnesses, and their parents one of three: no group of them holds three in every place."""
    table, rows = households(60, 2), []
    for home in range(homes):
        of_parents, of_child = ["flu", "cold", "none"], ("measles", "mumps")[home % 2]
        ages = zip(
            ("head", "partner", "child"),
            (60 + home, 41, 8),
            (of_parents[home % 3], of_parents[home % 2], of_child),
            strict=True,
        )
        rows += [
            {"home": f"m{home}", "income": 3000.0 + home, "role": role, "age": age, "sex": "f", "ill": ill}
            for role, age, ill in ages
        ]
    both = pa.concat_tables([table, pa.Table.from_pylist(rows, schema=table.schema)])
    return both.take(pa.array(np.random.default_rng(1).permutation(both.num_rows)))


def together(path: Path) -> list[tuple[list[dict[str, Any]], int]]:
    """All rows of units of one appearance, and those of them that look the same; with the number of units."""
    return seen_together(SimpleNamespace(arrow=pq.read_table(path)))  # type: ignore[arg-type]


@pytest.mark.parametrize("required", REQUIRED, ids=str)
def test_one_part_is_the_release_of_memory(required: dict[str, Any], tmp_path: Path) -> None:
    table = indebted()
    done = released(table, tmp_path, entropy=SECRET, **required)
    memory = covey.release(table, 3, **(ASKED | required | {"entropy": SECRET}))
    assert sorted(map(repr, pq.read_table(done.path).to_pylist())) == sorted(map(repr, memory.arrow.to_pylist()))
    assert sorted(map(str, done.report.notes)) == sorted(map(str, memory.report.notes))
    for name in ("requirements", "class_sizes", "promise"):
        assert done.certificate.public[name] == memory.certificate.public[name]
    ours, theirs = done.report.groups[0], memory.report.groups[0]
    assert ours.loss_percent_without == pytest.approx(theirs.loss_percent_without, rel=1e-6)


@pytest.mark.parametrize("required", REQUIRED[:4], ids=str)
def test_requirements_hold_in_every_class_and_slot_of_all_pieces(
    required: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small(monkeypatch, batch=90, rows=250)
    table = indebted(500, 2, 3)
    done = released(table, tmp_path, **required)
    assert pq.read_table(done.path).num_rows == table.num_rows
    reached = [reach(required, some) for some, _ in together(done.path)]
    worst = max(reached) if {"alpha", "recursive_c"} & required.keys() else min(reached)
    assert done.certificate.public["requirements"][0]["worst_class"] == pytest.approx(worst)


def reach(required: dict[str, Any], rows: list[dict[str, Any]]) -> float:
    """What rows of a class or a slot reach, by the definition: in shares of units, whatever several of their rows say."""
    units: dict[str, set[str]] = {}
    for row in rows:
        units.setdefault(row["home"], set()).add(row["ill"])
    values = sorted(set().union(*units.values()))
    share = {value: sum(value in unit for unit in units.values()) / len(units) for value in values}
    if "alpha" in required:
        return max(share.values())
    if "recursive_c" in required:
        first, *others = sorted(share.values(), reverse=True)
        return first / sum(others) if others else np.inf
    if "diversity" in required:
        spread = np.array([sum((value in unit) / len(unit) for unit in units.values()) for value in values]) / len(
            units
        )
        return float(np.exp(-(spread * np.log(spread)).sum()))
    without = [[unit for unit in units.values() if value not in unit] for value in values]
    return min(1.0 + len(set().union(*some)) for some in without)


def test_compositions_that_cannot_hold_are_an_error_or_left_out_as_in_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: dict[str, Any] = {"l_diversity": 3, **ILL}
    small(monkeypatch, rows=60)
    with pytest.raises(
        InfeasibleError, match=r"12 units \(36 records\) have a composition .* do not hold what is required"
    ):
        released(uniform(), tmp_path, **asked)
    done = released(uniform(), tmp_path, small_units="suppress", **asked)
    memory = covey.release(uniform(), 3, **(ASKED | asked | {"small_units": "suppress"}))
    assert done.report.suppressed == memory.report.suppressed == 36
    rows = pq.read_table(done.path).to_pylist()
    assert {row["ill"] for row in rows} == {"flu", "none", "cold"}
    plain = released(uniform(), tmp_path, **ILL)
    assert min(reach(asked, some) for some, _ in together(plain.path)) < 3


def test_more_kinds_than_there_is_room_for_are_judged_where_they_are_released(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: dict[str, Any] = {"l_diversity": 2, **ILL}
    whole = released(indebted(90), tmp_path, entropy=SECRET, **asked)
    before = pq.read_table(whole.path)
    monkeypatch.setattr(unit_kinds, "MOST_KINDS", 10)
    assert pq.read_table(released(indebted(90), tmp_path, entropy=SECRET, **asked).path).equals(before)
    with pytest.raises(InfeasibleError, match="kinds of records"):
        released(uniform(), tmp_path, small_units="suppress", **(asked | {"l_diversity": 3}))


def test_kinds_of_units_add_up_and_judge_as_all_units_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Shares of as few records as are judged at a time say the same."""
    asked: dict[str, Any] = {"alpha": 0.66, "small_units": "suppress", **ILL}
    small(monkeypatch, rows=150)
    table = households(300, 3, 5)
    memory = covey.release(table, 3, **(ASKED | asked))
    done = released(table, tmp_path, **asked)
    assert done.report.suppressed == memory.report.suppressed
    assert memory.report.suppressed is not None
    assert memory.report.suppressed > 100
    monkeypatch.setattr(unit_kinds, "MOST_JUDGED", 60)
    assert released(table, tmp_path, **asked).report.suppressed == memory.report.suppressed


def test_a_composition_is_judged_by_how_many_units_are_of_each_kind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of thirty couples three are not ill with the flu alone: two kinds, of which one is nine in ten."""
    small(monkeypatch, rows=30)
    homes = np.repeat(np.arange(30), 2)
    ill = ["cold" if home % 10 == 0 else "flu" for home in homes]
    couples = pa.table(
        {"home": [f"c{home}" for home in homes], "income": 1.0 + homes, "age": [40, 50] * 30, "ill": ill}
    )
    singles = pa.table(
        {
            "home": [f"s{at}" for at in range(60)],
            "income": 1.0 + np.arange(60),
            "age": [30] * 60,
            "ill": ["flu", "cold"] * 30,
        }
    )
    table = pa.concat_tables([couples, singles]).append_column("sex", pa.array(["f"] * 120))
    with pytest.raises(InfeasibleError, match=r"30 units \(60 records\) have a composition"):
        released(table, tmp_path, alpha=0.6, **ILL)
    done = released(table, tmp_path, alpha=0.6, small_units="suppress", **ILL)
    assert done.report.suppressed == 60


def without_demands(*given: Any) -> Any:
    """Groups of linked units of which nothing is required."""
    grouping: Any = group_linked
    return grouping(*given[:8], None)


def test_the_file_is_recounted_in_every_slot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Over all rows there are five illnesses; among the children two."""
    homes = np.repeat(np.arange(40), 2)
    ill = [one for home in range(40) for one in (("flu", "none", "cold")[home % 3], ("measles", "mumps")[home % 2])]
    table = pa.table({"home": homes, "income": [1] * 80, "age": [40, 8] * 40, "sex": ["f"] * 80, "ill": ill})
    monkeypatch.setattr("covey.parts.linked.count_kinds", lambda *_: unit_kinds.UnitKindCount(lost=True))
    monkeypatch.setattr("covey.files.units.count_kinds", lambda *_: unit_kinds.UnitKindCount(lost=True))
    monkeypatch.setattr("covey.parts.part.all_in_one", lambda *_: True)
    monkeypatch.setattr("covey.protect.work.group_linked", without_demands)
    with pytest.raises(RefusedError, match="the recount found classes without"):
        released(table, tmp_path, l_diversity=3, **ILL)
