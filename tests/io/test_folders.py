"""Releases as folders of Parquet files: what others read in them, whole or not at all, and never in somebody's place."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError, OptionError, OutputError, RefusedError
from covey.io import folder as folders
from covey.io import read, writing
from covey.io.folder import FolderWriter, StagedFolder, folders_of, write_folder
from covey.io.listing import MISSING
from covey.io.location import locate_output
from covey.utils.seal import folder_hash
from tests.commands.running import fails
from tests.io.many import REGIONS, people, plain, rows_of, split

if TYPE_CHECKING:
    from pathlib import Path

KEPT: dict[str, Any] = {"keep": ["region", "illness"], "drop_rest": True}


def made(n: int = 300, **choices: Any) -> covey.Release:
    return covey.release(people(n), 5, quasi=["age", "income"], ledger=False, **(KEPT | choices))


def names_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_others_read_the_same_rows(tmp_path: Path) -> None:
    done = made()
    names = done.arrow.column_names
    meant = sorted(rows_of(done.arrow, names))
    assert done.write(f"{tmp_path}/flat/") == []
    assert names_in(tmp_path / "flat") == ["part-00000.parquet"]
    assert rows_of(pq.read_table(tmp_path / "flat"), names) == rows_of(done.arrow, names)
    done.write(tmp_path / "out", partition_by=["region", "illness"])
    root = tmp_path / "out"
    assert len([one for one in names_in(root) if one.startswith("region=") and "/" not in one]) == len(REGIONS)
    assert all("region" not in pq.ParquetFile(path).schema_arrow.names for path in root.rglob("*.parquet"))
    frame = pd.read_parquet(root)
    assert sorted(plain(frame.astype({"region": str, "illness": str})[names])) == meant
    assert sorted(pl.read_parquet(f"{root}/**/*.parquet", hive_partitioning=True)[names].rows()) == meant
    columns = ", ".join(names)
    query = f"SELECT {columns} FROM read_parquet('{root}/**/*.parquet', hive_partitioning = true)"  # noqa: S608
    found = duckdb.connect().execute(query)
    assert sorted(found.fetchall()) == meant
    assert sorted(rows_of(read(root).table, names)) == meant


def test_values_of_every_kind_that_may_part(tmp_path: Path) -> None:
    table = pa.table(
        {
            "x": range(40),
            "n": pa.array([1, -2, None, 10] * 10, pa.int16()),
            "b": [True, False] * 20,
            "d": pa.array([0, 18000, None, 5] * 10, pa.int32()).cast(pa.date32()),
            "t": pa.array(["a/b", "..", MISSING, None] * 10).dictionary_encode(),
        }
    )
    done = covey.release(table, 4, quasi=["x"], keep=["n", "b", "d", "t"], ledger=False)
    done.write(tmp_path / "out", partition_by=["n", "b", "d", "t"])
    back = read(tmp_path / "out").table
    names = done.arrow.column_names
    assert sorted(map(str, rows_of(back, names))) == sorted(map(str, rows_of(done.arrow, names)))
    kinds = [str(back.schema.field(name).type) for name in ("n", "b", "d", "t")]
    assert kinds == ["int64", "bool", "date32[day]", "string"]


@pytest.mark.parametrize(
    "texts", [["1", "2"], ["", "a"], ["true", "false"], [" 1", "2"], ["007", "12"], ["2020-01-01", "2020-01-02"]]
)
def test_texts_that_would_be_read_as_others(texts: list[str], tmp_path: Path) -> None:
    table = pa.table({"x": range(20), "t": texts * 10})
    done = covey.release(table, 5, quasi=["x"], keep=["t"], ledger=False)
    with pytest.raises(OutputError, match="some texts of column 't' could not be read back"):
        done.write(tmp_path / "out", partition_by=["t"])
    assert names_in(tmp_path) == []


def test_columns_that_cannot_part(tmp_path: Path) -> None:
    done = made()
    for columns, message in (
        (["income"], "column 'income', which is published as double"),
        (["nothing"], "partition_by names the column 'nothing', and there is none of that name"),
        (["region", "region"], "columns named more than once: region"),
        (["age", "income", "region", "illness"], "names all 4 columns, and nothing is left"),
    ):
        with pytest.raises(covey.CoveyError, match=message):
            done.write(tmp_path / "out", partition_by=columns)
    for name in ("_x", ".x", "a/b", "a=b", "50%", "a\nb"):
        table = pa.table({"x": range(20), name: ["a", "b"] * 10})
        odd = covey.release(table, 5, quasi=["x"], keep=[name], ledger=False)
        with pytest.raises(OptionError, match="a folder cannot be called by column"):
            odd.write(tmp_path / "out", partition_by=[name])
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("exchange", [True, False])
def test_a_folder_is_replaced_whole(*, exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not exchange:
        monkeypatch.setattr(folders, "_exchanged", lambda _one, _other: False)
    done = made()
    done.write(tmp_path / "out", partition_by=["region"])
    (tmp_path / "out" / "_SUCCESS").write_text("")
    before = names_in(tmp_path / "out")
    with pytest.raises(OutputError, match=r"the folder 'out' exists already; choose another name, or .*--force"):
        done.write(tmp_path / "out", partition_by=["illness"])
    assert names_in(tmp_path / "out") == before
    done.write(tmp_path / "out", partition_by=["illness"], force=True)
    assert all(name.startswith("illness=") for name in names_in(tmp_path / "out"))
    assert names_in(tmp_path)[0] == "out"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o777 & ~_umask()


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def test_the_names_of_two_folders_change_in_one_step(tmp_path: Path) -> None:
    if not hasattr(ctypes.CDLL(None), "renameat2"):
        pytest.skip("renameat2 is a call of Linux")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    assert folders._exchanged(tmp_path / "a", tmp_path / "b")
    assert names_in(tmp_path) == ["a", "a/b", "b", "b/a"]
    assert not folders._exchanged(tmp_path / "a", tmp_path / "none")


def test_what_is_not_ours_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = made()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.odt").touch()
    (tmp_path / "file").touch()
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "x.parquet").symlink_to(tmp_path / "file")
    for target, message in (
        ("home/", "'home' holds something else than Parquet files"),
        ("links/", "'links' holds something else than Parquet files"),
        ("file/", "'file' is a file, and a folder is to be written"),
        ("none/out/", "the folder it is to lie in does not exist"),
    ):
        with pytest.raises(OutputError, match=message):
            done.write(f"{tmp_path}/{target}", force=True)
    with pytest.raises(OutputError, match="'c.json' lies in the folder 'new', which is the output"):
        done.write(f"{tmp_path}/new/", certificate=tmp_path / "new" / "c.json")
    monkeypatch.setattr(StagedFolder, "_exchange", lambda self: (self.path.mkdir(), 1 / 0))
    with pytest.raises(ZeroDivisionError):
        done.write(f"{tmp_path}/new/")
    assert names_in(tmp_path) == ["file", "home", "home/thesis.odt", "links", "links/x.parquet", "new"]


@pytest.mark.parametrize("before", [False, True])
def test_all_or_nothing(*, before: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails when files are put in place leaves the old folder, or none; so does a recount that falls short."""
    done = made()
    if before:
        done.write(tmp_path / "out", partition_by=["region"])
    names = names_in(tmp_path)
    last = folders.StagedFolder.commit

    def fail(self: StagedFolder) -> None:
        last(self)
        raise OSError(5, "on the way")

    with monkeypatch.context() as patched:
        patched.setattr(folders.StagedFolder, "commit", fail)
        with pytest.raises(OSError, match="on the way"):
            done.write(tmp_path / "out", partition_by=["illness"], force=True, certificate=tmp_path / "c.json")
    assert names_in(tmp_path) == names

    def lose(table: pa.Table, folder: Path, columns: Any) -> list[Any]:
        return write_folder(table.slice(1), folder, columns)

    monkeypatch.setattr(writing, "write_folder", lose)
    with pytest.raises(RefusedError):
        done.write(tmp_path / "out", partition_by=["region"], force=True, certificate=tmp_path / "c.json")
    assert names_in(tmp_path) == names


