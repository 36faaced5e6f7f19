"""A folder appears whole and recounted, or not at all; nothing in it tells the order of the original."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import covey
from covey.checking.certificate import check_certificate
from covey.cli import app
from covey.errors import InputError, OptionError, OutputError, RefusedError
from covey.ledger import ReleasedBeforeWarning
from covey.spark import SparkRelease, reading, release, writing
from covey.spark.formats import check_folders
from covey.spark.reading import read_folder
from covey.spark.seal import seal_of
from covey.utils.extras import load
from covey.utils.notes import NoteKind
from covey.utils.seal import file_hash, folder_hash, rows_hash
from tests.spark.tables import mixed_table, one_column

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def done(spark: Any) -> Iterator[SparkRelease]:
    df = spark.createDataFrame(one_column(4000)).repartition(2)
    found = release(df, k=4, quasi=["income"], drop_rest=True, piece_rows=350)
    yield found
    found.close()


def rows_of(folder: Path) -> list[pa.Table]:
    return [pq.read_table(path) for path in sorted(folder.glob("*.parquet"))]


def test_the_folder_and_what_goes_with_it(done: SparkRelease, tmp_path: Path) -> None:
    target = tmp_path / "out"
    done.write(str(target), report=tmp_path / "report.json", certificate=tmp_path / "certificate.json")
    parts = rows_of(target)
    assert sum(part.num_rows for part in parts) == 4000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["certificate.json", "out", "report.json"]
    told = json.loads((tmp_path / "certificate.json").read_text())
    sizes = np.unique(pa.concat_tables(parts).column("income").to_numpy(), return_counts=True)[1]
    assert told["k_achieved"] == sizes.min() >= 4
    assert "recipe" not in told
    with pytest.raises(OutputError, match="exists already"):
        done.write(str(target))
    done.write(str(target), force=True)
    assert sum(part.num_rows for part in rows_of(target)) == 4000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["certificate.json", "out", "report.json"]


def test_neither_rows_nor_parts_lie_in_the_order_of_values(done: SparkRelease, tmp_path: Path) -> None:
    done.write(str(tmp_path / "out"))
    parts = [part.column("income").to_numpy() for part in rows_of(tmp_path / "out") if part.num_rows]
    for values in parts:
        steps = np.diff(values)
        assert 0.3 < (steps > 0).sum() / max(1, (steps != 0).sum()) < 0.7
    together = np.concatenate(parts)
    assert abs(np.corrcoef(np.arange(len(together)), np.argsort(np.argsort(together)))[0, 1]) < 0.9


def test_nothing_is_left_when_the_recount_refuses(
    done: SparkRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "before").write_text("before")

    def refuse(_self: SparkRelease, _df: Any) -> None:
        msg = "refused"
        raise RefusedError(msg)

    monkeypatch.setattr(SparkRelease, "recount", refuse)
    with pytest.raises(RefusedError):
        done.write(str(tmp_path / "out"), force=True, certificate=tmp_path / "certificate.json")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "before").read_text() == "before"


def test_what_was_written_is_counted_not_what_was_meant(done: SparkRelease, spark: Any) -> None:
    table = pa.table({"income": np.append(np.repeat(np.arange(999.0), 4), [5000.0, 5001.0, 5002.0, 5003.0])})
    with pytest.raises(RefusedError, match="4 records in classes below k = 4"):
        done.recount(spark.createDataFrame(table))


def test_the_files_are_recounted(done: SparkRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_another(release: SparkRelease, staged: Any, *_how: Any) -> None:
        release.table.withColumn(
            "income", release.table["income"] + load("pyspark.sql.functions").rand(1)
        ).write.parquet(staged.temporary)

    monkeypatch.setattr(writing, "_write", write_another)
    with pytest.raises(RefusedError, match="in classes below k = 4"):
        done.write(str(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


def test_the_door(done: SparkRelease, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="format is 'csv'"):
        done.write(str(tmp_path / "out"), format="csv")
    with pytest.raises(OutputError, match="folder does not exist"):
        done.write(str(tmp_path / "nowhere" / "out"))
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="is a file"):
        done.write(str(tmp_path / "file"), force=True)
    with pytest.raises(OutputError, match="'internal' in it"):
        done.write(str(tmp_path / "out"), internal=tmp_path / "certificate.json")


def test_the_command(spark: Any, tmp_path: Path) -> None:
    del spark  # it runs, and the command takes it
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(2):
        rows = [f"{place},{place % 37},00{place % 7}" for place in range(200 * number, 200 * number + 200)]
        (folder / f"{number}.csv").write_text("\n".join(["id,age,code", *rows]) + "\n")
    asked = ["release", str(folder), "-o", str(tmp_path / "out"), "-k", "5", "--quasi", "age", "--drop", "id"]
    asked += ["--keep", "code", "--spark", "local[1]"]
    done = CliRunner().invoke(app, [*asked, "--report", str(tmp_path / "report.json")])
    assert done.exit_code == 0, done.output
    table = pa.concat_tables(rows_of(tmp_path / "out"))
    assert table.schema.names == ["age", "code"]
    assert table.schema.field("age").type == pa.int64()
    assert sorted(set(table.column("code").to_pylist())) == [f"00{place}" for place in range(7)]
    assert json.loads((tmp_path / "report.json").read_text())["k_achieved"] >= 5
    failed = CliRunner().invoke(app, [*asked, "--force", "--decimal", ","])
    assert failed.exit_code != 0


def test_the_example_of_the_page_runs(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    people = pa.table(
        {
            "name": [f"person {place}" for place in range(300)],
            "age": rng.integers(18, 90, 300),
            "income": rng.lognormal(10, 1, 300),
            "diagnosis": rng.choice(["flu", "cold"], 300),
        }
    )
    pq.write_table(people, tmp_path / "people.parquet")
    page = Path(__file__).parents[2] / "docs" / "guides" / "spark.md"
    (example,) = re.findall(r"```py\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for name in ("people/", "out/"):
        example = example.replace(f'"{name}"', f'"{tmp_path / name.replace("people/", "people.parquet")}"')
    monkeypatch.chdir(tmp_path)
    exec(example, {"spark": spark})  # noqa: S102
    assert pq.read_table(tmp_path / "out").num_rows == 300
    assert (tmp_path / "certificate.json").exists()


def test_a_folder_and_its_certificate(done: SparkRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, out = tmp_path / "c.json", tmp_path / "out"
    modes: list[int] = []
    recount = SparkRelease.recount

    def look(self: SparkRelease, df: Any) -> Any:
        modes.extend(path.stat().st_mode & 0o777 for path in tmp_path.glob(".covey-*"))
        return recount(self, df)

    monkeypatch.setattr(SparkRelease, "recount", look)
    done.write(str(out), certificate=told)
    assert modes == [0o700]  # nobody else enters the folder before the recount
    found = check_certificate(str(out), told)
    assert [one.holds for one in found.findings] == [True] * len(found.findings)
    first = max(out.glob("*.parquet"), key=lambda path: path.stat().st_size)
    table = pq.read_table(first)
    pq.write_table(table.take(pa.array(range(table.num_rows - 1, -1, -1))), first)
    assert [one.holds for one in check_certificate(str(out), told).findings][:2] == [False, True]
    pq.write_table(table.slice(1), first)
    assert [one.holds for one in check_certificate(str(out), told).findings][:2] == [False, False]


def test_values_of_every_type_have_the_seal_that_a_reader_finds(spark: Any, tmp_path: Path) -> None:
    table = mixed_table(300)
    spark.createDataFrame(table).repartition(3).write.parquet(str(tmp_path / "out"))
    seal = seal_of(spark.read.parquet(str(tmp_path / "out")), str(tmp_path / "out"))
    files = sorted((tmp_path / "out").glob("*.parquet"))
    assert seal.rows_hash == rows_hash(pq.read_table(path) for path in files)
    assert seal.sha256 == folder_hash((path.name, file_hash(path)) for path in files)


def test_no_ledger_leaves_no_file(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    choices: dict[str, Any] = {"k": 4, "quasi": ["income"], "drop_rest": True, "piece_rows": 700}
    df = spark.createDataFrame(one_column(900)).repartition(3)
    for name, ledger, variable in (("a", False, None), ("b", True, "off")):
        monkeypatch.delenv("COVEY_LEDGER", raising=False)
        if variable:
            monkeypatch.setenv("COVEY_LEDGER", variable)
        found = release(df, ledger=ledger, **choices)
        found.write(str(tmp_path / name))
        found.close()
        assert not state.exists()


def test_the_ledger_knows_what_was_released_in_memory(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(ledger))
    table = one_column(900)
    choices: dict[str, Any] = {"quasi": ["income"], "drop_rest": True}
    df = spark.createDataFrame(table.slice(1)).repartition(3)
    release(df, k=4, piece_rows=700, ledger=False, **choices).close()
    assert not ledger.exists()
    covey.release(table, k=4, **choices).write(tmp_path / "memory.csv")
    with pytest.raises(RefusedError, match="these records were released before"):
        release(df, k=5, piece_rows=700, refuse_overlap=True, **choices)
    with pytest.warns(ReleasedBeforeWarning, match="these records were released before"):
        found = release(df, k=5, piece_rows=700, **choices)
    notes = found.write(str(tmp_path / "out"))
    found.close()
    assert any(note.kind is NoteKind.LEDGER for note in notes)
    assert len(ledger.read_text().splitlines()) == 3


def test_a_folder_for_each_value_of_columns(spark: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    table = pa.table(
        {
            "age": rng.integers(18, 90, 900),
            "region": np.array(["A b", "C/d", None])[rng.integers(0, 3, 900)],
            "year": rng.choice([2020, 2021], 900),
            "code": rng.choice(["007", "12"], 900),
            "empty": rng.choice(["", "x"], 900),
        }
    )
    parted: dict[str, Any] = {"strata": ["region", "year"], "keep": ["code", "empty"]}
    done = release(spark.createDataFrame(table).repartition(2), 4, quasi=["age"], ledger=False, **parted)
    out, told = tmp_path / "out", tmp_path / "c.json"
    done.write(str(out), partition_by=["region", "year"], certificate=told, ledger=False)
    assert {path.relative_to(out).parts[:2] for path in out.rglob("*.parquet")} == {
        (f"region={region}", f"year={year}")
        for region in ("A b", "C%2Fd", "__HIVE_DEFAULT_PARTITION__")
        for year in (2020, 2021)
    }
    read = pq.read_table(out, partitioning=pads.partitioning(flavor="hive"))
    wanted = done.table.toArrow().select(read.column_names)
    rows = [sorted(map(str, zip(*one.to_pydict().values(), strict=True))) for one in (read, wanted)]
    assert rows[0] == rows[1]
    assert json.loads(told.read_text())["released"][0]["rows_hash"] == rows_hash([read])
    assert done.recount(spark.read.parquet(str(out))).k >= 4
    for names, error, what in (
        (["regoin"], InputError, "regoin.*did you mean 'region'"),
        (["region", "region"], OptionError, "more than once"),
        (list(done.table.columns), OptionError, "names all"),
        (["code"], OutputError, "some texts of column 'code' could not be read back"),
        (["empty"], OutputError, "some texts of column 'empty' could not be read back"),
    ):
        with pytest.raises(error, match=what):
            done.write(str(tmp_path / "other"), partition_by=names)
    done.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "out"]


def test_folders_have_no_values_of_other_types(done: SparkRelease, tmp_path: Path) -> None:
    wide = done.table.withColumn("more", done.table["income"])
    with pytest.raises(OptionError, match="'income', which is neither text nor whole numbers"):
        check_folders(wide, ["income"])
    assert list(tmp_path.iterdir()) == []


def test_delta_is_read_and_written_by_its_own_reader_or_not_at_all(
    done: SparkRelease, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table" / "_delta_log").mkdir(parents=True)
    done.table.write.mode("append").parquet(str(tmp_path / "table"))  # with its files, deleted ones among them
    with pytest.raises(OptionError, match="no reader or writer of delta; needed: one with its jar"):
        read_folder(spark, str(tmp_path / "table"))
    with pytest.raises(OptionError, match="no reader or writer of delta"):
        done.write(str(tmp_path / "out"), format="delta")
    assert [path.name for path in tmp_path.iterdir()] == ["table"]
    # A reader and writer of Spark's own in place of those whose jar is not here: they are asked for by name in the same way.
    monkeypatch.setattr(writing, "FORMATS", ("orc",))
    monkeypatch.setattr(reading, "READ", ("orc",))
    done.write(str(tmp_path / "out"), format="orc")
    assert spark.read.orc(str(tmp_path / "out")).count() == 4000
    assert read_folder(spark, str(tmp_path / "out")).df.count() == 4000
