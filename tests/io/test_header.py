"""Files whose first line is a record already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

import covey
from covey import cli
from covey.errors import InputError, OptionError
from covey.io import read, read_published
from covey.io.header import check_names, like_values

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (["age", "sex", "income 2020", "q1", "x.5", "v2", "3rd"], 0),
        (["anna", "34", "f"], 1),
        (["1", "2"], 2),
        (["0", "1", "2"], 3),
        (["0", "1", "2", "3"], 0),
        (["1", "2", "4", "3"], 4),
        (["firm", "2019", "2020", "2021"], 0),
        (["firm", "2019", "2021"], 2),
        (["2019", "2020"], 2),
        ([" 3,5 ", "1.234,50", "-7", ".5", "1e5"], 5),
        (["1990-01-02", "2.3.1999", "03/04/1980", "12:30", "2020-01-01 10:00"], 5),
        (["NA", "true", "anna@example.org", "."], 4),
    ],
)
def test_names_that_look_like_values(names: list[str], number: int) -> None:
    assert like_values(names) == number


def test_the_error_quotes_nothing() -> None:
    with pytest.raises(InputError, match=r"--no-header") as error:
        check_names("people.csv", ["Anna", "Zurich", "4711"])
    assert not any(word in str(error.value) for word in ("Anna", "Zurich", "4711"))


RECORDS = "Anna,34,1200.50\nBert,41,900\nCarl,29,1500\nDora,55,700\nEmil,38,1000\nFritz,61,800\n"


@pytest.mark.parametrize("more", [[], ["--memory", "1GiB"]])
@pytest.mark.parametrize(("suffix", "sign"), [("csv", ","), ("csv", ";"), ("tsv", "\t")])
def test_a_file_without_names(
    suffix: str, sign: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing of a record is told; with --no-header no record is lost, with --header the first line is names."""
    path, out = tmp_path / f"t.{suffix}", tmp_path / f"out.{suffix}"
    path.write_text(RECORDS.replace(",", sign), encoding="utf-8")
    command = ["release", str(path), "-o", str(out), "-k", "2", "--no-ledger", "--quiet", *more]
    assert cli.main([*command, "--quasi", "age"]) == 2
    said = capsys.readouterr().err
    assert "--no-header" in said
    assert not any(word in said for word in ("Anna", "34", "1200"))
    named = [*command, "--quasi", "column2,column3", "--drop", "column1"]
    assert cli.main([*named, "--no-header"]) == 0
    released = read_published(out, format=suffix)
    assert (released.column_names, released.num_rows) == (["column2", "column3"], 6)
    capsys.readouterr()
    assert cli.main([*command, "--force", "--header", "--quasi", "34", "--drop-rest"]) == 0
    assert read_published(out, format=suffix).num_rows == 5