def test_a_folder_that_cannot_be_put_in_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where two renames are needed and the second fails."""
    done = made()
    done.write(f"{tmp_path}/out/")
    monkeypatch.setattr(folders, "_exchanged", lambda _one, _other: False)
    rename = type(tmp_path).rename

    def fail(self: Path, target: Path) -> Path:
        if self.name == "release":
            raise OSError(5, "on the way")
        return rename(self, target)

    monkeypatch.setattr(type(tmp_path), "rename", fail)
    before = pq.read_table(tmp_path / "out")
    with pytest.raises(OutputError, match="cannot be written"):
        made(200).write(f"{tmp_path}/out/", force=True)
    assert names_in(tmp_path) == ["out", "out/part-00000.parquet"]
    assert pq.read_table(tmp_path / "out").equals(before)


def test_a_certificate_knows_names_and_bytes(tmp_path: Path) -> None:
    done = made()
    out, told = tmp_path / "out", tmp_path / "c.json"
    done.write(out, partition_by=["region"], certificate=told)

    def holds() -> list[bool | None]:
        return [one.holds for one in covey.check_certificate(out, told).findings][:2]

    assert covey.check_certificate(out, told).passed
    assert covey.check_certificate(f"{out}/*/*.parquet", told).passed
    lines = "".join(
        f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n"
        for name in names_in(out)
        if name.endswith(".parquet")
    )
    assert hashlib.sha256(lines.encode()).hexdigest() in told.read_text()
    (out / "_SUCCESS").write_text("")  # no part of the table
    assert covey.check_certificate(out, told).passed
    north, zurich = out / "region=North", next(out.glob("region=Z*"))
    (north / "part-00000.parquet").rename(north / "part-1.parquet")
    assert holds() == [False, True]
    (north / "part-1.parquet").rename(north / "part-00000.parquet")
    north.rename(out / "a")
    zurich.rename(north)
    (out / "a").rename(zurich)
    assert holds() == [False, False]  # the same files, of other regions
    shutil.rmtree(north)
    assert holds() == [False, False]


def test_the_hash_of_a_folder() -> None:
    pairs = [("b/x", "1"), ("a", "2"), ("b.x", "3")]
    assert folder_hash(pairs) == hashlib.sha256(b"2  a\n3  b.x\n1  b/x\n").hexdigest()
    assert folder_hash(pairs) == folder_hash(reversed(pairs))


@pytest.mark.parametrize("most", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize("columns", [[], ["region"], ["illness", "region"]])
def test_rows_wait_for_their_files(most: int, columns: list[str], tmp_path: Path) -> None:
    """However many rows a file has at most, all rows come, those of a folder in their order."""
    table = pa.Table.from_pandas(people(150).sample(frac=1, random_state=1), preserve_index=False)
    writer = FolderWriter(tmp_path, columns, most)
    for start in range(0, 150, 40):
        writer.add(table.slice(start, 40))
        assert sum(one.num_rows for tables in writer._waiting.values() for one in tables) <= most
    writer.close()
    assert all(pq.read_metadata(path).num_rows <= most for path in tmp_path.rglob("*.parquet"))
    back = read(tmp_path).table
    order = np.argsort(folders_of(table, columns)[0], kind="stable")
    assert rows_of(back, table.column_names) == rows_of(table.take(pa.array(order)), table.column_names)


def test_units_are_counted_where_rows_went(tmp_path: Path) -> None:
    """Units are not published; the rows of a parted folder stand in another order, and each is counted as its unit's."""
    frame = people(300, seed=3)
    frame["person"] = np.random.default_rng(5).permutation(np.repeat(np.arange(100), 3))
    frame = frame.sample(frac=1, random_state=2)
    done = made_with_units(frame)
    told = tmp_path / "c.json"
    done.write(tmp_path / "out", partition_by=["region"], certificate=told)
    assert done.units is not None
    written = read(tmp_path / "out").table
    order = np.argsort(folders_of(done.arrow, ["region"])[0], kind="stable")
    assert rows_of(written, done.arrow.column_names) == rows_of(
        done.arrow.take(pa.array(order)), done.arrow.column_names
    )
    parted = writing._parted(done, locate_output(tmp_path / "other", format=None, partition_by=["region"]))
    assert parted.units is not None
    assert parted.units.number.tolist() == done.units.number[order].tolist() != done.units.number.tolist()
    wrong = covey.release(frame, 5, quasi=["age"], unit="person", drop_rest=True, keep=["region"], ledger=False)
    assert wrong.units is not None
    wrong.units.number[:] = 0
    with pytest.raises(RefusedError):
        wrong.write(tmp_path / "wrong", partition_by=["region"])


