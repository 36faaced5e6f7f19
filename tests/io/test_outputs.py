"""Outputs that cannot be, and what must not be left behind."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import covey
from covey.errors import OutputError
from covey.io import columnar, read, writing

if TYPE_CHECKING:
    from pathlib import Path

    from covey.utils.notes import Note
from tests.io.files import made, write


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
        (tmp_path / "out.doc", "which tells no format"),
    ):
        with pytest.raises(covey.CoveyError, match=message):
            done.write(target)
    with pytest.raises(OutputError, match="a report cannot be written as '.doc'"):
        done.write(tmp_path / "out.csv", report=tmp_path / "r.doc")
    with pytest.raises(OutputError, match="two outputs have the same name"):
        done.write(tmp_path / "out.csv", certificate=tmp_path / "out.csv")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setitem(writing.WRITERS, "parquet", full)
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
    assert any("written as text" in str(note) for note in notes)


def test_a_file_that_appears_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = made()
    write_parquet = columnar.write_parquet

    def slow(table: Any, path: Path) -> list[Note]:
        write(tmp_path / "out.parquet", "mine")
        return write_parquet(table, path)

    monkeypatch.setitem(writing.WRITERS, "parquet", slow)
    with pytest.raises(OutputError, match="appeared meanwhile"):
        done.write(tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]
    assert (tmp_path / "out.parquet").read_text() == "mine"


def test_interrupted_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(writing.WRITERS, "parquet", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made().write(tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


def test_options_that_would_do_nothing(tmp_path: Path) -> None:
    with pytest.raises(covey.CoveyError, match="formulas is given, and has no effect on parquet"):
        made().write(tmp_path / "out.parquet", formulas="keep")
    for dialect in ({"delimiter": "::"}, {"sep": ";"}):
        with pytest.raises(covey.CoveyError, match="the dialect is"):
            made().write(tmp_path / "out.csv", dialect=dialect)
    with pytest.raises(covey.CoveyError, match="decimal is given, and the table is parquet"):
        read(tmp_path / "x.parquet", decimal=",")
