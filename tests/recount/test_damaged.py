"""The recount: a release that was damaged after aggregation is refused, and nothing is written."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import InputError, OutputError, RefusedError
from covey.io import delimited, read_published, staging, writing
from covey.memory import release as release_function
from covey.protect import work
from covey.recount.classes import classes_of, codes_of, ordered_codes, recount, tracks
from covey.utils import randomness
from covey.utils.hashing import Sums

if TYPE_CHECKING:
    from pathlib import Path

    from covey.utils.notes import Note

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "xlsx", "sav", "dta", "xpt")


def people(n: int = 40) -> pa.Table:
    rng = np.random.default_rng(0)
    return pa.table(
        {"age": rng.integers(18, 90, n), "income": rng.normal(3000, 800, n).round(1), "ill": rng.choice(["a", "b"], n)}
    )


def make(**choices: Any) -> covey.Release:
    given: dict[str, Any] = {"k": 4, "quasi": ["age", "income"], "sensitive": ["ill"]}
    return covey.release(people(), **(given | choices))


def damaged(table: Any) -> Any:
    """One record's age is its own again."""
    ages = table["age"].to_pylist()
    ages[0] += 1
    return table.set_column(table.column_names.index("age"), "age", pa.array(ages, table["age"].type))


def test_a_release_damaged_after_aggregation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    original = work.publish

    def publish(*arguments: Any) -> tuple[pa.Table, list[Note]]:
        table, notes = original(*arguments)
        return damaged(table), notes

    monkeypatch.setattr(work, "publish", publish)
    with pytest.raises(
        RefusedError, match=r"the recount found \d records? in classes below k = 4 \(the smallest holds 1\)"
    ):
        make()


@pytest.mark.parametrize("role", ["strata", "weight"])
def test_the_recount_counts_strata_and_weights(role: str) -> None:
    given = people().append_column("extra", pa.array([1.0, 2.0] * 20))
    choices: dict[str, Any] = {"strata": ["extra"]} if role == "strata" else {"weight": "extra"}
    done = covey.release(given, k=4, quasi=["age", "income"], sensitive=["ill"], **choices)
    assert done.recount(done.arrow).k >= 4
    other = pa.array([9.0, *done.arrow["extra"].to_pylist()[1:]])
    with pytest.raises(RefusedError, match="the smallest holds 1"):
        done.recount(done.arrow.set_column(done.arrow.column_names.index("extra"), "extra", other))


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_file_damaged_while_it_is_written_never_appears(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = make()
    broken = replace(done, arrow=damaged(done.arrow))
    with pytest.raises(RefusedError, match="nothing was written"):
        writing.write_release(
            broken, tmp_path / f"out.{suffix}", report=tmp_path / "r.html", certificate=tmp_path / "c.json"
        )
    assert list(tmp_path.iterdir()) == []
    if suffix == "csv":
        write = delimited.write
        monkeypatch.setattr(delimited, "write", lambda table, path, **o: write(table.slice(1), path, **o))
        with pytest.raises(RefusedError, match="found 39 rows, and 40 were released"):
            done.write(tmp_path / "out.csv")
        assert list(tmp_path.iterdir()) == []


def test_the_recount_reads_text_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """1.0 and 1 are one number and two texts: who reads the file tells them apart."""
    done = make()
    write = delimited.write

    def uneven(table: Any, path: Path, **options: Any) -> list[Note]:
        notes = write(table, path, **options)
        lines = path.read_text().splitlines()
        cells = lines[1].split(",")
        cells[0] += ".0"
        path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]) + "\n")
        return notes

    monkeypatch.setattr(delimited, "write", uneven)
    with pytest.raises(RefusedError, match="the smallest holds 1"):
        done.write(tmp_path / "out.csv")


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from([1.0, 2.0, None]), st.integers(0, 2)), min_size=1, max_size=30
    )
)
def test_counting_against_a_dictionary(rows: list[tuple[str, float | None, int]]) -> None:
    table = pa.table(
        {"x": [r[0] for r in rows], "y": pa.array([r[1] for r in rows], pa.float64()), "u": [r[2] for r in rows]}
    )
    classes = classes_of([table["x"], table["y"]], len(rows))
    sizes = Counter((x, y) for x, y, _ in rows)
    found = recount(classes)
    assert found.k == min(sizes.values())
    assert found.classes == len(sizes)
    assert found.histogram == dict(Counter(sizes.values()))
    units = Counter(key for key, _ in {((x, y), u) for x, y, u in rows})
    assert recount(classes, codes_of(table["u"])).k == min(units.values())


