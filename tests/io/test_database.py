"""SQLite, DuckDB and PostgreSQL: a table or query in, a table out in one transaction."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import sqlite3
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import psycopg
import pyarrow as pa
import pytest

import covey
from covey import cli
from covey.errors import InputError, OutputError, RefusedError
from covey.io import database, read, read_published, sql
from covey.io.location import locate

if TYPE_CHECKING:
    from pathlib import Path

N = 30

pytestmark = pytest.mark.xdist_group("postgres")


def people() -> pa.Table:
    rng = np.random.default_rng(0)
    moments = [dt.datetime(2020, 1, 1, h % 24, tzinfo=dt.UTC) for h in range(N)]
    return pa.table(
        {
            "age": pa.array(rng.integers(18, 90, N), pa.int32()),
            "Income": rng.normal(3000, 800, N) / 3,
            "fee": pa.array(
                [decimal.Decimal(int(v)).scaleb(-2) for v in rng.integers(0, 9999, N)], pa.decimal128(10, 2)
            ),
            "day": pa.array(rng.integers(-30000, 9000, N), pa.int32()).cast(pa.date32()),
            "seen": pa.array(moments, pa.timestamp("us", "UTC")),
            "smokes": rng.random(N) < 0.5,
            "ward": rng.choice(["east", "we'st", 'n"orth'], N),
        }
    )


def make(source: Any, **choices: Any) -> covey.Release:
    defaults: dict[str, Any] = {"k": 3, "quasi": people().column_names}
    return covey.release(source, **(defaults | choices))


def address(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    if kind == "postgresql":
        return str(request.getfixturevalue("postgres"))
    return f"{kind}:///{folder}/people.{kind}"


def fill(kind: str, url: str, table: pa.Table, name: str) -> None:
    """Put a table into the database by its own means."""
    if kind == "duckdb":
        with duckdb.connect(url.removeprefix("duckdb:///")) as connection:
            connection.register("given", table)
            connection.execute(f'CREATE OR REPLACE TABLE "{name}" AS SELECT * FROM given')  # noqa: S608
    elif kind == "sqlite":
        plain = [
            [
                v.isoformat() if isinstance(v, dt.date) else str(v) if isinstance(v, decimal.Decimal) else v
                for v in row.values()
            ]
            for row in table.to_pylist()
        ]
        file = sqlite3.connect(url.removeprefix("sqlite:///"))
        file.execute(f'CREATE TABLE "{name}" ({", ".join(map(repr, table.column_names))})')
        file.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * table.num_columns)})', plain)  # noqa: S608
        file.commit()
        file.close()
    else:
        kinds = ("integer", "double precision", "numeric(10,2)", "date", "timestamptz", "boolean", "text")
        with psycopg.connect(url) as server:
            server.execute(f'DROP TABLE IF EXISTS "{name}"')
            columns = ", ".join(f'"{c}" {k}' for c, k in zip(table.column_names, kinds, strict=True))
            server.execute(f'CREATE TABLE "{name}" ({columns})')
            with server.cursor() as cursor, cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
                for row in table.to_pylist():
                    copy.write_row(list(row.values()))


@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgresql"])
def test_table_in_table_out(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = address(kind, tmp_path, request)
    fill(kind, url, people(), "people")
    loaded = read(f"{url}#people")
    assert loaded.table.num_rows == N
    assert loaded.table["age"].to_pylist() == people()["age"].to_pylist()
    assert loaded.table["Income"].to_pylist() == people()["Income"].to_pylist()
    assert loaded.table["day"].to_pylist() == people()["day"].to_pylist()
    done = make(f"{url}#people", nominal=["smokes"] if kind == "sqlite" else [])  # which has no booleans
    done.write(f"{url}#released", force=True)
    found = read_published(f"{url}#released")
    assert found.column_names == people().column_names
    assert found["Income"].to_pylist() == done.arrow["Income"].to_pylist()  # bit by bit
    assert covey.verify(found, people().column_names, 3).rows == N
    if kind == "postgresql":
        with psycopg.connect(url) as server:
            types: dict[str, str] = dict(
                server.execute(
                    "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'released'"
                ).fetchall()
            )
        assert types["age"] == "integer"
        assert types["day"] == "date"
        assert types["seen"] == "timestamp with time zone"
        assert types["fee"] == "numeric"
        assert types["smokes"] == "boolean"


@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgresql"])
def test_a_table_is_replaced_only_by_force_and_never_by_a_refused_release(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = address(kind, tmp_path, request)
    fill(kind, url, people(), "mine")
    done = make(people())
    with pytest.raises(OutputError, match="the table 'mine' exists already"):
        done.write(f"{url}#mine")
    create: Any = {"sqlite": sql.Sqlite, "duckdb": sql.DuckDB, "postgresql": sql.Postgres}[kind]
    whole = create.create
    monkeypatch.setattr(create, "create", lambda self, name, table: whole(self, name, table.slice(1)))
    with pytest.raises(RefusedError, match="found 29 rows"):
        done.write(f"{url}#mine", force=True)
    with pytest.raises(RefusedError, match="found 29 rows"):
        done.write(f"{url}#fresh")
    monkeypatch.undo()
    assert read(f"{url}#mine").table["age"].to_pylist() == people()["age"].to_pylist()
    with pytest.raises(InputError, match="cannot be read"):
        read(f"{url}#fresh")
    done.write(f"{url}#mine", force=True)
    assert sorted(read(f"{url}#mine").table["age"].to_pylist()) == sorted(done.arrow["age"].to_pylist())


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_refused_release_leaves_no_new_database(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = make(people())
    monkeypatch.setattr(database.StagedDatabase, "read_back", lambda _self: people())
    with pytest.raises(RefusedError):
        done.write(f"{kind}:///{tmp_path}/new.db#t")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgresql"])
def test_a_query_in(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = address(kind, tmp_path, request)
    fill(kind, url, people(), "asked")
    loaded = read(url, query="SELECT age, ward FROM asked WHERE age > 30 ORDER BY age")
    assert loaded.table.column_names == ["age", "ward"]
    assert min(loaded.table["age"].to_pylist()) > 30
    with pytest.raises(InputError, match="needs a table .* or a query"):
        read(url)
    with pytest.raises(InputError, match="one of the two"):
        read(f"{url}#asked", query="SELECT 1")


def test_passwords_stay_out_of_everything(postgres: str) -> None:
    fill("postgresql", postgres, people(), "people")
    done = make(f"{postgres}#people")
    text = done.certificate.to_json(internal=True)
    assert "hidden-password" not in text + done.recipe.to_toml() + str(done.report)
    assert json.loads(text)["input"]["source"] == "postgresql://" + postgres.split("@")[1] + "#people"
    with pytest.raises(InputError, match="cannot be read") as caught:
        read(postgres.replace("/postgres", "/nowhere") + "#people")
    assert "hidden-password" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_databases_that_are_not_there(tmp_path: Path) -> None:
    for url, message in (
        (f"sqlite:///{tmp_path}/none.db#t", "there is no file 'none.db'"),
        ("mysql://host/db#t", "there is no database 'mysql'; known: sqlite, duckdb, postgresql"),
    ):
        with pytest.raises(InputError, match=message):
            read(url)
    (tmp_path / "no.db").write_text("this is no database at all, only text that goes on")
    with pytest.raises(InputError, match="cannot be read"):
        read(f"sqlite:///{tmp_path}/no.db#t")
    with pytest.raises(OutputError, match="names no table to write"):
        make(people()).write(f"sqlite:///{tmp_path}/x.db")


def test_mixed_columns_of_sqlite(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "m.db")
    connection.execute("CREATE TABLE t (x)")
    connection.executemany("INSERT INTO t VALUES (?)", [(1,), ("private",), (None,)])
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match="column 'x' of the database mixes types") as caught:
        read(f"sqlite:///{tmp_path}/m.db#t")
    assert "private" not in str(caught.value)


def test_a_password_may_hold_the_sign_before_a_table() -> None:
    for url, table in (
        ("postgresql://u:sec#ret@localhost:1/db#t", "t"),
        ("postgresql://u:sec#ret@localhost:1/db", None),
    ):
        place = locate(url)
        assert place.table == table
        assert "sec" not in place.public
        assert "ret" not in place.public
    with pytest.raises(InputError) as caught:
        read("postgresql://u:sec#ret@127.0.0.1:1/db#t")
    assert "ret" not in str(caught.value).replace("read", "")
    with pytest.raises(InputError, match="cannot be read"):
        read("postgresql://joe:pw@[bad/db#t")


def test_what_is_replaced_leaves_nothing_behind_or_a_warning(tmp_path: Path) -> None:
    secrets = pa.table({"age": list(range(40)), "name": [f"SECRETNAME{i}" for i in range(40)]})
    for kind in ("sqlite", "duckdb"):
        url = f"{kind}:///{tmp_path}/in.{kind}#people"
        fill_plain(kind, url, secrets)
        notes = covey.release(url, k=4, quasi=["age"], drop=["name"]).write(url, force=True)
        if kind == "sqlite":
            assert b"SECRETNAME" not in (tmp_path / "in.sqlite").read_bytes()
        else:
            assert any("DuckDB keeps the bytes" in str(note) for note in notes)


def fill_plain(kind: str, url: str, table: pa.Table) -> None:
    path = url.removeprefix(f"{kind}:///").partition("#")[0]
    if kind == "duckdb":
        with duckdb.connect(path) as connection:
            connection.register("given", table)
            connection.execute("CREATE TABLE people AS SELECT * FROM given")
        return
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE people (age, name)")
    file.executemany("INSERT INTO people VALUES (?, ?)", [tuple(row.values()) for row in table.to_pylist()])
    file.commit()
    file.close()


def test_the_table_that_is_read_is_never_replaced(tmp_path: Path) -> None:
    """Not even by force, and however its address is written; nor is the recipe."""
    url = f"sqlite:///{tmp_path}/people.db"
    fill("sqlite", url, people(), "people")
    roles = ["-k", "3", "--quasi", "age", "--drop-rest", "--no-ledger", "--force", "--quiet"]
    same = f"sqlite:///{tmp_path}/../{tmp_path.name}/people.db#people"
    for target in (f"{url}#people", same):
        assert cli.main(["release", f"{url}#people", "-o", target, *roles]) == 2
    assert read(f"{url}#people").table.column_names == people().column_names
    assert cli.main(["release", f"{url}#people", "-o", f"{url}#other", *roles]) == 0
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('k = 3\ndrop_rest = true\n[roles]\nquasi = ["age"]\n', encoding="utf-8")
    command = ["release", f"{url}#people", "--recipe", str(recipe), "-o", str(recipe), "--output-format", "csv"]
    assert cli.main([*command, "--force", "--no-ledger"]) == 2
