"""Tables that are far away: on servers of our own on loopback, and in the memory of fsspec. What is read is what lies there."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError
from covey.files.release import release_file
from covey.io import read, read_published, reading
from covey.io.inputs import format_of
from covey.io.location import locate
from covey.io.size import fits_memory
from tests.io.many import csv, parquet, people, plain, rows_of, two_members
from tests.io.servers import Store, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROLES: dict[str, Any] = {"quasi": ["age", "income"], "keep": ["region"], "drop_rest": True, "ledger": False}


@pytest.fixture
def store() -> Iterator[Store]:
    """A server with a table as one file, as a folder, as hive partitions, and compressed."""
    frame = people(90)
    with serving() as server:
        server.files = {
            "one.csv": csv(frame),
            "a@b.csv": csv(frame),
            "with space.csv.gz": two_members(csv(frame)),
            "folder/a.parquet": parquet(frame[:40]),
            "folder/b.parquet": parquet(frame[40:]),
            "folder/_SUCCESS": b"",
            **{
                f"hive/year={year}/x.parquet": parquet(part.drop(columns="year"))
                for year, part in frame.groupby("year")
            },
        }
        yield server


@pytest.fixture
def memory() -> Iterator[Any]:
    """The file system that fsspec keeps in memory."""
    files = fsspec.filesystem("memory")
    yield files
    files.store.clear()
    files.pseudo_dirs[:] = [""]


def names_of(store: Store, scheme: str, key: str) -> str:
    return str({"s3": store.s3, "gs": store.gs}[scheme](key))


@pytest.mark.parametrize("scheme", ["s3", "gs"])
@pytest.mark.parametrize(
    "key", ["one.csv", "a@b.csv", "with space.csv.gz", "folder", "folder/", "folder/*.parquet", "f*/?.parquet"]
)
def test_stores(scheme: str, key: str, store: Store) -> None:
    frame = people(90)
    if "?" in key:
        key = key.replace("?", "[ab]")  # what stands behind a question mark are options
    url = names_of(store, scheme, key)
    loaded = read(url)
    assert rows_of(loaded.table, list(frame.columns)) == plain(frame)
    assert loaded.origin["source"] == f"{scheme}://bucket/{key}"
    told = str([*loaded.notes, *loaded.origin.values(), locate(url).public])
    assert "hidden" not in told
    assert fits_memory(url)
    assert format_of(locate(url)) == loaded.origin["format"]
    assert read_published(url).num_rows == 90


@pytest.mark.parametrize("scheme", ["s3", "gs"])
@pytest.mark.parametrize("key", ["hive", "hive/*/*.parquet", "hive/year=*"])
def test_partitions_in_a_store(scheme: str, key: str, store: Store) -> None:
    frame = people(90)
    table = read(names_of(store, scheme, key)).table
    assert sorted(rows_of(table, list(frame.columns))) == sorted(plain(frame))
    assert pa.types.is_integer(table.schema.field("year").type)


def test_the_web(store: Store) -> None:
    frame = people(90)
    for key in ("one.csv", "with%20space.csv.gz", "folder/a.parquet"):
        loaded = read(store.http(key))
        assert rows_of(loaded.table, list(frame.columns)) == plain(frame[: loaded.table.num_rows])
        assert "hidden" not in str([*loaded.notes, loaded.origin])
        assert any("was read over http, where anyone on the way can read it" in str(note) for note in loaded.notes)
    store.files["no-suffix"] = csv(frame)
    assert read(store.http("no-suffix"), format="csv").table.num_rows == 90


def test_what_is_not_there(store: Store, memory: Any) -> None:
    memory.mkdir("/empty")
    for url, message in (
        (store.s3("none.csv"), "there is no s3://bucket/none.csv; needed: an existing file or folder"),
        (store.s3("none/*.csv"), "there is no s3://bucket/none/|is a pattern that matches no file"),
        (store.gs("none.csv"), "there is no gs://bucket/none.csv"),
        (store.http("none.csv"), r"/none.csv cannot be read \(the server answers 404\)"),
        (store.http("folder"), "has no suffix that tells its format"),
        (store.http("folder/"), "a server of the web lists no files; needed: the address of one file"),
        (store.http("folder/*.csv"), "a server of the web lists no files; needed: the address of one file"),
        ("http://127.0.0.1:9/x.csv", r"cannot be read \(URLError\); check the address"),
        ("memory://none.csv", "there is no memory://none.csv"),
        ("memory://empty", "is a folder without files that can be read"),
        ("abfs://name:hidden@x/y.csv", r"abfs://x/y.csv cannot be read \(ImportError\); Install adlfs"),
    ):
        with pytest.raises(InputError, match=message) as caught:
            read(url)
        assert "hidden" not in str(caught.value)
        assert caught.value.__cause__ is None


def test_a_download_that_breaks_off(store: Store) -> None:
    store.cut = 100
    with pytest.raises(
        InputError, match=r"one.csv broke off; needed: the whole file|cannot be read \(IncompleteRead\)"
    ):
        read(store.http("one.csv"))


@pytest.mark.parametrize("given", ["memory://t", "memory://t/*.csv", "memory://t/a.csv", "memory://t/y=*"])
def test_the_memory_of_fsspec(given: str, memory: Any) -> None:
    frame = people(30)
    memory.pipe({"/t/a.csv": csv(frame)} if "=" not in given else {"/t/y=7/a.csv": csv(frame)})
    table = read(given).table
    assert rows_of(table, list(frame.columns)) == plain(frame)
    assert ("y" in table.column_names) == ("=" in given)


@pytest.mark.parametrize("kind", ["s3", "gs", "http", "memory"])
def test_the_same_release_as_of_a_file_here(kind: str, store: Store, memory: Any, tmp_path: Path) -> None:
    """In memory and out of memory; every file is fetched once however many passes there are, and nothing of it is left."""
    frame = people(400)
    here = tmp_path / "here.csv"
    here.write_bytes(csv(frame))
    if kind == "memory":
        memory.pipe({"/t/a.csv": csv(frame[:150]), "/t/b.csv": csv(frame[150:])})
        url = "memory://t"
    elif kind == "http":
        store.files["t.csv"] = csv(frame)
        url = store.http("t.csv")
    else:
        store.files |= {"t/a.csv": csv(frame[:150]), "t/b.csv": csv(frame[150:])}
        url = names_of(store, kind, "t")
    choices = ROLES | {"entropy": "3" * 64}
    assert covey.release(url, 5, **choices).arrow.equals(covey.release(here, 5, **choices).arrow)
    store.asked.clear()
    release_file(url, tmp_path / "far.parquet", 5, **choices)
    fetched = [
        one for one in store.asked if one.startswith("GET") and one.rpartition("/")[2] in ("a.csv", "b.csv", "t.csv")
    ]
    assert len([one for one in fetched if "/storage/v1/b/bucket/o/" not in one]) <= 2
    release_file(here, tmp_path / "near.parquet", 5, **choices)
    assert pq.read_table(tmp_path / "far.parquet").equals(pq.read_table(tmp_path / "near.parquet"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["far.parquet", "here.csv", "near.parquet"]


def test_copies_have_no_name(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a table from far away is read, no folder shows its copy."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen = []
    published = reading._from_files

    def looked(*given: Any) -> Any:
        seen.append(list(tmp_path.iterdir()))
        return published(*given)

    monkeypatch.setattr(reading, "_from_files", looked)
    assert read(store.s3("folder")).table.num_rows == 90
    assert seen == [[]]
    assert list(tmp_path.iterdir()) == []


def test_a_certificate_of_what_was_put_far_away(store: Store, memory: Any, tmp_path: Path) -> None:
    """What was written here and copied there is checked there."""
    done = covey.release(people(200), 5, **ROLES)
    told = tmp_path / "c.json"
    done.write(tmp_path / "out", partition_by=["region"], certificate=told, ledger=False)
    for path in (tmp_path / "out").rglob("*.parquet"):
        key = f"published/{path.relative_to(tmp_path / 'out')}"
        store.files[key] = path.read_bytes()
        memory.pipe(f"/{key}", path.read_bytes())
    for url in (store.s3("published"), store.gs("published"), "memory://published"):
        assert covey.check_certificate(url, told).passed
    key = next(name for name in store.files if name.startswith("published/"))
    store.files[key] = parquet(people(10)[["age", "income"]])
    assert not covey.check_certificate(store.s3("published"), told).passed
