"""A folder of text files gets the types that one file would get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow.csv as pa_csv
import pytest

from covey.errors import InputError, OptionError
from covey.io import read
from covey.spark.reading import as_written, read_folder

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [
    "id,count,price,shown,born,seen,zone,code,name,flag,mixed,late",
    '1,10,1.50,250.10,1990-01-31,2020-01-01 10:00,2020-01-01T10:00:00Z,007,"a ""b"", c",true,1,2020-02-30',
    "2,-3,2e3,250.1,1991-12-01,2020-01-02 10:30:15.25,2020-01-01T12:00:00+02:00,012,,False,2,2020-02-01",
    "3,+4,.5,3,NA,,,100,é ñ,TRUE,x,2020-02-02",
    "4,0,NA,4,2000-02-29,2021-05-05T00:00,2021-01-01T00:00:00Z,1,NA,false,4,2020-02-03",
]


def test_types_are_those_of_one_file(spark: Any, tmp_path: Path) -> None:
    folder, one = tmp_path / "folder", tmp_path / "one.csv"
    folder.mkdir()
    for number in (1, 3):
        (folder / f"part-{number}.csv").write_text("\n".join([ROWS[0], *ROWS[number : number + 2]]) + "\n", "utf-8")
    one.write_text("\n".join(ROWS) + "\n", "utf-8")
    wanted, found = read(one), read_folder(spark, str(folder))
    names = wanted.table.column_names
    table = found.df.select(*names).toArrow().sort_by("id")
    for name in names:
        assert table.column(name).to_pylist() == wanted.table.column(name).to_pylist(), name
    assert sorted(found.texts) == sorted(wanted.texts) == ["count", "flag", "shown", "zone"]
    texts = found.df.select("id", as_written("shown")).toArrow().sort_by("id")
    assert texts.column(1).to_pylist() == ["250.10", "250.1", "3", "4"]
    assert sorted(found.mixed) == sorted(wanted.mixed) == ["late", "mixed"]
    assert {note for note in found.notes if "born" in str(note)} == {
        note for note in wanted.notes if "born" in str(note)
    }


def test_formats_are_told_by_the_files(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(InputError, match="holds no Parquet or CSV"):
        read_folder(spark, str(folder))
    with pytest.raises(InputError, match="there is no 'nothing'"):
        read_folder(spark, str(tmp_path / "nothing"))
    with pytest.raises(OptionError, match="'xlsx', which Spark does not read"):
        read_folder(spark, str(folder), format="xlsx")
    pa_csv.write_csv(spark.range(3).toArrow(), folder / "a.csv")
    assert read_folder(spark, str(folder)).df.count() == 3
