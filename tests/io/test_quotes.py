"""Quotes that are never closed, or too late: nothing of the lines that they swallow is released, and no record is lost in silence."""

from __future__ import annotations

import csv
import random
from typing import TYPE_CHECKING

import pytest

from covey import cli
from covey.errors import InputError
from covey.io import read
from covey.io.inputs import Inputs
from covey.io.quotes import torn_cells

if TYPE_CHECKING:
    from pathlib import Path

LINES = [f"{20 + row % 50},{1000 + row},nurse" for row in range(60)]


def written(folder: Path, lines: list[str], sign: str = ",", name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text("".join(line.replace(",", sign) + "\n" for line in ["age,income,job", *lines]), encoding="utf-8")
    return path


@pytest.mark.parametrize("more", [[], ["--memory", "1GiB"]])
@pytest.mark.parametrize(("name", "sign"), [("t.csv", ","), ("t.csv", ";"), ("t.tsv", "\t")])
@pytest.mark.parametrize("closed", [None, 11, 40])
def test_an_open_quote_is_an_error(
    closed: int | None, name: str, sign: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = list(LINES)
    lines[10] = lines[10].replace("nurse", '"nurse')
    if closed is not None:
        lines[closed] += '"'
    path, out = written(tmp_path, lines, sign, name), tmp_path / "out.csv"
    command = ["release", str(path), "-o", str(out), "-k", "3", "--quasi", "age,income", "--keep", "job", "--no-ledger"]
    assert cli.main([*command, *more]) == 2
    said = capsys.readouterr().err
    assert "a quoted cell of" in said
    assert "nurse" not in said
    assert not out.exists()


def test_an_open_quote_in_the_last_line_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="goes on to the end of the file"):
        read(written(tmp_path, [*LINES, '33,1500,"nurse']))


def test_cells_of_several_lines_are_read(tmp_path: Path) -> None:
    """An address, a remark with a comma, and a last cell that ends with a line break."""
    table = read(written(tmp_path, ['33,1500,"nurse\nnight, day"', '34,1600,"a, b\nc"', '35,1700,"nurse\n"'])).table
    assert table.column("job").to_pylist() == ["nurse\nnight, day", "a, b\nc", "nurse\n"]


@pytest.mark.parametrize("more", [[], ["--memory", "1GiB"]])
def test_remarks_whose_lines_look_like_records_are_released(more: list[str], tmp_path: Path) -> None:
    """Of the two columns that are published each second line of a remark has as many cells as a record."""
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("name,age,remark\n" + "".join(f'{i},{i % 9},"said ""no""\nand, {i % 4}"\n' for i in range(60)))
    command = ["release", str(path), "-o", str(out), "-k", "3", "--quasi", "age", "--keep", "remark", "--drop", "name"]
    assert cli.main([*command, "--no-ledger", *more]) == 0
    assert sorted(set(read(out).table.column("remark").to_pylist())) == [f'said "no"\nand, {i}' for i in range(4)]


def test_among_remarks_a_quote_that_swallows_records_is_found(tmp_path: Path) -> None:
    lines = [f'{i},{i % 9},"no\nand, {i % 4}, so"' for i in range(60)]
    lines[10:31] = ['10,1,"no', *(f"{i},{i % 9},no" for i in range(11, 30)), '30,3,no"']
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["name,age,remark", *lines]) + "\n")
    with pytest.raises(InputError, match="a quoted cell of 't.csv' holds 20 lines that look like records"):
        read(path)


@pytest.mark.parametrize("more", [[], ["--memory", "1GiB"]])
@pytest.mark.parametrize("keep", [[], ["--keep", "job"]])
def test_an_open_quote_that_the_quote_of_the_next_line_closes_is_an_error(
    keep: list[str], more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The two lines are one record of the right number of cells, of which none looks like a record."""
    lines = [f'{20 + row % 50},"nurse",{1000 + row}' for row in range(60)]
    lines[10] = lines[10].replace('nurse"', "nurse")
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("\n".join(["age,job,income", *lines]) + "\n", encoding="utf-8")
    command = ["release", str(path), "-o", str(out), "-k", "3", "--quasi", "age,income", "--drop-rest", "--no-ledger"]
    assert cli.main([*command, *keep, *more]) == 2
    said = capsys.readouterr().err
    assert "quoted cells of 't.csv' end on another line" in said
    assert "1 of them, the first of which begins in line 12" in said
    assert "nurse" not in said
    assert not out.exists()


CELLS = ("a", "b, c", "d\ne", 'f "g"', "h, i\nj, k", '"\n",', "", "\n")


@pytest.mark.parametrize("seed", range(30))
def test_no_cell_that_is_quoted_as_it_should_be_is_torn(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    rows = [[chance.choice(CELLS) for _ in range(3)] for _ in range(chance.randrange(1, 20))]
    path = tmp_path / "t.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=chance.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])).writerows(rows)
    assert not list(torn_cells(Inputs.of_file(path, "csv").one, ",", "utf-8"))
