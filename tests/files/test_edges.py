"""What a review found: names, ties, units, wide rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, InputError, OptionError
from covey.files.spool import Spool
from tests.files.tables import in_memory, people, released, small

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)


def test_names_that_differ_in_case_are_different_columns(tmp_path: Path) -> None:
    """Not so to DuckDB, by name."""
    rng = np.random.default_rng(0)
    names = {"id": [f"i{i}" for i in range(400)], "ID": [f"p{i // 4}" for i in range(400)]}
    table = pa.table({**names, "x": rng.normal(size=400), "X": rng.normal(size=400)})
    with pytest.raises(InputError, match="'ID' repeats"):
        released(table, tmp_path, k=3, quasi=["x", "X"], keep=["id"], accept=["id"], random_ids=["ID"])
    _, out = released(table, tmp_path, k=3, quasi=["x", "X"])
    assert covey.verify(out, ["x", "X"], 3).rows == 400


@pytest.mark.parametrize("quasi", [["age"], ["age", "half"]])
def test_equal_rows_lie_in_no_order(quasi: list[str], tmp_path: Path) -> None:
    """A class may span many parts; where a row lies in it tells nothing of where it came from."""
    rng = np.random.default_rng(1)
    age = rng.integers(20, 23, 6000)
    table = pa.table({"age": age, "half": age // 2, "row": np.arange(6000)})
    _, out = released(table, tmp_path, quasi=quasi, number=quasi, keep=["row"], accept=["row"])
    for one in (20, 21, 22):
        rows = out["row"].to_numpy()[out["age"].to_numpy() == one]
        assert abs(np.corrcoef(rows, np.arange(len(rows)))[0, 1]) < 0.15
        ends = [np.mean(part % 2) for part in np.array_split(rows, 10)]
        assert max(ends) - min(ends) < 0.35


def test_units_with_requirements(tmp_path: Path) -> None:
    table = people(who=pa.array(np.arange(900) // 2))
    chosen: dict[str, Any] = {"unit": "who", "drop": ["who"], "sensitive": ["illness"], "l_diversity": 2}
    done, _ = released(table, tmp_path, **chosen)
    assert done.report.requirements[0].worst_class >= 2
    assert done.certificate.k >= 5


def test_pieces_hold_k_units_though_few_live_there(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    who = rng.integers(0, 30, 3000)
    place = rng.normal(size=(30, 2)) * 100
    points = place[who] + rng.normal(size=(3000, 2))
    table = pa.table({"x": points[:, 0], "y": points[:, 1], "who": who})
    done, _ = released(table, tmp_path, quasi=["x", "y"], unit="who", drop=["who"], method="split")
    assert done.certificate.k >= 5


def test_a_rare_category_joins_the_others(tmp_path: Path) -> None:
    table = pa.table({"c": ["A"] * 360 + ["B"] * 2})
    _, out = released(table, tmp_path, k=3, quasi=["c"])
    assert covey.verify(out, ["c"], 3).rows == 362


def test_what_is_refused_before_the_work(tmp_path: Path) -> None:
    table = people()
    with pytest.raises(OptionError, match="zeros_apart and top or bottom coding of the same column"):
        released(table, tmp_path, zeros_apart=["age"], bottom={"age": 20})
    with pytest.raises(OptionError, match="zeros_apart names 'illness'"):
        released(table, tmp_path, strata=["illness"], zeros_apart=["illness"])
    with pytest.raises(InputError, match="NUL character"):
        released(table.rename_columns(["age", "income", "\0row"]), tmp_path)
    gaps = table.set_column(2, "illness", pa.array([None] * 900, pa.string()))
    with pytest.raises(InfeasibleError, match="cannot hold"):
        released(gaps, tmp_path, sensitive=["illness"], l_diversity=2)
    with pytest.raises(OptionError, match="an amount that a machine has"):
        released(table, tmp_path, memory="99999999999TiB")


def test_a_constant_and_missing_values(tmp_path: Path) -> None:
    x = pa.array([7.0, 7.0, None] * 100)
    done, out = released(pa.table({"x": x}), tmp_path, quasi=["x"], missing="coordinate")
    there = in_memory(pa.table({"x": x}), quasi=["x"], missing="coordinate")
    assert done.report.groups[0].loss_percent == pytest.approx(there.report.groups[0].loss_percent)
    assert out["x"].null_count == there.arrow["x"].null_count


def test_categories_that_do_not_occur(tmp_path: Path) -> None:
    """A type may know more categories than the table holds."""
    codes = pa.array([0] * 300, pa.int8())
    colour = pa.DictionaryArray.from_arrays(codes, pa.array(["red", "green"]))
    table = pa.table({"age": people(300)["age"], "colour": colour, "nothing": pa.array([None] * 300, pa.null())})
    _, out = released(table, tmp_path, quasi=["age", "colour"])
    assert set(out["colour"].to_pylist()) == {"red"}


def test_few_files_hold_many_buckets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covey.files.spool.MOST_FILES", 3)
    spool = Spool(10, tmp_path)
    for start in range(0, 100, 20):
        values = np.arange(start, start + 20)
        spool.add(pa.table({"x": values}), values % 10)
    assert sum(file is not None for file in spool._files) == 3
    for bucket in range(10):
        assert spool.read(bucket)["x"].to_pylist() == list(range(bucket, 100, 10))
        spool.free(bucket)
        assert spool.read(bucket) is None
    assert spool._files == [None] * 3
    spool.close()


def test_long_lines(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    table = people(60, note=pa.array(["long " * 600_000] + ["short"] * 59))
    pq.write_table(table, tmp_path / "in.parquet")
    covey.release_file(
        tmp_path / "in.parquet", tmp_path / "out.csv", 5, quasi=["age"], keep=["note"], accept=["note"], drop_rest=True
    )
    assert (tmp_path / "out.csv").stat().st_size > 3_000_000
