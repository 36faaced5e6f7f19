"""Text files as they come: encodings, delimiters, types, names, dirt."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import covey
from covey.errors import InputError
from covey.io import read, read_published
from covey.io.inference import infer

if TYPE_CHECKING:
    from pathlib import Path
from tests.io.files import types, write


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
    assert any("Windows-1252" in str(note) for note in loaded.notes) == (encoding == "cp1252")
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
    with pytest.raises(InputError, match="'x' has no clear type: 20 of 22 values are numbers.*--nominal") as caught:
        covey.release(path, k=3, quasi=["x", "y"])
    assert "twelve" not in str(caught.value)
    assert covey.release(path, k=3, quasi=["x", "y"], nominal=["x"]).certificate.k >= 3
    kept = covey.release(path, k=3, quasi=["y"], keep=["x"], accept=["x"])
    assert any("'x' has no clear type and is published as text" in str(note) for note in kept.report.notes)


def test_mixed_offsets_are_published_in_utc(tmp_path: Path) -> None:
    lines = [f"2020-01-01T{h:02d}:00:00{zone}" for h in range(10) for zone in ("+02:00", "-05:00")]
    path = write(tmp_path / "t.csv", "seen\n" + "\n".join(lines) + "\n")
    done = covey.release(path, k=4, quasi=["seen"])
    assert str(done.arrow.schema.field("seen").type) == "timestamp[us, tz=UTC]"
    assert any("time-zone offsets; they are published in UTC" in str(note) for note in done.report.notes)


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


def test_names_that_tell_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file or folder 't.xyz'"):
        read(tmp_path / "t.xyz")
    for name, has in (("t.xyz", "the suffix '.xyz', which tells no format known here"), ("t", "no suffix that tells")):
        (tmp_path / name).write_text("a,b\n1,2\n")
        with pytest.raises(InputError, match=f"'{name}' has {has}"):
            read(tmp_path / name)
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
        (["1985-02-30", *["1985-02-01"] * 9], "some are no day or time that exists"),
        (["12345678901234567890"] * 10, "more digits than an integer holds"),
        (["01/02/1990", *["12/11/1990"] * 9], "whether day or month stands first.*--dates x=dd/mm/yyyy"),
        (["1,234", "999", *["12,345.5"] * 8], "commas between thousands"),
        (["1'234", "999", *["12\u2019345.5"] * 8], "spaces or apostrophes between thousands"),
        (["1 234", "999", *["12\u202f345,5"] * 8], "spaces or apostrophes between thousands"),
        (["1234.56 €", "7€", *["12,345.5 €"] * 8], "a sign of a currency or of percent"),
        (["$3", "-$7", *["$12.50"] * 8], "a sign of a currency or of percent"),
        (["3 %", "7.5%", *["12%"] * 8], "a sign of a currency or of percent"),
        (["3 CHF", "EUR 7", *["12.50 chf"] * 8], "a sign of a currency or of percent"),
        (["1234,5", "999", *["12,25"] * 8], "decimal commas; say it"),
        (["01.02.58", *["24.11.63"] * 9], "years of two digits"),
        (["1963-02", *["1971-11"] * 9], "look like months"),
        (["1 Jan 1990", "March 3, 1988", *["24-Dec-1963"] * 8], "names of months"),
        (["1990-05-31"] * 5 + ["24.11.1963"] * 5, "dates and times written in several forms"),
        (["1990-05-31"] * 5 + ["24/11/1963"] * 5, "dates and times written in several forms"),
        (["1990-05-31T10:00:00"] * 5 + ["1990-05-31T10:00:00Z"] * 5, "dates and times written in several forms"),
        (
            ["1990-05-31"] * 3 + ["1990-05-31 10:00"] * 3 + ["1.2.1990"] * 3 + ["?"],
            "dates and times written in several",
        ),
        (["123.45-", "7-", *["12-"] * 8], "the minus behind"),
        (["1_000", "999", *["12_345"] * 8], "underscores between thousands"),
        (["7:05", "23:59:59", *["12:30"] * 8], "times of the day"),
    ],
)
def test_what_looks_like_numbers_or_dates_and_is_not_must_be_declared(
    cells: list[str], why: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "t.csv", "x;y\n" + "".join(f"{cell};{i}\n" for i, cell in enumerate(cells)))
    if "commas" in why or any("," in cell for cell in cells):
        path = write(tmp_path / "t.csv", "x,y\n" + "".join(f'"{cell}",{i}\n' for i, cell in enumerate(cells)))
    with pytest.raises(InputError, match=f"'x' has no clear type: .*{why}"):
        covey.release(path, k=3, quasi=["x", "y"])
    assert covey.release(path, k=3, quasi=["x", "y"], nominal=["x"]).certificate.k >= 3


@pytest.mark.parametrize(
    "cell", ["A 12", "12 A", "12a", "1 2", "5 years", "10-20 %", "€", "% 5 of 9", "12 345 6", "no. 7"]
)
def test_other_texts_with_digits_are_categories(cell: str, tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,y\n" + "".join(f"{cell},{i}\n" for i in range(6)))
    assert covey.release(path, k=3, quasi=["x", "y"]).table["x"].to_pylist() == [cell] * 6


def test_dates_in_several_forms_in_a_format_that_knows_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", "".join(f'{{"x": "{x}"}}\n' for x in ["1990-05-31", "24.11.1963"] * 5))
    with pytest.raises(InputError, match="'x' has no clear type: .*several forms"):
        covey.release(path, k=3, quasi=["x"])


def test_points_between_thousands_or_before_decimals(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "pay;y\n691;1\n3.725;2\n2.211;3\n1.500;4\n")
    with pytest.raises(InputError, match="points may stand between thousands or before decimals; say which"):
        covey.release(path, k=2, quasi=["pay", "y"])
    assert read(path, decimal=",").table["pay"].to_pylist() == [691.0, 3725.0, 2211.0, 1500.0]
    assert read(path, decimal=".").table["pay"].to_pylist() == [691.0, 3.725, 2.211, 1.5]
    with pytest.raises(covey.CoveyError, match="decimal is ';'"):
        read(path, decimal=";")


def test_decimal_commas_in_quotes_between_commas(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "pay,y\n" + "".join(f'"{1000 + 7 * i},5",{i}\n' for i in range(12)))
    assert read(path, decimal=",").table["pay"].to_pylist() == [1000.5 + 7 * i for i in range(12)]
    covey.release_file(path, tmp_path / "out.csv", k=3, quasi=["pay", "y"], decimal=",", ledger=False)
    assert sum(read(tmp_path / "out.csv", decimal=",").table["pay"].to_pylist()) == pytest.approx(12 * 1039, rel=1e-3)


def test_kept_text_is_published_as_it_was_written(tmp_path: Path) -> None:
    codes = ["250.10", "250.1", "715.0"] * 4
    lines = "".join(f"{i};{code};+49{i % 2};2020-01-01T0{i % 9}:00:00+02:00\n" for i, code in enumerate(codes))
    path = write(tmp_path / "t.csv", "age;code;phone;seen\n" + lines)
    done = covey.release(
        path, k=3, quasi=["age"], sensitive=["code"], keep=["phone", "seen"], accept=["seen", "code", "phone"]
    )
    assert sorted(done.arrow["code"].to_pylist()) == sorted(codes)
    assert set(done.arrow["phone"].to_pylist()) == {"+490", "+491"}
    assert any("'code' is published as text, as it was written" in str(note) for note in done.report.notes)
    assert any(
        "'seen' has times with time-zone offsets; they are published in UTC" in str(note) for note in done.report.notes
    )


def test_names_with_spaces_and_lines_before_the_header(tmp_path: Path) -> None:
    assert read(write(tmp_path / "t.csv", "id, age , sex\n1,2,3\n")).table.column_names == ["id", "age", "sex"]
    assert read(write(tmp_path / "t.csv", "\n\na,b\n1,2\n")).table.to_pylist() == [{"a": 1, "b": 2}]
    assert read(write(tmp_path / "t.csv", "sep=;\na;b\n1;2\n")).table.to_pylist() == [{"a": 1, "b": 2}]
    assert read(write(tmp_path / "t.csv", 'age;"name, first"\n1;"x, y"\n')).table.column_names == ["age", "name, first"]


def test_bytes_that_are_no_text_are_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"age,name\n12,\x81\x8d\n13,b\n")
    with pytest.raises(InputError, match="'t.csv' holds bytes that are no text, neither in UTF-8 nor in Windows-1252"):
        read(tmp_path / "t.csv")
    with pytest.raises(InputError, match="'t.csv' holds bytes that are no text"):
        covey.release_file(tmp_path / "t.csv", tmp_path / "o.csv", 2, quasi=["age"], drop=["name"], memory="300MiB")
