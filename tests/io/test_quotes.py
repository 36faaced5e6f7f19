"""Quotes that are never closed, or too late: nothing of the lines that they swallow is released, and no record is lost in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from covey import cli
from covey.errors import InputError
from covey.io import read

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
