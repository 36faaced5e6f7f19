"""Out of memory, many files are one table, and a folder is a release: the same as of one file, and as in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError, OptionError, OutputError, RefusedError
from covey.files import writing
from covey.files.release import release_file
from covey.io import read
from covey.io.folder import FolderWriter
from tests.files.tables import small
from tests.io.many import csv, people, plain, rows_of, split

if TYPE_CHECKING:
    from pathlib import Path

ENTROPY = "5" * 64
ROLES: dict[str, Any] = {"quasi": ["age", "income"], "keep": ["region", "year"], "drop_rest": True, "ledger": False}


def rows(path: Path) -> list[Any]:
    table = read(path).table
    return sorted(rows_of(table, sorted(table.column_names)))


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "csv.zst", "tsv.gz", "parquet"])
def test_many_files_give_the_release_of_one(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    frame = people(400)
    (tmp_path / "one.csv").write_bytes(csv(frame))
    folder = split(frame, tmp_path / "in", kind, 3)
    done = []
    sources: list[str | Path] = [tmp_path / "one.csv", folder, f"{folder}/part-?.{kind}"]
    for number, source in enumerate(sources):
        target = tmp_path / f"{number}.parquet"
        release_file(source, target, 5, entropy=ENTROPY, **ROLES)
        done.append(rows_of(pq.read_table(target), ["age", "income", "region", "year"]))
    assert done[0] == done[1] == done[2]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_what_names_of_folders_tell_is_grouped(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns of folders may be anything: quasi-identifiers, strata, with codes for missing values; the same as in memory."""
    small(monkeypatch)
    frame = people(300)
    for (region, year), part in frame.groupby(["region", "year"]):
        place = f"region={str(region).replace('%', '%25').replace('/', '%2F').replace('=', '%3D')}"
        split(part[["age", "income"]], tmp_path / "in" / place / f"year={year}", kind, 2)
    choices: dict[str, Any] = {
        "quasi": ["age", "year"],
        "strata": ["region"],
        "drop": ["income"],
        "missing": "own-group",
        "small_strata": "suppress",
    }
    done = release_file(
        tmp_path / "in", tmp_path / "out.parquet", 3, missing_codes={"year": [2020]}, ledger=False, **choices
    )
    assert done.certificate.k >= 3
    released = pq.read_table(tmp_path / "out.parquet")
    assert set(released["region"].to_pylist()) <= set(frame["region"])
    assert 2020 not in released["year"].to_pylist()
    known = covey.release(read(tmp_path / "in"), 3, ledger=False, missing_codes={"year": [2020]}, **choices)
    assert known.arrow["year"].type == released["year"].type
    assert known.arrow.num_rows == released.num_rows


@pytest.mark.parametrize("columns", [[], ["region"], ["year", "region"]])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("most", [30, 120])
def test_folders_hold_what_a_file_holds(
    *, columns: list[str], unit: bool, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch, rows=most)
    frame = people(400)
    frame["person"] = np.random.default_rng(1).permutation(np.repeat(np.arange(100), 4))
    frame.to_parquet(tmp_path / "in.parquet", index=False)
    more: dict[str, Any] = {"unit": "person"} if unit else {}
    told = tmp_path / "c.json"
    release_file(tmp_path / "in.parquet", tmp_path / "one.parquet", 5, entropy=ENTROPY, **ROLES, **more)
    folder = f"{tmp_path}/out/"
    release_file(
        tmp_path / "in.parquet", folder, 5, entropy=ENTROPY, partition_by=columns, certificate=told, **ROLES, **more
    )
    assert rows(tmp_path / "out") == rows(tmp_path / "one.parquet")
    assert len(list((tmp_path / "out").rglob("*.parquet"))) > 1
    assert covey.check_certificate(folder, told).passed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "in.parquet", "one.parquet", "out"]