def test_what_counts_as_the_same_value() -> None:
    codes = codes_of(pa.array([0.0, -0.0, None, float("nan"), 1.0]))
    assert codes[0] == codes[1]
    assert len(set(codes.tolist())) == 4
    assert codes_of(pa.nulls(3)).tolist() == [0, 0, 0]
    dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["x", "x"]))
    assert len(set(codes_of(dictionary).tolist())) == 2
    wide = [pa.array(np.arange(5000) * 7) for _ in range(8)]
    assert recount(classes_of(wide, 5000)).classes == 5000


def test_tracks_of_linked_units() -> None:
    classes, units = np.array([0, 1, 1, 0, 0, 0]), np.array([5, 5, 6, 6, 7, 8])
    assert sorted(Counter(tracks(classes, units).tolist()).values()) == [2, 2]


def test_verify_says_what_is_missing() -> None:
    table = pa.table({"a": [1, 1]})
    assert covey.verify(table, ["a"], 2).k == 2
    with pytest.raises(RefusedError, match="the recount misses the columns b"):
        covey.verify(table, ["a", "b"], 2)
    with pytest.raises(InputError, match="1 units are given for 2 rows"):
        covey.verify(table, ["a"], 2, units=np.array([1]))


def test_the_two_certificates() -> None:
    done = make(method="random-projection", seed=123456789, options={"projections": 2}, top={"income": 3999.5})
    public, internal = done.certificate.to_json(), done.certificate.to_json(internal=True)
    assert json.loads(public)["k_achieved"] >= 4
    assert sum(int(s) * n for s, n in json.loads(public)["class_sizes"].items()) == 40
    assert json.loads(public)["method"] == "random-projection"
    assert json.loads(public)["top"] == {"income": "3999.5"}  # which whoever reads the release should know
    for secret in (done.recipe.entropy, "123456789", "keyed_hash"):
        assert str(secret) not in public
        assert str(secret) in internal
    for word in ("safe", "anonymous"):
        assert word not in public.replace("k-anonymity", "")


def test_the_keyed_hash_tells_inputs_apart() -> None:
    done = make()
    again = covey.release(people(), recipe=done.recipe)
    assert again.certificate.internal["input"] == done.certificate.internal["input"]
    other = covey.release(people().slice(0, 39), recipe=done.recipe)
    assert other.certificate.internal["input"] != done.certificate.internal["input"]
    assert make().certificate.internal["input"] != done.certificate.internal["input"]  # another key


def test_the_order_of_rows_needs_the_secret() -> None:
    table = people(200).append_column("row", pa.array(range(200)))
    given: dict[str, Any] = {"k": 4, "quasi": ["age", "income"], "drop": ["ill"], "keep": ["row"], "accept": ["row"]}
    one, two = (release_function(table, method="random-projection", seed=5, **given) for _ in range(2))
    assert one.certificate.public == two.certificate.public
    assert one.arrow["row"].to_pylist() != two.arrow["row"].to_pylist()
    assert one.arrow["row"].to_pylist() != sorted(one.arrow["row"].to_pylist())
    replayed = release_function(table, recipe=one.recipe)
    assert replayed.arrow.equals(one.arrow)
    kept = release_function(table, shuffle=False, **given)
    assert kept.arrow["row"].to_pylist() == list(range(200))


def test_random_numbers_come_from_the_secret_alone() -> None:
    secret = randomness.draw()
    assert len(secret) == 64
    assert randomness.draw() != secret
    order = randomness.random_order(secret, 1000)
    assert sorted(order.tolist()) == list(range(1000))
    assert order.tolist() == randomness.random_order(secret, 1000).tolist()
    ids = randomness.random_ids(secret, "name", range(1000))
    assert len(set(ids)) == 1000
    assert ids != randomness.random_ids(secret, "other", range(1000))
    assert ids != sorted(ids)


