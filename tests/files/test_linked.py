"""Linked units from file to file: never torn between pieces, and seen as in memory, against independent counts."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InfeasibleError, InputError, OptionError, RefusedError
from covey.files.release import release_file
from covey.recount.duckdb import SPELLED, UNIT, Released, counting
from tests.files.tables import small
from tests.units import oracle
from tests.units.test_release import QUASI, households, panel

if TYPE_CHECKING:
    from pathlib import Path

    from covey.files.work import FileRelease

SECRET = "ab" * 32
TWICE = panel().set_column(1, "wave", pa.array([0] * 160))
ASKED: dict[str, Any] = {"quasi": QUASI, "unit": "home", "random_ids": ["home"], "drop_rest": True, "ledger": False}


def released(table: pa.Table, folder: Path, k: int = 3, name: str = "out.parquet", **choices: Any) -> FileRelease:
    pq.write_table(table, folder / "in.parquet", row_group_size=40)
    return release_file(folder / "in.parquet", f"{folder}/{name}", k, force=True, **(ASKED | choices))


def units_in(path: Path, *more: str) -> list[list[tuple[Any, ...]]]:
    return oracle.tuples_of_units(pq.read_table(path).to_pylist(), "home", [*QUASI, *more])


CHOICES: list[dict[str, Any]] = [
    {},
    {"member_role": "role", "merge_roles": {"partner": "adult", "head": "adult"}},
    {"sensitive": ["ill"], "method": "mdav"},
    {"max_rows": 2},
    {"random_ids": [], "linked": True},
    {"strata": ["area"], "small_units": "suppress"},
]


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_one_part_is_the_release_of_memory(choices: dict[str, Any], tmp_path: Path) -> None:
    table = households(120, 3)
    area = [("north", "south")[len(home) % 2] for home in table["home"].to_pylist()]
    table = table.append_column("area", pa.array(area))
    done = released(table, tmp_path, entropy=SECRET, **choices)
    memory = covey.release(table, 3, **(ASKED | choices | {"entropy": SECRET}))
    rows, others = pq.read_table(done.path).to_pylist(), memory.arrow.to_pylist()
    if "max_rows" in choices:  # in parts, scales are those of all rows
        assert len(rows) == len(others) < table.num_rows
    else:
        assert sorted(map(repr, rows)) == sorted(map(repr, others))
        assert done.certificate.public["class_sizes"] == memory.certificate.public["class_sizes"]
        assert done.report.groups[0].groups == memory.report.groups[0].groups
    assert sorted(map(str, done.report.notes)) == sorted(map(str, memory.report.notes))
    for name in ("promise", "rows_of_units_linked", "counted_over"):
        assert done.certificate.public[name] == memory.certificate.public[name]
    assert [one.distinct_l for one in done.report.sensitive] == [one.distinct_l for one in memory.report.sensitive]


def test_units_are_never_torn_between_pieces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two compositions fill several pieces each; a unit's rows lie far apart in the file."""
    small(monkeypatch, batch=90, rows=300)
    table = households(700, 2)
    done = released(table, tmp_path, 4)
    units = units_in(done.path)
    seen = oracle.appearances(units)
    assert min(seen.values()) == done.certificate.k >= 4
    assert Counter(map(len, units)) == Counter(Counter(table["home"].to_pylist()).values())
    assert done.certificate.public["class_sizes"] == {str(n): m for n, m in sorted(Counter(seen.values()).items())}
    assert all(len({income for income, _, _ in unit}) == 1 for unit in units)
    whole = covey.release(table, 4, **ASKED)
    assert done.report.groups[0].loss_percent <= 2.0 * whole.report.groups[0].loss_percent
    again = released(table, tmp_path, 4, recipe=None, entropy=done.recipe.entropy, name="again.parquet")
    assert pq.read_table(again.path).equals(pq.read_table(done.path))