def made_with_units(frame: pd.DataFrame) -> covey.Release:
    choices: dict[str, Any] = {"unit": "person", "keep": ["region"], "drop_rest": True}
    return covey.release(frame, 5, quasi=["age", "income"], ledger=False, **choices)


def test_nothing_is_written_into_what_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    split(people(), tmp_path / "in", "parquet")
    (tmp_path / "link").symlink_to(tmp_path / "in")
    before = names_in(tmp_path)
    base = ["-k", "5", "--quasi", "age,income", "--drop-rest", "--no-ledger", "--force"]
    for source, output, more in (
        ("in", "in/out.parquet", []),
        ("in", "in/deep/out/", []),
        ("in", "link/out.parquet", []),
        ("link", "in/out.parquet", []),
        ("in/", "in/", []),
        ("in", "out.parquet", ["--certificate", "in/c.json"]),
        ("in/part-0.parquet", "in/", []),
        ("in/*.parquet", "in/out.parquet", []),
        ("*/*", "in/out.csv", []),
        ("**/*.parquet", "new.parquet", []),
        ("in*", "in/out/x.csv", []),
        (f"file://{tmp_path}/in", "in/o.csv", []),
    ):
        for memory in ([], ["--memory", "1GiB"]):
            err = fails(capsys, "release", source, *base, "-o", output, *more, *memory)
            assert "would replace the input" in err or "lies in the" in err, (source, output)
    assert names_in(tmp_path) == before
    covey.release("in/*.parquet", 5, quasi=["age"], drop_rest=True, ledger=False).write("in/out.csv", ledger=False)


def test_a_process_that_is_killed_leaves_no_row_that_came_in(tmp_path: Path) -> None:
    """Killed between the recount and the rename, it leaves a hidden folder of released rows, which its owner alone may enter."""
    people(300).to_parquet(tmp_path / "in.parquet")
    script = (
        "import os, signal, covey\n"
        "from covey.io import folder\n"
        "folder.StagedFolder.commit = lambda self: os.kill(os.getpid(), signal.SIGKILL)\n"
        "done = covey.release('in.parquet', 5, quasi=['age', 'income'], drop_rest=True, ledger=False)\n"
        "done.write('out/', ledger=False)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False, timeout=120)
    assert killed.returncode == -signal.SIGKILL
    (hidden,) = (path for path in tmp_path.iterdir() if path.name != "in.parquet")
    assert hidden.name.startswith(".covey-")
    assert hidden.stat().st_mode & 0o777 == 0o700
    left = read(next(hidden.rglob("*.parquet"))).table
    assert left.group_by(["age", "income"]).aggregate([([], "count_all")])["count_all"].to_pylist()[0] >= 5
    (tmp_path / "in.parquet").unlink()
    with pytest.raises(InputError, match="without files that can be read"):
        read(tmp_path)  # it is no part of what is read there
