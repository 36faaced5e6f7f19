"""Folders, patterns and compressed files as one table: what is read is what others read, in the order of names."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError, OptionError
from covey.io import read, read_published
from covey.io.inputs import InputFile
from covey.io.listing import MISSING, Entry, folder_name
from covey.io.location import locate, locate_output
from covey.network.formats import read_network
from tests.commands.running import fails
from tests.io.many import REGIONS, csv, people, plain, rows_of, split

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = ["csv", "csv.gz", "csv.zst", "tsv.gz", "parquet", "jsonl.gz", "jsonl", "arrow"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pattern", ["", "*", "**", "part-[0-9].*"])
def test_many_files_are_one_table(kind: str, pattern: str, tmp_path: Path) -> None:
    frame = people()
    folder = split(frame, tmp_path / "in", kind)
    for marker in ("_SUCCESS", ".part-0.crc", "_committed_1", ".hidden/part-9.csv"):
        (folder / marker).parent.mkdir(exist_ok=True)
        (folder / marker).write_text("no table")
    loaded = read(f"{folder}/{pattern}" if pattern else folder)
    assert rows_of(loaded.table, list(frame.columns)) == plain(frame)
    assert loaded.table.column_names == list(frame.columns)
    assert any("was read from 3 files, in the order of their names" in str(note) for note in loaded.notes)
    assert loaded.origin["format"] == kind.partition(".")[0]
    published = read_published(folder)
    assert [str(value) for value in published["age"].to_pylist()] == [str(value) for value in frame["age"]]


@pytest.mark.parametrize("kind", ["csv.gz", "csv.zst", "tsv.gz", "jsonl.gz"])
def test_one_compressed_file(kind: str, tmp_path: Path) -> None:
    frame = people(200)
    (path,) = split(frame, tmp_path / "in", kind, pieces=1).iterdir()
    assert rows_of(read(path).table, list(frame.columns)) == plain(frame)
    assert read(f"file://{path}").table.equals(read(path).table)
    assert read(path).notes == []


@pytest.mark.parametrize("by", ["pyarrow", "polars", "pandas", "duckdb"])
def test_partitions_that_others_write(by: str, tmp_path: Path) -> None:
    """Columns that names of folders tell are columns, with their types, whoever made the folders."""
    frame, root = people(), tmp_path / "in"
    keys = ["region", "year"]
    if by == "pyarrow":
        pq.write_to_dataset(pa.Table.from_pandas(frame, preserve_index=False), root, partition_cols=keys)
    elif by == "pandas":
        frame.to_parquet(root, partition_cols=keys, index=False)
    elif by == "polars":
        into: Any = pl.PartitionBy(root, key=keys)
        pl.from_pandas(frame).write_parquet(into, mkdir=True)
    else:
        duckdb.sql(f"COPY (SELECT * FROM frame) TO '{root}' (FORMAT parquet, PARTITION_BY (region, year))")  # noqa: S608
    loaded = read(root)
    kinds = {entry.name: entry.type for entry in loaded.table.schema}
    assert pa.types.is_integer(kinds["year"])
    assert kinds["region"] in (pa.string(), pa.large_string())
    names = list(frame.columns)
    assert sorted(rows_of(loaded.table, names)) == sorted(plain(frame))
    assert set(loaded.table["region"].to_pylist()) == set(REGIONS)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_what_names_of_folders_tell(kind: str, tmp_path: Path) -> None:
    """Codes stay codes, days become days, a missing value is missing, and a text may look like the name for one."""
    frame = people(12)[["age", "income"]]
    for code, day, text in (("007", "2020-01-31", MISSING), ("010", None, "b"), ("100", "2021-05-01", None)):
        place = tmp_path / "in" / folder_name("code", code) / folder_name("day", day) / folder_name("text", text)
        split(frame, place, kind, pieces=1)
    table = read(tmp_path / "in").table
    assert table.column_names == ["age", "income", "code", "day", "text"]
    assert table.schema.field("day").type == pa.date32()
    assert [str(table[name][0]) for name in ("code", "day")] == ["007", "2020-01-31"]
    assert table["day"].null_count == 12
    assert table["text"][0].as_py() == MISSING
    assert table["text"][-1].as_py() in (None, "")
    coded = read(tmp_path / "in", missing_codes={"code": ["007"]}, dates={"day": "yyyy-mm-dd"})
    assert coded.table["code"].null_count == 12
    assert coded.table.schema.field("day").type == pa.date32()


def test_a_column_that_folders_and_files_tell_is_read_in_the_files(tmp_path: Path) -> None:
    split(people(10)[["age", "year"]], tmp_path / "in" / "year=1", "parquet")
    loaded = read(tmp_path / "in")
    assert loaded.table.column_names == ["age", "year"]
    assert min(loaded.table["year"].to_pylist()) >= 2020
    assert any("year: told by the names of folders and by the files" in str(note) for note in loaded.notes)


def test_patterns_name_folders_and_any_depth(tmp_path: Path) -> None:
    for year in (2020, 2021, 2022):
        split(people(6)[["age"]], tmp_path / "in" / f"year={year}" / "month=1", "csv", pieces=1)
    assert set(read(f"{tmp_path}/in/year=202[01]/*/*.csv").table["year"].to_pylist()) == {2020, 2021}
    assert set(read(f"{tmp_path}/in/year=202?").table["year"].to_pylist()) == {2020, 2021, 2022}
    for pattern in ("**/*.csv", "**", "in/**", "in/**/**", "**/month=1", "in/*"):
        assert read(f"{tmp_path}/{pattern}").table.num_rows == 18, pattern  # no file twice
    assert read(f"{tmp_path}/in/year=2020").table.column_names == ["age", "month"]  # what lies above is no column
    (tmp_path / "odd[1].csv").write_bytes(csv(people(5)))
    assert read(tmp_path / "odd[1].csv").table.num_rows == 5  # a file of that name is that file


def test_folders_that_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "_SUCCESS").write_text("")
    with pytest.raises(
        InputError, match="'none' is a folder without files that can be read; needed: at least one file"
    ):
        read(tmp_path / "none")
    with pytest.raises(InputError, match=r"'none/\*.csv' is a pattern that matches no file"):
        read(f"{tmp_path}/none/*.csv")
    with pytest.raises(InputError, match=r"there is no file 'absent/\*.csv'"):
        read(f"{tmp_path}/absent/*.csv")
    mixed = split(people(), tmp_path / "mixed", "csv")
    split(people(), mixed / "more", "parquet")
    (mixed / "README.md").write_text("about")
    with pytest.raises(InputError, match=r"'mixed' holds 3 of .csv, 1 of .md, 3 of .parquet, which is not one kind"):
        read(mixed)
    for number in range(2):
        split(people(5), tmp_path / f"books{number}", "csv", 1)
        people(5).to_excel(tmp_path / f"books{number}" / "x.xlsx", engine="xlsxwriter", index=False)
        next((tmp_path / f"books{number}").glob("*.csv")).unlink()
    (tmp_path / "books0" / "y.xlsx").write_bytes((tmp_path / "books1" / "x.xlsx").read_bytes())
    with pytest.raises(InputError, match="holds 2 files of xlsx; needed, of many files: one of csv"):
        read(tmp_path / "books0")
    assert read(tmp_path / "books1").table.num_rows == 5
    with pytest.raises(InputError, match=r"'t.parquet.gz' is parquet that was compressed once more"):
        read(tmp_path / "t.parquet.gz")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_with_other_columns_is_named_and_its_folders_are_not(kind: str, tmp_path: Path) -> None:
    frame = people(20)
    split(frame[["age", "income"]], tmp_path / "in" / "region=SECRET", kind, 1)
    split(frame[["age", "illness"]], tmp_path / "in" / "region=SECRET2", kind, 1)
    with pytest.raises(InputError) as caught:
        read(tmp_path / "in")
    text = str(caught.value)
    assert f"'region=…/part-0.{kind} (file 2 of 2)' lacks income and has illness beside the others" in text
    assert "SECRET" not in text
    split(frame[["age"]], tmp_path / "fewer" / "b", kind, 1)
    split(frame[["age", "income"]], tmp_path / "fewer" / "a", kind, 1)
    with pytest.raises(InputError, match=f"'b/part-0.{kind}' lacks income, unlike 'a/part-0.{kind}'; needed: the same"):
        read(tmp_path / "fewer")
    split(frame[["age", "income"]], tmp_path / "in" / "other=3", kind, 1)
    with pytest.raises(InputError, match="lies in folders that tell region, and 'other=…/.*' in ones that tell other"):
        read(tmp_path / "in")


def test_columns_may_stand_in_another_order(tmp_path: Path) -> None:
    frame = people(20)
    (tmp_path / "a.csv").write_bytes(csv(frame[["age", "income"]]))
    (tmp_path / "b.csv").write_bytes(csv(frame[["income", "age"]]))
    assert rows_of(read(tmp_path).table, ["age", "income"]) == plain(frame[["age", "income"]]) * 2


def test_types_that_hold_the_values_of_all_files(tmp_path: Path) -> None:
    """Whole numbers of any width, text of any kind, and columns that are empty in some files are one column; others are not."""
    first = {"n": pa.array([1, 2], pa.int16()), "t": pa.array(["a", "b"]).dictionary_encode(), "x": pa.nulls(2)}
    second = {"n": pa.array([2**40, None]), "t": pa.array(["c", None], pa.large_string()), "x": pa.array([1.5, 2.5])}
    pq.write_table(pa.table(first), tmp_path / "a.parquet")
    pq.write_table(pa.table(second), tmp_path / "b.parquet")
    table = read(tmp_path).table
    assert table["n"].to_pylist() == [1, 2, 2**40, None]
    assert table["t"].to_pylist() == ["a", "b", "c", None]
    assert table["x"].to_pylist() == [None, None, 1.5, 2.5]
    pq.write_table(pa.table(second | {"n": pa.array([1.5, 2.5])}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match="column 'n' is double in 'b.parquet' and int16 in files before it"):
        read(tmp_path)


def test_types_of_text_are_found_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("code,x\n007,1\n010,2\n")
    (tmp_path / "b.csv").write_text("x,code\n2.5,NA\n,100\n")
    (tmp_path / "c.csv").write_text("")
    (tmp_path / "d.csv").write_text("code,x\n")
    loaded = read(tmp_path)
    assert loaded.table.to_pydict() == {"code": ["007", "010", "NA", "100"], "x": [1.0, 2.0, 2.5, None]}
    assert any("1 of 4 files are empty" in str(note) for note in loaded.notes)
    (tmp_path / "b.csv").write_text("x;code\n2,5;7\n")
    with pytest.raises(InputError, match="'b.csv' has another delimiter than 'a.csv'"):
        read(tmp_path)


def test_what_is_said_of_one_text_file_holds_for_many(tmp_path: Path) -> None:
    """No header, decimal commas, codes for missing values, other encodings, compressed or not."""
    rows = ["12;1,5;Zürich", "34;2,5;Bern", "99;3,5;Bern"]
    for number, (encoding, packed) in enumerate((("utf-8", False), ("cp1252", True), ("utf-16", False))):
        data = "\n".join([*rows, ""]).encode(encoding)
        (tmp_path / f"{number}.csv{'.gz' if packed else ''}").write_bytes(gzip.compress(data) if packed else data)
    with pytest.raises(InputError, match="first line of '0.csv' looks like a record"):
        read(tmp_path)
    loaded = read(tmp_path, header=False, decimal=",", missing_codes={"column1": ["99"]})
    assert loaded.table.to_pydict() == {
        "column1": [12, 34, None] * 3,
        "column2": [1.5, 2.5, 3.5] * 3,
        "column3": ["Zürich", "Bern", "Bern"] * 3,
    }
    with pytest.raises(OptionError, match="header is given, and the table is parquet"):
        read(split(people(), tmp_path / "p", "parquet"), header=False)


def test_a_broken_file_is_named_and_not_quoted(tmp_path: Path) -> None:
    for kind, cut in (("csv.gz", 60), ("csv.zst", 60), ("parquet", 200), ("jsonl.gz", 60)):
        folder = split(people().assign(illness="SECRET"), tmp_path / kind, kind)
        broken = folder / f"part-1.{kind}"
        broken.write_bytes(broken.read_bytes()[:-cut])
        with pytest.raises(InputError, match=f"'part-1.{kind}' is no .* that can be read") as caught:
            read(folder)
        assert "SECRET" not in str(caught.value)
    (tmp_path / "x.csv.gz").write_bytes(b"SECRET,no,gzip\n1,2,3\n")
    with pytest.raises(InputError, match=r"'x.csv.gz' is no table|'x.csv.gz' is no csv that can be read"):
        read(tmp_path / "x.csv.gz")


def test_a_piece_of_a_file_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "all"
    path.write_bytes(b"12345" + gzip.compress(b"a,b\n1,2\n") + b"rest")
    packed = InputFile(path, "x", "gzip", (5, path.stat().st_size - 9))
    assert packed.open().read() == b"a,b\n1,2\n"
    assert packed.text("utf-8").readline() == "a,b\n"
    assert InputFile(path, "x", None, (1, 3)).raw().read() == b"234"
    assert InputFile(path, "x", None, (3, 0)).raw().read() == b""
    assert InputFile(path, "x", None, (1, 3)).size == 3


def test_names_of_folders() -> None:
    for text in [*REGIONS, "", "..", "=", MISSING, " a ", "\n", None, "*[?]"]:
        name = folder_name("column", text)
        assert "/" not in name
        assert Entry("", 0, (name, "x.csv")).folders == {"column": text}
        assert Entry("", 0, (name, "x.csv")).name == "column=…/x.csv"
    with pytest.raises(InputError, match="columns named more than once: a"):
        _ = Entry("", 0, ("a=1", "a=2", "x.csv")).folders


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("s3://bucket/out.parquet", "the output is at s3://, where nothing can be put in its place in one step"),
        ("https://host/out.csv", "the output is at https://"),
        ("memory://out.csv", "the output is at memory://"),
        ("out.csv.bz2", "cannot be compressed as its suffix says; needed: .gz or .zst"),
        ("out.parquet.gz", "is parquet that was compressed once more"),
        ("mysql://host/db#t", "there is no database 'mysql'"),
        ("file://elsewhere/out.csv", "file:// names the machine 'elsewhere'"),
    ],
)
def test_outputs_that_are_nowhere(given: str, message: str) -> None:
    with pytest.raises(covey.CoveyError, match=message):
        locate_output(given)


def test_places() -> None:
    assert locate("file:///a%20b/c.csv").path == Path("/a b/c.csv")
    assert locate("s3a://b/x.csv.gz").compression == "gzip"
    assert locate("https://user:pw@host/x.parquet?token=1").public == "https://host/x.parquet"
    assert locate("s3://key:se/cret@bucket/x.parquet").public == "s3://bucket/x.parquet"
    assert locate("s3://bucket/a@b.parquet").public == "s3://bucket/a@b.parquet"
    assert locate("https://host:8080/a@b.parquet").public == "https://host:8080/a@b.parquet"
    assert locate_output("x/").place == "folder"
    assert locate_output("x.csv", partition_by=["a"]).place == "folder"
    with pytest.raises(covey.CoveyError, match="a folder cannot be written as 'csv'"):
        locate_output("x/", format="csv")
    with pytest.raises(covey.CoveyError, match="it is no folder"):
        locate_output("-", partition_by=["a"])
    with pytest.raises(InputError, match="there is no format 'dbf'"):
        locate("x.csv", format="dbf")


class Stream:
    """What hands its rows to Arrow and is nothing else."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def test_what_is_computed_when_it_is_asked_for(tmp_path: Path) -> None:
    """LazyFrames, relations, datasets and streams of batches give the release that their rows give as a table."""
    frame = people()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    batches = table.to_batches(max_chunksize=70)
    views = pa.table({**{n: table[n] for n in table.column_names}, "illness": table["illness"].cast(pa.string_view())})
    given: list[Callable[[], Any]] = [
        lambda: ds.dataset(table),
        lambda: ds.dataset(table).scanner(),
        lambda: pa.RecordBatchReader.from_batches(table.schema, batches),
        lambda: table.combine_chunks().to_batches()[0],
        lambda: Stream(table),
        lambda: Stream(views),
        lambda: duckdb.connect().from_df(frame),
        lambda: pl.from_pandas(frame).lazy().filter(pl.col("age") > 0),
    ]
    choices: dict[str, Any] = {"quasi": ["age", "income"], "keep": ["illness"], "drop_rest": True, "entropy": "7" * 64}
    meant = covey.release(table, 5, ledger=False, **choices).arrow
    pq.write_table(table, tmp_path / "in.parquet")
    covey.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", 5, ledger=False, **choices)
    filed = pq.read_table(tmp_path / "out.parquet")
    for make in given:
        one = make()
        done = covey.release(one, 5, ledger=False, **choices)
        assert rows_of(done.arrow, meant.column_names) == rows_of(meant, meant.column_names), type(one)
        assert isinstance(done.table, pl.DataFrame if isinstance(one, pl.LazyFrame) else pa.Table)
        found = covey.release_file(make(), tmp_path / "out.parquet", 5, ledger=False, force=True, **choices)
        again = pq.read_table(tmp_path / "out.parquet")
        assert rows_of(again, filed.column_names) == rows_of(filed, filed.column_names), type(one)
        assert found.certificate.internal["input"]["source"] == f"a {type(one).__name__}"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "out.parquet"]