def test_a_release_holds_nothing_of_the_original() -> None:
    table = people().append_column("name", pa.array([f"SECRET-{i}" for i in range(40)]))
    done = covey.release(table, k=4, quasi=["age", "income"], sensitive=["ill"], drop=["name"])
    assert (
        "SECRET" not in repr(done) + str(done.report) + done.certificate.to_json(internal=True) + done.recipe.to_toml()
    )
    original = set(pc.unique(table["income"]).to_pylist())
    assert not original & {value for value in _numbers(done.report.as_dict()) if value != round(value)}


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for inner in value.values() for number in _numbers(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in _numbers(inner)]
    return [value] if isinstance(value, float) else []


def test_the_certificate_counts_rows_and_units_apart() -> None:
    given = people(40).append_column("who", pa.array([f"u{i}" for i in range(40)]))
    done = covey.release(given, k=4, quasi=["age", "income"], drop=["ill"], unit="who", random_ids=["who"])
    assert done.certificate.public["records"] == 40
    assert done.certificate.public["counted_in"] == "units"
    assert f"k = {done.certificate.k}" in done.certificate.public["promise"]


def test_equal_tables_have_equal_hashes_however_they_lie_in_memory() -> None:
    plain = pa.table({"x": [1, None, 3], "s": ["a", None, "b"]})
    bits = pa.py_buffer(b"\x05")
    under = pa.Array.from_buffers(pa.int64(), 3, [bits, pa.py_buffer(np.array([1, 99, 3]).tobytes())])
    same = pa.table({"x": pa.chunked_array([under.slice(0, 1), under.slice(1)]), "s": plain["s"]})
    assert same.equals(plain)
    key = randomness.draw()
    hashes = []
    for table in (plain, same, plain.slice(1)):
        sums = Sums()
        sums.add(table.columns)
        hashes.append(sums.hash(key))
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


def test_all_outputs_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = make()
    (tmp_path / "c.json").write_text("old")
    link = staging.StagedFile._link

    def fail_for_the_release(self: Any, place: Path) -> None:
        if self.path.name == "out.csv":
            raise OSError(28, "No space left on device")
        link(self, place)

    monkeypatch.setattr(staging.StagedFile, "_link", fail_for_the_release)
    with pytest.raises(OutputError, match="the disk is full"):
        done.write(
            tmp_path / "out.csv",
            report=tmp_path / "r.html",
            certificate=tmp_path / "c.json",
            internal=tmp_path / "internal.json",
            force=True,
        )
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("c.json", "old")]
    monkeypatch.undo()
    done.write(tmp_path / "out.csv", certificate=tmp_path / "c.json", internal=tmp_path / "internal.json", force=True)
    assert (tmp_path / "internal.json").stat().st_mode & 0o077 == 0  # it holds the secret
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "internal.json", "out.csv"]


def test_two_names_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="two outputs have the same name"):
        make().write("out.csv", certificate=tmp_path / "out.csv")
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    make().write("link.csv", force=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert "age" in (tmp_path / "real.csv").read_text()
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(OutputError, match="is no ordinary file"):
        make().write("pipe.csv", force=True)


def test_the_certificate_that_is_written_counts_what_was_written(tmp_path: Path) -> None:
    """Missing and empty are one text in a CSV file."""
    given = pa.table({"x": pa.array(["", None] * 3 + ["y"] * 3), "z": [1] * 9})
    done = covey.release(given, k=3, quasi=["x", "z"], missing="own-group", small_strata="merge")
    done.write(tmp_path / "out.csv", certificate=tmp_path / "c.json")
    written = json.loads((tmp_path / "c.json").read_text())
    assert sum(int(size) * number for size, number in written["class_sizes"].items()) == 9
    assert written["k_achieved"] == covey.verify(read_published(tmp_path / "out.csv"), ["x", "z"], 1).k


def test_ordered_codes() -> None:
    values, ordered = ordered_codes(pa.array(["10", "9", "", "9"]))
    assert (values.tolist(), ordered) == ([1, 0, 2, 0], True)
    assert ordered_codes(pa.array(["x", "y"]))[1] is False
    grades = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), pa.array(["low", "high"]), ordered=True)
    assert ordered_codes(grades)[0].tolist() == [1, 0, 2]
    assert ordered_codes(pa.array([3, 1], pa.int32()).cast(pa.date32()))[0].tolist() == [1, 0]
