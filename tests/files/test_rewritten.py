"""Out of memory, tables in JSON Lines and Arrow are read as in memory: the same types, notes and values."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import covey
from covey.errors import InputError
from covey.files import rewritten
from covey.files.release import release_file
from covey.files.source import open_source
from covey.io import read
from covey.io.inputs import opened
from covey.io.location import locate
from tests.files.tables import small
from tests.io.many import csv, people, rows_of, split

if TYPE_CHECKING:
    from pathlib import Path

    from covey.files.source import Source

ENTROPY = "5" * 64
ROLES: dict[str, Any] = {"quasi": ["age", "income"], "keep": ["region", "year"], "drop_rest": True, "ledger": False}
BIG = 2**53

COLUMNS: dict[str, list[Any]] = {
    "whole": [1, None, 3, -4],
    "some are halves": [1, 2, None, 0.5],
    "none": [None, None, None, None],
    "yes": [True, None, False, True],
    "words": ["a", "12", None, ""],
    "days": ["2020-01-31", None, "1999-12-01", "2000-02-29"],
    "days first": ["31/01/2020", "01/02/2020", None, "03/04/2021"],
    "unclear": ["01/02/2020", "01/02/2020", None, "03/04/2021"],
    "times": ["2020-01-31T10:00:00+01:00", None, "2020-01-31T10:00:00Z", "2020-01-31 10:00Z"],
    "no day": ["2020-02-31", None, "2020-01-01", "2020-01-01"],
    "digits": ["1", "2", "3", "4"],
    "huge": [1, None, 2, 10**30],
    "unsigned": [1, 2**63, 2, 3],
    "exact": [BIG, 1, 2, 3],
}


def lines(columns: dict[str, list[Any]], start: int = 0, stop: int | None = None) -> bytes:
    """A JSON object for each row; a value that is missing is left out in every second row."""
    length = len(next(iter(columns.values())))
    rows = [
        {name: values[row] for name, values in columns.items() if values[row] is not None or row % 2}
        for row in range(length)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows[start:stop]).encode()


def source_of(path: Path, copy: Path) -> tuple[Source, pa.Table]:
    """The table as a release from file to file reads it."""
    copy.touch()
    with opened(locate(path)) as inputs:
        source = open_source(inputs, None, lambda _: None, copy=copy)
        return source, pa.concat_tables(list(source.batches(source.schema.names))).combine_chunks()


@pytest.mark.parametrize("rows", [1, 2, 2**16])
@pytest.mark.parametrize("files", [1, 2])
def test_json_has_the_types_that_it_has_in_memory(
    rows: int, files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewritten, "ROWS", rows)
    path = tmp_path / "in"
    path.mkdir()
    for number in range(files):
        (path / f"{number}.jsonl").write_bytes(lines(COLUMNS, number * 2, None if number == files - 1 else 2))
    known = read(path)
    source, table = source_of(path, tmp_path / "copy")
    assert source.schema == table.schema == known.table.schema
    assert table.to_pylist() == known.table.to_pylist()
    assert (source.notes, source.mixed) == (known.notes, known.mixed)
    assert set(source.texts) == set(known.texts)
    source.read_as_text(["days", "times"])
    again = pa.concat_tables(list(source.batches(["times", "days", "days first"])))
    assert again.column("days").to_pylist() == COLUMNS["days"]
    assert again.column("times").to_pylist() == COLUMNS["times"]
    assert again.column("days first").to_pylist()[0] == dt.date(2020, 1, 31)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, "a"], "mixes types"),
        ([True, 1], "mixes types"),
        ([0.5, BIG + 1], "mixes types"),
        ([[1], [2]], "holds lists"),
    ],
)
def test_json_that_is_no_table_is_an_error(values: list[Any], words: str, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(lines({"x": values}))
    with pytest.raises(InputError, match=words):
        source_of(path, tmp_path / "copy")
    path.write_bytes(b'{"x": 1}\n[2]\n')
    with pytest.raises(InputError, match=r"line 2 of 'in.jsonl' is no JSON object"):
        source_of(path, tmp_path / "copy")


def test_arrow_has_the_types_that_it_has_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewritten, "ROWS", 2)
    table = pa.table(
        {
            "float": pa.array([1.5, None, 3], pa.float32()),
            "category": pa.array(["a", "b", None]).dictionary_encode(),
            "time": pa.array([dt.datetime(2020, 1, 1), None, dt.datetime(2021, 1, 1)], pa.timestamp("ns", "UTC")),
            "decimal": pa.array([None, "1.25", "2.50"]).cast(pa.decimal128(6, 2)),
            "duration": pa.array([1, 2, None], pa.duration("s")),
        }
    )
    feather.write_feather(table, str(tmp_path / "in.arrow"), compression="zstd", chunksize=3)
    known = read(tmp_path / "in.arrow").table
    source, read_back = source_of(tmp_path / "in.arrow", tmp_path / "copy")
    assert source.schema == read_back.schema == known.schema
    assert read_back.to_pylist() == known.to_pylist()


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "jsonl.zst", "arrow"])
def test_they_give_the_release_of_a_csv_file(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    frame = people(300)
    (tmp_path / "one.csv").write_bytes(csv(frame))
    folder = split(frame, tmp_path / "in", kind, 3)
    done = []
    for number, source in enumerate((tmp_path / "one.csv", folder)):
        target = tmp_path / f"{number}.parquet"
        release = release_file(source, target, 5, entropy=ENTROPY, **ROLES)
        done.append(rows_of(pq.read_table(target), ["age", "income", "region", "year"]))
        assert release.certificate.k >= 5
    assert done[0] == done[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.parquet", "1.parquet", "in", "one.csv"]


def test_dates_of_json_are_quasi_identifiers(tmp_path: Path) -> None:
    """Grouped as days; a kept one is published as it was written."""
    days = [f"{1 + day % 28:02}/{1 + day % 12:02}/2020" for day in range(40)]
    kept = ["01/05/2020", "02/05/2020"] * 20
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress(lines({"day": days, "kept": kept, "x": list(range(40))})))
    choices: dict[str, Any] = {"quasi": ["day"], "keep": ["kept"], "drop": ["x"], "dates": {"kept": "dd/mm/yyyy"}}
    release_file(path, tmp_path / "out.parquet", 4, entropy=ENTROPY, ledger=False, **choices)
    released = pq.read_table(tmp_path / "out.parquet")
    known = covey.release(read(path, dates=choices["dates"]), 4, entropy=ENTROPY, ledger=False, **choices)
    assert released.schema.field("day").type == known.arrow.schema.field("day").type == pa.date32()
    assert released.schema.field("kept").type == known.arrow.schema.field("kept").type
    assert sorted(map(str, released["kept"].to_pylist())) == sorted(map(str, known.arrow["kept"].to_pylist()))
