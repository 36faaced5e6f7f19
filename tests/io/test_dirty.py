"""Tables as found in the wild."""

from __future__ import annotations

import csv
import datetime as dt
import errno
import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import covey
from covey.errors import InputError, OutputError
from covey.io import columnar, read, read_published
from covey.io.inference import infer

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def types(loaded: Any) -> dict[str, str]:
    return {field.name: str(field.type) for field in loaded.table.schema}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encodings_and_delimiters(encoding: str, delimiter: str, tmp_path: Path) -> None:
    rows = [("name", "größe", "weight"), ("Ünal", "1.5", "70"), ("O'Neil", "1.75", "80"), ("x", "", "90")]
    path = write(tmp_path / "t.csv", "".join(delimiter.join(row) + "\n" for row in rows), encoding)
    loaded = read(path)
    assert loaded.table.column_names == ["name", "größe", "weight"]
    assert loaded.table["größe"].to_pylist() == [1.5, 1.75, None]
    assert loaded.table["weight"].to_pylist() == [70, 80, 90]
    assert loaded.table["name"][0].as_py() == "Ünal"
    assert any("Windows-1252" in note for note in loaded.notes) == (encoding == "cp1252")
    assert read_published(path).num_rows == 3


def test_semicolons_and_decimal_commas_come_back_as_they_were(tmp_path: Path) -> None:
    lines = "\n".join(f"{20 + i};{1000 + i},5;1.{i:03d},25" for i in range(12))
    path = write(tmp_path / "t.csv", "age;pay;big\n" + lines + "\n")
    loaded = read(path)
    assert types(loaded) == {"age": "int64", "pay": "double", "big": "double"}
    assert loaded.table["big"][3].as_py() == 1003.25
    done = covey.release(path, k=3, quasi=["age", "pay", "big"], shuffle=False)
    done.write(tmp_path / "out.csv", dialect=loaded.dialect)
    text = (tmp_path / "out.csv").read_text()
    assert ";" in text.splitlines()[0]
    assert read(tmp_path / "out.csv").table["pay"].to_pylist() == done.arrow["pay"].to_pylist()


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", "+3", " 4 "], "int64"),
        (["1", "NA", "", "4"], "int64"),
        (["1.5", "1e3", "-.5", "2."], "double"),
        (["007", "08", "9"], "string"),  # codes, not numbers
        (["1", "x", "3"], "string"),
        (["12345678901234567890", "1"], "string"),  # too many digits for an integer, and a float would lose some
        (["true", "False", "TRUE"], "bool"),
        (["2020-01-31", "1850-12-01"], "date32[day]"),
        (["2020-02-31", "2020-01-01"], "string"),  # no such day
        (["31.12.1999", "1.2.2000"], "date32[day]"),
        (["2020-01-01 10:00", "1899-12-31T23:59:59.5"], "timestamp[us]"),
        (["2020-01-01T10:00:00+02:00", "2020-01-01T10:00:00Z"], "timestamp[us, tz=UTC]"),
        (["2020-01-01T10:00:00+02:00", "2020-01-01T10:00:00"], "string"),
        (["", "", ""], "string"),
        (["NA", "NB"], "string"),
        (["-0.0", "0.0"], "double"),
    ],
)
def test_types_of_text(cells: list[str], kind: str) -> None:
    found = infer(pa.table({"x": cells}), comma=False)[1][0]
    assert str(found.type) == kind


