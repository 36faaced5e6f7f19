"""Panels that are cut back, from file to file: they lose the rows that they lose in memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError
from tests.files.tables import small
from tests.files.test_linked import ASKED, TWICE, released, units_in
from tests.units import oracle
from tests.units.test_release import panel

if TYPE_CHECKING:
    from pathlib import Path

CUT: dict[str, Any] = {"time": "wave", "small_units": "cut"}


def gaps(number: int = 120, waves: int = 5, seed: int = 0) -> pa.Table:
    """A panel in which one row in nine is not there."""
    table = panel(number, waves, seed)
    return table.filter(pa.array(np.random.default_rng(seed).random(table.num_rows) > 1 / 9))


def waves_of(rows: list[dict[str, Any]]) -> Counter[tuple[int, ...]]:
    """How many units have each pattern of waves."""
    units: dict[Any, list[int]] = {}
    for row in rows:
        units.setdefault(row["home"], []).append(row["wave"])
    return Counter(tuple(sorted(waves)) for waves in units.values())


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"max_rows": 4},
        {"missing": "own-group"},
        {"strata": ["area"], "small_strata": "suppress"},
        {"sensitive": ["ill"], "l_diversity": 2},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", [0, 1])
def test_units_lose_the_rows_that_they_lose_in_memory(
    choices: dict[str, Any], seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small(monkeypatch, batch=40, rows=150)
    table = gaps(60, 6, seed) if "max_rows" in choices else gaps(seed=seed)  # rare patterns of more rows than that
    rng, home = np.random.default_rng(seed), np.array(table["home"].to_pylist())
    table = table.append_column("area", pa.array(np.where(home < 2, "isle", np.where(home % 2, "north", "south"))))
    table = table.append_column("ill", pa.array(rng.choice(["flu", "none", "cold"], table.num_rows)))
    age = [None if rng.random() < 0.02 and "missing" in choices else one for one in table["age"].to_pylist()]
    table = table.set_column(table.column_names.index("age"), "age", pa.array(age, pa.int64()))
    done = released(table, tmp_path, **CUT, **choices)
    memory = covey.release(table, 3, **(ASKED | CUT | choices))
    rows = pq.read_table(done.path).to_pylist()
    assert waves_of(rows) == waves_of(memory.arrow.to_pylist())
    assert min(oracle.appearances(units_in(done.path, "wave")).values()) >= 3
    assert done.report.suppressed == memory.report.suppressed
    ours, theirs = ([str(note) for note in one.report.notes if "not published" in str(note)] for one in (done, memory))
    assert ours == theirs
    assert any("cut back to one" in text for text in ours)


def test_nobody_is_cut_where_all_patterns_are_common(tmp_path: Path) -> None:
    done = released(panel(), tmp_path, **CUT)
    assert pq.read_table(done.path).num_rows == panel().num_rows
    assert not any("cut back" in str(note) for note in done.report.notes)
    with pytest.raises(InputError, match="stands 40 times"):
        released(TWICE, tmp_path, **CUT)


def test_columns_of_units_are_looked_at_before_rows_are_dropped(tmp_path: Path) -> None:
    """One unit has a fifth wave, which it loses, and another rent in it."""
    homes, waves = [*np.repeat(np.arange(9), 4), 0], [*list(range(4)) * 9, 4]
    rent = [700 + 10 * int(home) for home in homes]
    table = pa.table({"home": homes, "wave": waves, "income": 1.0 + np.arange(37), "rent": [*rent[:-1], 900]})
    asked = CUT | {"quasi": ["income", "rent"], "unit_columns": ["rent"]}
    for release in (lambda: released(table, tmp_path, **asked), lambda: covey.release(table, 3, **(ASKED | asked))):
        with pytest.raises(InputError, match=r"several values in a unit: rent \(in 1 unit\)"):
            release()
    assert released(table, tmp_path, **(asked | {"unit_columns": []})).report.suppressed == 1
