"""Nothing of the original hides in a file: values are planted, and the bytes of the output searched."""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

import covey
from covey.io import read, statistical
from covey.io.loaded import Labels

if TYPE_CHECKING:
    from pathlib import Path

N = 40
PLANTED = ("PLANTEDNAME", "PLANTEDCAT", "PLANTEDINDEX", "PLANTEDLABEL", "PLANTEDNULL", "PLANTEDMETA", "PLANTEDDROPPED")
NUMBER = 123456.789  # an income that nobody else has
SUFFIXES = ("csv", "tsv", "parquet", "arrow", "jsonl", "xlsx", "sav", "dta", "xpt")


def planted() -> pa.Table:
    """Values in every place where a format might keep them."""
    rng = np.random.default_rng(0)
    income = rng.normal(3000, 500, N).round(1)
    income[7] = NUMBER
    categories = pa.array(["east", "west", "PLANTEDCAT"])  # never used
    ward = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, 2, N), pa.int32()), categories)
    text = pa.array(["PLANTEDNULL" if i % 10 == 0 else "seen" for i in range(N)])
    bits = pa.py_buffer(np.packbits([i % 10 != 0 for i in range(N)], bitorder="little").tobytes())
    under = pa.Array.from_buffers(pa.string(), N, [bits, *text.buffers()[1:]])  # values under nulls
    assert under.null_count == 4
    names = pa.array([f"PLANTEDNAME{i}" for i in range(N)])
    grades = pa.DictionaryArray.from_arrays(
        pa.array([0, 2] * (N // 2)), pa.array(["a", "PLANTEDCAT", "b"]), ordered=True
    )
    table = pa.table(
        {
            "name": names,
            "income": income,
            "ward": ward,
            "grade": grades,
            "note": under,
            "gone": ["PLANTEDDROPPED"] * N,
        }
    )
    return table.replace_schema_metadata({"pandas": "PLANTEDMETA", "ARROW:extra": "PLANTEDMETA"})


def contents(path: Path) -> bytes:
    """All bytes of a file, those of packed members as well."""
    data = path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            data += b"".join(archive.read(name) for name in archive.namelist())
    return data


def search(data: bytes, what: str) -> None:
    for secret in (*PLANTED, repr(NUMBER), "123456.78"):
        for encoding in ("utf-8", "utf-16-le"):
            assert secret.encode(encoding) not in data, f"{secret} in {what}"
    for kind in ("<f8", ">f8", "<f4"):
        assert np.array([NUMBER], dtype=kind).tobytes() not in data, f"{NUMBER} in {what}"


def make(table: Any) -> covey.Release:
    return covey.release(table, k=4, quasi=["income", "ward"], keep=["note", "grade"], drop=["name", "gone"])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_bytes_of_a_file(suffix: str, tmp_path: Path) -> None:
    done = make(planted())
    paths = [
        tmp_path / f"out.{suffix}",
        tmp_path / "report.html",
        tmp_path / "certificate.json",
        tmp_path / "report.json",
    ]
    done.write(paths[0], report=paths[1], certificate=paths[2])
    done.write(tmp_path / f"again.{suffix}", report=paths[3])
    for path in paths:
        search(contents(path), path.name)
    if suffix in ("parquet", "arrow"):  # compressed: look at what is inside as well
        table = read(paths[0]).table
        assert table.schema.metadata is None
        for column in table.columns:
            for chunk in column.chunks:
                buffers = [b for b in chunk.buffers() if b is not None]
                search(b"".join(b.to_pybytes() for b in buffers), "buffers")
                if pa.types.is_dictionary(chunk.type):
                    assert chunk.dictionary.to_pylist() == sorted(set(chunk.to_pylist()) - {None})


def test_uncompressed_parquet_has_no_trace_of_the_input(tmp_path: Path) -> None:
    done = make(planted())
    pq.write_table(done.arrow, tmp_path / "plain.parquet", compression="none", use_dictionary=False)
    search(contents(tmp_path / "plain.parquet"), "parquet")
    done.write(tmp_path / "out.parquet")
    meta = pq.read_metadata(tmp_path / "out.parquet")
    largest = max(meta.row_group(g).column(0).statistics.max for g in range(meta.num_row_groups))
    assert largest < NUMBER


def test_databases(tmp_path: Path) -> None:
    done = make(planted())
    done.write(f"sqlite:///{tmp_path}/out.db#t")
    done.write(f"duckdb:///{tmp_path}/out.duckdb#t")
    for name in ("out.db", "out.duckdb"):
        search(contents(tmp_path / name), name)
    assert sqlite3.connect(tmp_path / "out.db").execute("SELECT count(*) FROM t").fetchone() == (N,)
    with duckdb.connect(str(tmp_path / "out.duckdb")) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (N,)


def test_a_pandas_frame_with_an_index_and_attributes() -> None:
    frame = planted().replace_schema_metadata(None).to_pandas()
    frame = frame.set_index(pd.Index([f"PLANTEDINDEX{i}" for i in range(N)], name="key"))
    frame.attrs["source"] = "PLANTEDMETA"
    done = make(frame)
    assert done.table.attrs == {}
    assert isinstance(done.table.index, pd.RangeIndex)
    assert list(done.table["ward"].cat.categories) == sorted(set(done.table["ward"]))
    search(done.table.to_csv().encode() + str(done.arrow.schema).encode(), "frame")


def test_labels_of_values_that_no_longer_occur(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"sex": [1.0, 2.0] * 19 + [1.0, 9.0], "age": np.arange(40.0), "name": [f"PLANTEDNAME{i}" for i in range(40)]}
    )
    labels = {"sex": {1.0: "woman", 2.0: "man", 9.0: "PLANTEDLABEL"}}
    for suffix, write in (("sav", pyreadstat.write_sav), ("dta", pyreadstat.write_dta)):
        source, target = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
        write(
            frame,
            str(source),
            column_labels={"age": "Age in years", "name": "PLANTEDLABEL"},
            variable_value_labels=labels,
        )
        done = covey.release(source, k=4, quasi=["sex", "age"], drop=["name"])
        assert any("values all have labels are categories: sex" in str(note) for note in done.report.notes)
        done.write(target)
        search(contents(target), target.name)
        _, meta = (pyreadstat.read_sav if suffix == "sav" else pyreadstat.read_dta)(str(target))
        assert meta.variable_value_labels["sex"] == {1: "woman", 2: "man"}
        assert meta.column_names_to_labels["age"] == "Age in years"


def test_a_workbook_has_one_sheet_and_no_properties(tmp_path: Path) -> None:
    make(planted()).write(tmp_path / "out.xlsx")
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        names = archive.namelist()
        core = archive.read("docProps/core.xml").decode()
    assert sum("worksheets/sheet" in name for name in names) == 1
    assert "2000-01-01" in core
    assert "<dc:creator></dc:creator>" in core or "<dc:creator/>" in core


def test_errors_and_reports_show_no_value(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("a,b\n1,2\nPLANTEDNAME,3,4\n")
    with pytest.raises(covey.CoveyError) as caught:
        covey.release(tmp_path / "bad.csv", k=2, quasi=["a", "b"])
    assert "PLANTED" not in str(caught.value)
    done = make(planted())
    search(json.dumps(done.report.as_dict(), default=str).encode(), "report")


@pytest.mark.parametrize("suffix", ["sav", "dta", "xpt"])
def test_the_time_of_writing_is_not_in_a_file(suffix: str, tmp_path: Path) -> None:
    label = {"dta": "01 Feb 2003 04:05", "sav": "01 Feb 0304:05:06", "xpt": "01FEB03:04:05:06"}[suffix]  # is none
    table = pa.table({"income": [float(i) for i in range(20)]})
    target = tmp_path / f"out.{suffix}"
    assert statistical.write(table, target, suffix, Labels(columns={"income": label})) == []
    head = target.read_bytes()[:496]
    stamps = re.findall(rb"\d\d ?[A-Z][a-zA-Z]{2} ?\d\d(?:\d\d)?[ :]?\d\d:\d\d", head)
    wanted = {"dta": b"01 Jan 1980 00:00", "sav": b"01 Jan 8000:00:00", "xpt": b"01JAN80:00:00"}[suffix]
    assert [stamp for stamp in stamps if not label.encode().startswith(stamp)] == [wanted] * (
        4 if suffix == "xpt" else 1
    )
    readers: dict[str, Any] = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta, "xpt": pyreadstat.read_xport}
    frame, meta = readers[suffix](str(target))
    assert frame["income"].tolist() == table["income"].to_pylist()
    assert meta.column_labels == [label]