@pytest.mark.parametrize("more", [[], ["--memory", "1GiB"]])
def test_names_that_occur_as_values_are_a_record(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Anna,female,Bern\nBert,male,Bern\nCleo,female,Chur\n" * 2, encoding="utf-8")
    command = ["release", str(path), "-o", str(tmp_path / "o.csv"), "-k", "2", "--no-ledger", "--quasi", "age", *more]
    assert cli.main(command) == 2
    said = capsys.readouterr().err
    assert "3 of its 3 cells occur again below" in said
    assert not any(word in said for word in ("Anna", "female", "Bern"))
    path.write_text("sex,town,town\nmale,sex,x\n".replace("town,town", "town,x"), encoding="utf-8")
    assert read(path).table.num_rows == 1  # a name among values of another column says nothing


def test_other_formats_have_names_of_their_own(tmp_path: Path) -> None:
    pq.write_table(pa.table({"7": [1, 2]}), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").table.column_names == ["7"]
    with pytest.raises(OptionError, match="header is given, and the table is parquet"):
        read(tmp_path / "t.parquet", header=False)


def test_a_column_without_a_role_is_not_said_to_be_kept() -> None:
    with pytest.raises(OptionError, match="columns without a role: name, ward") as error:
        covey.release(pa.table({"age": [1, 2], "name": ["a", "b"], "ward": ["x", "x"]}), k=2, quasi=["age"])
    assert "keep" not in str(error.value)


CODED = "Anna,P-0417\nBert,P-0033\nCarl,P-0851\nDora,P-0902\n"


@pytest.mark.parametrize("memory", [None, 2**30])
def test_a_name_written_like_all_values_of_its_column(memory: int | None, tmp_path: Path) -> None:
    """No cell of the first record occurs again, and none is a number: the shape of one tells."""
    path = tmp_path / "t.csv"
    path.write_text(CODED, encoding="utf-8")
    more: dict[str, Any] = {} if memory is None else {"memory": memory}
    with pytest.raises(InputError, match=r"1 of its 2 cells have letters and digits where all values") as error:
        covey.release_file(path, tmp_path / "out.csv", 2, quasi=["Anna"], drop_rest=True, ledger=False, **more)
    assert "0417" not in str(error.value)
    assert read(path, header=False).table.num_rows == 4


@pytest.mark.parametrize(
    "text",
    [
        "q101,income2020\na1,x\nb2,y\n",
        "firm,2019,2020\na,1234,1111\nb,4321,2222\n",
        "P-0417,name\nP-0033,anna\nP0851,bert\n",
        "code123,x\ncode,y\ncode9999,z\n",
    ],
)
def test_ordinary_names_with_digits_are_names(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    assert read(path).table.num_rows == 2


def workbook(path: Path, rows: list[list[Any]]) -> Path:
    """A sheet with these cells, and no other first row."""
    with xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd"}) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return path


PATIENTS: list[list[Any]] = [
    [184.5, 2222, "flu", "w"],
    [172.0, 1807, "cold", "m"],
    [168.4, 1950, "flu", "w"],
    [190.1, 2500, "none", "m"],
    [177.7, 1700, "cold", "w"],
    [181.2, 2100, "flu", "m"],
]


def test_a_workbook_without_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a text file without names: nothing of a record is told, and with --no-header none is lost."""
    path, out = workbook(tmp_path / "t.xlsx", PATIENTS), tmp_path / "out.xlsx"
    command = ["release", str(path), "-o", str(out), "-k", "2", "--no-ledger", "--quiet"]
    assert cli.main([*command, "--quasi", "184.5,2222", "--drop-rest"]) == 2
    said = capsys.readouterr().err
    assert "looks like a record" in said
    assert "2 of its 4 cells are numbers" in said
    assert "--no-header" in said
    assert not any(word in said for word in ("184", "2222", "flu"))
    assert cli.main([*command, "--no-header", "--quasi", "column1,column2", "--keep", "column3", "--drop-rest"]) == 0
    released = read_published(out)
    assert (released.column_names, released.num_rows) == (["column1", "column2", "column3"], 6)
    whole = read(path, header=False).table
    assert whole.to_pydict() == {f"column{n + 1}": [row[n] for row in PATIENTS] for n in range(4)}
    assert read(path, header=True).table.num_rows == 5


def test_a_workbook_whose_first_row_occurs_again(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", [["flu", "w"], ["cold", "m"], ["flu", "m"], ["none", "w"]])
    with pytest.raises(InputError, match=r"2 of its 2 cells occur again below") as error:
        read(path)
    assert "flu" not in str(error.value)
    named = workbook(tmp_path / "named.xlsx", [["height", 2019, 2020], *([1.5 + n, n, n] for n in range(5))])
    assert read(named).table.column_names == ["height", "2019", "2020"]


def test_a_published_workbook_is_read_with_its_names(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", PATIENTS)
    assert read_published(path).num_rows == 5
    assert read_published(path, header=False).num_rows == 6