@pytest.mark.parametrize("suffix", ["csv.gz", "csv.zst", "tsv.gz"])
def test_compressed_outputs(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    people(400).to_csv(tmp_path / "in.csv", index=False, sep=";", decimal=",")
    told = tmp_path / "c.json"
    plain_one = tmp_path / f"one.{suffix.partition('.')[0]}"
    release_file(tmp_path / "in.csv", plain_one, 5, entropy=ENTROPY, **ROLES)
    release_file(tmp_path / "in.csv", tmp_path / f"out.{suffix}", 5, entropy=ENTROPY, certificate=told, **ROLES)
    with pa.input_stream(str(tmp_path / f"out.{suffix}")) as file:
        assert file.read() == plain_one.read_bytes()
    assert covey.check_certificate(tmp_path / f"out.{suffix}", told).passed


@pytest.mark.parametrize("columns", [[], ["region"]])
@pytest.mark.parametrize("unit", [False, True])
def test_the_recount_of_a_folder_sees_what_was_written(
    *, columns: list[str], unit: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that is lost, or of another folder, on the way to the disk is found."""
    frame = people(400)
    frame["person"] = np.random.default_rng(1).permutation(np.repeat(np.arange(100), 4))
    frame.to_parquet(tmp_path / "in.parquet", index=False)
    more: dict[str, Any] = {"unit": "person"} if unit else {}
    add = FolderWriter.add

    def lossy(self: FolderWriter, table: pa.Table) -> None:
        add(self, table.slice(1))

    def spoiled(self: FolderWriter, table: pa.Table) -> None:
        place = table.column_names.index("age")
        add(self, table.set_column(place, "age", pa.array(np.arange(len(table)) + 1000.0)))

    for bug in (lossy, spoiled):
        monkeypatch.setattr(FolderWriter, "add", bug)
        with pytest.raises(RefusedError):
            release_file(tmp_path / "in.parquet", f"{tmp_path}/out/", 5, partition_by=columns, **ROLES, **more)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_strata_that_are_folders_are_recounted_by_their_names(tmp_path: Path) -> None:
    """Columns that only names of folders hold are among those that k is counted over."""
    frame = people(400).assign(age=np.tile([30, 40], 200))  # the same ages everywhere: regions alone part the classes
    frame.to_parquet(tmp_path / "in.parquet", index=False)
    choices: dict[str, Any] = {"quasi": ["age"], "strata": ["region"], "drop_rest": True, "ledger": False}
    told = tmp_path / "c.json"
    done = release_file(
        tmp_path / "in.parquet", tmp_path / "out", 5, partition_by=["region"], certificate=told, **choices
    )
    assert covey.check_certificate(tmp_path / "out", told).passed
    found = read(tmp_path / "out").table.group_by(["age", "region"]).aggregate([([], "count_all")])
    assert min(found["count_all"].to_pylist()) == done.certificate.k


def test_what_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people(100)
    folder = split(frame, tmp_path / "in", "parquet")
    monkeypatch.setattr(writing, "write_file", None)
    refused: list[tuple[str, dict[str, Any], type[Exception], str]] = [
        ("out/", {"partition_by": ["illness"]}, InputError, "partition_by names the column 'illness'"),
        ("in/out.parquet", {}, OutputError, "would be read as a part of it"),
        ("s3://bucket/out.parquet", {}, OutputError, "the output is at s3://"),
        ("out.jsonl.gz", {}, OptionError, "needed, for a release in parts: files in one of parquet, csv, tsv"),
        (
            "out.xlsx",
            {"partition_by": ["region"], "output_format": "csv"},
            OutputError,
            "a folder cannot be written as",
        ),
    ]
    for target, more, error, message in refused:
        with pytest.raises(error, match=message):
            release_file(folder, target if "://" in target else f"{tmp_path}/{target}", 5, **ROLES, **more)
    (tmp_path / "table.xlsx").touch()
    with pytest.raises(OptionError, match=r"the table is 'table.xlsx' \(xlsx\)"):
        release_file(tmp_path / "table.xlsx", tmp_path / "out.csv", 5, **ROLES)
    (tmp_path / "table.xlsx").unlink()
    named = frame.rename(columns={"illness": "File_Row_Number"})
    split(named, tmp_path / "named", "parquet")
    choices: dict[str, Any] = {
        "quasi": ["age"],
        "unit": "income",
        "keep": ["File_Row_Number"],
        "drop_rest": True,
        "ledger": False,
    }
    with pytest.raises(
        OptionError, match="column 'File_Row_Number' has a name that Covey needs to count the units of a folder"
    ):
        release_file(tmp_path / "named", f"{tmp_path}/out/", 5, **choices)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "named"]


def test_a_broken_file_of_a_folder_is_named(tmp_path: Path) -> None:
    folder = split(people(300), tmp_path / "in", "csv.gz")
    broken = folder / "part-1.csv.gz"
    broken.write_bytes(broken.read_bytes()[:-40])
    with pytest.raises(InputError, match="'part-1.csv.gz' is no csv that can be read"):
        release_file(folder, tmp_path / "out.csv", 5, **ROLES)


def test_a_folder_that_changes_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from covey.files.passes import Making

    folder = split(people(300), tmp_path / "in", "parquet")
    parts = Making.parts

    def changed(self: Making, *given: Any) -> Any:
        people(100).assign(age="x").to_parquet(folder / "part-2.parquet", index=False)
        return parts(self, *given)

    monkeypatch.setattr(Making, "parts", changed)
    with pytest.raises(InputError, match="'part-2.parquet' changed while it was read"):
        release_file(folder, tmp_path / "out.csv", 5, **ROLES)
    assert plain(people(3))  # the table that is meant