def test_mixed_types_must_be_declared(tmp_path: Path) -> None:
    cells = [*map(str, range(20)), "unknown", "twelve"]
    path = write(tmp_path / "t.csv", "x,y\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(cells)))
    with pytest.raises(InputError, match="'x' mixes types: 20 of 22 values are numbers.*--nominal") as caught:
        covey.release(path, k=3, quasi=["x", "y"])
    assert "twelve" not in str(caught.value)
    assert covey.release(path, k=3, quasi=["x", "y"], nominal=["x"]).certificate.k >= 3
    kept = covey.release(path, k=3, quasi=["y"], keep=["x"], accept=["x"])
    assert any("'x' mixes types and is published as text" in note for note in kept.report.notes)


def test_mixed_offsets_are_published_in_utc(tmp_path: Path) -> None:
    lines = [f"2020-01-01T{h:02d}:00:00{zone}" for h in range(10) for zone in ("+02:00", "-05:00")]
    path = write(tmp_path / "t.csv", "seen\n" + "\n".join(lines) + "\n")
    done = covey.release(path, k=4, quasi=["seen"])
    assert str(done.arrow.schema.field("seen").type) == "timestamp[us, tz=UTC]"
    assert any("time-zone offsets; they are published in UTC" in note for note in done.report.notes)


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
    assert any("got a leading apostrophe" in note for note in notes)
    assert "leading apostrophe" in (tmp_path / "r.txt").read_text()
    done.write(tmp_path / f"kept.{suffix}", formulas="keep")
    assert b"'" not in (tmp_path / f"kept.{suffix}").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("a,b,a\n1,2,3\n", "columns named more than once: a"),
        ("a,b\n1,2\n1,2,3\n", "1 lines of 't.csv' do not have the 2 fields of the header"),
        ("a,b\n", "the table has no rows"),
        ("a,,c\n1,2,3\n1,2,3\n", "1 columns have no name"),
        ("\0\1\2\0binary", "holds binary data"),
    ],
)
def test_files_that_are_no_table(text: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", text)
    with pytest.raises(InputError, match=message):
        covey.release(path, k=2, quasi=["a"], drop_rest=True)


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


def test_names_that_tell_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'t.xyz' has no suffix that tells its format"):
        read(tmp_path / "t.xyz")
    with pytest.raises(InputError, match="there is no format 'word'"):
        read(tmp_path / "t.xyz", format="word")
    write(tmp_path / "t.xyz", "a\n1\n")
    assert read(tmp_path / "t.xyz", format="csv").table.num_rows == 1
    with pytest.raises(InputError, match="a query is given, and the table is a file"):
        read(tmp_path / "t.csv", query="SELECT 1")


def test_long_cells_and_line_breaks(tmp_path: Path) -> None:
    rows = [["a", "b"], *([f"x\n{i % 2}", "y" * (20_000_000 if i == 3 else 1)] for i in range(6))]
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    loaded = read(tmp_path / "t.csv")
    assert loaded.table.num_rows == 6
    assert loaded.table["a"][1].as_py() == "x\n1"


# -- outputs that cannot be


def made() -> covey.Release:
    return covey.release(pa.table({"x": list(range(12)), "y": [1.5] * 12}), k=3, quasi=["x", "y"])


def test_an_existing_file_stays(tmp_path: Path) -> None:
    for name in ("out.csv", "r.html", "c.json"):
        write(tmp_path / name, "mine")
    done = made()
    with pytest.raises(OutputError, match=r"'out.csv' exists already.*--force"):
        done.write(tmp_path / "out.csv")
    with pytest.raises(OutputError, match="'r.html' exists already"):
        done.write(tmp_path / "new.csv", report=tmp_path / "r.html")
    with pytest.raises(OutputError, match="'c.json' exists already"):
        done.write(tmp_path / "new.csv", certificate=tmp_path / "c.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "out.csv", "r.html"]
    assert {path.read_text() for path in tmp_path.iterdir()} == {"mine"}
    done.write(tmp_path / "out.csv", force=True, report=tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")


def test_outputs_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = made()
    for target, message in (
        (tmp_path / "none" / "out.csv", "the folder does not exist"),
        (tmp_path, "is a folder|no suffix"),
        (tmp_path / "out.sas7bdat", "can be read but not written"),
        (tmp_path / "out.doc", "no suffix that tells"),
    ):
        with pytest.raises(covey.CoveyError, match=message):
            done.write(target)
    with pytest.raises(OutputError, match="a report cannot be written as '.doc'"):
        done.write(tmp_path / "out.csv", report=tmp_path / "r.doc")
    with pytest.raises(OutputError, match="two outputs have the same name"):
        done.write(tmp_path / "out.csv", certificate=tmp_path / "out.csv")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(columnar, "write_parquet", full)
    with pytest.raises(OutputError, match="'out.parquet' cannot be written: the disk is full"):
        done.write(tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


def test_numbers_that_a_format_would_change_in_silence(tmp_path: Path) -> None:
    large = covey.release(pa.table({"x": [1e300] * 4}), k=2, quasi=["x"])
    with pytest.raises(OutputError, match="numbers beyond 7.2e75, which xpt makes infinite"):
        large.write(tmp_path / "out.xpt")
    whole = covey.release(pa.table({"x": [2**60 + 1] * 4}), k=2, quasi=["x"])
    with pytest.raises(OutputError, match="integers of 2\\^53 or more, which dta rounds"):
        whole.write(tmp_path / "out.dta")
    notes = whole.write(tmp_path / "out.xlsx")
    assert any("written as text" in note for note in notes)


def test_a_file_that_appears_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = made()
    write_parquet = columnar.write_parquet

    def slow(table: Any, path: Path) -> list[str]:
        write(tmp_path / "out.parquet", "mine")
        return write_parquet(table, path)

    monkeypatch.setattr(columnar, "write_parquet", slow)
    with pytest.raises(OutputError, match="appeared meanwhile"):
        done.write(tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]
    assert (tmp_path / "out.parquet").read_text() == "mine"


def test_interrupted_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(columnar, "write_parquet", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made().write(tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


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


# -- found by reviews


def test_empty_lines_of_one_column_are_missing_values(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "age\n" + "".join("\n" if i % 4 == 0 else f"{i}\n" for i in range(40)))
    assert read(path).table.num_rows == 40
    done = covey.release(path, k=4, quasi=["age"], missing="own-group")
    done.write(tmp_path / "out.csv")
    assert read(tmp_path / "out.csv").table.num_rows == 40
    assert read(tmp_path / "out.csv").table["age"].null_count == 10


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (["1985-02-30", *["1985-02-01"] * 9], "some are no such day"),
        (["12345678901234567890"] * 10, "more digits than an integer holds"),
        (["01/02/1990", *["12/31/1990"] * 9], "dates with slashes"),
        (["1,234", "999", *["12,345.5"] * 8], "commas between thousands"),
    ],
)
def test_what_looks_like_numbers_or_dates_and_is_not_must_be_declared(
    cells: list[str], why: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "t.csv", "x;y\n" + "".join(f"{cell};{i}\n" for i, cell in enumerate(cells)))
    if "commas" in why:
        path = write(tmp_path / "t.csv", "x,y\n" + "".join(f'"{cell}",{i}\n' for i, cell in enumerate(cells)))
    with pytest.raises(InputError, match=f"'x' mixes types: .*{why}"):
        covey.release(path, k=3, quasi=["x", "y"])
    assert covey.release(path, k=3, quasi=["x", "y"], nominal=["x"]).certificate.k >= 3


def test_points_between_thousands_or_before_decimals(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "pay;y\n691;1\n3.725;2\n2.211;3\n1.500;4\n")
    with pytest.raises(InputError, match="points may stand between thousands or before decimals; say which"):
        covey.release(path, k=2, quasi=["pay", "y"])
    assert read(path, decimal=",").table["pay"].to_pylist() == [691.0, 3725.0, 2211.0, 1500.0]
    assert read(path, decimal=".").table["pay"].to_pylist() == [691.0, 3.725, 2.211, 1.5]
    with pytest.raises(covey.CoveyError, match="decimal is ';'"):
        read(path, decimal=";")


def test_kept_text_is_published_as_it_was_written(tmp_path: Path) -> None:
    codes = ["250.10", "250.1", "715.0"] * 4
    lines = "".join(f"{i};{code};+49{i % 2};2020-01-01T0{i % 9}:00:00+02:00\n" for i, code in enumerate(codes))
    path = write(tmp_path / "t.csv", "age;code;phone;seen\n" + lines)
    done = covey.release(path, k=3, quasi=["age"], sensitive=["code"], keep=["phone", "seen"], accept=["seen"])
    assert sorted(done.arrow["code"].to_pylist()) == sorted(codes)
    assert set(done.arrow["phone"].to_pylist()) == {"+490", "+491"}
    assert any("'code' is published as text, as it was written" in note for note in done.report.notes)
    assert any(
        "'seen' has times with time-zone offsets; they are published in UTC" in note for note in done.report.notes
    )


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


def test_names_with_spaces_and_lines_before_the_header(tmp_path: Path) -> None:
    assert read(write(tmp_path / "t.csv", "id, age , sex\n1,2,3\n")).table.column_names == ["id", "age", "sex"]
    assert read(write(tmp_path / "t.csv", "\n\na,b\n1,2\n")).table.to_pylist() == [{"a": 1, "b": 2}]
    assert read(write(tmp_path / "t.csv", "sep=;\na;b\n1;2\n")).table.to_pylist() == [{"a": 1, "b": 2}]
    assert read(write(tmp_path / "t.csv", 'age;"name, first"\n1;"x, y"\n')).table.column_names == ["age", "name, first"]


def workbook(path: Path, rows: list[list[Any]]) -> Path:
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    for number, row in enumerate(rows):
        for place, value in enumerate(row):
            if value == "#DIV/0!":
                sheet.write_formula(number, place, "=1/0", None, "#DIV/0!")
            else:
                sheet.write(number, place, value)
    book.close()
    return path


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
    with pytest.raises(InputError, match="'age' mixes types"):
        covey.release(path, k=3, quasi=["age", "n"])
    loaded = read(workbook(path, [["a", "b"], [1, 2], ["#DIV/0!", 3]]))
    assert loaded.table["a"].to_pylist() == [1, None]
    assert any("1 cells hold errors" in note for note in loaded.notes)


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


def test_options_that_would_do_nothing(tmp_path: Path) -> None:
    with pytest.raises(covey.CoveyError, match="formulas is given, and has no effect on parquet"):
        made().write(tmp_path / "out.parquet", formulas="keep")
    for dialect in ({"delimiter": "::"}, {"sep": ";"}):
        with pytest.raises(covey.CoveyError, match="the dialect is"):
            made().write(tmp_path / "out.csv", dialect=dialect)
    with pytest.raises(covey.CoveyError, match="decimal is given, and the table is parquet"):
        read(tmp_path / "x.parquet", decimal=",")
