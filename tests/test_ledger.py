"""A second release of the same records is noticed, in whole or in part, in every engine."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey import cli
from covey.errors import OptionError, RefusedError
from covey.ledger import ALL, MOST, NONE, SOME, Overlap, ReleasedBeforeWarning, ledger_path
from covey.utils.notes import NoteKind

if TYPE_CHECKING:
    from pathlib import Path

    from covey.utils.notes import Note

TABLE = pa.table({"age": list(range(40)), "name": [f"SECRETNAME{i}" for i in range(40)]})
QUASI = ["age", "pay"]


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "state" / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(path))
    return path


def write(tmp_path: Path, name: str, table: Any = TABLE, k: int = 4, **choices: Any) -> list[Note]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        done = covey.release(table, k=k, quasi=["age"], drop=["name"], **choices)
        return done.write(tmp_path / name)


def people(seed: int = 0, n: int = 300) -> pa.Table:
    rng = np.random.default_rng(seed)
    ids = [f"{number:016x}" for number in rng.integers(0, 2**62, n)]
    return pa.table(
        {
            "age": rng.integers(18, 90, n),
            "pay": rng.lognormal(8, 0.5, n).round(2),
            "ill": rng.choice(["flu", "cold", "none"], n),
            "house": np.repeat(ids, 2)[:n],
        }
    )


def band(table: Any, k: int = 5, **choices: Any) -> str:
    """What is said of a table when it is released."""
    given: dict[str, Any] = {"quasi": QUASI, "sensitive": ["ill"], "drop_rest": True} | choices
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        found = covey.release(table, k=k, **given).past
    assert not found.trouble
    return NONE if found.overlap is None else found.overlap.band


def enter(tmp_path: Path, table: Any, **choices: Any) -> None:
    given: dict[str, Any] = {"k": 4, "quasi": QUASI, "sensitive": ["ill"], "drop_rest": True} | choices
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        covey.release(table, **given).write(tmp_path / "first.csv", force=True)


def test_other_settings_are_warned_about(tmp_path: Path, ledger: Path) -> None:
    assert write(tmp_path, "one.csv") == []
    assert write(tmp_path, "same.csv") == []  # the same table and settings: nothing new to intersect
    (warning,) = write(tmp_path, "two.csv", k=5)
    assert warning.kind is NoteKind.LEDGER
    assert str(warning).startswith("these records were released before (2 times, last on ")
    assert "covey check --against" in str(warning)
    assert write(tmp_path, "other.csv", pa.table({"age": list(range(100, 140)), "name": ["x"] * 40})) == []
    assert ledger.stat().st_mode & 0o077 == 0
    text = ledger.read_text()
    assert "SECRETNAME" not in text
    assert [set(json.loads(line)) for line in text.splitlines()][:2] == [
        {"key"},
        {"columns", "settings", "k", "date", "sketches"},
    ]


def test_a_row_added_or_removed(tmp_path: Path, ledger: Path) -> None:
    table = people()
    enter(tmp_path, table)
    assert band(table.slice(1)) == ALL
    assert band(table.slice(1), 4) == ALL  # also with the same settings: two tables that differ by one person
    assert band(pa.concat_tables([table, people(1, 2)])) == ALL
    assert band(pa.concat_tables([table.slice(60), people(1, 60)])) == MOST
    assert band(pa.concat_tables([table.slice(150), people(1, 150)])) == SOME
    assert band(table.slice(150)) == ALL  # all of the smaller one
    assert band(people(1)) == NONE
    assert len(ledger.read_text().splitlines()) == 2


@pytest.mark.parametrize("n", [600, 9000])
def test_an_extract_after_the_whole(n: int, tmp_path: Path, ledger: Path) -> None:
    """Half a year or a quarter of a year that was released, and the other way round; and years that share a third."""
    year = people(0, n)
    enter(tmp_path, year)
    assert band(year.slice(n // 2)) in (MOST, ALL)  # an estimate by a random key, which is short of ALL now and then
    assert band(year.slice(n // 4, n // 4)) in (MOST, ALL)
    assert band(pa.concat_tables([year.slice(3 * n // 5), people(1, 3 * n // 5)])) == SOME
    assert band(pa.concat_tables([year, people(1, 2 * n)])) in (MOST, ALL)
    assert ledger.exists()


def test_values_that_moved_a_little(tmp_path: Path, ledger: Path) -> None:
    table = people()
    enter(tmp_path, table)
    assert ledger.exists()
    moved = table.set_column(1, "pay", pa.array(table["pay"].to_numpy() * 1.001))
    moved = moved.set_column(0, "age", pa.array(table["age"].to_numpy() * 1.001))
    assert band(moved) in (MOST, ALL)
    assert band(moved.take(pa.array(np.random.default_rng(0).permutation(300)))) in (MOST, ALL)
    much = table.set_column(1, "pay", pa.array(table["pay"].to_numpy() * 3.3))
    assert band(much.set_column(0, "age", people(1)["age"])) == NONE


def test_rows_and_columns_in_another_order_and_other_names(tmp_path: Path, ledger: Path) -> None:
    table = people()
    enter(tmp_path, table.slice(1))
    assert ledger.exists()
    order = pa.array(np.random.default_rng(0).permutation(300))
    assert band(table.take(order).select(["ill", "pay", "house", "age"])) == ALL
    assert band(table.rename_columns(["years", "income", "ill", "house"]), quasi=["income", "years"]) == ALL
    assert band(table, sensitive=[], keep=[]) == ALL  # by the quasi-identifiers


def test_units(tmp_path: Path, ledger: Path) -> None:
    table = people()
    enter(tmp_path, table, unit="house", drop=["house"])
    assert ledger.exists()
    later = people(1).set_column(3, "house", table["house"])  # the same households, all of their values new
    assert band(later, unit="house", drop=["house"]) == ALL
    assert band(people(1), unit="house", drop=["house"]) == NONE
    others = table.slice(1).set_column(3, "house", people(2)["house"].slice(1))  # the same records under other ids
    assert band(others, unit="house", drop=["house"]) == ALL


def test_a_release_is_the_same_only_where_its_groups_are(tmp_path: Path, ledger: Path) -> None:
    """Groups may depend on the order of the rows, on weights, units, what is required of others, and on the engine."""
    table = people().append_column("weight", pa.array(np.random.default_rng(5).uniform(1, 9, 300)))
    chosen: dict[str, Any] = {"k": 4, "unit": "house", "weight": "weight", "l_diversity": 2}
    enter(tmp_path, table, **chosen)
    assert band(table, **chosen) == NONE
    assert band(table.take(pa.array(np.random.default_rng(0).permutation(300))), **chosen) == ALL
    for place, name in ((2, "ill"), (3, "house"), (4, "weight")):
        others = table.set_column(place, name, pa.array(table[name].to_pylist()[2:] + table[name].to_pylist()[:2]))
        assert band(others, **chosen) == ALL, name
    pq.write_table(table, tmp_path / "in.parquet")
    known: dict[str, Any] = {"quasi": QUASI, "sensitive": ["ill"], "drop_rest": True} | chosen
    with pytest.raises(RefusedError, match="released before"):
        covey.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", refuse_overlap=True, **known)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        covey.release_file(tmp_path / "in.parquet", tmp_path / "one.parquet", **known)
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=70)
    ledger.write_text("\n".join(ledger.read_text().splitlines()[:1] + ledger.read_text().splitlines()[-1:]))
    covey.release_file(tmp_path / "in.parquet", tmp_path / "two.parquet", refuse_overlap=True, **known)
    pq.write_table(table.take(pa.array(np.arange(300)[::-1])), tmp_path / "in.parquet")
    with pytest.raises(RefusedError, match="released before"):
        covey.release_file(tmp_path / "in.parquet", tmp_path / "three.parquet", refuse_overlap=True, **known)


def test_units_that_were_counted_up_are_no_sign(tmp_path: Path, ledger: Path) -> None:
    for number in (lambda i: i // 2 + 1, lambda i: f"H-{i // 2:04}"):
        ids = pa.array([number(i) for i in range(300)])
        enter(tmp_path, people(3).set_column(3, "house", ids), unit="house", drop=["house"])
        assert band(people(1).set_column(3, "house", ids), unit="house", drop=["house"]) == NONE
    assert ledger.exists()


@pytest.mark.parametrize("n", [30, 45, 300, 5000, 20_000])
def test_unrelated_tables_share_nothing(n: int, tmp_path: Path, ledger: Path) -> None:
    """By sketches alone, far from the threshold: 20 pairs of small tables, some of large ones."""
    from covey.recipe.roles import Roles
    from covey.utils.hashing import numbers_of
    from covey.utils.sketch import TableSketches

    roles = Roles(quasi=tuple(QUASI), sensitive=("ill",), unit="house")

    def sketches(seed: int) -> Any:
        table, found = people(seed, n), TableSketches()
        found.add_table(table, {name: numbers_of(table.column(name)) for name in table.column_names}, roles)
        return found.sketches(f"{seed // 2 + 1:064x}")

    for pair in range(20 if n < 300 else 5 if n < 10_000 else 2):
        one, other = sketches(2 * pair), sketches(2 * pair + 1)
        for kind in set(one) & set(other):
            assert one[kind].shared(other[kind])[0] < 0.75 * max(one[kind].least, other[kind].least)
    assert not ledger.exists()
    assert list(tmp_path.iterdir()) == []


def test_tables_whose_records_are_alike_are_known_by_their_columns_alone(tmp_path: Path, ledger: Path) -> None:
    rng = np.random.default_rng(0)

    def few(seed: int) -> pa.Table:
        rng = np.random.default_rng(seed)
        return pa.table(
            {"age": rng.integers(18, 25, 300) + 0.5, "pay": rng.integers(1, 4, 300) * 1.25, "ill": ["flu"] * 300}
        )

    enter(tmp_path, few(0))
    assert ledger.exists()
    assert band(few(1)) == NONE  # the same few combinations, of other people
    assert band(few(0).take(pa.array(rng.permutation(300)))) == ALL


def test_records_of_which_some_are_alike(tmp_path: Path, ledger: Path) -> None:
    """Unrelated tables have records in common there by chance, and only more than that tells something."""

    def some(seed: int) -> pa.Table:
        rng = np.random.default_rng(seed)
        return pa.table(
            {"age": rng.integers(18, 48, 900) + 0.5, "pay": rng.integers(1, 41, 900) * 1.25, "ill": ["flu"] * 900}
        )

    enter(tmp_path, some(0))
    assert ledger.exists()
    assert band(some(0).slice(9)) == ALL
    assert all(band(some(seed)) == NONE for seed in range(1, 6))


def test_switched_off_there_is_no_file(tmp_path: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    covey.release(TABLE, k=4, quasi=["age"], drop=["name"])
    assert not ledger.exists()  # nothing was published yet
    done = covey.release(TABLE, k=4, quasi=["age"], drop=["name"], ledger=False)
    assert done.trace is None
    done.write(tmp_path / "a.csv")
    covey.release(TABLE, k=4, quasi=["age"], drop=["name"]).write(tmp_path / "b.csv", ledger=False)
    (tmp_path / "t.csv").write_text("age\n" + "".join(f"{i}\n" for i in range(40)))
    base = ["release", str(tmp_path / "t.csv"), "--quasi", "age", "-k", "4", "--no-ledger"]
    assert cli.main([*base, "-o", str(tmp_path / "c.csv")]) == 0
    assert cli.main([*base, "-o", str(tmp_path / "d.csv"), "--memory", "400MiB"]) == 0
    assert not ledger.parent.exists()
    monkeypatch.setenv("COVEY_LEDGER", "off")
    assert ledger_path() is None
    write(tmp_path, "e.csv")
    monkeypatch.delenv("COVEY_LEDGER")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert ledger_path() == tmp_path / "covey" / "ledger.jsonl"


def test_who_publishes_by_other_means_enters_the_release(ledger: Path) -> None:
    done = covey.release(TABLE, k=4, quasi=["age"], drop=["name"])
    assert done.enter() == []
    assert ledger.exists()
    with pytest.warns(ReleasedBeforeWarning, match="these records were released before"):
        covey.release(TABLE, k=5, quasi=["age"], drop=["name"])


def test_a_refused_release_is_not_entered(tmp_path: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there.csv").write_text("mine")
    with pytest.raises(covey.CoveyError, match="exists already"):
        write(tmp_path, "there.csv")
    done = covey.release(TABLE, k=4, quasi=["age"], drop=["name"])

    def refuse(_self: covey.Release, _table: Any) -> None:
        msg = "refused"
        raise RefusedError(msg)

    monkeypatch.setattr(covey.Release, "recount", refuse)
    with pytest.raises(RefusedError):
        done.write(tmp_path / "out.csv")
    assert not ledger.exists()


def test_an_overlap_may_be_an_error(tmp_path: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enter(tmp_path, people())
    before = ledger.read_text()
    with pytest.raises(RefusedError, match="these records were released before .* the release is refused"):
        band(people().slice(1), refuse_overlap=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        done = covey.release(people().slice(1), k=5, quasi=QUASI, drop_rest=True)
    with pytest.raises(RefusedError):
        done.write(tmp_path / "out.csv", refuse_overlap=True)
    pq.write_table(people().slice(1), tmp_path / "in.parquet")
    with pytest.raises(RefusedError):
        covey.release_file(
            tmp_path / "in.parquet", tmp_path / "out.csv", 5, quasi=QUASI, drop_rest=True, refuse_overlap=True
        )
    assert not (tmp_path / "out.csv").exists()
    assert ledger.read_text() == before
    assert band(people(1), refuse_overlap=True) == NONE
    with pytest.raises(OptionError, match="the ledger is switched off"):
        band(people(1), refuse_overlap=True, ledger=False)
    monkeypatch.setenv("COVEY_LEDGER", "off")
    with pytest.raises(OptionError, match="the ledger is switched off"):
        band(people(1), refuse_overlap=True)
    monkeypatch.setenv("COVEY_LEDGER", str(tmp_path))
    with pytest.raises(RefusedError, match="cannot be used"):
        covey.release(people(1), k=5, quasi=QUASI, drop_rest=True, refuse_overlap=True)


def test_the_file_engine_knows_what_memory_released(tmp_path: Path, ledger: Path) -> None:
    enter(tmp_path, people())
    assert ledger.exists()
    pq.write_table(people().slice(1), tmp_path / "in.parquet")
    with pytest.warns(ReleasedBeforeWarning, match="these records were released before"):
        done = covey.release_file(tmp_path / "in.parquet", tmp_path / "out.csv", 5, quasi=QUASI, drop_rest=True)
    assert any(note.kind is NoteKind.LEDGER for note in done.notes)


def test_networks(tmp_path: Path, ledger: Path) -> None:
    rng = np.random.default_rng(0)
    graph = nx.gnm_random_graph(80, 240, seed=1)
    names = {v: f"{number:016x}" for v, number in enumerate(rng.integers(0, 2**62, 80))}
    graph.remove_nodes_from(list(nx.isolates(graph)))
    named = nx.relabel_nodes(graph, names)

    def found(network: Any, lower: int = 5) -> Overlap | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReleasedBeforeWarning)
            overlap: Overlap | None = covey.network.release(network, lower, method="carving").past.overlap
            return overlap

    assert covey.network.release(named, 4, method="carving").write(tmp_path / "a.csv") == []
    assert ledger.exists()
    fewer = named.copy()
    fewer.remove_edge(*next(iter(named.edges)))
    for network in (named, fewer, nx.relabel_nodes(graph, {v: f"v{v}" for v in graph})):
        overlap = found(network)
        assert overlap is not None
        assert overlap.band in (MOST, ALL)
    assert found(nx.gnm_random_graph(80, 240, seed=2)) is None
    assert found(named, 4) is None  # the same once more
    with pytest.warns(ReleasedBeforeWarning):
        done = covey.network.degree_anonymous(named, 3)
    assert any(note.kind is NoteKind.LEDGER for note in done.write(tmp_path / "d.csv"))
    with pytest.raises(RefusedError, match="released before"):
        covey.network.release(fewer, 5, method="carving", refuse_overlap=True)
    with pytest.raises(RefusedError, match="released before"):
        done.write(tmp_path / "e.csv", refuse_overlap=True)
    assert not (tmp_path / "e.csv").exists()


def test_networks_on_the_command_line(tmp_path: Path, ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "net.csv"
    graph = nx.gnm_random_graph(60, 200, seed=1)
    source.write_text("source,target\n" + "".join(f"p{a},p{b}\n" for a, b in graph.edges))
    base = ["network", "degree", str(source), "--quiet", "-o"]
    assert cli.main([*base, str(tmp_path / "a.csv"), "-k", "3", "--no-ledger"]) == 0
    assert not ledger.exists()
    assert cli.main([*base, str(tmp_path / "b.csv"), "-k", "3"]) == 0
    assert "released before" not in capsys.readouterr().err
    assert cli.main([*base, str(tmp_path / "c.csv"), "-k", "4"]) == 0
    assert "note: these records were released before" in capsys.readouterr().err
    assert cli.main([*base, str(tmp_path / "d.csv"), "-k", "5", "--refuse-overlap"]) == 2
    assert not (tmp_path / "d.csv").exists()


def test_a_ledger_that_is_damaged_or_cannot_be_written(
    tmp_path: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "one.csv")
    with ledger.open("a") as file:
        file.write('{"cut of')
    assert len(write(tmp_path, "two.csv", k=5)) == 1
    assert len(write(tmp_path, "three.csv", k=6)) == 1
    assert "(3 times" in str(write(tmp_path, "four.csv", k=7)[0])
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COVEY_LEDGER", str(tmp_path / "file" / "ledger.jsonl"))
    (note,) = write(tmp_path, "six.csv")
    assert "the ledger of releases cannot be used" in str(note)


def test_entries_of_earlier_versions(tmp_path: Path, ledger: Path) -> None:
    write(tmp_path, "one.csv")
    key, entry = (json.loads(line) for line in ledger.read_text().splitlines())
    del entry["sketches"]
    ledger.write_text(f"{json.dumps(key)}\n{json.dumps(entry)}\n")
    ledger.chmod(0o644)
    (note,) = write(tmp_path, "two.csv", k=5)
    assert "these records were released before (once" in str(note)
    assert ledger.stat().st_mode & 0o777 == 0o600


def test_from_the_command_line(ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "t.csv"
    source.write_text("age\n" + "".join(f"{i}\n" for i in range(40)))
    base = ["release", str(source), "--quasi", "age"]
    assert cli.main([*base, "-k", "4", "-o", str(tmp_path / "a.csv")]) == 0
    assert ledger.exists()
    for more in ([], ["--quiet"], ["--memory", "400MiB", "--quiet", "--force"]):
        assert cli.main([*base, "-k", "5", "-o", str(tmp_path / "b.csv"), "--force", *more]) == 0
        assert "these records were released before" in capsys.readouterr().err
    assert cli.main([*base, "-k", "6", "-o", str(tmp_path / "c.csv"), "--no-ledger"]) == 0
    assert "released before" not in capsys.readouterr().err
    assert cli.main([*base, "-k", "7", "-o", str(tmp_path / "d.csv"), "--refuse-overlap"]) == 2
    assert "the release is refused (--refuse-overlap)" in capsys.readouterr().err
    assert not (tmp_path / "d.csv").exists()


@pytest.mark.parametrize("damage", ["folder", "bytes", "number", "key"])
def test_a_ledger_that_cannot_be_read_stops_no_release(damage: str, tmp_path: Path, ledger: Path) -> None:
    ledger.parent.mkdir()
    if damage == "folder":
        ledger.mkdir()
    else:
        ledger.write_bytes({"bytes": b"\xff\xfe\x00", "number": b"5\n", "key": b'{"key": "zz"}\n'}[damage])
    (note,) = write(tmp_path, "a.csv")
    assert "the ledger of releases cannot be used" in str(note)


def test_two_releases_made_before_either_is_written(tmp_path: Path, ledger: Path) -> None:
    one, two = (covey.release(TABLE, k=k, quasi=["age"], drop=["name"]) for k in (4, 5))
    assert not ledger.exists()
    one.write(tmp_path / "one.csv")
    with pytest.warns(ReleasedBeforeWarning, match="these records were released before"):
        two.write(tmp_path / "two.csv")


def test_other_roles_of_the_same_file_are_noticed(tmp_path: Path, ledger: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{i},{'2.5' if i % 2 else '2.50'}\n" for i in range(20)))
    covey.release(tmp_path / "t.csv", k=4, quasi=["a"], drop=["b"]).write(tmp_path / "one.csv")
    assert ledger.exists()
    with pytest.warns(ReleasedBeforeWarning):
        covey.release(tmp_path / "t.csv", k=4, quasi=["a", "b"])


def test_the_same_records_in_another_form_are_noticed(tmp_path: Path, ledger: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": range(40), "pay": [i * 1.25 for i in range(40)], "ward": list("ab") * 20})
    frame["day"] = pandas.Timestamp("2020-01-01") + pandas.to_timedelta(frame["age"], unit="D")
    frame.to_csv(tmp_path / "people.csv", index=False)
    quasi = ["age", "pay", "ward", "day"]

    def noticed(name: str, table: Any, k: int, columns: list[str] = quasi) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReleasedBeforeWarning)
            done = covey.release(table, k=k, quasi=columns, drop_rest=True)
            return any(note.kind is NoteKind.LEDGER for note in done.write(tmp_path / name))

    assert not noticed("a.csv", tmp_path / "people.csv", 4)
    assert ledger.exists()
    assert noticed("b.csv", frame, 5)
    assert noticed("c.csv", frame[::-1], 6)
    assert noticed("d.csv", frame.drop(columns="ward"), 7, ["age", "pay", "day"])
    assert not noticed("e.csv", frame.assign(age=range(1, 41), pay=0.5, day="x"), 8)
