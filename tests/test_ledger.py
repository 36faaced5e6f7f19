"""A second release of the same table is noticed."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import covey
from covey import cli
from covey.ledger import ReleasedBeforeWarning, ledger_path

TABLE = pa.table({"age": list(range(40)), "name": [f"SECRETNAME{i}" for i in range(40)]})


def write(tmp_path: Path, name: str, table: Any = TABLE, k: int = 4, **choices: Any) -> list[str]:
    done = covey.release(table, k=k, quasi=["age"], drop=["name"], **choices)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        return done.write(tmp_path / name)


def test_other_settings_are_warned_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = tmp_path / "state" / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(ledger))
    assert write(tmp_path, "one.csv") == []
    assert write(tmp_path, "same.csv") == []  # the same settings: nothing new to intersect
    (warning,) = write(tmp_path, "two.csv", k=5)
    assert "was released 2 times before with other settings" in warning
    assert "covey check --against" in warning
    assert write(tmp_path, "other.csv", TABLE.slice(1)) == []  # another table
    assert ledger.stat().st_mode & 0o077 == 0
    text = ledger.read_text()
    assert "SECRETNAME" not in text
    assert [set(json.loads(line)) for line in text.splitlines()][:2] == [{"key"}, {"columns", "settings", "k", "date"}]


def test_it_can_be_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = tmp_path / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(ledger))
    done = covey.release(TABLE, k=4, quasi=["age"], drop=["name"])
    done.write(tmp_path / "a.csv", ledger=False)
    assert len(ledger.read_text().splitlines()) == 1  # its key, and no entry
    monkeypatch.setenv("COVEY_LEDGER", "off")
    assert ledger_path() is None
    write(tmp_path, "b.csv")
    monkeypatch.delenv("COVEY_LEDGER")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert ledger_path() == tmp_path / "covey" / "ledger.jsonl"


def test_a_refused_release_is_not_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = tmp_path / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(ledger))
    (tmp_path / "there.csv").write_text("mine")
    with pytest.raises(covey.CoveyError, match="exists already"):
        write(tmp_path, "there.csv")
    assert len(ledger.read_text().splitlines()) == 1


def test_a_ledger_that_is_damaged_or_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = tmp_path / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(ledger))
    write(tmp_path, "one.csv")
    with ledger.open("a") as file:
        file.write('{"cut of')
    assert len(write(tmp_path, "two.csv", k=5)) == 1
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COVEY_LEDGER", str(tmp_path / "file" / "ledger.jsonl"))
    (note,) = write(tmp_path, "three.csv")
    assert "the ledger of releases cannot be used" in note


def test_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COVEY_LEDGER", "ledger.jsonl")
    Path("t.csv").write_text("age\n" + "".join(f"{i}\n" for i in range(40)))
    base = ["release", "t.csv", "--quasi", "age"]
    assert cli.main([*base, "-k", "4", "-o", "a.csv"]) == 0
    assert cli.main([*base, "-k", "5", "-o", "b.csv"]) == 0
    assert "was released 1 times before" in capsys.readouterr().err
    assert cli.main([*base, "-k", "6", "-o", "c.csv", "--no-ledger"]) == 0
    assert "released" not in capsys.readouterr().err.replace("released value", "")


@pytest.mark.parametrize("damage", ["folder", "bytes", "number", "key"])
def test_a_ledger_that_cannot_be_read_stops_no_release(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(ledger))
    if damage == "folder":
        ledger.mkdir()
    else:
        ledger.write_bytes({"bytes": b"\xff\xfe\x00", "number": b"5\n", "key": b'{"key": "zz"}\n'}[damage])
    (note,) = write(tmp_path, "a.csv")
    assert "the ledger of releases cannot be used" in note


def test_two_releases_made_before_either_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVEY_LEDGER", str(tmp_path / "ledger.jsonl"))
    one, two = (covey.release(TABLE, k=k, quasi=["age"], drop=["name"]) for k in (4, 5))
    one.write(tmp_path / "one.csv")
    with pytest.warns(ReleasedBeforeWarning, match="was released 1 times before"):
        two.write(tmp_path / "two.csv")


def test_other_roles_of_the_same_file_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVEY_LEDGER", str(tmp_path / "ledger.jsonl"))
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{i},{'2.5' if i % 2 else '2.50'}\n" for i in range(20)))
    covey.release(tmp_path / "t.csv", k=4, quasi=["a"], drop=["b"]).write(tmp_path / "one.csv")
    with pytest.warns(ReleasedBeforeWarning):
        covey.release(tmp_path / "t.csv", k=4, quasi=["a", "b"]).write(tmp_path / "two.csv")


def test_the_same_records_in_another_form_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVEY_LEDGER", str(tmp_path / "ledger.jsonl"))
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": range(40), "pay": [i * 1.25 for i in range(40)], "ward": list("ab") * 20})
    frame["day"] = pandas.Timestamp("2020-01-01") + pandas.to_timedelta(frame["age"], unit="D")
    frame.to_csv(tmp_path / "people.csv", index=False)
    quasi = ["age", "pay", "ward", "day"]

    def noticed(name: str, table: Any, k: int, columns: list[str] = quasi) -> bool:
        done = covey.release(table, k=k, quasi=columns, drop_rest=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReleasedBeforeWarning)
            return any("was released" in note for note in done.write(tmp_path / name))

    assert not noticed("a.csv", tmp_path / "people.csv", 4)
    assert noticed("b.csv", frame, 5)
    assert noticed("c.csv", frame[::-1], 6)
    assert noticed("d.csv", frame.drop(columns="ward"), 7, ["age", "pay", "day"])
    assert not noticed("e.csv", frame.assign(age=range(1, 41), pay=0.5, day="x"), 8)