def test_what_is_no_path_is_not_shown(tmp_path: Path) -> None:
    """Tables print their values: none of them is taken for a path, and none is quoted."""
    frame, target = people(20).assign(illness="SECRET"), tmp_path / "out.parquet"
    choices: dict[str, Any] = {"quasi": ["age"], "drop_rest": True}
    for table in (
        frame,
        pl.from_pandas(frame),
        frame["illness"],
        ["SECRET"],
        {"SECRET": [1]},
        frame["age"].to_numpy(),
        None,
    ):
        with pytest.raises(InputError, match="the table is a|the table is None") as caught:
            covey.release_file(table, target, 5, **choices)
        assert "SECRET" not in str(caught.value)
        if not isinstance(table, pd.DataFrame | pl.DataFrame):
            with pytest.raises(InputError, match="hands its rows to Arrow"):
                covey.release(table, 5, **choices)
    lazy = pl.DataFrame({"age": ["SECRET"]}).lazy().with_columns(pl.col("age").str.to_integer())
    unread: list[Any] = [lazy, duckdb.sql("SELECT 'SECRET'")]
    for one in unread:
        with pytest.raises(InputError, match="the table is a .*; needed: a path or a URL"):
            covey.io.read(one)
    with pytest.raises(InputError, match="the output is a DataFrame; needed: a path"):
        covey.release_file(tmp_path / "in.parquet", frame, 5, **choices)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="format is given, and the table is a LazyFrame, which is no file"):
        covey.release_file(lazy, target, 5, format="csv", **choices)
    with pytest.raises(InputError, match="the rows of the table cannot be had") as caught:
        covey.release_file(lazy, target, 5, **choices)
    assert "SECRET" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("log", ["_delta_log", ".hoodie"])
