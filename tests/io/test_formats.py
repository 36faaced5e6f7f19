"""Formats that change, hide or refuse values."""

from __future__ import annotations

import csv
import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import covey
from covey.errors import InputError, OutputError
from covey.io import read

if TYPE_CHECKING:
    from pathlib import Path
from tests.io.files import made, workbook, write


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "xlsx", "sav", "arrow"])
def test_dates_before_1900(suffix: str, tmp_path: Path) -> None:
    days = [dt.date(1805, 3, 1) + dt.timedelta(days=40 * i) for i in range(30)]
    done = covey.release(pa.table({"born": days}), k=3, quasi=["born"], shuffle=False)
    done.write(tmp_path / f"out.{suffix}")
    assert read(tmp_path / f"out.{suffix}").table["born"].to_pylist() == [
        value.isoformat() if suffix == "xlsx" else value for value in done.arrow["born"].to_pylist()
    ]


def test_minus_zero(tmp_path: Path) -> None:
    done = covey.release(pa.table({"x": [0.0, -0.0] * 6}), k=6, quasi=["x"])
    done.write(tmp_path / "out.csv")
    assert set((tmp_path / "out.csv").read_text().split()) == {'"x"', "0"}


@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx"])
def test_formulas_are_not_live(suffix: str, tmp_path: Path) -> None:
    cells = ["=1+1", "+cmd", "-2+3", "@sum", "\tx", "plain", "1-2"] * 4
    given = pa.table({"=name": cells, "number": [-1.5, -2.5] * 14, "age": list(range(28))})
    done = covey.release(given, k=3, keep=["=name"], quasi=["number", "age"])
    notes = done.write(tmp_path / f"out.{suffix}", report=tmp_path / "r.txt")
    found = read(tmp_path / f"out.{suffix}").table
    if suffix == "xlsx":
        assert set(found["=name"].to_pylist()) <= set(cells)  # text cells are never formulas
        import zipfile

        with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
            assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
        return
    with (tmp_path / f"out.{suffix}").open(newline="") as file:
        rows = list(csv.reader(file, delimiter="\t" if suffix == "tsv" else ","))
    assert rows[0][0] == "'=name"
    assert not any(row[0][:1] in "=+-@\t" for row in rows)
    assert all(row[1].startswith("-") for row in rows[1:])  # a negative number is no formula
    assert any("got a leading apostrophe" in str(note) for note in notes)
    assert "leading apostrophe" in (tmp_path / "r.txt").read_text()
    done.write(tmp_path / f"kept.{suffix}", formulas="keep")
    assert b"'" not in (tmp_path / f"kept.{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "jsonl", "xlsx", "sav", "dta", "xpt", "sas7bdat", "por"])
def test_garbage_in_every_format(suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"t.{suffix}", "this is SECRET and no table\n" * 10)
    with pytest.raises(InputError, match="is no .* that can be read") as caught:
        read(path)
    assert "SECRET" not in str(caught.value)
    with pytest.raises(InputError, match="there is no file 'none"):
        read(tmp_path / f"none.{suffix}")
    (tmp_path / f"folder.{suffix}").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        read(tmp_path / f"folder.{suffix}")


def test_types_survive_the_formats_that_have_them(tmp_path: Path) -> None:
    given = pa.table(
        {
            "i": pa.array(range(12), pa.int16()),
            "f": pa.array([0.1 * i for i in range(12)], pa.float32()),
            "d": pa.array(range(12), pa.int32()).cast(pa.date32()),
            "t": pa.array(range(12), pa.int64()).cast(pa.timestamp("ms", "Asia/Tokyo")),
            "c": pa.array(["x", "y"] * 6).dictionary_encode(),
        }
    )
    done = covey.release(given, k=3, quasi=given.column_names)
    for suffix in ("parquet", "arrow"):
        done.write(tmp_path / f"out.{suffix}")
        found = read(tmp_path / f"out.{suffix}").table
        assert [str(t) for t in found.schema.types[:4]] == [str(t) for t in given.schema.types[:4]]
        assert found.to_pylist() == done.arrow.to_pylist()


def test_json_lines_keep_what_they_hold(tmp_path: Path) -> None:
    lines = [
        f'{{"age": {i}, "seen": "2020-01-0{1 + i % 9}T05:00:00+02:00", "n": {12345678901234567890 + i % 2}}}'
        for i in range(12)
    ]
    path = write(tmp_path / "t.jsonl", "\n".join(lines) + "\n")
    done = covey.release(path, k=3, quasi=["age"], keep=["seen", "n"], accept=["seen"])
    assert "2020-01-01T05:00:00+02:00" in done.arrow["seen"].to_pylist()
    assert set(done.arrow["n"].to_pylist()) == {"12345678901234567890", "12345678901234567891"}
    grouped = covey.release(path, k=3, quasi=["age", "seen"], drop=["n"])
    assert str(grouped.arrow.schema.field("seen").type) == "timestamp[us, tz=UTC]"
    for text, message in (
        ('{"a": 1}\n[2]\n', "line 2 of 't.jsonl' is no JSON object"),
        ('{"a": 1}\n{"a": "x"}\n', "mixes types"),
    ):
        with pytest.raises(InputError, match=message):
            read(write(path, text))


def test_workbooks_as_found_in_the_wild(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    bad: list[tuple[list[list[Any]], str]] = [
        ([["s", "s"], [1, 2]], "columns named more than once: s"),
        ([["s", None, "t"], [1, 2, 3]], "1 columns have no name"),
        ([], "is empty"),
    ]
    for rows, message in bad:
        with pytest.raises(InputError, match=message):
            read(workbook(path, rows))
    workbook(path, [["age", "n"], *[[i, i] for i in range(20)], ["unknown", 3]])
    with pytest.raises(InputError, match="'age' has no clear type"):
        covey.release(path, k=3, quasi=["age", "n"])
    loaded = read(workbook(path, [["a", "b"], [1, 2], ["#DIV/0!", 3]]))
    assert loaded.table["a"].to_pylist() == [1, None]
    assert any("1 cells hold errors" in str(note) for note in loaded.notes)


def test_text_that_a_workbook_would_cut_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    done = covey.release(pa.table({"x": [1] * 4, "long": ["y" * 40000] * 4}), k=2, quasi=["x"], keep=["long"])
    with pytest.raises(OutputError, match="text of 40000 characters, and xlsx keeps 32767"):
        done.write(tmp_path / "out.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["sav", "dta", "xpt"])
def test_statistical_formats_by_name_of_the_format(kind: str, tmp_path: Path) -> None:
    done = made()
    done.write(tmp_path / "out.data", format=kind)
    assert read(tmp_path / "out.data", format=kind).table.num_rows == 12