@pytest.mark.parametrize("seed", range(12))
def test_no_attacker_has_fewer_than_k_candidates(seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tables of up to 9 units: who knows some rows of a unit, or all, and its size or not, is left with k units at least."""
    small(monkeypatch, batch=2 + seed % 5, rows=6)
    rng = random.Random(seed)
    k = rng.choice([2, 3])
    table = households(rng.randint(k, 9), rng.choice([1, 2, 3]), seed)
    roles: dict[str, Any] = {"member_role": "role"} if seed % 2 else {}
    try:
        done = released(table, tmp_path, k, small_units="suppress", **roles)
    except InfeasibleError:
        with pytest.raises(InfeasibleError):
            covey.release(table, k, **(ASKED | roles | {"small_units": "suppress"}))
        return
    units = units_in(done.path, *roles.values())
    assert oracle.fewest_candidates(units) >= k
    homes = len(set(table["home"].to_pylist()))
    assert homes == len(units) or homes - len(units) >= k


def test_borders_of_pieces_cost_little(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Households of a composition are exchanged between its pieces: in memory they are grouped together."""
    table = pa.Table.from_pandas(covey.datasets.load_households(), preserve_index=False)
    asked: dict[str, Any] = {"quasi": ["age", "sex", "income"], "unit": "household", "random_ids": ["household"]}
    asked |= {"drop_rest": True, "ledger": False, "entropy": SECRET}
    whole = covey.release(table, 3, measuring=False, **asked).report.groups[0]
    small(monkeypatch, rows=300)
    done = released(table, tmp_path, **asked)
    assert done.report.groups[0].loss_percent <= 1.007 * whole.loss_percent
    units = oracle.tuples_of_units(pq.read_table(done.path).to_pylist(), "household", asked["quasi"])
    assert min(oracle.appearances(units).values()) >= 3
    assert len(units) == 1000


def test_few_units_are_not_left_out_alone(tmp_path: Path) -> None:
    """One unit has three rows: it and two more stay out, drawn from the largest composition."""
    table = households(30, 2)
    three = pa.table(
        {name: [table[name][0].as_py()] * 3 if name != "home" else ["x"] * 3 for name in table.column_names}
    )
    table = pa.concat_tables([table, three])
    done = released(table, tmp_path, small_units="suppress")
    assert len(units_in(done.path)) == 31 - 3
    assert done.report.suppressed == table.num_rows - pq.read_table(done.path).num_rows
    memory = covey.release(table, 3, **(ASKED | {"small_units": "suppress"}))
    assert {str(note) for note in done.report.notes} >= {
        str(note) for note in memory.report.notes if "not published" in str(note)
    }


def test_one_row_a_unit_is_the_release_of_rows(tmp_path: Path) -> None:
    table = households(80, 1)
    done = released(table, tmp_path, entropy=SECRET)
    by_rows = released(table, tmp_path, entropy=SECRET, unit=None, name="rows.parquet")
    rows, others = pq.read_table(done.path), pq.read_table(by_rows.path)
    assert sorted(map(repr, rows.to_pylist())) == sorted(map(repr, others.to_pylist()))
    assert not any("equal appearance" in str(note) for note in done.report.notes)


def test_a_panel_leaves_in_the_order_of_its_waves(tmp_path: Path) -> None:
    done = released(panel(), tmp_path, time="wave")
    assert [row["wave"] for row in pq.read_table(done.path).to_pylist()] == [0, 1, 2, 3] * 40
    assert min(oracle.appearances(units_in(done.path, "wave")).values()) >= 3


@pytest.mark.parametrize(
    ("table", "choices", "error", "message"),
    [
        (TWICE, {"time": "wave"}, InputError, "the time is missing in 0 rows, and stands 40 times"),
        (panel().slice(0, 150), {"time": "wave"}, InfeasibleError, r"units \(\d+ records\) have one of"),
        (
            households(),
            {"member_role": "role", "merge_roles": {"uncle": "x"}},
            OptionError,
            "names 'uncle', which no row",
        ),
        (households(), {"unit_columns": ["age"]}, InputError, r"several values in a unit: age \(in \d+ units\)"),
        (households(), {"k": 100}, InfeasibleError, "units"),
        (households(), {"sensitive": ["ill"], "t_closeness": 0.5}, OptionError, "t_closeness and a unit"),
    ],
)
def test_what_cannot_be_released_is_an_error_and_nothing_is_written(
    table: pa.Table, choices: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        released(table, tmp_path, **choices)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_one_unit_of_several_values_is_found_wherever_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small(monkeypatch, rows=40)
    table = households(60, 2, low=2)
    income = table["income"].to_pylist()
    table = table.set_column(1, "income", pa.array([income[0] + 1, *income[1:]]))
    with pytest.raises(InputError, match=r"several values in a unit: income \(in 1 unit\)"):
        released(table, tmp_path, unit_columns=["income"])


def test_what_classes_show_is_what_whole_units_show(tmp_path: Path) -> None:
    """Of all women some are ill with gout; of those in households of two women all have the flu."""
    homes = [one for home in range(8) for one in (home, home)]
    sex = ["f", "f"] * 4 + ["f", "m"] * 4
    ill = ["flu"] * 8 + ["gout", "cold", "cold", "gout"] * 2
    table = pa.table({"home": homes, "sex": sex, "ill": ill})
    done = released(table, tmp_path, 4, quasi=["sex"], sensitive=["ill"], accept=["ill"])
    assert [one.distinct_l for one in done.report.sensitive] == [1]
    assert done.certificate.public["class_sizes"] == {"4": 2}


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out/"])
def test_the_file_is_recounted_by_whole_units_without_their_ids(name: str, tmp_path: Path) -> None:
    done = released(households(90, 3), tmp_path, name=name, random_ids=[], linked=True)
    assert done.certificate.k >= 3
    assert done.certificate.public["rows_of_units_linked"]
    assert done.certificate.public["units_published_as"] is None


def test_rows_that_look_alike_in_units_that_do_not_are_refused(tmp_path: Path) -> None:
    """Every row is one of four, and yet each unit is seen alone."""
    pq.write_table(pa.table({"x": [1, 2, 1, 3, 2, 3, 1, 2, 3]}), tmp_path / "rows.parquet")
    number = np.array([1, 1, 2, 2, 3, 3, 4, 4, 4], dtype=np.uint64)
    pq.write_table(pa.table({UNIT: number, SPELLED: number}), tmp_path / "units.parquet")
    with counting(2**28, tmp_path) as con:
        table = Released.of_parquet(con, tmp_path / "rows.parquet", tmp_path / "units.parquet")
        assert table.verify(["x"], 3, 9, units=True).k == 3
        with pytest.raises(RefusedError, match="4 units in classes below k = 3"):
            table.verify(["x"], 3, 9, units=True, linked=True)