@pytest.mark.parametrize("pattern", ["t", "t/*.parquet", "t/**", "*", "t/year=*"])
def test_a_table_whose_files_hold_deleted_rows_is_no_folder(log: str, pattern: str, tmp_path: Path) -> None:
    folder = split(people(), tmp_path / "t", "parquet")
    split(people(), folder / "year=2020", "parquet")
    (folder / log).mkdir()
    (folder / log / "00000000000000000000.json").write_text("{}")
    with pytest.raises(InputError, match="is a table of (Delta|Hudi), whose files still hold rows that were deleted"):
        read(tmp_path / pattern)


def test_what_cannot_be_computed_shows_nothing() -> None:
    lazy = pl.DataFrame({"age": ["SECRET"]}).lazy().with_columns(pl.col("age").str.to_integer())
    with pytest.raises(InputError, match="the rows of the table cannot be had") as caught:
        covey.release(lazy, 5, quasi=["age"])
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None
    with pytest.raises(InputError, match="anything else that hands its rows to Arrow"):
        covey.release(pa.chunked_array([[1]]), 5, quasi=["age"])


def test_every_command_takes_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from covey import cli

    monkeypatch.chdir(tmp_path)
    split(people(), tmp_path / "in", "csv.gz")
    roles = ["--quasi", "age,income", "--drop-rest", "--no-ledger"]
    assert cli.main(["release", "in", "-k", "5", *roles, "-o", "out/", "--certificate", "c.json"]) == 0
    assert cli.main(["check", "out", "-k", "5", "--quasi", "age,income"]) == 0
    assert cli.main(["check", "out/*", "-k", "5", "--quasi", "age,income"]) == 0
    assert cli.main(["check", "out", "--certificate", "c.json"]) == 0
    assert cli.main(["recipe", "in/*.gz", "--quasi", "age"]) == 0
    assert cli.main(["compare", "in", "-k", "3", "--method", "mdav", "--quasi", "age,income", "--drop-rest"]) == 0
    assert "was read from 3 files" in capsys.readouterr().out
    assert "there is no file or folder 'none'" in fails(capsys, "release", "none", "-k", "5", *roles, "-o", "o.csv")
    assert "would be read as a part of it" in fails(capsys, "release", "in", "-k", "5", *roles, "-o", "in/out.csv")
    with pytest.raises(InputError, match="the network is 'in'; needed: one plain file"):
        read_network("in")


def test_pandas_reads_the_same(tmp_path: Path) -> None:
    """A compressed file that we write is what pandas writes and reads."""
    done = covey.release(people(), 5, quasi=["age", "income"], keep=["region"], drop_rest=True, ledger=False)
    done.write(tmp_path / "out.csv.gz")
    done.write(tmp_path / "again.csv.gz")
    done.write(tmp_path / "out.tsv.zst")
    done.write(tmp_path / "out.jsonl.gz")
    done.write(tmp_path / "out.jsonl.zst")
    names = done.arrow.column_names
    meant = rows_of(done.arrow, names)
    assert plain(pd.read_csv(tmp_path / "out.csv.gz")[names]) == meant
    assert plain(pd.read_json(tmp_path / "out.jsonl.gz", lines=True)[names]) == meant
    assert duckdb.connect().execute(f"SELECT * FROM read_csv('{tmp_path}/out.tsv.zst')").fetchall() == meant  # noqa: S608
    assert duckdb.connect().execute(f"SELECT * FROM read_json('{tmp_path}/out.jsonl.zst')").fetchall() == meant  # noqa: S608
    assert (tmp_path / "out.csv.gz").read_bytes() == (tmp_path / "again.csv.gz").read_bytes()
